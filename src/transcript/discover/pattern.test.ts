import fc from 'fast-check';
import { expect, test } from 'vitest';
import { below, DEEP, fitsPath, isWhole, nextNames, type Pattern } from './pattern.ts';

test.each<[Pattern, string, boolean]>([
  [['a', /\.md$/], 'a/x.md', true],
  [['a', /\.md$/], 'a/x.txt', false],
  [['a', /\.md$/], 'x.md', false],
  [['a', /\.md$/], 'a/b/x.md', false],
  [['a'], 'a/b', false],
  [['a', DEEP, /\.md$/], 'a/x.md', true],
  [['a', DEEP, /\.md$/], 'a/b/c/x.md', true],
  [['a', DEEP, /\.md$/], 'b/x.md', false],
  [[DEEP, 'a', 'b'], 'a/a/b', true],
  [[DEEP, 'a', 'b'], 'a/a', false],
])('%o and %s', (pattern, path, fits) => {
  expect(fitsPath([pattern], path.split('/'))).toBe(fits);
});

test('one of several patterns is enough', () => {
  expect(fitsPath([['a'], ['b', 'c']], ['b', 'c'])).toBe(true);
  expect(fitsPath([], ['a'])).toBe(false);
});

test('the next names are known where all patterns have one', () => {
  expect(nextNames([['a', /b/], ['c'], ['a']])).toEqual(new Set(['a', 'c']));
  expect(nextNames([['a'], [/b/]])).toBeUndefined();
  expect(nextNames([['a'], [DEEP, 'b']])).toBeUndefined();
});

const NAME = fc.constantFrom('a', 'b', 'c');
const PART = fc.oneof(NAME, fc.constant<typeof DEEP>(DEEP), fc.constantFrom(/a|b/, /^/));

test('a pattern fits as the regular expression of its parts does', () => {
  const asText = (part: string | RegExp | typeof DEEP) =>
    part === DEEP
      ? '(?:[abc]/)*'
      : `${typeof part === 'string' ? part : part.source === '^' ? '[abc]' : '[ab]'}/`;
  fc.assert(
    fc.property(
      fc.array(PART, { minLength: 1, maxLength: 5 }),
      fc.array(NAME, { minLength: 1, maxLength: 5 }),
      (parts, names) => {
        const pattern = [...parts, 'c'];
        const expected = new RegExp(`^${pattern.map(asText).join('')}$`).test(`${names.join('/')}/`);
        expect(fitsPath([pattern], names)).toBe(expected);
      },
    ),
  );
});

test('a name that is known to be next is the only one that leads on', () => {
  fc.assert(
    fc.property(fc.array(fc.array(PART, { maxLength: 4 }), { maxLength: 3 }), NAME, (patterns, name) => {
      const names = nextNames(patterns);
      if (names) expect(below(patterns, name).length > 0).toBe(names.has(name));
    }),
  );
  expect(isWhole([['a'], []])).toBe(true);
});
