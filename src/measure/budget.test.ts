import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlimsollError } from '../errors.ts';
import { DEFAULT_BUDGET, parseBudget } from './budget.ts';

test.each([
  ['1', { unit: 'chars', limit: 1 }],
  ['40000', DEFAULT_BUDGET],
  ['500000000', { unit: 'chars', limit: 500_000_000 }],
  ['10000tok', { unit: 'tokens', limit: 10_000 }],
])('%j is a budget', (value, budget) => {
  expect(parseBudget(value)).toEqual(budget);
});

test.each([
  '',
  ' ',
  '0',
  '0tok',
  '-1',
  '+1',
  '1.5',
  '1e99',
  '1e3',
  '0x10',
  'abc',
  'tok',
  '10 tok',
  '10TOK',
  '40,000',
  '40000 ',
  '500000001',
  '9'.repeat(400),
  'Infinity',
  'NaN',
  '４００',
])('%j is refused with one clear line', (value) => {
  expect(() => parseBudget(value)).toThrow(PlimsollError);
  expect(() => parseBudget(value)).toThrow(/^Not a budget: '.{0,41}'\. Give a whole number of characters/s);
});

test('every whole number in range is read as it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500_000_000 }), fc.boolean(), (limit, tokens) => {
      expect(parseBudget(tokens ? `${limit}tok` : `${limit}`)).toEqual({
        unit: tokens ? 'tokens' : 'chars',
        limit,
      });
    }),
  );
});
