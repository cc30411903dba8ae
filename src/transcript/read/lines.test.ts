import { expect, test } from 'vitest';
import { LONGEST_LINE, linesOf, recordsOf } from './lines.ts';
import type { Source } from './source.ts';
import { Tally } from './tally.ts';

function sourceOf(...chunks: readonly (string | Buffer)[]): Source {
  return {
    path: 'transcript',
    async *chunks() {
      for (const chunk of chunks) yield Buffer.from(chunk as string);
    },
  };
}

function inChunks(text: string, size: number): Source {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  return sourceOf(...Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)));
}

async function read(source: Source) {
  const tally = new Tally();
  const lines: [number, string, boolean][] = [];
  for await (const { number, bytes, isOpen } of linesOf(source, tally)) {
    lines.push([number, bytes.toString(), isOpen]);
  }
  return { lines, leftOut: tally.all() };
}

async function readRecords(source: Source) {
  const tally = new Tally();
  const records: [number, unknown][] = [];
  for await (const { line, record } of recordsOf(source, tally)) records.push([line, record]);
  return { records, leftOut: tally.all() };
}

test.each([1, 2, 3, 7, 1000])('lines in chunks of %i bytes', async (size) => {
  const { lines, leftOut } = await read(inChunks('förde\r\n\n🛶 keel\r\r\nmast', size));
  expect(lines).toEqual([
    [1, 'förde', false],
    [2, '', false],
    [3, '🛶 keel\r', false],
    [4, 'mast', true],
  ]);
  expect(leftOut).toEqual([]);
});

test.each([
  ['no chunk', sourceOf(), []],
  ['an empty chunk', sourceOf(''), []],
  ['a line end alone', sourceOf('\n'), [[1, '', false]]],
  ['a last line that is complete', sourceOf('keel\n'), [[1, 'keel', false]]],
  ['a return at the end', sourceOf('keel\r'), [[1, 'keel', true]]],
  [
    'a line end in a chunk of its own',
    sourceOf('keel\r', '\n', 'mast'),
    [
      [1, 'keel', false],
      [2, 'mast', true],
    ],
  ],
])('%s', async (_, source, lines) => {
  expect((await read(source)).lines).toEqual(lines);
});

test.each([
  [
    'between others',
    '\nmast',
    [
      [1, 'keel', false],
      [3, 'mast', true],
    ],
  ],
  ['at the end', '', [[1, 'keel', false]]],
])('a line that is too long is passed over and counted: %s', async (_, rest, lines) => {
  const half = Buffer.alloc(LONGEST_LINE / 2, 'x');
  const { lines: kept, leftOut } = await read(sourceOf('keel\n', half, half, `x${rest}`));
  expect(kept).toEqual(lines);
  expect(leftOut).toEqual([{ reason: 'too long', what: 'line', count: 1, line: 2 }]);
});

test('the longest line that is none too many', async () => {
  const { lines, leftOut } = await read(sourceOf(Buffer.alloc(LONGEST_LINE, 'x'), '\n'));
  expect(lines.map(([number, text]) => [number, text.length])).toEqual([[1, LONGEST_LINE]]);
  expect(leftOut).toEqual([]);
});

test('reading stops where its reader does', async () => {
  let isClosed = false;
  const source: Source = {
    path: 'transcript',
    async *chunks() {
      try {
        for (;;) yield Buffer.from('keel\n');
      } finally {
        isClosed = true;
      }
    },
  };
  for await (const { number } of linesOf(source, new Tally())) if (number === 3) break;
  expect(isClosed).toBe(true);
});

test('records: what is no object is counted, empty lines are not', async () => {
  const { records, leftOut } = await readRecords(sourceOf('{"a":1}\n \n[1]\nnull\nkeel\n{"a":2}\r\n{"a":3'));
  expect(records).toEqual([
    [1, { a: 1 }],
    [6, { a: 2 }],
  ]);
  expect(leftOut).toEqual([
    { reason: 'unreadable', what: 'line', count: 3, line: 3 },
    { reason: 'unfinished', what: 'the last line', count: 1, line: 7 },
  ]);
});

test('records: a last line without a line end counts if it is complete', async () => {
  const { records, leftOut } = await readRecords(sourceOf('{"a":1}'));
  expect(records).toEqual([[1, { a: 1 }]]);
  expect(leftOut).toEqual([]);
});

test('records: a last line that is complete and no object is unreadable', async () => {
  expect((await readRecords(sourceOf('[1]'))).leftOut).toMatchObject([{ reason: 'unreadable', count: 1 }]);
});
