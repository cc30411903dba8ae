import { execFile, execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOutput, writeOutput } from './output.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-output-'));
});

afterEach(() => rmSync(root, { recursive: true }));

test('a file is written whole, and nothing else stays', async () => {
  const file = join(root, 'digest.md');
  writeFileSync(file, 'before');
  await checkOutput(file);
  await writeOutput(file, 'after 👍\n');
  expect(readFileSync(file, 'utf8')).toBe('after 👍\n');
  expect(readdirSync(root)).toEqual(['digest.md']);
});

test('a symlink stays one, and what it points to is written', async () => {
  writeFileSync(join(root, 'target'), 'before');
  symlinkSync('target', join(root, 'link'));
  await writeOutput(join(root, 'link'), 'after');
  expect(readFileSync(join(root, 'target'), 'utf8')).toBe('after');
  expect(readdirSync(root, { withFileTypes: true }).map((entry) => entry.isSymbolicLink())).toEqual([
    true,
    false,
  ]);
});

test('a pipe is written to, not replaced', async () => {
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await checkOutput(pipe);
  const [{ stdout }] = await Promise.all([promisify(execFile)('cat', [pipe]), writeOutput(pipe, 'through')]);
  expect(stdout).toBe('through');
});

test.each([
  ['', 'it is a folder'],
  ['folder', 'it is a folder'],
  ['folder/', 'it is a folder'],
  ['new-folder/', 'it is a folder'],
  ['missing/digest.md', 'no such file or directory'],
  ['file/digest.md', 'not a directory'],
  [`${'n'.repeat(300)}.md`, 'name too long'],
])('%j is refused before the work, and when written', async (name, reason) => {
  mkdirSync(join(root, 'folder'));
  writeFileSync(join(root, 'file'), '');
  const file = name && `${root}/${name}`;
  const refusal = { code: 'OUTPUT_UNWRITABLE', message: `Cannot write '${file}': ${reason}.` };
  await expect(checkOutput(file)).rejects.toMatchObject(refusal);
  await expect(writeOutput(file, 'text')).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' });
  expect(readdirSync(root)).toEqual(['file', 'folder']);
});
