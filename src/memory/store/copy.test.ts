import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../digest/source/fixture.ts';
import { clearCopies, keepCopy, readCopy } from './copy.ts';
import { FILES } from './files.ts';
import { systemError, watch } from './store.testing.ts';

function newCopy(text: string): string {
  const path = join(tempFolder(), 'last-good.json');
  writeFileSync(path, text);
  return path;
}

test('a copy holds what it did before or what it should, whichever system call fails', () => {
  for (let failing = 0, isDone = false; !isDone; failing++) {
    const path = newCopy('old text');
    let calls = 0;
    const files = watch(() => {
      if (calls++ >= failing) throw systemError('EIO', 5);
    });
    keepCopy(path, Buffer.from('the new text'), files);
    isDone = calls <= failing;
    expect(['old text', 'the new text']).toContain(readFileSync(path, 'utf8'));
    if (isDone) expect(readFileSync(path, 'utf8')).toBe('the new text');
  }
});

test('whoever has a copy open reads it as it was', () => {
  const path = newCopy('old text');
  const before = statSync(path).ino;
  keepCopy(path, Buffer.from('new text'), FILES);
  expect(readFileSync(path, 'utf8')).toBe('new text');
  expect(statSync(path).ino).not.toBe(before);
  expect(readdirSync(dirname(path))).toEqual(['last-good.json']);
});

test('a copy that holds the bytes already is not written', () => {
  const path = newCopy('text');
  const { ino } = statSync(path);
  keepCopy(path, Buffer.from('text'), FILES);
  expect(statSync(path).ino).toBe(ino);
});

test('what is no file in the place of a copy holds nothing, and is not waited for', () => {
  const folder = tempFolder();
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  symlinkSync('/dev/zero', link);
  for (const path of [pipe, link, folder, join(folder, 'nothing')]) {
    expect(readCopy(path, FILES)).toBeUndefined();
  }
});

test('copies that nobody goes on writing are removed, and nothing else', () => {
  const path = newCopy('text');
  const folder = dirname(path);
  const old = Date.now() / 1000 - 60;
  for (const name of ['last-good.json.1.tmp', 'last-good.json.1.tmp~', 'other.json.1.tmp']) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), old, old);
  }
  writeFileSync(join(folder, 'last-good.json.2.tmp'), '');
  clearCopies(path, FILES);
  expect(readdirSync(folder).sort()).toEqual([
    'last-good.json',
    'last-good.json.1.tmp~',
    'last-good.json.2.tmp',
    'other.json.1.tmp',
  ]);
});
