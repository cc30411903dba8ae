import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { selectIn } from '../read/select.ts';
import { restore } from '../spool/restore.testing.ts';
import { openSpool } from '../spool/spool.ts';
import { takeIn } from './intake.ts';
import { keep } from './keep.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-keep-'));
const spool = openSpool({ folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const long = 'the same words '.repeat(1000);
const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id}` }));

test.each([
  ['JSON of it', JSON.stringify({ rows }, null, 2), { rows }],
  ['JSON of its one value', JSON.stringify(rows), { result: rows }],
  ['JSON of its one string', JSON.stringify(long), { result: long }],
  ['its one value', long, { result: long }],
])('a text that is %s and structured content are kept in one file', async (_, text, structuredContent) => {
  const result = { content: [{ type: 'text', text }], structuredContent };
  const draft = await spool.begin({ kind: 'tool' });
  const { kept } = await keep(await takeIn(Buffer.from(JSON.stringify(result)), draft, { textChars: 1000 }));
  if ('reason' in kept) throw new Error(kept.reason);
  const large = new Set(kept.parts.filter(({ bytes }) => bytes > 5000).map(({ path }) => path));
  expect(large.size).toBe(1);
  expect(await restore(kept)).toEqual(result);
  const [key = ''] = Object.keys(structuredContent);
  const { text: selected } = await selectIn(
    kept,
    { path: `/structuredContent/${key}`, from: 0, count: 2 },
    10_000,
  );
  expect(selected).toContain(typeof structuredContent[key as never] === 'string' ? 'th' : '"row 1"');
});

test('a text behind a byte order mark does not stand for structured content', async () => {
  const text = `\ufeff${JSON.stringify({ rows })}`;
  const result = { content: [{ type: 'text', text }], structuredContent: { rows } };
  const draft = await spool.begin({ kind: 'tool' });
  const { kept } = await keep(await takeIn(Buffer.from(JSON.stringify(result)), draft, { textChars: 1000 }));
  if ('reason' in kept) throw new Error(kept.reason);
  expect(await restore(kept)).toEqual(result);
});
