import type { ChildProcess } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsdown';
import { outcomeOf, startModule } from '../../test/scripts.ts';
import { tempFolder } from '../digest/source/fixture.ts';
import { Cache, type CacheEntry } from './cache.ts';

/** A cache in a new folder, gone after the test. */
export function newCache(limit = 1_000_000): { folder: string; cache: Cache } {
  const folder = join(tempFolder(), 'cache');
  return { folder, cache: new Cache({ folder, limit }) };
}

/** Makes an entry look as if it was used so many minutes ago. */
export function age(entry: CacheEntry, minutes: number): void {
  const then = Date.now() / 1000 - minutes * 60;
  utimesSync(entry.path('used'), then, then);
}

/** Makes in `folder` what `startScript` runs. */
export async function buildCache(folder: string): Promise<void> {
  const rest = { config: false, format: 'esm', clean: false, dts: false, logLevel: 'silent' } as const;
  await build({ entry: 'src/cache/cache.ts', outDir: folder, ...rest });
}

/** What a script has besides its arguments in `args`. */
const PRELUDE = `
  import { createHash, randomBytes } from 'node:crypto';
  import { utimesSync } from 'node:fs';
  import { Cache } from './cache.mjs';
  const args = process.argv.slice(1);
  const hashOf = (bytes) => createHash('sha256').update(bytes).digest();
  /** Bytes that isWhole knows again if none are missing. */
  function wholeBytes(length) {
    const bytes = randomBytes(length);
    return Buffer.concat([hashOf(bytes), bytes]);
  }
  const isWhole = (bytes) => hashOf(bytes.subarray(32)).equals(bytes.subarray(0, 32));
`;

/** Starts a JavaScript module that may use the cache, in a process of its own, where it was built. */
export function startScript(...start: Start): ChildProcess {
  return startModule(PRELUDE, ...start);
}

/** Runs such a module to its end, and gives its exit code and what it printed, errors included. */
export function runScript(...start: Start): Promise<[number | null, string]> {
  return outcomeOf(startScript(...start));
}

type Start = [built: string, script: string, args: readonly string[], setup?: string];
