import { expect, test } from 'vitest';
import { readAge } from './age.ts';

const HOUR = 3_600_000;

test.each([
  ['7', 168 * HOUR],
  ['0.5', 12 * HOUR],
  ['12h', 12 * HOUR],
  ['30 m', HOUR / 2],
  ['2d', 48 * HOUR],
  [3, 72 * HOUR],
  ['3653', 3653 * 24 * HOUR],
])('the age %j', (value, age) => {
  expect(readAge(value)).toBe(age);
});

test.each(['', '0', '0h', '-1', '1e3', '7 days', '3654', '0.0000000001', ' 7', true, null, [7], Number.NaN])(
  'no age: %j',
  (value) => {
    expect(readAge(value)).toBeUndefined();
  },
);
