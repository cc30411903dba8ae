import { expect, test } from 'vitest';
import { ASK } from './model.testing.ts';
import { estimateOf, isCut, isTooLong, ownEstimate } from './prompt.ts';

const GRANTED = { tokens: 4096, isGranted: true };
const CLAIMED = { tokens: 16_384, isGranted: false };
const other = (tokens: number) => ({ tokens, factor: 1.5 });

test.each([
  ['as long as it was thought to be', 3000, other(3000), false],
  ['longer, for a tokenizer with a small vocabulary', 3900, other(3000), false],
  ['shorter, for one with a large vocabulary', 2500, other(3000), false],
  ['cut to half of the window', 2050, other(4000), true],
  ['cut to half of the window, and thought to be shorter than that', 2050, other(1800), true],
  ['as long as half of the window by half', 2090, other(2100), false],
  ['cut to the window', 4096, other(4000), true],
  ['so long that the answer had no room', 4000, other(3500), true],
  ['in the cache for the most part, with room for it in any case', 12, other(2000), false],
  ['in the cache, or cut', 12, other(3000), true],
  ['not counted, with room in any case', undefined, other(2000), false],
  ['not counted', undefined, other(3000), true],
  ['not counted, and measured by the own tokenizer', undefined, ownEstimate(3000), false],
])('a prompt that is %s', (_, counted, estimate, expected) => {
  expect(isCut(counted, estimate, GRANTED, 100)).toBe(expected);
});

test('a window that the server does not tell may be smaller', () => {
  expect(isCut(2050, other(4000), CLAIMED, 100)).toBe(true);
  expect(isCut(3800, other(4000), CLAIMED, 100)).toBe(false);
  expect(isCut(undefined, other(10), CLAIMED, 100)).toBe(true);
});

test('prompt and answer share the window', () => {
  expect(isTooLong(other(3996), GRANTED, 100)).toBe(false);
  expect(isTooLong(other(3997), GRANTED, 100)).toBe(true);
});

test('an estimate is of both texts', async () => {
  const { tokens } = await estimateOf({ ...ASK, system: 'one two', user: ' three <|endoftext|>' });
  expect(tokens).toBeGreaterThan(3);
  expect(tokens).toBeLessThan(14);
});
