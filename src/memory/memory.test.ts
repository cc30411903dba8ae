import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Memory } from './memory.ts';
import { initProject } from './projects.ts';
import { textValue } from './value.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-memory-'));
  folder = join(root, 'data');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(who = 'test', workFolder?: string): Memory {
  return new Memory({ folder, who, workFolder });
}

function context(text?: string): string {
  const path = join(folder, 'context.json');
  if (text !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
  }
  return readFileSync(path, 'utf8');
}

/** Saves as a person does who had the file open for long. */
function saveAsOld(text: string): void {
  context(text);
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(folder, 'context.json'), later, later);
}

async function jsonAt(memory: Memory, key: string): Promise<string | undefined> {
  return (await memory.get(key))?.found.json();
}

function code(name: string, message = /./): unknown {
  return expect.objectContaining({ code: name, message: expect.stringMatching(message) });
}

describe('facts', () => {
  it('are set, read and deleted, and the file is what a person would write', async () => {
    const memory = open();
    await memory.set('people.maria.role', textValue('CTO'));
    await memory.set('people.maria.since', '2019');
    expect(context()).toBe(
      '{\n  "people": {\n    "maria": {\n      "role": "CTO",\n      "since": 2019\n    }\n  }\n}\n',
    );
    expect(await memory.get('people.maria')).toMatchObject({
      key: 'people.maria',
      scope: 'global',
      found: { kind: 'section' },
    });
    const done = await memory.delete('people.maria.role');
    expect(done).toMatchObject({ key: 'people.maria.role', was: '"CTO"', now: undefined, change: 3 });
    expect(await jsonAt(open(), 'people.maria.role')).toBeUndefined();
  });

  it('of an older file are found as they are, keys with dots included', async () => {
    context('{"v1.2": {"date": "May"}, "n": 1.0, "big": 12345678901234567890}');
    const memory = open();
    expect(await jsonAt(memory, 'v1.2.date')).toBe('"May"');
    await memory.set('v1.2.date', textValue('June'));
    expect(context()).toBe('{"v1.2": {"date": "June"}, "n": 1.0, "big": 12345678901234567890}');
  });

  it.each([
    ['a', 'BAD_VALUE', '{"b":1}'],
    ['a', 'BAD_VALUE', '[[1]]'],
    ['a', 'BAD_VALUE', 'nonsense'],
    ['a..b', 'BAD_KEY', '1'],
    ['__proto__.x', 'BAD_KEY', '1'],
    ['section', 'KEY_TAKEN', '1'],
    ['value.x', 'KEY_TAKEN', '1'],
  ])('refuses %s: %s for %s, and changes nothing', async (key, name, json) => {
    const before = context('{"section": {"x": 1}, "value": 2}');
    await expect(open().set(key, json)).rejects.toEqual(code(name));
    expect(context()).toBe(before);
    expect((await open().changes({ last: 10 })).changes).toEqual([]);
  });

  it('that are there already are no change', async () => {
    const memory = open();
    await memory.set('a', '1');
    const { mtimeNs } = statSync(join(folder, 'context.json'), { bigint: true });
    expect(await memory.set('a', '1')).toMatchObject({ change: undefined });
    expect(statSync(join(folder, 'context.json'), { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect((await memory.changes({ last: 10 })).changes).toHaveLength(1);
  });

  it('that are there already in another spelling are no change', async () => {
    const before = context('{"text": "1", "list": [1,  "é"]}');
    const memory = open();
    expect(await memory.set('text', '"\\u0031"')).toMatchObject({ change: undefined });
    expect(await memory.set('list', '[1,"\\u00e9"]')).toMatchObject({ change: undefined });
    expect(context()).toBe(before);
    expect(await memory.set('text', '1')).toMatchObject({ change: 1 });
  });

  it('that are there already are told as the file has them', async () => {
    context('{"list": [1, 2]}');
    expect(await open().set('list', '[1,2]')).toMatchObject({ now: '[1, 2]', change: undefined });
  });

  it('that are not there are not deleted', async () => {
    await expect(open().delete('nothing')).rejects.toEqual(code('KEY_NOT_FOUND', /nothing/));
    expect(existsSync(join(folder, 'context.json'))).toBe(false);
  });

  it('that are not there are named with those that are like them', async () => {
    context('{"people": {"maria": {"role": "CTO"}}}');
    await expect(open().delete('people.mria')).rejects.toEqual(
      code('KEY_NOT_FOUND', /Like it: people\.maria,/),
    );
    expect(await open().nearest('maria.rle')).toEqual(['people.maria.role', 'people.maria']);
  });

  it('are found as they are by now, whoever changed them', async () => {
    const memory = open();
    await memory.set('city', textValue('Zürich'));
    expect(await memory.search('zurich')).toMatchObject({
      total: 1,
      hits: [{ key: 'city', scope: 'global' }],
    });
    await open('other').set('home', textValue('ZURICH'));
    expect(await memory.search('zurich')).toMatchObject({
      total: 2,
      hits: [{ key: 'home' }, { key: 'city' }],
    });
    await expect(memory.search(' ')).rejects.toEqual(code('BAD_USAGE'));
  });

  it('are set many at once; what is refused stops nothing', async () => {
    context('{"a": {"b": 1}}');
    const memory = open();
    const done = await memory.setMany([
      { key: 'x', json: '1' },
      { key: 'a', json: '2' },
      { key: 'y.z', json: '"t"' },
      { key: 'x', json: '3' },
    ]);
    expect(done.refused).toEqual([{ key: 'a', reason: expect.stringMatching(/section/) }]);
    expect(JSON.parse(context())).toEqual({ a: { b: 1 }, x: 3, y: { z: 't' } });
    expect((await memory.changes({ last: 10 })).changes).toMatchObject([
      { change: 1, edits: [{ key: 'x' }, { key: 'y.z' }] },
    ]);
    await memory.undo(1);
    expect(context()).toBe('{"a": {"b": 1}}');
  });

  it('are set where what stands there is still what it was', async () => {
    context('{"a": "\\u0041", "b": 2, "c": 3, "d": 4}');
    const memory = open();
    const values = [
      { key: 'a', json: '"new"', was: '"A"' },
      { key: 'b', json: '9', was: '1' },
      { key: 'c', json: '9', was: null },
      { key: 'd', json: '4', was: '3' },
      { key: 'e', json: '9', was: '1' },
      { key: 'f', json: '9', was: null },
      { key: 'f', json: '8', was: '9' },
    ];
    const planned = await memory.planMany(values);
    expect(planned.done.map(({ key, after }) => [key, after])).toEqual([
      ['a', '"new"'],
      ['f', '8'],
    ]);
    expect(planned.refused).toEqual([
      { key: 'b', reason: 'Changed since the plan was made: b is 2 now.' },
      { key: 'c', reason: 'Changed since the plan was made: c is 3 now.' },
      { key: 'd', reason: 'Changed since the plan was made: d is 4 now.' },
      { key: 'e', reason: 'Changed since the plan was made: e is gone.' },
    ]);
    expect(await memory.setMany(values)).toMatchObject(planned);
    expect(JSON.parse(context())).toEqual({ a: 'new', b: 2, c: 3, d: 4, f: 8 });
  });

  it('behave as a plain table does, whoever changes them', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 's.a', 's.b', 't.u.v');
    const step = fc.oneof(
      fc.record({ key, value: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)) }),
      fc.record({ key }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12 }), async (steps) => {
        rmSync(folder, { recursive: true, force: true });
        const [one, other] = [open('one'), open('other')];
        const table = new Map<string, unknown>();
        for (const [change, isOne] of steps) {
          const memory = isOne ? one : other;
          if ('value' in change) {
            await memory.set(change.key, JSON.stringify(change.value));
            table.set(change.key, change.value);
          } else if (table.delete(change.key)) {
            await memory.delete(change.key);
          } else {
            await expect(memory.delete(change.key)).rejects.toEqual(code('KEY_NOT_FOUND'));
          }
        }
        for (const memory of [one, other]) {
          const [documents] = await memory.documents();
          const facts = [...(documents?.document.facts() ?? [])].map((fact) => [
            fact.key,
            JSON.parse(fact.json),
          ]);
          expect(new Map(facts as [string, unknown][])).toEqual(table);
          for (const key of ['a', 's', 't.u.v']) {
            expect((await memory.history(key)).present.filter(({ byHand }) => byHand)).toEqual([]);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('what a program without types gives in the place of a text or a number', () => {
  it.each<[string, string, (memory: Memory, given: never) => Promise<unknown>]>([
    ['a key', 'BAD_KEY', (memory, key) => memory.get(key)],
    ['a key that is missing', 'BAD_USAGE', (memory, key) => memory.nearest(key)],
    ['a query', 'BAD_USAGE', (memory, query) => memory.search(query)],
    ['JSON', 'BAD_VALUE', (memory, json) => memory.set('a', json)],
    ['a reason', 'BAD_USAGE', (memory, why) => memory.set('a', '2', { why })],
    ['who writes', 'BAD_USAGE', (_, who) => new Memory({ folder, who }).set('a', '2')],
    ['a change', 'BAD_USAGE', (memory, change) => memory.undo(change)],
    ['an entry', 'BAD_ENTRY', (memory, text) => memory.addDiary(text)],
    ['a tag', 'BAD_ENTRY', (memory, tag) => memory.addDiary('text', { tag })],
    ['a tag that is read', 'BAD_ENTRY', (memory, tag) => memory.readDiary({ tag })],
    ['words of entries', 'BAD_ENTRY', (memory, text) => memory.readDiary({ text })],
    ['the first date', 'BAD_ENTRY', (memory, since) => memory.readDiary({ since })],
    ['the last date', 'BAD_ENTRY', (memory, until) => memory.readDiary({ until })],
  ])('is refused with a code: %s', async (_, name, ask) => {
    const memory = open();
    await memory.set('a', '1');
    await memory.addDiary('An entry');
    for (const given of [1.5, null, {}, true]) {
      await expect(ask(memory, given as never)).rejects.toEqual(code(name));
    }
    expect(await memory.changes()).toMatchObject({ total: 1, unreadable: 0 });
    expect((await memory.readDiary()).total).toBe(1);
  });
});

describe('what a program without types gives in the place of an object or an array', () => {
  const ENTRY = { at: '2026-12-02 05:40:12 +01:00', text: 'An entry' };

  it.each<[string, string, (memory: Memory, given: never) => unknown]>([
    ['options to open', 'options is an object', (_, options) => new Memory(options)],
    ['options to search', 'options is an object', (memory, options) => memory.search('a', options)],
    ['options to set', 'options is an object', (memory, options) => memory.set('a', '2', options)],
    ['options to delete', 'options is an object', (memory, options) => memory.delete('a', options)],
    ['options to set many', 'options is an object', (memory, options) => memory.setMany([], options)],
    ['options to plan many', 'options is an object', (memory, options) => memory.planMany([], options)],
    ['options to add an entry', 'options is an object', (memory, options) => memory.addDiary('x', options)],
    ['options to list changes', 'options is an object', (memory, options) => memory.changes(options)],
    ['options to undo', 'options is an object', (memory, options) => memory.undo(1, options)],
    ['picks', 'picks is an object', (memory, picks) => memory.readDiary(picks)],
    ['values', 'values is an array', (memory, values) => memory.setMany(values)],
    ['values of a plan', 'values is an array', (memory, values) => memory.planMany(values)],
    ['a value', 'values[1] is an object', (memory, one) => memory.setMany([{ key: 'a', json: '2' }, one])],
    ['entries', 'entries is an array', (memory, entries) => memory.importDiary(entries)],
    ['entries of a plan', 'entries is an array', (memory, entries) => memory.planDiary(entries)],
    ['an entry', 'entries[0] is an object', (memory, entry) => memory.importDiary([entry])],
    ['a time', 'at is a text', (memory, at) => memory.importDiary([{ ...ENTRY, at }])],
    ['a text', 'text is a text', (memory, text) => memory.importDiary([{ ...ENTRY, text }])],
    ['a tag', 'tag is a text', (memory, tag) => memory.importDiary([{ ...ENTRY, tag }])],
    ['a folder', 'folder is a text', (_, at) => new Memory({ folder: at, who: 'test' })],
    [
      'a work folder',
      'workFolder is a text',
      (_, workFolder) => new Memory({ folder, workFolder, who: 'x' }),
    ],
    ['a clock', 'now is a function', (_, now) => new Memory({ folder, now, who: 'test' })],
  ])('is refused in one clear line: %s', async (_, what, ask) => {
    const memory = open();
    await memory.set('a', '1');
    for (const [given, kind] of [
      [5, 'number'],
      [null, 'null'],
    ]) {
      const message = `${what}; what was given is of the type ${kind}.`;
      const asked = (async () => ask(memory, given as never))();
      await expect(asked).rejects.toMatchObject({ name: 'PlimsollError', message });
    }
    expect(await memory.changes()).toMatchObject({ total: 1 });
    expect((await memory.readDiary()).total).toBe(0);
  });

  it('is refused alone where it says what must stand at a key', async () => {
    const { done, refused } = await open().setMany([
      { key: 'a', json: '1', was: true as never },
      { key: 'b', json: '1' },
    ]);
    expect(refused).toEqual([{ key: 'a', reason: 'was is a text; what was given is of the type boolean.' }]);
    expect(done).toMatchObject([{ key: 'b' }]);
  });
});

describe('a file that is damaged', () => {
  it('is neither read nor written, and the error tells where', async () => {
    context('{"a": 1,\n "b": }');
    const old = new Date(0);
    utimesSync(join(folder, 'context.json'), old, old);
    const memory = open();
    for (const attempt of [memory.get('a'), memory.set('c', '1'), memory.delete('a')]) {
      await expect(attempt).rejects.toEqual(
        code('MEMORY_DAMAGED', /context\.json is damaged at line 2, column 7: .*repair/),
      );
    }
    expect(context()).toBe('{"a": 1,\n "b": }');
    expect(await memory.addDiary('still works')).toMatchObject({ text: 'still works' });
  });

  it('leaves the last good state at hand', async () => {
    const memory = open();
    await memory.set('a', '1');
    saveAsOld('{"a": 1, "hand": 2}');
    await memory.get('a');
    saveAsOld('{"a": ');
    await expect(memory.get('a')).rejects.toEqual(code('MEMORY_DAMAGED'));
    expect(readFileSync(join(folder, 'last-good.json'), 'utf8')).toBe('{"a": 1, "hand": 2}');
  });
});

describe('the journal', () => {
  it('tells of every change: what, before, after, who, why and when', async () => {
    const memory = new Memory({ folder, who: 'claude', now: () => new Date('2026-12-02T10:00:00Z') });
    await memory.set('a', '1');
    await memory.set('a', '2', { why: 'it grew' });
    expect((await memory.changes({ last: 5 })).changes).toMatchObject([
      {
        change: 2,
        who: 'claude',
        why: 'it grew',
        at: '2026-12-02T10:00:00.000Z',
        edits: [{ key: 'a', before: '1', after: '2' }],
      },
      { change: 1, edits: [{ key: 'a', after: '1' }] },
    ]);
    expect((await memory.changes({ last: 1 })).changes).toHaveLength(1);
  });

  it('takes changes back, to the letter, and taking back as well', async () => {
    const before = context('{\n\t"s": {"a": 1.0,\n "b": [1,2] },\n\t"z": 0\n}\n');
    const memory = open();
    await memory.delete('s');
    await memory.undo(1);
    expect(JSON.parse(context())).toEqual(JSON.parse(before));
    expect(context()).toContain('{"a": 1.0,\n "b": [1,2] }');
    await memory.undo(2);
    expect(await jsonAt(memory, 's')).toBeUndefined();
    expect((await memory.changes({ last: 1 })).changes).toMatchObject([{ change: 3, undoes: 2 }]);
  });

  it('takes everything back in turn, to the first byte', async () => {
    const before = context('{"a": 1, "s": {"x": true}}\r\n');
    const memory = open();
    await memory.set('a', '2');
    await memory.set('s.y', 'null');
    await memory.set('n.m', '"new"');
    for (const change of [3, 2, 1]) await memory.undo(change);
    expect(context()).toBe(before);
  });

  it.each([
    ['a later change', async () => void (await open().set('a', '3')), /a is 3 now, by change 3/],
    ['a person', async () => saveAsOld('{"a": 9}'), /a is 9 now, by hand/],
    ['a deletion', async () => void (await open().delete('a')), /a was deleted, by change 3/],
  ])('refuses to take back what %s has changed since', async (_, meanwhile, message) => {
    const memory = open();
    await memory.set('a', '1');
    await memory.set('a', '2');
    await meanwhile();
    const before = context();
    await expect(memory.undo(2)).rejects.toEqual(code('CHANGE_OUTDATED', message));
    expect(context()).toBe(before);
  });

  it('says so if there is no such change', async () => {
    await expect(open().undo(7)).rejects.toEqual(code('CHANGE_NOT_FOUND', /no change 7/));
  });

  it('tells a key’s history, with what was done around it and by hand', async () => {
    const memory = open();
    await memory.set('s.a', '1');
    await memory.set('t', '1');
    await memory.delete('s');
    expect((await memory.history('s.a')).changes.map(({ change }) => change)).toEqual([3, 1]);
    saveAsOld('{"s": {"a": 5}}');
    expect(await memory.history('s.a')).toMatchObject({ present: [{ json: '5', byHand: true }] });
  });

  it('goes on after a line that was torn, and without the file', async () => {
    const memory = open();
    await memory.set('a', '1');
    const path = join(folder, 'changes.jsonl');
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"change":2,"at":"20`);
    expect(await memory.set('a', '2')).toMatchObject({ change: 3 });
    expect((await memory.changes({ last: 9 })).changes.map(({ change }) => change)).toEqual([3, 1]);
    rmSync(path);
    expect(await memory.set('a', '3')).toMatchObject({ change: 1 });
  });

  it('claims nothing to be by hand that programs did around a key or within it', async () => {
    const memory = open();
    const byHand = async (key: string) => (await memory.history(key)).present.map((one) => one.byHand);
    await memory.set('a.b', '1');
    await memory.setMany([
      { key: 'a.c.d', json: '2' },
      { key: 'a.c.e', json: '3' },
    ]);
    await memory.set('a.b', '[1,2]');
    for (const key of ['a', 'a.b', 'a.c', 'a.c.d']) expect(await byHand(key)).toEqual([false]);
    await memory.delete('a.c');
    await memory.set('a.f', '4');
    for (const key of ['a', 'a.b', 'a.c', 'a.c.d']) expect(await byHand(key)).toEqual([false]);
    await memory.undo(4);
    for (const key of ['a', 'a.c', 'a.c.d']) expect(await byHand(key)).toEqual([false]);
    saveAsOld('{"a": {"f": 4, "b": [1, 2], "c": {"d": 2, "e": 5}}}');
    const all = await Promise.all(['a', 'a.b', 'a.c', 'a.c.d', 'a.c.e'].map(byHand));
    expect(all.flat()).toEqual([true, false, true, false, true]);
    expect(await byHand('nothing')).toEqual([]);
  });

  it('gives how many changes are asked for, and says how many there are', async () => {
    const memory = open();
    for (const value of ['1', '2', '3']) await memory.set('a', value);
    expect(await memory.changes({ last: 2 })).toMatchObject({
      changes: [{ change: 3 }, { change: 2 }],
      total: 3,
    });
    expect((await memory.changes()).changes).toHaveLength(3);
    expect((await memory.changes({ last: 0 })).changes).toEqual([]);
    for (const last of [-1, 1.5, Number.NaN]) {
      await expect(memory.changes({ last })).rejects.toEqual(code('BAD_USAGE', /last/));
    }
  });

  it('says how many of its lines cannot be read, and gives no number twice', async () => {
    const memory = open();
    const path = join(folder, 'changes.jsonl');
    await memory.set('a', '1');
    await memory.set('a', '2');
    writeFileSync(path, `garbage\n\n[]\n${readFileSync(path, 'utf8')}{"change":3}\n\n`);
    expect(await memory.changes()).toMatchObject({
      changes: [{ change: 2 }, { change: 1 }],
      total: 2,
      unreadable: 3,
    });
    expect(await memory.set('a', '3')).toMatchObject({ change: 4 });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('{', ''));
    expect(await memory.set('a', '4')).toMatchObject({ change: 7 });
    expect(await memory.changes()).toMatchObject({ changes: [{ change: 7 }], unreadable: 6 });
  });

  it('is read where the facts cannot be, and is what an error of its own names', async () => {
    const memory = open();
    await memory.set('a', '1');
    rmSync(join(folder, 'context.json'));
    mkdirSync(join(folder, 'context.json'));
    expect((await memory.changes()).changes).toMatchObject([{ change: 1, void: undefined }]);
    rmSync(join(folder, 'context.json'), { recursive: true });
    context('{"a": 1}');
    rmSync(join(folder, 'changes.jsonl'));
    mkdirSync(join(folder, 'changes.jsonl'));
    for (const attempt of [memory.set('a', '2'), memory.undo(1), memory.changes(), memory.history('a')]) {
      await expect(attempt).rejects.toMatchObject({
        code: expect.stringMatching(/^MEMORY_UN(READABLE|WRITABLE)$/),
        message: expect.stringMatching(/^Cannot (read|write) '[^']*changes\.jsonl': it is a folder/),
      });
    }
    expect(await jsonAt(memory, 'a')).toBe('1');
  });

  it('knows a change that was only announced: it never came about', async () => {
    const memory = open();
    await memory.set('a', '1');
    const path = join(folder, 'changes.jsonl');
    const [line] = readFileSync(path, 'utf8').split('\n');
    const first = JSON.parse(line as string);
    const at = new Date(Date.now() + 60_000).toISOString();
    const announced = {
      ...first,
      change: 2,
      at,
      edits: [{ key: 'a', before: '1', after: '2' }],
      from: first.to,
      to: 'f'.repeat(64),
    };
    writeFileSync(path, `${line}\n${JSON.stringify(announced)}\n`);
    expect(await memory.set('b', '1')).toMatchObject({ change: 3 });
    expect(JSON.parse(context())).toEqual({ a: 1, b: 1 });
    expect((await memory.changes({ last: 2 })).changes).toMatchObject([
      { change: 3 },
      { change: 2, void: expect.any(String) },
    ]);
    await expect(memory.undo(2)).rejects.toEqual(code('CHANGE_NOT_FOUND', /never came about/));
  });
});

describe('a person who edits the file', () => {
  it('loses nothing, and takes nothing away by saving an older copy', async () => {
    const memory = open();
    await memory.set('mine', '1');
    const opened = context();
    await memory.set('theirs', '2');
    await memory.set('mine', '3');
    context(opened.replace('{', '{\n  "hand": "written",'));
    await memory.set('more', '4');
    expect(JSON.parse(context())).toEqual({ hand: 'written', mine: 3, theirs: 2, more: 4 });
    expect((await memory.changes({ last: 2 })).changes).toMatchObject([
      { who: 'test' },
      { who: 'plimsoll', why: expect.stringMatching(/older copy/) },
    ]);
  });

  it('is believed where a key holds what nobody else put there', async () => {
    const memory = open();
    await memory.set('a', '1');
    await memory.set('a', '2');
    context('{"a": 5}');
    expect(await jsonAt(memory, 'a')).toBe('5');
  });

  it('is believed when time has passed', async () => {
    const memory = open();
    await memory.set('a', '1');
    await memory.set('b', '1');
    saveAsOld('{"a": 1}');
    expect(await jsonAt(memory, 'b')).toBeUndefined();
    expect(context()).toBe('{"a": 1}');
  });

  it('may have the file elsewhere, by a link', async () => {
    mkdirSync(folder);
    const elsewhere = join(root, 'dotfiles.json');
    writeFileSync(elsewhere, '{}\n', { mode: 0o640 });
    symlinkSync(elsewhere, join(folder, 'context.json'));
    await open().set('a', '1');
    expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual({ a: 1 });
    expect(statSync(elsewhere).mode & 0o777).toBe(0o640);
  });
});

describe('scopes', () => {
  let project: string;

  beforeEach(() => {
    project = join(root, 'project');
    mkdirSync(join(project, 'deep', 'down'), { recursive: true });
  });

  it('are read together, the nearer first, and every answer says where it came from', async () => {
    const place = await initProject(project, folder);
    const memory = open('test', join(project, 'deep', 'down'));
    await memory.set('a', '"global"');
    await memory.set('a', '"project"', { scope: 'project' });
    await memory.set('b', '1');
    expect(await memory.get('a')).toMatchObject({
      scope: 'project',
      file: join(place, 'context.json'),
      hides: true,
    });
    expect(await memory.get('b')).toMatchObject({ scope: 'global', hides: false });
    expect(await memory.set('a', '2')).toMatchObject({ scope: 'project' });
    expect(await memory.set('a', '3', { scope: 'global' })).toMatchObject({
      scope: 'global',
      isHidden: true,
    });
    await memory.addDiary('here', { scope: 'project' });
    await memory.addDiary('everywhere');
    expect((await memory.readDiary()).entries.map(({ scope }) => scope).sort()).toEqual([
      'global',
      'project',
    ]);
    expect(await open('test', root).get('a')).toMatchObject({ scope: 'global' });
  });

  it('are read together fact by fact, the nearer first', async () => {
    const place = await initProject(project, folder);
    const memory = open('test', project);
    const near = join(place, 'context.json');
    writeFileSync(near, '{\n  "people": {\n    "y" : 2.0,\n    "both": "near",\n    "v": 1\n  }\n}\n');
    context('{"people": {"x": 1, "both": "far", "v": {"w": 3}, "deep": {"er": [1,  2]}}, "tools": {}}');
    const reading = await memory.read('people');
    expect(reading?.json).toBe(
      '{\n  "y" : 2.0,\n  "both": "near",\n  "v": 1,\n  "x": 1,\n  "deep": {\n    "er": [1,  2]\n  }\n}',
    );
    expect(reading).toMatchObject({
      key: 'people',
      kind: 'section',
      parts: [{ source: { scope: 'project', file: near } }, { source: { scope: 'global' } }],
      hidden: [
        { scope: 'global', key: 'people.both' },
        { scope: 'global', key: 'people.v.w' },
      ],
    });
    expect(JSON.parse((await memory.read())?.json ?? '')).toEqual({
      people: { y: 2, both: 'near', v: 1, x: 1, deep: { er: [1, 2] } },
    });
    expect(await memory.read('people.both')).toMatchObject({
      kind: 'value',
      json: '"near"',
      parts: [{ source: { scope: 'project' } }],
      hidden: [{ key: 'people.both' }],
    });
    expect(await memory.read('people.x')).toMatchObject({
      json: '1',
      parts: [{ source: { scope: 'global' } }],
    });
    expect((await memory.read('people', 'global'))?.parts).toHaveLength(1);
    expect(await memory.read('nobody')).toBeUndefined();
  });

  it('say where a value of the nearer one stands before what is set', async () => {
    await initProject(project, folder);
    const memory = open('test', project);
    await memory.set('a', '1', { scope: 'project' });
    expect(await memory.set('a.b', '"x"')).toMatchObject({ scope: 'global', isHidden: false, behind: 'a' });
    expect(await memory.set('c.b', '"x"')).toMatchObject({ isHidden: false, behind: undefined });
    expect(JSON.parse((await memory.read())?.json ?? '')).toEqual({ a: 1, c: { b: 'x' } });
  });

  it('say what is read at a key since it was deleted in one', async () => {
    await initProject(project, folder);
    const memory = open('test', project);
    await memory.set('a', '"far"');
    await memory.set('a', '"near"', { scope: 'project' });
    expect(await memory.delete('a')).toMatchObject({
      scope: 'project',
      readNow: { scope: 'global', json: '"far"' },
    });
    expect(await memory.delete('a')).toMatchObject({ scope: 'global', readNow: undefined });
  });

  it('that are damaged stop what needs them, and nothing else', async () => {
    const place = await initProject(project, folder);
    const memory = open('test', project);
    const near = join(place, 'context.json');
    await memory.set('a', '1');
    writeFileSync(near, '{"a": ');
    utimesSync(near, new Date(0), new Date(0));
    expect(await memory.set('a', '2', { scope: 'global' })).toMatchObject({ was: '1', isHidden: false });
    await memory.delete('a', { scope: 'global' });
    await memory.undo(3);
    for (const attempt of [memory.set('a', '3'), memory.get('a'), memory.read('a'), memory.delete('a')]) {
      await expect(attempt).rejects.toEqual(
        code('MEMORY_DAMAGED', /project.*\.plimsoll.*context\.json is damaged/),
      );
    }
  });

  it('that a repository brings along are not read until somebody says so', async () => {
    mkdirSync(join(project, '.plimsoll'));
    writeFileSync(join(project, '.plimsoll', 'context.json'), '{"planted": true}');
    const memory = open('test', project);
    expect(await memory.get('planted')).toBeUndefined();
    expect(memory.where().unwanted).toContain('.plimsoll');
    await initProject(project, folder);
    expect(await open('test', project).get('planted')).toMatchObject({ scope: 'project' });
    expect(await initProject(project, folder)).toBe(await initProject(project, folder));
  });

  it('that are not there are refused', async () => {
    await expect(open('test', root).set('a', '1', { scope: 'project' })).rejects.toEqual(
      code('BAD_USAGE', /init --project/),
    );
  });
});

it('a key that is no text, or never was one, is refused', async () => {
  const memory = open();
  await memory.set('a', '1');
  const none = undefined as unknown as string;
  for (const attempt of [
    memory.set(none, '1'),
    memory.get(none),
    memory.delete(none),
    memory.history(none),
  ]) {
    await expect(attempt).rejects.toEqual(code('BAD_KEY', /it is no text/));
  }
  await expect(memory.history('')).rejects.toEqual(code('BAD_KEY', /must not be empty/));
  context('{"": 1}');
  expect((await memory.history('')).present).toHaveLength(1);
});
