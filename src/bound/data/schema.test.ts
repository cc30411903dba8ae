import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from '../../json/stringify.ts';
import { base64, expectAccounted, held, WORDS } from './data.testing.ts';
import { type Case, doubling, hostileCase, schemaCase } from './schema.testing.ts';
import { compileSchema, leavesNoRoom, tellsLoss } from './schema.ts';
import { shrink } from './shrink.ts';
import { Steps } from './steps.ts';

/** A keyword that would make an object look like a promise to the linter. */
const THEN = 'then';
/** Prose, to which words may be added. */
const NOTE = 'a note of some words that stays as it is';
const URI = 'plimsoll://spool/0123456789abcdef/structured';

function validatorOf(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

async function shrunk(schema: unknown, value: unknown, room: number): Promise<unknown> {
  const compiled = await compileSchema(schema);
  const result = shrink(held(value), room, { words: WORDS, schema: compiled, uri: URI });
  return result && JSON.parse(stringify(result.value));
}

describe('within a schema', () => {
  it('the result validates, keeps to any room, and tells all that is missing', async () => {
    await fc.assert(
      fc.asyncProperty(schemaCase, fc.integer({ min: 0, max: 2500 }), async ({ schema, value }, room) => {
        const isValid = validatorOf(schema);
        fc.pre(isValid(value));
        const compiled = await compileSchema(schema);
        expect(compiled.validate(held(value))).toBe(true);
        const options = { words: WORDS, schema: compiled, uri: URI };
        const result = shrink(held(value), room, options);
        if (!leavesNoRoom(schema, room)) expect(result).toBeDefined();
        if (!result) return;
        const json = stringify(result.value);
        expect(json.length).toBeLessThanOrEqual(room);
        expect(isValid(JSON.parse(json))).toBe(true);
        expectAccounted(JSON.parse(JSON.stringify(value)), JSON.parse(json), result.gaps);
        expect(shrink(held(value), room, options)).toEqual(result);
        expect(shrink(result.value, room, options)?.value).toBe(result.value);
        if (tellsLoss(schema) && room > 1000) expect(json.includes('_plimsoll')).toBe(result.gaps.length > 0);
      }),
      { numRuns: 60 },
    );
  });

  const words = 'word '.repeat(200);

  it('a list shrinks to no less than it must have, with nothing foreign in it', async () => {
    const items = { type: 'array', items: { type: 'integer' }, minItems: 50 };
    const schema = {
      type: 'object',
      properties: { items },
      required: ['items'],
      additionalProperties: false,
    };
    const value = { items: Array.from({ length: 1000 }, (_, index) => index) };
    const { items: list } = (await shrunk(schema, value, 300)) as { items: unknown[] };
    expect(list.length).toBeGreaterThanOrEqual(50);
    expect(list).toEqual([...new Set(list)].sort((one, other) => Number(one) - Number(other)));
    expect(list[0]).toBe(0);
    expect(list.at(-1)).toBe(999);
    expect(await shrunk(schema, value, 100)).toBeUndefined();
  });

  const closedList = (item: object) => ({
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'object', properties: item, additionalProperties: false } },
      total: { type: 'integer' },
    },
    additionalProperties: false,
  });
  const named = { id: { type: 'string', pattern: '^[0-9a-f]+$' }, name: { type: 'string' } };

  it('where nothing else takes words, the item before a gap says what is missing', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => ({
      id: 'abcdef'.repeat(4),
      name: `this is the row of the list with number ${index}`,
    }));
    const schema = closedList(named);
    const result = (await shrunk(schema, { rows, total: 900 }, 2000)) as { rows: typeof rows };
    expect(validatorOf(schema)(result)).toBe(true);
    const told = result.rows.filter(({ name }) => name.includes('left out'));
    expect(told).toHaveLength(1);
    const shown = result.rows.indexOf(told[0] as (typeof rows)[number]) + 1;
    const missing = 900 - result.rows.length;
    expect(told[0]).toEqual({
      id: 'abcdef'.repeat(4),
      name: `this is the row of the list with number ${shown - 1} [… ${missing} items left out from ${shown} on …]`,
    });
  });

  it('what may be a name or a title stays as it is, though nothing is said then', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => ({
      id: 'abcdef'.repeat(4),
      name: `the row of number ${index}`,
    }));
    const result = (await shrunk(closedList(named), { rows, total: 900 }, 2000)) as { rows: typeof rows };
    expect(result.rows.length).toBeGreaterThan(5);
    for (const row of result.rows) expect(rows).toContainEqual(row);
  });

  it('it says so in a text that is cut, if there is one', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => ({
      name: `the row of this list that is number ${index}`,
      text: index % 2 === 0 ? words : 'none',
    }));
    const schema = closedList({ name: { type: 'string' }, text: { type: 'string' } });
    for (const room of [3000, 4000, 5000]) {
      const result = (await shrunk(schema, { rows, total: 900 }, room)) as { rows: typeof rows };
      const told = JSON.stringify(result).match(/items left out/g);
      expect(told).toHaveLength(1);
      const item = result.rows.find((row) => JSON.stringify(row).includes('items left out'));
      if (item?.text !== 'none') expect(item?.text).toMatch(/chars left out .* items left out/);
    }
  });

  it('nothing is said in base64, nor where a schema takes no words', async () => {
    const picture = base64(300);
    const schemas = [
      [{ data: { type: 'string' } }, { data: picture }],
      [{ id: { type: 'integer' } }, { id: 7 }],
      [{ name: { enum: ['one', 'two'] } }, { name: 'one' }],
    ] as const;
    for (const [item, row] of schemas) {
      const result = (await shrunk(closedList(item), { rows: Array(2000).fill(row), total: 2 }, 6000)) as {
        rows: object[];
      };
      expect(result.rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(result)).not.toContain('items left out');
    }
  });

  it.each([
    ['texts', { type: 'string' }, (index: number) => `item number ${index}`],
    ['numbers', { type: 'integer' }, (index: number) => index],
    ['records', { properties: { id: {}, text: { type: 'string' } } }, (id: number) => ({ id, text: words })],
  ])('each list of a map of lists keeps some of its %s', async (_, items, item) => {
    const schema = { type: 'object', additionalProperties: { type: 'array', items } };
    const list = Array.from({ length: 200 }, (_, index) => item(index));
    const value = Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`key ${key}`, list]));
    for (const room of [1000, 4000, 10_000]) {
      const result = (await shrunk(schema, value, room)) as Record<string, unknown[]>;
      const lengths = Object.values(result).map(({ length }) => length);
      expect(Math.min(...lengths)).toBeGreaterThan(0);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(Math.min(...lengths) * 3);
      expect(JSON.stringify(result).length).toBeGreaterThan(room * 0.7);
    }
  });

  it('room that named lists can not use is left to those that can', async () => {
    const list = Array.from({ length: 50 }, (_, id) => ({ id, text: words }));
    const names = Array.from({ length: 20 }, (_, index) => `list${index}`);
    const items = { type: 'array', items: { properties: { id: {}, text: { type: 'string' } } } };
    const properties = Object.fromEntries(names.map((name) => [name, items]));
    const schema = { type: 'object', properties, additionalProperties: false };
    const value = Object.fromEntries(names.map((name) => [name, list]));
    const result = (await shrunk(schema, value, 1500)) as Record<string, unknown[]>;
    expect(Object.keys(result)).toEqual(names);
    expect(Object.values(result).filter(({ length }) => length > 0).length).toBeGreaterThan(4);
  });

  it.each([
    ['beside', { numbers: { type: 'array', items: { type: 'integer' } }, note: { type: 'string' } }],
    [
      'deep within',
      {
        numbers: { type: 'array', items: { type: 'integer' } },
        note: { type: 'array', items: { properties: { text: {} } } },
      },
    ],
  ])('a text %s says what is missing where nothing could be said', async (_, properties) => {
    const schema = { type: 'object', properties, additionalProperties: false };
    const note = 'note' in properties && 'items' in properties.note ? [{ text: NOTE }] : NOTE;
    const value = { numbers: Array.from({ length: 5000 }, (_, index) => index), note };
    expect(JSON.stringify(await shrunk(schema, value, 400))).toMatch(/as it is \[… \d+ items left out/);
    expect(JSON.stringify(await shrunk(schema, value, 1000))).toMatch(/as it is \[cut in 1 places\]/);
  });

  it('a text of short length that is cut says so, in fewer characters than it may have', async () => {
    const schema = { properties: { text: { type: 'string', maxLength: 200 } }, additionalProperties: false };
    const { text } = (await shrunk(schema, { text: '🌊'.repeat(200) }, 390)) as { text: string };
    expect(text).toMatch(/^(🌊)+\[… \d+ chars left out from \d+ on …\](🌊)+$/u);
    expect([...text].length).toBeLessThanOrEqual(200);
  });

  it('a text with room for that says how to read on', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false };
    expect(await shrunk(schema, { text: words }, 900)).toEqual({
      text: expect.stringMatching(/left out .* read them by a call/),
    });
    expect(await shrunk(schema, { text: words }, 500)).not.toEqual({
      text: expect.stringContaining('read them by a call'),
    });
  });

  it('a list keeps the items that it has to contain', async () => {
    const list = {
      type: 'array',
      items: { type: 'object', properties: { kind: { type: 'string' } }, additionalProperties: false },
      contains: { $ref: '#/$defs/main' },
      minContains: 2,
    };
    const schema = {
      type: 'object',
      properties: { list },
      $defs: { main: { properties: { kind: { const: 'main' } } } },
    };
    const kinds = Array.from({ length: 500 }, (_, index) => (index % 100 === 50 ? 'main' : `kind ${index}`));
    const value = { list: kinds.map((kind) => ({ kind })) };
    for (const room of [300, 3000]) {
      const result = (await shrunk(schema, value, room)) as typeof value;
      expect(validatorOf(schema)(result)).toBe(true);
      expect(result.list.length).toBeLessThan(200);
    }
    const none = { properties: { list: { contains: { const: 'none' } } }, required: ['list'] };
    expect(await shrunk(none, value, 300)).toBeUndefined();
  });

  it('base64 becomes the address of its file where it takes that', async () => {
    const uri = 'plimsoll://spool/0123456789abcdef/file1';
    const options = { words: { ...WORDS, media: () => ({ text: `[a picture: ${uri}]`, uri }) }, uri: URI };
    const value = { link: `data:image/png;base64,${base64(600)}`, byte: base64(600), free: base64(600) };
    const schema = await compileSchema({
      properties: { link: { format: 'uri' }, byte: { format: 'byte' }, free: { type: 'string' } },
      required: ['link', 'byte', 'free'],
    });
    const result = shrink(held(value), 500, { ...options, schema });
    expect(result?.value).toMatchObject({ link: uri, byte: '', free: uri });
  });

  it('a list of texts says in itself what is missing', async () => {
    const schema = { type: 'array', items: { type: 'string' } };
    const list = (await shrunk(schema, Array(200).fill('an item'), 300)) as string[];
    expect(list.filter((item) => item !== 'an item')).toEqual([expect.stringContaining('left out')]);
  });

  it('the first items of a tuple stay where they are', async () => {
    const schema = {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: { type: 'boolean' },
    };
    const value = [NOTE, 1, ...Array(500).fill(true)];
    const list = (await shrunk(schema, value, 200)) as unknown[];
    const start = [expect.stringMatching(/as it is \[… \d+ items left out/), 1, true];
    expect(list.slice(0, 3)).toEqual(start);
    const before = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: schema.prefixItems,
      additionalItems: { type: 'boolean' },
    };
    expect(((await shrunk(before, value, 200)) as unknown[]).slice(0, 3)).toEqual(start);
  });

  it('required and named properties stay, others go down to their least number', async () => {
    const value = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key ${index}`, index]));
    const schema = {
      properties: { 'key 100': { type: 'integer' }, 'key 120': { type: 'integer' } },
      required: ['key 100'],
      additionalProperties: { type: 'integer' },
      minProperties: 5,
    };
    const keys = Object.keys((await shrunk(schema, value, 100)) as object);
    expect(keys.length).toBeGreaterThanOrEqual(5);
    expect(keys).toContain('key 100');
    expect(keys).toContain('key 120');
    expect(keys).not.toContain('_plimsoll');
  });

  it.each([
    ['an enumeration', { enum: [words, 'x'] }],
    ['a constant', { const: words }],
    ['a pattern that ends with what is cut', { pattern: '^(word )+$' }],
    ['a pattern that takes more than linear time', { pattern: '^(?=word)' }],
    ['a length', { minLength: 990 }],
    ['a format', { format: 'regex' }],
  ])('a text under %s stays as it is', async (_, schema) => {
    const result = await shrunk({ properties: { text: schema } }, { text: words, other: words }, 1500);
    expect(result).toMatchObject({ text: words });
    expect(
      await shrunk({ properties: { text: schema }, required: ['text'] }, { text: words }, 700),
    ).toBeUndefined();
  });

  it('a text under a pattern that its start matches is cut to its start', async () => {
    const schema = { properties: { text: { pattern: '^[a-z ]+$' } }, required: ['text'] };
    const { text } = (await shrunk(schema, { text: words }, 300)) as { text: string };
    expect(words.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(100);
  });

  it('a text of a least length is cut to no less', async () => {
    const schema = { properties: { text: { minLength: 500 } }, required: ['text'] };
    const { text } = (await shrunk(schema, { text: words }, 700)) as { text: string };
    expect(text.length).toBeGreaterThanOrEqual(500);
    expect(text).toContain('left out');
  });

  it('a long address becomes the address of what was kept, base64 is never cut', async () => {
    const schema = {
      properties: { link: { type: 'string', format: 'uri' }, byte: { type: 'string', format: 'byte' } },
      required: ['link', 'byte'],
    };
    const value = { link: `https://example.com/${'path/'.repeat(100)}`, byte: base64(600) };
    expect(await shrunk(schema, value, 300)).toMatchObject({ link: URI, byte: '' });
  });

  it('constraints count wherever they stand', async () => {
    const text = { pattern: '^(word )+$' };
    const schemas = [
      { $ref: '#/$defs/one', $defs: { one: { properties: { text } } } },
      { allOf: [{ anyOf: [{ properties: { text } }] }] },
      { if: { required: ['text'] }, [THEN]: { properties: { text } } },
      { dependentSchemas: { text: { properties: { text } } } },
      { patternProperties: { '^te': text } },
      { additionalProperties: text },
      { $dynamicRef: '#node', $defs: { one: { $dynamicAnchor: 'node', properties: { text } } } },
      {
        $id: 'https://example.com/root',
        $ref: 'part#name',
        $defs: { one: { $id: 'part', $anchor: 'name', properties: { text } } },
      },
      { type: 'object', unevaluatedProperties: text },
    ];
    for (const schema of schemas) {
      expect(await shrunk({ ...schema, required: ['text'] }, { text: words }, 700)).toBeUndefined();
    }
  });

  it('alternatives that a value is none of say nothing about it', async () => {
    const kind = (name: string, text: object) => ({
      type: 'object',
      properties: { kind: { const: name }, text },
      required: ['kind', 'text'],
    });
    const schema = { oneOf: [kind('free', { type: 'string' }), kind('rigid', { pattern: '^(word )+$' })] };
    expect(await shrunk(schema, { kind: 'free', text: words }, 300)).toMatchObject({ kind: 'free' });
    expect(await shrunk(schema, { kind: 'rigid', text: words }, 300)).toBeUndefined();
  });

  it('nothing is said of what is no schema that can be checked', async () => {
    const schemas = [
      { $ref: 'https://example.com/elsewhere.json' },
      { $schema: 'https://example.com/my-own-dialect' },
      { properties: { text: { pattern: '(' } } },
      { patternProperties: { '(?=a)': {} } },
      'a text',
    ];
    for (const schema of schemas) {
      const compiled = await compileSchema(schema);
      expect(compiled.validate({})).toBe(false);
      expect(shrink(held({ text: words }), 300, { words: WORDS, schema: compiled })).toBeUndefined();
    }
  });

  it('knows the dialects that MCP clients know', async () => {
    const dialects = ['draft/2020-12/schema', 'draft/2019-09/schema', 'draft-07/schema#', 'draft-06/schema#'];
    for (const dialect of dialects) {
      const schema = { $schema: `http://json-schema.org/${dialect}`, properties: { a: { type: 'integer' } } };
      const { validate } = await compileSchema(schema);
      expect([validate({ a: 1 }), validate({ a: 'x' })]).toEqual([true, false]);
    }
  });

  it('patterns that could run away are matched all the same', async () => {
    const { validate } = await compileSchema({ properties: { text: { pattern: '^(a+)+$' } } });
    expect(validate({ text: `${'a'.repeat(5000)}!` })).toBe(false);
  });
});

describe('a schema that asks for more than can be done', () => {
  const rows = Array.from({ length: 1000 }, (_, row) => `row ${row} some words`);
  const keywords = ['allOf', 'anyOf', 'oneOf'] as const;

  it.each(keywords)('is given up, not followed to its end: %s', async (keyword) => {
    const schema = await compileSchema(doubling(keyword, 40), new Steps(20_000));
    expect(shrink({ rows }, 3000, { words: WORDS, schema })).toBeUndefined();
    expect(schema.validate({ rows })).toBe(false);
    expect(leavesNoRoom(schema.raw, 100_000)).toBe(true);
  });

  it.each(keywords)('tells in few steps what it says of a value: %s', async (keyword) => {
    const schema = await compileSchema(doubling(keyword, 40), new Steps(1000));
    expect(schema.places?.root.rulesFor({ rows }).isFree).toBe(false);
    expect(schema.places?.root.takes('a text', 'another text')).toBe(true);
  });

  it('is given up where it has no end', async () => {
    const schema = await compileSchema({ type: 'object', $ref: '#' });
    const value = { text: 'word '.repeat(100) };
    expect(schema.validate(value)).toBe(false);
    expect(shrink(value, 300, { words: WORDS, schema })).toBeUndefined();
  });

  it('leaves what is valid, or nothing, however its parts refer to each other', async () => {
    const run = async ({ schema, value }: Case, room: number) => {
      leavesNoRoom(schema, room);
      tellsLoss(schema);
      const compiled = await compileSchema(schema, new Steps(5000));
      const result = shrink(held(value), room, { words: WORDS, schema: compiled, uri: URI });
      if (result && result.value !== value)
        expect((await compileSchema(schema)).validate(result.value)).toBe(true);
    };
    await fc.assert(fc.asyncProperty(hostileCase, fc.integer({ min: 100, max: 3000 }), run), { numRuns: 20 });
  });
});

it('a value whose dates no check of formats lets pass is shrunk all the same', async () => {
  const schema = await compileSchema({
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { at: { type: 'string', format: 'date-time' }, note: { type: 'string' } },
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  });
  const value = {
    items: Array.from({ length: 500 }, () => ({ at: '2026-01-01T00:00:00', note: 'word '.repeat(20) })),
  };
  expect(schema.validate(value)).toBe(false);
  const cut = shrink(value, 3000, { words: WORDS, schema });
  expect(cut?.gaps.length).toBeGreaterThan(0);
  const { items } = (cut?.value ?? { items: [] }) as typeof value;
  expect(items[0]?.at).toBe('2026-01-01T00:00:00');
});
