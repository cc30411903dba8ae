import { createHash } from 'node:crypto';
import type { CacheEntry } from '../../../cache/cache.ts';

const CHECK = /^([0-9a-f]{64})\n/;

/** Keeps a value in a file of the cache, as JSON after a line with its hash. */
export async function keep(entry: CacheEntry, value: unknown, ...path: readonly string[]): Promise<void> {
  const json = JSON.stringify(value);
  await entry.write(`${hashOf(json)}\n${json}`, ...path);
}

/** A value that was kept; `undefined` where there is none, or where the file has been damaged. */
export async function recall(entry: CacheEntry, ...path: readonly string[]): Promise<unknown> {
  const text = (await entry.read(...path))?.toString('utf8') ?? '';
  const hash = CHECK.exec(text)?.[1];
  if (hash === undefined) return undefined;
  const json = text.slice(hash.length + 1);
  return hashOf(json) === hash ? JSON.parse(json) : undefined;
}

/** A file's name for what would make no good one. */
export function fileNameOf(key: unknown): string {
  return `${hashOf(JSON.stringify(key)).slice(0, 32)}.json`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
