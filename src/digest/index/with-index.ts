import { statSync } from 'node:fs';
import { Cache, type CacheEntry } from '../../cache/cache.ts';
import { PlimsollError } from '../../errors.ts';
import { version } from '../../version.ts';
import { built } from '../outline/built.ts';
import type { Source } from '../types.ts';
import { FileIndex } from './file-index.ts';

const FILE = 'files.json';

/**
 * Does `work` with what was found out about a source's files before, and keeps what is found out meanwhile. Without a cache,
 * or with one that can't be used, there is none: that takes longer, and changes nothing else.
 */
export async function withIndex<T>(
  { kept }: Source,
  place: { readonly folder: string; readonly limit: number } | undefined,
  work: (index: FileIndex | undefined) => Promise<T>,
): Promise<T> {
  if (!place) return work(undefined);
  const cache = new Cache(place);
  try {
    const entry = await ifUsable(cache.open(kept.kind, kept.address));
    const text = await ifUsable(entry?.read(FILE));
    const index = new FileIndex(finder(), text?.toString());
    const result = await work(index);
    if (entry && index.hasGrown) await ifUsable(keep(cache, entry, index));
    return result;
  } finally {
    await ifUsable(cache.close());
  }
}

async function keep(cache: Cache, entry: CacheEntry, index: FileIndex): Promise<void> {
  await entry.write(index.text(), FILE);
  await cache.trim();
}

/** What finds out: the package, as it was built. */
function finder(): string {
  const worker = statSync(built('outline/worker.js'), { throwIfNoEntry: false });
  return [version, worker?.size, worker?.mtimeMs].join(' ');
}

async function ifUsable<T>(access: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await access;
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'CACHE_UNWRITABLE') return undefined;
    throw error;
  }
}
