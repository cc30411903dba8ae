import { expect, test } from 'vitest';
import { IgnoreFiles } from './ignore.ts';

function verdict(path: string, content: string | Buffer, isFolder = false): boolean | undefined {
  const files = new IgnoreFiles();
  files.add('', Buffer.from(content));
  return files.verdict(path, isFolder);
}

test.each([
  ['a.log', '*.log', true],
  ['d/a.log', '*.log', true],
  ['a.LOG', '*.log', undefined],
  ['a.log', '*.log\n!a.log', false],
  ['a.log', '!a.log\n*.log', true],
  ['d/a', '/a', undefined],
  ['a', '/a', true],
  ['x/d/a', 'd/a', undefined],
  ['a', 'a/', undefined],
  ['#a', '#a', undefined],
  ['#a', '\\#a', true],
  ['!a', '\\!a', true],
  ['!a', '!!a', false],
  ['a', 'a   ', true],
  ['a ', 'a\\ ', true],
  ['a ', 'a\\   ', true],
  ['a\\', 'a\\\\ ', true],
  ['a', 'a\r\n', true],
  ['a', 'a \r\n', true],
  ['a\t', 'a\t', true],
  ['a', '\ufeffa', true],
  ['a', ' a', undefined],
  ['a', '', undefined],
  ['a', '/', undefined],
  ['é', '??', true],
  ['é', '?', undefined],
])('%j under %j: %s', (path, content, expected) => {
  expect(verdict(path, content)).toBe(expected);
});

test('a slash at the end asks for a folder', () => {
  expect(verdict('a', 'a/', true)).toBe(true);
});

test('deeper files are stronger and count from where they are', () => {
  const files = new IgnoreFiles();
  files.add('', Buffer.from('*.log\n/top'));
  files.add('dé', Buffer.from('!keep.log\n/top'));
  expect(files.verdict('dé/keep.log', false)).toBe(false);
  expect(files.verdict('keep.log', false)).toBe(true);
  expect(files.verdict('dé/top', false)).toBe(true);
  expect(files.verdict('dé/x/top', false)).toBe(undefined);
  expect(files.verdict('other/keep.log', false)).toBe(true);
});

test('bytes that are not UTF-8 are compared as bytes', () => {
  expect(verdict('caf\udce9.txt', Buffer.from('caf\xe9.*', 'latin1'))).toBe(true);
});
