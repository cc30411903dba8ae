import { expect, test } from 'vitest';
import { readSize } from './size.ts';

test.each([
  [0, 0],
  [1000, 1000],
  ['1000', 1000],
  ['500MB', 500_000_000],
  ['2 GB', 2_000_000_000],
  ['1.5KB', 1500],
  ['1KiB', 1024],
  ['0.5MiB', 524_288],
  ['3GiB', 3_221_225_472],
  ['0.3333KB', 333],
])('%j is %i bytes', (text, bytes) => {
  expect(readSize(text)).toBe(bytes);
});

test.each([
  '',
  ' ',
  'MB',
  '-1',
  '1.5',
  '1e3',
  '5TB',
  '5 mb',
  '5kib',
  '5MB ',
  '.5GB',
  '9007200GB',
  -1,
  1.5,
  Number.NaN,
  1e16,
  null,
  [1],
])('%j is no size', (value) => {
  expect(readSize(value)).toBeUndefined();
});
