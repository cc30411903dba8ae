import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../../memory/store/files.ts';
import { type Machine, type Store, transcriptStores } from './clients.ts';
import { below, isWhole, nextNames, type Pattern } from './pattern.ts';

/** How many calls of the system may be under way. */
const AT_ONCE = 64;

/** A transcript that a client wrote. */
export interface Transcript {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** As a user reads it: `Claude Code`. */
  readonly client: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
}

/** What is there and can't be looked into. */
export interface Unreadable {
  readonly path: string;
  /** In the system's words: `EACCES: permission denied`. */
  readonly reason: string;
}

export interface Discovered {
  /** The newest first. */
  readonly transcripts: readonly Transcript[];
  readonly unreadable: readonly Unreadable[];
}

export interface Sought extends Machine {
  /** Older transcripts are left out. */
  readonly since?: Date;
}

/**
 * The transcripts that the known clients have on this machine, but for empty files. No file is opened. A client's folder may be a symbolic
 * link; links below it are passed over, so nothing is found that lies elsewhere.
 */
export async function discover(sought: Sought): Promise<Discovered> {
  const walk = new Walk();
  for (const store of transcriptStores(sought)) await walk.through(store);
  const { since } = sought;
  const transcripts = [...walk.found.values()].filter(
    ({ modified }) => since === undefined || modified >= since,
  );
  return { transcripts: transcripts.sort(newestFirst), unreadable: [...walk.unreadable.values()] };
}

function newestFirst(a: Transcript, b: Transcript): number {
  return b.modified.getTime() - a.modified.getTime() || (a.path < b.path ? -1 : 1);
}

/** A folder or a file, and what is sought below it; a pattern without parts means itself. */
interface Place {
  readonly path: string;
  readonly patterns: readonly Pattern[];
}

class Walk {
  /** By path, as the two below: folders of several clients may be the same. */
  readonly found = new Map<string, Transcript>();
  readonly unreadable = new Map<string, Unreadable>();

  async through({ client, folder, patterns }: Store): Promise<void> {
    const real = await this.#tried(folder, () => realpath(folder));
    let folders: readonly Place[] = real === undefined ? [] : [{ path: real, patterns }];
    while (folders.length > 0) {
      const entries = (await inBatches(folders, (place) => this.#entries(place))).flat();
      const files = entries.filter(({ isFile, patterns }) => isFile && isWhole(patterns));
      await inBatches(files, ({ path }) => this.#take(path, client));
      folders = entries.filter(({ isFile }) => !isFile);
    }
  }

  /** What is in a folder and may be, or hold, what is sought. */
  async #entries({ path, patterns }: Place): Promise<readonly (Place & { isFile: boolean })[]> {
    const names = nextNames(patterns);
    const entries = names
      ? await inBatches([...names], (name) => this.#named(path, name))
      : await this.#tried(path, () => readdir(path, { withFileTypes: true }));
    return (entries ?? []).flatMap((entry) => {
      if (!entry || !(entry.isFile() || entry.isDirectory())) return [];
      const left = below(patterns, entry.name);
      return left.length === 0
        ? []
        : [{ path: join(path, entry.name), patterns: left, isFile: entry.isFile() }];
    });
  }

  async #named(
    folder: string,
    name: string,
  ): Promise<Pick<Dirent, 'name' | 'isFile' | 'isDirectory'> | undefined> {
    const path = join(folder, name);
    const stats = await this.#tried(path, () => lstat(path));
    return stats && { name, isFile: () => stats.isFile(), isDirectory: () => stats.isDirectory() };
  }

  async #take(path: string, client: string): Promise<void> {
    const stats = await this.#tried(path, () => lstat(path));
    if (!stats?.isFile() || stats.size === 0) return;
    this.found.set(path, { path, client, size: stats.size, modified: stats.mtime });
  }

  /** What the system answers; `undefined` if nothing is there, or if it can't be told, which is noted. */
  async #tried<T>(path: string, call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
      const reason = (error as Error).message.replace(/, \w+( '.*')?$/s, '');
      this.unreadable.set(path, { path, reason });
      return undefined;
    }
  }
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
