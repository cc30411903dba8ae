import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { Memory } from './memory.ts';
import type { Files } from './store/files.ts';
import { watch } from './store/store.testing.ts';

test('a change is in the journal, on the disk, before the file takes its name', async () => {
  const folder = tempFolder();
  const opened = new Map<unknown, string>();
  const done: string[] = [];
  const nameOf = (path: unknown) => basename(`${path}`).replace(/[\da-f]{32}/, '*');
  const files = watch((name, [subject, target]) => {
    if (name === 'writeSync' || name === 'fsyncSync') done.push(`${name} ${opened.get(subject)}`);
    if (name === 'renameSync') done.push(`renameSync ${nameOf(target)}`);
  });
  const openSync = (path: string, ...rest: [string]) => {
    const fd = files.openSync(path, ...rest);
    opened.set(fd, nameOf(path));
    return fd;
  };
  await new Memory({ folder, who: 'test', files: { ...files, openSync } as Files }).set('a', '1');
  expect(done.filter((call) => !call.includes('last-good') && !call.includes('lock'))).toEqual([
    'writeSync .context.json.*.tmp',
    'fsyncSync .context.json.*.tmp',
    'writeSync changes.jsonl',
    'fsyncSync changes.jsonl',
    'renameSync context.json',
    `fsyncSync ${basename(folder)}`,
  ]);
});

test('a change waits for an editor that is just saving the facts', async () => {
  const folder = tempFolder();
  const path = join(folder, 'context.json');
  writeFileSync(path, '{"hand":');
  let looks = 0;
  const files = watch((name, [file]) => {
    if (name === 'openSync' && file === path && ++looks === 2) writeFileSync(path, '{"hand": 1}');
  });
  const memory = new Memory({ folder, who: 'test', files });
  expect(await memory.set('a', '2')).toMatchObject({ change: 1 });
  expect((await memory.get('hand'))?.found.json()).toBe('1');
  expect((await memory.get('a'))?.found.json()).toBe('2');
});
