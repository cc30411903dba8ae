import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Store } from './store.ts';

/** The file that tells people and `plimsoll cache list` what an entry holds. */
export const ABOUT = 'entry.json';
/** The file whose time of change is when the entry was used last. */
export const USED = 'used';

const ABSENT: readonly unknown[] = ['ENOENT', 'ENOTDIR'];

/**
 * One repository's folder in a cache. Everything throws `CACHE_UNWRITABLE` where the system refuses.
 * Another process may take the folder away at any time: then nothing is found, and what is written is there.
 */
export class CacheEntry {
  /** Absolute. */
  readonly folder: string;
  readonly #store: Store;
  readonly #about: string;

  constructor(store: Store, name: string, about: { readonly kind: string; readonly address: string }) {
    this.folder = join(store.folder, name);
    this.#store = store;
    this.#about = `${JSON.stringify(about, null, 2)}\n`;
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
    });
  }

  /** Deletes a file or a folder, if it is there. */
  async remove(...parts: readonly string[]): Promise<void> {
    const path = this.path(...parts);
    await this.#store.attempt(() => this.#store.discard(path));
  }

  /** Deletes the folder if nothing was written to it. */
  async removeIfEmpty(): Promise<void> {
    const names = await readdir(this.folder).catch(() => [USED]);
    if (names.every((name) => name === ABOUT || name === USED)) await this.#store.discard(this.folder);
  }

  /** Makes what is missing of the folder, and counts it as used now. */
  async use(): Promise<void> {
    await this.#store.make(this.folder);
    const about = this.path(ABOUT);
    if (!existsSync(about)) await this.#store.put(this.#about, about);
    await this.#store.put('', this.path(USED));
  }
}
