import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../digest/source/fixture.ts';
import { Memory } from '../memory.ts';
import { watch } from '../store/store.testing.ts';

/** A memory with one change, whose journal goes on with other lines, made of that change's. */
async function withLines(...lines: readonly object[]) {
  const folder = tempFolder();
  const path = join(folder, 'changes.jsonl');
  await new Memory({ folder, who: 'test' }).set('s.a', '1');
  const first = JSON.parse(readFileSync(path, 'utf8'));
  for (const line of lines) appendFileSync(path, `${JSON.stringify({ ...first, to: 'f', ...line })}\n`);
  return new Memory({ folder, who: 'test' });
}

const edit = (change: number, edits: unknown) => ({ change, edits });

test.each<[string, ...object[]]>([
  [
    'a value that is no JSON',
    edit(2, [{ key: 's', before: '{"bad' }]),
    edit(3, [{ key: 's.a', before: '0', after: '1' }]),
  ],
  ['no JSON after it', edit(2, [{ key: 's', after: '{"bad' }])],
  ['no JSON among earlier ones', edit(2, [{ key: 's', before: '1', earlier: ['nothing'] }])],
  ['no time', { change: 2, at: 'today' }],
  ['a reason that is no text', { change: 2, why: {} }],
  ['no number', { change: 0 }],
  ['a number after which there is none', { change: Number.MAX_SAFE_INTEGER }],
  ['the same and a word about it', { change: Number.MAX_SAFE_INTEGER, edits: undefined, void: 'x' }],
])('a line with %s counts as one that cannot be read', async (_, ...lines) => {
  const memory = await withLines(...lines);
  expect((await memory.get('s.a'))?.found.json()).toBe('1');
  const numbers = [];
  for (const json of ['2', '3']) numbers.push((await memory.set('s.a', json)).change);
  expect(numbers).toEqual([lines.length + 2, lines.length + 3]);
  expect(await memory.changes()).toMatchObject({ total: lines.length + 2, unreadable: 1 });
  await memory.undo(numbers[1] as number);
  expect((await memory.history('s.a')).present).toMatchObject([{ json: '2', byHand: false }]);
});

test('a key of any length is taken as it is', async () => {
  const key = Array(2000).fill('long').join('.');
  const memory = await withLines(edit(2, [{ key, before: '1' }]));
  expect((await memory.get('s.a'))?.found.json()).toBe('1');
  expect(await memory.set('s.a', '2')).toMatchObject({ change: 3 });
  expect(await memory.history('s.a')).toMatchObject({ changes: [{ change: 3 }, { change: 1 }] });
  expect(await memory.changes()).toMatchObject({ total: 3, unreadable: 0 });
});

test('a change reads no more of the journal than the newest change, and that once', async () => {
  const folder = tempFolder();
  const path = join(folder, 'changes.jsonl');
  const memory = new Memory({ folder, who: 'test' });
  await memory.set('a', JSON.stringify('x'.repeat(300_000)));
  const length = readFileSync(path).length;
  writeFileSync(path, `${'{"foreign": 1}\n'.repeat(100_000)}${readFileSync(path, 'utf8')}`);
  let read = 0;
  const opened = new Set<unknown>();
  const files = watch(() => {});
  const counting = {
    ...files,
    openSync: (...args: Parameters<typeof files.openSync>) => {
      const fd = files.openSync(...args);
      if (args[0] === path) opened.add(fd);
      else opened.delete(fd);
      return fd;
    },
    readSync: ((fd: number, ...rest: [Buffer, number, number, number]) => {
      const count = files.readSync(fd, ...rest);
      if (opened.has(fd)) read += count;
      return count;
    }) as typeof files.readSync,
  };
  await new Memory({ folder, who: 'test', files: counting }).set('b', '1');
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(length + 2 * 64 * 1024);
});

test.each<[string, string, (path: string) => void]>([
  ['a pipe', 'not a file', (path) => execFileSync('mkfifo', [path])],
  ['a device', 'not a file', (path) => symlinkSync('/dev/null', path)],
  ['a folder', 'a folder', mkdirSync],
])(
  '%s in the place of the journal is named by all that needs it, and nothing is changed',
  async (_, what, make) => {
    const folder = tempFolder();
    const path = join(folder, 'changes.jsonl');
    const memory = new Memory({ folder, who: 'test' });
    await memory.set('a', '1');
    rmSync(path);
    make(path);
    const message = `Cannot read '${path}': it is ${what}. Put something else in its place.`;
    for (const asked of [
      () => memory.changes(),
      () => memory.history('a'),
      () => memory.undo(1),
      () => memory.set('a', '2'),
      () => memory.delete('a'),
    ]) {
      await expect(asked()).rejects.toMatchObject({ code: 'MEMORY_UNREADABLE', message });
    }
    expect((await memory.get('a'))?.found.json()).toBe('1');
  },
);
