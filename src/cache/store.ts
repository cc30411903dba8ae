import { lstatSync, type Stats, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import { removeAtExit, spareAtExit } from './at-exit.ts';
import { newOwnName, removeAbandoned } from './owner.ts';

/** The store's subfolder for what isn't done yet, and for what is being deleted. */
export const SCRATCH = 'tmp';

const NEW_PRIVATE_FILE = { flag: 'wx', mode: 0o600 } as const;
const IF_THERE = { recursive: true, force: true } as const;
const QUIET = { throwIfNoEntry: false } as const;

/** How often a file is written anew because others took its folder away meanwhile, or because of damage. */
const ATTEMPTS = 10;

/**
 * A folder that several processes change at once, without locks: what is in it comes and goes by renaming.
 * Folders are made with mode 0700, files with 0600. Nothing is synced: after a power failure a file may be
 * shorter than it was written.
 */
export class Store {
  readonly folder: string;
  /** Whether this process has brought content in. */
  hasGrown = false;
  readonly #advice: string;
  readonly #scratch: string;
  readonly #folders = new Set<string>();

  /** `folder` is absolute, and need not exist. `advice` says what to do where it can't be used. */
  constructor(folder: string, advice: string) {
    this.folder = folder;
    this.#advice = advice;
    this.#scratch = join(folder, SCRATCH);
  }

  /** Runs `work` on the store's files. Throws `CACHE_UNWRITABLE` for whatever the system refuses. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { errno } = error as NodeJS.ErrnoException;
      const reason = errno !== undefined && getSystemErrorMap().get(errno)?.[1];
      throw reason ? this.#unusable(reason, error) : error;
    }
  }

  /** Whether the folder is there. Throws `CACHE_UNWRITABLE` for a file, and for a folder of another user's. */
  exists(): boolean {
    return this.#isOwnFolder(statSync(this.folder, QUIET));
  }

  /** Makes the folder, or one below it, unless it is there. Throws as `exists` does; a link is no folder below. */
  async make(folder = this.folder): Promise<void> {
    const look = folder === this.folder ? statSync : lstatSync;
    if (!look(folder, QUIET)) await makeFolders(folder);
    this.#isOwnFolder(look(folder, QUIET));
  }

  /**
   * Writes a file, and the folders it stands in, such that readers see all of it or what was there before. A folder in
   * its place, or a file in its folder's, is damage and goes.
   */
  async put(bytes: Buffer | string, file: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const staged = this.#nameScratch();
      try {
        await this.make(this.#scratch);
        if (attempt > 1) await makeFolders(dirname(file));
        await writeFile(staged, bytes, NEW_PRIVATE_FILE);
        await rename(staged, file);
        return;
      } catch (error) {
        await rm(staged, IF_THERE);
        const { code } = error as NodeJS.ErrnoException;
        if (attempt === ATTEMPTS) throw error;
        if (code === 'EISDIR') await this.discard(file);
        else if (code === 'ENOTDIR') await this.discard(dirname(file));
        else if (code !== 'ENOENT') throw error;
      } finally {
        spareAtExit(staged);
      }
    }
  }

  /** Deletes a file or folder such that nobody sees half of it; links are not followed. */
  async discard(path: string): Promise<void> {
    const moved = this.#nameScratch();
    try {
      await this.make(this.#scratch);
      await rename(path, moved);
      await rm(moved, IF_THERE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    spareAtExit(moved);
  }

  /** A new empty folder on the same file system, until `close` or the end of the process. */
  async scratch(): Promise<string> {
    const folder = this.#nameScratch();
    this.#folders.add(folder);
    await this.make(this.#scratch);
    await makeFolders(folder);
    this.hasGrown = true;
    return folder;
  }

  /** Removes the scratch of processes that are no more. */
  async removeAbandoned(): Promise<void> {
    await removeAbandoned(this.#scratch);
  }

  /** Removes this process's scratch. */
  async close(): Promise<void> {
    for (const folder of this.#folders) {
      await rm(folder, IF_THERE);
      spareAtExit(folder);
      this.#folders.delete(folder);
    }
  }

  #nameScratch(): string {
    const path = join(this.#scratch, newOwnName());
    removeAtExit(path);
    return path;
  }

  #isOwnFolder(stats: Stats | undefined): boolean {
    if (!stats) return false;
    if (!stats.isDirectory()) throw this.#unusable('not a directory');
    const user = process.geteuid?.();
    if (user !== undefined && stats.uid !== user) throw this.#unusable('it belongs to another user');
    return true;
  }

  #unusable(reason: string, cause?: unknown): PlimsollError {
    const message = `Cannot use the cache folder '${visibleName(this.folder)}': ${reason}. ${this.#advice}`;
    return new PlimsollError('CACHE_UNWRITABLE', message, { cause });
  }
}

/**
 * Makes a folder and those it stands in, unless they are there. `recursive` would never come to an end where the
 * system makes nothing and says that the parent is missing, as in `/proc`.
 */
async function makeFolders(folder: string): Promise<void> {
  if (statSync(folder, QUIET)) return;
  await makeFolders(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
