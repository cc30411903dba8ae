import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EditMaker } from '../journal/edits.ts';
import { contextText, factsIn, path, valueJson } from './context.testing.ts';
import { type Document, readDocument } from './document.ts';
import { Draft, type Once } from './edit.ts';
import { ROOT } from './members.ts';

function setValue(document: Document, path: readonly string[], json: string): Buffer {
  const draft = new Draft(document);
  draft.set(path, json);
  return draft.finish();
}

function removeKey(document: Document, path: readonly string[], made?: readonly string[]): Buffer {
  const draft = new Draft(document);
  draft.remove(path, made);
  return draft.finish();
}

function restore(text: string, path: readonly string[], once: Once): string {
  const draft = new Draft(readDocument(Buffer.from(text)));
  draft.restore(path, once);
  return draft.finish().toString();
}

function set(text: string | undefined, path: readonly string[], json: string): string {
  return setValue(readDocument(text === undefined ? undefined : Buffer.from(text)), path, json).toString();
}

function remove(text: string, path: readonly string[], made?: readonly string[]): string {
  return removeKey(readDocument(Buffer.from(text)), path, made).toString();
}

test.each([
  ['no file', undefined, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
  ['an empty object', '{}', '{\n  "a": {\n    "b": 1\n  }\n}'],
  ['an empty object on two lines', '\ufeff{\r\n}\r\n', '\ufeff{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'],
  ['lines', '{\n  "x": 0\n}\n', '{\n  "x": 0,\n  "a": {\n    "b": 1\n  }\n}\n'],
  ['tabs and CRLF', '{\r\n\t"x":0\r\n}', '{\r\n\t"x":0,\r\n\t"a":{\r\n\t\t"b":1\r\n\t}\r\n}'],
  [
    'lines and CRLF',
    '{\r\n  "x": 0,\r\n  "y": 1\r\n}',
    '{\r\n  "x": 0,\r\n  "y": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}',
  ],
  ['old line ends', '{\r "x": 0\r}', '{\r "x": 0,\r "a": {\r  "b": 1\r }\r}'],
  ['no white space', '{"x":0}', '{"x":0,"a":{"b":1}}'],
  ['one line', '{"x": 0, "y": 1}', '{"x": 0, "y": 1, "a": {"b": 1}}'],
  ['one line with room', '{ "x": 0 }', '{ "x": 0, "a": { "b": 1 } }'],
  ['commas in front', '{ "x": 0\n, "y": 1\n}', '{ "x": 0\n, "y": 1\n, "a": { "b": 1 }\n}'],
  [
    'empty lines',
    '{\n  "x": 0,\n\n  "y": 1\n\n}',
    '{\n  "x": 0,\n\n  "y": 1,\n  "a": {\n    "b": 1\n  }\n\n}',
  ],
  [
    'a section of lines',
    '{\n    "a": {\n        "x": 0\n    }\n}',
    '{\n    "a": {\n        "x": 0,\n        "b": 1\n    }\n}',
  ],
  ['a section on one line', '{\n  "a": {"x": 0},\n  "y": 1\n}', '{\n  "a": {"x": 0, "b": 1},\n  "y": 1\n}'],
  ['an empty section on a line', '{\n\t"a": {}\n}', '{\n\t"a": {\n\t\t"b": 1\n\t}\n}'],
  ['an empty section among others', '{"a":{},"y":1}', '{"a":{"b":1},"y":1}'],
  ['a value', '{"a": {"b" :  [0,\n1], "c": 2}}', '{"a": {"b" :  1, "c": 2}}'],
  [
    'a key that is there twice',
    '{"a": {"b": 0}, "a": {"b": 0, "b": 0}}',
    '{"a": {"b": 0}, "a": {"b": 0, "b": 1}}',
  ],
  ['an escaped key', '{"\\u0061": {"b": 0}}', '{"\\u0061": {"b": 1}}'],
])('a value is set the way the file is written: %s', (_, before, after) => {
  expect(set(before, ['a', 'b'], '1')).toBe(after);
});

test.each([
  ['the first', '{"a": 1, "b": 2}', '{"b": 2}'],
  ['the last', '{\n  "b": 2,\n  "a": 1\n}\n', '{\n  "b": 2\n}\n'],
  ['one between', '{\r\n\t"b": 2,\r\n\t"a": 1,\r\n\t"c": 3\r\n}', '{\r\n\t"b": 2,\r\n\t"c": 3\r\n}'],
  ['the only one', '\ufeff{\n  "a": {"x": 1}\n}\n', '\ufeff{}\n'],
  ['each time it is there', '{"a": 1, "b": 2, "a": 3, "c": 4, "a": 5}', '{"b": 2, "c": 4}'],
  ['the first two', '{"a": 1, "a": 1, "b": 2}', '{"b": 2}'],
  ['none', '{"b": {"a": 1}}', '{"b": {"a": 1}}'],
])('a key is removed with its comma: %s', (_, before, after) => {
  expect(remove(before, ['a'])).toBe(after);
});

test('sections that are left empty stay', () => {
  expect(remove('{"x": 1, "a": {"b": {"c": 1}}}', ['a', 'b', 'c'])).toBe('{"x": 1, "a": {"b": {}}}');
  expect(remove('{"a": {"x": 1}, "a": {"b": 2}}', ['a', 'b'])).toBe('{"a": {"x": 1}, "a": {}}');
});

test('sections that were made go with what is removed, if they are left empty', () => {
  const path = ['a', 'b', 'c'];
  expect(remove('{"x": 1, "a": {"b": {"c": 1}}}', path, ['a'])).toBe('{"x": 1}');
  expect(remove('{"x": 1, "a": {"b": {"c": 1}}}', path, ['a', 'b'])).toBe('{"x": 1, "a": {}}');
  expect(remove('{"a": {"b": {"c": 1}, "hand": 1}}', path, ['a'])).toBe('{"a": {"hand": 1}}');
  expect(remove('{"a": {"b": {"c": 1}, "hand": {}}}', path, ['a'])).toBe('{"a": {"hand": {}}}');
});

test('a section that was made stays, empty, where a person has written its key a second time', () => {
  const twice = '{"x": 1, "a": "mine", "a": {"b": 1}}';
  expect(remove(twice, ['a', 'b'], ['a'])).toBe('{"x": 1, "a": "mine", "a": {}}');
});

test.each<[string, string, Once, string]>([
  ['the first', '{"b": 2}', { json: '1', follows: null }, '{"a": 1, "b": 2}'],
  [
    'one between',
    '{\n  "b": 2,\n  "c": 3\n}',
    { json: '1', follows: 'b' },
    '{\n  "b": 2,\n  "a": 1,\n  "c": 3\n}',
  ],
  ['the last', '{"b":2,"c":3}', { json: '1', follows: 'c' }, '{"b":2,"c":3,"a":1}'],
  ['one whose neighbour is gone', '{"b": 2}', { json: '1', follows: 'x' }, '{"b": 2, "a": 1}'],
  ['the only one', '{}', { json: '1', follows: null }, '{\n  "a": 1\n}'],
  [
    'several of the same key',
    '{"b": 2}',
    { json: '1', follows: null, earlier: ['0'] },
    '{"a": 0, "a": 1, "b": 2}',
  ],
  ['a section for a value', '{"a": "text", "b": 2}', { json: '{"x": 1}' }, '{"a": {"x": 1}, "b": 2}'],
  ['a value for a section', '{"a": {"x": 1}, "b": 2}', { json: '1' }, '{"a": 1, "b": 2}'],
])('what stood somewhere comes back there: %s', (_, text, once, after) => {
  expect(restore(text, ['a'], once)).toBe(after);
});

test('what stood within a value comes back to no place', () => {
  expect(() => restore('{"a": 1}', ['a', 'b'], { json: '1' })).toThrow(
    expect.objectContaining({ code: 'KEY_TAKEN' }),
  );
});

test('many keys come back in their order, behind one another', () => {
  const text = '{"a": 1, "b": 2, "c": {"d": 3, "e": 4}, "f": 5}';
  const document = readDocument(Buffer.from(text));
  const maker = new EditMaker(document);
  const paths = [['a'], ['b'], ['c', 'd'], ['c', 'e'], ['f']];
  for (const gone of [paths, paths.slice(1), paths.slice(0, -1), paths.filter((_, at) => at % 2 === 0)]) {
    const removed = new Draft(document);
    for (const path of gone) removed.remove(path);
    const back = new Draft(readDocument(removed.finish()));
    for (const path of gone) {
      const { before, ...once } = maker.edit(path, undefined);
      back.restore(path, { json: before as string, ...once });
    }
    expect(JSON.stringify(JSON.parse(back.finish().toString()))).toBe(JSON.stringify(JSON.parse(text)));
  }
});

test('a section that was removed can be set again', () => {
  const text = '{\n  "b": 1,\n  "a": {\n    "x": 1.0,\n    "y": {}\n  }\n}\n';
  const section = readDocument(Buffer.from(text)).find(['a'], { literal: false })?.json() ?? '';
  expect(set(remove(text, ['a']), ['a'], section)).toBe(text);
});

test('no value takes the place of a section, and no section that of a value', () => {
  const text = '{"a": {"b": 1, "c": {"d": [1, 2]}}, "e": {"f": {}}}';
  expect(() => set(text, ['a'], '1')).toThrow(
    expect.objectContaining({
      code: 'KEY_TAKEN',
      message:
        '"a" is a section with 2 keys, which a value would replace. Delete it first, or choose another key.',
    }),
  );
  expect(() => set(text, ['a', 'c'], '"x"')).toThrow('"a.c" is a section with 1 key,');
  expect(() => set(text, ['a', 'b', 'x.y', 'z'], '1')).toThrow(
    expect.objectContaining({
      code: 'KEY_TAKEN',
      message: '"a.b" is a value, which "a.b.x\\.y.z" would replace. Delete it first, or choose another key.',
    }),
  );
  expect(() => set(text, ['a', 'b'], '{"x": 1}')).toThrow('"a.b" is a value, which a section would replace.');
  expect(set(text, ['e'], '1')).toBe('{"a": {"b": 1, "c": {"d": [1, 2]}}, "e": 1}');
});

test('many changes in one go are as good as one after the other', () => {
  const draft = new Draft(readDocument(undefined));
  draft.set(['people', 'maria', 'role'], '"engineer"');
  draft.set(['people', 'maria', 'town'], '"Köln"');
  draft.set(['tools', 'editor'], '"vi"');
  expect(() => draft.set(['people', 'maria'], '1')).toThrow('"people.maria" is a section with 2 keys');
  expect(() => draft.set(['tools', 'editor', 'name'], '1')).toThrow('"tools.editor" is a value');
  draft.set(['people', 'ben', 'role'], '"chief"');
  draft.set(['people', 'ben', 'role'], '"cook"');
  draft.remove(['tools', 'editor']);
  draft.set(['tools'], 'null');
  expect(draft.finish().toString()).toBe(`{
  "people": {
    "maria": {
      "role": "engineer",
      "town": "Köln"
    },
    "ben": {
      "role": "cook"
    }
  },
  "tools": null
}
`);
});

test('ten thousand keys are set in one go', () => {
  const draft = new Draft(readDocument(undefined));
  for (let at = 0; at < 10_000; at++) draft.set([`section ${at % 100}`, `key ${at}`], String(at));
  const bytes = draft.finish();
  expect(readDocument(bytes).root.count()).toBe(10_000);
  const undo = new Draft(readDocument(bytes));
  for (let at = 0; at < 10_000; at++)
    undo.remove([`section ${at % 100}`, `key ${at}`], [`section ${at % 100}`]);
  expect(undo.finish().toString()).toBe('{}\n');
});

test('the root itself is neither set nor removed', () => {
  expect(() => set('{}', [], '1')).toThrow(RangeError);
  expect(() => remove('{}', [])).toThrow(RangeError);
});

/** What a key that is set does to the facts of a text; `undefined` if it must be refused. */
function modelSet(facts: Map<string, unknown>, path: readonly string[], json: string) {
  const key = JSON.stringify(path);
  const isAbove = (upper: string, lower: string) => lower.startsWith(`${upper.slice(0, -1)},`);
  for (const other of facts.keys()) if (isAbove(other, key) || isAbove(key, other)) return undefined;
  return new Map(facts).set(key, JSON.parse(json));
}

function modelRemove(facts: Map<string, unknown>, path: readonly string[]): Map<string, unknown> {
  const start = JSON.stringify(path).slice(0, -1);
  return new Map([...facts].filter(([key]) => !key.startsWith(`${start},`) && key !== `${start}]`));
}

/** A text and a path in it, more often than not one that is there. */
const place = fc.tuple(contextText, path, fc.nat(), fc.nat(3)).map(([text, path, nth, depth]) => {
  const paths = [...factsIn(text).keys()].map((key) => JSON.parse(key) as string[]);
  const there = paths[nth % (2 * paths.length)];
  return { text, path: there ? there.slice(0, there.length - (depth === 0 ? 1 : 0)) : path };
});

function commonEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return start + end;
}

test('a value that is set is all that changes', () => {
  fc.assert(
    fc.property(
      place.filter(({ path }) => path.length > 0),
      valueJson,
      ({ text, path }, json) => {
        const document = readDocument(Buffer.from(text));
        const facts = modelSet(factsIn(text), path, json);
        if (!facts) {
          expect(() => setValue(document, path, json)).toThrow(
            expect.objectContaining({ code: 'KEY_TAKEN' }),
          );
          return;
        }
        const after = setValue(document, path, json).toString();
        expect(factsIn(after)).toEqual(facts);
        const found = document.find(path, { literal: false });
        if (found) {
          const bytes = Buffer.from(text);
          expect(after).toBe(
            bytes.toString('utf8', 0, found.start) + json + bytes.toString('utf8', found.end),
          );
          return;
        }
        const section = [...path.keys()]
          .map((length) => document.find(path.slice(0, length), { literal: false }))
          .findLast((found) => found !== undefined);
        if (section?.json().replace(/\s/g, '') === '{}') {
          expect(commonEnds(text, after)).toBeGreaterThanOrEqual(text.length - section.json().length + 2);
        } else {
          expect(commonEnds(text, after)).toBe(text.length);
          expect(remove(after, path, path.slice(0, (section?.path.length ?? 0) + 1))).toBe(text);
        }
      },
    ),
    { numRuns: 500 },
  );
});

/** Whether a text is what is left of another when some of that is cut out. */
function isLeftOf(text: string, other: string): boolean {
  let at = 0;
  for (let from = 0; from < other.length; from++) if (other[from] === text[at]) at++;
  return at === text.length;
}

test('a key that is removed is all that changes', () => {
  const places = place.filter(({ path }) => path.length > 0);
  fc.assert(
    fc.property(places, ({ text, path }) => {
      const document = readDocument(Buffer.from(text));
      const after = removeKey(document, path).toString();
      expect(factsIn(after)).toEqual(modelRemove(factsIn(text), path));
      expect(isLeftOf(after, text)).toBe(true);
      if (!document.find(path, { literal: false })) expect(after).toBe(text);
      const { keys } = document.members;
      if (new Set(keys).size === keys.length) expect(commonEnds(after, text)).toBe(after.length);
    }),
    { numRuns: 500 },
  );
});

/** Whether all that is in a section around a path has a key of its own, but for what is at the path. */
function hasOwnKeys({ members }: Document, path: readonly string[]): boolean {
  const section = path.slice(0, -1).reduce((at, name) => members.find(at, name) as number, ROOT);
  const names = members.of(section).map((member) => members.keys[member] as string);
  const others = names.filter((name) => name !== path.at(-1));
  return new Set(others).size === others.length;
}

test('a key that was removed comes back to where it was', () => {
  fc.assert(
    fc.property(place, ({ text, path }) => {
      const document = readDocument(Buffer.from(text));
      fc.pre(path.length > 0 && document.find(path, { literal: false }) !== undefined);
      fc.pre(hasOwnKeys(document, path));
      const { before, ...once } = new EditMaker(document).edit(path, undefined);
      const back = restore(remove(text, path), path, { json: before as string, ...once });
      const keys = (json: string) => Array.from(readDocument(Buffer.from(json)).facts(), ({ key }) => key);
      expect(factsIn(back)).toEqual(factsIn(text));
      expect(keys(back)).toEqual(keys(text));
    }),
    { numRuns: 500 },
  );
});

test('changes in one go lead to what they lead to one after the other', () => {
  const change = fc.tuple(path, fc.option(valueJson));
  fc.assert(
    fc.property(contextText, fc.array(change, { maxLength: 12 }), (text, changes) => {
      const draft = new Draft(readDocument(Buffer.from(text)));
      let facts = factsIn(text);
      for (const [path, json] of changes) {
        if (json === null) {
          draft.remove(path);
          facts = modelRemove(facts, path);
          continue;
        }
        const next = modelSet(facts, path, json);
        if (next) draft.set(path, json);
        else expect(() => draft.set(path, json)).toThrow(expect.objectContaining({ code: 'KEY_TAKEN' }));
        facts = next ?? facts;
      }
      expect(factsIn(draft.finish().toString())).toEqual(facts);
    }),
    { numRuns: 500 },
  );
});
