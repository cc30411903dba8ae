import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonProblem, jsonProblem } from './problem.ts';

function problemOf(text: string): JsonProblem | undefined {
  return jsonProblem(Buffer.from(text));
}

test.each([
  ['', 1, 1, 'it ends in the middle'],
  ['{', 1, 2, 'it ends in the middle'],
  ['[1, 2', 1, 6, 'it ends in the middle'],
  ['{ "a": "unfinished', 1, 19, 'it ends in the middle'],
  ['{ "a": "unfinished\n" }', 1, 19, 'a line ends within a string: a quote is missing'],
  ['{\n  "a": 1,\n}', 3, 1, 'unexpected "}": the comma before it is one too many'],
  ['[1,,2]', 1, 4, 'unexpected ","'],
  ['{\r\n  "a": abc\r\n}', 2, 8, 'unexpected "a": keys and strings stand in straight double quotes'],
  ['{\r  "a": True\r}', 2, 8, 'unexpected "T": keys and strings stand in straight double quotes'],
  ["{ 'a': 1 }", 1, 3, `unexpected "'": keys and strings stand in straight double quotes`],
  ['{ “a”: 1 }', 1, 3, 'unexpected "“": keys and strings stand in straight double quotes'],
  ['{ "a": 1 "b": 2 }', 1, 10, 'unexpected quote: a comma or a colon is missing before it'],
  ['{ "a" 3 }', 1, 7, 'a colon is missing'],
  ['{ "a" "b" }', 1, 7, 'a colon is missing'],
  ['{ "é😀": "x"y" }', 1, 13, 'unexpected "y": a quote within a string is written \\"'],
  ['{ "a": "C:\\Users" }', 1, 12, '"\\U" is no escape: a backslash itself is written "\\\\"'],
  ['// no comments\n{}', 1, 1, 'unexpected "/": JSON has no comments'],
  ['{ "a": \u202e }', 1, 8, 'unexpected "<U+202E>"'],
  ['{}\0\0', 1, 3, 'a NUL byte'],
  ['[01]', 1, 2, 'a number that is none'],
])('%j goes wrong at line %i, column %i: %s', (text, line, column, problem) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(problemOf(text)).toEqual({ line, column, problem });
});

test('no depth is too deep', () => {
  const depth = 200_000;
  expect(problemOf('['.repeat(depth))).toMatchObject({ line: 1, column: depth + 1 });
});

test('whatever is JSON has no error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      expect(problemOf(JSON.stringify(value, null, indent))).toBeUndefined();
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
      expect(problemOf(text) !== undefined).toBe(broken);
    }),
    { numRuns: 1000 },
  );
});
