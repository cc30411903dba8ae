import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { Memory } from './memory.ts';
import { watch } from './store/store.testing.ts';

let umask: number;

beforeEach(() => {
  umask = process.umask(0);
});

afterEach(() => void process.umask(umask));

/** The modes of all that is in a folder, and its own. */
function modesIn(folder: string): Record<string, number> {
  const names = readdirSync(folder).map((name): [string, string] => [name, join(folder, name)]);
  return Object.fromEntries(
    [['.', folder] as const, ...names].map(([name, path]) => [name, statSync(path).mode & 0o777]),
  );
}

test('whatever the umask, all that is made is for the user alone', async () => {
  const folder = join(tempFolder(), 'memory');
  const seen = new Map<string, number>();
  const files = watch(
    () => {},
    (name) => {
      if (name !== 'openSync' && name !== 'closeSync') return;
      for (const [file, mode] of Object.entries(modesIn(folder)))
        seen.set(file, mode | (seen.get(file) ?? 0));
    },
  );
  const memory = new Memory({ folder, who: 'test', files });
  await memory.set('a', '1');
  await memory.addDiary('hello');
  writeFileSync(join(folder, 'context.json'), '{"a": 1, "b": 2', { mode: 0o600 });
  await memory.repair('mended', 'global');
  const nameOf = (name: string) => name.replace(/(?<=damaged-).*(?=\.json$)|[\da-f-]{32,}/, '*');
  expect(new Set([...seen.keys()].map(nameOf))).toEqual(
    new Set([
      '.',
      '.context.json.*.tmp',
      '.context.json.lock',
      '.diary.md.*.tmp',
      '.diary.md.lock',
      'changes.jsonl',
      'context.damaged-*.json',
      'context.json',
      'diary.md',
      'last-good.json',
      'last-good.json.*.tmp',
    ]),
  );
  const modes = [...seen].map(([name, mode]) => [name, mode.toString(8)]);
  expect(modes).toEqual(modes.map(([name]) => [name, name === '.' ? '700' : '600']));
});
