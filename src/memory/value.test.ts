import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedValue, isSameValue, LONGEST_VALUE, textValue } from './value.ts';

test.each([
  ['"\\u00e9"', '"é"', true],
  ['"a"', '"b"', false],
  ['[1,\n  "\\u00e9 x"]', '[1, "é x"]', true],
  ['["a b"]', '["ab"]', false],
  ['1.0', '1', false],
  ['[1.0]', '[1]', false],
  ['12345678901234567890', '12345678901234567891', false],
  ['"1"', '1', false],
  ['{"a":1}', '"a"', false],
])('%s and %s: the same value is %s', (one, other, isSame) => {
  expect(isSameValue(one, other)).toBe(isSame);
  expect(isSameValue(other, one)).toBe(isSame);
});

test('values are the same however they are laid out', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (value) => {
      expect(isSameValue(JSON.stringify(value), JSON.stringify(value, null, 1))).toBe(true);
    }),
  );
});

test('a long array of many escapes is compared', () => {
  const json = JSON.stringify(['\n'.repeat(1_000_000)]);
  expect(isSameValue(json, json.replace('[', '[ '))).toBe(true);
});

test('an array may hold anything if that is asked for, and an object is never a value', () => {
  expect(checkedValue(' [{"a": [1]}]\n', { anyArray: true })).toBe('[{"a": [1]}]');
  expect(() => checkedValue('[{"a": [1]}]')).toThrow(/no objects or arrays/);
  expect(() => checkedValue('{}', { anyArray: true })).toThrow(
    'A value is a text, a number, true, false, null or an array of these, no object. Set the keys of an object one by one, or import it.',
  );
});

test('a value may be long, but not longer than the limit', () => {
  const longest = 'a'.repeat(LONGEST_VALUE - 2);
  expect(textValue(longest)).toHaveLength(LONGEST_VALUE);
  expect(checkedValue(`"${longest}"`)).toHaveLength(LONGEST_VALUE);
  const refusal = expect.objectContaining({
    code: 'BAD_VALUE',
    message: expect.stringMatching(/at most 16777216/),
  });
  expect(() => textValue(`${longest}a`)).toThrow(refusal);
  expect(() => textValue('\n'.repeat(LONGEST_VALUE / 2))).toThrow(refusal);
  expect(() => checkedValue(`"${longest}a"`)).toThrow(refusal);
});
