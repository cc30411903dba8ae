import { expect, test } from 'vitest';
import { compilePattern, type PatternAsked } from '../../read/pattern.ts';
import { LineSearch } from './lines.ts';

async function linesOf(text: string, asked: PatternAsked) {
  const search = new LineSearch(text, await compilePattern(asked), async () => {});
  const found = [];
  for await (const line of search.find()) found.push(line);
  return { found, lines: found.map(({ line }) => line), cut: search.cut };
}

test('each line that matches comes once, with its number, in any stretch of the text', async () => {
  const text = Array.from({ length: 9000 }, (_, i) => `line ${i + 1} ${'x'.repeat(i % 90)}\n`).join('');
  for (const asked of [
    { pattern: 'line' },
    { pattern: '^li.*e', regex: true },
    { pattern: 'x*', regex: true },
  ]) {
    const { lines } = await linesOf(text, asked);
    expect(lines).toEqual(Array.from({ length: 9000 }, (_, i) => i + 1));
  }
  expect((await linesOf(text, { pattern: 'line 8765 ' })).lines).toEqual([8765]);
});

test('ends and starts of lines are those of the text', async () => {
  expect((await linesOf('a\nb\r\nab', { pattern: '^a$', regex: true })).lines).toEqual([1]);
  expect((await linesOf('a\nb\r\nab', { pattern: 'b$', regex: true })).lines).toEqual([2, 3]);
  expect((await linesOf('a\n', { pattern: '^$', regex: true })).lines).toEqual([]);
  expect((await linesOf('a\n\nb\n', { pattern: '^$', regex: true })).lines).toEqual([2]);
  expect((await linesOf('', { pattern: '^', regex: true })).lines).toEqual([]);
});

test('of a line that is longer than a stretch only the start is searched, and counted', async () => {
  const long = `${'x'.repeat(40_000)}needle`;
  const { lines, cut } = await linesOf(`${long}\nneedle\n`, { pattern: 'needle', regex: true });
  expect([lines, cut]).toEqual([[2], 1]);
  const { found } = await linesOf(`needle${long}\nnext\n`, { pattern: 'needle', regex: true });
  expect(found).toHaveLength(1);
  expect(found[0]?.shown.length).toBeLessThan(500);
  expect((await linesOf(long, { pattern: 'x$', regex: true })).lines).toEqual([]);
});

test('long lines are shown around what was found, with the lines around them', async () => {
  const { found } = await linesOf(`${'a'.repeat(999)}\n${'b'.repeat(999)} hit ${'c'.repeat(999)}\r\nend`, {
    pattern: 'hit',
  });
  const [hit] = found;
  expect(hit?.shown).toMatch(/^…b{1,200} hit c{1,200}…$/);
  expect(hit?.before).toEqual([`${'a'.repeat(200)}…`]);
  expect(hit?.after).toEqual(['end']);
});
