import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextText, factsIn, path } from './context.testing.ts';
import { Damage } from './damage.ts';
import { type Document, type Fact, readDocument } from './document.ts';
import { parseExistingKey } from './keys.ts';

function read(text: string): Document {
  return readDocument(Buffer.from(text));
}

const plain = ({ path, key, json }: Fact) => ({ path, key, json });

function damageOf(bytes: Buffer): Damage {
  try {
    readDocument(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(Damage);
    return error as Damage;
  }
  throw new Error('it is read');
}

test('a value is found with where it stands and as it is written', () => {
  const text = '\ufeff{ "é": {"n" : 1.0, "big":12345678901234567890}, "list": [1, {"x": 2}] }\r\n';
  const document = read(text);
  const found = document.find(['é', 'n'], { literal: false });
  expect(found).toMatchObject({ kind: 'value', path: ['é', 'n'], alsoLiteral: undefined });
  expect(found?.json()).toBe('1.0');
  const bytes = Buffer.from(text);
  expect(bytes.toString('utf8', found?.keyStart, found?.end)).toBe('"n" : 1.0');
  expect(bytes.toString('utf8', found?.keyStart, found?.keyEnd)).toBe('"n"');
  expect(bytes.toString('utf8', found?.start, found?.end)).toBe('1.0');
  expect(document.find(['é'], { literal: false })).toMatchObject({ kind: 'section' });
  expect(document.find(['é'], { literal: false })?.json()).toBe('{"n" : 1.0, "big":12345678901234567890}');
  expect(document.find(['list', 'x'], { literal: true })).toBeUndefined();
  expect(document.find(['nothing'], { literal: true })).toBeUndefined();
  expect(document.find([], { literal: true })?.count()).toBe(3);
});

test('facts are the values, in the order of the file', () => {
  const document = read('{"b": {"2": "x", "1": {}}, "a.b": {"c": [ {"d": 1} ]}, "e": null}');
  expect(Array.from(document.facts(), plain)).toEqual([
    { path: ['b', '2'], key: 'b.2', json: '"x"' },
    { path: ['a.b', 'c'], key: 'a\\.b.c', json: '[ {"d": 1} ]' },
    { path: ['e'], key: 'e', json: 'null' },
  ]);
  expect(document.root.children().map(({ path, kind }) => [path.join(), kind])).toEqual([
    ['b', 'section'],
    ['a.b', 'section'],
    ['e', 'value'],
  ]);
  expect(Array.from(document.find(['a.b'], { literal: false })?.facts() ?? [], plain)).toEqual([
    { path: ['a.b', 'c'], key: 'a\\.b.c', json: '[ {"d": 1} ]' },
  ]);
});

test('of a key that stands there twice the last one counts', () => {
  const document = read('{"a": {"x": 1}, "b": 0, "a": {"y": 2, "y": 3}}');
  expect(document.find(['a', 'x'], { literal: false })).toBeUndefined();
  expect(document.find(['a', 'y'], { literal: false })?.json()).toBe('3');
  expect([...document.facts()].map(({ key, json }) => [key, json])).toEqual([
    ['b', '0'],
    ['a.y', '3'],
  ]);
  expect(document.root.children().map(({ path }) => path)).toEqual([['b'], ['a']]);
});

test('keys with dots in them are found, nested ones first', () => {
  const document = read('{"v1.2": "flat", "v3": {"4": "deep"}, "v3.4": "flat", "x.y": {"z.w": 1}}');
  const find = (key: string) => document.find(parseExistingKey(key), { literal: true });
  expect(find('v1.2')?.path).toEqual(['v1.2']);
  expect(find('v1\\.2')?.path).toEqual(['v1.2']);
  expect(find('v3.4')).toMatchObject({ path: ['v3', '4'], alsoLiteral: ['v3.4'] });
  expect(find('v3\\.4')).toMatchObject({ path: ['v3.4'], alsoLiteral: undefined });
  expect(find('x.y.z.w')?.path).toEqual(['x.y', 'z.w']);
  expect(document.find(['v1', '2'], { literal: false })).toBeUndefined();
});

test('what is set goes where it is, or into the innermost section there is', () => {
  const document = read('{"v1.2": {"date": 1}, "a": {"b": {}}, "n": 1}');
  const resolve = (key: string) => document.resolve(parseExistingKey(key));
  expect(resolve('v1.2.date')).toEqual(['v1.2', 'date']);
  expect(resolve('v1.2.author.name')).toEqual(['v1.2', 'author', 'name']);
  expect(resolve('v1.3')).toEqual(['v1', '3']);
  expect(resolve('a.b.c')).toEqual(['a', 'b', 'c']);
  expect(resolve('n.m')).toEqual(['n', 'm']);
});

test('names of prototypes are data', () => {
  const document = read(
    '{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}',
  );
  expect([...document.facts()].map(({ key }) => key)).toEqual([
    '__proto__.polluted',
    'constructor.prototype.polluted',
  ]);
  expect(document.find(['toString'], { literal: true })).toBeUndefined();
  expect(document.find(['__proto__', 'toString'], { literal: true })).toBeUndefined();
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test('without a file there are no facts', () => {
  expect([...readDocument(undefined).facts()]).toEqual([]);
});

test.each([
  ['', 1, 1, 'the file is empty'],
  [' \r\n\t', 1, 1, 'the file is empty'],
  ['{"a": 1}\n{"b": 2}\n', 2, 1, 'there is something after the end'],
  ['{"a": 1}}', 1, 9, 'there is something after the end'],
  ['[{"a": 1}]', 1, 1, 'the whole must be an object, {…}'],
  ['\n "text"', 2, 2, 'the whole must be an object, {…}'],
  ['null', 1, 1, 'the whole must be an object, {…}'],
  ['\ufeff{"a": tru}', 1, 7, 'unexpected "t": keys and strings stand in straight double quotes'],
  ['{\n  "é": "😀",\n}', 3, 1, 'unexpected "}": the comma before it is one too many'],
  ['{"a": {"b": "c"', 1, 16, 'it ends in the middle'],
  ['\0\0\0\0\0\0\0\0', 1, 1, 'a NUL byte'],
  [`${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`, 1, 5001, 'more than 1000 sections within one another'],
])('%j is damaged at line %i, column %i: %s', (text, line, column, problem) => {
  expect(damageOf(Buffer.from(text))).toMatchObject({ line, column, problem });
});

test.each([
  [Buffer.from('\ufeff{"a": 1}', 'utf16le'), 1, 1, 'the file is in UTF-16; it must be in UTF-8'],
  [Buffer.from('\ufeff{"a": 1}', 'utf16le').swap16(), 1, 1, 'the file is in UTF-16; it must be in UTF-8'],
  [Buffer.from('{"a": 1}', 'utf16le'), 1, 1, 'the file is in UTF-16; it must be in UTF-8'],
  [Buffer.from('{"a": 1}', 'utf16le').swap16(), 1, 1, 'the file is in UTF-16; it must be in UTF-8'],
  [Buffer.from('{\n"name": "Grüße"}', 'latin1'), 2, 12, 'this is not UTF-8'],
  [Buffer.from('{"é": "\xff', 'latin1'), 1, 3, 'this is not UTF-8'],
  [Buffer.from('{"a": "é').subarray(0, -1), 1, 8, 'it ends in the middle'],
])('%o is damaged at line %i, column %i: %s', (bytes, line, column, problem) => {
  expect(damageOf(bytes)).toMatchObject({ line, column, problem });
});

test('a user is told which file is damaged, where, and what helps', () => {
  expect(damageOf(Buffer.from('{"a": 1,}')).in('/data/con\ntext.json')).toMatchObject({
    code: 'MEMORY_DAMAGED',
    message: expect.stringMatching(
      /^\/data\/con␊text\.json is damaged at line 1, column 9: unexpected "}".*plimsoll memory repair/,
    ),
  });
});

test('a thousand sections within one another are read', () => {
  const document = read(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`);
  expect(Array.from(document.facts(), plain)).toMatchObject([{ path: Array(1000).fill('a'), json: '1' }]);
});

test('whatever it holds, it is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(contextText, path, (text, path) => {
      const document = read(text);
      const facts = new Map(
        [...document.facts()].map(({ path, json }) => [JSON.stringify(path), JSON.parse(json)]),
      );
      const expected = factsIn(text);
      expect(facts).toEqual(expected);
      expect(document.root.count()).toBe(expected.size);
      for (const { key, json, path } of document.facts()) {
        expect(parseExistingKey(key)).toEqual(path);
        expect(document.find(path, { literal: false })?.json()).toBe(json);
        expect(document.find(path, { literal: true })?.json()).toBe(json);
      }
      const found = document.find(path, { literal: false });
      expect(found?.kind === 'value').toBe(expected.has(JSON.stringify(path)));
    }),
  );
});

test('sections with many members are as good as small ones', () => {
  const members = Array.from({ length: 2000 }, (_, at) => `"key ${at % 1500}": ${at}`);
  const document = read(`{"many": {${members.join(', ')}}}`);
  expect(document.root.count()).toBe(1500);
  expect(document.find(['many', 'key 3'], { literal: false })?.json()).toBe('1503');
  expect([...document.facts()].slice(0, 2).map(({ json }) => json)).toEqual(['500', '501']);
});
