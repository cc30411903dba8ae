import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { tempFolder } from '../../digest/source/fixture.ts';
import { withLock } from './lock.ts';
import { newOwner, type Owner } from './owner.ts';
import { buildStore, hasten, runScript, startScript, watch } from './store.testing.ts';
import { updateFile } from './update.ts';

const built = mkdtempSync(join(tmpdir(), 'plimsoll-store-'));

beforeAll(() => buildStore(built));

afterAll(() => rmSync(built, { recursive: true }));

/** A file's path in a new folder, and that of its lock. */
function newFile(): { folder: string; file: string; lock: string } {
  const folder = tempFolder();
  return { folder, file: join(folder, 'a.json'), lock: join(folder, '.a.json.lock') };
}

/** What a lock file of somebody else holds. */
function lockOf(owner: Partial<Owner>): string {
  return `${JSON.stringify({ ...newOwner(), ...owner })}\n`;
}

/** A number that no process has any more. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** A process that holds a file's lock until it is killed. */
async function startHolder(file: string): Promise<{ pid: number; kill: () => Promise<void> }> {
  const script = `await withLock(args[0], () => { fs.writeSync(1, 'held'); for (;;); });`;
  const child = startScript(built, script, [file]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout as Readable, 'data');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid as number, kill };
}

test('the lock is there while the work is done, and gone afterwards, also when the work fails', async () => {
  const { folder, file, lock } = newFile();
  const answer = await withLock(file, (held) => {
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid, nonce: held.nonce });
    return held.isOurs();
  });
  expect(answer).toBe(true);
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('those of one process get the lock one after the other, in the order of their calls', async () => {
  const { file } = newFile();
  const done: number[] = [];
  let working = 0;
  const work = async (index: number) => {
    expect(++working).toBe(1);
    await new Promise(setImmediate);
    done.push(index);
    working--;
    if (index % 3 === 0) throw new Error('no');
  };
  await Promise.allSettled(Array.from({ length: 20 }, (_, index) => withLock(file, () => work(index))));
  expect(done).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('a process that holds the lock is waited for, and named when that takes too long', async () => {
  const { folder, file, lock } = newFile();
  const { pid, kill } = await startHolder(file);
  const text = readFileSync(lock, 'utf8');
  const waiting = [1, 2].map(() => withLock(file, () => {}, { wait: 100 }));
  for (const attempt of waiting) {
    await expect(attempt).rejects.toMatchObject({
      code: 'MEMORY_BUSY',
      message: expect.stringContaining(`process ${pid} on `),
    });
  }
  expect(readFileSync(lock, 'utf8').trim()).toBe(text.trim());
  const next = withLock(file, () => 'done');
  await kill();
  expect(await next).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('who has had the lock lets another process that waits for it have it before the next time', async () => {
  const { folder, file, lock } = newFile();
  const waiter = startScript(built, `await withLock(args[0], () => fs.writeSync(1, 'held'));`, [file]);
  onTestFinished(() => void waiter.kill('SIGKILL'));
  const exit = once(waiter, 'exit');
  const isWanted = () => readFileSync(lock, 'utf8').endsWith('\n\n');
  const released = await withLock(file, async (held) => {
    await vi.waitUntil(isWanted, { timeout: 20_000, interval: 1 });
    expect(held.isOurs()).toBe(true);
    return performance.now();
  });
  // No process pauses for longer between two tries.
  expect(await withLock(file, () => performance.now() - released)).toBeGreaterThan(15);
  await exit;
  expect(readdirSync(folder)).toEqual([]);
});

test('a process that was killed and that its parent never asks for holds nothing', async () => {
  const { file, lock } = newFile();
  const script = `process.stdin.resume(); await withLock(args[0], () => { fs.writeSync(1, 'held\\n'); for (;;); });`;
  // The shell becomes another program, which knows of no child.
  const setup = `"$0" "$@" & exec sleep 600`;
  const parent = startScript(built, script, [file], setup);
  onTestFinished(() => void parent.kill('SIGKILL'));
  for await (const line of createInterface({ input: parent.stdout as Readable })) {
    if (line === 'held') break;
  }
  const { pid } = JSON.parse(readFileSync(lock, 'utf8'));
  process.kill(pid, 'SIGKILL');
  expect(await withLock(file, () => 'done')).toBe('done');
  expect(process.kill(pid, 0)).toBe(true);
});

test('a lock of a process that is no more is taken over', async () => {
  const { folder, file, lock } = newFile();
  const gone: Partial<Owner>[] = [
    { pid: deadPid() },
    // Its number is another process's by now.
    { pid: process.ppid, start: 'at another time' },
    // It couldn't be removed.
    {},
  ];
  for (const owner of gone) {
    writeFileSync(lock, lockOf(owner));
    expect(await withLock(file, (held) => held.isOurs(), { wait: 500 })).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('a lock of nobody is taken over also by one that comes to look when its time is over', async () => {
  const { folder, file, lock } = newFile();
  writeFileSync(lock, lockOf({}));
  expect(await withLock(file, () => 'done', { wait: 0 })).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock of another thread of this process is respected', async () => {
  const { file, lock } = newFile();
  writeFileSync(lock, lockOf({ thread: 17 }));
  await expect(withLock(file, () => {}, { wait: 50 })).rejects.toMatchObject({ code: 'MEMORY_BUSY' });
});

test('a lock whose owner cannot be seen is taken over after 5 seconds without a change', async () => {
  const { folder, file, lock } = newFile();
  const unseen: Partial<Owner>[] = [
    { host: 'another-host', pid: deadPid() },
    { pid: process.ppid, start: null },
  ];
  for (const owner of unseen) {
    writeFileSync(lock, lockOf(owner));
    await expect(withLock(file, () => {}, { wait: 50 })).rejects.toMatchObject({ code: 'MEMORY_BUSY' });
  }
  hasten(100);
  // It belongs to somebody else each time that it's looked at.
  let count = 0;
  const renewed = watch((name) => {
    if (name === 'openSync' && count < 300) writeFileSync(lock, lockOf({ host: `host-${count++}` }));
  });
  await expect(withLock(file, () => {}, { wait: 9000, files: renewed })).rejects.toMatchObject({
    code: 'MEMORY_BUSY',
  });
  expect(await withLock(file, () => 'done')).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('what is no lock is taken over after a second', async () => {
  const { folder, file, lock } = newFile();
  const others = [
    () => writeFileSync(lock, ''),
    () => writeFileSync(lock, '{"host":1}'),
    () => writeFileSync(lock, 'null'),
  ];
  for (const make of others) {
    rmSync(lock, { force: true });
    make();
    await expect(withLock(file, () => {}, { wait: 50 })).rejects.toMatchObject({
      code: 'MEMORY_BUSY',
      message: expect.stringContaining('another process'),
    });
  }
  hasten(100);
  for (const make of others) {
    rmSync(lock, { force: true });
    make();
    expect(await withLock(file, () => 'done')).toBe('done');
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('what is no file in the place of a lock is named at once', async () => {
  const { folder, file, lock } = newFile();
  const others = [
    (path: string) => mkdirSync(path),
    (path: string) => expect(spawnSync('mkfifo', [path]).status).toBe(0),
    (path: string) => symlinkSync('/dev/zero', path),
    (path: string) => symlinkSync(join(folder, 'nowhere'), path),
  ];
  const abandoned = () => writeFileSync(lock, lockOf({ pid: deadPid() }));
  for (const make of others) {
    for (const path of [lock, `${lock}.steal`]) {
      if (path !== lock) abandoned();
      make(path);
      const attempt = updateFile(file, () => ({ bytes: Buffer.from('text'), answer: 0 }));
      await expect(attempt).rejects.toMatchObject({
        code: 'MEMORY_UNWRITABLE',
        message: `Cannot write '${file}': its lock, '${path}', is not a file. Delete that and try again.`,
      });
      rmSync(path, { recursive: true });
      rmSync(lock, { force: true });
      expect(readdirSync(folder)).toEqual([]);
    }
  }
});

test('a lock that has become another meanwhile is not taken over', async () => {
  const { folder, file, lock } = newFile();
  const abandoned = lockOf({ pid: deadPid() });
  const other = lockOf({ thread: 17 });
  writeFileSync(lock, abandoned);
  const files = watch((name, [path]) => {
    if (name === 'openSync' && path === `${lock}.steal`) writeFileSync(lock, other);
  });
  await expect(withLock(file, () => {}, { wait: 50, files })).rejects.toMatchObject({ code: 'MEMORY_BUSY' });
  expect(readFileSync(lock, 'utf8').trim()).toBe(other.trim());
  expect(readdirSync(folder)).toEqual(['.a.json.lock']);
});

test('only one at a time takes a lock over; what is left of one that was killed is removed', async () => {
  const { folder, file, lock } = newFile();
  writeFileSync(lock, lockOf({ pid: deadPid() }));
  writeFileSync(`${lock}.steal`, lockOf({ thread: 17 }));
  await expect(withLock(file, () => {}, { wait: 50 })).rejects.toMatchObject({ code: 'MEMORY_BUSY' });
  writeFileSync(`${lock}.steal`, lockOf({ pid: deadPid() }));
  expect(await withLock(file, () => 'done')).toBe('done');
  writeFileSync(`${lock}.steal`, lockOf({ pid: deadPid() }));
  expect(await withLock(file, () => 'done')).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('what is left of one that took a lock over before the clock was set back is removed', async () => {
  const { folder, file, lock } = newFile();
  writeFileSync(lock, lockOf({ pid: deadPid() }));
  writeFileSync(`${lock}.steal`, '');
  const future = Date.now() / 1000 + 3600;
  utimesSync(`${lock}.steal`, future, future);
  expect(await withLock(file, () => 'done', { wait: 1000 })).toBe('done');
  expect(readdirSync(folder)).toEqual([]);
});

test('an owner that lost its lock knows, and leaves the other one alone', async () => {
  const { file, lock } = newFile();
  const other = lockOf({ host: 'another-host' });
  const answer = await withLock(file, (held) => {
    writeFileSync(lock, other);
    return held.isOurs();
  });
  expect(answer).toBe(false);
  expect(readFileSync(lock, 'utf8')).toBe(other);
});

test('a lock that cannot be written is not left behind', async () => {
  const { folder, file } = newFile();
  const files = watch((name) => {
    if (name === 'writeSync') throw new Error('no');
  });
  await expect(withLock(file, () => {}, { files })).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('processes that take over the lock of a killed one hold it one after the other', async () => {
  const { folder, file, lock } = newFile();
  const script = `
    for (let round = 0; round < 30; round++) {
      // As if it had been killed.
      if (round % 3 === 0) try { fs.writeFileSync(args[1], args[2], { flag: 'wx' }); } catch {}
      await withLock(args[0], () => {
        fs.mkdirSync(args[3]);
        fs.rmdirSync(args[3]);
      });
    }`;
  const args = [file, lock, lockOf({ pid: deadPid() }), join(folder, 'only one')];
  const runs = await Promise.all(Array.from({ length: 4 }, () => runScript(built, script, args)));
  expect(runs).toEqual(Array(4).fill([0, '']));
  rmSync(lock, { force: true });
  expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
});
