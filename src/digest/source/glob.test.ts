import { expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

test.each([
  ['a', 'a', true],
  ['a', 'b/a', false],
  ['*', 'a', true],
  ['*', 'a/b', false],
  ['*.ts', 'x.ts', true],
  ['*.ts', '.ts', true],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbY', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['a/*/c', 'a/b/c', true],
  ['a/*/c', 'a/b/b/c', false],
  ['**/c', 'c', true],
  ['**/c', 'a/b/c', true],
  ['**/c', 'a/bc', false],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['a/**/c', 'a/c', true],
  ['a/**/c', 'a/b/b/c', true],
  ['a/**/c/**/e', 'a/c/x/c/e', true],
  ['a**/c', 'ac', true],
  ['a**/c', 'a/c', true],
  ['a**/c', 'a/b/c', true],
  ['a**/c', 'ab', false],
  ['?**/c', 'a/b/c', false],
  ['a**c', 'abbc', true],
  ['a**c', 'a/c', false],
  ['a/b**', 'a/bc/d', true],
  ['?/b**', 'a/bc/d', false],
  ['**', 'a/b', true],
  ['[ab]c', 'bc', true],
  ['[!ab]c', 'bc', false],
  ['[^ab]c', 'dc', true],
  ['[!a]b', '/b', false],
  ['[a-c]', 'b', true],
  ['[c-a]', 'c', true],
  ['[c-a]', 'b', false],
  ['[]]', ']', true],
  ['[!]]', 'a', true],
  ['[a-]', '-', true],
  ['[\\]]', ']', true],
  ['[a\\-c]', 'b', false],
  ['[[:digit:][:upper:]]', 'Q', true],
  ['[[:alpha:]]', '1', false],
  ['[[:nonsense:]]', 'n', false],
  ['[[:space:]]', '\f', false],
  ['[[:a]', ':', true],
  ['[/]', '/', false],
  ['a[b/c]d', 'abd', true],
  ['[a', '[a', false],
  ['a\\', 'a\\', false],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['\\a', 'a', true],
  ['a//b', 'a/b', false],
  ['{a,b}', 'a', false],
  ['{a,b}', '{a,b}', true],
  ['+(a)', 'a', false],
  ['a.b', 'aXb', false],
])('%j against %j: %s', (pattern, path, matches) => {
  expect(compileGlob(pattern)(path)).toBe(matches);
});

test('a pattern full of stars takes no longer for it', () => {
  const stars = compileGlob(`${'a*'.repeat(60)}b`);
  expect(stars('a'.repeat(250))).toBe(false);
  const folders = compileGlob(`${'**/a/'.repeat(60)}b`);
  expect(folders(`${'a/'.repeat(250)}c`)).toBe(false);
});
