import { statSync } from 'node:fs';
import { Cache, type CacheEntry } from '../../cache/cache.ts';
import { PlimsollError } from '../../errors.ts';
import { version } from '../../version.ts';
import { built } from '../outline/built.ts';
import type { Digest } from '../report.ts';
import type { Source } from '../types.ts';
import { FileIndex } from './file-index.ts';

const FILES = 'files.json';
const DIGESTS = 'digests';
/** Longer documents are not kept, in UTF-16 code units. */
const LONGEST = 1024 * 1024;

/** What was found out about a source, from one digest to the next. Nothing here throws because of the cache. */
export class Kept {
  readonly #entry: CacheEntry;
  /** The package that finds out, as it was built. */
  readonly #version: string;
  #index: FileIndex | undefined;

  constructor(entry: CacheEntry) {
    this.#entry = entry;
    const worker = statSync(built('outline/worker.js'), { throwIfNoEntry: false });
    this.#version = [version, worker?.size, worker?.mtimeMs].join(' ');
  }

  /** What files import and define; what is added to it is kept in the end. */
  async index(): Promise<FileIndex> {
    const text = this.#index ? undefined : await ifUsable(this.#entry.read(FILES));
    this.#index ??= new FileIndex(this.#version, text?.toString());
    return this.#index;
  }

  /** The digest that was made of the very same before, if it is still there. See `keyOf`. */
  async digest(key: string): Promise<Digest | undefined> {
    const text = await ifUsable(this.#entry.read(DIGESTS, placeOf(key)));
    try {
      const kept: unknown[] = JSON.parse(text?.toString() ?? '[]');
      return kept[0] === this.#version && kept[1] === key ? (kept[2] as Digest) : undefined;
    } catch {
      return undefined;
    }
  }

  async keepDigest(key: string, digest: Digest): Promise<void> {
    if (digest.text.length > LONGEST) return;
    const text = JSON.stringify([this.#version, key, digest]);
    await ifUsable(this.#entry.write(text, DIGESTS, placeOf(key)));
  }

  async keepIndex(): Promise<void> {
    if (this.#index?.hasGrown) await ifUsable(this.#entry.write(this.#index.text(), FILES));
  }
}

/**
 * Does `work` with what was found out about a source before, and keeps what is found out meanwhile. Without a cache, or with one
 * that can't be used, there is none: that takes longer, and changes nothing else.
 */
export async function withKept<T>(
  { kept: { kind, address } }: Source,
  place: { readonly folder: string; readonly limit: number } | undefined,
  work: (kept: Kept | undefined) => Promise<T>,
): Promise<T> {
  if (!place) return work(undefined);
  const cache = new Cache(place);
  try {
    const entry = await ifUsable(cache.open(kind, address));
    const kept = entry && new Kept(entry);
    const result = await work(kept);
    await kept?.keepIndex();
    await ifUsable(cache.trim());
    return result;
  } finally {
    await ifUsable(cache.close());
  }
}

/** There is room for so many digests: a new one takes the place of one that it shares its first sign with. */
function placeOf(key: string): string {
  return `${key.charAt(0)}.json`;
}

async function ifUsable<T>(access: Promise<T>): Promise<T | undefined> {
  try {
    return await access;
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'CACHE_UNWRITABLE') return undefined;
    throw error;
  }
}
