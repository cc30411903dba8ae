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
    /^Not a limit: '[^']*'(: [^.]*)?\. Give a whole number from 1000 to 500000000 of characters, /,
  );
});

test.each([
  ['lots', "'lots'. Give"],
  ['2000,lots', "'2000,lots': 'lots' is none."],
  ['999', "'999': 999 chars are less than the least, 1000."],
  ['1000,500bytes', "'1000,500bytes': 500 bytes are less than the least, 1000."],
  ['2000,50lines,500tok', "'2000,50lines,500tok': 500 tokens are less than the least, 1000."],
  ['2000,19lines', "'2000,19lines': 19 lines are less than the least, 20."],
  ['500000001', "'500000001': 500000001 chars are more than the most, 500000000."],
  ['5000,6000', "'5000,6000': chars are given twice."],
  [`5000,${'x'.repeat(50)}`, `'5000,${'x'.repeat(35)}…': '${'x'.repeat(40)}…' is none.`],
  [999, '999: 999 chars are less than the least, 1000.'],
  [Number.NaN, 'NaN: chars must be a whole number.'],
  [1000.5, '1000.5: chars must be a whole number.'],
  [{ chars: 5000, tokens: 3 }, '{ chars: 5000, tokens: 3 }: 3 tokens are less than the least, 1000.'],
  [{ chars: 5000, bytes: Number.NaN }, '{ chars: 5000, bytes: NaN }: bytes must be a whole number.'],
  [{ chars: 5000, width: 4000 }, "{ chars: 5000, width: 4000 }: there is no unit 'width'."],
  [{ tokens: 5000 }, '{ tokens: 5000 }: chars must be a whole number.'],
  [null, 'null: chars must be a whole number.'],
])('of %j it is said what is wrong', (value, told) => {
  expect(() => limitOf(value as never)).toThrow(PlimsollError);
  expect(() => limitOf(value as never)).toThrow(`Not a limit: ${told}`);
});

test('a number is a limit in characters, and a limit is itself', () => {
  const limit = { chars: 5000, lines: undefined };
  expect(limitOf(5000)).toEqual({ chars: 5000 });
  expect(limitOf(limit)).toBe(limit);
});
