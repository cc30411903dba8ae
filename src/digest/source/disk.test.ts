import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Disk } from './disk.ts';
import { codeOf, giveAway, tempFolder, withoutPrivileges, write } from './fixture.ts';

async function streamed(disk: Disk, path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of disk.stream(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function codeOfRead(disk: Disk, path: string): string | undefined {
  try {
    disk.read(path, 10);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

test('a file is read up to the limit', () => {
  const root = tempFolder();
  write(root, { 'a/b.txt': 'hello', empty: '' });
  const disk = new Disk(root);
  expect(disk.read('a/b.txt', 3).toString()).toBe('hel');
  expect(disk.read('a/b.txt', 100).toString()).toBe('hello');
  expect(disk.read('a/b.txt', 0)).toHaveLength(0);
  expect(disk.read('empty', 100)).toHaveLength(0);
});

test('a file of any size is streamed whole, and reading its start does not read the rest', async () => {
  const root = tempFolder();
  const content = Buffer.alloc(5_000_001, 'abc');
  write(root, { big: content });
  const disk = new Disk(root);
  expect((await streamed(disk, 'big')).equals(content)).toBe(true);
  expect(disk.read('big', 4)).toHaveLength(4);
  execFileSync('truncate', ['-s', '8T', join(root, 'big')]);
  expect(disk.read('big', 4).toString()).toBe('abca');
});

test('a file that grows or shrinks gives what is there, within the limit', () => {
  const root = tempFolder();
  write(root, { log: 'one' });
  const disk = new Disk(root);
  appendFileSync(join(root, 'log'), 'two');
  expect(disk.read('log', 4).toString()).toBe('onet');
  writeFileSync(join(root, 'log'), '');
  expect(disk.read('log', 4)).toHaveLength(0);
});

test('what stands at a path is told without following links', () => {
  const root = tempFolder();
  write(root, { 'dir/file': '12345' });
  symlinkSync('dir/file', join(root, 'link'));
  symlinkSync('/nowhere/é', join(root, 'dangling'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const disk = new Disk(root);
  expect(disk.look('dir/file')).toEqual({ path: 'dir/file', kind: 'file', size: 5 });
  expect(disk.look('dir')).toBe('folder');
  expect(disk.look('link')).toEqual({ path: 'link', kind: 'symlink', size: 8, target: 'dir/file' });
  expect(disk.look('dangling')).toMatchObject({ kind: 'symlink', target: '/nowhere/é' });
  expect(disk.look('pipe')).toEqual({ path: 'pipe', kind: 'special', size: 0 });
  expect(disk.look('none')).toBeUndefined();
  expect(disk.look('dir/file/below')).toBeUndefined();
});

test('only regular files are read, and a pipe without a writer is not waited for', () => {
  const root = tempFolder();
  mkdirSync(join(root, 'dir'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const disk = new Disk(root);
  expect(codeOfRead(disk, 'pipe')).toBe('EINVAL');
  expect(codeOfRead(disk, 'dir')).toBe('EINVAL');
  expect(codeOfRead(disk, 'none')).toBe('ENOENT');
});

test('no link is followed as a file, and none leads out of the root: not the file, not a folder above it, not one swapped in later', () => {
  const outside = tempFolder();
  write(outside, { secret: 'secret', 'deep/secret': 'secret' });
  const root = tempFolder();
  write(root, { 'dir/secret': 'public', 'a/deep/secret': 'public' });
  symlinkSync(join(outside, 'secret'), join(root, 'link'));
  symlinkSync('dir/secret', join(root, 'inside'));
  const disk = new Disk(root);
  expect(codeOfRead(disk, 'inside')).toBe('ELOOP');
  expect(codeOfRead(disk, 'link')).toBe('ELOOP');
  expect(disk.read('dir/secret', 10).toString()).toBe('public');
  rmSync(join(root, 'dir'), { recursive: true });
  symlinkSync(outside, join(root, 'dir'));
  expect(codeOfRead(disk, 'dir/secret')).toBe('ELOOP');
  renameSync(join(root, 'a'), join(root, 'old'));
  symlinkSync(outside, join(root, 'a'));
  expect(codeOfRead(disk, 'a/deep/secret')).toBe('ELOOP');
  expect(codeOfRead(disk, '../secret')).toBe('ENOENT');
});

test('a folder whose name begins like the root is not inside it', () => {
  const around = tempFolder();
  write(around, { 'root/x': 'in', 'root-2/x': 'out' });
  symlinkSync('../root-2', join(around, 'root/dir'));
  expect(codeOfRead(new Disk(join(around, 'root')), 'dir/x')).toBe('ELOOP');
});

test('names that are not UTF-8 are read', () => {
  const root = tempFolder();
  writeFileSync(Buffer.from(`${root}/caf\xe9`, 'latin1'), 'coffee');
  const disk = new Disk(root);
  expect(disk.look('caf\udce9')).toEqual({ path: 'caf\udce9', kind: 'file', size: 6 });
  expect(disk.read('caf\udce9', 10).toString()).toBe('coffee');
});

test('what may not be read says so', async () => {
  const root = tempFolder();
  write(root, { closed: 'x', 'dir/file': 'x' });
  giveAway(root);
  chmodSync(join(root, 'closed'), 0);
  chmodSync(join(root, 'dir'), 0);
  await withoutPrivileges(async () => {
    const disk = new Disk(root);
    expect(codeOfRead(disk, 'closed')).toBe('EACCES');
    expect(() => disk.look('dir/file')).toThrow('EACCES');
  });
  chmodSync(join(root, 'dir'), 0o700);
});

describe('what names the contents of a file', () => {
  afterEach(() => vi.useRealTimers());

  /** Looks at a file anew, an hour later. */
  function idLater(root: string): string | undefined {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const disk = new Disk(root);
    disk.look('a');
    vi.useRealTimers();
    return disk.contentId('a');
  }

  test('is nothing before it was looked at, and while it may still change at the same time', () => {
    const root = tempFolder();
    write(root, { a: 'one' });
    const disk = new Disk(root);
    expect(disk.contentId('a')).toBeUndefined();
    disk.look('a');
    expect(disk.contentId('a')).toBeUndefined();
  });

  test('stays as long as the file does, and is another once that was written, whatever its size and time', () => {
    const root = tempFolder();
    const file = join(root, 'a');
    write(root, { a: 'one' });
    const before = idLater(root);
    expect(before).toBeDefined();
    expect(idLater(root)).toBe(before);
    const { atime, mtime, ctimeMs } = statSync(file);
    while (statSync(file).ctimeMs === ctimeMs) {
      writeFileSync(file, 'two');
      utimesSync(file, atime, mtime);
    }
    expect(idLater(root)).not.toBe(before);
  });
});
