import { expect, test } from 'vitest';
import { Nested, parentOf } from './nested.ts';

test('values count for what is below, nearest first', () => {
  const nested = new Nested<number>();
  expect(nested.isEmpty).toBe(true);
  nested.set('', 1);
  nested.set('a/b', 2);
  expect(nested.around('a/b/c')).toEqual([2, 1]);
  expect(nested.around('a/bc')).toEqual([1]);
  expect(nested.around('')).toEqual([1]);
  expect(nested.isEmpty).toBe(false);
});

test('a value set later counts', () => {
  const nested = new Nested<number>();
  expect(nested.around('a/b')).toEqual([]);
  nested.set('a', 1);
  expect(nested.around('a/b')).toEqual([1]);
});

test('a path is held by the folder before its last slash', () => {
  expect(parentOf('a/b/c')).toBe('a/b');
  expect(parentOf('a')).toBe('');
});
