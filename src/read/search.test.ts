import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kept } from '../spool/types.ts';
import { keptOf } from './read.testing.ts';
import { jsonCost } from './room.ts';
import { type Found, type SearchAsked, searchPart } from './search.ts';

const ROOM = 100_000;

/** What searching on finds, answer by answer. */
async function searchOn(kept: Kept, asked: SearchAsked, room: number): Promise<Found[]> {
  const answers: Found[] = [];
  for (let from: number | undefined = asked.from ?? 0; from !== undefined; ) {
    const found: Found = await searchPart(kept, { ...asked, from }, room);
    answers.push(found);
    if (found.next !== undefined && found.next <= from && answers.length > 1)
      throw new Error('It never ends.');
    from = found.next;
  }
  return answers;
}

/** Where all matches start, as characters. */
function naive(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index);
}

const literal = (pattern: string) => pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Texts of several stretches, with what is searched for here and there and across their ends. */
const longTexts = fc
  .array(
    fc.oneof(
      fc.constantFrom('aab', 'ab', 'aaa', 'needle', 'NEEDLE', 'need\nle', '\n', '€', '😀', 'x1y22z'),
      fc
        .tuple(fc.constantFrom('. ', 'line\n', '😀', 'ü'), fc.integer({ min: 1, max: 9000 }))
        .map(([s, n]) => s.repeat(n)),
    ),
    { maxLength: 25 },
  )
  .map((pieces) => pieces.join(''));

describe('every match is found, each once', () => {
  const rooms = fc.integer({ min: 60, max: 3000 });

  async function check(text: string, asked: SearchAsked, room: number, pattern: RegExp) {
    const answers = await searchOn(keptOf({ 1: text }), asked, room);
    const expected = naive(text, pattern);
    expect(answers.reduce((sum, { matches }) => sum + matches, 0)).toBe(expected.length);
    for (const { text: shown, places } of answers) {
      expect(jsonCost(shown)).toBeLessThanOrEqual(room);
      expect(shown.isWellFormed()).toBe(true);
      for (const { line, char } of places) {
        expect(expected).toContain(char);
        expect(line).toBe(text.slice(0, char).split('\n').length);
        expect(shown).toContain(`${line} @${char}: `);
      }
    }
  }

  test('of a plain text', async () => {
    const patterns = fc.constantFrom('aa', 'ab', 'needle', 'need\nle', '.', '€😀', 'e\nline');
    await fc.assert(
      fc.asyncProperty(longTexts, patterns, rooms, (text, pattern, room) => {
        fc.pre(naive(text, new RegExp(literal(pattern), 'gu')).length < 200);
        return check(text, { pattern }, room, new RegExp(literal(pattern), 'gu'));
      }),
      { numRuns: 60 },
    );
  });

  test('whatever the case', async () => {
    await fc.assert(
      fc.asyncProperty(longTexts, rooms, (text, room) =>
        check(text, { pattern: 'nEEdle', ignoreCase: true }, room, /needle/giu),
      ),
      { numRuns: 20 },
    );
  });

  test('of a regular expression', async () => {
    const patterns = fc.constantFrom(
      'a+b?',
      '^aa',
      'b$',
      'needle|x',
      '\\d+',
      '^$',
      'need\\s',
      '\\bx',
      '[€😀]a',
    );
    await fc.assert(
      fc.asyncProperty(longTexts, patterns, rooms, (text, pattern, room) => {
        fc.pre(naive(text, new RegExp(pattern, 'gmu')).length < 200);
        return check(text, { pattern, regex: true }, room, new RegExp(pattern, 'gmu'));
      }),
      { numRuns: 60 },
    );
  });
});

describe('JSON is searched as it reads', () => {
  /** JSON of a text, with escapes of every kind: `ascii` escapes what isn't ASCII too, as Python does. */
  function jsonOf(value: unknown, ascii: boolean): string {
    const json = JSON.stringify(value);
    if (!ascii) return json;
    return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }

  const keptJson = (json: string) => keptOf({ structured: json }, { kind: 'json' });

  test.each([
    ['Übergröße\nover', false, 'Übergröße', '\\u00dcberg'],
    ['"C:\\temp"', false, 'say "C:\\temp"', '\\"C:'],
    ['^over$', true, 'over', 'over\\r\\n'],
    ['temp"$', true, 'say "C:\\temp"', 'temp\\"\\n'],
    ['\\x{1F600}', true, '😀 end"}', '\\ud83d'],
  ])('for %j', async (pattern, regex, shown, written) => {
    const json = String.raw`{"log":"\u00dcbergr\u00f6\u00dfe\nover\r\nsay \"C:\\temp\"\n\ud83d\ude00 end"}`;
    const found = await searchPart(keptJson(json), { pattern, regex, context: 0 }, ROOM);
    expect(found.matches).toBe(1);
    expect(found.text.endsWith(shown)).toBe(true);
    expect(json.slice(found.places[0]?.char).startsWith(written)).toBe(true);
  });

  test('with the lines of a string around, all of which stand in one line of the file', async () => {
    const json = jsonOf({ a: 1, log: 'one\ntwo\nneedle\nfour\nfive' }, false).replace(',', ',\n');
    const found = await searchPart(keptJson(json), { pattern: 'needle', context: 2 }, ROOM);
    expect(found.text).toBe('2- "log":"one\n2- two\n2 @25: needle\n2- four\n2- five"}');
    expect(json.slice(found.places[0]?.char)).toMatch(/^needle/);
  });

  test('and every match is found where it is', async () => {
    const texts = fc.tuple(longTexts, fc.boolean());
    const patterns = fc.constantFrom('need\nle', 'aa', '\\', '\n😀', '€');
    await fc.assert(
      fc.asyncProperty(texts, patterns, fc.boolean(), async ([text, ascii], pattern, regex) => {
        const value = text.replaceAll('x', '\\').replaceAll('y', '"').slice(0, 30_000);
        const json = jsonOf([value], ascii);
        const expected = naive(`["${value}"]`, new RegExp(literal(pattern), 'gu'));
        fc.pre(expected.length < 100);
        const escaped = regex ? literal(pattern).replaceAll('\n', '\\n') : pattern;
        const answers = await searchOn(keptJson(json), { pattern: escaped, regex, context: 0 }, 500);
        expect(answers.reduce((sum, { matches }) => sum + matches, 0)).toBe(expected.length);
        for (const { char } of answers.flatMap(({ places }) => places)) {
          const from = jsonOf(pattern, ascii).slice(1, -1);
          expect(json.slice(char, char + from.length)).toBe(from);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('also where hardly anything but escapes fits into what is searched at once', async () => {
    const json = jsonOf([`${'日'.repeat(6000)}x`], true);
    const { places } = await searchPart(keptJson(json), { pattern: '日{120}x', regex: true }, ROOM);
    expect(places).toEqual([{ line: 1, char: 2 + 6 * (6000 - 120) }]);
  });

  test('from a place within an escape on, too', async () => {
    const kept = keptJson('["\\\\n needle\\n needle"]');
    const counts = Array.from({ length: 8 }, async (_, from) => {
      const asked = { pattern: '^ needle', regex: true, from };
      return (await searchPart(kept, asked, ROOM)).matches;
    });
    expect(await Promise.all(counts)).toEqual(Array(8).fill(1));
  });
});

test('the end of a line is before its CRLF', async () => {
  const kept = keptOf({ 1: 'one\r\ntwo $\r\n\r\n3 two' });
  const found = async (pattern: string) => {
    const { places } = await searchPart(kept, { pattern, regex: true }, ROOM);
    return places.map(({ char }) => char);
  };
  expect(await found('one$')).toEqual([0]);
  expect(await found('two$')).toEqual([16]);
  expect(await found('^$')).toEqual([12]);
  expect(await found('\\$$')).toEqual([9]);
  expect(await found('[]$]$|\\Q$\\E')).toEqual([9]);
  expect(await found('\\r$')).toEqual([3, 10, 12]);
});

describe('a search', () => {
  const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

  test('shows lines with their context, and leaves out what is between', async () => {
    const found = await searchPart(keptOf({ 1: LINES }), { pattern: 'e\n', context: 1 }, ROOM);
    expect(found).toEqual({
      part: '1',
      text: [
        '1 @2: one',
        '2- two',
        '3 @12: three',
        '4- four',
        '5 @22: five',
        '6- six',
        '--',
        '8- eight',
        '9 @43: nine',
        '10- ten',
      ].join('\n'),
      places: [
        { line: 1, char: 2 },
        { line: 3, char: 12 },
        { line: 5, char: 22 },
        { line: 9, char: 43 },
      ],
      matches: 4,
      from: 0,
      to: 49,
      of: 49,
      isOutOfTime: false,
    });
  });

  test('shows a line once, however many matches it has', async () => {
    const found = await searchPart(keptOf({ 1: LINES }), { pattern: 'e', context: 0 }, ROOM);
    expect(found.text).toBe(
      '1 @2: one\n--\n3 @11: three\n--\n5 @22: five\n--\n7 @29: seven\n8 @34: eight\n9 @43: nine\n10 @46: ten',
    );
    expect(found.matches).toBe(9);
  });

  test('shows a giant line in pieces', async () => {
    const text = `${'x'.repeat(500_000)}needle${'y'.repeat(500)}needle${'z'.repeat(500_000)}`;
    const { text: shown, matches } = await searchPart(keptOf({ 1: text }), { pattern: 'needle' }, ROOM);
    expect(shown).toBe(
      [
        `1 @500000: …${'x'.repeat(200)}needle${'y'.repeat(200)}…`,
        `1 @500506: …${'y'.repeat(200)}needle${'z'.repeat(200)}…`,
      ].join('\n'),
    );
    expect(matches).toBe(2);
  });

  test('shortens the lines around, and says so', async () => {
    const long = `${'a'.repeat(300)}${'b'.repeat(300)}`;
    const kept = keptOf({ 1: `${long}\r\nneedle\r\n${long}\r\n` });
    expect((await searchPart(kept, { pattern: 'needle', context: 1 }, ROOM)).text).toBe(
      `1- ${'a'.repeat(200)}…\n2 @602: needle\n3- ${'a'.repeat(200)}…`,
    );
    const giant = `${'a'.repeat(300_000)}${'b'.repeat(300_000)}`;
    expect(
      (await searchPart(keptOf({ 1: `${giant}\nneedle\n${giant}` }), { pattern: 'needle' }, ROOM)).text,
    ).toBe(`1- …${'b'.repeat(200)}\n2 @600001: needle\n3- ${'a'.repeat(200)}…`);
  });

  test('stops at the most places, and goes on there', async () => {
    const kept = keptOf({ 1: LINES });
    const found = await searchPart(kept, { pattern: 'e', context: 0, most: 2 }, ROOM);
    expect(found).toMatchObject({ text: '1 @2: one\n--\n3 @11: three', matches: 3, to: 22, next: 22 });
    const more = await searchPart(kept, { pattern: 'e', context: 0, most: 1, from: 22 }, ROOM);
    expect(more).toMatchObject({ text: '5 @22: five', from: 22, next: 29 });
  });

  test('looks at what is before its start', async () => {
    const kept = keptOf({ 1: 'needle needle' });
    const asked = { pattern: '^needle', regex: true };
    expect((await searchPart(kept, { ...asked, from: 0 }, ROOM)).matches).toBe(1);
    expect((await searchPart(kept, { ...asked, from: 7 }, ROOM)).matches).toBe(0);
    await expect(searchPart(kept, { ...asked, from: 14 }, ROOM)).rejects.toThrow(
      'There is nothing from 14 on',
    );
  });

  test('shows the first place however little room there is', async () => {
    const kept = keptOf({ 1: `${'"'.repeat(1000)}needle${'\t'.repeat(1000)}` });
    expect((await searchPart(kept, { pattern: 'needle' }, 60)).text).toBe('1 @1000: ……');
  });

  test('that takes too long tells how far it came', async () => {
    const text = `${'x\n'.repeat(500_000)}needle`;
    const kept = keptOf({ 1: text });
    let now = 0;
    const timing = { time: 5000, clock: () => (now += 1500) };
    const found = await searchPart(kept, { pattern: 'needle' }, ROOM, timing);
    expect(found).toMatchObject({ matches: 0, isOutOfTime: true, to: found.next });
    expect(found.next).toBeGreaterThan(0);
    expect(found.next).toBeLessThan(text.length);
    expect((await searchPart(kept, { pattern: 'needle', from: found.next }, ROOM)).matches).toBe(1);
  });

  test('comes on even if time is over at once', async () => {
    const kept = keptOf({ 1: 'x\n'.repeat(500_000) });
    let now = 0;
    const found = await searchPart(kept, { pattern: 'needle' }, ROOM, { time: 0, clock: () => now++ });
    expect(found.next).toBeGreaterThan(100_000);
  });

  test('by a pattern that can run away ends soon', async () => {
    const kept = keptOf({ 1: 'a'.repeat(100_000) });
    const started = performance.now();
    expect((await searchPart(kept, { pattern: '(a*)*b', regex: true }, ROOM)).matches).toBe(0);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test.each([
    [{ pattern: '' }, 'The pattern is empty.'],
    [{ pattern: 'x'.repeat(1001) }, 'The pattern is longer than 1000 characters.'],
    [
      { pattern: '(?=a)', regex: true },
      'Not a regular expression of RE2 (which has no lookaround and no backreferences): invalid or unsupported Perl syntax: `(?=`.',
    ],
    [{ pattern: 'a{1000}b{1000}', regex: true }, 'The regular expression is too large: it repeats too much.'],
  ])('by %j is refused', async (asked, message) => {
    await expect(searchPart(keptOf({ 1: 'text' }), asked, ROOM)).rejects.toThrow(message);
  });

  test('takes plain text as it is', async () => {
    const special = '\\^$.*+?()[]{}|/-#&';
    const found = await searchPart(keptOf({ 1: `a ${special} b` }), { pattern: special }, ROOM);
    expect(found.matches).toBe(1);
    expect((await searchPart(keptOf({ 1: 'axb' }), { pattern: 'a.b' }, ROOM)).matches).toBe(0);
  });
});
