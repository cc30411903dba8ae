import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { type Held, LongList, LongObject, LongText, RawNumber } from './held.ts';
import { escapedJson, json, sketchOf } from './json.testing.ts';
import { textOf } from './long-text.ts';
import { Sketch } from './sketch.ts';
import { stringify } from './stringify.ts';
import { JsonWalk } from './walk.ts';

const AMPLE = { textChars: 1000, listBytes: 100_000 };
const TIGHT = { textChars: 8, listBytes: 40 };

const cuts = fc.array(fc.nat(), { maxLength: 10 });

test('what is under the limits is what JSON.parse reads', () => {
  const property = fc.property(json, cuts, fc.constantFrom(0, 2), (value, at, indent) => {
    const held = sketchOf(JSON.stringify(value, null, indent), AMPLE, at);
    expect(stringify(held)).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
  });
  fc.assert(property);
});

test('of keys that stand twice the last counts, and every key is a key', () => {
  const source = '{"a":1,"__proto__":{"x":2},"a":3,"1":4,"constructor":5}';
  const held = sketchOf(source, AMPLE) as Record<string, Held>;
  expect(stringify(held)).toBe(JSON.stringify(JSON.parse(source)));
  expect(Object.getPrototypeOf(held)).toBe(null);
});

test('numbers keep how they are written', () => {
  expect(sketchOf('[1.0,1,1e5,12345678901234567890,-0]', AMPLE)).toEqual([
    new RawNumber('1.0'),
    1,
    new RawNumber('1e5'),
    new RawNumber('12345678901234567890'),
    new RawNumber('-0'),
  ]);
});

test('however it is split and written, the same is held', () => {
  const property = fc.property(json, cuts, fc.boolean(), (value, at, escaped) => {
    const source = escaped ? escapedJson(value) : JSON.stringify(value);
    expect(sketchOf(source, TIGHT, at)).toEqual(sketchOf(source, TIGHT));
  });
  fc.assert(property);
});

test('a list keeps its first and its last items, in order', () => {
  const items = Array.from({ length: 10_000 }, (_, index) => index);
  const source = JSON.stringify({ a: { list: items } });
  const { a } = sketchOf(source, { textChars: 100, listBytes: 100 }) as unknown as { a: { list: LongList } };
  const { first, last, count, bytes } = a.list;
  expect([count, bytes]).toEqual([10_000, JSON.stringify(items).length]);
  expect(first).toEqual(items.slice(0, first.length));
  expect(last).toEqual(items.slice(-last.length));
  expect(first.length).toBeGreaterThan(20);
  expect(last.length).toBeGreaterThan(10);
});

test.each([
  ['a', 'items', 'z'],
  ['items', 'z'],
  ['a', 'items'],
])('a large list is held wherever it stands: %s, %s', (...keys) => {
  const items = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  const source = JSON.stringify(
    Object.fromEntries(keys.map((key) => [key, key === 'items' ? items : { key }])),
  );
  for (const value of [
    sketchOf(source, TIGHT),
    textOf(source, { textChars: 2000, listBytes: 64 * 1024 }).json,
  ]) {
    expect(Object.keys(value as object)).toEqual(keys);
    expect((value as Record<string, LongList>).items?.count).toBe(200_000);
  }
});

test('an object keeps its first and its last entries, eight times as many', () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index] as const);
  const held = sketchOf(JSON.stringify(Object.fromEntries(entries)), {
    textChars: 100,
    listBytes: 100,
  }) as LongObject;
  expect(held).toBeInstanceOf(LongObject);
  expect(held.count).toBe(10_000);
  expect(held.first).toEqual(entries.slice(0, held.first.length));
  expect(held.last).toEqual(entries.slice(-held.last.length));
  expect(held.first.length).toBeGreaterThan(40);
});

test('an item larger than the limit is held where it is the first or the last', () => {
  const items = [['a'.repeat(15)], ['b'.repeat(15)], ['c'.repeat(15)]];
  const held = sketchOf(JSON.stringify({ x: { y: { items } } }), { textChars: 100, listBytes: 20 });
  const { first, last, count } = (held as unknown as { x: { y: { items: LongList } } }).x.y.items;
  expect({ first, last, count }).toEqual({ first: [items[0]], last: [items[2]], count: 3 });
});

test('of many long texts in a result none is lost, each has less of an end than the one before', () => {
  const content = Array.from({ length: 60 }, () => ({ type: 'text', text: 'x'.repeat(50_000) }));
  const held = sketchOf(JSON.stringify({ content }), { textChars: 10_000, listBytes: 20_000 });
  const texts = (held as unknown as { content: { text: LongText }[] }).content.map(({ text }) => text);
  expect(texts.length).toBe(60);
  const ends = texts.map(({ head }) => Math.round(head.length / 100));
  expect(ends.slice(0, 4)).toEqual([100, 50, 33, 25]);
  expect(texts.every(({ tail, chars }) => tail.length >= 312 && chars === 50_000)).toBe(true);
});

/** How many containers, keys and characters of texts a value holds. */
function sizeOf(value: Held): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof LongText)
    return value.head.length + value.tail.length + (value.json ? sizeOf(value.json) : 0);
  if (value instanceof LongList) return sizeOf([...value.first, ...value.last]);
  if (value instanceof LongObject)
    return [...value.first, ...value.last].reduce((sum, [key, item]) => sum + key.length + sizeOf(item), 1);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  if (value === null || typeof value !== 'object' || value instanceof RawNumber) return 1;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + sizeOf(item), 1);
}

const LARGE: Record<string, string> = {
  'one text': JSON.stringify('x'.repeat(500_000)),
  'JSON in a text': JSON.stringify(JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index })))),
  'a flat list': `[${'1,'.repeat(250_000)}1]`,
  'empty objects': `[${'{},'.repeat(150_000)}{}]`,
  'many texts in lists': `{"content":[${`"${'y'.repeat(3000)}",`.repeat(150)}1]}`,
  'lists in lists': nested('[', ',', ']', 60),
  'objects in objects': nested('{"k":', ',"l":', '}', 60),
  'long keys': `{${Array.from({ length: 500 }, (_, index) => `"${'k'.repeat(1000)}${index}":1,`).join('')}"z":1}`,
  'one very long key': `{"a":1,"${'k'.repeat(400_000)}":2}`,
};

/** Containers in the middle of containers, each with enough around it to fill what may be held. */
function nested(open: string, comma: string, close: string, depth: number): string {
  const filling = `"${'f'.repeat(3000)}"`;
  return (
    open.repeat(1) +
    (filling + comma + open).repeat(depth) +
    filling +
    (close + comma + filling).repeat(depth) +
    close
  );
}

test.each(Object.entries(LARGE))('%s is held within bounds', (_, source) => {
  const limits = { textChars: 500, listBytes: 1000 };
  expect(source.length).toBeGreaterThan(350_000);
  expect(sizeOf(sketchOf(source, limits))).toBeLessThanOrEqual(48 * limits.listBytes);
});

test('what is more than 200 levels deep is told by its size', () => {
  const inner = '[1,"a",{"b":[2]}]';
  const value = sketchOf(`${'['.repeat(200)}${inner}${']'.repeat(200)}`, AMPLE);
  let list = value as Held[];
  for (let depth = 1; depth < 200; depth++) list = list[0] as Held[];
  const { first, last, count, bytes } = list[0] as LongList;
  expect({ first, last, count, bytes }).toEqual({ first: [], last: [], count: 3, bytes: inner.length });
  const source = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(() => sketchOf(source, AMPLE)).not.toThrow();
});

test('a fingerprint is the same for the same JSON, however it is written and however much is held', () => {
  const large = fc.oneof(json, fc.array(json, { minLength: 20, maxLength: 30 }));
  const property = fc.property(large, cuts, (value, at) => {
    const expected = fingerprintOf(sketchOf(JSON.stringify(value), AMPLE));
    expect(fingerprintOf(sketchOf(JSON.stringify(value, null, 2), TIGHT, at))).toBe(expected);
    expect(fingerprintOf(sketchOf(escapedJson([value]), TIGHT))).not.toBe(expected);
  });
  const keys = fc.jsonValue({ stringUnit: 'grapheme-ascii' });
  fc.assert(property);
  fc.assert(
    fc.property(keys, keys, (one, other) => {
      const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
      expect(fingerprintOf(sketchOf(a, TIGHT)) === fingerprintOf(sketchOf(b, TIGHT))).toBe(a === b);
    }),
  );
});

test.each([
  ['1.0', '1', true],
  ['1e2', '100', true],
  ['-0', '0', true],
  ['12345678901234567890', '12345678901234567891', false],
  ['"\\u0061"', '"a"', true],
  ['"1"', '1', false],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', false],
  [JSON.stringify('x'.repeat(5000)), JSON.stringify('x'.repeat(5001)), false],
])('%s and %s are alike: %j', (one, other, alike) => {
  for (const limits of [AMPLE, TIGHT]) {
    const both = [one, other].map((source) => fingerprintOf(sketchOf(`[${source}]`, limits)));
    expect(both[0] === both[1]).toBe(alike);
  }
});

test('what is too deep is like nothing, not even itself', () => {
  const source = `${'['.repeat(300)}${']'.repeat(300)}`;
  expect(fingerprintOf(sketchOf(source, AMPLE))).not.toBe(fingerprintOf(sketchOf(source, AMPLE)));
});

test('a walk that has not finished has no value', () => {
  const sketch = new Sketch(AMPLE);
  new JsonWalk(sketch).write(Buffer.from('[1'));
  expect(() => sketch.finish()).toThrow('the walk has not finished');
});
