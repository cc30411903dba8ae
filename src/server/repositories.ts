import type { Opened } from '../digest/browse/open.ts';
import type { Progress, RemoteOptions } from '../digest/digest.ts';
import type { LocalAddress, RemoteAddress } from '../digest/source/remote/address/address.ts';
import { PlimsollError } from '../errors.ts';
import { describeStep } from '../text/step.ts';
import { visibleName } from '../text/visible.ts';
import { allowedFolder, foldersFor } from './folders.ts';
import type { Call } from './tools/tool.ts';

/** What a tool needs of its call to look into a repository. */
export type Looking = Pick<Call, 'services' | 'signal' | 'roots' | 'progress'>;

/** What is to be looked into, as a model names it. */
export interface Named {
  /** Any address of a repository, or a folder that may be looked into. */
  readonly repo: string;
  readonly ref?: string | undefined;
  /** A folder or file, by its path from what `repo` names. */
  readonly path?: string | undefined;
  /** Whether files that git changed often and lately gain in its digest. */
  readonly history?: boolean | undefined;
}

/** A repository that is open, and the arguments with which others of its tools read on in it. */
export interface Repository extends Opened {
  /** `repo` is the whole repository, or the folder; `ref` the commit, unless files are shown as they stand. */
  readonly same: { readonly repo: string; readonly ref?: string };
  /** The path of what is looked at, from there. */
  readonly path: string;
  /** What it is, for people. */
  readonly title: string;
}

/** What kind of source a tool takes. */
export type Kind = 'repository' | 'folder' | 'any';

/**
 * Opens what is named, if the client may look into it, and closes it after the work. Throws a `PlimsollError` in words for
 * those who have no command line.
 */
export async function withRepository<T>(
  call: Looking,
  { repo, ref, path, history }: Named,
  kind: Kind,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  const { settings } = call.services;
  const [{ browse }, { select }] = await Promise.all([
    import('../digest/browse/open.ts'),
    import('../digest/sieve/select.ts'),
  ]);
  try {
    const address = await addressOf(call, repo, kind);
    return await browse(
      {
        address,
        ref,
        path,
        history,
        remote: remoteOf(call),
        signal: call.signal,
        onProgress: progressOf(call),
        selection: select(settings.digest.include, settings.digest.exclude),
      },
      (opened) => work(describe(opened, address, repo)),
    );
  } catch (error) {
    throw inWordsOfTools(error);
  }
}

/** Tells the client how far a digest is. */
export function progressOf({ progress }: Pick<Looking, 'progress'>): (step: Progress) => void {
  return (step) => progress(describeStep(step));
}

/** How repositories on other machines are reached, by the user's settings. */
export function remoteOf({ services }: Looking): RemoteOptions {
  const { digest, github, cache } = services.settings;
  const { timeout, offline } = digest;
  return { timeout, offline, github, ...(cache.enabled && { cache }) };
}

async function addressOf(call: Looking, repo: string, kind: Kind): Promise<LocalAddress | RemoteAddress> {
  const { addressOf } = await import('../digest/source/source.ts');
  const address: LocalAddress | RemoteAddress =
    kind === 'folder' ? { kind: 'path', path: repo } : addressOf(repo, remoteOf(call), () => false);
  if (address.kind !== 'path') return address;
  if (kind === 'repository') {
    throw new PlimsollError(
      'BAD_ADDRESS',
      `${visibleName(repo)} is no address of a repository on another machine, like owner/repo or https://host/owner/repo; for a folder here use digest_folder.`,
    );
  }
  return { kind: 'path', path: await allowedFolder(address.path, await foldersFor(call)) };
}

function describe(opened: Opened, address: LocalAddress | RemoteAddress, repo: string): Repository {
  const { name, commit, workTree } = opened.source.facts;
  const ref = workTree || commit === undefined ? {} : { ref: commit };
  const same = { repo: address.kind === 'path' ? address.path : addressWithoutPlace(address, repo), ...ref };
  const at = commit === undefined || workTree ? '' : ` at ${commit.slice(0, 12)}`;
  return {
    ...opened,
    same,
    path: (opened.prefix + opened.at).replace(/\/$/, ''),
    title: `${visibleName(name)}${at}`,
  };
}

/** The address as it was given, if it names the whole repository and holds no secret. */
function addressWithoutPlace({ tail, token, cloneUrl, url }: RemoteAddress, repo: string): string {
  const isWhole = tail === undefined && token === undefined && !/^https?:\/\/[^/]*@/i.test(cloneUrl);
  return isWhole && !/[?#]/.test(repo) ? repo : url;
}

/** What a failure says of options of the command line, said of arguments and settings. */
function inWordsOfTools(error: unknown): unknown {
  if (!(error instanceof PlimsollError)) return error;
  const message = error.message.replace(/--[a-z-]+/g, (option) => WORDS[option] ?? option);
  return message === error.message ? error : new PlimsollError(error.code, message, { cause: error });
}

const WORDS: Readonly<Record<string, string>> = {
  '--ref': 'ref',
  '--focus-path': 'focus_paths',
  '--offline': 'PLIMSOLL_OFFLINE',
  '--no-cache': 'PLIMSOLL_CACHE=false',
  '--timeout': 'PLIMSOLL_TIMEOUT',
  '--include': 'digest.include',
  '--exclude': 'digest.exclude',
};

/** A call of a tool as a model writes it. */
export function callOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(args)}`;
}
