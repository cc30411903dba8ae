import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempFolder, write } from '../digest/source/fixture.ts';
import { age, newCache } from './cache.testing.ts';
import { Cache, type CacheKind } from './cache.ts';

const ADDRESS = 'https://host.example/owner/repo';

test('nothing is made before it is needed', async () => {
  const { folder, cache } = newCache();
  expect(await cache.list()).toEqual([]);
  expect(await cache.clear()).toEqual({ entries: 0, bytes: 0 });
  await cache.trim();
  await cache.close();
  expect(existsSync(folder)).toBe(false);
});

test('what is written can be read, until it is removed', async () => {
  const { cache } = newCache();
  const entry = await cache.open('git', ADDRESS);
  expect(await entry.read('a', 'b', 'c')).toBeUndefined();
  await entry.write('text', 'a', 'b', 'c');
  await entry.write(Buffer.from([0, 255]), 'a', 'd');
  expect(await entry.read('a', 'b', 'c')).toEqual(Buffer.from('text'));
  expect(await entry.read('a', 'd')).toEqual(Buffer.from([0, 255]));
  expect(await entry.read('a', 'd', 'e')).toBeUndefined();
  await entry.write('other', 'a', 'b', 'c');
  expect(await entry.read('a', 'b', 'c')).toEqual(Buffer.from('other'));
  await entry.remove('a', 'd');
  expect(readdirSync(entry.path('a'))).toEqual(['b']);
  await entry.remove('a');
  await entry.remove('a');
  expect(await entry.read('a', 'b', 'c')).toBeUndefined();
});

test('an entry is of one kind and address, and names them for people', async () => {
  const { folder, cache } = newCache();
  const address = 'https://host.example/../../../../etc/%00\n';
  const { folder: first } = await cache.open('git', address);
  expect((await cache.open('git', address)).folder).toBe(first);
  expect((await new Cache({ folder, limit: 0 }).open('git', address)).folder).toBe(first);
  expect((await cache.open('github', address)).folder).not.toBe(first);
  expect((await cache.open('git', `${address}x`)).folder).not.toBe(first);
  expect((await cache.open('git', address.toUpperCase())).folder).not.toBe(first);
  expect(dirname(first)).toBe(folder);
  expect(basename(first)).toMatch(/^git-[\da-f]{32}$/);
  expect(JSON.parse(readFileSync(join(first, 'entry.json'), 'utf8'))).toEqual({ kind: 'git', address });
});

test('no path leads out of an entry', async () => {
  const { cache } = newCache();
  const entry = await cache.open('git', ADDRESS);
  expect(entry.path()).toBe(entry.folder);
  expect(entry.path('..a', 'b')).toBe(join(entry.folder, '..a', 'b'));
  for (const parts of [['..'], ['a', '../..'], [`../${basename(entry.folder)}x`]]) {
    expect(() => entry.path(...parts)).toThrow(RangeError);
    await expect(entry.read(...parts)).rejects.toThrow(RangeError);
    await expect(entry.write('', ...parts)).rejects.toThrow(RangeError);
    await expect(entry.remove(...parts)).rejects.toThrow(RangeError);
  }
});

test('a list is of what was used last, first', async () => {
  const { cache } = newCache();
  const before = Date.now();
  for (const [minutes, name] of [
    [5, 'b'],
    [20, 'c'],
    [1, 'a'],
  ] as const) {
    const entry = await cache.open('github', `https://github.com/o/${name}`);
    await entry.write('x'.repeat(minutes * 1000), 'sub', 'file');
    age(entry, minutes);
  }
  const list = await cache.list();
  expect(list.map(({ address }) => address)).toEqual(
    ['a', 'b', 'c'].map((name) => `https://github.com/o/${name}`),
  );
  expect(list.map(({ kind }) => kind)).toEqual(['github', 'github', 'github']);
  expect(list.map(({ bytes }) => Math.floor(bytes / 1000))).toEqual([1, 5, 20]);
  await cache.open('github', 'https://github.com/o/c');
  const [latest] = await cache.list();
  expect(latest?.address).toBe('https://github.com/o/c');
  expect(latest?.used.getTime()).toBeGreaterThan(before - 1000);
});

test('what is damaged is listed by what is known, and mended when it is opened', async () => {
  const { folder, cache } = newCache();
  const damage = ['', '{ "address": ', '{ "address": 1 }', 'null'];
  const entries = await Promise.all(damage.map((_, i) => cache.open('git', `${ADDRESS}${i}`)));
  damage.forEach((content, i) => void writeFileSync(join(entries[i]?.folder ?? '', 'entry.json'), content));
  mkdirSync(join(folder, `github-${'0'.repeat(32)}`));
  const names = [...entries.map((entry) => basename(entry.folder)), `github-${'0'.repeat(32)}`];
  expect((await cache.list()).map(({ address }) => address).sort()).toEqual(names.sort());
  rmSync(join(entries[0]?.folder ?? '', 'entry.json'));
  await cache.open('git', `${ADDRESS}0`);
  expect((await cache.list()).map(({ address }) => address)).toContain(`${ADDRESS}0`);
  expect(await cache.clear()).toMatchObject({ entries: 5 });
});

test('one address can be cleared, of whatever kind', async () => {
  const { cache } = newCache();
  const [git, github, other] = [
    await cache.open('git', ADDRESS),
    await cache.open('github', ADDRESS),
    await cache.open('git', `${ADDRESS}/other`),
  ];
  await other.write('here', 'file');
  const sizes = (await cache.list()).filter(({ address }) => address === ADDRESS).map(({ bytes }) => bytes);
  expect(await cache.clear('https://host.example')).toEqual({ entries: 0, bytes: 0 });
  expect(await cache.clear(ADDRESS)).toEqual({ entries: 2, bytes: sizes.reduce((a, b) => a + b) });
  expect([git, github, other].map((entry) => existsSync(entry.folder))).toEqual([false, false, true]);
  expect(await other.read('file')).toEqual(Buffer.from('here'));
});

test('an entry that was cleared while it was open can still be written and read', async () => {
  const { cache } = newCache();
  const entry = await cache.open('git', ADDRESS);
  await entry.write('before', 'a', 'file');
  await cache.clear();
  expect(await entry.read('a', 'file')).toBeUndefined();
  await entry.remove('a', 'file');
  await entry.write('after', 'a', 'file');
  expect(await entry.read('a', 'file')).toEqual(Buffer.from('after'));
  expect(await cache.list()).toMatchObject([{ address: ADDRESS }]);
});

test("clearing leaves alone what is not the cache's own", async () => {
  const { folder, cache } = newCache();
  const foreign = {
    'notes.txt': 'mine',
    'git-0123/file': 'mine',
    'github-/file': 'mine',
    'tmp/host-1/file': 'mine',
    [`git-${'0'.repeat(32)}`]: 'a file',
  };
  write(folder, foreign);
  await cache.open('git', ADDRESS);
  expect(await cache.clear()).toMatchObject({ entries: 1 });
  await cache.trim();
  await cache.close();
  for (const [path, content] of Object.entries(foreign)) {
    expect(readFileSync(join(folder, path), 'utf8')).toBe(content);
  }
});

test('an entry that was opened for nothing is gone with the cache that opened it', async () => {
  const { folder, cache } = newCache();
  await cache.open('git', 'https://host.example/missing');
  await (await cache.open('git', ADDRESS)).write('x', 'file');
  await cache.close();
  expect((await new Cache({ folder, limit: 0 }).list()).map(({ address }) => address)).toEqual([ADDRESS]);
});

test('links are never followed', async () => {
  const { folder, cache } = newCache(0);
  const outside = tempFolder();
  write(outside, { file: 'x'.repeat(10_000), 'sub/used': '' });
  const entry = await cache.open('git', ADDRESS);
  symlinkSync(outside, join(entry.folder, 'to-folder'));
  symlinkSync(join(outside, 'file'), join(entry.folder, 'to-file'));
  symlinkSync(outside, join(folder, `git-${'0'.repeat(32)}`));
  const scratch = `host-1-${'0'.repeat(32)}`;
  symlinkSync(outside, join(folder, 'tmp', scratch));
  const longAgo = new Date(0);
  utimesSync(outside, longAgo, longAgo);

  const [listed, ...more] = await cache.list();
  expect(more).toEqual([]);
  expect(listed?.bytes).toBeLessThan(1000);
  await entry.remove('to-folder');
  await entry.write('x', 'file');
  await cache.close();
  await cache.trim();
  expect(existsSync(entry.folder)).toBe(false);
  await cache.open('git', ADDRESS);
  symlinkSync(outside, join(entry.folder, 'to-folder'));
  expect(await cache.clear()).toMatchObject({ entries: 1 });
  expect(readdirSync(outside).sort()).toEqual(['file', 'sub']);
  expect(readdirSync(folder).sort()).toEqual(['CACHEDIR.TAG', `git-${'0'.repeat(32)}`, 'tmp']);

  rmSync(join(folder, 'tmp'), { recursive: true });
  write(outside, { [`${scratch}/file`]: '' });
  utimesSync(join(outside, scratch), longAgo, longAgo);
  symlinkSync(outside, join(folder, 'tmp'));
  await cache.trim();
  expect(existsSync(join(outside, scratch, 'file'))).toBe(true);
});

test('the cache may be a link that the user made', async () => {
  const real = tempFolder();
  const link = join(tempFolder(), 'link');
  symlinkSync(real, link);
  const cache = new Cache({ folder: link, limit: 0 });
  const entry = await cache.open('git', ADDRESS);
  await entry.write('text', 'file');
  expect(entry.folder.startsWith(link)).toBe(true);
  expect(readdirSync(real)).toContain(basename(entry.folder));
  expect(await cache.clear()).toMatchObject({ entries: 1 });
  expect(readdirSync(real).sort()).toEqual(['CACHEDIR.TAG', 'tmp']);
});

test("GitHub's names ignore case", async () => {
  const { cache } = newCache();
  const entry = await cache.open('github', 'https://github.com/Owner/Repo');
  await entry.write('text', 'file');
  const same = await cache.open('github', 'https://github.com/owner/repo');
  expect(await same.read('file')).toEqual(Buffer.from('text'));
  await (await cache.open('git', 'https://github.com/owner/repo')).write('text', 'file');
  expect(await cache.clear('https://github.com/OWNER/repo')).toMatchObject({ entries: 1 });
  expect(await cache.list()).toMatchObject([{ kind: 'git' }]);
});

test('a folder in the place of a file, or the other way round, is as nothing, and is overwritten', async () => {
  const { folder, cache } = newCache();
  const entry = await cache.open('git', ADDRESS);
  write(entry.folder, { 'commits/a/b/c': 'damage', refs: 'damage' });
  rmSync(entry.path('users'), { recursive: true, force: true });
  write(entry.folder, { users: 'damage' });
  for (const path of [
    ['commits', 'a'],
    ['refs', 'a'],
  ]) {
    expect(await entry.read(...path)).toBeUndefined();
    await entry.write('text', ...path);
    expect(await entry.read(...path)).toEqual(Buffer.from('text'));
  }
  await cache.open('git', ADDRESS);
  expect(readdirSync(entry.path('users'))).toHaveLength(1);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

describe('trimming', () => {
  /** A cache with entries of 9 kB each that nobody has open, the first used longest ago. */
  async function cacheOf(limit: number, names: readonly string[]) {
    const { folder, cache } = newCache(limit);
    for (const [i, name] of names.entries()) {
      const entry = await cache.open('git', name);
      await entry.write(Buffer.alloc(9000), 'sub', 'file');
      age(entry, names.length - i);
    }
    await cache.close();
    return { folder, cache };
  }

  async function addressesIn(cache: Cache): Promise<string[]> {
    return (await cache.list()).map(({ address }) => address);
  }

  test('takes what was used longest ago, until the rest is within the limit', async () => {
    const { cache } = await cacheOf(25_000, ['oldest', 'older', 'old', 'new']);
    await cache.trim();
    expect(await addressesIn(cache)).toEqual(['new', 'old']);
    await cache.trim();
    expect(await addressesIn(cache)).toEqual(['new', 'old']);
  });

  test('takes also what was used last, if it alone is over the limit', async () => {
    const { cache } = await cacheOf(5000, ['one']);
    await cache.trim();
    expect(await addressesIn(cache)).toEqual([]);
  });

  test('takes what is open in no process, and all else in its stead', async () => {
    const { folder, cache } = await cacheOf(15_000, ['open', 'old', 'new']);
    const reader = new Cache({ folder, limit: 0 });
    const entry = await reader.open('git', 'open');
    age(entry, 1000);
    await cache.trim();
    expect(await addressesIn(cache)).toEqual(['open']);
    expect(await entry.read('sub', 'file')).toHaveLength(9000);
    await (await reader.open('git', 'open')).write('x', 'file');
    await reader.close();
    await reader.trim();
    expect(await addressesIn(cache)).toEqual([]);
  });

  test('heeds marks of other machines for a day', async () => {
    const { folder, cache } = await cacheOf(0, ['seen', 'forgotten']);
    const entries = readdirSync(folder).filter((name) => name.startsWith('git-'));
    for (const name of entries) {
      const { address } = JSON.parse(readFileSync(join(folder, name, 'entry.json'), 'utf8'));
      const mark = join(folder, name, 'users', `other-host-4194305-${'f'.repeat(32)}`);
      writeFileSync(mark, '');
      const then = Date.now() / 1000 - (address === 'seen' ? 23 : 25) * 60 * 60;
      utimesSync(mark, then, then);
    }
    await cache.trim();
    expect(await addressesIn(cache)).toEqual(['seen']);
  });

  test('does nothing where nothing was written', async () => {
    const { folder, cache } = await cacheOf(15_000, ['a', 'b']);
    const reader = new Cache({ folder, limit: 0 });
    expect(await (await reader.open('git', 'a')).read('sub', 'file')).toHaveLength(9000);
    await reader.open('git', 'c');
    await reader.close();
    await reader.trim();
    expect((await addressesIn(cache)).sort()).toEqual(['a', 'b']);
    await reader.scratch();
    await reader.close();
    await reader.trim();
    expect(await addressesIn(cache)).toEqual([]);
  });
});

test('an entry that was opened for nothing stays while another has it open', async () => {
  const { folder, cache } = newCache();
  const entry = await cache.open('git', ADDRESS);
  const other = new Cache({ folder, limit: 0 });
  await other.open('git', ADDRESS);
  await other.close();
  expect(existsSync(entry.folder)).toBe(true);
  await cache.close();
  expect(existsSync(entry.folder)).toBe(false);
});

test('backups are told to skip the folder, unless it holds anything else', async () => {
  const { folder, cache } = newCache();
  await cache.scratch();
  const tag = readFileSync(join(folder, 'CACHEDIR.TAG'), 'utf8');
  expect(tag).toMatch(/^Signature: 8a477f597d28d172789f06886806bc55\n/);
  rmSync(join(folder, 'CACHEDIR.TAG'));
  await cache.open('git', ADDRESS);
  expect(readFileSync(join(folder, 'CACHEDIR.TAG'), 'utf8')).toBe(tag);

  const home = tempFolder();
  write(home, { 'letter.txt': 'Dear' });
  await new Cache({ folder: home, limit: 0 }).open('git', ADDRESS);
  expect(existsSync(join(home, 'CACHEDIR.TAG'))).toBe(false);
});

test('whatever is written, removed and cleared, the rest can be read', async () => {
  const kind = fc.constantFrom<CacheKind>('git', 'github');
  const address = fc.constantFrom('a', 'b');
  const file = fc.constantFrom(['x'], ['y', 'z'], ['y', 'w'], ['v', 'y', 'x']);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind, address, file, bytes: fc.uint8Array() }) },
    { weight: 2, arbitrary: fc.record({ kind, address, file }) },
    { weight: 1, arbitrary: fc.record({ address }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const cache = Cache.temporary();
      const expected = new Map<string, Map<string, Uint8Array>>();
      for (const step of steps) {
        if (!('file' in step)) {
          await cache.clear(step.address);
          for (const of of ['git', 'github']) expected.delete(`${of} ${step.address}`);
          continue;
        }
        const name = `${step.kind} ${step.address}`;
        const files = expected.get(name) ?? new Map<string, Uint8Array>();
        expected.set(name, files);
        const entry = await cache.open(step.kind, step.address);
        if ('bytes' in step) {
          await entry.write(Buffer.from(step.bytes), ...step.file);
          files.set(step.file.join('/'), step.bytes);
        } else {
          await entry.remove(...step.file);
          files.delete(step.file.join('/'));
        }
      }
      const list = await cache.list();
      expect(list.map(({ kind, address }) => `${kind} ${address}`).sort()).toEqual(
        [...expected.keys()].sort(),
      );
      for (const { kind, address } of list) {
        const entry = await cache.open(kind, address);
        for (const path of ['x', 'y/z', 'y/w', 'v/y/x']) {
          const bytes = expected.get(`${kind} ${address}`)?.get(path);
          expect(await entry.read(...path.split('/'))).toEqual(bytes && Buffer.from(bytes));
        }
      }
      await cache.close();
    }),
    { numRuns: 50 },
  );
});
