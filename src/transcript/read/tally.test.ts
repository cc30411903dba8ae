import { expect, test } from 'vitest';
import { Tally } from './tally.ts';

test('counts by reason and kind, with the line of the first', () => {
  const tally = new Tally();
  tally.add('other', 'thinking', 7);
  tally.add('injected', 'thinking', 8);
  tally.add('other', 'thinking', 9);
  expect(tally.all()).toEqual([
    { reason: 'other', what: 'thinking', count: 2, line: 7 },
    { reason: 'injected', what: 'thinking', count: 1, line: 8 },
  ]);
});

test('the most frequent come first, then those of earlier lines', () => {
  const tally = new Tally();
  tally.add('other', 'late', 9);
  tally.add('other', 'early', 2);
  tally.add('other', 'often', 5);
  tally.add('other', 'often', 6);
  expect(tally.all().map(({ what }) => what)).toEqual(['often', 'early', 'late']);
});

test('nothing left out', () => {
  expect(new Tally().all()).toEqual([]);
});

test('what was handed out does not change by later counts of other kinds', () => {
  const tally = new Tally();
  tally.add('other', 'one', 1);
  const before = tally.all();
  tally.add('other', 'two', 2);
  expect(before).toHaveLength(1);
});

test('kinds are bounded, and nothing goes uncounted', () => {
  const tally = new Tally();
  for (let line = 1; line <= 1000; line++)
    tally.add(line % 2 === 0 ? 'other' : 'unknown', `kind ${line}`, line);
  tally.add('other', 'kind 2', 1001);
  const all = tally.all();
  expect(all.length).toBeLessThanOrEqual(60);
  expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(1001);
  expect(
    all
      .filter(({ what }) => what === '…')
      .map(({ reason }) => reason)
      .sort(),
  ).toEqual(['other', 'unknown']);
  expect(all).toContainEqual({ reason: 'other', what: 'kind 2', count: 2, line: 2 });
});

test.each([
  ['an escape', '\x1b[2Jgone', '␛[2Jgone'],
  ['lines', 'a\nb\r\tc', 'a␊b␍␉c'],
  ['a turned direction', 'a\u202eb', 'a<U+202E>b'],
  ['a lone surrogate', 'a\ud800', 'a\ufffd'],
])('names are made visible: %s', (_, name, shown) => {
  const tally = new Tally();
  tally.add('unknown', name, 1);
  expect(tally.all()).toMatchObject([{ what: shown }]);
});

test('long names are cut, even within a character', () => {
  const tally = new Tally();
  tally.add('unknown', `${'x'.repeat(39)}🛶${'y'.repeat(1e6)}`, 1);
  const [{ what } = { what: '' }] = tally.all();
  expect(what.length).toBeLessThan(100);
  expect(what.isWellFormed()).toBe(true);
});

test('names that objects have by themselves are as good as any', () => {
  const tally = new Tally();
  tally.add('unknown', '__proto__', 1);
  tally.add('unknown', 'constructor', 2);
  expect(tally.all().map(({ what, count }) => [what, count])).toEqual([
    ['__proto__', 1],
    ['constructor', 1],
  ]);
});
