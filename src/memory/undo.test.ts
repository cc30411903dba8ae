import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { contextText, factsIn, path, valueJson } from './context/context.testing.ts';
import { readDocument } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { EditMaker } from './journal/edits.ts';
import type { Change } from './journal/journal.ts';
import { Journal } from './journal/journal.ts';
import { spliceBetween } from './journal/splice.ts';
import { Memory } from './memory.ts';
import { hashOf } from './scope.ts';
import { takeBack } from './undo.ts';

const SECOND = 1000;

/** A memory in a folder of its own whose file holds a text, and what it holds since. */
function opened(context?: string) {
  const folder = tempFolder();
  const file = join(folder, 'context.json');
  const text = () => readFileSync(file, 'utf8');
  const save = (content: string, distance = 60 * SECOND) => {
    writeFileSync(file, content);
    const at = new Date(Date.now() + distance);
    utimesSync(file, at, at);
  };
  if (context !== undefined) save(context, -60 * SECOND);
  return { folder, file, text, save, memory: new Memory({ folder, who: 'test' }) };
}

function code(name: string, message = /./): unknown {
  return expect.objectContaining({ code: name, message: expect.stringMatching(message) });
}

describe('a change that is taken back', () => {
  it('leaves the file as it was, to the byte, whatever it did', () => {
    const edit = fc.record({ path, json: fc.option(valueJson), nth: fc.nat() });
    fc.assert(
      fc.property(contextText, edit, (text, { path: made, json, nth }) => {
        const before = readDocument(Buffer.from(text));
        const paths = [...factsIn(text).keys()].map((key) => JSON.parse(key) as string[]);
        const at = json === null ? paths[nth % paths.length] : made;
        fc.pre(at !== undefined);
        const draft = new Draft(before);
        try {
          if (json === null) draft.remove(at);
          else draft.set(at, json);
        } catch {
          fc.pre(false);
        }
        const after = draft.finish();
        const change: Change = {
          change: 1,
          at: '',
          who: '',
          edits: [new EditMaker(before).edit(at, json ?? undefined)],
          from: hashOf(before.bytes),
          to: hashOf(after),
          back: spliceBetween(after, before.bytes),
        };
        const base = { document: readDocument(after), hash: hashOf(after), journal: new Journal('') };
        expect(takeBack(change, base, []).bytes.toString()).toBe(text);
        const again = takeBack(change, { ...base, hash: 'another' }, []).bytes.toString();
        expect(factsIn(again)).toEqual(factsIn(text));
      }),
      { numRuns: 500 },
    );
  });

  it('takes its keys alone back where what the journal has of the bytes is not what the file held', () => {
    const [before, after] = ['{"b": 2}', '{"b": 2, "a": 1}'].map((text) => readDocument(Buffer.from(text)));
    if (!before || !after) throw new Error('there are two');
    const change: Change = {
      change: 1,
      at: '',
      who: '',
      edits: [new EditMaker(before).edit(['a'], '1')],
      from: hashOf(before.bytes),
      to: hashOf(after.bytes),
      back: { at: 0, length: after.bytes.length, text: '{"b": "forged"}' },
    };
    const base = { document: after, hash: change.to, journal: new Journal('') };
    expect(takeBack(change, base, []).bytes.toString()).toBe('{"b": 2}');
  });

  it('puts an empty section back in the place of a value', async () => {
    const { memory, text } = opened('{"e":{},"g":1}');
    await memory.setMany([
      { key: 'e', json: '"x"' },
      { key: 'g', json: '2' },
      { key: 'h', json: '3' },
    ]);
    await memory.set('i', '4');
    await memory.undo(1);
    expect(text()).toBe('{"e":{},"g":1,"i":4}');
  });

  test.each(['last-good', 'mended'] as const)(
    'was a repair, of %s, that swapped a section and a value',
    async (which) => {
      const { memory, text, save } = opened();
      await memory.set('a.b', '1');
      await memory.set('same', '1');
      save('{"a":"now a text","same":1,}');
      await memory.repair(which, 'global');
      const repaired = text();
      await memory.undo(3);
      const values = { mended: '{"b": 1}', 'last-good': '"now a text"' };
      expect(JSON.parse(text())).toEqual({ a: JSON.parse(values[which]), same: 1 });
      await memory.undo(4);
      expect(JSON.parse(text())).toEqual(JSON.parse(repaired));
    },
  );

  it('was a repair that lost keys that nobody could name', async () => {
    const long = 'k'.repeat(2000);
    const { memory, text, save } = opened(`{"${long}": 1, "a": 1}`);
    await memory.get('a');
    save('{"a": 1,}');
    await memory.repair('mended', 'global');
    await memory.undo(1);
    expect(JSON.parse(text())).toEqual({ [long]: 1, a: 1 });
  });

  it('brings back all that stood under a deleted key', async () => {
    const context = '{"a":{"x":"one"},"b":2,"a":{"y":"two"},"c":3}';
    const { memory, text } = opened(context);
    expect(await memory.delete('a')).toMatchObject({ was: '{"y":"two"}', earlier: ['{"x":"one"}'] });
    expect(await memory.get('a')).toBeUndefined();
    await memory.undo(1);
    expect(text()).toBe(context);
    await memory.undo(2);
    await memory.set('c', '4');
    await memory.undo(3);
    expect(text()).toBe('{"b":2,"a":{"x":"one"},"a":{"y":"two"},"c":4}');
  });

  it('brings back a deleted key as it was written', async () => {
    const context = '{"a":{"k":1},\n"b" : [1,  2], "c": 3}';
    const { memory, text } = opened(context);
    for (const [index, key] of ['a.k', 'b', 'c', 'a'].entries()) {
      await memory.delete(key);
      await memory.undo(2 * index + 1);
      expect(text()).toBe(context);
    }
  });

  it('brings back a deleted key to where it was, when the file has gone on', async () => {
    const { memory, text } = opened('{"a":{"k":1},"b":[1,  2],"c":3}');
    await memory.delete('b');
    await memory.delete('a.k');
    await memory.set('d', '4');
    await memory.undo(1);
    await memory.undo(2);
    expect(text()).toBe('{"a":{"k":1},"b":[1,  2],"c":3,"d":4}');
  });

  it('takes sections away that it made, and no others', async () => {
    const { memory, text } = opened('{"mine":{}}');
    await memory.set('mine.a', '1');
    await memory.set('theirs.s.a', '1');
    await memory.set('z', '1');
    await memory.undo(1);
    await memory.undo(2);
    expect(JSON.parse(text())).toEqual({ mine: {}, z: 1 });
  });

  it('may have been written otherwise since', async () => {
    const { memory, text, save } = opened();
    await memory.set('a', '[1,2]');
    await memory.set('b', '1');
    save('{"a": [1, 2], "b": 1}');
    await memory.undo(1);
    expect(JSON.parse(text())).toEqual({ b: 1 });
  });

  it('is refused in one line that names who changed its keys since', async () => {
    const { memory, save } = opened('{"s":1}');
    await memory.delete('s');
    await memory.set('s.a', '1');
    await expect(memory.undo(1)).rejects.toEqual(
      code('CHANGE_OUTDATED', /s is \{ "a": 1 \} now, by change 2\./),
    );
    save('{\n  "s": {\n    "a": 2\n  }\n}');
    await expect(memory.undo(1)).rejects.toEqual(code('CHANGE_OUTDATED', /s is \{ "a": 2 \} now, by hand\./));
  });
});

describe('a delete', () => {
  it('leaves the sections around it, which may be written by hand', async () => {
    const { memory, text } = opened('{"people": {"maria": {"role": "CTO"}}}');
    await memory.delete('people.maria.role');
    expect(text()).toBe('{"people": {"maria": {}}}');
  });
});

describe('a first change', () => {
  it('stands although the file was taken away for a while', async () => {
    const { memory, file, folder, text, save } = opened();
    await memory.set('a', '1');
    save(text().replace('{', '{\n  "hand": 1,'));
    const first = text();
    await memory.get('a');
    rmSync(file);
    expect((await memory.changes()).changes).toMatchObject([{ change: 1, void: undefined }]);
    await new Memory({ folder, who: 'next' }).set('b', '1');
    writeFileSync(file, first);
    expect((await memory.changes()).changes).toMatchObject([{ change: 2 }, { change: 1, void: undefined }]);
    expect(await memory.undo(1)).toMatchObject({ done: [{ key: 'a', before: '1' }] });
  });

  it('never came about where its process was killed before it', async () => {
    const { memory, folder } = opened();
    const line = {
      at: new Date().toISOString(),
      who: 'x',
      edits: [{ key: 'a', after: '1' }],
      from: '',
      to: 'f',
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'changes.jsonl'), `${JSON.stringify({ change: 1, ...line })}\n`);
    expect((await memory.changes()).changes).toMatchObject([{ change: 1, void: expect.any(String) }]);
    await memory.set('b', '1');
    await expect(memory.undo(1)).rejects.toEqual(code('CHANGE_NOT_FOUND', /never came about/));
  });
});
