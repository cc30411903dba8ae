import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Held } from '../../json/held.ts';
import { sketchOf } from '../../json/json.testing.ts';
import { textOf } from '../../json/long-text.ts';
import { held, jsonValue } from './data.testing.ts';
import { mirrors } from './mirror.ts';

const LIMITS = { textChars: 200, listBytes: 400 };

describe('a text mirrors structuredContent', () => {
  const data = { items: [1, 'two', { three: 3.5 }], total: 3 };

  it.each([undefined, 2, '\t'])('as its JSON, indented by %s', (indent) => {
    expect(mirrors(JSON.stringify(data, null, indent), held(data))).toBe('json');
  });

  it('behind a byte order mark, too', () => {
    const text = `\ufeff${JSON.stringify(data)}`;
    expect(mirrors(text, held(data))).toBe('json');
    expect(mirrors(textOf(text, LIMITS), held(data))).toBe('json');
  });

  it('whatever the order of keys', () => {
    expect(mirrors('{"total":3,"items":[1,"two",{"three":3.50}]}', held(data))).toBe('json');
  });

  it('as the JSON or the text of its one property', () => {
    expect(mirrors('[1, 2]', held({ result: [1, 2] }))).toBe('wrapped');
    expect(mirrors('42', held({ result: 42 }))).toBe('wrapped');
    expect(mirrors('hello', held({ result: 'hello' }))).toBe('text');
  });

  it('but not where it says more, less or something else', () => {
    expect(mirrors(JSON.stringify({ ...data, more: 1 }), held(data))).toBeUndefined();
    expect(mirrors('{"items":[1,"two",{"three":3.5}]}', held(data))).toBeUndefined();
    expect(mirrors(`Found: ${JSON.stringify(data)}`, held(data))).toBeUndefined();
    expect(mirrors('hello', held({ result: 'hello', more: 1 }))).toBeUndefined();
    expect(mirrors('{}', held([]))).toBeUndefined();
    expect(
      mirrors('{"id":12345678901234567890}', sketchOf('{"id":12345678901234567891}', LIMITS)),
    ).toBeUndefined();
  });

  it('and what has another kind or size is told apart without being read', () => {
    let reads = 0;
    const items = new Proxy<Held[]>(['one', 'two'], {
      get(target, key, self) {
        if (/^\d+$/.test(String(key))) reads++;
        return Reflect.get(target, key, self);
      },
    });
    for (const text of ['{"a":1}', '["one"]', '"one,two"', 'one,two', '2']) {
      expect(mirrors(text, { items })).toBeUndefined();
    }
    expect(reads).toBe(0);
    expect(mirrors('["one","two"]', { items })).toBe('wrapped');
  });

  it('however much of both is held', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const structured = sketchOf(JSON.stringify(value), LIMITS);
        const isData = typeof value === 'object' && value !== null;
        expect(mirrors(json, structured)).toBeDefined();
        if (isData) expect(mirrors(textOf(json, LIMITS), structured)).toBe('json');
      }),
    );
  });

  it('and long ones are told apart by what is in their middle', () => {
    const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `name ${id}` }));
    const other = rows.map((row) => (row.id === 1000 ? { ...row, name: 'name!1000' } : row));
    const structured = sketchOf(JSON.stringify({ rows }), LIMITS);
    expect(mirrors(textOf(JSON.stringify({ rows }, null, 2), LIMITS), structured)).toBe('json');
    expect(mirrors(textOf(JSON.stringify({ rows: other }, null, 2), LIMITS), structured)).toBeUndefined();
    expect(mirrors(textOf(JSON.stringify(rows), LIMITS), structured)).toBe('wrapped');
    const long = 'word '.repeat(1000);
    expect(mirrors(textOf(long, LIMITS), sketchOf(JSON.stringify({ result: long }), LIMITS))).toBe('text');
  });
});
