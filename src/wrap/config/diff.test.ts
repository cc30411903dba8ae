import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from './diff.ts';

const lines = (...names: (string | number)[]) => `${names.join('\n')}\n`;

test('there is no difference between equal texts', () => {
  expect(unifiedDiff('f', 'a\nb', 'a\nb')).toBe('');
});

test('changed lines stand with three others around them', () => {
  const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const after = lines(1, 2, 3, 4, 'x', 'y', 6, 7, 8, 9);
  expect(unifiedDiff('f.json', before, after)).toBe(
    lines(
      '--- f.json',
      '+++ f.json',
      '@@ -2,7 +2,8 @@',
      ' 2',
      ' 3',
      ' 4',
      '-5',
      '+x',
      '+y',
      ' 6',
      ' 7',
      ' 8',
    ),
  );
});

test('changes that are far apart stand apart', () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  const after = numbers.flatMap((number) => (number === 3 ? [] : number === 25 ? [25, 'new'] : [number]));
  const diff = unifiedDiff('f', lines(...numbers), lines(...after));
  expect(diff.match(/^@@.*/gm)).toEqual(['@@ -1,7 +1,6 @@', '@@ -24,6 +23,7 @@']);
  expect(diff.match(/^[-+][^-+].*/gm)).toEqual(['-3', '+new']);
});

test('whatever the texts are, the difference leads from one to the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '}', '{', ''), { maxLength: 25 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff('f', before.join('\n'), after.join('\n'));
      expect(applied(before.join('\n').split('\n'), diff)).toEqual(after.join('\n').split('\n'));
    }),
    { numRuns: 500 },
  );
});

/** What a unified difference makes of lines, as `patch` reads it. */
function applied(before: readonly string[], diff: string): string[] {
  const after: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (start !== undefined) {
      const from = Number(start) - (count === '0' ? 0 : 1);
      after.push(...before.slice(at, from));
      at = from;
    } else {
      if (!line.startsWith('+')) expect(before[at]).toBe(line.slice(1));
      if (!line.startsWith('-')) after.push(line.slice(1));
      if (!line.startsWith('+')) at++;
    }
  }
  return [...after, ...before.slice(at)];
}
