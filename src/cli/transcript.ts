import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type ErrorCode, PlimsollError } from '../errors.ts';
import type { Memory, ScopeName } from '../memory/memory.ts';
import { AGE_FORM, readAge } from '../settings/age.ts';
import { loadSettings } from '../settings/load.ts';
import {
  EXTRACTIONS,
  type ExtractBy,
  MODEL_APIS,
  type ModelApi,
  type TranscriptSettings,
} from '../settings/settings.ts';
import { visibleName } from '../text/visible.ts';
import {
  allowedPath,
  type Committed,
  commitTranscript,
  type Digest,
  Digests,
  type Discovered,
  digestTranscript,
  discover,
  findDigest,
  type Machine,
  openModel,
  planTranscript,
  readDigestLog,
  type TranscriptOptions,
} from '../transcript/transcript.ts';
import { currentFolder } from './current-folder.ts';
import { collect, parseSeconds } from './flags.ts';
import { interruptible } from './interrupt.ts';
import { openMemory, parseNumber, type ScopeFlags, scopeOption, writeJson } from './memory-options.ts';
import { writeStdout } from './output.ts';
import { progressLine } from './progress.ts';
import {
  committedText,
  discoveredText,
  foundText,
  isNew,
  isWhollyRead,
  logText,
  nothingNewText,
  oneOfManyText,
  planText,
} from './transcript-text.ts';
import { warn } from './warn.ts';

interface Flags extends ScopeFlags {
  readonly dryRun?: true;
  readonly commit?: string;
  readonly log?: true | string;
  readonly last?: number;
  readonly from?: number;
  readonly discover?: true;
  readonly all?: true;
  readonly since?: Date;
  readonly extract?: ExtractBy;
  readonly model?: string;
  readonly server?: string;
  readonly api?: ModelApi;
  readonly window?: number;
  readonly idle?: number;
  readonly allowRemote?: true;
  readonly allow?: readonly string[];
  readonly at?: string;
  readonly again?: true;
  readonly json?: true;
}

const HELP = `
The format is told by content: Claude Code, Claude.ai, ChatGPT, Codex, Gemini CLI, gptme,
Cursor, VS Code and CLI Copilot, aider, Slack, WebVTT, SRT, OpenAI-style messages, Markdown,
plain text. A file is read if it is in the current folder, where a known client keeps its
transcripts, or in a folder given with --allow or PLIMSOLL_TRANSCRIPT_FOLDERS.

Settings: these options; the environment (PLIMSOLL_MODEL, PLIMSOLL_MODEL_SERVER,
PLIMSOLL_MODEL_API and others; GOPHER_OLLAMA_URL, GOPHER_OLLAMA_MODEL, OLLAMA_HOST).
See docs/transcript.md.

Examples:
  plimsoll transcript session.jsonl --dry-run
  plimsoll transcript --commit 3fa9c2d1
  plimsoll transcript meeting.vtt --extract rules --at 2026-12-01
  plimsoll transcript session.jsonl --api openai --server http://127.0.0.1:8080 --model qwen
  plimsoll transcript --discover --since 7d
  plimsoll transcript --all --since 7d
  plimsoll memory why people.maria.role`;

/** Adds the arguments, options and action of `plimsoll transcript`. */
export function defineTranscript(command: Command): void {
  command
    .argument('[FILE]', 'a transcript; what is found in it goes into memory')
    .option('--dry-run', 'show what would be stored, and keep it as a plan')
    .option('--commit <ID>', 'store what a dry run showed, without asking the model again')
    .option('--discover', 'list the transcripts of known clients on this machine, the newest first')
    .option('--all', 'digest them all, the oldest first')
    .option('--since <AGE>', 'of these only what was changed since: 7d, 12h, or a date', parseSince)
    .option(
      '--log [ID]',
      'show what was digested, in brief, the newest first; or all of one digest or dry run',
    )
    .option('--last <N>', 'how many digests of the log (10)', parseNumber)
    .option('--from <N>', 'begin the log after so many', parseNumber)
    .addOption(
      new Option('--extract <HOW>', 'by a local model (the default), or by simple rules').choices(
        EXTRACTIONS,
      ),
    )
    .option('--model <NAME>', 'the model')
    .option('--server <ADDRESS>', "the model's server (http://127.0.0.1:11434)")
    .addOption(
      new Option('--api <API>', 'what the server speaks: ollama (the default) or openai').choices(MODEL_APIS),
    )
    .option('--window <TOKENS>', 'the context window to ask for', parseWindow)
    .option('--idle <SECONDS>', 'how long the server may be silent (600)', parseSeconds)
    .option('--allow-remote', 'let the transcript leave this machine for a server that is elsewhere')
    .option('--allow <FOLDER>', 'read transcripts in this folder too (repeatable)', collect)
    .option('--at <DATE>', 'when it was said, where the transcript has no times', parseDate)
    .option('--again', 'read turns that were digested before, too')
    .option('--json', 'as JSON')
    .addOption(scopeOption())
    .addHelpText('after', HELP)
    .action(runTranscript);
}

async function runTranscript(file: string | undefined, flags: Flags): Promise<void> {
  const jobs = [
    file !== undefined,
    flags.commit !== undefined,
    flags.log !== undefined,
    flags.discover || flags.all,
  ];
  if (jobs.filter(Boolean).length !== 1) {
    throw new PlimsollError(
      'BAD_USAGE',
      'Give one of FILE, --commit ID, --discover, --all or --log. See plimsoll transcript --help.',
    );
  }
  if (flags.since && !flags.discover && !flags.all) {
    throw new PlimsollError('BAD_USAGE', '--since goes with --discover or --all.');
  }
  if (flags.dryRun && file === undefined && !flags.all) {
    throw new PlimsollError('BAD_USAGE', '--dry-run goes with FILE or --all.');
  }
  if ((flags.last ?? flags.from) !== undefined && flags.log !== true) {
    throw new PlimsollError('BAD_USAGE', '--last and --from go with --log, without ID.');
  }
  if (flags.commit !== undefined) await printCommit(flags.commit, flags);
  else if (flags.log !== undefined) await printLog(flags.log, flags);
  else if (file !== undefined) await digestOne(file, flags);
  else if (flags.all) await digestAll(flags);
  else await printDiscovered(flags);
}

async function printCommit(id: string, flags: Flags): Promise<void> {
  const { scope } = flags;
  const memory = openMemory();
  const committed = await commitTranscript(id, { memory, scope });
  await print(committedOutcome(committed, scopeToTell(memory, scope)), flags);
}

/** The memory that commands are to name: where a project has one too, they would take the nearest that has the key. */
function scopeToTell(memory: Memory, scope: ScopeName = 'global'): ScopeName | undefined {
  return memory.where().places.length > 1 ? scope : undefined;
}

/** What a job came to, for a program and for a person. */
interface Outcome {
  readonly value: unknown;
  readonly text: string;
}

interface DigestOutcome extends Outcome {
  readonly digest: Digest;
}

async function print({ value, text }: Outcome, { json }: Pick<Flags, 'json'>): Promise<void> {
  await (json ? writeJson(JSON.stringify(value, null, 2)) : writeStdout(text));
}

function committedOutcome(committed: Committed, told: ScopeName | undefined): DigestOutcome {
  const { digest } = committed;
  return { digest, value: committedJson(committed), text: committedText(committed, told) };
}

/** What a program wants of it: the digest, and what became of it. */
function committedJson({ digest, change, done, refused, isRepeated }: Committed) {
  return { ...digest, change, done, notDone: refused, isRepeated };
}

async function printLog(log: true | string, flags: Flags): Promise<void> {
  const { scope, last, from } = flags;
  const memory = openMemory();
  const digests = new Digests(memory, scope);
  if (log === true) {
    const brief = await readDigestLog(digests, { last, from });
    await print({ value: brief, text: logText(brief, scope) }, flags);
  } else {
    const found = await findDigest(log, digests);
    await print({ value: found, text: foundText(found, scopeToTell(memory, scope)) }, flags);
  }
}

async function digestOne(file: string, flags: Flags): Promise<void> {
  const settings = settingsOf(flags);
  const path = await allowedPath(file, { ...machine(), folders: settings.folders });
  await print(await outcomeOf(path, openMemory(), settings, flags), flags);
}

/** Digests a transcript, or plans to. */
async function outcomeOf(
  path: string,
  memory: Memory,
  settings: TranscriptSettings,
  flags: Flags,
): Promise<DigestOutcome> {
  const told = scopeToTell(memory, flags.scope);
  if (!flags.dryRun) {
    return committedOutcome(await digest(path, memory, settings, flags, digestTranscript), told);
  }
  const plan = await digest(path, memory, settings, flags, planTranscript);
  return { digest: plan, value: plan, text: planText(plan, told) };
}

async function printDiscovered(flags: Flags): Promise<void> {
  const { since, scope } = flags;
  const found = await discover({ ...machine(), ...(since && { since }) });
  const { digests } = await new Digests(openMemory(), scope).read();
  warnUnreadable(found);
  const done = digests.filter(({ state }) => state === 'done');
  // The newest first: of the digests of a file it is the last one set that stays.
  const latest = new Map(done.toReversed().map((digest) => [digest.file.path, digest]));
  const transcripts = found.transcripts.map((one) => ({ ...one, digested: latest.get(one.path) }));
  const value = transcripts.map(({ digested, ...one }) => ({
    ...one,
    digested: digested && {
      id: digested.id,
      at: digested.at,
      isWhole: digested.file.size === one.size && isWhollyRead(digested),
    },
  }));
  await print({ value, text: discoveredText(transcripts) }, flags);
}

function warnUnreadable({ unreadable }: Discovered): void {
  warn(unreadable.map(({ path, reason }) => `${visibleName(path)} is passed over: ${reason}`));
}

/** Failures that the next transcript need not meet. */
const OF_ONE_TRANSCRIPT: ReadonlySet<ErrorCode> = new Set([
  'TRANSCRIPT_UNREADABLE',
  'MODEL_ANSWERS_UNREADABLE',
]);

/**
 * The oldest first, so that what was said later is found later. One that can't be read doesn't stop the others. A program
 * gets a list of what has come of them, of those before a failure as well.
 */
async function digestAll(flags: Flags): Promise<void> {
  const settings = settingsOf(flags);
  const memory = openMemory();
  const found = await discover({ ...machine(), ...(flags.since && { since: flags.since }) });
  warnUnreadable(found);
  const values: unknown[] = [];
  let unread = 0;
  const failed: string[] = [];
  try {
    for (const { path } of found.transcripts.toReversed()) {
      try {
        const { digest, value, text } = await outcomeOf(path, memory, settings, flags);
        values.push(value);
        if (!isNew(digest)) unread++;
        else if (!flags.json) await writeStdout(oneOfManyText(digest, text));
      } catch (error) {
        if (!(error instanceof PlimsollError) || !OF_ONE_TRANSCRIPT.has(error.code)) throw error;
        failed.push(error.message);
      }
    }
  } finally {
    warn(failed);
    await (flags.json ? writeJson(JSON.stringify(values, null, 2)) : writeStdout(nothingNewText(unread)));
  }
  if (!flags.json && found.transcripts.length === 0) await writeStdout(discoveredText([]));
  if (failed.length > 0) {
    throw new PlimsollError(
      'TRANSCRIPT_UNREADABLE',
      `${failed.length} of ${found.transcripts.length} transcripts could not be read.`,
    );
  }
}

async function digest<T>(
  path: string,
  memory: Memory,
  settings: TranscriptSettings,
  { scope, at, again }: Flags,
  run: (path: string, options: TranscriptOptions) => Promise<T>,
): Promise<T> {
  const { extract, server: address, model: name, api: kind, window, idle, allowRemote } = settings;
  const by =
    extract === 'rules'
      ? extract
      : openModel({ address, name, kind, idle, allowRemote, ...(window !== undefined && { window }) });
  return interruptible(async (signal) => {
    const progress = progressLine(process.stderr);
    signal.addEventListener('abort', progress.end);
    try {
      return await run(path, {
        memory,
        scope,
        by,
        at,
        again,
        signal,
        onProgress: ({ chunk, chunks, tokens }) =>
          progress.update({
            stage: `asking ${visibleName(name)},`,
            of: 'part',
            done: chunk,
            total: chunks,
            tokens,
          }),
      });
    } finally {
      progress.end();
    }
  });
}

function settingsOf({ allow = [], extract, model, server, api, window, idle, allowRemote }: Flags) {
  const flags = { extract, model, server, api, window, idle, allowRemote };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const { values, warnings } = loadSettings(
    ['transcript'],
    { transcript: given },
    currentFolder(),
    process.env,
  );
  warn(warnings);
  const folders = allow.map((folder) => resolve(currentFolder(), folder));
  return { ...values.transcript, folders: [...values.transcript.folders, ...folders] };
}

function machine(): Machine {
  return { home: homedir(), env: process.env, platform: process.platform, workFolder: currentFolder() };
}

function parseSince(value: string): Date {
  const age = readAge(value);
  const time = age === undefined ? Date.parse(value) : Date.now() - age;
  if (!Number.isNaN(time)) return new Date(time);
  throw new PlimsollError('BAD_USAGE', `Not a time: '${visibleName(value)}'. Give a date, or ${AGE_FORM}.`);
}

function parseDate(value: string): string {
  const time = Date.parse(value);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new PlimsollError('BAD_USAGE', `Not a date: '${visibleName(value)}'. Give one like 2026-12-01.`);
}

function parseWindow(value: string): number {
  const tokens = parseNumber(value);
  if (tokens > 0) return tokens;
  throw new PlimsollError('BAD_USAGE', 'A window has at least one token.');
}
