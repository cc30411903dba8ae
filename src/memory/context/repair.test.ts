import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextText } from './context.testing.ts';
import { readDocument } from './document.ts';
import { proposeRepair, type Repair } from './repair.ts';

async function mendedOf(text: string | Buffer): Promise<string | undefined> {
  const repair = await proposeRepair(Buffer.from(text), undefined);
  expect(repair).toBeDefined();
  return repair?.mended?.bytes.toString();
}

function json(facts: unknown): Buffer {
  return Buffer.from(JSON.stringify(facts));
}

test.each([
  ['a comma too many', '{\n  "a": 1,\n}\n', '{\n  "a": 1\n}\n'],
  ['a comma too few', '{"a": 1.0\n "b": 12345678901234567890}', '{"a": 1.0,\n "b": 12345678901234567890}'],
  ['comments', '{// one\n"a": 1 /* two */}', '{\n"a": 1 }'],
  ['single quotes', "{'a': 'it\\'s'}", '{"a": "it\'s"}'],
  ['a quote too few', '{"a": "b,\n "c": 2}', '{"a": "b",\n "c": 2}'],
  ['a line end in a string', '{"a": "b\nc"}', '{"a": "b\\nc"}'],
  [
    'a path of Windows',
    '{"a": "C:\\Users\\me", "b": "\\u00e9\\\\"}',
    '{"a": "C:\\\\Users\\\\me", "b": "\\u00e9\\\\"}',
  ],
  ['the end missing', '{"a": {"b": 1, "c": [2, 3', '{"a": {"b": 1, "c": [2]}}'],
  ['the end missing within a string', '{"a": "b", "c": "d\\', '{"a": "b"}'],
  ['the end missing within a number', '{"a": 1, "b": 12', '{"a": 1}'],
  ['the end missing within a word', '{"a": {"b": tru', '{"a": {}}'],
  ['the end missing within a character', Buffer.from('{"a": 1, "b": "é').subarray(0, -1), '{"a": 1}'],
  ['a longer file behind', '{"a": 1}\n"z": 9\n}\n', '{"a": 1}\n'],
  ['garbage behind', '{"a": 1}~~~', '{"a": 1}'],
  ['a brace too many at the end', '{"a": {"b": 1}}}\n', '{"a": {"b": 1}}\n'],
  ['a brace too many within', '{"a": {"b": 1}},\n"c": {"d": 2}}\n', '{"a": {"b": 1},\n"c": {"d": 2}}\n'],
  ['a byte order mark as well', '\ufeff{"a": 1,}', '{"a": 1}'],
  ['zero bytes behind', '{"a": 1}\n\0\0\0\0', '{"a": 1}\n'],
  ['zero bytes alone', '\0\0\0\0\0\0\0\0', '{}\n'],
  ['nothing', '', '{}\n'],
  ['a byte order mark alone', '\ufeff', '{}\n'],
  ['UTF-16', Buffer.from('\ufeff{"a": "é"}', 'utf16le'), '{"a": "é"}'],
  ['UTF-16 the other way round', Buffer.from('\ufeff{"a": "é"}', 'utf16le').swap16(), '{"a": "é"}'],
  [
    'an old encoding',
    Buffer.from('{"name": "Grüße aus Köln", "straße": "Hauptstraße"}', 'latin1'),
    '{"name": "Grüße aus Köln", "straße": "Hauptstraße"}',
  ],
])('a file is mended: %s', async (_, damaged, mended) => {
  expect(await mendedOf(damaged)).toBe(mended);
});

/** What is mended, and what is told of it: a line for each remark. */
async function outcomeOf(text: string): Promise<{ facts: unknown; told: string[] }> {
  const { mended } = (await proposeRepair(Buffer.from(text), undefined)) as Repair;
  const remarks = [...(mended?.dropped.first ?? []), ...(mended?.guessed.first ?? [])];
  const told = remarks.map(({ line, column, what }) => `${line}:${column} ${what}`);
  return { facts: JSON.parse(mended?.bytes.toString() ?? 'null'), told };
}

test.each([
  [
    '{"a":1,\n<<<<<<< ours\n"b":2,\n"d": 5,\n=======\n"b":3,\n"e": 6,\n>>>>>>> theirs\n"c":4}',
    { a: 1, b: 2, d: 5, c: 4, e: 6 },
    ['6:1 the other side of a merge has 3 at b'],
  ],
  [
    '{"s": {\r\n<<<<<<< HEAD\r\n"p": 1\r\n},\r\n||||||| base\r\n"p": 0\r\n},\r\n=======\r\n"p": 2\r\n},\r\n>>>>>>> x\r\n"c": 4}',
    { s: { p: 1 }, c: 4 },
    ['9:1 the other side of a merge has 2 at s.p'],
  ],
  ['{"z":1,"a":+1,"b":2}', { z: 1, a: 1, b: 2 }, ['1:12 a is taken to be 1']],
  ['{"a":1, # y\n"b":2}', { a: 1, b: 2 }, ['1:9 a comment: # y']],
  ['{"a":1, // y\n"b":2 /* z\n */}', { a: 1, b: 2 }, ['1:9 a comment: // y', '2:7 a comment: /* z']],
  [
    '{"l": [1, 2, "c": 3, "d": [true, 4',
    { l: [1, 2], c: 3, d: [true] },
    ['1:34 d ends in the middle', '1:14 a bracket is missing at the end of l', '1:35 it ends in the middle'],
  ],
  ['{"a": 1,\n"b": }', { a: 1 }, ['2:6 b has no value']],
  ['{"a": {"b": \n"c": 3}, "d": 4}', { a: { c: 3 }, d: 4 }, ['2:1 a.b has no value']],
  ['{"a": : 3, "d": 4}', { d: 4 }, ['1:7 nothing can be made of : 3']],
  ['{"a": 1, ~~~, "b": 2}', { a: 1, b: 2 }, ['1:10 ~~~ has no key']],
  [
    '{"a": 1, {"x": {"y": 2}}, "b", "c": 3}',
    { a: 1, c: 3 },
    ['1:10 {"x": {"y": 2}} has no key', '1:27 "b" has no key'],
  ],
  ['{"a": 1]}', { a: 1 }, ['1:8 ] has no key']],
  ['{"a": [{"b": 1], "c": 2}', { a: [{ b: 1 }], c: 2 }, ['1:15 a brace is missing at the end of a']],
  ['{"a": "b, "c": "d"}', { a: 'b', c: 'd' }, ['1:7 a is taken to be "b"']],
  [
    '{"a": "say "hi", then go", "b": ["x" "y", "p "q" r"]}',
    { a: 'say "hi", then go', b: ['x', 'y', 'p "q" r'] },
    ['1:7 a is taken to be "say \\"hi\\", then go"', '1:43 b is taken to be "p \\"q\\" r"'],
  ],
  [
    '{b: True, "c": hello world, "d": 01, "e": x", \'f\': None, “g”: “h”}',
    { b: true, c: 'hello world', d: '01', e: 'x', f: null, g: 'h' },
    [
      '1:2 "b" is taken for a key',
      '1:5 b is taken to be true',
      '1:16 c is taken to be "hello world"',
      '1:34 d is taken to be "01"',
      '1:43 e is taken to be "x"',
      '1:47 "f" is taken for a key',
      '1:52 f is taken to be null',
      '1:58 "g" is taken for a key',
      '1:63 g is taken to be "h"',
    ],
  ],
  ['"a": 1, "b": 2}', { a: 1, b: 2 }, ['1:1 it begins without a brace']],
  ['{"a": 1} ~~~\n', { a: 1 }, ['1:10 what is behind the end: ~~~']],
  ['{"a": 1,}', { a: 1 }, []],
  ['{"a": 1\u00a0"b": 2 "c": 3}', { a: 1, b: 2, c: 3 }, []],
])('%j is mended, and what is left out or guessed is told', async (text, facts, told) => {
  expect(await outcomeOf(text)).toEqual({ facts, told });
});

test('of many remarks the first are told, and how many there are', async () => {
  const members = Array.from({ length: 25 }, (_, at) => `"k${at}": `);
  const repair = await proposeRepair(Buffer.from(`{"a": 1,\n${members.join(',\n')}}`), undefined);
  expect(repair?.mended).toMatchObject({ keys: 1, dropped: { count: 25, first: { length: 10 } } });
});

test('what is sound in a file stays as it is, whatever is wrong elsewhere', async () => {
  const garbage = fc.constantFrom('~~~,', '"x",', '"x": ,', '+,', '# y\n', '{"x"},', '],');
  await fc.assert(
    fc.asyncProperty(contextText, garbage, async (text, wrong) => {
      const sound = text.replace(/^\ufeff/, '').trimEnd();
      const repair = await proposeRepair(Buffer.from(`{${wrong} "s": ${sound}, ${wrong} "e": 1}`), undefined);
      const mended = readDocument(repair?.mended?.bytes);
      expect(mended.find(['s'], { literal: false })?.json()).toBe(sound);
      expect(mended.find(['e'], { literal: false })?.json()).toBe('1');
    }),
  );
});

test('whatever a file holds, what is made of it is sound', async () => {
  const piece = fc
    .constantFrom(...'{}[]:,"\'\\#/*+-1a“”\n\r \u00a0é😀'.matchAll(/./gsu))
    .map(([char]) => char);
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const repair = await proposeRepair(Buffer.from(`{${pieces.join('')}`), undefined);
      if (repair) expect(readDocument(repair.mended?.bytes).bytes).toEqual(repair.mended?.bytes);
    }),
    { numRuns: 1000 },
  );
});

test.each([['a text'], ['[1, 2]'], ['"a"'], ['}']])('%j is beyond mending', async (text) => {
  expect(await mendedOf(text)).toBeUndefined();
});

test('a file without damage needs no repair', async () => {
  expect(await proposeRepair(Buffer.from('\ufeff{"a": 1, "a": 2}'), json({ b: 1 }))).toBeUndefined();
});

test('each proposal tells what it lacks of the other', async () => {
  const lost = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`key ${at}`, at]));
  const lastGood = json({ a: 1, 'v1.2': { b: 2 }, lost });
  const repair = await proposeRepair(Buffer.from('{"a": 3, "new": {"c": 4}, "e": ['), lastGood);
  expect(repair).toEqual<Repair>({
    damage: expect.objectContaining({ line: 1, column: 33, problem: 'it ends in the middle' }),
    mended: {
      bytes: Buffer.from('{"a": 3, "new": {"c": 4}, "e": []}'),
      dropped: { count: 0, first: [] },
      guessed: { count: 1, first: [{ line: 1, column: 33, key: '', what: 'it ends in the middle' }] },
      keys: 3,
      missing: {
        count: 26,
        first: ['v1\\.2.b', ...Array.from({ length: 9 }, (_, at) => `lost.key ${at}`)],
      },
    },
    lastGood: { bytes: lastGood, keys: 27, missing: { count: 2, first: ['new.c', 'e'] } },
  });
});

test('a last good state that is damaged itself is no proposal', async () => {
  expect(await proposeRepair(Buffer.from('{'), Buffer.from('{'))).not.toHaveProperty('lastGood');
});

test('what cannot be mended without end leaves the last good state', async () => {
  const repair = await proposeRepair(Buffer.from('{"a":'.repeat(100_000)), json({ a: 1 }));
  expect(repair).toMatchObject({ lastGood: { keys: 1, missing: { count: 0, first: [] } } });
  expect(repair).not.toHaveProperty('mended');
});

test('of a file that was cut anywhere, all that is whole is kept, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(contextText, fc.nat(), async (text, at) => {
      const document = readDocument(Buffer.from(text));
      fc.pre(new Set(document.members.keys).size === document.members.keys.length);
      const length = at % document.bytes.length;
      const repair = await proposeRepair(document.bytes.subarray(0, length), document.bytes);
      if (!repair) return;
      const mended = readDocument(repair.mended?.bytes);
      const kept = [...document.facts()].filter(({ path }) => {
        return (document.find(path, { literal: false })?.end ?? 0) < length;
      });
      expect([...mended.facts()].slice(0, kept.length)).toEqual(kept);
      for (const { path, json } of mended.facts()) {
        const whole = document.find(path, { literal: false })?.json() ?? '';
        expect(json.startsWith('[') ? '[' : json).toBe(json.startsWith('[') ? whole[0] : whole);
      }
    }),
  );
});
