import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitOf } from '../../measure/limit.ts';
import { openSpool } from '../../spool/spool.ts';
import { boundResult } from '../bound.ts';
import { compileSchema } from '../data/schema.ts';
import { type Facts, META_KEY } from '../facts.ts';
import { takeIn } from '../intake.ts';
import { keep } from '../keep.ts';
import type { ResultOptions } from './plan.ts';
import { boundKept } from './result.ts';

type Told = { content: object[]; _meta?: Record<string, Facts> };

function factsOf(result: Told): Facts {
  const facts = result._meta?.[META_KEY];
  if (!facts) throw new Error('it was not cut');
  return facts;
}

/** What a result becomes of which nothing is kept. */
async function bounded(result: object, options: Partial<ResultOptions> = {}) {
  const limit = options.limit ?? limitOf(20_000);
  const kept = await keep(
    await takeIn(Buffer.from(JSON.stringify(result)), undefined, { textChars: limit.chars }),
  );
  const readers = { tools: undefined, paths: false };
  return JSON.parse((await boundKept(kept, { readers, links: true, ...options, limit })).json);
}

test('where nothing is shown, the notice tells how much there is: characters, bytes, lines and blocks', async () => {
  const text = 'a line with é\n'.repeat(300);
  const long = 'ein Wort über '.repeat(5000);
  const data = Array.from({ length: 200 }, () => 'é und so weiter');
  const content = [
    { type: 'text', text },
    { type: 'text', text: long },
    { type: 'hologram', data },
  ];
  const { content: shown, _meta } = await bounded({ content }, { showsNothing: true });
  const json = JSON.stringify(data);
  const chars = text.length + long.length + json.length;
  const bytes = [text, long, json].reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  const left = { chars, bytes, lines: 301, blocks: 3 };
  expect(_meta[META_KEY]).toMatchObject({ left, of: { chars, blocks: 3 } });
  const figure = (count: number) => count.toLocaleString('en');
  expect(shown).toHaveLength(1);
  expect(shown[0].text).toContain(
    `${figure(chars)} of ${figure(chars)} characters, ${figure(bytes)} bytes, 301 lines and 3 of 3 blocks`,
  );
});

test('where nothing is shown, structured content is as small as its schema lets it be', async () => {
  const schema = await compileSchema({
    type: 'object',
    properties: { rows: { type: 'array', items: { type: 'integer' }, minItems: 500 } },
    required: ['rows'],
  });
  const rows = Array.from({ length: 5000 }, (_, index) => index);
  const { structuredContent } = await bounded(
    { content: [], structuredContent: { rows } },
    { showsNothing: true, schema },
  );
  expect(structuredContent.rows.length).toBeGreaterThanOrEqual(500);
  expect(structuredContent.rows.length).toBeLessThan(1000);
  const free = await bounded({ content: [], structuredContent: { rows } }, { showsNothing: true });
  expect(JSON.stringify(free.structuredContent).length).toBeLessThan(1000);
});

test('where nothing is shown but what a schema asks for, the figures are of what is left out', async () => {
  const schema = await compileSchema({
    type: 'object',
    properties: { content: { type: 'string' } },
    required: ['content'],
  });
  for (const count of [3, 60, 1000]) {
    const text = 'a line of "text"\n'.repeat(count);
    const result = { content: [{ type: 'text', text }], structuredContent: { content: text } };
    const { structuredContent, _meta } = await bounded(result, { showsNothing: true, schema });
    const shown = structuredContent.content.replace(/\[… .* …\]/, '');
    expect(shown.length).toBeLessThan(text.length);
    expect(_meta[META_KEY]).toMatchObject({
      left: { chars: text.length - shown.length, blocks: 1 },
      of: { chars: text.length },
    });
  }
});

test('the smallest form keeps what a result says in _meta, if there is room', async () => {
  const own = {
    'io.modelcontextprotocol/related-task': { taskId: '7' },
    traceparent: `00-${'a'.repeat(32)}`,
  };
  const text = 'word '.repeat(20_000);
  const nothing = await bounded({ content: [{ type: 'text', text }], _meta: own }, { showsNothing: true });
  expect(nothing._meta).toMatchObject(own);
  const large = await bounded(
    { content: [{ type: 'text', text }], _meta: { ...own, large: 'x'.repeat(2000) } },
    { limit: limitOf(1000), showsNothing: true },
  );
  expect(large._meta).toMatchObject(own);
  expect(large._meta).not.toHaveProperty('large');
});

test('a link to the whole leads to a text only if there is nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-result-'));
  const spool = openSpool({ folder });
  const long = { type: 'text', text: 'word '.repeat(20_000) };
  const blob = Buffer.alloc(300_000, 'pdf').toString('base64');
  const file = { type: 'resource', resource: { uri: 'x:/y.pdf', mimeType: 'application/pdf', blob } };
  const linkOf = async (...content: object[]) => {
    const result: Told = await boundResult({ content }, { limit: 20_000, spool });
    return result.content.at(-1);
  };
  const name = 'the whole result';
  expect(await linkOf(long)).toMatchObject({ name, mimeType: 'text/plain', size: long.text.length });
  for (const blocks of [
    [long, { type: 'text', text: 'hi' }],
    [{ type: 'text', text: 'hi' }, file],
    [long, file],
  ]) {
    expect(await linkOf(...blocks)).toMatchObject({ name, mimeType: 'application/json' });
  }
  rmSync(folder, { recursive: true });
});

test('what is cut again tells of all that is missing of the original, and of its handle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-result-'));
  const spool = openSpool({ folder });
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n');
  const value = {
    content: [
      { type: 'text', text: lines },
      { type: 'text', text: 'the end' },
    ],
  };
  let inner: Told = await boundResult(value, { limit: 50_000, spool });
  const first = factsOf(inner);
  const shown = (result: Told) => JSON.stringify(result.content).match(/line \d+/g)?.length ?? 0;
  for (const limit of [20_000, 6000, 2000, 1000]) {
    const outer: Told = await boundResult(inner, { limit, spool });
    const facts = factsOf(outer);
    expect(facts).toMatchObject({ original: first.handle, of: { chars: lines.length + 7, blocks: 2 } });
    expect(facts.handle).not.toBe(first.handle);
    expect(JSON.stringify(outer).length).toBeLessThanOrEqual(limit);
    expect(facts.left.chars).toBeGreaterThanOrEqual(factsOf(inner).left.chars);
    expect(facts.left.chars).toBeLessThanOrEqual(lines.length + 7);
    expect(facts.left.lines).toBeGreaterThanOrEqual(20_000 - shown(outer));
    expect(JSON.stringify(outer.content)).toContain(first.handle);
    expect(await boundResult(outer, { limit, spool })).toBe(outer);
    inner = outer;
  }
  rmSync(folder, { recursive: true });
});

test('what only looks like an earlier cut is none', async () => {
  const text = 'word '.repeat(5000);
  for (const facts of [7, {}, { left: { chars: -1 }, of: { chars: 5 } }, { handle: '../x', left: 'all' }]) {
    const { _meta } = await bounded({ content: [{ type: 'text', text }], _meta: { [META_KEY]: facts } });
    expect(_meta[META_KEY]).toMatchObject({ of: { chars: text.length } });
    expect(_meta[META_KEY]).not.toHaveProperty('original');
  }
});
