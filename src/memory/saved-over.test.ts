import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { Memory } from './memory.ts';
import { FILES, type Files } from './store/files.ts';

/** When the changes are made, in milliseconds since 1970: some time ago, so that all times below are over. */
const AT = Date.now() - 60_000;

interface Times {
  /** When the older copy was saved, in milliseconds after the changes. */
  readonly saved: number;
  /** When it got its place, likewise. */
  readonly placed: number;
}

/** The values there are when an older copy, with an edit by hand, is saved over so many changes. */
async function savedOver(changes: number, { saved, placed }: Times): Promise<Record<string, string>> {
  const folder = tempFolder();
  const path = join(folder, 'context.json');
  const files: Files = {
    ...FILES,
    statSync: ((...args: Parameters<Files['statSync']>) => {
      const stats = FILES.statSync(...args);
      return stats && args[0] === path ? Object.assign(stats, { ctimeMs: AT + placed }) : stats;
    }) as Files['statSync'],
  };
  const memory = new Memory({ folder, who: 'test', now: () => new Date(AT), files });
  for (let index = 0; index < changes; index++) await memory.set(`k${index}`, '1');
  writeFileSync(path, '{"hand": 1}');
  utimesSync(path, (AT + saved) / 1000, (AT + saved) / 1000);
  const { document } = (await memory.documents())[0] as { document: { facts(): Iterable<Pair> } };
  return Object.fromEntries(Array.from(document.facts(), ({ key, json }) => [key, json]));
}

interface Pair {
  readonly key: string;
  readonly json: string;
}

test('what was saved over is put back for two seconds after the change, and no longer', async () => {
  expect(await savedOver(1, { saved: 1990, placed: 1990 })).toEqual({ hand: '1', k0: '1' });
  expect(await savedOver(1, { saved: 2010, placed: 2010 })).toEqual({ hand: '1' });
});

test('all changes of the two seconds are put back', async () => {
  expect(Object.keys(await savedOver(12, { saved: 500, placed: 500 }))).toHaveLength(13);
});

test('a file that got its place just before the change may be one that was put there after it', async () => {
  expect(await savedOver(1, { saved: -5, placed: -5 })).toEqual({ hand: '1', k0: '1' });
  expect(await savedOver(1, { saved: -20, placed: -20 })).toEqual({ hand: '1' });
});

test('a backup that is put back later counts, whatever time it bears', async () => {
  expect(await savedOver(1, { saved: -30_000, placed: 1990 })).toEqual({ hand: '1', k0: '1' });
  expect(await savedOver(1, { saved: -30_000, placed: 2010 })).toEqual({ hand: '1' });
  expect(await savedOver(1, { saved: 500, placed: 2010 })).toEqual({ hand: '1' });
});
