import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  ['src/größe 日本 👍🏽.ts', 'src/größe 日本 👍🏽.ts'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\x1b[31mred\x07\x7f\x9b', '\\x1b[31mred\\x07\\x7f\\x9b'],
  ['gnp\u202eexe', 'gnp\\u202eexe'],
  ['\u2028\u2066\u200f\ufeff', '\\u2028\\u2066\\u200f\\ufeff'],
  ['caf\udce9', 'caf\\xe9'],
  ['\ud83d', '\\ud83d'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('nothing that moves the cursor or breaks the line comes through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(printable(text)).not.toMatch(/\p{Cs}/u);
    }),
  );
});
