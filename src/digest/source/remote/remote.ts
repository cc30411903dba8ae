import { Cache } from '../../../cache/cache.ts';
import { PlimsollError } from '../../../errors.ts';
import { visibleName } from '../../../text/visible.ts';
import type { Progress, Source, Warning } from '../../types.ts';
import type { RemoteAddress } from './address/address.ts';
import { openGitRemote } from './git/git-remote.ts';
import { GITHUB_API } from './github/hosts.ts';
import type { Wanted } from './refs.ts';

/** How repositories on other machines are reached. */
export interface RemoteOptions {
  /**
   * Where what was fetched is kept, and what was found out about files, those of folders too; and at most how many bytes of
   * it. Left out: nothing is kept.
   */
  readonly cache?: { readonly folder: string; readonly limit: number } | undefined;
  /** True to ask no host: only what is kept is used. Default: false. */
  readonly offline?: boolean | undefined;
  /** How long a host may be silent, in seconds. Default: 30. */
  readonly timeout?: number | undefined;
  readonly github?: GitHubOptions | undefined;
}

export interface GitHubOptions {
  /** Where the API is: `https://HOST/api/v3` for GitHub Enterprise. Default: `https://api.github.com`. */
  readonly api?: string | undefined;
  /** Sent to the API, to the same host's git and, for private repositories, its raw files; to nobody else. */
  readonly token?: string | undefined;
  /** Whether the `gh` command may be asked for a token. Default: false. */
  readonly gh?: boolean | undefined;
}

/** One way to a repository, with what is wanted of it. */
export interface Way {
  readonly cache: Cache;
  readonly wanted: Wanted;
  /** A folder or file below what is wanted; empty for all of it. */
  readonly path: string;
  readonly offline: boolean;
  readonly timeout: number;
  readonly github: GitHubOptions & { readonly api: string };
  readonly notes: readonly Warning[];
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export interface OpenRemoteOptions {
  readonly remote?: RemoteOptions | undefined;
  readonly ref?: string | undefined;
  readonly path?: string | undefined;
  readonly history?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Opens a repository on another machine: GitHub's by its API, any other by git. Throws a `PlimsollError`; see
 * `openGitRemote` and `openGitHub`, and `BAD_USAGE` for a ref beside an address that names one.
 */
export async function openRemote(address: RemoteAddress, options: OpenRemoteOptions): Promise<Source> {
  const { remote = {}, path = '', history, signal, onProgress } = options;
  const { offline = false, timeout = 30, github = {} } = remote;
  if (offline && !remote.cache) {
    const what = `Without a cache there is nothing of ${visibleName(address.url)} to use offline`;
    throw new PlimsollError('BAD_USAGE', `${what}: leave out --offline, or --no-cache.`);
  }
  const wanted = wantedOf(address, options.ref);
  const cache = remote.cache ? new Cache(remote.cache) : Cache.temporary();
  const way: Way = {
    ...{ cache, wanted, path, offline, timeout, signal, onProgress },
    github: { ...github, api: github.api?.replace(/\/+$/, '') ?? GITHUB_API },
    notes: [...pageWarning(address), ...(history ? [NO_HISTORY] : [])],
  };
  // What was made is given, or the failure told, whatever becomes of the cache.
  const close = async (): Promise<void> => {
    await cache.close().catch(() => {});
    if (!offline) await cache.trim().catch(() => {});
  };
  try {
    const open = address.kind === 'github' ? openOnGitHub : openGitRemote;
    return closing(await open(address, way), close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function openOnGitHub(address: RemoteAddress, way: Way): Promise<Source> {
  const { openGitHub } = await import('./github/github.ts');
  return openGitHub(address, way);
}

function wantedOf({ tail, url }: RemoteAddress, ref: string | undefined): Wanted {
  const named = tail && tail.kind !== 'page' ? tail : undefined;
  if (ref === undefined) return named ?? { kind: 'head' };
  if (!REF.test(ref)) {
    throw new PlimsollError(
      'BAD_REF',
      `\`${visibleName(ref)}\` is no name of a branch, a tag or a commit: give one with --ref, or leave it out.`,
    );
  }
  if (named) {
    const what = `${visibleName(url)} is given with a ref in its address and another one`;
    throw new PlimsollError(
      'BAD_USAGE',
      `${what}: leave out --ref, or what follows the repository in the address.`,
    );
  }
  return { kind: 'ref', ref };
}

/** What git takes for a name, roughly: it doesn't begin like an option and holds no spaces or control characters. */
const REF = /^(?!-)[^\0- \x7f]+$/;

function pageWarning({ tail, name }: RemoteAddress): Warning[] {
  if (tail?.kind !== 'page') return [];
  const message = `\`${visibleName(tail.page)}\` is not part of the files of ${visibleName(name)}: the repository itself is digested.`;
  return [{ code: 'PAGE_IGNORED', message }];
}

const NO_HISTORY: Warning = {
  code: 'NO_HISTORY',
  message: "The history of a remote repository is not read: how often files changed doesn't count.",
};

/** The same source, with something to be done after it is closed. */
function closing(source: Source, after: () => Promise<void>): Source {
  const close = source.close.bind(source);
  return Object.assign(source, {
    close: async () => {
      try {
        await close();
      } finally {
        await after();
      }
    },
  });
}
