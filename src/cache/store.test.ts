import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { giveAway, tempFolder, withoutPrivileges, write } from '../digest/source/fixture.ts';
import { buildCache, newCache, runScript, startScript } from './cache.testing.ts';
import { Cache } from './cache.ts';

const DAY = 24 * 60 * 60 * 1000;
/** As it stands in names. */
const HOST = hostname().replace(/[^\w.-]/g, '_');

const built = mkdtempSync(join(tmpdir(), 'plimsoll-cache-'));

beforeAll(() => buildCache(built));

afterAll(() => rmSync(built, { recursive: true }));

/** What a script prints first; it doesn't outlive the test. */
async function firstWord(child: ChildProcess): Promise<string> {
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout as Readable, 'data');
  return String(said).trim();
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Every file and folder below a folder, and the folder itself, with their permissions. */
function modesOf(folder: string): Map<string, number> {
  const paths = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return new Map(paths.map((path) => [path, lstatSync(join(folder, path)).mode & 0o7777]));
}

test('everything is for the user alone, whatever the umask', async () => {
  const folder = join(tempFolder(), 'new', 'cache');
  const script = `
    const cache = new Cache({ folder: args[0], limit: 0 });
    const entry = await cache.open('git', 'address');
    await entry.write('text', 'a', 'b', 'file');
    await cache.scratch();
    process.kill(process.pid, 'SIGKILL');`;
  await runScript(built, script, [folder], 'umask 000');
  const modes = modesOf(dirname(folder));
  expect(modes.size).toBe(13);
  for (const [path, mode] of modes) {
    expect([path, mode]).toEqual([path, lstatSync(join(folder, '..', path)).isDirectory() ? 0o700 : 0o600]);
  }
});

describe('a folder that cannot be used is refused in one line:', () => {
  async function expectRefusal(cache: Cache, folder: string, reason: string): Promise<void> {
    const refusal = {
      code: 'CACHE_UNWRITABLE',
      message: `Cannot use the cache folder '${folder}': ${reason}. Use --no-cache or set PLIMSOLL_CACHE_DIR.`,
    };
    await expect(cache.open('git', 'address')).rejects.toMatchObject(refusal);
    await expect(cache.scratch()).rejects.toMatchObject(refusal);
  }

  test('a file', async () => {
    const root = tempFolder();
    write(root, { file: 'text' });
    const folder = join(root, 'file');
    const cache = new Cache({ folder, limit: 0 });
    await expectRefusal(cache, folder, 'not a directory');
    await expect(cache.list()).rejects.toMatchObject({ code: 'CACHE_UNWRITABLE' });
    await expect(cache.clear()).rejects.toMatchObject({ code: 'CACHE_UNWRITABLE' });
    const below = join(folder, 'below');
    await expectRefusal(new Cache({ folder: below, limit: 0 }), below, 'not a directory');
    expect(readFileSync(folder, 'utf8')).toBe('text');
  });

  test('a link to nowhere', async () => {
    const root = tempFolder();
    symlinkSync(join(root, 'nowhere', 'there'), join(root, 'link'));
    await expect(
      new Cache({ folder: join(root, 'link'), limit: 0 }).open('git', 'address'),
    ).rejects.toMatchObject({
      code: 'CACHE_UNWRITABLE',
    });
  });

  test('a name that could deceive is made visible', async () => {
    const root = tempFolder();
    write(root, { 'a\n\u202e': 'text' });
    await expectRefusal(
      new Cache({ folder: join(root, 'a\n\u202e'), limit: 0 }),
      `${root}/a␊<U+202E>`,
      'not a directory',
    );
  });

  test('one that may not be written, or not be read', async () => {
    const folder = tempFolder();
    const cache = new Cache({ folder, limit: 0 });
    giveAway(folder);
    chmodSync(folder, 0o500);
    await withoutPrivileges(() => expectRefusal(cache, folder, 'permission denied'));
    chmodSync(folder, 0o300);
    await withoutPrivileges(async () => {
      await expect(cache.list()).rejects.toMatchObject({ code: 'CACHE_UNWRITABLE' });
    });
    chmodSync(folder, 0o700);
  });

  test('one whose parent may not be written', async () => {
    const root = tempFolder();
    giveAway(root);
    chmodSync(root, 0o500);
    const folder = join(root, 'cache');
    await withoutPrivileges(() =>
      expectRefusal(new Cache({ folder, limit: 0 }), folder, 'permission denied'),
    );
    chmodSync(root, 0o700);
  });

  test("another user's, however open it is", async () => {
    const folder = process.geteuid?.() === 0 ? tempFolder() : '/';
    if (folder !== '/') {
      chmodSync(folder, 0o777);
      giveAway(folder);
    }
    const cache = new Cache({ folder, limit: 0 });
    await expectRefusal(cache, folder, 'it belongs to another user');
    await expect(cache.list()).rejects.toThrow('it belongs to another user');
    await expect(cache.clear()).rejects.toThrow('it belongs to another user');
    if (folder !== '/') expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('one that the system never makes', async () => {
    const folder = '/proc/nope/cache';
    await expectRefusal(new Cache({ folder, limit: 0 }), folder, 'no such file or directory');
  });

  test("one whose scratch is a link or another user's", async () => {
    const { folder, cache } = newCache();
    const entry = await cache.open('git', 'address');
    const outside = tempFolder();
    rmSync(join(folder, 'tmp'), { recursive: true });
    symlinkSync(outside, join(folder, 'tmp'));
    await expectRefusal(cache, folder, 'not a directory');
    await expect(entry.write('text', 'file')).rejects.toMatchObject({ code: 'CACHE_UNWRITABLE' });
    await expect(cache.clear()).rejects.toMatchObject({ code: 'CACHE_UNWRITABLE' });
    expect(existsSync(entry.folder)).toBe(true);
    expect(readdirSync(outside)).toEqual([]);
    if (process.geteuid?.() !== 0) return;
    rmSync(join(folder, 'tmp'));
    mkdirSync(join(folder, 'tmp'));
    giveAway(join(folder, 'tmp'));
    await expectRefusal(cache, folder, 'it belongs to another user');
  });

  test('one with an entry that leads elsewhere', async () => {
    const { folder, cache } = newCache();
    const entry = await cache.open('git', 'address');
    await cache.clear();
    symlinkSync(tempFolder(), entry.folder);
    await expect(cache.open('git', 'address')).rejects.toThrow(
      `Cannot use the cache folder '${folder}': not a directory.`,
    );
  });
});

test('what finds no room is not written, and leaves nothing behind', async () => {
  const { folder, cache } = newCache();
  const entry = await cache.open('git', 'address');
  await entry.write('before', 'file');
  const script = `
    const cache = new Cache({ folder: args[0], limit: 0 });
    const entry = await cache.open('git', 'address');
    try { await entry.write(Buffer.alloc(1e6), 'file'); } catch (error) { console.log(error.code, error.message); }
    process.exit(7);`;
  // The system refuses files of more than 32 KiB.
  const [code, output] = await runScript(built, script, [folder], "trap '' XFSZ; ulimit -f 64");
  expect(output).toBe(
    `CACHE_UNWRITABLE Cannot use the cache folder '${folder}': file too large. Use --no-cache or set PLIMSOLL_CACHE_DIR.\n`,
  );
  expect(code).toBe(7);
  expect(await entry.read('file')).toEqual(Buffer.from('before'));
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

describe('scratch', () => {
  test('is new, empty, private, on the same file system, and gone when the cache is closed', async () => {
    const { folder, cache } = newCache();
    const [a, b] = [await cache.scratch(), await cache.scratch()];
    expect(a).not.toBe(b);
    for (const scratch of [a, b]) {
      expect(dirname(scratch)).toBe(join(folder, 'tmp'));
      expect(readdirSync(scratch)).toEqual([]);
      expect(lstatSync(scratch).mode & 0o777).toBe(0o700);
      expect(lstatSync(scratch).dev).toBe(lstatSync(folder).dev);
      write(scratch, { 'a/b': 'text' });
    }
    await cache.trim();
    expect(existsSync(join(a, 'a/b'))).toBe(true);
    await cache.close();
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  test('leaves nothing to be done at exit, once the cache is closed', async () => {
    const script = `
      const before = process.listenerCount('exit');
      const [cache, temporary] = [new Cache({ folder: args[0], limit: 0 }), Cache.temporary()];
      for (const each of [cache, temporary]) {
        await (await each.open('git', 'address')).write('text', 'file');
        await each.scratch();
      }
      console.log(process.listenerCount('exit') - before);
      for (const each of [cache, temporary]) await each.close();
      console.log(process.listenerCount('exit') - before);`;
    expect(await runScript(built, script, [newCache().folder])).toEqual([0, '1\n0\n']);
  });

  test('is gone when the process exits, and so is a temporary cache', async () => {
    const { folder, cache } = newCache();
    await (await cache.open('git', 'address')).write('text', 'file');
    const script = `
      import { mkdirSync, writeFileSync } from 'node:fs';
      const cache = new Cache({ folder: args[0], limit: 0 });
      const temporary = Cache.temporary();
      for (const scratch of [await cache.scratch(), await temporary.scratch()]) {
        mkdirSync(scratch + '/a');
        writeFileSync(scratch + '/a/b', 'text');
        console.log(scratch);
      }
      const entry = await temporary.open('git', 'address');
      await entry.write('text', 'file');
      console.log(entry.folder);
      process.exit(5);`;
    const root = tempFolder();
    const [code, output] = await runScript(built, script, [folder], `export TMPDIR='${root}'`);
    expect(code).toBe(5);
    const [scratch = '', inTemporary = '', entry = ''] = output.split('\n');
    expect(scratch).toContain(folder);
    expect(inTemporary).toContain(root);
    expect(entry).toContain(root);
    expect(readdirSync(root)).toEqual([]);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(await cache.list()).toHaveLength(1);
  });

  test('of a process that was killed goes, that of one that lives stays', async () => {
    const { folder, cache } = newCache();
    const script = `
      const cache = new Cache({ folder: args[0], limit: 0 });
      console.log(await cache.scratch());
      setInterval(() => {}, 1000);`;
    const [dying, living] = [startScript(built, script, [folder]), startScript(built, script, [folder])];
    const [abandoned, inUse] = [await firstWord(dying), await firstWord(living)];
    write(abandoned, { 'a/b': 'text' });
    await kill(dying);
    expect(existsSync(abandoned)).toBe(true);
    await cache.scratch();
    await cache.trim();
    expect([existsSync(abandoned), existsSync(inUse)]).toEqual([false, true]);
    const longAgo = new Date(Date.now() - 8 * DAY);
    utimesSync(inUse, longAgo, longAgo);
    await cache.trim();
    expect(existsSync(inUse)).toBe(false);
  });

  test("of another user's process stays", async () => {
    const { folder, cache } = newCache();
    await cache.open('git', 'address');
    const scratch = join(folder, 'tmp', `${HOST}-1-${'f'.repeat(32)}`);
    mkdirSync(scratch);
    giveAway(dirname(folder));
    const script = `
      if (process.getuid() === 0) process.setuid(65534);
      const cache = new Cache({ folder: args[0], limit: 0 });
      await cache.scratch();
      await cache.trim();
      await cache.close();`;
    expect(await runScript(built, script, [folder])).toEqual([0, '']);
    expect(existsSync(scratch)).toBe(true);
  });

  test('of other machines goes after a week; what has another name stays', async () => {
    const { folder, cache } = newCache();
    await (await cache.open('git', 'address')).write('text', 'file');
    const tmp = join(folder, 'tmp');
    const random = 'f'.repeat(32);
    const put = (name: string, days: number) => {
      mkdirSync(join(tmp, name));
      const then = new Date(Date.now() - days * DAY);
      utimesSync(join(tmp, name), then, then);
    };
    put(`other-host-4194305-${random}`, 6);
    put(`other-host-4194306-${random}`, 8);
    put('other-host-4194306-cafe', 8);
    put(`no-number-${random}`, 8);
    const outside = tempFolder();
    writeFileSync(join(outside, 'file'), '');
    symlinkSync(outside, join(tmp, `${HOST}-4194307-${random}`));
    await cache.trim();
    expect(readdirSync(tmp).sort()).toEqual([
      `no-number-${random}`,
      `other-host-4194305-${random}`,
      'other-host-4194306-cafe',
    ]);
    expect(readdirSync(outside)).toEqual(['file']);
  });
});

test('a temporary cache is private, for one process, and gone when it is closed', async () => {
  const [cache, other] = [Cache.temporary(), Cache.temporary()];
  const entry = await cache.open('git', 'address');
  await entry.write('text', 'a', 'file');
  expect(await entry.read('a', 'file')).toEqual(Buffer.from('text'));
  const folder = dirname(entry.folder);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  expect(await other.list()).toEqual([]);
  await cache.trim();
  expect(await cache.list()).toHaveLength(1);
  await cache.close();
  expect(existsSync(folder)).toBe(false);
  await other.close();
});

test('a temporary cache that a killed process left goes with the next one; what is not certainly one stays', async () => {
  const root = tempFolder();
  const script = `
    const cache = Cache.temporary();
    const entry = await cache.open('git', 'address');
    await entry.write('text', 'file');
    console.log(entry.folder);
    setInterval(() => {}, 1000);`;
  const start = () => startScript(built, script, [], `export TMPDIR='${root}'`);
  const [dying, living] = [start(), start()];
  const [left, inUse] = [dirname(await firstWord(dying)), dirname(await firstWord(living))];
  await kill(dying);
  expect(existsSync(left)).toBe(true);
  const ownedBy = (name: string) => join(root, `plimsoll-${HOST}-4194305-${name.repeat(32)}`);
  const [link, file, foreign] = [ownedBy('a'), ownedBy('b'), ownedBy('c')];
  const outside = tempFolder();
  write(outside, { file: 'text' });
  symlinkSync(outside, link);
  writeFileSync(file, 'text');
  mkdirSync(foreign);
  giveAway(foreign);
  write(root, { 'plimsoll-cafe/file': 'text' });

  const [code] = await runScript(built, 'Cache.temporary();', [], `export TMPDIR='${root}'`);
  expect(code).toBe(0);
  const staying = [link, file, join(root, 'plimsoll-cafe'), inUse];
  if (process.geteuid?.() === 0) staying.push(foreign);
  expect(readdirSync(root).sort()).toEqual(staying.map((path) => path.slice(root.length + 1)).sort());
  expect(readdirSync(outside)).toEqual(['file']);
});

describe('an entry that another process has open', () => {
  const script = `
    const cache = new Cache({ folder: args[0], limit: 0 });
    const entry = await cache.open('git', 'address');
    console.log(entry.folder);
    process.stdin.once('data', async () => {
      await cache.close();
      console.log('closed');
    });
    setInterval(() => {}, 1000);`;

  async function opened() {
    const { folder, cache } = newCache(0);
    const entry = await cache.open('git', 'address');
    await entry.write('text', 'file');
    await cache.close();
    const child = startScript(built, script, [folder]);
    expect(await firstWord(child)).toBe(entry.folder);
    await cache.trim();
    expect(await entry.read('file')).toEqual(Buffer.from('text'));
    return { cache, child, folder: entry.folder };
  }

  test('stays until that closes it', async () => {
    const { cache, child, folder } = await opened();
    child.stdin?.write('close');
    expect(String((await once(child.stdout as Readable, 'data'))[0])).toBe('closed\n');
    await cache.trim();
    expect(existsSync(folder)).toBe(false);
  });

  test('stays until that is killed', async () => {
    const { cache, child, folder } = await opened();
    await kill(child);
    await cache.trim();
    expect(existsSync(folder)).toBe(false);
  });

  test('is cleared if a person says so', async () => {
    const { cache, folder } = await opened();
    expect(await cache.clear()).toMatchObject({ entries: 1 });
    expect(existsSync(folder)).toBe(false);
  });

  test('is free again when that exits without closing it', async () => {
    const { folder, cache } = newCache(0);
    const writer = `
      const entry = await new Cache({ folder: args[0], limit: 0 }).open('git', 'address');
      await entry.write('text', 'file');
      console.log(entry.folder);
      process.exit(3);`;
    const [, output] = await runScript(built, writer, [folder]);
    expect(readdirSync(join(output.trim(), 'users'))).toEqual([]);
    expect(await cache.list()).toHaveLength(1);
  });
});

describe('several processes', () => {
  /** Its part is told from the others' by args[1]; it has one shared file in each entry, and one of its own. */
  const busy = `
    const [folder, name] = args;
    const cache = new Cache({ folder, limit: 150_000 });
    let read = 0;
    for (let round = 0; round < 60; round++) {
      const entry = await cache.open('git', 'address-' + (round % 7));
      for (const file of ['shared', name]) {
        await entry.write(wholeBytes(5000 + round * 100), 'files', file);
        const bytes = await entry.read('files', file);
        if (bytes && !isWhole(bytes)) throw new Error('half a file');
        if (bytes) read++;
      }
      const hourAgo = Date.now() / 1000 - 3600;
      try { utimesSync(entry.path('used'), hourAgo, hourAgo); } catch {}
      if (round % 5 === 0) await cache.trim();
      if (round % 20 === 10) await cache.clear('address-3');
      if ((await cache.list()).some(({ bytes }) => Number.isNaN(bytes))) throw new Error('no size');
    }
    await cache.close();
    console.log(read > 60 ? 'done' : 'hardly anything could be read: ' + read);`;

  test('write, read, trim and clear the same cache at once', async () => {
    const { folder, cache } = newCache(150_000);
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => runScript(built, busy, [folder, name])),
    );
    expect(results).toEqual(Array(4).fill([0, 'done\n']));
    await (await cache.open('git', 'address-0')).write('text', 'file');
    await cache.close();
    await cache.trim();
    expect((await cache.list()).reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(150_000);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  test('may be killed while they write, and all that can be read is whole', async () => {
    const { folder, cache } = newCache();
    const write = `
      const entry = await new Cache({ folder: args[0], limit: 0 }).open('git', 'address');
      for (let round = 0; ; round++) {
        await Promise.all([0, 1, 2].map((i) => entry.write(wholeBytes(300_000 + round), 'files', 'file-' + i)));
        if (round >= Number(args[1])) console.log(round);
      }`;
    const check = `
      const cache = new Cache({ folder: args[0], limit: 0 });
      const entry = await cache.open('git', 'address');
      const files = await Promise.all([0, 1, 2].map((i) => entry.read('files', 'file-' + i)));
      console.log(files.filter((bytes) => bytes && isWhole(bytes)).length);
      await cache.clear('another address');
      await cache.close();`;
    for (let round = 0; round < 20; round++) {
      const child = startScript(built, write, [folder, `${round % 4}`]);
      await firstWord(child);
      await kill(child);
      expect(await runScript(built, check, [folder])).toEqual([0, '3\n']);
    }
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(await cache.list()).toHaveLength(1);
  });
});
