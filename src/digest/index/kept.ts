import { createHash } from 'node:crypto';
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
    this.#index ??= new FileIndex(this.#version, await this.#read(FILES));
    return this.#index;
  }

  /** The digest that was made of the very same before, if it is still there. See `keyOf`. */
  async digest(key: string): Promise<Digest | undefined> {
    const text = await this.#read(DIGESTS, placeOf(key));
    const [version, name, digest]: unknown[] = text === undefined ? [] : JSON.parse(text);
    return version === this.#version && name === key ? (digest as Digest) : undefined;
  }

  async keepDigest(key: string, digest: Digest): Promise<void> {
    if (digest.text.length > LONGEST) return;
    await this.#write(JSON.stringify([this.#version, key, digest]), DIGESTS, placeOf(key));
  }

  async keepIndex(): Promise<void> {
    if (this.#index?.hasGrown) await this.#write(this.#index.text(), FILES);
  }

  /** A text as it was written; nothing of what is damaged. */
  async #read(...parts: readonly string[]): Promise<string | undefined> {
    const sealed = (await ifUsable(this.#entry.read(...parts)))?.toString() ?? '';
    const end = sealed.indexOf('\n');
    const text = sealed.slice(end + 1);
    return end > 0 && sealed.slice(0, end) === hashOf(text) ? text : undefined;
  }

  async #write(text: string, ...parts: readonly string[]): Promise<void> {
    await ifUsable(this.#entry.write(`${hashOf(text)}\n${text}`, ...parts));
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
