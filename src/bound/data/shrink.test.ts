import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LongObject, RawNumber } from '../../json/held.ts';
import { sketchOf } from '../../json/json.testing.ts';
import { stringify } from '../../json/stringify.ts';
import type { Gap, Words } from '../types.ts';
import { base64, expectAccounted, held, jsonValue, WORDS } from './data.testing.ts';
import { type ShrinkOptions, shrink } from './shrink.ts';

const escaped = (text: string) => JSON.stringify(text).length - 2;

function shrunk(value: unknown, room: number, options: Partial<ShrinkOptions> = {}): unknown {
  const result = shrink(held(value), room, { words: WORDS, ...options });
  return result && JSON.parse(stringify(result.value));
}

describe('shrink', () => {
  it('keeps to any room, tells all that is missing and nothing else, and is the same every time', () => {
    const options = fc.record({
      indent: fc.constantFrom(undefined, 2, '\t'),
      indentDepth: fc.constantFrom(undefined, 0, 1, 2),
      cost: fc.constantFrom(undefined, escaped, Buffer.byteLength as (text: string) => number),
      tailShare: fc.constantFrom(0, 0.3, 0.7, 1),
      notice: fc.boolean(),
    });
    fc.assert(
      fc.property(jsonValue, fc.integer({ min: 0, max: 1200 }), options, (value, room, given) => {
        const { cost = (text: string) => text.length, indent, indentDepth } = given;
        const result = shrink(held(value), room, { words: WORDS, ...given });
        if (!result) return;
        const json = stringify(result.value, indent, indentDepth);
        expect(cost(json)).toBeLessThanOrEqual(room);
        expect(json.isWellFormed()).toBe(true);
        expectAccounted(JSON.parse(JSON.stringify(value)), JSON.parse(json), result.gaps);
        expect(shrink(held(value), room, { words: WORDS, ...given })).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });

  it('finds a way from a small room on', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(jsonValue), fc.dictionary(fc.string(), jsonValue)), (value) => {
        expect(shrink(held(value), 200, { words: WORDS })).toBeDefined();
      }),
    );
  });

  it('leaves what fits the same value, and what it made itself', () => {
    fc.assert(
      fc.property(jsonValue, fc.integer({ min: 100, max: 1000 }), (value, room) => {
        const whole = shrink(held(value), JSON.stringify(value).length, { words: WORDS });
        expect(whole?.value).toBe(value);
        expect(whole?.gaps).toEqual([]);
        const first = shrink(held(value), room, { words: WORDS });
        if (first) expect(shrink(first.value, room, { words: WORDS })?.value).toBe(first.value);
      }),
    );
  });

  it('keeps to a room in which an object would be less with its field than with the words in its stead', () => {
    const long = [{ '': 10_000 }, false, false, null, 1e8, 1.0003286138679141e-300, null, -1e8, -1e7];
    const value = [{ ' ': null, '': false }, ' ', { '': [long, null] }, null];
    for (let room = 60; room < 180; room++) {
      expect(stringify(shrink(held(value), room, { words: WORDS })?.value ?? '').length).toBeLessThanOrEqual(
        room,
      );
    }
  });

  it('says in a list what it left out between its first and last items', () => {
    const items = Array.from({ length: 1000 }, (_, index) => index);
    const list = (shrunk({ items }, 200) as { items: unknown[] }).items;
    expect(list.slice(0, 3)).toEqual([0, 1, 2]);
    expect(list.slice(-2)).toEqual([998, 999]);
    expect(list.filter((item) => typeof item === 'string')).toEqual([
      expect.stringMatching(/^\[… \d+ items left out from \d+ on …\]$/),
    ]);
  });

  it('begins with a notice: an object in its first field, a list in the item for what is missing, or the first', () => {
    const long = 'word '.repeat(100);
    expect(Object.keys(shrunk({ text: long }, 200) as object)).toEqual(['_plimsoll', 'text']);
    expect(Object.keys(shrunk({ _plimsoll: 'taken', text: long }, 200) as object)).toEqual([
      '__plimsoll',
      '_plimsoll',
      'text',
    ]);
    expect(shrunk([1, long], 200)).toEqual(['[cut in 1 places]', 1, expect.stringContaining('left out')]);
    const list = shrunk(
      Array.from({ length: 500 }, () => 'an item'),
      300,
    ) as string[];
    expect(list.filter((item) => item !== 'an item')).toEqual([
      expect.stringMatching(/^\[cut in 1 places\] \[… /),
    ]);
  });

  it('has no notice where none is asked for', () => {
    const text = 'word '.repeat(100);
    expect(Object.keys(shrunk({ text }, 200, { notice: false }) as object)).toEqual(['text']);
  });

  it('keeps the first and the last entries of a large object', () => {
    const map = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key ${index}`, index]));
    const keys = Object.keys(shrunk({ map }, 400) as { map: object });
    expect(keys).toEqual(['_plimsoll', 'map']);
    const inner = Object.keys((shrunk({ map }, 400) as { map: object }).map);
    expect(inner[0]).toBe('key 0');
    expect(inner.at(-1)).toBe('key 999');
    expect(inner.filter((key) => !key.startsWith('key'))).toEqual(['_plimsoll']);
  });

  it('shrinks the largest first: small fields stay whole', () => {
    const value = { id: 7, name: 'a thing', log: 'line\n'.repeat(1000), note: 'short' };
    expect(shrunk(value, 500)).toMatchObject({ id: 7, name: 'a thing', note: 'short' });
  });

  it('keeps few items whole rather than many in fragments, but all of a few that are large', () => {
    const record = (id: number) => ({
      id,
      text: 'some words of no great length, about a hundred characters '.repeat(2),
    });
    const records = Array.from({ length: 1000 }, (_, id) => record(id));
    const { list } = shrunk({ list: records }, 3000) as { list: unknown[] };
    const whole = list.filter((item) => typeof item === 'object');
    expect(whole.length).toBeGreaterThan(10);
    for (const item of whole) expect(records).toContainEqual(item);
    const files = ['a', 'b', 'c'].map((name) => ({ name, text: name.repeat(10_000) }));
    expect((shrunk({ files }, 3000) as { files: unknown[] }).files).toHaveLength(3);
  });

  it('shortens the long strings and lists of records before a record goes', () => {
    const pods = Array.from({ length: 150 }, (_, index) => ({
      metadata: { name: `pod-${index}`, annotations: { applied: 'a long word '.repeat(200) } },
      spec: { env: Array.from({ length: 30 }, (_, name) => ({ name: `NAME_${name}`, value: 'a value' })) },
      status: { phase: index === 70 ? 'Failed' : 'Running' },
    }));
    const { items } = shrunk({ items: pods }, 60_000) as { items: typeof pods };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(pods.map(({ metadata }) => metadata.name));
    expect(items.map(({ status }) => status)).toEqual(pods.map(({ status }) => status));
  });

  it('keeps of a record what tells most: small fields, then prose, and addresses last', () => {
    const issues = Array.from({ length: 100 }, (_, number) => ({
      url: `https://example.com/api/repositories/one/issues/${number}`,
      events_url: `https://example.com/api/repositories/one/issues/${number}/events`,
      user: { login: 'someone', links: Array(20).fill('https://example.com/someone') },
      number,
      title: `The title of the issue ${number}`,
      body: 'many words '.repeat(500),
      state: 'open',
    }));
    const list = shrunk({ issues }, 40_000) as { issues: (typeof issues)[number][] };
    expect(list.issues).toHaveLength(100);
    for (const [index, { number, title, body, state }] of list.issues.entries()) {
      expect({ number, title, state }).toEqual({
        number: index,
        title: `The title of the issue ${index}`,
        state: 'open',
      });
      expect(body).toMatch(/^many words .* left out/);
    }
  });

  it('leaves no item that is a marker and nothing else', () => {
    const rows = Array.from({ length: 1000 }, (_, id) => ({
      id,
      inner: { deep: Array.from({ length: 50 }, (_, at) => ({ at, text: 'some words' })) },
    }));
    const { list } = shrunk({ list: rows }, 10_000) as { list: (string | { id: number })[] };
    const kept = list.filter((item) => typeof item !== 'string');
    expect(kept.length).toBeGreaterThan(20);
    for (const { id } of kept) expect(id).toBeTypeOf('number');
    for (const item of kept) expect(JSON.stringify(item).length).toBeGreaterThan(120);
  });

  it('has all of a few large files in it, cut alike', () => {
    const files = Array.from({ length: 8 }, (_, index) => ({
      path: `src/${index}.ts`,
      content: 'const a = 1;\n'.repeat(5000),
    }));
    const kept = shrunk(files, 100_000) as { path: string; content: string }[];
    expect(kept.slice(1).map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    for (const { content } of kept.slice(1)) expect(content.length).toBeGreaterThan(10_000);
  });

  it('says of several gaps of one value what there is for that', () => {
    const words = { ...WORDS, briefs: (gaps: readonly Gap[]) => `[… ${gaps.length} gaps …]` };
    const long = (index: number) => Array.from({ length: 20 }, () => `https://example.com/${index}`);
    const record = { a: long(1), b: 1, c: long(2), d: 2, e: long(3), f: 3 };
    expect(shrunk([record], 200, { words })).toMatchObject([
      '[cut in 3 places]',
      { _plimsoll: '[… 2 gaps …]', b: 1, d: 2, f: 3 },
    ]);
  });

  it('gives equal values equal shares', () => {
    const value = { a: 'x'.repeat(5000), b: ['y'.repeat(5000)], c: { d: 'z'.repeat(5000) } };
    const json = stringify(held(shrunk(value, 3000)));
    const counts = ['x', 'y', 'z'].map((char) => json.split(char).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(40);
  });

  it('replaces base64 whole and leaves other long strings of one kind to be cut', () => {
    const result = shrunk({ picture: base64(3000), text: 'x'.repeat(3000) }, 1500) as Record<string, string>;
    expect(result.picture).toBe('[… 4000 chars left out from 0 on …]');
    expect(result.text).toMatch(/^x+\[… \d+ chars left out from \d+ on …\]x+$/);
  });

  it('says where a file is that base64 in data was written to', () => {
    const uri = 'plimsoll://spool/handle/file1';
    const words: Words = {
      ...WORDS,
      media: (at, { mimeType, bytes }) =>
        at === '/file/content' ? { text: `[${mimeType}, ${bytes} bytes: ${uri}]`, uri } : undefined,
    };
    const content = base64(3000).replace(/.{60}/g, '$&\n');
    const value = { file: { encoding: 'base64', content }, other: base64(3000), text: 'x'.repeat(3000) };
    expect(shrunk(value, 2500, { words })).toMatchObject({
      file: { encoding: 'base64', content: `[image/png, 3000 bytes: ${uri}]` },
      other: '[… 4000 chars left out from 0 on …]',
    });
  });

  it('takes as base64 what a field beside says is that', () => {
    const content = 'QUFB'.repeat(1000);
    const text = 'x'.repeat(3000);
    expect(shrunk({ content, text }, 2000)).toMatchObject({ content: expect.stringMatching(/^QUFB/) });
    expect(shrunk({ encoding: 'base64', content, text }, 2000)).toMatchObject({
      content: '[… 4000 chars left out from 0 on …]',
    });
  });

  it('cuts texts between characters', () => {
    const { text } = shrunk({ text: '👩‍👩‍👧‍👦'.repeat(200) }, 300) as { text: string };
    expect(text.replaceAll('👩‍👩‍👧‍👦', '')).toMatch(/^\[… \d+ chars left out from \d+ on …\]$/);
  });

  it('never touches numbers', () => {
    const value = held({ exact: new RawNumber('12345678901234567890.10'), text: 'word '.repeat(100) });
    expect(stringify(shrink(value, 200, { words: WORDS })?.value ?? null)).toContain(
      '12345678901234567890.10',
    );
  });

  it('makes values whole of which only the ends are held', () => {
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id, text: `row ${id}`.repeat(id % 10) }));
    const json = JSON.stringify({ rows, text: 'long '.repeat(5000), total: 3000 });
    const sketch = sketchOf(json, { textChars: 10_000, listBytes: 4000 });
    const result = shrink(sketch, 2000, { words: WORDS });
    const back = JSON.parse(stringify(result?.value ?? null));
    expect(back.rows[0]).toEqual(rows[0]);
    expect(back.rows.at(-1)).toEqual(rows[2999]);
    expect(back.text).toMatch(/^long .* left out .*long $/);
    expect(back.total).toBe(3000);
    const [list, text] = result?.gaps ?? [];
    const shown = JSON.stringify(back.rows.filter((row: unknown) => typeof row === 'object')).length;
    const missing = JSON.stringify(rows).length - shown - 1;
    expect(list).toMatchObject({ at: '/rows', unit: 'items', of: 3000, chars: missing, bytes: missing });
    expect(text).toMatchObject({ at: '/text', unit: 'chars', of: 25_000 });
  });

  it('tells the bytes that are missing in what is held in part', () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => index);
    const sketch = sketchOf(JSON.stringify(numbers), { textChars: 1000, listBytes: 400 });
    const [gap] = shrink(sketch, 300, { words: WORDS })?.gaps ?? [];
    const { from = 0, to = 0, bytes } = gap ?? {};
    expect(bytes).toBe(
      JSON.stringify(numbers).length -
        2 -
        JSON.stringify([...numbers.slice(0, from), ...numbers.slice(to)]).length +
        2 -
        1,
    );
  });

  it('leaves out what is held by its size only', () => {
    const value = held({ deep: new LongObject([], [], 3, { bytes: 5000, chars: 5000 }, ''), id: 1 });
    expect(JSON.parse(stringify(shrink(value, 200, { words: WORDS })?.value ?? null))).toEqual({
      _plimsoll: expect.any(String),
      deep: { _plimsoll: '[… 3 entries left out from 0 on …]' },
      id: 1,
    });
  });

  it('gives up where there is no room for the truth', () => {
    expect(shrink(held(['word '.repeat(50)]), 20, { words: WORDS })).toBeUndefined();
    expect(shrink(held(12345), 3, { words: WORDS })).toBeUndefined();
  });

  it('measures no more than some times what there is: wide lists, long texts, deep nesting', () => {
    let deep: unknown = 'end '.repeat(1000);
    for (let level = 0; level < 200; level++) deep = level % 2 === 0 ? { level: deep } : [deep];
    const values = [
      Array.from({ length: 100_000 }, (_, index) => index),
      { one: 'x'.repeat(1_000_000), two: ['line\n'.repeat(200_000)] },
      deep,
    ];
    for (const value of values) {
      let measured = 0;
      const cost = (text: string) => {
        measured += text.length;
        return text.length;
      };
      expect(shrunk(value, 3000, { cost })).toBeDefined();
      expect(measured).toBeLessThan(50 * JSON.stringify(value).length);
    }
  });
});
