import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextText } from './context.testing.ts';
import { readDocument } from './document.ts';
import { proposeRepair, type Remarks, type Repair } from './repair.ts';

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
  ['the end missing', '{"a": {"b": 1, "c": [2, 3', '{"a": {"b": 1}}'],
  ['the end missing within a string', '{"a": "b", "c": "d\\', '{"a": "b"}'],
  ['the end missing within a number', '{"a": 1, "b": 12', '{"a": 1}'],
  ['the end missing within a word', '{"a": {"b": tru', '{"a": {}}'],
  ['the end missing within a character', Buffer.from('{"a": 1, "b": "é').subarray(0, -1), '{"a": 1}'],
  ['a longer file behind', '{"a": 1}\n"z": 9\n}\n', '{"a": 1}\n'],
  ['garbage behind', '{"a": 1}~~~', '{"a": 1}'],
  ['a brace too many at the end', '{"a": {"b": 1}}}\n', '{"a": {"b": 1}}\n'],
  ['a brace too many within', '{"a": {"b": 1}},\n"c": {"d": 2}}\n', '{"a": {"b": 1},\n"c": {"d": 2}}\n'],
  ['a byte order mark as well', '\ufeff{"a": 1,}', '\ufeff{"a": 1}'],
  [
    'a byte order mark and bytes that are no UTF-8',
    Buffer.concat([Buffer.from('\ufeff{"a": "é'), Buffer.of(0xff), Buffer.from('"}')]),
    '\ufeff{"a": "é\ufffd"}',
  ],
  [
    'braces missing at the end, on lines of their own',
    '{\r\n\t"a": {\r\n\t\t"b": {\r\n\t\t\t"c": 1\r\n',
    '{\r\n\t"a": {\r\n\t\t"b": {\r\n\t\t\t"c": 1\r\n\t\t}\r\n\t}\r\n}\r\n',
  ],
  [
    'braces missing at the end, one of them on a line of its own',
    '{\n  "a": {"b": 1, "c": {"d": 2',
    '{\n  "a": {"b": 1, "c": {}}\n}',
  ],
  ['a brace missing behind a comma', '{\n  "a": 1,\n', '{\n  "a": 1\n}\n'],
  ['a brace missing in an empty section', '{\n  "a": {\n', '{\n  "a": {}\n}\n'],
  [
    'a brace missing in an array',
    '{\n  "a": [\n    {\n      "b": 1\n  ]\n}\n',
    '{\n  "a": [\n    {\n      "b": 1\n    }\n  ]\n}\n',
  ],
  ['a bracket missing', '{\n  "a": [\n    1,\n    2\n}\n', '{\n  "a": [\n    1,\n    2\n  ]\n}\n'],
  ['garbage behind, in a file with CRLF', '{\r\n"a": 1\r\n}\r\nx\r\n', '{\r\n"a": 1\r\n}\r\n'],
  ['zero bytes behind', '{"a": 1}\n\0\0\0\0', '{"a": 1}\n'],
  ['zero bytes alone', '\0\0\0\0\0\0\0\0', '{}\n'],
  ['nothing', '', '{}\n'],
  ['a byte order mark alone', '\ufeff', '\ufeff{}\n'],
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
  ['{"a": [1,,3]}', { a: [1, 3] }, ['1:10 an empty place in a']],
  ['{"a":\n [,2]}', { a: [2] }, ['2:3 an empty place in a']],
  ['{"a": [1,,,]}', { a: [1] }, ['1:10 an empty place in a', '1:11 an empty place in a']],
  ['{"a": [1,], "b": [[2], [,]],, "c": 3}', { a: [1], b: [[2], []], c: 3 }, ['1:25 an empty place in b']],
  ['{"a": [1, *, 3]}', { a: [1, 3] }, ['1:11 nothing can be made of *']],
  ['{"z":1,"a":+1,"b":2}', { z: 1, a: 1, b: 2 }, ['1:12 a is taken to be 1']],
  ['{"a":1, # y\n"b":2}', { a: 1, b: 2 }, ['1:9 a comment: # y']],
  ['{"a":1, // y\n"b":2 /* z\n */}', { a: 1, b: 2 }, ['1:9 a comment: // y', '2:7 a comment: /* z']],
  [
    '{"l": [1, 2, "c": 3, "d": [true, 4',
    { l: [1, 2], c: 3 },
    ['1:27 d ends in the middle', '1:14 a bracket is missing at the end of l', '1:35 it ends in the middle'],
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
    ['1:7 a is taken to be "say \\"hi\\", then go"', '1:43 a value in b is taken to be "p \\"q\\" r"'],
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
  ['{"a": "x\0\0y"\0,\0 "b": 1\0}', { a: 'x\0\0y', b: 1 }, ['1:7 a is taken to be "x\\u0000\\u0000y"']],
  [
    '{"people" {"maria":{"role":"CTO"}},"c":1}',
    { people: { maria: { role: 'CTO' } }, c: 1 },
    ['1:10 a colon is missing behind "people"'],
  ],
  [
    '{"people":\n "maria":{"role":"CTO"}},\n"c":1}',
    { people: { maria: { role: 'CTO' } }, c: 1 },
    ['2:2 a brace is missing at the beginning of people'],
  ],
  ['{"a":{"x":1],"b":2}', { a: { x: 1 }, b: 2 }, ['1:12 a bracket is taken for the brace at the end of a']],
  [
    '{"s": {"a": [1, 2}, "b": 3}, "c": 4}',
    { s: { a: [1, 2], b: 3 }, c: 4 },
    ['1:18 a brace is taken for the bracket at the end of s.a'],
  ],
  [
    '{"l": [{"x": {"y": 1], "c": 2}',
    { l: [{ x: { y: 1 } }], c: 2 },
    ['1:21 a brace is missing at the end of l.x', '1:21 a brace is missing at the end of l'],
  ],
  ['{"a": {"x": [1, "y"', { a: {} }, ['1:13 a.x ends in the middle', '1:20 it ends in the middle']],
  ['{"a": "He said "hi"', {}, ['1:7 a ends in the middle', '1:20 it ends in the middle']],
  ['{"a": 1, "b": "and\n', { a: 1 }, ['1:15 b ends in the middle', '2:1 it ends in the middle']],
  ['{"a":"1","b":2,\n "c" 3}', { a: '1', b: 2, c: 3 }, ['2:5 a colon is missing behind "c"']],
  ['{"a" "x", "b" "c": 3}', { a: 'x', c: 3 }, ['1:11 "b" has no key', '1:5 a colon is missing behind "a"']],
  ['{"a" = 1, "b" => 2}', { a: 1, b: 2 }, ['1:5 = is taken for a colon', '1:14 => is taken for a colon']],
  [
    '{"a": 1; "b": "x"; "c": hello; world}',
    { a: 1, b: 'x', c: 'hello; world' },
    ['1:8 ; is taken for a comma', '1:18 ; is taken for a comma', '1:25 c is taken to be "hello; world"'],
  ],
  [
    '{"a": TRUE, "b": Null}',
    { a: true, b: null },
    ['1:7 a is taken to be true', '1:18 b is taken to be null'],
  ],
  [
    '{"a": [1 2\t-3.5], "b": [10 Downing Street, e]}',
    { a: [1, 2, -3.5], b: ['10 Downing Street', 'e'] },
    [
      '1:8 commas are missing in a: 1 2\t-3.5',
      '1:25 a value in b is taken to be "10 Downing Street"',
      '1:44 a value in b is taken to be "e"',
    ],
  ],
  ['{"a": 1,5, "b": 2}', { a: '1,5', b: 2 }, ['1:7 a is taken to be "1,5"']],
  [
    '{"a": 1, "people":\n "maria":{"role":"CTO"}, "b": [',
    { a: 1 },
    ['2:2 people has no value, and what follows may be in it', '2:32 it ends in the middle'],
  ],
  ['{bad\n', {}, ['1:2 bad ends in the middle', '2:1 it ends in the middle']],
])('%j is mended, and what is left out or guessed is told', async (text, facts, told) => {
  expect(await outcomeOf(text)).toEqual({ facts, told });
});

test.each([
  ['legacy', 'b\xe4d', 'bäd', ['1:1 the file is taken to be in ISO-8859-1'], []],
  ['UTF-8', '\xc3\xa9\xff', 'é\ufffd', [], ['2:8 the byte 0xff is no UTF-8']],
  [
    'UTF-8',
    '\xc3\xa9\xe2\x82',
    'é\ufffd\ufffd',
    [],
    ['2:8 the byte 0xe2 is no UTF-8', '2:9 the byte 0x82 is no UTF-8'],
  ],
])('%s with bytes that are no UTF-8: %j', async (_, bytes, value, guessed, replaced) => {
  const repair = await proposeRepair(Buffer.from(`{\n"x": "${bytes}"}`, 'latin1'), undefined);
  expect(repair?.mended?.bytes.toString()).toBe(`{\n"x": "${value}"}`);
  const told = (remarks: Remarks | undefined) =>
    remarks?.first.map(({ line, column, what }) => `${line}:${column} ${what}`);
  expect(told(repair?.mended?.guessed)).toEqual(guessed);
  expect(told(repair?.mended?.replaced)).toEqual(replaced);
});

test('valid UTF-8 stays byte for byte whatever bytes stand beside it, and each of these is counted', async () => {
  const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((char) => char > '\x7f');
  const invalid = fc.constantFrom(0x80, 0xbf, 0xc0, 0xf5, 0xff);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(character, invalid), { maxLength: 30 }), async (pieces) => {
      const bytes = pieces.map((piece) => Buffer.from(typeof piece === 'string' ? piece : [piece]));
      const whole = [Buffer.from('{"a": "é'), ...bytes, Buffer.from('"}')];
      const repair = await proposeRepair(Buffer.concat(whole), undefined);
      const count = pieces.filter((piece) => typeof piece === 'number').length;
      fc.pre(count > 0);
      const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : '\ufffd'));
      expect(repair?.mended?.bytes.toString()).toBe(`{"a": "é${texts.join('')}"}`);
      expect(repair?.mended?.replaced).toMatchObject({ count, first: { length: Math.min(10, count) } });
    }),
  );
});

test('of a merge, only the lines that it wrote are taken out', async () => {
  const text =
    '{\n\n  "a": 1,\n\n\n<<<<<<< ours\n  "b": 2,\n\n=======\n  "b": 3,\n>>>>>>> theirs\n\n  "c": 4\n}\n';
  expect(await mendedOf(text)).toBe('{\n\n  "a": 1,\n\n\n  "b": 2,\n\n\n  "c": 4\n}\n');
  const whole = '<<<<<<< ours\n{"a": 1}\n=======\n{"a": 2}\n>>>>>>> theirs\n';
  expect(await mendedOf(whole)).toBe('{"a": 1}\n');
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
  const repair = await proposeRepair(Buffer.from('{"a": 3, "new": {"c": 4}, "e": 1, "f": ['), lastGood);
  expect(repair).toEqual<Repair>({
    damage: expect.objectContaining({ line: 1, column: 41, problem: 'it ends in the middle' }),
    mended: {
      bytes: Buffer.from('{"a": 3, "new": {"c": 4}, "e": 1}'),
      dropped: { count: 1, first: [{ line: 1, column: 40, key: 'f', what: 'f ends in the middle' }] },
      guessed: { count: 1, first: [{ line: 1, column: 41, key: '', what: 'it ends in the middle' }] },
      replaced: { count: 0, first: [] },
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
        expect(json).toBe(whole);
      }
    }),
  );
});
