import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutHead, cutTail, longestRun } from './cut.ts';

/** Characters that are built of several code units, after what shows where they start. */
const CHARACTERS: [what: string, before: string, character: string][] = [
  ['a surrogate pair', 'ab', '🎉'],
  ['a CRLF', 'ab', '\r\n'],
  ['a base and its marks', 'a', 'e\u0301\u0323'],
  ['a joined emoji', 'ab', '👩‍👩‍👧‍👦'],
  ['an emoji with a skin tone', 'ab', '👍🏽'],
  ['a presentation selector', 'ab', '❤\ufe0f'],
  ['a keycap', 'ab', '1\ufe0f\u20e3'],
  ['a flag', '🇩🇪🇫🇷', '🇮🇹'],
  ['a flag behind an emoji', '👍🏽', '🇮🇹'],
  ['a flag of tags', 'ab', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a syllable of jamo', '한', '\u1112\u1161\u11ab'],
  ['a syllable with a tail', '한', '\uac00\u11a8'],
  ['a conjunct', 'क', 'क्षि'],
  ['a vowel of Thai', 'ก', 'กำ'],
  ['a number sign', 'ab', '\u0600\u0661'],
];

const ESCAPES: [what: string, sequence: string][] = [
  ['a colour', '\x1b[1;38;5;196m'],
  ['a cursor movement', '\x1b[?25l'],
  ['a hyperlink', '\x1b]8;;https://example.org/a?b=c\x1b\\'],
  ['a title', '\x1b]0;a title – ✓\x07'],
  ['a device control string', '\x1bP1$r0m\x1b\\'],
  ['a choice of characters', '\x1b(B'],
  ['a long hyperlink', `\x1b]8;;https://example.org/${'x'.repeat(2000)}\x1b\\`],
];

const pieces = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '👩‍👩‍👧',
      '👍🏽',
      'e\u0301',
      '🇩🇪',
      '🇩',
      '\u200d',
      '\ufe0f',
      '\u1112\u1161',
    ),
  ),
  { maxLength: 60 },
);
const anyText = pieces.map((parts) => parts.join(''));

const character = fc.constantFrom(
  ...[
    'a',
    ' ',
    '日',
    'e\u0301',
    'e\u0301\u0323',
    '👩‍👩‍👧',
    '👍🏽',
    '🇩🇪',
    '❤️',
    '1️⃣',
    '한',
    '각',
    'กำ',
    '🎉',
    '\r\n',
  ],
);
const wholeCharacters = fc.array(character, { maxLength: 20 }).map((parts) => parts.join(''));

describe('cutHead', () => {
  it('returns what fits as it is', () => {
    expect(cutHead('', 0)).toBe('');
    expect(cutHead('abc', 3)).toBe('abc');
    expect(cutHead('abc', 1000)).toBe('abc');
    expect(cutHead('a\ud800', 2)).toBe('a\ud800');
  });

  it('ends at a near line end', () => {
    const text = `${'x'.repeat(80)}\n`.repeat(10);
    expect(cutHead(text, 500)).toBe(text.slice(0, 486));
    expect(cutHead(text, 486)).toBe(text.slice(0, 486));
    expect(cutHead(text.replaceAll('\n', '\r\n'), 500)).toHaveLength(492);
  });

  it('ends inside a line where its start is far', () => {
    expect(cutHead(`ab\n${'x'.repeat(100)}`, 50)).toHaveLength(50);
    expect(cutHead(`${'x'.repeat(75)}\n${'y'.repeat(100)}`, 100)).toHaveLength(76);
    expect(cutHead(`${'x'.repeat(73)}\n${'y'.repeat(100)}`, 100)).toHaveLength(100);
    const line = `${'x'.repeat(9000)}\n`;
    expect(cutHead(line + 'y'.repeat(9000), 10_000)).toHaveLength(9001);
    expect(cutHead(line + 'y'.repeat(9000), 10_002)).toHaveLength(10_002);
  });

  it.each(CHARACTERS)('does not split %s', (_, before, character) => {
    for (let max = before.length; max < before.length + character.length; max++) {
      expect(cutHead(`${before}${character}z`, max)).toBe(before);
    }
    expect(cutHead(`${before}${character}z`, before.length + character.length)).toBe(before + character);
  });

  it('cuts a character without end, in bounded time', () => {
    const marks = `ab${'\u0301'.repeat(100_000)}`;
    expect(cutHead(marks, 100)).toBe('a');
    expect(cutHead(marks, 50_000)).toHaveLength(50_000);
    const pairs = '\u{1f3fd}'.repeat(50_000);
    expect(cutHead(pairs, 40_001)).toHaveLength(40_000);
    expect(cutHead('🇩'.repeat(100_000), 100_001)).toHaveLength(100_000);
  });

  it.each(ESCAPES)('does not split %s', (_, sequence) => {
    for (let max = 2; max < 2 + sequence.length; max++) {
      expect(cutHead(`ab${sequence}z`, max)).toBe('ab');
    }
    expect(cutHead(`ab${sequence}z`, 2 + sequence.length)).toBe(`ab${sequence}`);
  });

  it('does not split a sequence from a mark that joins it', () => {
    expect(cutHead('ab\x1b[0m\u0301z', 6)).toBe('ab');
  });

  it('is not led astray by a sequence without end', () => {
    expect(cutHead(`ab\x1b]8;;${'x'.repeat(10_000)}`, 50)).toHaveLength(50);
    expect(cutHead(`ab\x1b[${'1;'.repeat(10_000)}`, 50)).toHaveLength(50);
  });

  it('is a head that keeps to the limit and splits no pair and no CRLF', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 200 }), (text, max) => {
        const head = cutHead(text, max);
        expect(head.length).toBeLessThanOrEqual(max);
        expect(text.startsWith(head)).toBe(true);
        expect(/[\ud800-\udbff]$/.test(head) && /^[\udc00-\udfff]/.test(text.slice(head.length))).toBe(false);
        expect(head.endsWith('\r') && text[head.length] === '\n').toBe(false);
        expect(cutHead(head, max)).toBe(head);
      }),
    );
  });

  it('ends where a segmenter sees the end of a character, and not earlier than needed', () => {
    const segmenter = new Intl.Segmenter('en');
    fc.assert(
      fc.property(wholeCharacters, fc.integer({ min: 0, max: 60 }), (s, max) => {
        const ends = [0, ...[...segmenter.segment(s)].map((part) => part.index + part.segment.length)];
        const last = ends.filter((end) => end <= max).at(-1) ?? 0;
        const head = cutHead(s, max);
        expect(head.length === last || head.endsWith('\n')).toBe(true);
        expect(ends).toContain(head.length);
      }),
    );
  });

  it('keeps three quarters of the limit in plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 50 }), fc.nat(50), (text, max) => {
        expect(cutHead(text.replaceAll(' ', '\n'), max).length).toBeGreaterThanOrEqual(max * 0.75);
      }),
    );
  });
});

describe('cutTail', () => {
  it('returns what fits as it is', () => {
    expect(cutTail('', 0)).toBe('');
    expect(cutTail('abc', 3)).toBe('abc');
    expect(cutTail('\udc00a', 2)).toBe('\udc00a');
    expect(cutTail('abc\n', 0)).toBe('');
  });

  it('starts at a near line start', () => {
    const text = `${'x'.repeat(80)}\n`.repeat(10);
    expect(cutTail(text, 500)).toBe(text.slice(-486));
    expect(cutTail(text, 486)).toBe(text.slice(-486));
    expect(cutTail(text.replaceAll('\n', '\r\n'), 500)).toHaveLength(492);
  });

  it('starts inside a line where its end is far', () => {
    expect(cutTail(`${'x'.repeat(100)}\nab`, 50)).toHaveLength(50);
    expect(cutTail(`${'y'.repeat(100)}\n${'x'.repeat(75)}`, 100)).toHaveLength(75);
    expect(cutTail(`${'y'.repeat(100)}\n${'x'.repeat(74)}`, 100)).toHaveLength(100);
    const line = `\n${'x'.repeat(9000)}`;
    expect(cutTail('y'.repeat(9000) + line, 10_000)).toHaveLength(9000);
    expect(cutTail('y'.repeat(9000) + line, 10_001)).toHaveLength(10_001);
  });

  it.each(CHARACTERS)('does not split %s', (_, before, character) => {
    for (let max = 2; max < 1 + character.length; max++) {
      expect(cutTail(`${before}${character}z`, max)).toBe('z');
    }
    expect(cutTail(`${before}${character}z`, 1 + character.length)).toBe(`${character}z`);
  });

  it.each(ESCAPES)('does not split %s', (_, sequence) => {
    for (let max = 1; max < 1 + sequence.length; max++) {
      expect(cutTail(`ab${sequence}z`, max)).toBe('z');
    }
    expect(cutTail(`ab${sequence}z`, 1 + sequence.length)).toBe(`${sequence}z`);
  });

  it('cuts a character without end, in bounded time', () => {
    expect(cutTail(`ab${'\u0301'.repeat(100_000)}`, 50_000)).toHaveLength(50_000);
    expect(cutTail('\u{1f3fd}'.repeat(50_000), 40_001)).toHaveLength(40_000);
  });

  it('is a tail that keeps to the limit and splits no pair and no CRLF', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 200 }), (text, max) => {
        const tail = cutTail(text, max);
        const cut = text.length - tail.length;
        expect(tail.length).toBeLessThanOrEqual(max);
        expect(text.endsWith(tail)).toBe(true);
        expect(/^[\ud800-\udbff][\udc00-\udfff]|^\r\n/.test(text.slice(cut - 1)) && cut > 0).toBe(false);
        expect(cutTail(tail, max)).toBe(tail);
      }),
    );
  });

  it('starts where a segmenter sees the start of a character, and not later than needed', () => {
    const segmenter = new Intl.Segmenter('en');
    fc.assert(
      fc.property(wholeCharacters, fc.integer({ min: 0, max: 60 }), (s, max) => {
        const starts = [...[...segmenter.segment(s)].map((part) => part.index), s.length];
        const first = starts.find((start) => s.length - start <= max) ?? s.length;
        const start = s.length - cutTail(s, max).length;
        expect(start === first || s[start - 1] === '\n').toBe(true);
        expect(starts).toContain(start);
      }),
    );
  });

  it('keeps three quarters of the limit in plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 50 }), fc.nat(50), (text, max) => {
        expect(cutTail(text.replaceAll(' ', '\n'), max).length).toBeGreaterThanOrEqual(max * 0.75);
      }),
    );
  });
});

describe('longestRun', () => {
  it.each([
    ['', 0],
    ['no ticks', 0],
    ['`a` ``b`` ```', 3],
    ['````', 4],
    ['``` x ````` y', 5],
  ])('of %j is %d', (text, length) => {
    expect(longestRun(text, '`')).toBe(length);
  });

  it('agrees with a plain search', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n') }), (text) => {
        const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
        expect(longestRun(text, '`')).toBe(Math.max(0, ...runs));
      }),
    );
  });
});
