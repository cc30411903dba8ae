import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { PlimsollError } from '../errors.ts';
import type { ExtractBy } from '../settings/settings.ts';
import { visibleName } from '../text/visible.ts';
import {
  allowedPath,
  type Digest,
  lostLine,
  openModel,
  type TranscriptOptions,
} from '../transcript/transcript.ts';
import { foldersFor } from './folders.ts';
import { type Call, warningNote } from './tools/tool.ts';

/** What a client may say of a digest. */
export interface TranscriptAsked {
  readonly transcript_path?: string;
  readonly extract?: ExtractBy;
  readonly at?: string;
}

/** How the command's options are said to a model that calls tools. */
const SAID: readonly (readonly [string, string])[] = [
  ['--extract rules', 'extract: "rules"'],
  ['--allow-remote', "PLIMSOLL_MODEL_ALLOW_REMOTE=true in the server's environment"],
  ['Make it anew with --dry-run', 'Make it anew with summarize_only'],
  ['--dry-run makes one', 'summarize_only makes one'],
  ['plimsoll transcript --log lists the digests', 'without id, read_digest_log lists the digests'],
  [
    'with --allow FOLDER, or in PLIMSOLL_TRANSCRIPT_FOLDERS',
    "in PLIMSOLL_TRANSCRIPT_FOLDERS of the server's environment",
  ],
  [
    'allow the hidden folder that it is in with --allow FOLDER',
    "have the user put the hidden folder into PLIMSOLL_TRANSCRIPT_FOLDERS of the server's environment",
  ],
];

/**
 * Runs a job on the transcript that a client names, if it may be read: one where clients keep theirs, in the client's own
 * folders, in the server's current folder, or where the settings allow. What it throws tells a model what to do.
 */
export async function withTranscript<T>(
  { transcript_path: path, extract, at }: TranscriptAsked,
  call: Call,
  run: (path: string, options: TranscriptOptions) => Promise<T>,
): Promise<T> {
  const { transcript, workFolder } = call.services.settings;
  const { model: name } = transcript;
  const { roots, folders } = await foldersFor(call);
  return saidToModels(call, async () => {
    const real = await allowedPath(path ?? '', {
      home: homedir(),
      env: process.env,
      platform: process.platform,
      workFolder: workFolder ?? resolve('/'),
      folders: [...transcript.folders, ...folders, ...roots],
    });
    return run(real, {
      memory: call.services.memory(call.client),
      by: (extract ?? transcript.extract) === 'rules' ? 'rules' : modelOf(call),
      at: at === undefined || Number.isNaN(Date.parse(at)) ? at : new Date(at).toISOString(),
      signal: call.signal,
      onProgress: ({ chunk, chunks, tokens }) =>
        call.progress(`asking ${visibleName(name)}, part ${chunk} of ${chunks}, ${tokens} tokens of answer`),
    });
  });
}

/** Does what may name options of the command, which are told as a model can use them. */
export async function saidToModels<T>(call: Call, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    const message = SAID.reduce((text, [option, said]) => text.replace(option, () => said), error.message);
    const isOfModel = error.code.startsWith('MODEL_');
    const more = [
      ...(isOfModel && !message.includes('extract: "rules"') ? ['Without a model: extract: "rules".'] : []),
      ...(isOfModel ? [warningNote(call.services.settings.warnings.transcript)] : []),
    ];
    throw new PlimsollError(error.code, [message, ...more].join(' ').trim(), { cause: error });
  }
}

/** Logs what of a transcript could not be read. */
export function warnOfLost({ warn }: Pick<Call, 'warn'>, digest: Digest): void {
  const line = lostLine(digest);
  if (line !== undefined) warn(line);
}

function modelOf({ services }: Call) {
  const { server: address, model: name, api: kind, window, idle, allowRemote } = services.settings.transcript;
  return openModel({ address, name, kind, idle, allowRemote, ...(window !== undefined && { window }) });
}
