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
  ['a longer file behind', '{"a": 1}\n"z": 9\n}\n', '{"a": 1}'],
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
