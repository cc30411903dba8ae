import { expect, test } from 'vitest';
import { folderAround, nearest } from './nearest.ts';

const PATHS = ['lib/a.ts', 'README.md', 'src/a.ts', 'src/deep/a.ts', 'src/my-file.test.ts', 'src/other.ts'];

test.each([
  ['a.ts', ['lib/a.ts', 'src/a.ts', 'src/deep/a.ts']],
  ['deep/src/a.ts', ['src/deep/a.ts', 'src/a.ts', 'lib/a.ts']],
  ['readme', ['README.md']],
  ['src/myFile.test.js', ['src/my-file.test.ts']],
  ['none.ts', []],
])('like %s', (path, expected) => {
  expect(nearest(path, PATHS)).toEqual(expected);
});

test('no more than a few are named', () => {
  expect(
    nearest(
      'x/a.ts',
      Array.from({ length: 50 }, (_, i) => `d${i}/a.ts`),
    ),
  ).toHaveLength(5);
});

test.each([
  ['src/deep/none/b.ts', 'src/deep'],
  ['src/dee', 'src'],
  ['srcs/a.ts', undefined],
  ['none', undefined],
])('the folder around %s', (path, expected) => {
  expect(folderAround(path, PATHS)).toBe(expected);
});
