import { expect, test } from 'vitest';
import type { Gap } from '../types.ts';
import { type CutText, cutText, type TextToCut } from './cut.ts';
import { ESCAPED, LENGTH, longText, WORDS } from './text.testing.ts';

const cut = (text: TextToCut['text'], room: number, more: Partial<TextToCut> = {}): CutText | undefined =>
  cutText({ text, room, cost: LENGTH, tailShare: 0.4, words: WORDS, ...more });

const recordsOf = (count: number, note: (number: number) => string = () => 'all is well') =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ id: index, note: note(index) })}\n`).join(
    '',
  );

const said = (text: string) => `${JSON.stringify({ _plimsoll: text })}\n`;

test('JSON Lines keep whole records of both ends, and say in records what is missing', () => {
  for (const text of [recordsOf(900), recordsOf(900).trimEnd(), `${recordsOf(900)}\n`]) {
    for (const what of [text, longText(text, 2000)]) {
      const result = cut(what, 2000);
      const [gap] = (result?.gaps ?? []) as [Gap];
      expect(result).toMatchObject({ kind: 'json-lines', gaps: [gap] });
      expect(result?.text).toBe(
        said(WORDS.notice([gap])) + text.slice(0, gap.from) + said(WORDS.marker(gap)) + text.slice(gap.to),
      );
      expect(text.slice(gap.from)).toMatch(/^{"id":/);
      expect(text.slice(gap.to)).toMatch(/^{"id":/);
    }
  }
});

test('a byte order mark stays before all', () => {
  const text = `\ufeff${recordsOf(900)}`;
  for (const what of [text, longText(text, 2000)]) {
    const result = cut(what, 2000);
    expect([result?.kind, result?.text[0]]).toEqual(['json-lines', '\ufeff']);
    const [, first, ...others] = (result?.text.slice(1) ?? '').trimEnd().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ id: 0 });
    for (const line of others) expect(JSON.parse(line)).toBeTruthy();
  }
});

test('whatever the room, the measure and the line ends, each line is JSON', () => {
  const text = recordsOf(300, (number) => '"quoted" – '.repeat(number % 30)).replaceAll('\n', '\r\n');
  for (let room = 600; room < 3000; room += 50) {
    for (const cost of [LENGTH, ESCAPED]) {
      const result = cut(text, room, { cost, maxLines: 40 });
      expect(cost(result?.text ?? '')).toBeLessThanOrEqual(room);
      if (result?.kind !== 'json-lines') continue;
      for (const line of result.text.trimEnd().split('\n')) expect(JSON.parse(line)).toBeTruthy();
    }
  }
  expect(cut(text, 2950)?.kind).toBe('json-lines');
});

test('records between that tell of errors are shown as they are', () => {
  const text = recordsOf(900, (number) => (number === 500 ? 'fatal: no table' : 'all is well'));
  for (const what of [text, longText(text, 2000)]) {
    const result = cut(what, 2000);
    expect(result?.gaps).toHaveLength(2);
    expect(result?.text.split('\n')).toContain('{"id":500,"note":"fatal: no table"}');
  }
});

test('of a record that tells of errors and is too long no part is shown', () => {
  const text = recordsOf(900, (number) => (number === 500 ? `fatal: ${'x'.repeat(600)}` : 'all is well'));
  for (const what of [text, longText(text, 5000)]) {
    const result = cut(what, 5000);
    for (const line of result?.text.trimEnd().split('\n') ?? []) expect(JSON.parse(line)).toBeTruthy();
  }
});

test('where no record fits, some are shortened as JSON is', () => {
  const text = recordsOf(30, (number) => `${'"some" words '.repeat(400)}${number}`);
  for (const what of [text, text.trimEnd(), text.replaceAll('\n', '\r\n'), longText(text, 8000)]) {
    for (const cost of [LENGTH, ESCAPED]) {
      const result = cut(what, 3000, { cost });
      expect(result?.kind).toBe('json-lines');
      expect(cost(result?.text ?? '')).toBeLessThanOrEqual(3000);
      const records = (result?.text ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const shown = records.filter(({ id }) => id !== undefined);
      expect([shown.at(0).id, shown.at(-1).id]).toEqual([0, 29]);
      for (const { id, note } of shown) expect(note).toMatch(new RegExp(`^"some" .*\\[.*\\].* ${id}$`));
      expect(records.filter(({ _plimsoll }) => _plimsoll)).toHaveLength(2);
    }
  }
});

test('what is missing in records that are shortened, and between, adds up to the text', () => {
  const text = recordsOf(30, (number) => (number === 29 ? 'short' : 'é'.repeat(5000)));
  const { gaps = [], text: shown = '' } = cut(text, 3000) ?? {};
  const said = shown.split('\n').filter((line) => line.includes('_plimsoll'));
  const left = text.length - (shown.length - said.map((line) => `${line}\n`).join('').length);
  expect(gaps.reduce((sum, { chars }) => sum + chars, 0)).toBe(left);
  expect(gaps.map(({ lines }) => lines?.from)).toEqual([...new Set(gaps.map(({ lines }) => lines?.from))]);
  expect(gaps.at(0)).toMatchObject({ from: 0, lines: { from: 1, to: 2, count: 1 } });
});

test('numbers in records that are shortened stay as they were written', () => {
  const text = `{"id":12345678901234567890,"share":1.0,"note":"${'x'.repeat(5000)}"}\n`.repeat(9);
  expect(cut(text, 2000)?.text).toMatch(/\n\{"id":12345678901234567890,"share":1\.0,"note":"x+\[/);
});

test('where no record is held whole, it is cut as text', () => {
  const text = recordsOf(30, () => 'x'.repeat(5000));
  const result = cut(longText(text, 2000), 3000);
  expect(result?.kind).toBe('plain');
  expect(result?.text.length).toBeGreaterThan(2900);
});

test.each([
  ['lines of numbers', '12\n'.repeat(3000)],
  ['a log with records in it', `starting\n${recordsOf(900)}`],
  ['a log that ends otherwise', `${recordsOf(900)}done\n`],
])('%s are no JSON Lines', (_, text) => {
  expect(cut(text, 2000)?.kind).not.toBe('json-lines');
});

test.each([700, 500, 400, 300, 200])('within %i characters each line is still JSON', (room) => {
  const words = { ...WORDS, notice: () => `[cut below${'.'.repeat(150)}]` };
  const text = recordsOf(300, (number) => `${'some words '.repeat(40)}${number}`);
  const result = cut(text, room, { words });
  expect(result?.kind).toBe('json-lines');
  expect(result?.text.length).toBeLessThanOrEqual(room);
  for (const line of result?.text.trimEnd().split('\n') ?? []) expect(JSON.parse(line)).toBeTruthy();
});
