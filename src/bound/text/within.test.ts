import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ESCAPED, LENGTH } from './text.testing.ts';
import { headChars, headWithin, tailChars, tailWithin } from './within.ts';

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', '\n', '\u0001', 'é', '🎉'), maxLength: 80 }),
  fc.string({ unit: 'binary' }),
);

describe('headWithin and tailWithin', () => {
  it('take what fits, and not more', () => {
    expect(headWithin('ab"cd', 4, ESCAPED)).toBe('ab"');
    expect(headWithin('ab"cd', 3, ESCAPED)).toBe('ab');
    expect(tailWithin('ab"cd', 4, ESCAPED)).toBe('"cd');
    expect(tailWithin('ab"cd', 3, ESCAPED)).toBe('cd');
    expect(headWithin('abc', -1, LENGTH)).toBe('');
    expect(tailWithin('abc', 0, LENGTH)).toBe('');
  });

  it('keep to the room and damage nothing', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -2, max: 120 }), (text, room) => {
        const head = headWithin(text, room, ESCAPED);
        const tail = tailWithin(text, room, ESCAPED);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Math.max(ESCAPED(head), ESCAPED(tail))).toBeLessThanOrEqual(Math.max(0, room));
        expect((head + tail).isWellFormed()).toBe(text.isWellFormed() || (head + tail).isWellFormed());
      }),
    );
  });

  it('count as many characters as a plain search', () => {
    const cost = (text: string) => [...text].reduce((sum, char) => sum + (char === '"' ? 2 : 1), 0);
    const quotes = fc.string({ unit: fc.constantFrom('a', '"'), maxLength: 50 });
    fc.assert(
      fc.property(quotes, fc.nat(400), fc.nat(30_000), (text, times, room) => {
        const long = text.repeat(times);
        const counts = [headChars(long, room, cost), tailChars(long, room, cost)] as const;
        const isMost = (count: number, of: (count: number) => string) =>
          cost(of(count)) <= room && (count === long.length || cost(of(count + 1)) > room);
        expect(isMost(counts[0], (count) => long.slice(0, count))).toBe(true);
        expect(isMost(counts[1], (count) => long.slice(long.length - count))).toBe(true);
      }),
    );
  });

  it('do not measure what lies far beyond the room', () => {
    let measured = 0;
    const counting = (text: string) => {
      measured += text.length;
      return text.length;
    };
    expect(headWithin('x'.repeat(10_000_000), 1000, counting)).toHaveLength(1000);
    expect(tailWithin('x'.repeat(10_000_000), 1000, counting)).toHaveLength(1000);
    expect(measured).toBeLessThan(50_000);
  });
});
