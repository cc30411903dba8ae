import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Part } from '../spool/types.ts';
import type { Unit } from './place.ts';
import { keptOf } from './read.testing.ts';
import { bytesOf, textOf } from './stretch.ts';

async function collected<Piece>(pieces: AsyncIterable<Piece>): Promise<Piece[]> {
  const all: Piece[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\r\n', 'line\n', '€'.repeat(30_000), '😀'.repeat(9000)),
    ),
  )
  .map((pieces) => pieces.join(''));

test('a stretch is what is asked for, as text and as bytes', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(1000), fc.oneof(fc.nat(5), fc.nat(50_000)), async (text, from, count) => {
      fc.pre(from <= text.length);
      const kept = keptOf({ 1: text });
      const part = kept.parts[0] as Part;
      const start = text.slice(0, from).isWellFormed() ? from : from + 1;
      const end = text.slice(0, start + count).isWellFormed() ? start + count : start + count + 1;
      const wanted = text.slice(start, end);
      const asked = { unit: 'chars' as Unit, from, count };
      expect((await collected(textOf(kept, part, asked))).join('')).toBe(wanted);
      expect(Buffer.concat(await collected(bytesOf(kept, part, asked))).toString()).toBe(wanted);
    }),
  );
});

test('pieces end between characters as a reader sees them', async () => {
  const kept = keptOf({ 1: '👩‍👩‍👧‍👦\r\n'.repeat(20_000) });
  const part = kept.parts[0] as Part;
  for (const piece of await collected(textOf(kept, part, { unit: 'chars', from: 0 }))) {
    expect(piece.replaceAll('👩‍👩‍👧‍👦\r\n', '')).toBe('');
  }
});

test('bytes stay as they are, and text is well-formed', async () => {
  const content = Buffer.from('61eda0bd62ff', 'hex');
  const kept = keptOf({ 1: content });
  const part = kept.parts[0] as Part;
  const all = { unit: 'bytes' as Unit, from: 0 };
  expect(Buffer.concat(await collected(bytesOf(kept, part, all)))).toEqual(content);
  expect((await collected(textOf(kept, part, all))).join('')).toBe('a\ufffdb?');
});

test('a stretch of lines includes the last one, and one behind the end is refused', async () => {
  const kept = keptOf({ 1: 'one\ntwo\nthree' });
  const part = kept.parts[0] as Part;
  expect(await collected(textOf(kept, part, { unit: 'lines', from: 2, count: 1 }))).toEqual(['two\n', '']);
  await expect(collected(textOf(kept, part, { unit: 'lines', from: 4 }))).rejects.toThrow(
    'part 1 has 3 lines',
  );
});
