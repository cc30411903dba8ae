import { lstatSync, opendirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type ErrorCode, PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import type { Progress, Source } from '../types.ts';
import { FolderSource } from './folder.ts';
import { GitRefusal, openCommit, openWorkTree } from './git.ts';
import { throwIfAborted } from './pace.ts';
import { type LocalAddress, parseAddress, type RemoteAddress } from './remote/address/address.ts';
import { GITHUB_API, originOf } from './remote/github/hosts.ts';
import type { RemoteOptions } from './remote/remote.ts';

export interface OpenOptions {
  /** How repositories on other machines are reached. */
  readonly remote?: RemoteOptions | undefined;
  /** A branch, tag, commit id or any other name of a commit, to be shown instead of the work tree. */
  readonly ref?: string | undefined;
  /** Of a repository on this machine, any name of the commit since which changes are to be told. */
  readonly since?: string | undefined;
  /** Of a repository on another machine, a folder or file below what the address names. */
  readonly path?: string | undefined;
  /** Whether to read how files fared in the latest commits. */
  readonly history?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Opens what a user names: a folder here, or a repository on another machine. Throws a `PlimsollError`: what
 * `openFolder` and `openRemote` throw, and `BAD_ADDRESS`, `NOT_CLONED`.
 */
export async function openSource(text: string, options: OpenOptions = {}): Promise<Source> {
  throwIfAborted(options.signal);
  try {
    return await openAddress(addressOf(text, options.remote, exists), options);
  } catch (error) {
    // What has no scheme and is not found may have been meant as a folder.
    if (!(error instanceof PlimsollError) || !NOT_FOUND.has(error.code) || text.includes(':')) throw error;
    throw new PlimsollError(error.code, `There is no folder ${visibleName(text)} here. ${error.message}`, {
      cause: error,
    });
  }
}

/** What a text names. `isHere` tells whether there is a file or folder of a name here. Throws `BAD_ADDRESS`. */
export function addressOf(
  text: string,
  remote: RemoteOptions | undefined,
  isHere: (path: string) => boolean,
): LocalAddress | RemoteAddress {
  const origin = originOf(remote?.github?.api ?? GITHUB_API);
  return parseAddress(text, { githubOrigins: origin === undefined ? [] : [origin], exists: isHere });
}

/** Opens what an address names. Throws as `openFolder` and `openRemote` do, and `NOT_CLONED`. */
export async function openAddress(
  address: LocalAddress | RemoteAddress,
  options: OpenOptions,
): Promise<Source> {
  if (address.kind === 'path') return openFolder(address.path, options);
  if (options.since !== undefined) {
    const what = 'What changed since a commit is told of repositories on this machine alone';
    throw new PlimsollError('NOT_CLONED', `${what}: clone this one with git, and name the clone's folder.`);
  }
  const { openRemote } = await import('./remote/remote.ts');
  return openRemote(address, options);
}

const NOT_FOUND: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'REPOSITORY_NOT_FOUND',
  'HOST_UNREACHABLE',
  'NOT_IN_CACHE',
]);

/**
 * Opens a folder: a git work tree, one of a repository's commits, or a plain folder. A repository that git
 * can't or won't read is opened as a plain folder, with a warning in its listing that says why.
 *
 * Throws a `PlimsollError`: `SOURCE_NOT_FOUND`, `SOURCE_NOT_A_FOLDER`, `SOURCE_UNREADABLE`,
 * `BARE_REPOSITORY`, `ABORTED`, and with a commit's name `BAD_REF`, `NO_COMMIT`, `NOT_A_REPOSITORY`, `GIT_FAILED`.
 * That there is nothing in it (`SOURCE_EMPTY`) is found out when it is listed.
 */
async function openFolder(path: string, options: OpenOptions): Promise<Source> {
  const { ref, since, signal } = options;
  const root = realFolder(path);
  const top = findRepository(root);
  if (top === undefined) {
    const what = `${visibleName(path)} is not in a git repository`;
    if (since !== undefined) throw unchanging(what);
    if (ref === undefined) return new FolderSource(root, { signal });
    throw new PlimsollError(
      'NOT_A_REPOSITORY',
      `${what}: leave out --ref ${visibleName(ref)} to digest the folder.`,
    );
  }
  const place = { root, top, shown: path };
  try {
    if (ref !== undefined) return await openCommit(place, ref, options);
    const source = await openWorkTree(place, options);
    if (source) return source;
    if (since !== undefined)
      throw unchanging(`The git repository in ${visibleName(top)} ignores ${visibleName(path)}`);
    return new FolderSource(root, { warnings: [ignoredFolder(top)], signal });
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof GitRefusal)) throw error;
    const name = ref ?? since;
    if (name !== undefined) {
      const what = `${visibleName(name)} of ${visibleName(path)} can't be read, since ${error.why}`;
      throw new PlimsollError('GIT_FAILED', `${what}. ${error.remedy}`);
    }
    const message = `Read as a plain folder, without git and its history, since ${error.why}. ${error.remedy}`;
    return new FolderSource(root, { top, warnings: [{ code: 'GIT_UNUSABLE', message }], signal });
  }
}

function unchanging(what: string): PlimsollError {
  const advice = 'name a clone of one, or leave out --since to digest the folder';
  return new PlimsollError('NOT_A_REPOSITORY', `${what}, so that nothing tells what changed: ${advice}.`);
}

function ignoredFolder(top: string): { code: string; message: string } {
  const what = 'Read as a plain folder, without history';
  return {
    code: 'IGNORED_FOLDER',
    message: `${what}, since the git repository in ${visibleName(top)} ignores it.`,
  };
}

/** The real path of a folder that can be read. */
function realFolder(path: string): string {
  const shown = visibleName(path);
  try {
    const root = realpathSync.native(path);
    if (!statSync(root).isDirectory()) {
      const what = `${shown} is a file, not a folder`;
      throw new PlimsollError(
        'SOURCE_NOT_A_FOLDER',
        `${what}: name the folder it is in, ${visibleName(dirname(path))}.`,
      );
    }
    opendirSync(root).closeSync();
    lstatSync(`${root}${sep}.`);
    return root;
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (MISSING.has(code)) {
      throw new PlimsollError(
        'SOURCE_NOT_FOUND',
        `${shown || 'The path'} does not exist: check its spelling.`,
      );
    }
    throw new PlimsollError('SOURCE_UNREADABLE', `${shown} can't be read: check its permissions (${code}).`);
  }
}

const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/** The nearest folder, from `root` upwards, that has a `.git` or looks like a repository's inside. */
function findRepository(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (exists(join(folder, '.git')) || REPOSITORY_PARTS.every((name) => exists(join(folder, name))))
      return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const REPOSITORY_PARTS = ['HEAD', 'objects', 'refs'];

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
