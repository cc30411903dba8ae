import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, it, vi } from 'vitest';
import { contextText, factsIn } from '../context/context.testing.ts';
import { readDocument } from '../context/document.ts';
import type { Source } from '../sources.ts';
import { fold, wordsOf } from './fold.ts';
import { search } from './search.ts';

function sourceOf(facts: unknown, scope: Source['scope'] = 'global'): Source {
  const text = typeof facts === 'string' ? facts : JSON.stringify(facts);
  return { scope, file: `/${scope}/context.json`, document: readDocument(Buffer.from(text)) };
}

async function keysFor(facts: unknown, query: string): Promise<string[]> {
  const { hits, isExact } = await search([sourceOf(facts)], query);
  return isExact ? hits.map(({ key }) => key) : [];
}

/** The paths, as JSON, of objects within an object that hold nothing. */
function emptyIn(section: object, path: readonly string[] = []): string[] {
  return Object.entries(section).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const inner = [...path, key];
    return Object.keys(value).length === 0 ? [JSON.stringify(inner)] : emptyIn(value, inner);
  });
}

describe('finds', () => {
  it.each([
    ['whatever the case and the accents', { name: 'José ÅNGSTRÖM' }, 'jose angstrom'],
    ['letters written in another form', { street: 'Hauptstraße' }, 'HAUPTSTRASSE'],
    ['scripts without spaces', { city: '東京都庁は新宿区にあります' }, '新宿'],
    ['Cyrillic, Arabic and Hangul', { text: 'Привет мир مرحبا 안녕하세요' }, 'ПРИВЕТ مرحبا 안녕'],
    ['an address with punctuation', { mail: 'write to foo@bar.org' }, 'foo@bar.org'],
    ['a key with dots of its own', { 'api.v1': { url: 'x' } }, 'api.v1'],
    ['a key as it is written', { 'api.v1': { url: 'x' } }, 'api\\.v1'],
    ['words apart, some in the key, some in the value', { server: { port: 'always 8080' } }, '8080 server!'],
    ['what JSON writes with escapes', '{"a": "caf\\u00e9\\tbar"}', 'café bar'],
    ['items of arrays', '{"a": ["tea", "gr\\u00fcn"]}', 'grün tea'],
    ['numbers as they are written', '{"a": 1.50, "b": 12345678901234567890}', '12345678901234567890'],
    ['punctuation alone', { a: 'C++ & C#' }, '&'],
    ['letters with strokes', { home: 'Łódź' }, 'lodz'],
    ['sections with nothing in them', { people: { Łukasz: {} } }, 'lukasz people'],
    ['emoji', { mood: 'great 👩‍👩‍👧‍👦' }, '👩‍👩‍👧‍👦'],
  ])('%s', async (_, facts, query) => {
    expect(await keysFor(facts, query)).toHaveLength(1);
  });

  it('only what holds every word', async () => {
    const facts = { a: 'red house', b: 'red car', c: 'house' };
    expect(await keysFor(facts, 'house red')).toEqual(['a']);
  });

  it('exactly the facts and empty sections whose key or value has each word', async () => {
    const words = fc.constantFrom('a', 'b', 'é', '漢', '1', 'null', 'tru', '2026', '.', '"');
    await fc.assert(
      fc.asyncProperty(contextText, words, words, async (text, one, other) => {
        const source = sourceOf(text);
        const { total, isExact } = await search([source], `${one} ${other}`);
        const wanted = wordsOf(fold(`${one} ${other}`));
        const jsonAt = new Map(
          Array.from(source.document.facts(), ({ path, json }) => [JSON.stringify(path), json]),
        );
        const all = [...factsIn(text)].map(([path, value]) => [
          path,
          typeof value === 'string' ? value : jsonAt.get(path),
        ]);
        for (const path of emptyIn(JSON.parse(text.replace(/^\ufeff/, '')))) all.push([path, '']);
        const expected = all.filter(([path, value]) => {
          const texts = [JSON.parse(String(path)).join('.'), value].map((part) => fold(String(part)));
          return wanted.every((word) => texts.some((part) => part.includes(word)));
        });
        if (wanted.length > 0) expect(isExact ? total : 0).toBe(expected.length);
      }),
    );
  });
});

describe('ranks', () => {
  it.each([
    ['keys above values', { x: 'port', y: { report: 'a' }, port: '1' }, 'port', ['port', 'y.report', 'x']],
    [
      'the whole key, a segment, a word, the start of one, a part',
      { airports: 1, portal: 1, 'a-port': 1, s: { port: 1 }, port: 1 },
      'port',
      ['port', 's.port', 'a-port', 'portal', 'airports'],
    ],
    [
      'a whole value, a word, the start of one, a part',
      { a: 'airports', b: 'portals', c: 'the port', d: 'port' },
      'PORT',
      ['d', 'c', 'b', 'a'],
    ],
    [
      'the query as it is above its words',
      { a: 'bar.org is not foo', b: 'see foo@bar.org' },
      'foo@bar.org',
      ['b', 'a'],
    ],
    [
      'the query as it is in a value above letters of it in a key',
      { tab: { about: 1 }, ab: 1, unit: 'km; or a/b' },
      'a/b',
      ['unit', 'ab', 'tab.about'],
    ],
    [
      'all words in the key above all of them in a value',
      { notes: 'the gopher deadline is June', gopher: { project: { deadline: 'May' } } },
      'gopher deadline',
      ['gopher.project.deadline', 'notes'],
    ],
    ['more words in the key first', { x: 'b a c', a: 'b', q: 'b a' }, 'a b', ['a', 'q', 'x']],
    [
      'more words in the key, however exact the others are',
      { tea: 'milk cup', steamed: { milky: 'cups' } },
      'tea milk cup',
      ['steamed.milky', 'tea'],
    ],
    ['accents as they were given', { r: { resume: 1, Résumé: 1 } }, 'résumé', ['r.Résumé', 'r.resume']],
    ['no accents where none were given', { a: 'résumé', b: 'Resume' }, 'resume', ['b', 'a']],
    ['accents of another form', { a: 'cafe', b: 'cafe\u0301' }, 'caf\u00e9', ['b', 'a']],
    ['voiced kana as they were given', { かき: 1, かぎ: 1 }, 'かぎ', ['かぎ', 'かき']],
    ['case as it was given', { a: 'us', b: 'US' }, 'US', ['b', 'a']],
    [
      'less beside what was found first',
      { a: { port: { number: 1 } }, b: { port: 1 } },
      'port',
      ['b.port', 'a.port.number'],
    ],
    ['what is alike in the order of the file', { b: 'tea', a: 'tea', c: 'tea' }, 'tea', ['b', 'a', 'c']],
  ])('%s', async (_, facts, query, keys) => {
    expect(await keysFor(facts, query)).toEqual(keys);
  });
});

it('says where each word was found, and gives the JSON as it is written', async () => {
  const { hits } = await search([sourceOf('{"server": {"Port": [1.0,  "open"]}}')], 'PORT open');
  expect(hits).toEqual([
    {
      scope: 'global',
      file: '/global/context.json',
      key: 'server.Port',
      json: '[1.0,  "open"]',
      inKey: ['port'],
      inValue: ['open'],
      isHidden: false,
    },
  ]);
});

describe('how many', () => {
  const many = sourceOf(Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`key${at}`, 'tea'])));

  it.each([
    [undefined, 20],
    [5, 5],
    [0, 0],
    [5000, 1000],
  ])('a limit of %s gives %s, and always tells the total', async (limit, count) => {
    const { hits, total } = await search([many], 'tea', { limit });
    expect([hits.length, total]).toEqual([count, 1200]);
  });

  it('goes on where it is told to', async () => {
    const { hits } = await search([many], 'tea', { limit: 2, from: 20 });
    expect(hits.map(({ key }) => key)).toEqual(['key20', 'key21']);
  });

  it.each([-1, 1.5, Number.NaN])('a limit of %s is refused', async (limit) => {
    await expect(search([many], 'tea', { limit })).rejects.toMatchObject({ code: 'BAD_USAGE' });
  });

  it.each(['', '  \n', '\u0301', 'x'.repeat(1001)])('the query %j is refused', async (query) => {
    await expect(search([many], query)).rejects.toMatchObject({ code: 'BAD_USAGE' });
  });

  it('of a query of many words each counts', async () => {
    const { total } = await search([many], 'te k '.repeat(199).concat('tea'));
    expect(total).toBe(1200);
  });
});

describe('where nothing matches', () => {
  const facts = {
    database: { password: 'secret', host: 'db.example.org' },
    people: { maria: 'knows Postgres' },
  };

  it.each([
    ['databse pasword', 'database.password'],
    ['postgers', 'people.maria'],
  ])('%s finds words that are like it', async (query, key) => {
    const result = await search([sourceOf(facts)], query);
    expect(result).toMatchObject({ isExact: false, total: result.hits.length });
    expect(result.hits[0]?.key).toBe(key);
  });

  it('words like those asked count wherever they are, in any number of facts; others may be parts of words', async () => {
    const lorem = 'lorem ipsum '.repeat(200);
    const facts = {
      ...Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, 'a number'])),
      late: `${lorem} number`,
      within: 'outnumbered lorem',
    };
    const source = sourceOf(facts);
    expect(await search([source], 'nmber', { limit: 5 })).toMatchObject({ isExact: false, total: 2001 });
    expect((await search([source], 'nmber ore')).hits.map(({ key }) => key)).toEqual(['late']);
  });

  it('a word is compared once, however many facts it is in', async () => {
    const added = vi.spyOn(MiniSearch.prototype, 'add');
    const facts = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => ['tea '.repeat(at + 1).trim(), 'one two three']),
    );
    expect(await search([sourceOf(facts)], 'thrree')).toMatchObject({ total: 200 });
    expect(added.mock.calls.length).toBe(4);
    added.mockRestore();
  });

  it('fewer typos come first, then keys', async () => {
    const facts = { a: 'nuber', b: 'number', number: 'x' };
    const { hits } = await search([sourceOf(facts)], 'nummber');
    expect(hits.map(({ key }) => key)).toEqual(['number', 'b', 'a']);
  });

  it('the nearest keys are told', async () => {
    expect(await search([sourceOf(facts)], 'hsot of the dtabase')).toMatchObject({
      total: 0,
      nearest: ['database.host', 'database.password', 'database'],
    });
  });

  it('nothing is like nonsense', async () => {
    expect(await search([sourceOf(facts)], 'qqqqqq')).toMatchObject({ hits: [], total: 0, nearest: [] });
  });
});

it('a fact that a nearer scope hides says so, and comes after what is alike and nearer', async () => {
  const project = sourceOf({ editor: 'vim' }, 'project');
  const global = sourceOf({ editor: 'vim', shell: 'vim' });
  const { hits } = await search([project, global], 'vim');
  expect(hits.map(({ scope, key, isHidden }) => [scope, key, isHidden])).toEqual([
    ['project', 'editor', false],
    ['global', 'editor', true],
    ['global', 'shell', false],
  ]);
});
