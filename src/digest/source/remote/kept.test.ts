import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newCache } from '../../../cache/cache.testing.ts';
import type { CacheEntry } from '../../../cache/cache.ts';
import { fileNameOf, keep, recall } from './kept.ts';

function newEntry(): Promise<CacheEntry> {
  return newCache().cache.open('git', 'https://host.example/o/r');
}

test('any value that JSON has comes back as it was kept', async () => {
  const entry = await newEntry();
  const property = fc.asyncProperty(fc.jsonValue({ maxDepth: 2 }), async (value) => {
    await keep(entry, value, 'folder', 'file');
    expect(JSON.stringify(await recall(entry, 'folder', 'file'))).toBe(JSON.stringify(value));
  });
  await fc.assert(property, { numRuns: 50 });
});

test('what was never kept is not there', async () => {
  const entry = await newEntry();
  await keep(entry, 1, 'a');
  expect(await recall(entry, 'b')).toBeUndefined();
  expect(await recall(entry, 'a', 'b')).toBeUndefined();
});

test('whatever byte is changed, and wherever it is cut off, a damaged value is not there', async () => {
  const entry = await newEntry();
  await keep(entry, { ref: 'main', commit: 'a'.repeat(40) }, 'file');
  const path = entry.path('file');
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    for (const bytes of [changed, whole.subarray(0, at)]) {
      writeFileSync(path, bytes);
      expect(await recall(entry, 'file')).toBeUndefined();
    }
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from(' ')]));
  expect(await recall(entry, 'file')).toBeUndefined();
  writeFileSync(path, whole);
  expect(await recall(entry, 'file')).toEqual({ ref: 'main', commit: 'a'.repeat(40) });
});

test('a name for a file is the same for the same value only, whatever is in it', () => {
  const values = [{ kind: 'head' }, { kind: 'ref', ref: '../../x' }, { kind: 'ref', ref: 'a\0' }, '', null];
  const names = values.map(fileNameOf);
  expect(new Set(names).size).toBe(values.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}\.json$/);
  expect(values.map(fileNameOf)).toEqual(names);
});
