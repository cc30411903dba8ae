import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kept } from '../spool/types.ts';
import { type Page, type PageAsked, readPage } from './page.ts';
import type { Unit } from './place.ts';
import { keptOf } from './read.testing.ts';
import { jsonCost } from './room.ts';

const LEAST_ROOM = 12;

/** What reading on gives, page by page, and no more pages than characters. */
async function readOn(kept: Kept, asked: PageAsked, room: number): Promise<Page[]> {
  const pages: Page[] = [];
  let next: PageAsked | undefined = asked;
  while (next) {
    const page: Page = await readPage(kept, next, room);
    pages.push(page);
    if (pages.length > (kept.parts[0]?.bytes ?? 0) + 1) throw new Error('It never ends.');
    if (page.nextChars !== undefined) next = { ...asked, unit: 'chars', from: page.nextChars };
    else next = page.next === undefined ? undefined : { ...next, from: page.next };
  }
  return pages;
}

const joined = (pages: readonly Page[]) => pages.map(({ text }) => text).join('');

const pieces = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\r\n',
    '\n',
    '\n\n',
    'line\n',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    '\u001b[31mred\u001b[0m',
    '"\\',
    '\0',
  ),
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
const units = fc.constantFrom<Unit>('chars', 'bytes', 'lines');

test('reading on gives exactly the part, each page within its room', async () => {
  const rooms = fc.integer({ min: LEAST_ROOM, max: 300 });
  const counts = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(texts, units, rooms, counts, async (text, unit, room, count) => {
      const pages = await readOn(keptOf({ 1: text }), { unit, count }, room);
      expect(joined(pages)).toBe(text);
      for (const page of pages) {
        expect(jsonCost(page.text)).toBeLessThanOrEqual(room);
        expect(page.text.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('a page tells the range it shows', async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      units,
      fc.nat(200),
      fc.integer({ min: 1, max: 50 }),
      async (text, unit, from, count) => {
        const bytes = Buffer.from(text);
        const kept = keptOf({ 1: text });
        const of = kept.parts[0]?.[unit] ?? 0;
        fc.pre(unit === 'lines' ? from >= 1 && from <= of : from <= of);
        const page = await readPage(kept, { unit, from, count }, 10_000);
        expect(page.of).toBe(of);
        if (unit === 'chars') expect(page.text).toBe(text.slice(page.from, page.to));
        if (unit === 'bytes') expect(page.text).toBe(bytes.toString('utf8', page.from, page.to));
        if (unit === 'lines') {
          const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
          expect(page.text).toBe(lines.slice(page.from - 1, page.to - 1).join(''));
        }
        expect(page.isCut).toBe(false);
      },
    ),
  );
});

describe('a page', () => {
  test('ends at a line end if one is near and room is what ends it', async () => {
    const kept = keptOf({ 1: 'one\ntwo\nthree\nfour\n' });
    expect(await readPage(kept, {}, 17)).toEqual({
      part: '1',
      unit: 'chars',
      text: 'one\ntwo\nthree\n',
      from: 0,
      to: 14,
      of: 19,
      next: 14,
      isCut: true,
    });
  });

  test('has as many characters as are asked for, and says where it goes on', async () => {
    const page = await readPage(keptOf({ 1: 'abc\ndefgh' }), { from: 2, count: 5 }, 1000);
    expect(page).toMatchObject({ text: 'c\ndef', from: 2, to: 7, next: 7, isCut: false });
  });

  test('moves out of a character', async () => {
    const kept = keptOf({ 1: 'a😀€b' });
    expect(await readPage(kept, { from: 2, count: 1 }, 100)).toMatchObject({ text: '€', from: 3, to: 4 });
    expect(await readPage(kept, { unit: 'bytes', from: 2, count: 1 }, 100)).toMatchObject({
      text: '€',
      from: 5,
      to: 8,
      next: 8,
    });
  });

  test('ends inside a line that has no room, and goes on by characters', async () => {
    const kept = keptOf({ 1: `short\n${'x'.repeat(100)}\nlast` });
    const page = await readPage(kept, { unit: 'lines', from: 2 }, 40);
    expect(page).toMatchObject({ text: 'x'.repeat(40), from: 2, to: 3, of: 3, nextChars: 46 });
    expect(page.next).toBeUndefined();
  });

  test('of whole lines includes the last one', async () => {
    const kept = keptOf({ 1: 'one\ntwo\nthree\nfour' });
    expect(await readPage(kept, { unit: 'lines', from: 2, count: 2 }, 100)).toMatchObject({
      text: 'two\nthree\n',
      from: 2,
      to: 4,
      of: 4,
      next: 4,
    });
    expect(await readPage(kept, { unit: 'lines', from: 4 }, 100)).toMatchObject({
      text: 'four',
      from: 4,
      to: 5,
    });
  });

  test('at the end is empty, behind it is an error', async () => {
    const kept = keptOf({ 1: 'abc' });
    expect(await readPage(kept, { from: 3 }, 100)).toMatchObject({ text: '', from: 3, to: 3, of: 3 });
    await expect(readPage(kept, { from: 4 }, 100)).rejects.toThrow(
      'There is nothing from 4 on: part 1 has 3 characters.',
    );
    await expect(readPage(kept, { unit: 'lines', from: 2 }, 100)).rejects.toThrow('part 1 has 1 lines');
    expect(await readPage(keptOf({ 1: '' }), {}, 100)).toMatchObject({ text: '', from: 0, to: 0, of: 0 });
  });

  test('shows half of a surrogate pair as U+FFFD of one character', async () => {
    const kept = keptOf({ 1: Buffer.from('61eda0bd62', 'hex') });
    expect(await readPage(kept, {}, 100)).toMatchObject({ text: 'a\ufffdb', to: 3, of: 3 });
    expect(await readPage(kept, { unit: 'bytes', from: 1, count: 2 }, 100)).toMatchObject({
      text: '\ufffd',
      from: 1,
      to: 4,
    });
  });

  test('loses no byte of what is no UTF-8', async () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(bytes, units, async (content, unit) => {
        const pages = await readOn(keptOf({ 1: content }), { unit }, LEAST_ROOM);
        expect(Buffer.byteLength(joined(pages))).toBe(content.length);
      }),
    );
  });

  test('is found by checkpoints in a large text, and without them', async () => {
    const lines = Array.from(
      { length: 120_000 },
      (_, line) => `line ${line + 1} €${'👍'.repeat(line % 5)}\n`,
    );
    const text = lines.join('');
    const kept = keptOf({ 1: text });
    expect(kept.parts[0]?.checkpoints?.length).toBeGreaterThan(1);
    const without = keptOf({ 1: text }, { checkpoints: undefined });
    for (const from of [0, 1, 700_000, 1_500_000, text.length - 3]) {
      const page = await readPage(kept, { from, count: 50 }, 1000);
      expect(page.text).toBe(text.slice(page.from, page.to));
      expect(page.from - from).toBeLessThan(2);
      expect(await readPage(without, { from, count: 50 }, 1000)).toEqual(page);
    }
    const line = await readPage(kept, { unit: 'lines', from: 111_111, count: 1 }, 1000);
    expect(line.text).toBe(lines[111_110]);
  });

  test('is of the part that is named, or of the first that is not the whole result', async () => {
    const kept = keptOf({ result: '{}', 1: 'first', 2: 'second' });
    expect((await readPage(kept, {}, 100)).text).toBe('first');
    expect((await readPage(kept, { part: '2' }, 100)).text).toBe('second');
    expect((await readPage(kept, { part: 'result' }, 100)).text).toBe('{}');
    expect((await readPage(keptOf({ result: '{}' }), {}, 100)).text).toBe('{}');
    await expect(readPage(kept, { part: '3' }, 100)).rejects.toThrow(
      "There is no part '3' of testhandle2345abcdef; there are: 1, 2, result.",
    );
  });

  test('of a medium or of a file that has been deleted is an error', async () => {
    const medium = keptOf({ 1: 'PNG' }, { kind: 'media', mimeType: 'image/png' });
    await expect(readPage(medium, {}, 100)).rejects.toThrow(
      'Part 1 is a file and no text: image/png, 3 bytes.',
    );
    const kept = keptOf({ 1: 'text' });
    rmSync(kept.parts[0]?.path ?? '');
    await expect(readPage(kept, {}, 100)).rejects.toThrow(
      'Part 1 is no longer in the spool: it has been deleted.',
    );
  });
});
