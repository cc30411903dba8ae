import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { Memory } from './memory.ts';
import type { Files } from './store/files.ts';
import { watch } from './store/store.testing.ts';

const SECOND = 1000;

/** A memory in a folder of its own, whose clock is ahead by so many milliseconds, and what stands in its file. */
function opened(ahead = 0) {
  const folder = tempFolder();
  const path = join(folder, 'context.json');
  const memory = new Memory({ folder, who: 'test', now: () => new Date(Date.now() + ahead) });
  const text = () => readFileSync(path, 'utf8');
  return { folder, path, memory, text, facts: () => JSON.parse(text()) };
}

/** Says when a file was last written, in milliseconds from now. */
function date(path: string, distance: number): void {
  const at = new Date(Date.now() + distance);
  utimesSync(path, at, at);
}

describe('an older copy that is saved over a change', () => {
  it('is mended also if it was written before the change and has got its name after it', async () => {
    const { path, memory, text, facts } = opened();
    await memory.set('a', '1');
    writeFileSync(`${path}~`, text().replace('{', '{"hand": 1,'));
    date(`${path}~`, -SECOND);
    await memory.set('a', '2');
    renameSync(`${path}~`, path);
    await memory.set('b', '1');
    expect(facts()).toEqual({ hand: 1, a: 2, b: 1 });
  });

  it('stays where a person has put something else in the place', async () => {
    const { path, memory, facts } = opened();
    await memory.set('a.b', '1');
    writeFileSync(path, '{"a": "by hand"}');
    expect((await memory.get('a'))?.found.json()).toBe('"by hand"');
    await memory.set('c', '1');
    expect(facts()).toEqual({ a: 'by hand', c: 1 });
    await memory.set('a2.b', '1');
    writeFileSync(path, '{"a": "by hand", "a2": null}');
    expect((await memory.get('c'))?.found.json()).toBe('1');
    expect(facts()).toEqual({ a: 'by hand', a2: null, c: 1 });
  });

  it('does not undo what was done to a key around it or within it since', async () => {
    const { path, memory, text, facts } = opened();
    await memory.set('s.a', '1');
    const older = text();
    await memory.delete('s');
    await memory.set('s.a', '2');
    writeFileSync(path, older.replace('{', '{"hand": 1,'));
    await memory.set('d', '1');
    expect(facts()).toMatchObject({ hand: 1, s: { a: 2 }, d: 1 });
  });
});

describe('a file that an editor has given another name, to put a new one in its place', () => {
  const SAVED = '{"hand": 1, "a": {"b": 1}, "c": 1}';

  async function renamed() {
    const context = opened();
    await context.memory.set('a.b', '1');
    await context.memory.set('c', '1');
    renameSync(context.path, `${context.path}~`);
    return context;
  }

  /** Calls that have the new file come into its place when it is looked for the second time. */
  function savedMeanwhile(path: string): Files {
    let looks = 0;
    return watch((name, [file]) => {
      if (name === 'openSync' && file === path && ++looks === 2) writeFileSync(path, SAVED);
    });
  }

  it('is waited for by what reads', async () => {
    const { folder, path } = await renamed();
    const reader = new Memory({ folder, who: 'reader', files: savedMeanwhile(path) });
    expect((await reader.get('c'))?.found.json()).toBe('1');
  });

  it('is waited for by what writes', async () => {
    const { folder, path, facts } = await renamed();
    const writer = new Memory({ folder, who: 'writer', files: savedMeanwhile(path) });
    expect(await writer.set('a.b', '2')).toMatchObject({ was: '1', now: '2' });
    expect(facts()).toEqual({ hand: 1, a: { b: 2 }, c: 1 });
    expect(readdirSync(folder).filter((name) => name.startsWith('context.lost'))).toEqual([]);
  });

  it('is told as gone at once to what reads, if that was long ago', async () => {
    const { folder } = await renamed();
    date(folder, -60 * SECOND);
    let looks = 0;
    const files = watch((name, [file]) => {
      if (name === 'openSync' && `${file}`.endsWith('context.json')) looks++;
    });
    expect(await new Memory({ folder, who: 'reader', files }).get('c')).toBeUndefined();
    expect(looks).toBe(1);
  });

  // That takes a second: so long the editor is waited for.
  it('gets what was done when it took too long, which can be undone', async () => {
    const { folder, path, memory, facts } = await renamed();
    expect(await memory.set('a.b', '2')).toMatchObject({ change: 3 });
    writeFileSync(path, SAVED);
    expect(await memory.set('d', '1')).toMatchObject({ now: '1' });
    expect(facts()).toEqual({ hand: 1, a: { b: 2 }, c: 1, d: 1 });
    await memory.undo(3);
    expect(facts()).toEqual({ hand: 1, a: { b: 1 }, c: 1, d: 1 });
    const lost = readdirSync(folder).filter((name) => name.startsWith('context.lost'));
    expect(lost.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))).toEqual([
      { a: { b: 1 }, c: 1 },
    ]);
  });
});

it('a change that others have come before is not taken for one that was saved over', async () => {
  const { folder, path, memory, text, facts } = opened();
  await memory.set('a', '1');
  const other = new Memory({ folder, who: 'other' });
  let between: Promise<unknown> | undefined;
  const files = watch((name, [file]) => {
    if (name === 'lstatSync' && !text().includes('hand')) {
      writeFileSync(`${path}~`, text().replace('{', '{"hand": 1,'));
      renameSync(`${path}~`, path);
    }
    if (name === 'unlinkSync' && `${file}`.endsWith('.lock')) between ??= other.set('b', '1');
  });
  expect(await new Memory({ folder, who: 'one', files }).delete('a')).toMatchObject({ was: '1' });
  expect(await between).toMatchObject({ now: '1' });
  expect(facts()).toEqual({ hand: 1, b: 1 });
});

describe('a change that an editor saves on top of, having saved into the old file', () => {
  /**
   * Deletes `a` while an editor saves an older copy into the old file, and then, when it is time, what `save` makes of the
   * new one.
   */
  async function overtaken(save: (text: string) => string, isTime = (_: Moment) => true) {
    const context = opened();
    const { folder, path, memory, text } = context;
    await memory.set('b', '1');
    await memory.set('a', '1');
    await memory.set('c', '1');
    const old = openSync(path, 'r+');
    let made: string | undefined;
    let isOver = false;
    const files = watch(
      () => {},
      (name, [, to]) => {
        if (isOver) return;
        if (name === 'renameSync' && to === path && made === undefined) {
          made = text();
          ftruncateSync(old);
          writeSync(old, '{"b": 1, "a": 1 }', 0);
        }
        if (made === undefined || !isTime({ names: readdirSync(folder), isPutBack: text() !== made })) return;
        isOver = true;
        writeFileSync(`${path}~`, save(made));
        renameSync(`${path}~`, path);
      },
    );
    const deleted = await new Memory({ folder, who: 'other', files }).delete('a');
    closeSync(old);
    return { ...context, deleted };
  }

  interface Moment {
    readonly names: readonly string[];
    /** Whether what was saved into the old file has its place again. */
    readonly isPutBack: boolean;
  }

  it.each([
    ['at once', undefined],
    ['when that is about to be put back', ({ names }: Moment) => names.some((name) => name.endsWith('.tmp'))],
    ['when that has been put back', ({ isPutBack }: Moment) => isPutBack],
  ])('stands where the editor had read it: %s', async (_, isTime) => {
    const { memory, facts, deleted } = await overtaken((text) => text.replace('{', '{"hand": 1,'), isTime);
    expect(deleted).toMatchObject({ was: '1', now: undefined, change: 4 });
    expect(facts()).toEqual({ hand: 1, b: 1, c: 1 });
    const { changes } = await memory.changes();
    expect(changes.find(({ change }) => change === 4)).toMatchObject({ who: 'other', void: undefined });
    await memory.undo(4);
    expect(facts()).toEqual({ hand: 1, a: 1, b: 1, c: 1 });
  });

  it('is made anew where the editor had not', async () => {
    const { memory, facts, deleted } = await overtaken(() => '{"hand": 1, "a": 1, "b": 1, "c": 1}');
    expect(deleted).toMatchObject({ was: '1', now: undefined });
    expect(facts()).toEqual({ hand: 1, b: 1, c: 1 });
    await memory.undo(deleted.change as number);
    expect(facts()).toEqual({ hand: 1, a: 1, b: 1, c: 1 });
  });
});

describe('the journal', () => {
  it('has nothing of an attempt that others came before', async () => {
    const { folder, path, memory, text, facts } = opened();
    await memory.set('a', '1');
    const files = watch((name) => {
      if (name !== 'lstatSync' || text().includes('hand')) return;
      writeFileSync(`${path}~`, '{"a": 1, "hand": 1}');
      renameSync(`${path}~`, path);
    });
    await new Memory({ folder, who: 'other', files }).set('a', '2');
    expect(facts()).toEqual({ a: 2, hand: 1 });
    const lines = readFileSync(join(folder, 'changes.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).change)).toEqual([1, 2]);
  });

  it('does not call a change void that somebody is just making', async () => {
    const { folder, path, memory } = opened();
    await memory.set('a', '1');
    let seen: Promise<unknown> | undefined;
    const files = watch((name, [, to]) => {
      if (name === 'renameSync' && to === path) seen = memory.changes({ last: 1 });
    });
    await new Memory({ folder, who: 'other', files }).set('a', '2');
    expect(await seen).toMatchObject({ changes: [{ change: 2, void: undefined }] });
  });

  it('does not call a change void that a person has taken back by hand', async () => {
    // A person saves later than in the same tick of the file system's clock.
    const { path, memory, text } = opened(-SECOND);
    await memory.set('a', '1');
    const before = text();
    await memory.set('a', '2');
    writeFileSync(path, before);
    date(path, 60 * SECOND);
    await memory.set('b', '1');
    expect((await memory.changes({ last: 3 })).changes).toMatchObject([
      { change: 3, void: undefined },
      { change: 2, void: undefined },
      { change: 1 },
    ]);
    await expect(memory.undo(2)).rejects.toThrow(/by hand/);
  });
});

it('what a killed process has left of a copy is removed', async () => {
  const { folder, memory } = opened();
  await memory.set('a', '1');
  const [old, young] = ['0', '1'].map((digit) =>
    join(folder, `last-good.json.${digit.repeat(8)}-0000-4000-8000-000000000000.tmp`),
  ) as [string, string];
  for (const path of [old, young]) writeFileSync(path, '{');
  date(old, -60 * SECOND);
  await new Memory({ folder, who: 'next' }).set('a', '2');
  const left = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
  expect(left.map((name) => join(folder, name))).toEqual([young]);
});
