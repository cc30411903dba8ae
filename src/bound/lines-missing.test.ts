import { expect, test } from 'vitest';
import { bound } from './bound.ts';
import { linesMissing } from './lines-missing.ts';

const gap = (from: number, to: number, at?: string) => ({
  unit: 'chars' as const,
  from: 0,
  to: 1,
  of: 1,
  chars: 1,
  bytes: 1,
  at,
  lines: { from, to, count: to - from },
});

test('a line that two gaps of a text lie in is missing once', () => {
  expect(linesMissing([gap(2, 5), gap(4, 5), gap(4, 9)])).toBe(7);
  expect(linesMissing([gap(2, 5), gap(7, 9)])).toBe(5);
  expect(linesMissing([gap(2, 5, '/a'), gap(2, 5, '/b')])).toBe(6);
});

test('never are more lines missing than there are beside those that are shown', async () => {
  const row = (i: number) => `${i},${'one field '.repeat(30)},${'another field '.repeat(30)}`;
  const csv = ['id,first,second', ...Array.from({ length: 500 }, (_, i) => row(i))].join('\n');
  for (let limit = 1000; limit < 6000; limit += 250) {
    const { text, facts } = await bound(csv, { limit, spool: false });
    expect(facts?.left.lines).toBeLessThanOrEqual(text.startsWith('id,') ? 500 : 501);
    const whole = csv.split('\n').filter((line) => text.split('\n').includes(line)).length;
    expect(facts?.left.lines).toBeLessThanOrEqual(501 - whole);
  }
});
