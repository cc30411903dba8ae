import { describe, expect, test } from 'vitest';
import type { Listed, Origin } from '../spool/types.ts';
import { age, listKept } from './list.ts';
import { keptOf } from './read.testing.ts';
import { jsonCost } from './room.ts';

const NOW = Date.parse('2026-02-03T04:05:06Z');

function listed(origin: Origin, at: number, parts: Record<string, string> = { 1: 'text' }): Listed {
  return { kept: keptOf(parts), origin, at, bytes: 1234 };
}

const spoolOf = (...results: Listed[]) => ({ list: async () => results });

test('a result is a line that tells what it was, and its parts', async () => {
  const call = listed({ kind: 'tool', server: 'files', name: 'read' }, NOW - 3_600_000, {
    1: 'a',
    structured: '{}',
  });
  const address = listed({ kind: 'resource', name: 'file:///a\nb' }, NOW + 5000);
  expect(await listKept(spoolOf(call, address), {}, 10_000, NOW)).toEqual({
    text: [
      'testhandle2345abcdef: tool read of files, 1 hour ago, 1234 bytes; parts: 1 (text, 1 characters), structured (text, 2 characters)',
      'testhandle2345abcdef: resource file:///a b, 0 seconds ago, 1234 bytes; parts: 1 (text, 4 characters)',
    ].join('\n'),
    from: 0,
    to: 2,
    of: 2,
  });
});

test('pages follow each other', async () => {
  const results = Array.from({ length: 5 }, (_, index) =>
    listed({ kind: 'tool', name: `tool${index}` }, NOW),
  );
  const { text, ...range } = await listKept(spoolOf(...results), { from: 1, count: 2 }, 10_000, NOW);
  expect(text.match(/tool\d/g)).toEqual(['tool1', 'tool2']);
  expect(range).toEqual({ from: 1, to: 3, of: 5, next: 3 });
  const small = await listKept(spoolOf(...results), { from: 3 }, 150, NOW);
  expect(small).toMatchObject({ from: 3, to: 4, next: 4 });
});

test('parts that have no room are counted', async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [String(index + 1), 'x']));
  const { text } = await listKept(spoolOf(listed({ kind: 'text' }, NOW, many)), {}, 300, NOW);
  expect(text).toMatch(
    /: text without a name, 0 seconds ago, 1234 bytes; parts: 1 \(text, 1 characters\), .*, \d+ more$/,
  );
  expect(jsonCost(text)).toBeLessThanOrEqual(300);
});

describe('an age is told in its largest unit', () => {
  test.each([
    [-1, '0 seconds'],
    [999, '0 seconds'],
    [1000, '1 second'],
    [59_999, '59 seconds'],
    [60_000, '1 minute'],
    [7_200_000, '2 hours'],
    [3 * 86_400_000, '3 days'],
  ])('%d ms', (milliseconds, words) => {
    expect(age(milliseconds)).toBe(words);
  });
});
