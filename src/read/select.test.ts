import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kept } from '../spool/types.ts';
import { keptOf } from './read.testing.ts';
import { jsonCost } from './room.ts';
import { type SelectAsked, type Selected, selectIn } from './select.ts';

const ROOM = 10_000;

const DATA = {
  items: Array.from({ length: 30 }, (_, id) => ({
    id,
    name: `item ${id}`,
    tags: ['a', 'b', `t${id}`].slice(0, id % 4),
  })),
  'a key': { 'x.y': 1, 'm/n': 2, 'p~q': 3, '': 4 },
  text: 'He said "hi" 😀.',
  none: null,
  big: { deep: { flag: true, 7: 'seven' } },
};

const kept = keptOf({ 1: JSON.stringify(DATA, null, 1) }, { kind: 'json' });

async function select(path: string, asked: Partial<SelectAsked> = {}, room = ROOM) {
  return selectIn(kept, { path, ...asked }, room);
}

async function value(path: string): Promise<unknown> {
  return JSON.parse((await select(path)).text);
}

describe('a path leads to a value', () => {
  test.each<[string, unknown]>([
    ['', DATA],
    ['.', DATA],
    ['$', DATA],
    ['/items/3', DATA.items[3]],
    ['/items/3/id', 3],
    ['.items[3]', DATA.items[3]],
    ['items[3].id', 3],
    ['$.items[3].id', 3],
    ['.items.3.id', 3],
    ['.items.[3]', DATA.items[3]],
    ['.items[-1].id', 29],
    ['.items[-1].tags[-1]', 'a'],
    ['.items[27].tags[-1]', 't27'],
    ['.items[10:12]', DATA.items.slice(10, 12)],
    ['.items[:2].name', ['item 0', 'item 1']],
    ['.items[28:].id', [28, 29]],
    ['.items[-2:].id', [28, 29]],
    ['.items[:-28].id', [0, 1]],
    ['.items[].id', DATA.items.map(({ id }) => id)],
    ['.items[*].id', DATA.items.map(({ id }) => id)],
    ['.items[5:9].tags[]', DATA.items.slice(5, 9).flatMap(({ tags }) => tags)],
    ['.items[].tags[-1]', DATA.items.map(({ tags }) => tags.at(-1)).filter((tag) => tag !== undefined)],
    ['.items[40:50]', []],
    ['.items[0].tags', []],
    ['.items[0].tags[]', []],
    ['/a key/x.y', 1],
    ['/a key/m~1n', 2],
    ['/a key/p~0q', 3],
    ['/a key/', 4],
    ['."a key"["x.y"]', 1],
    ['.[\'a key\']."m/n"', 2],
    ['.big.deep.7', 'seven'],
    ['.big[]', [DATA.big.deep]],
    ['.none', null],
    ['.big.deep.flag', true],
    ['.items | length', 30],
    ['.items[3]|length', 3],
    ['.text | length', DATA.text.length],
    ['.none | length', 0],
    ['. | keys', Object.keys(DATA)],
    ['.big.deep|keys', ['7', 'flag']],
  ])('%s', async (path, expected) => {
    if (typeof expected === 'string') expect((await select(path)).text).toBe(expected);
    else expect(await value(path)).toEqual(expected);
  });
});

describe('what leads nowhere is refused with what is there', () => {
  test.each([
    ['.itmes', `There is no .itmes: . has the keys "items", "a key", "text", "none", "big".`],
    ['.items[30]', 'There is no .items[30]: .items is a list of 30 items.'],
    ['/items/x', 'There is no .items.x: .items is a list of 30 items.'],
    ['.items[2].nmae', 'There is no .items[2].nmae: .items[2] has the keys "id", "name", "tags".'],
    ['.items[].nmae', 'There is no .items[].nmae: .items[] has the keys "id", "name", "tags".'],
    ['.text.x', 'There is no .text.x: .text is neither a list nor an object.'],
    ['.none[0]', 'There is no .none[0]: .none is neither a list nor an object.'],
    ['.big[0]', 'There is no .big[0]: .big has the keys "deep".'],
    ['.items | keys', 'There are no keys: .items is no object.'],
    ['.items[] | length', "'| length' goes with one value, and not with [] or a range."],
    ['.items[1', "Not a path: '.items[1'. Give a JSON pointer like /items/3/name"],
    ['.items | sort', "Not a path: '.items | sort'."],
    ['/a~2', "Not a path: '/a~2'."],
    ['.a["\\x"]', 'Not a path: '],
    ['..a', "Not a path: '..a'."],
    [`.a${' '.repeat(1000)}| keys`, 'The path has 1008 characters, and may have 1000.'],
    ['.items[-1]'.repeat(9), 'Not more than 8 steps may count from the end of lists.'],
  ])('%s', async (path, message) => {
    await expect(select(path)).rejects.toThrow(message);
  });

  test('many keys are counted', async () => {
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, key) => [`k${key}`, key]));
    const one = keptOf({ 1: JSON.stringify(wide) });
    await expect(selectIn(one, { path: '.x' }, ROOM)).rejects.toThrow(/"k0", .*, "k19" and 30 more\.$/);
  });
});

describe('what is large', () => {
  async function readOn(path: string, room: number): Promise<Selected[]> {
    const pages: Selected[] = [];
    for (let from: number | undefined = 0; from !== undefined; from = pages.at(-1)?.next) {
      const page = await select(path, { from }, room);
      expect(jsonCost(page.text)).toBeLessThanOrEqual(room);
      expect(page.from).toBe(from);
      pages.push(page);
      if (pages.length > 100) throw new Error('It never ends.');
    }
    return pages;
  }

  test('is read on by items', async () => {
    for (const room of [300, 500, 1000, 3000]) {
      const pages = await readOn('.items', room);
      expect(pages.flatMap(({ text }) => JSON.parse(text))).toEqual(DATA.items);
      expect(pages.at(-1)?.to).toBe(30);
    }
    expect(await select('.items', { from: 28, count: 1 })).toEqual({
      part: '1',
      path: '.items',
      text: '[\n{"id":28,"name":"item 28","tags":[]}\n]',
      unit: 'items',
      from: 28,
      to: 29,
      of: 30,
      next: 29,
    });
  });

  test('is read on by characters', async () => {
    const pages = await readOn('.text', 12);
    expect(pages.map(({ text }) => text).join('')).toBe(DATA.text);
    expect(await select('.text', { from: 14, count: 1 })).toMatchObject({
      text: '.',
      unit: 'chars',
      from: 15,
      to: 16,
    });
    expect(await select('.text', { from: 13, count: 1 })).toMatchObject({
      text: '😀',
      from: 13,
      to: 15,
      next: 15,
    });
  });

  test('is read on by entries, in one line each', async () => {
    for (const room of [100, 300, 1000, 3000]) {
      const all: Record<string, unknown> = {};
      const keys = Array.from({ length: 40 }, (_, key) => `k${key}`);
      const map = keptOf({ 1: JSON.stringify(Object.fromEntries(keys.map((key) => [key, { key }]))) });
      for (let from: number | undefined = 0; from !== undefined; ) {
        const page: Selected = await selectIn(map, { path: '.', from }, room);
        expect(jsonCost(page.text)).toBeLessThanOrEqual(room);
        expect(page).toMatchObject({ unit: 'entries', from, of: 40 });
        expect(page.text.split('\n')).toHaveLength(page.to - from + 2);
        expect(page.rest).toBeUndefined();
        Object.assign(all, JSON.parse(page.text));
        from = page.next;
      }
      expect(Object.keys(all)).toEqual(keys);
    }
    expect(await select('.big.deep', { from: 1, count: 1 })).toEqual({
      part: '1',
      path: '.big.deep',
      text: '{\n"flag":true\n}',
      unit: 'entries',
      from: 1,
      to: 2,
      of: 2,
    });
  });

  test('and only what has no room for itself is shortened, with the place of the rest', async () => {
    const data = { rows: DATA.items, 'a/log': 'x'.repeat(50_000), last: 1 };
    const large = keptOf({ 1: JSON.stringify(data) });
    const first = await selectIn(large, { path: '.' }, 10_000);
    expect(first).toMatchObject({ text: expect.stringMatching(/^\{\n"rows":/), to: 1, next: 1 });
    const second = await selectIn(large, { path: '.', from: 1 }, 1000);
    expect(second).toMatchObject({ unit: 'entries', from: 1, to: 2, of: 3, next: 2 });
    const shown = JSON.parse(second.text)['a/log'];
    expect(shown).toMatch(/^x+\[… \d+ characters left out …\]x+$/);
    const from = shown.indexOf('[');
    expect(second.rest).toEqual({ part: '1', path: '/a~1log', from, start: expect.any(Number) });
    const rest = await selectIn(large, { path: '/a~1log', from }, 100_000);
    expect(rest.text).toHaveLength(50_000 - from);
  });

  test('and where more than one thing is missing, the rest is all of the value', async () => {
    const large = keptOf({ 1: JSON.stringify([[{ a: 'x'.repeat(900), b: 'y'.repeat(900) }], 2]) });
    const { rest } = await selectIn(large, { path: '.' }, 500);
    expect(rest).toEqual({ part: '1', path: '/0', start: 1 });
  });

  test('what cannot be selected is read by characters', async () => {
    const key = 'ключ'.repeat(300);
    const json = JSON.stringify({ ж: [1], [key]: 'the value', n: 1 }).replace('[1]', `[${'9'.repeat(2000)}]`);
    const large = keptOf({ 1: json });
    const number = await selectIn(large, { path: '.ж' }, 500);
    expect(number).toMatchObject({ text: expect.stringContaining('no room'), from: 0, to: 1, of: 1 });
    expect(number.rest).toEqual({ part: '1', start: json.indexOf('9') });
    const one = await selectIn(large, { path: '.ж[0]' }, 500);
    expect(one).toMatchObject({ unit: 'value', rest: { part: '1', start: json.indexOf('9') } });
    const entry = await selectIn(large, { path: '.', from: 1 }, 500);
    expect(JSON.parse(entry.text)).toEqual({ '…': expect.stringContaining('no room') });
    expect(entry).toMatchObject({ next: 2, rest: { start: json.indexOf(']') + 1 } });
    expect(await selectIn(large, { path: '. | keys', from: 1 }, 500)).toMatchObject({
      rest: { part: '1', start: 0 },
    });
  });

  test('values of several places tell where the rest of one is', async () => {
    const large = keptOf({ 1: JSON.stringify({ a: [{ t: 'x' }, { t: 'y'.repeat(3000) }] }) });
    const { rest, text } = await selectIn(large, { path: '.a[].t', from: 1 }, 500);
    expect(rest).toMatchObject({ path: '/a/1/t', from: text.indexOf('[… ') - 3 });
  });

  test('and an item is shortened, and the next call goes on behind it', async () => {
    const large = keptOf({ 1: JSON.stringify(['y'.repeat(5000), 2, 3]) });
    const first = await selectIn(large, { path: '.' }, 300);
    expect(first).toMatchObject({ from: 0, to: 1, of: 3, next: 1 });
    expect(first.rest).toMatchObject({ path: '/0' });
    expect(jsonCost(first.text)).toBeLessThanOrEqual(300);
    expect(JSON.parse(first.text)[0]).toContain('characters left out');
    const second = await selectIn(large, { path: '.', from: 1 }, 300);
    expect(second.text).toBe('[\n2,\n3\n]');
    expect(second.rest).toBeUndefined();
  });

  test('takes its room, whatever there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 80, max: 500 }), async (json, room) => {
        const one = keptOf({ 1: json });
        for (const path of ['.', '.[]', '.[0]', '.[-1]'] as const) {
          const page = await selectIn(one, { path }, room).catch(() => undefined);
          if (!page) continue;
          expect(jsonCost(page.text)).toBeLessThanOrEqual(room);
          expect(page.text.isWellFormed()).toBe(true);
          if (page.unit !== 'chars') JSON.parse(page.text);
        }
      }),
    );
  });

  test('is bounded in memory, and still shows what fits', async () => {
    const small = Array.from({ length: 3000 }, () => ({}));
    const one = keptOf({
      1: JSON.stringify({ a: { small, rows: Array.from({ length: 100_000 }, (_, id) => ({ id })) } }),
    });
    expect(JSON.parse((await selectIn(one, { path: '.a.small' }, 20_000)).text)).toEqual(small);
    const { text } = await selectIn(one, { path: '.a', from: 1 }, 1000);
    expect(jsonCost(text)).toBeLessThanOrEqual(1000);
    expect(JSON.parse(text)).toHaveProperty('rows');
  });

  test('a byte order mark is in the way of nothing', async () => {
    const one = keptOf({ 1: `\ufeff{"a":["é","${'y'.repeat(5000)}"]}` }, { kind: 'json' });
    const { text } = await selectIn(one, { path: '/a' }, 300);
    expect(JSON.parse(text)[0]).toBe('é');
    expect((await selectIn(one, { path: '/a/1' }, ROOM)).text).toBe('y'.repeat(5000));
  });

  test('numbers stay as they were written', async () => {
    const one = keptOf({ 1: '{"a":[1.0,12345678901234567890,1e3]}' });
    expect((await selectIn(one, { path: '.a' }, ROOM)).text).toBe('[\n1.0,\n12345678901234567890,\n1e3\n]');
  });

  test('behind its end there is nothing', async () => {
    await expect(select('.items', { from: 31 })).rejects.toThrow(
      'There is nothing from 31 on: .items has 30 items.',
    );
    await expect(select('.big', { from: 2 })).rejects.toThrow('.big has 1 entries.');
    await expect(select('.text', { from: 99 })).rejects.toThrow('.text has 16 characters.');
    expect(await select('.items', { from: 30 })).toMatchObject({ text: '[]', from: 30, to: 30, of: 30 });
  });
});

describe('the part', () => {
  const result: Kept = {
    ...kept,
    parts: [
      ...keptOf({ 1: 'log line\nanother\n' }, { at: '/content/0/text' }).parts,
      ...keptOf({ 2: '{"in":"text"}' }, { at: '/content/1/text', kind: 'json' }).parts,
      ...keptOf({ structured: '{"rows":[1,2]}' }, { at: '/structuredContent', kind: 'json' }).parts,
      ...keptOf(
        {
          result:
            '{"content":[{"type":"text","text":{"plimsoll-part-testhandle2345abcdef":"1"}},{},{"text":"tiny"}],"isError":false}',
        },
        { at: '', kind: 'json' },
      ).parts,
    ],
  };
  const text = async (path: string, part?: string) => (await selectIn(result, { path, part }, ROOM)).text;

  test('is the one that is named', async () => {
    expect(await text('.rows[1]', 'structured')).toBe('2');
    expect(await text('.in', '2')).toBe('text');
    await expect(text('.rows', '9')).rejects.toThrow("There is no part '9'");
    await expect(text('.rows', '1')).rejects.toThrow('Part 1 is not JSON: ');
  });

  test('is the first that is JSON where none is named', async () => {
    expect(await text('.in')).toBe('text');
  });

  test('is where the path leads to from the result', async () => {
    expect(await text('/structuredContent/rows/1')).toBe('2');
    expect(await text('.structuredContent')).toBe('{\n"rows":[1,2]\n}');
    expect(await text('/content/0/text')).toBe('log line\nanother\n');
    expect(await text('.content[1].text.in')).toBe('text');
    expect(await text('/content/2/text')).toBe('tiny');
    expect(await text('/isError')).toBe('false');
    expect(await text('.content | length')).toBe('3');
    expect(await text('.content[0].text | length')).toBe('17');
    expect(await text('/content/0/text', 'result')).toBe('log line\nanother\n');
  });

  test('is the whole result for the empty path if there are several', async () => {
    expect(JSON.parse(await text(''))).toEqual({
      content: [{ type: 'text', text: 'log line\nanother\n' }, {}, { text: 'tiny' }],
      isError: false,
    });
    const json = keptOf({ 1: '{"content":1}' }, { kind: 'json' });
    expect((await selectIn(json, { path: '/content' }, ROOM)).text).toBe('1');
  });
});
