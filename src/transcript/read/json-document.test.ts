import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceOf } from '../formats/formats.testing.ts';
import { documentOf, objectsOf } from './json-document.ts';
import type { Source } from './source.ts';
import { Tally } from './tally.ts';

async function objects(source: Source, largest?: number) {
  const tally = new Tally();
  const found: [number, unknown][] = [];
  for await (const { line, record } of objectsOf(source, tally, largest)) found.push([line, record]);
  return { found, leftOut: tally.all() };
}

const objectsIn = (text: string, chunk = text.length + 1) => objects(sourceOf(Buffer.from(text), chunk));

const UNREADABLE = { reason: 'unreadable', what: 'item', count: 1 };

test.each([1, 2, 7, 1000])(
  'objects in chunks of %d bytes: escapes, brackets in texts, lines',
  async (chunk) => {
    const items = [
      { a: 'brackets } ] { [ in a text', b: [1, [2, { c: {} }]] },
      { quote: '"', backslash: '\\', both: '\\"}', end: '\\\\' },
      { 'a "key" }': 'naïve 😀', line: 'a\nb' },
      {},
    ];
    const text = `\n[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;
    const { found, leftOut } = await objectsIn(text, chunk);
    expect(found).toEqual(items.map((item, index) => [index + 3, item]));
    expect(leftOut).toEqual([]);
  },
);

test('a list in one line, and one that is laid out', async () => {
  expect((await objectsIn('[{"a":1},{"a":2}]')).found).toEqual([
    [1, { a: 1 }],
    [1, { a: 2 }],
  ]);
  expect((await objectsIn('[\r\n  {\r\n    "a": 1\r\n  },\r\n  {\r\n    "a": 2\r\n  }\r\n]')).found).toEqual([
    [2, { a: 1 }],
    [5, { a: 2 }],
  ]);
});

test.each([
  ['a document that is an object', '{"list": [{"a": 1}]}', [[1, { list: [{ a: 1 }] }]]],
  [
    'objects one after another',
    '{"a": 1}\n{"b": 2}',
    [
      [1, { a: 1 }],
      [2, { b: 2 }],
    ],
  ],
  [
    'an object after a list',
    '[{"a": 1}]\n{"b": {"c": 2}}',
    [
      [1, { a: 1 }],
      [2, { b: { c: 2 } }],
    ],
  ],
  ['objects after brackets that close nothing', ']}\n{"a": 1}', [[2, { a: 1 }]]],
  ['an empty list', '[]', []],
  ['an empty file', '', []],
])('%s', async (_, text, expected) => {
  const { found, leftOut } = await objectsIn(text);
  expect(found).toEqual(expected);
  expect(leftOut).toEqual([]);
});

test.each([
  ['a bad value', '{"x": tru}'],
  ['a bad escape', String.raw`{"x": "\q"}`],
  ['a closing bracket too much', '{"x": 1]}'],
  ['a number', '12.5'],
  ['a word', 'null'],
  ['a text with brackets', '"[{\\"}]"'],
  ['a list', '[{"b": 1}]'],
])('%s between good items costs that item alone', async (_, bad) => {
  for (const chunk of [1, 1000]) {
    const { found, leftOut } = await objectsIn(`[{"a": 1},\n${bad},\n{"a": 2}]`, chunk);
    expect(found).toEqual([
      [1, { a: 1 }],
      [3, { a: 2 }],
    ]);
    expect(leftOut).toEqual([{ ...UNREADABLE, line: 2 }]);
  }
});

test.each([
  ['an item', '[{"a": 1},\n{"b": "tex', 'the last item', 2],
  ['a list', '[{"a": 1},\n', 'the list', 2],
  ['an object', '{"a":\n{}', 'the last item', 1],
])('the end in the middle of %s is counted', async (_, text, what, line) => {
  const { leftOut } = await objectsIn(text);
  expect(leftOut).toEqual([{ reason: 'unfinished', what, count: 1, line }]);
});

test.each([1, 2, 7, 1000])('a too large item in chunks of %d bytes costs that item alone', async (chunk) => {
  const text = '[{"a": "1234567"},\n{"a": "12345678"},\n{"a": 1}]';
  const { found, leftOut } = await objects(sourceOf(Buffer.from(text), chunk), 16);
  expect(found).toEqual([
    [1, { a: '1234567' }],
    [3, { a: 1 }],
  ]);
  expect(leftOut).toEqual([{ reason: 'too long', what: 'item', count: 1, line: 2 }]);
});

test('the one object of a document, or none', async () => {
  const tally = new Tally();
  const documentIn = (text: string) => documentOf(sourceOf(Buffer.from(text), 3), tally);
  expect(await documentIn('{"a": {"b": 1}}')).toEqual({ a: { b: 1 } });
  expect(await documentIn('{"a": {"b": 1}')).toBeUndefined();
  expect(tally.all()).toMatchObject([{ reason: 'unfinished', what: 'the last item' }]);
});

const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
const item = fc.dictionary(fc.string({ unit: fc.constantFrom('"', '\\', '{', ']', 'a', '\n', ' ') }), value);

test('however items are laid out and however long chunks are, they are found, and where', async () => {
  const layout = fc.record({
    indent: fc.constantFrom(0, 2),
    between: fc.constantFrom(',', ',\n', ' ,\r\n\t'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item),
      layout,
      fc.integer({ min: 1, max: 200 }),
      async (items, layout, chunk) => {
        const texts = items.map((item) => JSON.stringify(item, null, layout.indent));
        let text = '[';
        const expected = texts.map((written, index) => {
          if (index > 0) text += layout.between;
          const line = text.split('\n').length;
          text += written;
          return [line, JSON.parse(written)];
        });
        const { found, leftOut } = await objectsIn(`${text}]`, chunk);
        expect(found).toEqual(expected);
        expect(leftOut).toEqual([]);
      },
    ),
  );
});

test('what is damaged is read the same in chunks of any length', async () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', '\n', ',', ':', 'a', ' ', '{"a":1}', '\\\\');
  const damaged = fc.array(fc.oneof(pieces, fc.string({ minLength: 20, maxLength: 60 })), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(damaged, fc.integer({ min: 1, max: 60 }), async (pieces, chunk) => {
      const text = pieces.join('');
      expect(await objectsIn(text, chunk)).toEqual(await objectsIn(text, 1));
    }),
  );
});
