import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSpool } from '../../spool/spool.ts';
import { boundResult } from '../bound.ts';
import { compileSchema } from '../data/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tells-'));
const spool = openSpool({ folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readers = { tools: { read: 'plimsoll_read', select: 'plimsoll_select' }, paths: false };
const CALL = /plimsoll_(?:read|select) \{\\*"handle\\*":\\*"[a-z2-7]{16}/;
const SAYS = /left out/;
const LIMITS = [1000, 1300, 1500, 2000, 3000, 5000, 9000, 20_000];

const records = Array.from({ length: 400 }, (_, n) => ({
  key: `item-${n}`,
  url: `https://example.org/${n}`,
  n,
  sha: '0'.repeat(100),
}));
const entities = Array.from({ length: 400 }, (_, n) => ({
  name: `e${n}`,
  entityType: `type${n % 5}`,
  observations: [`observed thing number ${n} with several words beside it`, `日本語 ${n}`],
}));
const open = { type: 'object', properties: { key: { type: 'string' } } };
const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
const entity = closed({
  name: { type: 'string' },
  entityType: { type: 'string' },
  observations: { type: 'array', items: { type: 'string' } },
});

const CUT: [what: string, data: object, text: unknown, schema: object | undefined, tells: boolean][] = [
  ['a list of objects', records, records, undefined, true],
  ['a list of open objects', records, records, { type: 'array', items: open }, true],
  [
    'a list in a closed object',
    { items: records },
    { items: records },
    closed({ items: { type: 'array', items: open } }),
    true,
  ],
  [
    'a list in a closed object, its text the list',
    { entities },
    entities,
    closed({ entities: { type: 'array', items: entity } }),
    true,
  ],
  [
    'numbers in a closed object',
    { numbers: records.map(({ n }) => n * 1_000_003) },
    records.map(({ n }) => n * 1_000_003),
    closed({ numbers: { type: 'array', items: { type: 'number' } } }),
    false,
  ],
];

test.each(CUT)('%s that was cut says so in its text and where its schema lets it', async (...row) => {
  const [, structuredContent, mirrored, outputSchema, tells] = row;
  const schema = outputSchema && (await compileSchema(outputSchema));
  for (const indent of [0, 2]) {
    const result = {
      content: [{ type: 'text', text: JSON.stringify(mirrored, null, indent) }],
      structuredContent,
    };
    for (const limit of LIMITS) {
      const cut = await boundResult(result, { limit, spool, readers, outputSchema });
      if (cut === result) continue;
      const data = JSON.stringify(cut.structuredContent);
      expect(JSON.stringify(cut).length, `${limit}`).toBeLessThanOrEqual(limit);
      expect(cut.content[0]?.text, `${limit}`).toMatch(CALL);
      if (data === undefined) continue;
      expect(schema?.validate(JSON.parse(data)), `${limit}`).not.toBe(false);
      if (tells && /\w{3}/.test(data.replace(/"(?:items|entities)"/, '')))
        expect(data, `${limit}`).toMatch(SAYS);
    }
  }
});

const LINES = Array.from({ length: 215 }, (_, n) => `line ${n}`).join('\n');
const newlines = (value: unknown) => JSON.stringify(value).split('\\n').length - 1;

test.each<[where: string, fields: object, outputSchema?: object]>([
  ['structured content', { structuredContent: { big: LINES } }],
  [
    'structured content within a schema',
    { structuredContent: { big: LINES } },
    closed({ big: { type: 'string' } }),
  ],
  [
    'many texts of structured content',
    { structuredContent: { rows: LINES.split('\n').map((line) => `${line}\n`) } },
  ],
  ['an unknown field', { extra: { big: LINES } }],
  [
    'the result of a text and structured content',
    { content: [{ type: 'text', text: LINES }], structuredContent: { big: LINES } },
  ],
])('lines of %s count', async (_, fields, outputSchema) => {
  const result = { content: [{ type: 'text', text: 'hi' }], ...fields };
  const cut = await boundResult(result, { limit: '20lines', spool, readers, outputSchema });
  expect(newlines(cut) + cut.content.length).toBeLessThanOrEqual(20);
  expect(newlines(cut)).toBeGreaterThan(3);
  const again = await boundResult(cut, { limit: '20lines', spool, readers, outputSchema });
  expect(again).toBe(cut);
});

test('lines of data that fit are left alone', async () => {
  const result = { content: [], structuredContent: { some: 'a\nb\nc', more: ['d\ne', 'f'] } };
  expect(await boundResult(result, { limit: '20lines', spool, readers })).toBe(result);
});

test('a whole text at an end stays the JSON string that it is', async () => {
  const content = [
    { type: 'text', text: ' "$& said"' },
    { type: 'text', text: LINES },
  ];
  const cut = await boundResult({ content }, { limit: 2000, spool, readers });
  const [{ text = '' } = {}] = cut.content;
  expect(JSON.parse(text)).toMatch(/^\[Plimsoll: .* left out.*\]\n\$& said$/);
});

const plain = (words: string) => ({ type: 'text', text: words });

test.each([
  [
    'CSV',
    '\ufeffid,name,note\r\n',
    '1,one,"a ""b"", c"\r\n'.repeat(9),
    /^"\[Plimsoll: .*left out.*\]",,\r\n$/,
  ],
  ['TSV', 'id\tname\n', '1\tone\n'.repeat(20), /^\[Plimsoll: .*left out.*\]\t\n$/],
  ['JSON Lines', '', '{"a":1}\n{"a":2}\n', /^\{"_plimsoll":"\[Plimsoll: .*left out.*\]"\}\n$/],
  [
    'JSON Lines behind a mark',
    '\ufeff',
    '{"a":1}\n{"a":2}',
    /^\{"_plimsoll":"\[Plimsoll: .*left out.*\]"\}\n$/,
  ],
])('a whole text at an end that is %s has the notice in a record of its own', async (_, start, end, said) => {
  const content = [plain(start + end), plain('a line of text\n'.repeat(900)), plain(start + end)];
  const cut = await boundResult({ content }, { limit: 3000, spool, readers });
  for (const { text = '' } of [cut.content[0], cut.content[2]] as { text?: string }[]) {
    expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
    expect(text.slice(start.length, -end.length)).toMatch(said);
  }
});

test('a whole text at an end stays JSON behind its byte order mark', async () => {
  const content = [
    { type: 'text', text: '\ufeff{"a":1}' },
    { type: 'text', text: LINES },
  ];
  const cut = await boundResult({ content }, { limit: 2000, spool, readers });
  const [{ text = '' } = {}] = cut.content;
  expect(JSON.parse(text.slice(1))).toEqual({ _plimsoll: expect.stringMatching(SAYS), a: 1 });
});

const LONG = 'a line of text\n'.repeat(4000);
const embedded = (words: string) => ({ type: 'resource', resource: { uri: 'file:///a.txt', text: words } });

test.each<[what: string, content: object[]]>([
  ['texts, empty ones at the ends', [plain(''), plain(LONG), plain('')]],
  ['an empty text and others', [plain(''), plain('hi'), plain(LONG), plain('bye')]],
  ['texts of resources and texts', [embedded('x'), plain('hi'), plain(LONG), plain('bye'), embedded('y')]],
  ['a resource and texts', [embedded(LONG), plain('hi'), plain(''), embedded('')]],
])('of %s, whichever is handed on says that something is missing', async (_, content) => {
  for (const limit of [2000, 6000, 20_000]) {
    for (const links of [true, false]) {
      const result = await boundResult({ content }, { limit, spool, readers, links });
      const said = result.content as { type: string; text?: string; resource?: { text: string } }[];
      const own = said.filter(({ type }) => type === 'text').map(({ text }) => text);
      const all = said.map(({ text, resource }) => text ?? resource?.text).filter((one) => one !== undefined);
      for (const one of [own[0], own.at(-1), all[0], all.at(-1)]) expect(one, `${limit}`).toMatch(SAYS);
      if (limit < 20_000) continue;
      const types = content.map((block) => (block as { type: string }).type);
      expect(said.map(({ type }) => type)).toEqual(links ? [...types, 'resource_link'] : types);
    }
  }
});
