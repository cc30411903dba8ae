import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, lstatSync, type Stats } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Cache, CacheEntry } from '../../../../cache/cache.ts';
import { PlimsollError } from '../../../../errors.ts';

/**
 * Contents by their git ids, each in a file. What comes in, and what is read, is checked against its id, so that
 * nothing is ever half there, cut off or changed.
 */
export class BlobStore {
  readonly #cache: Cache;
  readonly #entry: CacheEntry;
  readonly #checked = new Set<string>();
  #scratch: Promise<string> | undefined;
  #staged = 0;

  constructor(cache: Cache, entry: CacheEntry) {
    this.#cache = cache;
    this.#entry = entry;
  }

  /** Whether a blob of this size is there and whole. One that is damaged is dropped. */
  async has(id: string, size: number): Promise<boolean> {
    const path = this.#pathOf(id);
    const stats = statsAt(path);
    if (stats?.isFile() && (this.#checked.has(id) || (await this.#isWhole(id, size)))) return true;
    if (stats) await rm(path, { recursive: true, force: true });
    return false;
  }

  async #isWhole(id: string, size: number): Promise<boolean> {
    const hash = hashOf(id, size);
    for await (const chunk of createReadStream(this.#pathOf(id))) hash.update(chunk as Buffer);
    if (hash.digest('hex') === id) this.#checked.add(id);
    return this.#checked.has(id);
  }

  /**
   * Takes in a blob. False, and nothing is kept, where it is not the one that the id names; what passes its size is not
   * waited for. Throws what `bytes` throws, and `CACHE_UNWRITABLE`.
   */
  async put(id: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
    this.#scratch ??= this.#cache.scratch();
    const staged = join(await this.#scratch, `blob-${this.#staged++}`);
    const hash = hashOf(id, size);
    try {
      await pipeline(
        async function* () {
          let left = size;
          for await (const chunk of bytes) {
            left -= chunk.length;
            if (left < 0) return;
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(staged, { mode: 0o600 }),
      );
      if (hash.digest('hex') !== id) return false;
      const path = this.#pathOf(id);
      await this.#makeFolder(dirname(path));
      await rename(staged, path);
      this.#checked.add(id);
      return true;
    } catch (error) {
      const { errno, code } = error as NodeJS.ErrnoException;
      if (errno === undefined) throw error;
      const what = `Cannot write to the cache folder (${code})`;
      const message = `${what}. Use --no-cache or set PLIMSOLL_CACHE_DIR.`;
      throw new PlimsollError('CACHE_UNWRITABLE', message, { cause: error });
    } finally {
      await rm(staged, { force: true });
    }
  }

  /** The first `limit` bytes of a blob that is there. */
  async read(id: string, limit: number): Promise<Buffer> {
    const file = await open(this.#pathOf(id));
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.min(limit, size));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  stream(id: string): AsyncIterable<Buffer> {
    return createReadStream(this.#pathOf(id), { highWaterMark: 1024 * 1024 });
  }

  /** What is in the place of a folder and is none has been damaged. */
  async #makeFolder(folder: string): Promise<void> {
    if (statsAt(folder)?.isFile()) await rm(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  #pathOf(id: string): string {
    return this.#entry.path('blobs', id.slice(0, 2), id.slice(2));
  }
}

/** What stands at a path; nothing does where a folder on the way to it is none. */
function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Git's id of a blob is the hash of its kind and size, then its content; SHA-256 where ids are longer. */
function hashOf(id: string, size: number): ReturnType<typeof createHash> {
  return createHash(id.length === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`);
}
