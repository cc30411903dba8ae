import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { newCache } from '../../../../cache/cache.testing.ts';
import { BlobStore } from './blob-store.ts';

const BYTES = Buffer.from('some bytes\n');
const idOf = (bytes: Buffer, kind = 'sha1') =>
  createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
const ID = idOf(BYTES);

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
}

async function newStore() {
  const { cache, folder } = newCache();
  onTestFinished(() => cache.close());
  const entry = await cache.open('github', 'https://github.com/o/r');
  const blobs = () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter(
      (name) => /[0-9a-f]{38}(?:-\d+)?$/.test(name) && !/(?:github|host|-\d+)-[0-9a-f]{32}$/.test(name),
    );
  };
  return { store: new BlobStore(cache, entry), again: () => new BlobStore(cache, entry), blobs, entry };
}

test.each(['sha1', 'sha256'])('what was put in is there, also for others: ids by %s', async (kind) => {
  const { store, again } = await newStore();
  const id = idOf(BYTES, kind);
  expect(await store.has(id, BYTES.length)).toBe(false);
  expect(await store.put(id, BYTES.length, pieces(BYTES))).toBe(true);
  for (const each of [store, again()]) {
    expect(await each.has(id, BYTES.length)).toBe(true);
    expect(await each.read(id, 100)).toEqual(BYTES);
    expect(await each.read(id, 4)).toEqual(BYTES.subarray(0, 4));
    expect(await text(each.stream(id) as Readable)).toBe(BYTES.toString());
  }
});

test('an empty blob is a blob', async () => {
  const { store, again } = await newStore();
  const id = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
  expect(await store.put(id, 0, pieces(Buffer.alloc(0)))).toBe(true);
  expect(await again().has(id, 0)).toBe(true);
  expect(await store.read(id, 10)).toEqual(Buffer.alloc(0));
});

test.each([
  ['another text', Buffer.from('same bytes\n')],
  ['a text that was cut off', BYTES.subarray(0, 5)],
  ['nothing', Buffer.alloc(0)],
  ['more', Buffer.concat([BYTES, BYTES])],
])('%s is not taken', async (_, bytes) => {
  const { store, blobs } = await newStore();
  expect(await store.put(ID, BYTES.length, pieces(bytes))).toBe(false);
  expect(await store.has(ID, BYTES.length)).toBe(false);
  expect(blobs()).toEqual([]);
});

test('what breaks off is not taken, and the reason is passed on', async () => {
  const { store, blobs } = await newStore();
  const broken = async function* () {
    yield BYTES.subarray(0, 5);
    throw new Error('broke off');
  };
  await expect(store.put(ID, BYTES.length, broken())).rejects.toThrow('broke off');
  expect(await store.has(ID, BYTES.length)).toBe(false);
  expect(blobs()).toEqual([]);
});

test.each<[string, (file: string) => void]>([
  ['cut off', (file) => truncateSync(file, 3)],
  ['changed', (file) => writeFileSync(file, 'same bytes\n')],
  ['gone', (file) => rmSync(file)],
])('a blob that is %s is dropped', async (_, damage) => {
  const { store, again, entry } = await newStore();
  await store.put(ID, BYTES.length, pieces(BYTES));
  const file = entry.path('blobs', ID.slice(0, 2), ID.slice(2));
  damage(file);
  expect(await again().has(ID, BYTES.length)).toBe(false);
  expect(readdirSync(join(file, '..'))).toEqual([]);
  expect(await again().put(ID, BYTES.length, pieces(BYTES))).toBe(true);
});

test('where nothing can be written, that is said', async () => {
  const { store, entry } = await newStore();
  writeFileSync(entry.path('blobs'), 'a file in the way');
  await expect(store.put(ID, BYTES.length, pieces(BYTES))).rejects.toMatchObject({
    code: 'CACHE_UNWRITABLE',
  });
});

test('a folder in the place of a blob, or a file in that of a folder, is damage', async () => {
  const { store, entry } = await newStore();
  const path = entry.path('blobs', ID.slice(0, 2), ID.slice(2));
  const damages = [
    () => mkdirSync(join(path, 'inner'), { recursive: true }),
    () => {
      rmSync(dirname(path), { recursive: true });
      writeFileSync(dirname(path), 'no folder');
    },
  ];
  for (const damage of damages) {
    damage();
    expect(await store.has(ID, BYTES.length)).toBe(false);
    expect(await store.put(ID, BYTES.length, pieces(BYTES))).toBe(true);
    expect(await store.read(ID, 100)).toEqual(BYTES);
  }
});
