import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { removeAtExit, spareAtExit } from './at-exit.ts';
import { newOwnName, removeAbandoned } from './owner.ts';
import type { Store } from './store.ts';

/** The file that tells people and `plimsoll cache list` what an entry holds. */
export const ABOUT = 'entry.json';
/** The file whose time of change is when the entry was used last. */
export const USED = 'used';

/** The folder with a mark for each time the entry is open, named after the process that has it open. */
const USERS = 'users';

const OWN_PARTS: readonly string[] = [ABOUT, USED, USERS];

/** A folder in a file's place is damage, and of no more use than nothing. */
const ABSENT: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];

/** So long a mark of another machine's counts, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/**
 * One repository's folder in a cache. Everything throws `CACHE_UNWRITABLE` where the system refuses.
 * Another process may take the folder away at any time: then nothing is found, and what is written is there.
 */
export class CacheEntry {
  /** Absolute. */
  readonly folder: string;
  readonly #store: Store;
  readonly #about: string;
  readonly #mark: string;

  constructor(store: Store, name: string, about: { readonly kind: string; readonly address: string }) {
    this.folder = join(store.folder, name);
    this.#store = store;
    this.#about = `${JSON.stringify(about, null, 2)}\n`;
    this.#mark = this.path(USERS, newOwnName());
  }

  /** A path below the folder. Throws a `RangeError` for one that isn't. */
  path(...parts: readonly string[]): string {
    const path = join(this.folder, ...parts);
    if (path === this.folder || path.startsWith(this.folder + sep)) return path;
    throw new RangeError('A path leads out of its cache entry.');
  }

  /** A file's bytes; `undefined` where there is no such file. */
  async read(...parts: readonly string[]): Promise<Buffer | undefined> {
    const path = this.path(...parts);
    return await this.#store.attempt(async () => {
      try {
        return await readFile(path);
      } catch (error) {
        if (ABSENT.includes((error as NodeJS.ErrnoException).code)) return undefined;
        throw error;
      }
    });
  }

  /** Writes a file, and the folders it stands in. Who reads it sees all of it, or what was there before. */
  async write(bytes: Buffer | string, ...parts: readonly string[]): Promise<void> {
    const path = this.path(...parts);
    await this.#store.attempt(async () => {
      if (!existsSync(this.folder)) await this.use();
      await this.#store.put(bytes, path);
      this.#store.hasGrown = true;
    });
  }

  /** Deletes a file or a folder, if it is there. */
  async remove(...parts: readonly string[]): Promise<void> {
    const path = this.path(...parts);
    await this.#store.attempt(() => this.#store.discard(path));
  }

  /** Makes what is missing of the folder, and counts it as used from now until it is closed. */
  async use(): Promise<void> {
    await this.#store.make(this.folder);
    removeAtExit(this.#mark);
    await this.#store.put('', this.#mark);
    const about = this.path(ABOUT);
    if (!existsSync(about)) await this.#store.put(this.#about, about);
    await this.#store.put('', this.path(USED));
  }

  /** Counts the folder as used no more, and deletes it if nothing was written to it. */
  async close(): Promise<void> {
    await rm(this.#mark, { force: true });
    spareAtExit(this.#mark);
    const names = await readdir(this.folder).catch(() => undefined);
    const isEmpty = names?.every((name) => OWN_PARTS.includes(name));
    if (isEmpty && !(await isInUse(this.folder))) await this.#store.discard(this.folder);
  }
}

/** Whether a process that is alive has the entry in `folder` open. */
export async function isInUse(folder: string): Promise<boolean> {
  const users = join(folder, USERS);
  await removeAbandoned(users, DAY);
  return (await readdir(users).catch(() => [])).length > 0;
}
