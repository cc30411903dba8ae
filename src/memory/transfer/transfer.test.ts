import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { visible } from '../../text/visible.ts';
import { contextText } from '../context/context.testing.ts';
import { type Document, readDocument } from '../context/document.ts';
import { reasonAgainst } from '../context/keys.ts';
import { Memory } from '../memory.ts';
import { isSameValue } from '../value.ts';
import { type Format, formatOf, readTransfer, writeTransfer } from './transfer.ts';

let folder: string | undefined;

afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

function documentOf(facts: unknown): Document {
  return readDocument(Buffer.from(typeof facts === 'string' ? facts : JSON.stringify(facts, null, 2)));
}

function read(text: string, format: Format): Record<string, unknown> {
  const { values } = readTransfer(Buffer.from(text), format, 'file');
  return Object.fromEntries(values.map(({ key, json }) => [key, JSON.parse(json)]));
}

function refusal(message: RegExp): Error {
  return expect.objectContaining({ code: 'BAD_IMPORT', message: expect.stringMatching(message) });
}

test.each<Format>(['json', 'markdown', 'jsonl'])('facts of any content come back from %s', (format) => {
  fc.assert(
    fc.property(contextText, (text) => {
      const document = documentOf(text);
      const values = new Map(
        readTransfer(Buffer.from(writeTransfer(document, format)), format, 'file').values.map(
          ({ key, json }) => [key, json],
        ),
      );
      const facts = [...document.facts()];
      expect([...values.keys()].sort()).toEqual(facts.map(({ key }) => key).sort());
      for (const { key, json } of facts) {
        const value = values.get(key) ?? '';
        if (!isSameValue(value, json)) expect(JSON.parse(value)).toEqual(JSON.parse(json));
      }
    }),
    { numRuns: 300 },
  );
});

const someTexts = fc.array(fc.constantFrom('a', 'a: b', '"', '1', '', '\n', '\ud800'), { maxLength: 3 });

/** Facts that look like what the formats themselves write. */
const lookalike = fc
  .record(
    {
      plimsoll: fc.constantFrom<unknown>('memory', 'x', 1),
      context: fc.constantFrom<unknown>({ a: 1 }, { context: { a: 1 } }, 'x'),
      diary: fc.constantFrom<unknown>('text', [], [{ at: 'x', text: 'y' }]),
      x: fc.constant(2),
      entities: fc.dictionary(
        fc.constantFrom('M', 'context.json', 'a.b'),
        fc.record(
          {
            entityType: fc.constantFrom<unknown>('person', 'plimsoll section', 'plimsoll facts', '1', 1, ''),
            observations: fc.oneof(someTexts, fc.constantFrom<unknown>('a', [1])),
            relations: fc.oneof(fc.dictionary(fc.constantFrom('knows', 'is.in'), someTexts), fc.constant(1)),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  )
  .map((facts) => JSON.stringify(facts));

test.each<Format>(['json', 'markdown', 'jsonl'])(
  'facts exported as %s and imported into an empty memory are the same, but for keys that are refused for new ones',
  async (format) => {
    folder = mkdtempSync(join(tmpdir(), 'plimsoll-transfer-'));
    const empty = new Memory({ folder, who: 'test' });
    await fc.assert(
      fc.asyncProperty(fc.oneof(contextText, lookalike), async (text) => {
        const document = documentOf(text);
        const { values, entries, repeated } = readTransfer(
          Buffer.from(writeTransfer(document, format)),
          format,
          'file',
        );
        const { done, refused } = await empty.planMany(values, { anyArray: true });
        const facts = [...document.facts()];
        const taken = facts.filter(({ path }) => reasonAgainst(path) === undefined);
        expect({ entries, refused: refused.length }).toEqual({
          entries: [],
          refused: facts.length - taken.length,
        });
        if (format !== 'json') expect(repeated).toEqual([]);
        const after = new Map(done.map(({ key, after: json = '' }) => [key, JSON.parse(json)]));
        expect(after).toEqual(new Map(taken.map(({ key, json }) => [key, JSON.parse(json)])));
      }),
      { numRuns: 300 },
    );
  },
);

test.each<[Format, unknown]>([
  ['json', { plimsoll: 'memory', context: { a: 1 }, x: 2 }],
  ['json', { plimsoll: 'memory', context: { a: 1 }, diary: 'text' }],
  ['json', { plimsoll: 'memory', context: { a: 1 }, diary: [] }],
  ['jsonl', { entities: { M: { relations: { knows: [] } } } }],
  ['jsonl', { entities: { M: { entityType: 'plimsoll section', observations: ['a'] } } }],
])('%s is not confused by facts such as %j', (format, facts) => {
  const document = documentOf(facts);
  expect(read(writeTransfer(document, format), format)).toEqual(
    Object.fromEntries(Array.from(document.facts(), ({ key, json }) => [key, JSON.parse(json)])),
  );
});

test.each<Format>(['json', 'markdown', 'jsonl'])('texts of any content come back from %s', (format) => {
  const line = fc.constantFrom(
    '',
    '  ',
    '```',
    '- a: b',
    '## x',
    ': ',
    ' # y ',
    '`1`',
    'a\tb',
    '\u202e',
    '\x1b[31m',
    '"',
    '\\',
    '\r',
    '1',
    '{}',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n')),
  );
  const key = text.filter((name) => name.length > 0 && name !== '__proto__');
  fc.assert(
    fc.property(fc.dictionary(key, text), fc.dictionary(key, text), (outer, inner) => {
      const facts = { ...outer, 'a section': inner };
      const document = documentOf(facts);
      const expected = Object.fromEntries(
        Array.from(document.facts(), ({ key, json }) => [key, JSON.parse(json)]),
      );
      expect(read(writeTransfer(document, format), format)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('Markdown is what a person would write', () => {
  const facts = {
    city: 'Berlin',
    people: { maria: { role: 'CTO', since: 2019, likes: ['tea', 'Go'] }, 'v1.2': { note: 'one\n\ntwo' } },
    'a:b': 'user_name',
  };
  const text = `# Memory

- city: Berlin
- \`"a:b"\`: \`"user_name"\`

## people.maria

- role: CTO
- since: \`2019\`
- likes: \`[ "tea", "Go" ]\`

## ${'`"people.v1\\\\.2"`'}

- note:
  \`\`\`
  one

  two
  \`\`\`
`;
  expect(writeTransfer(documentOf(facts), 'markdown')).toBe(text);
  const crlf = `\ufeff${text.replaceAll('\n', '\r\n')}`;
  expect(read(crlf, 'markdown')).toEqual(read(text, 'markdown'));
});

test('Markdown shows nothing that deceives, and gives it back', () => {
  const document = documentOf({ 'k\u202e': 'a\u202eb', c: ['\u009b31m'], t: 'x\x1b[2J\ny' });
  const text = writeTransfer(document, 'markdown');
  expect(visible(text)).toBe(text);
  expect(read(text, 'markdown')).toEqual({ 'k\u202e': 'a\u202eb', c: ['\u009b31m'], t: 'x\x1b[2J\ny' });
});

test.each([
  ['# Memory\n\nprose\n', /file as markdown: line 3: neither a heading/],
  ['# people\n- role: CTO\n', /line 1: neither a heading/],
  ['## a\n- x: 1\n# b\n- y: 2\n', /line 3: neither a heading/],
  ['# Memory of Maria\n', /line 1: neither a heading/],
  ['- a: 1\n### b\n', /line 2: neither/],
  ['- a:\n- b: 1\n', /line 1: there is no value/],
  ['- a:\n  ```\n  text\n', /line 2: the block that begins here has no end/],
  ['- a: `one`\n', /line 1: what stands in backticks is not JSON/],
  ['- `1`: a\n', /line 1: a key in backticks must be a text/],
])('Markdown that is something else is refused as a whole: %j', (text, message) => {
  expect(() => read(text, 'markdown')).toThrow(refusal(message));
});

test('JSON is the facts as they are written, or these and the diary', () => {
  const document = documentOf('{"n": 1.0,\n  "big": 12345678901234567890}');
  expect(writeTransfer(document, 'json')).toBe('{"n": 1.0,\n  "big": 12345678901234567890}\n');
  const entry = { at: '2026-12-02 05:40:12 +01:00', time: 0, tag: 'x', text: 'Done.', line: 3 };
  const both = writeTransfer(document, 'json', [entry]);
  expect(JSON.parse(both)).toMatchObject({ diary: [{ at: entry.at, tag: 'x', text: 'Done.' }] });
  expect(readTransfer(Buffer.from(both), 'json', 'file')).toMatchObject({
    values: [
      { key: 'n', json: '1.0' },
      { key: 'big', json: '12345678901234567890' },
    ],
    entries: [{ at: entry.at, tag: 'x', text: 'Done.' }],
  });
  expect(read('{"plimsoll": "memory", "context": "x"}', 'json')).toEqual({
    plimsoll: 'memory',
    context: 'x',
  });
});

test.each([
  ['{"a": 1,\n "b": }', 'json', /file as json: line 2, column 7: /],
  ['[1]', 'json', /line 1, column 1: the whole must be an object/],
  [
    '{"type":"entity","name":"a","entityType":"b","observations":[]}\n\nx',
    'jsonl',
    /line 3: this is not JSON/,
  ],
  ['{"type":"entity","name":"a","observations":[]}', 'jsonl', /line 1: an entity needs/],
  ['{"type":"entity","name":"a","entityType":"b","observations":[1]}', 'jsonl', /line 1: an entity needs/],
  ['{"type":"relation","from":"a","to":"b"}', 'jsonl', /line 1: a relation needs/],
  ['null', 'jsonl', /line 1: type is neither/],
  [
    '{"type":"entity","name":"a","entityType":"plimsoll section","observations":["?"]}',
    'jsonl',
    /line 1: an observation/,
  ],
] as const)('what is not of the format is refused, with its line: %j', (text, format, message) => {
  expect(() => read(text, format)).toThrow(refusal(message));
});

test.each([
  ['json', '{"a": 1, "s": {"b": 1, "c": 2, "b": 3}, "a": 2, "same": 1, "same": 1}', ['a', 's.b']],
  ['json', '{"plimsoll": "memory", "context": {"a": 1, "a": 2}, "diary": []}', ['a']],
  ['markdown', '- a: 1\n\n## s\n\n- b: 1\n- c: 2\n\n## s\n\n- b: 3\n- d: 1\n- c: 2\n', ['s.b']],
  [
    'jsonl',
    '{"type":"entity","name":"x","entityType":"y","observations":[]}\n{"type":"entity","name":"x","entityType":"z","observations":[]}\n',
    ['entities.x.entityType'],
  ],
] as const)('of %s keys are told that stand there with two values', (format, text, keys) => {
  const { values, repeated } = readTransfer(Buffer.from(text), format, 'file');
  expect(repeated).toEqual(keys);
  expect(new Set(values.map(({ key }) => key)).size).toBe(values.length);
});

test('the title of Markdown begins with what is in no section', () => {
  expect(read('# Memory\n\n## a\n\n- x: 1\n\n# Memory\r\n\n- y: 2\n', 'markdown')).toEqual({
    'a.x': '1',
    y: '2',
  });
});

test.each<Format>(['json', 'markdown'])('a diary of any content comes back from %s', (format) => {
  const lines = fc.constantFrom(
    '',
    '# Diary',
    '# Memory',
    '- a: b',
    '## 2026-12-02 05:40:12',
    '\\## x',
    '\r',
    '\x1b',
    '```',
  );
  const entry = fc.record({
    at: fc.constantFrom('2026-12-02 05:40:12 +01:00', '2025-01-01 00:00:00'),
    tag: fc.constantFrom(undefined, 'work'),
    text: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(lines).map((all) => all.join('\n')),
    ),
  });
  fc.assert(
    fc.property(contextText, fc.array(entry, { maxLength: 4 }), (text, entries) => {
      const written = writeTransfer(documentOf(text), format, entries);
      const { values, entries: read } = readTransfer(Buffer.from(written), format, 'file');
      expect(read).toEqual(entries);
      expect(values).toHaveLength([...documentOf(text).facts()].length);
    }),
  );
});

test.each([
  ['markdown', '- a: 1\n\n# Diary\n\nprose\n\n## 2026-12-02 05:40:12\n\nx\n', /line 5: a diary has entries/],
  ['markdown', '# Diary\r\nprose\r\n', /line 2: a diary has entries/],
  [
    'json',
    '{"plimsoll": "memory", "context": {},\n"diary": [{"at": 1, "text": "x"}]}',
    /line 2: the diary must be/,
  ],
] as const)('a diary in %s that is none is refused', (format, text, message) => {
  expect(() => readTransfer(Buffer.from(text), format, 'file')).toThrow(refusal(message));
});

test('what is not UTF-8 is refused', () => {
  const latin = Buffer.from('- a: \xfc\n', 'latin1');
  expect(() => readTransfer(latin, 'markdown', 'file')).toThrow(refusal(/not UTF-8/));
  expect(() => readTransfer(latin, 'json', 'file')).toThrow(refusal(/not UTF-8/));
});

/** What the reference memory server makes of a file. */
function loaded(text: string): unknown {
  folder ??= mkdtempSync(join(tmpdir(), 'plimsoll-graph-'));
  const file = join(folder, 'memory.jsonl');
  writeFileSync(file, text);
  const script = `import { KnowledgeGraphManager } from '@modelcontextprotocol/server-memory/dist/index.js';
    const graph = await new KnowledgeGraphManager(process.argv[1]).readGraph();
    process.stdout.write(JSON.stringify(graph), () => process.exit());`;
  const args = ['--input-type=module', '--eval', script, file];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}

test("another server's graph becomes facts, and the same graph again", () => {
  const graph = [
    { type: 'entity', name: 'Maria Silva', entityType: 'person', observations: ['Likes tea', 'CTO', 'CTO'] },
    { type: 'entity', name: 'acme.com', entityType: 'company', observations: [] },
    { type: 'relation', from: 'Maria Silva', to: 'acme.com', relationType: 'works_at' },
    { type: 'relation', from: 'nobody', to: 'acme.com', relationType: 'knows' },
  ];
  const text = graph.map((line) => JSON.stringify(line)).join('\n');
  expect(read(text, 'jsonl')).toEqual({
    'entities.Maria Silva.entityType': 'person',
    'entities.Maria Silva.observations': ['Likes tea', 'CTO', 'CTO'],
    'entities.Maria Silva.relations.works_at': ['acme.com'],
    'entities.acme\\.com.entityType': 'company',
    'entities.acme\\.com.observations': [],
    'entities.nobody.relations.knows': ['acme.com'],
  });
  const document = documentOf({
    entities: {
      'Maria Silva': {
        entityType: 'person',
        observations: ['Likes tea', 'CTO', 'CTO'],
        relations: { works_at: ['acme.com'] },
      },
      'acme.com': { entityType: 'company', observations: [] },
      nobody: { relations: { knows: ['acme.com'] } },
    },
  });
  const again = writeTransfer(document, 'jsonl');
  expect(
    again
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(graph);
  expect(loaded(again)).toEqual(loaded(text));
});

test('what is exported loads in the reference memory server', () => {
  const document = documentOf({ city: 'Berlin', people: { maria: { role: 'CTO', since: 2019 } } });
  expect(loaded(writeTransfer(document, 'jsonl'))).toEqual({
    entities: [
      { name: 'context.json', entityType: 'plimsoll facts', observations: ['city: Berlin'] },
      { name: 'people.maria', entityType: 'plimsoll section', observations: ['role: CTO', 'since: 2019'] },
    ],
    relations: [],
  });
});

test.each([
  ['a.json', 'json'],
  ['A.JSONL', 'jsonl'],
  ['x/y.md', 'markdown'],
  ['y.txt', undefined],
] as const)('the name %s tells %s', (name, format) => {
  expect(formatOf(name)).toBe(format);
});

test('many values are read in a time that goes with their number', () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `- k${at}:\n  \`\`\`\n  a\n  \`\`\`\n`);
  expect(readTransfer(Buffer.from(lines.join('')), 'markdown', 'file').values).toHaveLength(100_000);
});
