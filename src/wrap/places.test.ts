import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendTo, edited, type Path, placesIn, prependTo, without } from './places.ts';

/** The value at a path, as JSON.parse sees it. */
function at(value: unknown, path: Path): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: any value is looked into
  return path.reduce<any>((inner, step) => inner[step], value);
}

test('a place holds the bytes of the value at its path, whatever the JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      const bytes = Buffer.from(text);
      const value = JSON.parse(text);
      for (const { path, from, to } of placesIn(bytes, () => true)) {
        expect(JSON.parse(bytes.toString('utf8', from, to))).toEqual(at(value, path));
      }
    }),
  );
});

test('what is found is what was wanted', () => {
  const json = Buffer.from('{"a":[1,{"b":"é"},[2]], "c": {"b":1.0}}');
  const found = placesIn(json, (path) => path.at(-1) === 'b');
  expect(found.map(({ path, from, to }) => [path, json.toString('utf8', from, to)])).toEqual([
    [['a', 1, 'b'], '"é"'],
    [['c', 'b'], '1.0'],
  ]);
});

test('edits leave all other bytes alone', () => {
  const json = Buffer.from('{ "list" : [ 1.0 ] , "none":[ ],"object":{ },"é":{"x" : 1e3}}');
  const [list, none, object, letters] = placesIn(json, (path) => path.length === 1);
  if (!list || !none || !object || !letters) throw new Error('not found');
  const after = edited(json, [
    prependTo(json, letters, '"w":0'),
    prependTo(json, object, '"y":2'),
    appendTo(json, none, '3,4'),
    appendTo(json, list, '2'),
  ]);
  expect(after.toString()).toBe(
    '{ "list" : [ 1.0 ,2] , "none":[ 3,4],"object":{"y":2 },"é":{"w":0,"x" : 1e3}}',
  );
});

test.each([
  ['{"gone":1,"b":2}', '{"b":2}'],
  ['{"a":1 , "gone" : {"x":[]}}', '{"a":1 }'],
  ['{"a":1, "gone":[1] , "b":2}', '{"a":1,  "b":2}'],
  ['{ "gone" : "," }', '{  }'],
])('an entry goes with its comma: %s', (text, rest) => {
  const json = Buffer.from(text);
  const edits = placesIn(json, (path) => path[0] === 'gone' && path.length === 1).map((place) =>
    without(json, place),
  );
  expect(edited(json, edits).toString()).toBe(rest);
});
