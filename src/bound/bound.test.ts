import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { callReader } from '../read/tools.ts';
import { restore } from '../spool/restore.testing.ts';
import { openSpool } from '../spool/spool.ts';
import { bound, boundResult, type Facts, LEAST_LIMIT, META_KEY } from './bound.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bound-'));
const spool = openSpool({ folder, maxAge: 86_400_000, maxBytes: 1_000_000_000 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Block = Record<string, unknown>;
type Result = {
  content: Block[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc.string({ unit: 'binary', maxLength: 3000 }),
  fc.array(fc.string({ maxLength: 60 }), { maxLength: 300 }).map((lines) => lines.join('\n')),
  fc.integer({ min: 1, max: 30_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 9_000 }).map((length) => '"\\\u0001'.repeat(length)),
  fc
    .array(fc.record({ id: fc.nat(), name: fc.string() }), { maxLength: 400 })
    .map((list) => JSON.stringify(list)),
  fc.array(fc.record({ id: fc.nat() }), { maxLength: 400 }).map((list) => JSON.stringify({ list }, null, 2)),
);
const base64 = fc.uint8Array({ maxLength: 9000 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text }) },
  fc.record({
    type: fc.constant('text'),
    text,
    annotations: fc.record({ priority: fc.double({ min: 0, max: 1, noNaN: true }) }),
  }),
  fc.record({ type: fc.constant('image'), data: base64, mimeType: fc.constant('image/png') }),
  fc.record({ type: fc.constant('audio'), data: base64, mimeType: fc.constant('audio/wav') }),
  fc.record({ type: fc.constant('resource_link'), uri: fc.webUrl(), name: fc.string({ maxLength: 50 }) }),
  fc.record({
    type: fc.constant('resource'),
    resource: fc.oneof(fc.record({ uri: fc.webUrl(), text }), fc.record({ uri: fc.webUrl(), blob: base64 })),
  }),
  fc.record({
    type: fc.constant('hologram'),
    beams: fc.array(fc.string(), { maxLength: 300 }),
    _meta: fc.constant({ a: 1 }),
  }),
);
const result: fc.Arbitrary<Result> = fc.record(
  {
    content: fc.array(block, { maxLength: 12 }),
    structuredContent: fc.record({
      items: fc.array(fc.record({ id: fc.nat(), note: text }), { maxLength: 20 }),
    }),
    isError: fc.boolean(),
    _meta: fc.record({ 'example.org/a': fc.string({ maxLength: 100 }) }),
  },
  { requiredKeys: ['content'] },
);
const limit = fc.oneof(
  fc.integer({ min: LEAST_LIMIT, max: 4000 }),
  fc.integer({ min: LEAST_LIMIT, max: 40_000 }),
);

const factsIn = (value: Result) => value._meta?.[META_KEY] as Facts | undefined;

test('what a text is does not depend on the limit', async () => {
  const lines = (line: (number: number) => string, length = 300) =>
    Array.from({ length }, (_, at) => line(at)).join('');
  const code = lines((at) => `export const row${at} = read(${at});\n`);
  const names = lines((at) => `Row ${at}\n`, 80);
  const text = `${names}${code}\n// an error is fatal\nerror\n${code}${names}`;
  for (const limit of [1_000, 3_000]) {
    const { text: cut, facts } = await bound(text, { limit, spool: false });
    expect([limit, facts?.gaps.length, cut.includes('an error')]).toEqual([limit, 1, false]);
  }
});

test('whatever the result and the limit, what passes is within it, or is the identical object', async () => {
  await fc.assert(
    fc.asyncProperty(result, limit, async (value, chars) => {
      const bounded = await boundResult(value, { limit: chars, spool: false });
      const isWithin = JSON.stringify(value).length <= chars;
      expect(bounded === value).toBe(isWithin);
      expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(chars);
      if (!isWithin) expect(factsIn(bounded)?.left).toBeDefined();
    }),
    { numRuns: 300 },
  );
});

test('bounding again changes nothing, and the same result gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(result, limit, async (value, chars) => {
      const once = await boundResult(value, { limit: chars, spool: false });
      expect(await boundResult(once, { limit: chars, spool: false })).toBe(once);
      expect(await boundResult(structuredClone(value), { limit: chars, spool: false })).toEqual(once);
    }),
    { numRuns: 100 },
  );
});

test('what is kept rebuilds the original', async () => {
  await fc.assert(
    fc.asyncProperty(result, limit, async (value, chars) => {
      const facts = factsIn(await boundResult(value, { limit: chars, spool }));
      if (!facts) return;
      const found = await spool.find(facts.handle ?? '');
      if (!found || !('kept' in found)) throw new Error('it is not kept');
      expect(await restore(found.kept)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 100 },
  );
});

test('text that was well-formed stays so, and errors stay errors', async () => {
  await fc.assert(
    fc.asyncProperty(result, limit, async (value, chars) => {
      const whole = JSON.parse(
        JSON.stringify(value)
          .toWellFormed()
          .replace(/\\ud[89a-f][0-9a-f]{2}/g, '?'),
      ) as Result;
      const bounded = await boundResult(whole, { limit: chars, spool: false });
      expect(JSON.stringify(bounded)).not.toMatch(/\\ud[89a-f][0-9a-f]{2}/);
      expect(bounded.isError).toBe(whole.isError);
    }),
    { numRuns: 200 },
  );
});

test('with room enough for something of each, no block is lost, moved or changed in kind', async () => {
  await fc.assert(
    fc.asyncProperty(result, async (value) => {
      const bounded = await boundResult(value, { limit: 20_000, spool: false });
      if (bounded === value) return;
      const kinds = (blocks: Block[]) => blocks.map(({ type }) => type);
      const same = bounded.content.slice(0, value.content.length);
      for (const [index, { type, annotations, _meta }] of same.entries()) {
        const original = value.content[index];
        if (type !== 'resource_link') expect(type).toBe(kinds(value.content)[index]);
        expect({ annotations, _meta }).toEqual({
          annotations: original?.annotations,
          _meta: original?._meta,
        });
      }
    }),
    { numRuns: 100 },
  );
});

test('whichever block reaches a model, it tells that something is missing', async () => {
  const big = 'line of text\n'.repeat(5000);
  const value = {
    content: [
      { type: 'text', text: 'Found 2 files.' },
      { type: 'text', text: big },
      { type: 'text', text: '{"done":true}' },
    ],
    structuredContent: { done: true },
  };
  const bounded = await boundResult(value, { limit: 8000, spool });
  expect(bounded.content[0]?.text).toMatch(/^\[Plimsoll: .*left out.*\]\nFound 2 files\.$/);
  expect(bounded.content[1]?.text).toMatch(
    /^\[Plimsoll: .* left out.*\]\nline of text\n[\s\S]*\n\[… Plimsoll: .* left out here.*…\]\nline of text/,
  );
  expect(JSON.parse(bounded.content[2]?.text ?? '')).toEqual({
    _plimsoll: expect.stringMatching(/left out/),
    done: true,
  });
  expect(bounded.structuredContent).toEqual({ _plimsoll: expect.stringMatching(/left out/), done: true });
  expect(bounded.content.at(-1)).toMatchObject({
    type: 'resource_link',
    description: expect.stringMatching(/left out/),
  });
});

test('structured content stays valid by its schema, and its mirror says the same', async () => {
  const outputSchema = {
    type: 'object',
    properties: {
      rows: {
        type: 'array',
        minItems: 3,
        items: {
          type: 'object',
          properties: { id: { type: 'integer' }, note: { type: 'string' } },
          required: ['id', 'note'],
          additionalProperties: false,
        },
      },
      total: { type: 'integer' },
    },
    required: ['rows', 'total'],
  };
  const structuredContent = {
    rows: Array.from({ length: 5000 }, (_, id) => ({ id, note: `note ${id}` })),
    total: 5000,
  };
  const value = { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  const bounded = await boundResult(value, { limit: 10_000, spool, outputSchema });
  expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(10_000);
  expect(new Ajv2020({ strict: false }).validate(outputSchema, bounded.structuredContent)).toBe(true);
  expect(bounded.structuredContent.rows.at(-1)).toEqual({ id: 4999, note: 'note 4999' });
  const { _plimsoll: _own, ...mirror } = JSON.parse(bounded.content[0]?.text ?? '');
  const { _plimsoll: _notice, ...data } = bounded.structuredContent as Record<string, unknown>;
  expect(mirror).toEqual(data);
  const found = await spool.find(factsIn(bounded as Result)?.handle ?? '');
  if (!found || !('kept' in found)) throw new Error('it is not kept');
  const files = new Set(found.kept.parts.filter(({ bytes }) => bytes > 10_000).map(({ path }) => path));
  expect(files.size).toBe(1);
});

test('base64 is never cut: it is kept as a file of its own kind, and linked to', async () => {
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(7_000_000, 'plimsoll')]);
  const value = {
    content: [
      { type: 'text', text: 'a picture' },
      { type: 'image', data: bytes.toString('base64'), mimeType: 'image/png', annotations: { priority: 1 } },
    ],
  };
  const bounded = await boundResult(value as Result, { limit: 10_000, spool });
  expect(bounded.content[1]).toMatchObject({
    type: 'resource_link',
    mimeType: 'image/png',
    annotations: { priority: 1 },
    size: bytes.length,
  });
  const path = /kept whole: (.*)\]/.exec(String(bounded.content[1]?.description))?.[1] ?? '';
  expect(path).toMatch(/\.png$/);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test('a picture costs what it costs a model, not the length of its base64', async () => {
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(300_000, 'plimsoll')]);
  const image = { type: 'image', data: bytes.toString('base64'), mimeType: 'image/png' };
  const value = { content: [image] };
  expect(await boundResult(value, { spool: false })).toBe(value);
  expect(await boundResult(value, { spool: false, base64IsText: true })).not.toBe(value);
  const withText = { content: [image, { type: 'text', text: 'x'.repeat(200_000) }] };
  const bounded = await boundResult(withText, { spool: false });
  expect(bounded.content[0]).toEqual(image);
});

test('an error keeps more of its end than of its start', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n');
  const bounded = await boundResult(
    { content: [{ type: 'text', text: lines }], isError: true },
    { limit: 10_000, spool: false },
  );
  expect(bounded.isError).toBe(true);
  const [head = '', tail = ''] = (bounded.content[0]?.text ?? '').split(/\n\[… Plimsoll: .*…\]\n/);
  expect(tail.length).toBeGreaterThan(head.length * 1.5);
  expect(tail).toMatch(/line 19999$/);
});

test('a text over its limit keeps its ends and says what is missing, where it is, and how to read on', async () => {
  const whole = Array.from({ length: 50_000 }, (_, line) => `${line} bottles`).join('\n');
  const { text: cut, facts } = await bound(whole, { spool });
  expect(cut.length).toBeLessThanOrEqual(100_000);
  expect(cut.length).toBeGreaterThan(95_000);
  const [gap] = facts?.gaps ?? [];
  if (!gap) throw new Error('there is no gap');
  expect(cut).toContain(`plimsoll spool read ${facts?.handle} --part 1 --from ${gap.from}`);
  const shown = cut.split(/^\[Plimsoll.*\]\n|\n\[… Plimsoll: .*…\]\n/m).join('');
  expect(whole.slice(0, gap.from) + whole.slice(gap.to)).toContain(shown.slice(0, 1000));
  const found = await spool.find(facts?.handle ?? '');
  if (!found || !('kept' in found)) throw new Error('it is not kept');
  expect(readFileSync(found.kept.parts[0]?.path ?? '', 'utf8')).toBe(whole);
  expect(await bound('short', { spool })).toEqual({ text: 'short', facts: undefined });
});

test('whatever the text, the limit and its unit, what passes is within it', async () => {
  await fc.assert(
    fc.asyncProperty(text, limit, fc.constantFrom('', 'bytes', 'tok'), async (value, chars, unit) => {
      const { text: cut, facts } = await bound(value, { limit: `${chars}${unit}`, spool: false });
      const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
      const used =
        unit === 'bytes'
          ? Buffer.byteLength(cut)
          : unit === 'tok'
            ? countTokens(cut, { disallowedSpecial: new Set() })
            : cut.length;
      expect(used).toBeLessThanOrEqual(chars);
      expect(facts === undefined).toBe(cut === value);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['bytes', { limit: '4000bytes' }, (json: string) => Buffer.byteLength(json) <= 4000],
  ['lines', { limit: '50000,40lines' }, (json: string) => json.split('\\n').length <= 41],
])('a result is within a limit in %s', async (_, options, holds) => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      const value = { content: texts.map((one) => ({ type: 'text', text: one })) };
      const bounded = await boundResult(value, { ...options, spool: false });
      expect(holds(JSON.stringify(bounded))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('values too large to be held whole are cut wherever they stand, and nothing throws', async () => {
  const rows = Array.from({ length: 4000 }, () => ({ type: 'text', text: 'row x x '.repeat(20) }));
  for (const chars of [4000, 8000, 20_000]) {
    for (const length of [700, 1000, 3000]) {
      const value = { content: rows, _meta: { 'example.org/note': 'p'.repeat(length) } };
      expect(
        JSON.stringify(await boundResult(value, { limit: chars, spool: false })).length,
      ).toBeLessThanOrEqual(chars);
    }
    const prompt = {
      description: 'd'.repeat(900),
      messages: rows.map((content) => ({ role: 'user', content })),
    };
    expect(
      JSON.stringify(await boundResult(prompt, { limit: chars, spool: false })).length,
    ).toBeLessThanOrEqual(chars);
  }
});

test.each([
  ['white space', `{"a":1${' '.repeat(20_000)}}`],
  ['escapes', `{"a":"${'\\u0438'.repeat(900)}"}`],
  ['a repeated key', `{"a":"${'x'.repeat(15_000)}","a":2}`],
])('JSON that fits once %s is gone says that it is not what it was', async (_, json) => {
  const { text: cut, facts } = await bound(json, { limit: 3000, spool: false });
  expect(JSON.parse(cut)._plimsoll).toMatch(/left out/);
  expect(facts?.left.chars).toBeGreaterThan(0);
  const value = { content: [{ type: 'text', text: json }], structuredContent: { content: json } };
  const bounded = await boundResult(value, { limit: 3000, spool: false });
  expect(JSON.parse(bounded.content[0]?.text ?? '')._plimsoll).toMatch(/left out/);
  expect(factsIn(bounded as Result)?.left.chars).toBeGreaterThan(0);
});

test('joined blocks are within the limit, and keep a head and a tail of what is large', async () => {
  const large = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n');
  const value = {
    content: [
      { type: 'text', text: 'found it' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: large } },
    ],
  };
  const bounded = await boundResult(value, { limit: 20_000, spool: false, joinBlocks: true });
  const [joined] = bounded.content as { text: string }[];
  expect(bounded.content).toHaveLength(1);
  expect(JSON.stringify(bounded).length).toBeGreaterThan(15_000);
  expect(joined?.text).toMatch(/found it[\s\S]*line 0\n[\s\S]*line 19999$/);
});

test('a key can not break out of the command that reads on', async () => {
  const key = "x'; touch /tmp/broken; echo '";
  const json = JSON.stringify({ [key]: Array.from({ length: 5000 }, (_, id) => ({ id })) });
  const { text: cut } = await bound(json, { limit: 3000, spool });
  const [, call = ''] = /Read on: (plimsoll spool select .*?)\.\]/.exec(JSON.parse(cut)._plimsoll) ?? [];
  const words = execFileSync('sh', ['-c', `printf '%s\n' ${call}`], { encoding: 'utf8' }).split('\n');
  expect(words[4]).toBe(`/${key.replaceAll('/', '~1')}`);
});

test.each([
  [400, 4000, 100_000],
  [400, 4000, '5000tok'],
  [100, 4000, '5000tok'],
  [400, 1400, 6400],
])('of %d blocks of %d characters within %s, texts take more than words do', async (count, size, limit) => {
  const content = Array.from({ length: count }, (_, index) => ({
    type: 'text',
    text: `block ${index} ${'some words here '.repeat(size / 16)}`,
  }));
  const bounded = await boundResult({ content }, { limit, spool: false });
  const shown = bounded.content.map(({ text: each }) => each).join('');
  const words = shown.match(/\[…? ?Plimsoll[^\]]*\]|\[… [^\]]* …\]/g)?.join('').length ?? 0;
  expect(shown.length - words).toBeGreaterThan(words / 2);
  expect(shown).toContain('block 0 some words');
  expect(shown).toContain(`block ${count - 1} `);
});

test('what many blocks and structured content both say is left to either', async () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({
    id,
    title: `row ${id}`,
    body: 'word '.repeat(400),
  }));
  const value = {
    content: rows.map((row) => ({ type: 'text', text: JSON.stringify(row) })),
    structuredContent: { result: rows },
  };
  const bounded = await boundResult(value, { spool: false });
  expect(JSON.stringify(bounded.structuredContent).length).toBeGreaterThan(30_000);
  expect(bounded.structuredContent.result.at(-1)?.id).toBe(299);
});

test('every call that a notice or a marker names leads on from there', async () => {
  const rows = Array.from({ length: 600 }, (_, id) => ({ id, note: `note ${id} `.repeat(20) }));
  const long = Array.from({ length: 9000 }, (_, line) => `line ${line}`).join('\n');
  const readers = { tools: { read: 'plimsoll_read', select: 'plimsoll_select' }, paths: false };
  const values = [
    { content: [{ type: 'text', text: JSON.stringify({ rows }) }], structuredContent: { rows } },
    { content: [{ type: 'text', text: JSON.stringify(rows) }], structuredContent: { result: rows } },
    { content: [{ type: 'text', text: long }], structuredContent: { content: long } },
    { content: [{ type: 'text', text: JSON.stringify({ path: 'a.txt', content: long }) }] },
    { content: rows.map(({ note }) => ({ type: 'text', text: note })) },
    {
      content: [
        {
          type: 'text',
          text: JSON.stringify(Object.fromEntries(rows.map((row) => [`it's ${row.id}`, row]))),
        },
      ],
    },
  ];
  for (const value of values) {
    const bounded = await boundResult(value, { limit: 9000, spool, readers });
    const said = JSON.stringify(bounded).replaceAll('\\\\\\"', '"').replaceAll('\\"', '"');
    const calls = [...said.matchAll(/(plimsoll_\w+) (\{"handle":"[a-z2-7]+"[^{}]*\})/g)];
    expect(calls.length).toBeGreaterThan(0);
    for (const [, tool = '', json = ''] of calls) {
      const answer = await callReader(spool, tool, JSON.parse(json), { chars: 9000 });
      expect([
        json,
        answer.isError ?? false,
        (answer.content[0] as { text: string }).text.slice(0, 200),
      ]).toEqual([json, false, expect.any(String)]);
    }
  }
});

test('base64 in data is a link to its file', async () => {
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(60_000, 'plimsoll')]);
  const structuredContent = { name: 'a.png', data: bytes.toString('base64') };
  const value = { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  const bounded = await boundResult(value, { limit: 5000, spool });
  const [, path = ''] = /kept whole: (.*)\]/.exec(bounded.structuredContent.data) ?? [];
  expect(path).toMatch(/\.png$/);
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

test.each([1_500, 20_000])('what is cut to %i characters is no longer for caches to share', async (limit) => {
  const shared = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' };
  const contents = [{ uri: 'a:b', text: 'word '.repeat(10_000) }];
  const bounded = await boundResult({ ...shared, contents }, { limit, spool: false });
  expect(bounded).toMatchObject({ ...shared, cacheScope: 'private' });
  const small = { ...shared, contents: [] };
  expect(await boundResult(small, { limit, spool: false })).toBe(small);
});

test.each([300, 20_000])(
  'a block of an unknown kind with %d small fields keeps some of them and its type',
  async (count) => {
    const fields = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`field ${index}`, `${index} some words of it`]),
    );
    const block = {
      ...fields,
      type: 'hologram',
      annotations: { priority: 1 },
      note: 'many words '.repeat(200),
    };
    const value = { content: [{ type: 'text', text: 'a hologram' }, block] };
    const bounded = await boundResult(value as Result, { limit: 5000, spool });
    expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(5000);
    expect(bounded.content[1]).toMatchObject({
      type: 'hologram',
      annotations: { priority: 1 },
      'field 0': '0 some words of it',
      _plimsoll: expect.stringMatching(/left out/),
    });
    expect(JSON.stringify(bounded.content[1]).length).toBeGreaterThan(1000);
    const prompt = { messages: [{ role: 'user', content: block }] };
    const [message] = (await boundResult(prompt, { limit: 5000, spool })).messages;
    expect(message).toMatchObject({
      role: 'user',
      content: { type: 'hologram', _plimsoll: expect.any(String) },
    });
  },
);

test('others have their turn while many blocks, or data, are cut', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, note: 'some words here' }));
  const content = Array.from({ length: 60 }, (_, id) => ({
    type: 'text',
    text: id % 2 === 0 ? JSON.stringify(rows(100)) : `line of block ${id}\n`.repeat(300),
  }));
  for (const [value, least] of [
    [{ content }, 60],
    [{ content: [], structuredContent: { rows: rows(5000) } }, 1],
  ] as const) {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await boundResult(value, { limit: 40_000, spool: false });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(least);
  }
});

test('a name that is kept stays the name, though its schema is closed: prose says what is missing', async () => {
  const name = { type: 'string' };
  const entity = {
    type: 'object',
    properties: { name, kind: name, observations: { type: 'array', items: name } },
    required: ['name', 'kind', 'observations'],
    additionalProperties: false,
  };
  const outputSchema = {
    type: 'object',
    properties: { entities: { type: 'array', items: entity } },
    additionalProperties: false,
  };
  const entities = Array.from({ length: 120 }, (_, n) => ({
    name: `e${n}`,
    kind: 'thing',
    observations: [`the entity of number ${n} is like the others`],
  }));
  const value = await boundResult(
    { content: [], structuredContent: { entities } },
    { limit: 2500, outputSchema, spool },
  );
  const shown = value.structuredContent.entities;
  expect(shown.length).toBeGreaterThan(1);
  for (const one of shown) expect(entities.map((each) => each.name)).toContain(one.name);
  expect(JSON.stringify(value.structuredContent)).toContain('Plimsoll');
});

test('where there is no room to list the gaps they are counted', async () => {
  const value: Result = await boundResult(
    { content: [{ type: 'text', text: 'x y\n'.repeat(9000) }] },
    { limit: 1000, spool },
  );
  expect(factsIn(value)).toMatchObject({ gapCount: 1, gaps: [] });
});
