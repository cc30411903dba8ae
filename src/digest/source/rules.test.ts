import { expect, test } from 'vitest';
import { foldersAround, isRuleFile, prefixBelow, Rules, topOf } from './rules.ts';

test.each([
  ['.ignore', true],
  ['a/.plimsollignore', true],
  ['a/b/.gitattributes', true],
  ['.gitignore', false],
  ['a.ignore', false],
  ['.ignore/a', false],
])('%s is a rule file: %s', (path, expected) => {
  expect(isRuleFile(path)).toBe(expected);
});

test('the folders around a place', () => {
  expect(foldersAround('')).toEqual([]);
  expect(foldersAround('a/')).toEqual(['']);
  expect(foldersAround('a/b/c/')).toEqual(['', 'a/', 'a/b/']);
});

test('the place below a top, and back', () => {
  expect(prefixBelow('/x', '/x')).toBe('');
  expect(prefixBelow('/x', '/x/a/b')).toBe('a/b/');
  expect(prefixBelow('/', '/a')).toBe('a/');
  expect(topOf('/x/a/b', 'a/b/')).toBe('/x');
  expect(topOf('/x', '')).toBe('/x');
  expect(topOf('/a', 'a/')).toBe('/');
});

test('a folder asked for by name is not excluded itself', () => {
  const rules = new Rules('vendor/lib/');
  rules.add('.ignore', Buffer.from('vendor/\n*.min.js'));
  const entries = [
    { path: 'a.js', kind: 'file', size: 1 },
    { path: 'a.min.js', kind: 'file', size: 1 },
  ] as const;
  expect(rules.apply(entries).map(({ omit }) => omit)).toEqual([undefined, 'ignored']);
});

test('a reason that stands already stays', () => {
  const rules = new Rules();
  rules.add('.ignore', Buffer.from('*'));
  const [entry] = rules.apply([{ path: 'a', kind: 'file', size: 0, omit: 'unreadable' }]);
  expect(entry?.omit).toBe('unreadable');
});

test('a pattern for folders excludes a nested repository', () => {
  const rules = new Rules();
  rules.add('.ignore', Buffer.from('sub/'));
  expect(rules.apply([{ path: 'sub', kind: 'repository', size: 0 }])[0]?.omit).toBe('ignored');
});
