import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecords, summarise } from './summary.ts';

const call = (server: string, tool: string, before: number, after = before, handle?: string) => ({
  time: '2026-02-03T00:00:00.000Z',
  server,
  tool,
  before,
  after,
  handle,
});

const reading = (server: string, handle: string | undefined, after: number) => ({
  time: '2026-02-02T00:00:00.000Z',
  server,
  reader: 'plimsoll_read',
  after,
  handle,
});

test('calls are summed up by server and tool', () => {
  const sizes = Array.from({ length: 20 }, (_, index) => (index + 1) * 100);
  const summary = summarise([
    ...sizes.map((size) => call('docs', 'find', size)),
    call('docs', 'dump', 100_000, 4000, 'h1'),
    call('docs', 'dump', 50_000, 4000, 'h2'),
    call('apis', 'find', 10),
    reading('docs', 'h1', 3000),
    reading('docs', 'h1', 1000),
    reading('docs', 'gone', 40),
    reading('docs', undefined, 40),
  ]);
  const none = { calls: 0, bytes: 0 };
  const nothing = { median: 0, p95: 0, largest: 0 };
  const ten = { median: 10, p95: 10, largest: 10 };
  const find = { median: 1000, p95: 1900, largest: 2000 };
  expect(summary).toEqual({
    since: '2026-02-02T00:00:00.000Z',
    calls: 23,
    tokensSaved: 34_500 - 20,
    tools: [
      {
        server: 'apis',
        tool: 'find',
        calls: 1,
        bounded: 0,
        before: ten,
        after: ten,
        readBack: none,
        tokensSaved: 0,
      },
      {
        server: 'docs',
        tool: '(tool not known)',
        calls: 0,
        bounded: 0,
        before: nothing,
        after: nothing,
        readBack: { calls: 2, bytes: 80 },
        tokensSaved: -20,
      },
      {
        server: 'docs',
        tool: 'dump',
        calls: 2,
        bounded: 2,
        before: { median: 50_000, p95: 100_000, largest: 100_000 },
        after: { median: 4000, p95: 4000, largest: 4000 },
        readBack: { calls: 2, bytes: 4000 },
        tokensSaved: 34_500,
      },
      {
        server: 'docs',
        tool: 'find',
        calls: 20,
        bounded: 0,
        before: find,
        after: find,
        readBack: none,
        tokensSaved: 0,
      },
    ],
  });
});

test('pictures are no text, and save no tokens', () => {
  const picture = { ...call('docs', 'shot', 900_000, 2000, 'h'), files: 890_000 };
  expect(summarise([picture, call('docs', 'shot', 900_000)])).toMatchObject({
    tokensSaved: 2000,
    tools: [{ bounded: 1, before: { largest: 900_000 }, tokensSaved: 2000 }],
  });
});

test('names that run together stay apart', () => {
  expect(summarise([call('a', 'b c', 1), call('a b', 'c', 1), call('a', '__proto__', 1)]).tools).toHaveLength(
    3,
  );
});

test('without records there is nothing', async () => {
  expect(await readRecords('/nowhere/at/all')).toEqual([]);
  expect(summarise([])).toEqual({ tools: [], calls: 0, tokensSaved: 0, since: undefined });
});

test('a folder that can not be read is said in a line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-stats-'));
  const file = join(folder, 'stats');
  writeFileSync(file, '');
  await expect(readRecords(file)).rejects.toMatchObject({
    code: 'STATS_UNREADABLE',
    message: expect.stringMatching(/^Cannot read the records in '.*stats': [^\n]+\.$/),
  });
  rmSync(folder, { recursive: true });
});

test('lines that are no records are passed over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-stats-'));
  try {
    const good = JSON.stringify(call('a', 'b', 2, 1));
    const bad = [
      '',
      '[]',
      'null',
      '{"time":"t","server":"s","tool":"x","before":-1,"after":0}',
      '{"time":"t","server":"s","tool":5,"before":1,"after":0}',
      '{"time":"t","server":"s","reader":"x"}',
      good.slice(0, -5),
    ];
    writeFileSync(join(folder, `${'a'.repeat(16)}.ndjson`), [good, ...bad, good].join('\n'));
    writeFileSync(join(folder, 'other.ndjson'), good);
    mkdirSync(join(folder, `${'b'.repeat(16)}.ndjson`));
    expect(await readRecords(folder)).toEqual([call('a', 'b', 2, 1), call('a', 'b', 2, 1)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
