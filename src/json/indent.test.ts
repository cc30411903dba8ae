import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Indenter } from './indent.ts';

/** What an indenter makes of JSON that comes in pieces of `size` bytes, and the pairs of bytes and where they were. */
function indent(json: string, size = 1000): { text: string; isExact: boolean } {
  const whole = Buffer.from(json);
  let text = '';
  let isExact = true;
  const indenter = new Indenter({
    copy: (bytes, from, to, at) => {
      const copied = Buffer.from(bytes.subarray(from, to));
      isExact &&= copied.equals(whole.subarray(at, at + to - from));
      text += copied.toString('latin1');
    },
    space: (count) => {
      text += ' '.repeat(count);
    },
    end: () => {
      text += '\n';
    },
  });
  for (let at = 0; at < whole.length; at += size) indenter.write(whole.subarray(at, at + size));
  return { text: Buffer.from(text, 'latin1').toString(), isExact };
}

describe('JSON is laid out', () => {
  test('as JSON.stringify does, however it was and however it comes', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('', 3, '\t'),
        fc.integer({ min: 1, max: 9 }),
        (value, as, size) => {
          expect(indent(JSON.stringify(value, null, as), size)).toEqual({
            text: JSON.stringify(value, null, 2),
            isExact: true,
          });
        },
      ),
    );
  });

  test.each([
    [
      '{"a":1.0,"a":[1e400 , -0],"b":"\\u00e9\\/\\""}',
      '{\n  "a": 1.0,\n  "a": [\n    1e400,\n    -0\n  ],\n  "b": "\\u00e9\\/\\""\n}',
    ],
    ['[ [ ] , { } , "" ]\n', '[\n  [],\n  {},\n  ""\n]'],
    ['"a{[,:]}b"', '"a{[,:]}b"'],
  ])('with every token as it is written: %s', (json, text) => {
    expect(indent(json, 1).text).toBe(text);
  });

  test('no deeper than 32 levels, so that brackets in brackets stay small', () => {
    const { text } = indent('['.repeat(100_000) + ']'.repeat(100_000));
    expect(text.replace(/\s/g, '')).toBe('['.repeat(100_000) + ']'.repeat(100_000));
    expect(text.split('\n').every(({ length }) => length <= 66)).toBe(true);
  });
});

test('what is no JSON does no harm', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\a1 \n') }), (json) => {
      expect(indent(json, 3).isExact).toBe(true);
    }),
  );
});
