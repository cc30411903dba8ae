import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Memory } from './memory.ts';
import { FILES, type Files } from './store/files.ts';

const DAMAGED = '{"a": 1, "b": 2';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-repair-'));
  writeFileSync(join(folder, 'context.json'), DAMAGED);
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(folder, 'context.json'), old, old);
  writeFileSync(join(folder, 'last-good.json'), '{"a": 0, "gone": {"x": true}}');
});

afterEach(() => rmSync(folder, { recursive: true }));

function open(files: Files = FILES): Memory {
  return new Memory({ folder, who: 'test', files });
}

function context(): string {
  return readFileSync(join(folder, 'context.json'), 'utf8');
}

function kept(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('context.damaged-'));
}

test('a repair shows what each state has, and changes nothing', async () => {
  expect(await open().damage()).toMatchObject([
    {
      scope: 'global',
      repair: {
        damage: { line: 1, column: 16 },
        mended: { keys: 1, missing: { count: 1, first: ['gone.x'] } },
        lastGood: { keys: 2, missing: { count: 0 } },
      },
    },
  ]);
  expect(context()).toBe(DAMAGED);
});

test('a repair keeps the damaged file and is a change, which leads to the other state when it is undone', async () => {
  const { change, keys, canUndo, kept: copy } = await open().repair('mended', 'global');
  expect({ change, keys, canUndo }).toEqual({ change: 1, keys: 1, canUndo: true });
  expect(readFileSync(copy as string, 'utf8')).toBe(DAMAGED);
  expect(JSON.parse(context())).toEqual({ a: 1 });
  const memory = open();
  expect(await memory.damage()).toEqual([]);
  expect((await memory.changes({ last: 9 })).changes).toMatchObject([
    {
      who: 'test',
      why: 'repair of a damaged file: mended',
      edits: [
        { key: 'a', before: '0', after: '1' },
        { key: 'gone', before: '{"x": true}' },
      ],
    },
  ]);
  await memory.undo(1);
  expect(JSON.parse(context())).toEqual({ a: 0, gone: { x: true } });
});

test('without a place for the damaged file nothing is changed', async () => {
  const files: Files = {
    ...FILES,
    openSync: (path, ...rest) => {
      if (String(path).includes('damaged')) throw Object.assign(new Error(), { code: 'ENOSPC', errno: -28 });
      return FILES.openSync(path, ...rest);
    },
  };
  await expect(open(files).repair('mended', 'global')).rejects.toMatchObject({ code: 'MEMORY_UNWRITABLE' });
  expect(context()).toBe(DAMAGED);
  expect((await open().changes({ last: 9 })).changes).toEqual([]);
});

test.each(['fsyncSync', 'renameSync'] as const)(
  'a repair that %s stops leaves the file as it was',
  async (call) => {
    const files: Files = {
      ...FILES,
      [call]: () => {
        throw Object.assign(new Error(), { code: 'EIO', errno: -5 });
      },
    };
    await expect(open(files).repair('last-good', 'global')).rejects.toMatchObject({
      code: 'MEMORY_UNWRITABLE',
    });
    expect(context()).toBe(DAMAGED);
    expect(kept().length).toBe(call === 'renameSync' ? 1 : 0);
    await open().repair('last-good', 'global');
    expect(context()).toBe('{"a": 0, "gone": {"x": true}}');
    const changes = (await open().changes({ last: 9 })).changes;
    expect(changes.filter((change) => change.void === undefined)).toHaveLength(1);
  },
);

test('a file that is whole, or never was there, needs none', async () => {
  writeFileSync(join(folder, 'context.json'), '{"a": 1}');
  expect(await open().damage()).toEqual([]);
  await expect(open().repair('last-good', 'global')).rejects.toMatchObject({
    code: 'BAD_USAGE',
    message: expect.stringContaining('is not damaged'),
  });
  rmSync(join(folder, 'context.json'));
  rmSync(join(folder, 'last-good.json'));
  expect(await open().damage()).toEqual([]);
  expect(open().where().places).toMatchObject([{ isGone: false }]);
  expect(readdirSync(folder)).toEqual([]);
});

describe('a file that is gone', () => {
  const lost = () => readdirSync(folder).filter((name) => name.startsWith('context.lost-'));

  beforeEach(async () => {
    writeFileSync(join(folder, 'context.json'), '{}');
    await open().set('a', '"one"');
    await open().set('b.c', '2');
    rmSync(join(folder, 'context.json'));
  });

  test('is told, and comes back as it was last read; that can be undone', async () => {
    expect(open().where().places).toMatchObject([{ isGone: true }]);
    const memory = open();
    expect(await memory.damage()).toMatchObject([
      { repair: { damage: undefined, lastGood: { keys: 2, missing: { count: 0 } } } },
    ]);
    await expect(memory.repair('mended', 'global')).rejects.toMatchObject({ code: 'MEMORY_DAMAGED' });
    expect(await memory.repair('last-good', 'global')).toMatchObject({ keys: 2, kept: undefined, change: 3 });
    expect(JSON.parse(context())).toEqual({ a: 'one', b: { c: 2 } });
    expect(memory.where().places).toMatchObject([{ isGone: false }]);
    expect(await memory.damage()).toEqual([]);
    expect((await memory.changes({ last: 1 })).changes).toMatchObject([
      { why: 'repair of a lost file: last-good' },
    ]);
    await memory.undo(3);
    expect(await memory.get('a')).toBeUndefined();
    expect(lost()).toEqual([]);
  });

  test('comes back without a way to undo it if nothing was in it', async () => {
    writeFileSync(join(folder, 'last-good.json'), '{}');
    expect(await open().repair('last-good', 'global')).toMatchObject({ keys: 0, canUndo: false });
  });

  test('is kept aside when a new one is begun', async () => {
    const memory = open();
    expect(await memory.set('c', '3')).toMatchObject({ begun: 'kept' });
    expect(JSON.parse(context())).toEqual({ c: 3 });
    expect(lost()).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(folder, lost()[0] as string), 'utf8'))).toEqual({
      a: 'one',
      b: { c: 2 },
    });
    expect(await memory.set('c', '4')).toMatchObject({ begun: undefined });
    expect(lost()).toHaveLength(1);
    expect(await memory.damage()).toEqual([]);
    expect(await memory.lost()).toEqual([{ scope: 'global', file: join(folder, lost()[0] as string) }]);
  });

  test('and kept aside is not told of any more once all that was in it has been brought back', async () => {
    const memory = open();
    await memory.set('a', '"new"');
    await memory.setMany([{ key: 'a', json: '"one"' }]);
    expect(await memory.lost()).toHaveLength(1);
    await memory.setMany([{ key: 'b.c', json: '2' }]);
    expect(await memory.lost()).toEqual([]);
    await memory.set('a', '"later"');
    await memory.delete('b.c');
    expect(await memory.lost()).toEqual([]);
    writeFileSync(join(folder, lost()[0] as string), '{"a": "one", "d": 1}');
    expect(await memory.lost()).toHaveLength(1);
    writeFileSync(join(folder, lost()[0] as string), '{"a": ');
    expect(await memory.lost()).toHaveLength(1);
  });

  test('and kept aside is told of where it has been brought back before it was lost alone', async () => {
    await open().set('a', '"two"');
    rmSync(join(folder, 'context.json'));
    await open().set('c', '3');
    const files = (await open().lost()).map(({ file }) => JSON.parse(readFileSync(file, 'utf8')));
    expect(files).toContainEqual({ a: 'two' });
  });
});

test('what somebody saves in the meantime is not replaced', async () => {
  const files: Files = {
    ...FILES,
    readdirSync: ((path: string) => {
      writeFileSync(join(folder, 'context.json'), '{"by": "hand"}');
      return FILES.readdirSync(path);
    }) as Files['readdirSync'],
  };
  await expect(open(files).repair('mended', 'global')).rejects.toMatchObject({
    message: expect.stringContaining('was changed this moment'),
  });
  expect(context()).toBe('{"by": "hand"}');
  expect(kept()).toEqual([]);
});
