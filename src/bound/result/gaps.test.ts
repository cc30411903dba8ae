import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callReader } from '../../read/tools.ts';
import { openSpool } from '../../spool/spool.ts';
import { bound, boundResult } from '../bound.ts';
import { type Facts, META_KEY, type PlacedGap } from '../facts.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-gaps-'));
const spool = openSpool({ folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readers = { tools: { read: 'plimsoll_read', select: 'plimsoll_select' }, paths: false };
const lines = (of: (line: number) => string) =>
  Array.from({ length: 3000 }, (_, line) => of(line)).join('\n');
const LOG = lines(
  (line) => `12:00:00 ${line % 500 === 250 ? `ERROR ${line} failed: é` : `INFO ${line} done`}`,
);
const HUNKS = lines((line) => `@@ -${line * 9 + 1},1 +${line * 9 + 1},1 @@\n-old ${line}\n+new ${line}`);
const DIFF = `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${HUNKS}\n`;
const PROSE = Array.from({ length: 900 }, (_, index) => `sentence ${index} of a text.`).join(' ');

/** What a call of a reader shows, without its first line. */
async function shown(call: string, count?: number): Promise<string> {
  const [name = '', json = ''] = call.split(/ (?=\{)/);
  const answer = await callReader(spool, name, { ...JSON.parse(json), count }, { chars: 1_000_000 });
  expect(answer.isError).toBeUndefined();
  const [{ text } = { text: '' }] = answer.content;
  return text.slice(text.indexOf('\n') + 1);
}

const number = (figure = '') => Number(figure.replaceAll(',', ''));

function factsOf(result: object): Facts {
  return (result as { _meta: Record<string, Facts> })._meta[META_KEY] as Facts;
}

test.each([
  ['a log', LOG],
  ['a diff', DIFF],
  ['lines', lines((line) => `a line, ${line}, of prose`)],
])('each gap of %s says where it is and how to read on, and just that is missing', async (_, whole) => {
  const result = await boundResult(
    { content: [{ type: 'text', text: whole }] },
    { limit: 12_000, spool, readers },
  );
  const text = result.content[0]?.text ?? '';
  const said = [
    ...text.matchAll(
      /^\[… .*left out.*?: characters ([\d,]+) to ([\d,]+) of [\d,]+, lines ([\d,]+) to ([\d,]+)\. Read on: (plimsoll_read \{.*?\})/gm,
    ),
  ];
  const { gaps } = factsOf(result);
  expect(said).toHaveLength(gaps.length);
  for (const [index, [, from, to, first, last, call = '']] of said.entries()) {
    const gap = gaps[index] as PlacedGap;
    const missing = whole.slice(gap.from, gap.to);
    expect(await shown(call, number(to) - number(from) + 1)).toBe(missing);
    expect([number(from), number(to)]).toEqual([gap.from, gap.to - 1]);
    const missingLines = whole.split('\n').slice(number(first) - 1, number(last));
    expect(missingLines.join('\n')).toContain(missing.trim());
    expect(missingLines).toHaveLength((gap.lines?.to ?? 0) - (gap.lines?.from ?? 0));
  }
});

test('where there is no room for all calls, each gap says at least where it is', async () => {
  const result = await boundResult(
    { content: [{ type: 'text', text: LOG }] },
    { limit: 4_000, spool, readers },
  );
  const text = result.content[0]?.text ?? '';
  const { gaps } = factsOf(result);
  const ranges = [...text.matchAll(/^\[… .*left out.*?: (?:characters )?([\d,]+) to ([\d,]+)/gm)];
  expect(ranges.map(([, from, to]) => [number(from), number(to) + 1])).toEqual(
    gaps.map(({ from, to }) => [from, to]),
  );
  expect(gaps.length).toBeGreaterThan(2);
});

const rows = Array.from({ length: 400 }, (_, id) => ({ id, note: `some words about ${id}` }));
const DATA = { name: 'a/b', 'a~b': { rows }, prose: 'many words of prose '.repeat(400) };

/** What stands at a JSON pointer. */
function at(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((held, key) => {
    return (held as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }, value);
}

/** What a gap of a value leads to: by its pointer in the whole, and then within JSON that stands there as text. */
function missingIn(whole: unknown, { at: pointer, within, from, to, unit }: PlacedGap): unknown {
  const outer = at(whole, pointer);
  const value = within === undefined ? outer : at(JSON.parse(String(outer)), within);
  if (unit === 'chars') return String(value).slice(from, to);
  return unit === 'items'
    ? (value as unknown[]).slice(from, to)
    : Object.entries(value as object).slice(from, to);
}

test.each([
  ['structured content', { content: [], structuredContent: DATA }],
  ['a text that is JSON', { content: [{ type: 'text', text: JSON.stringify(DATA) }] }],
  ['a text that is a JSON string', { content: [{ type: 'text', text: JSON.stringify(LOG) }] }],
  ['a block of an unknown kind', { content: [{ type: 'hologram', data: DATA }] }],
  [
    'a text that is JSON, and structured content that is this text',
    {
      content: [{ type: 'text', text: JSON.stringify(DATA) }],
      structuredContent: { result: JSON.stringify(DATA) },
    },
  ],
])('the pointers in `_meta` lead from the root of %s to what is missing', async (_, value) => {
  const result = await boundResult(value, { limit: 6_000, spool, readers });
  const { gaps } = factsOf(result);
  expect(gaps.length).toBeGreaterThan(1);
  for (const gap of gaps) {
    const missing = missingIn(value, gap);
    if (gap.unit === 'chars') expect(missing).toHaveLength(gap.chars);
    else expect((missing as unknown[]).length).toBe(gap.to - gap.from);
    expect(gap.to).toBeLessThanOrEqual(gap.of);
  }
});

test('data that is left out whole is a gap from its first entry to its last', async () => {
  const value = {
    content: [{ type: 'text', text: LOG }],
    structuredContent: { key: 'k'.repeat(9000), ids: [1] },
  };
  const outputSchema = {
    type: 'object',
    properties: { key: { type: 'string', pattern: '^k{9000}$' } },
    required: ['key', 'ids'],
  };
  const result = await boundResult(value, { limit: 6_000, spool, readers, outputSchema });
  expect(result.structuredContent).toBeUndefined();
  const gap = factsOf(result).gaps.find(({ at }) => at === '/structuredContent') as PlacedGap;
  const chars = JSON.stringify(value.structuredContent).length;
  expect(gap).toEqual({
    at: '/structuredContent',
    unit: 'entries',
    from: 0,
    to: 2,
    of: 2,
    chars,
    bytes: chars,
  });
  expect(missingIn(value, gap)).toEqual(Object.entries(value.structuredContent));
});

test('of a block of an unknown kind only what does not stay is a gap', async () => {
  const _meta = { note: 'n'.repeat(700) };
  const block = { type: 'hologram', a: 'a'.repeat(900), _meta, b: 'b'.repeat(900), c: LOG };
  const value = { content: Array.from({ length: 6 }, () => block) };
  const result = await boundResult(value, { limit: 8_000, spool, readers });
  const { gaps } = factsOf(result);
  expect(gaps).toHaveLength(12);
  for (const [index, shownBlock] of result.content.slice(0, 6).entries()) {
    const { _plimsoll: words, ...fields } = shownBlock as typeof block & { _plimsoll?: string };
    expect(fields).toEqual({ type: 'hologram', _meta });
    const missing = gaps
      .filter(({ at }) => at === `/content/${index}`)
      .flatMap((gap) => missingIn(value, gap));
    expect(Object.fromEntries(missing as [string, unknown][])).toEqual({ a: block.a, b: block.b, c: LOG });
    expect(words).toContain('left out 3 of 5 entries: 1 to 1, 3 to 4, counted from 0');
  }
});

test('the pointers of a text that is no result lead into its JSON', async () => {
  const { facts } = await bound(JSON.stringify(DATA), { limit: 3_000, spool });
  expect(facts?.gaps.map((gap) => gap.at)).toEqual(facts?.gaps.map(() => ''));
  for (const gap of facts?.gaps ?? []) {
    const missing = missingIn(JSON.stringify(DATA), { ...gap, at: '' });
    expect((missing as string | unknown[]).length).toBe(gap.to - gap.from);
  }
});

test('a list tells with both ends which of its items are missing, and a long string how to read on', async () => {
  const text = JSON.stringify({ ...DATA, rows: rows.map(({ id }) => id * 1_000_000) });
  const result = await boundResult({ content: [{ type: 'text', text }] }, { limit: 6_000, spool, readers });
  const json = JSON.parse(result.content[0]?.text ?? '');
  const ofList = json.rows.findIndex((item: unknown) => typeof item === 'string');
  const [, from, to] = /: (\d+) to (\d+), counted from 0, of 400 …\]$/.exec(json.rows[ofList]) ?? [];
  expect(json.rows[ofList - 1]).toBe((Number(from) - 1) * 1_000_000);
  expect(json.rows[ofList + 1]).toBe((Number(to) + 1) * 1_000_000);
  const [, first, last, call = ''] =
    /left out: characters ([\d,]+) to ([\d,]+) of [\d,]+\. Read on: (plimsoll_select \{.*?\})/.exec(
      json.prose,
    ) ?? [];
  expect(await shown(call, number(last) - number(first) + 1)).toBe(
    DATA.prose.slice(number(first), number(last) + 1),
  );
});

test('blocks that are left out are told with both ends', async () => {
  const content = Array.from({ length: 100 }, (_, block) => ({
    type: 'text',
    text: `block ${block} ${'word '.repeat(80)}`,
  }));
  const result = await boundResult({ content }, { limit: 6_000, spool, readers });
  const text = result.content.map((block) => block.text).join('\n');
  const [, from, to] = /blocks left out here: (\d+) to (\d+), counted from 0, of 100/.exec(text) ?? [];
  expect(text).toContain(`block ${Number(from) - 1} `);
  expect(text).not.toContain(`block ${from} `);
  expect(text).not.toContain(`block ${to} `);
  expect(text).toContain(`block ${Number(to) + 1} `);
});

test.each([
  ['an object', { type: 'text', text: LOG }, '/content/text'],
  ['a text', LOG, '/content'],
  ['a list with a text in it', [LOG], '/content/0'],
])('content that is %s is shown as what it is, counted, and read back', async (_, content, pointer) => {
  const result = await boundResult<{ content: unknown }>({ content }, { limit: 6_000, spool, readers });
  const [block] = result.content as [{ type: string; text: string }];
  expect(block).toMatchObject({ type: 'text', text: expect.stringContaining('12:00:00 INFO 0 done') });
  const { of, left, gaps } = factsOf(result);
  expect(of).toEqual({ chars: LOG.length, blocks: 1 });
  expect(left.blocks).toBe(0);
  expect(gaps[0]?.at).toBe(pointer);
  const [, call = ''] = /Read on: (plimsoll_select \{.*?\})/.exec(block.text) ?? [];
  expect(LOG.startsWith(await shown(call, 500), gaps[0]?.from)).toBe(true);
});

test.each([[LOG], [[LOG]]])('lines are counted in texts that are no blocks', async (content) => {
  const limit = '1000000,60lines';
  const result = await boundResult<{ content: unknown }>({ content }, { limit, spool, readers });
  const [block] = result.content as [{ text: string }];
  expect(block.text.split('\n').length).toBeLessThanOrEqual(60);
});

test.each([
  ['an object without a type', Object.fromEntries(rows.map(({ id, note }) => [`key ${id}`, note])), 1],
  ['a number', 7, 1],
  ['null', null, 0],
  ['missing', undefined, 0],
])('content that is %s is counted, and what else there is is shown', async (_, content, blocks) => {
  const value = { ...(content !== undefined && { content }), structuredContent: { rows } };
  const result = await boundResult<{ structuredContent: { rows: unknown[] } }>(value, {
    limit: 5_000,
    spool,
    readers,
  });
  expect(factsOf(result).of.blocks).toBe(blocks);
  expect(factsOf(result).left.chars).toBeGreaterThan(1000);
  expect(result.structuredContent.rows.length).toBeGreaterThan(5);
  if (blocks === 0) expect(JSON.stringify(result)).not.toContain('0 of 0');
  if (typeof content === 'object' && content) expect(JSON.stringify(result)).toContain('"key 0"');
});

test.each([
  ['description', (long: string) => ({ description: long })],
  ['extra/big', (long: string) => ({ extra: { big: long } })],
  ['_meta/note', (long: string) => ({ _meta: { note: long } })],
])('the call for a cut /%s leads there, though a text beside it is JSON', async (path, fieldsOf) => {
  const text = JSON.stringify({ description: 'other '.repeat(900), extra: { big: 'other '.repeat(900) } });
  const result = await boundResult(
    { ...fieldsOf(PROSE), content: [{ type: 'text', text }] },
    { limit: 8_000, spool, readers },
  );
  const said = JSON.stringify(result).replaceAll('\\\\\\"', '"').replaceAll('\\"', '"');
  const calls = [...said.matchAll(/plimsoll_select \{[^{}]*?"path":"([^"]*)","from":(\d+)\}/g)];
  const own = calls.filter(([call, to]) => to === `/${path}` && !call.includes('"part":"1"'));
  expect(own.length).toBeGreaterThan(0);
  for (const [call, , from] of own) expect(PROSE.startsWith(await shown(call, 300), Number(from))).toBe(true);
});

test('no more than twelve gaps are told, and how many there are', async () => {
  const content = Array.from({ length: 20 }, () => ({ type: 'text', text: PROSE }));
  const { gaps, gapCount } = factsOf(await boundResult({ content }, { limit: 40_000, spool, readers }));
  expect(gapCount).toBe(20);
  expect(gaps.map(({ at }) => at)).toEqual(
    Array.from({ length: 12 }, (_, block) => `/content/${block}/text`),
  );
});
