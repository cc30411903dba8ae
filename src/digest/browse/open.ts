import { PlimsollError } from '../../errors.ts';
import { checkLength } from '../../paths/between.ts';
import { visibleName } from '../../text/visible.ts';
import type { Selection } from '../sieve/select.ts';
import type { LocalAddress, RemoteAddress } from '../source/remote/address/address.ts';
import { type OpenOptions, openAddress } from '../source/source.ts';
import type { Entry, Listing, Source } from '../types.ts';
import { folderAround, nearest } from './nearest.ts';

/** What is to be looked into. */
export interface BrowseAsked extends OpenOptions {
  /** A folder of it with its real path, or a repository on another machine. */
  readonly address: LocalAddress | RemoteAddress;
  /** Of the user's settings, for paths from the repository's root: what isn't wanted is never shown. */
  readonly selection: Selection;
}

/** A repository or folder that is looked into, at a path of it. */
export interface Opened {
  readonly source: Source;
  readonly listing: Listing;
  /** For the listing's paths. */
  readonly selection: Selection;
  /** What stands before the paths of the listing: empty, or a folder of the repository with a slash at its end. */
  readonly prefix: string;
  /** What is looked at, by its path in the listing: a file or a folder; empty for all that is listed. */
  readonly at: string;
  /** Whether that is a file, a link, or another repository. */
  readonly entry: Entry | undefined;
}

/**
 * Opens what is asked for and lists what is at its path or below. Throws a `PlimsollError`: what `openAddress` throws, and
 * `SOURCE_NOT_FOUND` for a path that isn't there, which names those that are like it. A path may be given as it is shown,
 * and with its accents composed or not (Unicode's normal forms).
 */
export async function browse<T>(asked: BrowseAsked, work: (opened: Opened) => Promise<T>): Promise<T> {
  const path = normalized(asked.path ?? '');
  try {
    return await openAt(asked, path, work);
  } catch (error) {
    if (!(error instanceof PlimsollError && error.code === 'SOURCE_NOT_FOUND') || path === '') throw error;
    const paths = await pathsOf(asked).catch(() => []);
    const shownSo = paths.find((other) => visibleName(other).normalize() === path.normalize());
    if (shownSo !== undefined) return await openAt(asked, shownSo, work);
    const like = nearest(path, paths);
    const folder = folderAround(path, paths);
    if (like.length === 0 && folder === undefined) throw error;
    const there =
      like.length > 0
        ? like.map((name) => visibleName(name)).join(', ')
        : `the folder ${visibleName(folder ?? '')}`;
    throw new PlimsollError(error.code, `There is no ${visibleName(path)}. There is ${there}.`, {
      cause: error,
    });
  }
}

async function openAt<T>(asked: BrowseAsked, path: string, work: (opened: Opened) => Promise<T>): Promise<T> {
  const isLocal = asked.address.kind === 'path';
  const source = await openAddress(asked.address, { ...asked, path });
  try {
    const listing = await source.list();
    const { subfolder } = source.facts;
    const prefix = isLocal || subfolder === undefined ? '' : `${subfolder}/`;
    const at = isLocal ? path : (source.askedFor ?? '');
    const entry = at === '' ? undefined : listing.entries.find((one) => one.path === at);
    if (at !== '' && !entry && !listing.entries.some((one) => one.path.startsWith(`${at}/`))) {
      throw new PlimsollError(
        'SOURCE_NOT_FOUND',
        `There is no ${visibleName(at)}: check the path, or whether git ignores it.`,
      );
    }
    return await work({
      source,
      listing,
      selection: {
        wanted: (path) => asked.selection.wanted(prefix + path),
        named: (path) => asked.selection.named(prefix + path),
      },
      prefix,
      at,
      entry,
    });
  } finally {
    await source.close();
  }
}

/** The paths of all that the address names. */
async function pathsOf(asked: BrowseAsked): Promise<readonly string[]> {
  return openAt(asked, '', async ({ listing }) => listing.entries.map((entry) => entry.path));
}

/**
 * A path without slashes at its ends and without dots. Throws `BAD_PATH` where it leads out of the repository, and for one that
 * is too long.
 */
function normalized(path: string): string {
  checkLength(path);
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) {
      throw new PlimsollError(
        'BAD_PATH',
        `${visibleName(path)} leads out of the repository: give a path within it.`,
      );
    }
  }
  return names.join('/');
}
