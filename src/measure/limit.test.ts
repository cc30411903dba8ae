import { expect, test } from 'vitest';
import { PlimsollError } from '../errors.ts';
import { LEAST_LIMIT, limitOf, parseLimit } from './limit.ts';

test.each([
  ['100000', { chars: 100_000 }],
  ['1000', { chars: LEAST_LIMIT }],
  ['25000tok', { chars: 200_000, tokens: 25_000 }],
  ['51200bytes,2000lines', { chars: 51_200, bytes: 51_200, lines: 2000 }],
  ['50000,25000tok', { chars: 50_000, tokens: 25_000 }],
  ['2000lines', { chars: 100_000, lines: 2000 }],
])('%j is a limit', (value, limit) => {
  expect(parseLimit(value)).toEqual(limit);
});

test.each([
  '',
  '0',
  '999',
  '-5',
  '1e6',
  '100,000',
  '5000 tok',
  '5000TOK',
  '19lines',
  '5000,6000',
  'Infinity',
  'NaN',
  '500000001',
])('%j is refused with one clear line', (value) => {
  expect(() => parseLimit(value)).toThrow(PlimsollError);
  expect(() => parseLimit(value)).toThrow(
    /^Not a limit: '.*'\. Give a whole number of characters from 1000 to /,
  );
});

test.each([
  [999],
  [Number.NaN],
  [1000.5],
  [{ chars: 5000, tokens: 3 }],
  [{ chars: 5000, width: 4000 }],
  [{ tokens: 5000 }],
])('a program that asks for %j is told so', (value) => {
  expect(() => limitOf(value as never)).toThrow(/^Not a limit: /);
});

test('a number is a limit in characters, and a limit is itself', () => {
  const limit = { chars: 5000, lines: undefined };
  expect(limitOf(5000)).toEqual({ chars: 5000 });
  expect(limitOf(limit)).toBe(limit);
});
