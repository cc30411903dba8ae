import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Held, LongList, RawNumber } from './held.ts';
import { json } from './json.testing.ts';
import { textOf } from './long-text.ts';
import { lengthOf, stringify } from './stringify.ts';

test('it writes what JSON.stringify writes', () => {
  const property = fc.property(json, fc.constantFrom(0, 1, 2, 4, '\t', undefined), (value, indent) => {
    expect(stringify(value as Held, indent)).toBe(JSON.stringify(value, null, indent));
  });
  fc.assert(property);
});

test('what is deep may stand in one line', () => {
  const value = { a: [{ b: 1 }, []], c: 2 };
  expect(stringify(value, 2, 2)).toBe('{\n  "a": [\n    {"b":1},\n    []\n  ],\n  "c": 2\n}');
  expect(stringify(value, 2, 1)).toBe('{\n  "a": [{"b":1},[]],\n  "c": 2\n}');
  expect(stringify(value, 2, 0)).toBe('{"a":[{"b":1},[]],"c":2}');
});

test('numbers that JavaScript writes otherwise stay as they came', () => {
  expect(stringify([new RawNumber('1.0'), { a: new RawNumber('12345678901234567890') }])).toBe(
    '[1.0,{"a":12345678901234567890}]',
  );
});

test('the length is known without writing', () => {
  const property = fc.property(json, (value) => {
    expect(lengthOf(value as Held)).toBe(JSON.stringify(value).length);
  });
  fc.assert(property);
});

test('what is not held whole has a length, but no JSON', () => {
  const long = textOf('a"b', { textChars: 1, listBytes: 1 });
  expect(lengthOf([long, new LongList([], [], 3, { bytes: 100, chars: 100 }, '')])).toBe(
    '["a\\"b",]'.length + 100,
  );
  expect(() => stringify([long])).toThrow('a value that is not held whole has no JSON');
});
