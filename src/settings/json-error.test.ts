import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonErrorPosition } from './json-error.ts';

test.each([
  ['', 1, 1],
  ['{', 1, 2],
  ['{\n  "a": 1,\n}', 3, 1],
  ['{\r\n  "a": abc\r\n}', 2, 8],
  ['{ "a": 1 "b": 2 }', 1, 10],
  ["{ 'a': 1 }", 1, 3],
  ['[1, 2', 1, 6],
  ['[1,,2]', 1, 4],
  ['{} x', 1, 4],
  ['{ "a": "unfinished\n" }', 1, 8],
  ['// no comments\n{}', 1, 1],
  ['[01]', 1, 3],
])('%j goes wrong at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonErrorPosition(text)).toMatchObject({ line, column });
});

test('no depth is too deep', () => {
  const depth = 200_000;
  expect(jsonErrorPosition('['.repeat(depth))).toEqual({ line: 1, column: depth + 1 });
});

test('whatever is JSON has no error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      expect(jsonErrorPosition(JSON.stringify(value, null, indent))).toBeUndefined();
    }),
  );
});

test('it agrees with JSON.parse on what is broken', () => {
  const damaged = fc
    .tuple(
      fc.jsonValue(),
      fc.nat(),
      fc.nat(4),
      fc.constantFrom('', '"', '{', ']', ',', ':', '\\', '0', '.', '-'),
    )
    .map(([value, at, length, insert]) => {
      const text = JSON.stringify(value);
      const from = at % (text.length + 1);
      return text.slice(0, from) + insert + text.slice(from + length);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      let broken = false;
      try {
        JSON.parse(text);
      } catch {
        broken = true;
      }
      expect(jsonErrorPosition(text) !== undefined).toBe(broken);
    }),
    { numRuns: 1000 },
  );
});
