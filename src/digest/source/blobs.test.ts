import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Blobs } from './blobs.ts';
import { codeOf, git, repository } from './fixture.ts';

const MISSING = 'f'.repeat(40);

function open(root: string): Blobs {
  const blobs = new Blobs(root);
  onTestFinished(() => blobs.close());
  return blobs;
}

function idOf(root: string, path: string): string {
  return git(root, ['rev-parse', `HEAD:${path}`]).trim();
}

function damage(root: string, id: string, length: number): void {
  const object = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
  chmodSync(object, 0o600);
  truncateSync(object, length);
}

test('blobs are read up to the limit, many at a time and in any order', async () => {
  const big = Buffer.alloc(300_000, 'big\n');
  const root = repository({
    a: 'alpha\n',
    b: 'beta\n\n',
    empty: '',
    big,
    bytes: Buffer.from([0, 255, 10, 0]),
  });
  const blobs = open(root);
  const read = (path: string, limit: number) => blobs.read(idOf(root, path), limit);
  const all = await Promise.all([
    read('big', 1e9),
    read('a', 3),
    read('empty', 9),
    read('bytes', 9),
    read('b', 1e9),
  ]);
  expect(all.map((bytes) => bytes.length)).toEqual([big.length, 3, 0, 4, 6]);
  expect(all[0]?.equals(big)).toBe(true);
  expect(all[3]).toEqual(Buffer.from([0, 255, 10, 0]));
  expect((await read('b', 0)).length).toBe(0);
});

test('the start of a huge blob comes without the rest, and the next requests are served', async () => {
  const huge = randomBytes(8 * 1024 * 1024);
  const root = repository({ huge, small: 'small' });
  const blobs = open(root);
  const [start, small, again] = await Promise.all([
    blobs.read(idOf(root, 'huge'), 10),
    blobs.read(idOf(root, 'small'), 10),
    blobs.read(idOf(root, 'huge'), 1e9),
  ]);
  expect(start.equals(huge.subarray(0, 10))).toBe(true);
  expect(small.toString()).toBe('small');
  expect(again.equals(huge)).toBe(true);
});

test('a blob that is missing, damaged or something else costs only itself', async () => {
  const root = repository({ a: 'alpha', headless: 'beta', broken: randomBytes(200_000), 'dir/c': 'gamma' });
  damage(root, idOf(root, 'headless'), 3);
  damage(root, idOf(root, 'broken'), 100_000);
  const blobs = open(root);
  const paths = ['a', 'headless', 'dir', 'dir/c', 'broken', 'a', 'broken', 'broken', 'dir/c'];
  const asked = [MISSING, ...paths.map((path) => idOf(root, path))];
  const answers = await Promise.all(asked.map((id) => blobs.read(id, 1e9).then(String, codeOf)));
  expect(answers).toEqual([
    'ENOENT',
    'alpha',
    'ENOENT',
    'ENOENT',
    'gamma',
    'EIO',
    'alpha',
    'EIO',
    'EIO',
    'gamma',
  ]);
});

test('a blob is streamed whole, and a missing one fails', async () => {
  const huge = randomBytes(3_000_000);
  const root = repository({ huge });
  const blobs = open(root);
  const chunks: Buffer[] = [];
  for await (const chunk of blobs.stream(idOf(root, 'huge'))) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(huge)).toBe(true);
  await expect(blobs.stream(MISSING).next()).rejects.toMatchObject({ code: 'EIO' });
});

test('a repository that goes away fails what is asked, and closing fails the rest', async () => {
  const root = repository({ a: 'alpha' });
  const id = idOf(root, 'a');
  const blobs = open(root);
  rmSync(join(root, '.git'), { recursive: true });
  expect(await Promise.all([blobs.read(id, 9).catch(codeOf), blobs.read(id, 9).catch(codeOf)])).toEqual([
    'EIO',
    'EIO',
  ]);
  const open1 = blobs.read(id, 9).catch(codeOf);
  blobs.close();
  expect(await open1).toBe('EBADF');
  expect(await blobs.read(id, 9).catch(codeOf)).toBe('EBADF');
});
