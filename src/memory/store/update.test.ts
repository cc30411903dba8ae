import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { giveAway, tempFolder, withoutPrivileges } from '../../digest/source/fixture.ts';
import type { Files } from './files.ts';
import { newOwner } from './owner.ts';
import { hasten, systemError, watch } from './store.testing.ts';
import { readFile, updateFile } from './update.ts';

/** A file in a new folder, with a text if one is given. */
function newFile(text?: string): string {
  const file = join(tempFolder(), 'a.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

/** Appends to a file, and gives what it held before. */
function append(file: string, text: string, files?: Files): Promise<string | undefined> {
  const change = (bytes: Buffer | undefined) => ({
    bytes: Buffer.from(`${bytes ?? ''}${text}`),
    answer: bytes?.toString(),
  });
  return updateFile(file, change, { ...(files && { files }) });
}

/** The names beside a file, and its own. */
function namesAt(file: string): string[] {
  return readdirSync(dirname(file)).sort();
}

function isJson(bytes: Buffer): boolean {
  try {
    return Boolean(JSON.parse(bytes.toString()));
  } catch {
    return false;
  }
}

/** Sets a member of a file of JSON. */
function set(file: string, key: string, value: number, files?: Files): Promise<number> {
  let calls = 0;
  const change = (bytes: Buffer | undefined) => ({
    bytes: Buffer.from(JSON.stringify({ ...JSON.parse(`${bytes ?? '{}'}`), [key]: value })),
    answer: ++calls,
  });
  return updateFile(file, change, { isWhole: isJson, ...(files && { files }) });
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** How many system calls it takes, and at which the file gets its new content, from 0. */
async function countCalls(
  run: (files: Files) => Promise<unknown>,
): Promise<{ calls: number; renamed: number }> {
  const names: string[] = [];
  await run(watch((name) => void names.push(name)));
  return { calls: names.length, renamed: names.indexOf('renameSync') };
}

/** The system's calls, with something done before one of them, counted from 0. */
function beforeCall(index: number, act: () => void): Files {
  let count = 0;
  return watch(() => {
    if (count++ === index) act();
  });
}

test('a file is made, and changed, by what is made of its bytes', async () => {
  const file = newFile();
  expect(await readFile(file)).toBeUndefined();
  expect(await append(file, 'one ')).toBeUndefined();
  expect(await append(file, 'two')).toBe('one ');
  expect(String(await readFile(file))).toBe('one two');
  expect(namesAt(file)).toEqual(['a.json']);
});

test('where there is nothing to change, the file is not written', async () => {
  const file = newFile('text');
  const { ino, mtimeMs } = statSync(file);
  expect(await updateFile(file, () => ({ answer: 7 }))).toBe(7);
  expect(await updateFile(file, () => ({ bytes: Buffer.from('text'), answer: 8 }))).toBe(8);
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  rmSync(file);
  expect(await updateFile(file, () => ({ answer: 9 }))).toBe(9);
  expect(namesAt(file)).toEqual([]);
});

test('a change that throws changes nothing', async () => {
  const file = newFile('text');
  const refusal = new Error('no');
  const update = updateFile(file, () => {
    throw refusal;
  });
  await expect(update).rejects.toBe(refusal);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(namesAt(file)).toEqual(['a.json']);
});

test('an emptied file stays one', async () => {
  const file = newFile('text');
  await updateFile(file, () => ({ bytes: Buffer.alloc(0), answer: 0 }));
  expect(readFileSync(file, 'utf8')).toBe('');
});

test('a new file and the folders made for it are for the user alone', async () => {
  const root = tempFolder();
  const file = join(root, 'a', 'b', 'c.json');
  await append(file, 'text');
  const modes = [file, dirname(file), join(root, 'a')].map((path) => statSync(path).mode & 0o7777);
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

test('mode and owner stay', async () => {
  const file = newFile('a');
  for (const mode of [0o640, 0o666, 0o200, 0o755]) {
    chmodSync(file, mode);
    await append(file, 'b');
    expect(statSync(file).mode & 0o7777).toBe(mode);
  }
  giveAway(file);
  const { uid } = statSync(file);
  await append(file, 'b');
  expect(statSync(file).uid).toBe(uid);
});

test('a file whose owner cannot be kept is refused', async () => {
  const file = newFile('text');
  // Where others than root run this, nothing can belong to somebody else, and the system's answer stands in.
  const isRoot = process.geteuid?.() === 0;
  const files = watch((name) => {
    if (name === 'fchownSync') throw systemError('EPERM', 1);
  });
  if (isRoot) chownSync(dirname(file), 65534, 65534);
  await withoutPrivileges(async () => {
    await expect(append(file, 'more', isRoot ? undefined : lyingAboutOwner(files))).rejects.toMatchObject({
      code: 'MEMORY_UNWRITABLE',
      message: expect.stringContaining(`Cannot write '${file}': it belongs to user `),
    });
  });
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(namesAt(file)).toEqual(['a.json']);
});

/** Has files look as if they belonged to a different user each. */
function lyingAboutOwner(files: Files): Files {
  let uid = 0n;
  const fstatSync = (...args: Parameters<Files['fstatSync']>) =>
    Object.assign(files.fstatSync(...args), args[1]?.bigint ? { uid: uid++ } : {});
  return { ...files, fstatSync: fstatSync as Files['fstatSync'] };
}

test('a read-only file is refused', async () => {
  const file = newFile('text');
  chmodSync(file, 0o444);
  await expect(append(file, 'more')).rejects.toMatchObject({
    code: 'MEMORY_UNWRITABLE',
    message: `Cannot write '${file}': it is read-only. Make it writable if it's meant to change.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(namesAt(file)).toEqual(['a.json']);
});

test('a link stays a link, and so does one to a file that is not there yet', async () => {
  const root = tempFolder();
  for (const folder of ['real', 'data']) mkdirSync(join(root, folder));
  const [file, link] = [join(root, 'real', 'a.json'), join(root, 'data', 'a.json')];
  symlinkSync('../data/next', join(root, 'real', 'first'));
  symlinkSync('../real/a.json', join(root, 'data', 'next'));
  symlinkSync('../real/first', link);
  expect(await readFile(link)).toBeUndefined();
  await append(link, 'one ');
  await append(link, 'two');
  expect(String(await readFile(link))).toBe('one two');
  expect(readFileSync(file, 'utf8')).toBe('one two');
  expect(lstatSync(file).isFile()).toBe(true);
  expect(readlinkSync(link)).toBe('../real/first');
  expect(namesAt(link)).toEqual(['a.json', 'next']);
  expect(namesAt(file)).toEqual(['a.json', 'first']);
});

test('a link and its file are one', async () => {
  const file = newFile('');
  const link = join(tempFolder(), 'link');
  symlinkSync(file, link);
  utimesSync(file, 1, 1);
  await Promise.all(Array.from({ length: 20 }, (_, index) => append(index % 2 ? file : link, 'x')));
  expect(readFileSync(file, 'utf8')).toBe('x'.repeat(20));
});

test('links in a circle, and one into a folder that is not there, are refused', async () => {
  const root = tempFolder();
  const [one, two, away] = ['one', 'two', 'away'].map((name) => join(root, name)) as [string, string, string];
  symlinkSync(one, two);
  symlinkSync(two, one);
  symlinkSync(join(root, 'nowhere', 'a.json'), away);
  await expect(append(one, 'text')).rejects.toMatchObject({ code: 'MEMORY_UNWRITABLE' });
  await expect(readFile(one)).rejects.toMatchObject({
    code: 'MEMORY_UNREADABLE',
    message: `Cannot read '${one}': too many symbolic links encountered. Mend that, or set PLIMSOLL_DATA_DIR to another folder.`,
  });
  await expect(append(away, 'text')).rejects.toMatchObject({
    code: 'MEMORY_UNWRITABLE',
    message: expect.stringContaining('no such file or directory'),
  });
  expect(readdirSync(root).sort()).toEqual(['away', 'one', 'two']);
});

test('what is no file is refused, and a pipe is not waited for', async () => {
  const folder = tempFolder();
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  for (const path of [folder, pipe]) {
    const reason = 'it is not a file. Put something else in its place.';
    await expect(readFile(path)).rejects.toMatchObject({
      code: 'MEMORY_UNREADABLE',
      message: `Cannot read '${path}': ${reason}`,
    });
    await expect(append(path, 'text')).rejects.toMatchObject({
      code: 'MEMORY_UNWRITABLE',
      message: `Cannot write '${path}': ${reason}`,
    });
  }
  const below = join(newFile('text'), 'below', 'a.json');
  await expect(append(below, 'text')).rejects.toMatchObject({ code: 'MEMORY_UNWRITABLE' });
  await expect(readFile(below)).rejects.toMatchObject({ code: 'MEMORY_UNREADABLE' });
});

test('without permission nothing changes, and the error says so', async () => {
  const file = newFile('text');
  const folder = dirname(file);
  giveAway(folder);
  await withoutPrivileges(async () => {
    chmodSync(folder, 0o500);
    await expect(append(file, 'more')).rejects.toMatchObject({
      code: 'MEMORY_UNWRITABLE',
      message: `Cannot write '${file}': permission denied. Mend that, or set PLIMSOLL_DATA_DIR to another folder.`,
    });
    expect(String(await readFile(file))).toBe('text');
    const below = join(folder, 'below', 'a.json');
    await expect(append(below, 'more')).rejects.toMatchObject({ code: 'MEMORY_UNWRITABLE' });
    chmodSync(folder, 0o700);
    chmodSync(file, 0o200);
    await expect(append(file, 'more')).rejects.toMatchObject({ code: 'MEMORY_UNWRITABLE' });
    await expect(readFile(file)).rejects.toMatchObject({
      code: 'MEMORY_UNREADABLE',
      message: expect.stringContaining('permission denied'),
    });
  });
  chmodSync(file, 0o600);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(namesAt(file)).toEqual(['a.json']);
});

test('a full or a read-only disk is named, and half of a write is removed', async () => {
  const file = newFile('text');
  const failing = [
    ['ENOSPC', 28, 'the disk is full. Make room and try again.'],
    ['EDQUOT', 122, 'the disk quota is used up. Make room and try again.'],
    ['EROFS', 30, 'the disk is read-only. Mend that, or set PLIMSOLL_DATA_DIR to another folder.'],
  ] as const;
  // The first to be written is the lock, later writes are cut short.
  const moments = [
    ['writeSync', 0],
    ['writeSync', 1],
    ['writeSync', 3],
    ['fsyncSync', 0],
    ['renameSync', 0],
  ] as const;
  for (const [code, errno, reason] of failing) {
    for (const [call, nth] of moments) {
      let count = 0;
      const files = watch((name) => {
        if (name === call && count++ >= nth) throw systemError(code, errno);
      });
      await expect(append(file, 'more'.repeat(50), inPieces(files, 50))).rejects.toMatchObject({
        code: 'MEMORY_UNWRITABLE',
        message: `Cannot write '${file}': ${reason}`,
      });
      expect(readFileSync(file, 'utf8')).toBe('text');
      expect(namesAt(file)).toEqual(['a.json']);
    }
  }
});

test('a file that another program holds for a moment is replaced as soon as it lets go', async () => {
  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    const file = newFile('old ');
    let tries = 0;
    const files = watch((name) => {
      if (name === 'renameSync' && ++tries < 3) throw systemError(code, 1);
    });
    expect(await append(file, 'new', files)).toBe('old ');
    expect([tries, readFileSync(file, 'utf8')]).toEqual([3, 'old new']);
    expect(namesAt(file)).toEqual(['a.json']);
  }
});

test('a file that is saved while another program holds it is not replaced by what was made of the older one', async () => {
  const file = newFile('old ');
  let tries = 0;
  const files = watch((name) => {
    if (name !== 'renameSync' || tries++ > 0) return;
    writeFileSync(`${file}~`, 'mine ');
    renameSync(`${file}~`, file);
    throw systemError('EBUSY', 16);
  });
  expect(await append(file, 'new', files)).toBe('mine ');
  expect(readFileSync(file, 'utf8')).toBe('mine new');
});

test('a file that another program does not let go is as it was, and the error says so', async () => {
  hasten(100);
  const file = newFile('old');
  let tries = 0;
  const files = watch((name) => {
    if (name !== 'renameSync') return;
    tries++;
    throw systemError('EBUSY', 16);
  });
  await expect(append(file, 'new', files)).rejects.toMatchObject({
    code: 'MEMORY_UNWRITABLE',
    message: `Cannot write '${file}': it can't be replaced, and is as it was: resource busy or locked. Have the programs that hold it let it go, such as virus scanners and sync clients, and try again.`,
  });
  expect(tries).toBeGreaterThan(1);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(namesAt(file)).toEqual(['a.json']);
});

/** Has files read and written in pieces, except for locks. */
function inPieces(files: Files, length: number): Files {
  const writeSync = (fd: number, bytes: Buffer, start: number, all: number) =>
    files.writeSync(fd, bytes, start, bytes.includes('"nonce"') ? all : Math.min(all, length));
  const readSync = (fd: number, bytes: Buffer, start: number, all: number, position: number) =>
    files.readSync(fd, bytes, start, Math.min(all, length), position);
  return { ...files, writeSync, readSync } as Files;
}

test('what the system reads and writes in pieces is whole', async () => {
  const file = newFile('text');
  const text = '0123456789'.repeat(30);
  const files = inPieces(
    watch(() => {}),
    7,
  );
  await append(file, text, files);
  expect(await append(file, 'end', files)).toBe(`text${text}`);
  expect(readFileSync(file, 'utf8')).toBe(`text${text}end`);
});

test('whichever system call fails, the file holds what it did before or what it should', async () => {
  const cases = [() => newFile('old '), () => join(newFile(), 'new folder', 'a.json')];
  for (const make of cases) {
    const { calls } = await countCalls((files) => append(make(), 'new', files));
    expect(calls).toBeGreaterThan(25);
    for (let index = 0; index < calls; index++) {
      const file = make();
      const old = existsSync(file) ? 'old ' : '';
      const failing = beforeCall(index, () => {
        throw systemError('EIO', 5);
      });
      // That a lock isn't removed is no failure of the change.
      const failure = await append(file, 'new', failing).catch((error) => error);
      if (failure instanceof Error) expect(failure).toMatchObject({ code: 'MEMORY_UNWRITABLE' });
      const now = existsSync(file) ? readFileSync(file, 'utf8') : '';
      expect([old, `${old}new`]).toContain(now);
      await append(file, ' end');
      expect(readFileSync(file, 'utf8')).toBe(`${now} end`);
      expect(namesAt(file)).toEqual(['a.json']);
    }
  }
});

test('after whichever system call a process stops for good, the file holds what it did before or what it should', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const withLeftovers = () => {
    const file = newFile('old ');
    writeFileSync(join(dirname(file), '.a.json.lock'), JSON.stringify({ ...newOwner(), pid }));
    writeFileSync(join(dirname(file), `.a.json.${'f'.repeat(32)}.tmp`), 'o');
    return file;
  };
  const cases = [withLeftovers, () => newFile('old '), () => join(newFile(), 'new folder', 'a.json')];
  const stopAfter = async (make: () => string, index: number) => {
    const file = make();
    const old = existsSync(file) ? 'old ' : '';
    let count = 0;
    const stopping = watch(
      () => {
        if (count > index) throw systemError('EIO', 5);
      },
      () => {
        if (count++ === index) throw systemError('EIO', 5);
      },
    );
    await append(file, 'new', stopping).catch(() => {});
    expect(count).toBe(index + 1);
    const now = existsSync(file) ? readFileSync(file, 'utf8') : '';
    expect([old, `${old}new`]).toContain(now);
    await append(file, ' end');
    expect([index, readFileSync(file, 'utf8')]).toEqual([index, `${now} end`]);
    expect([index, namesAt(file)]).toEqual([index, ['a.json']]);
  };
  const stopAfterEach = async (make: () => string) => {
    const { calls } = await countCalls((files) => append(make(), 'new', files));
    await Promise.all(Array.from({ length: calls }, (_, index) => stopAfter(make, index)));
  };
  await Promise.all(cases.map(stopAfterEach));
});

test('the new file is on the disk before it takes its name, and the name before the answer comes', async () => {
  const file = join(tempFolder(), 'new', 'a.json');
  const opened = new Map<unknown, string>();
  const done: string[] = [];
  const files = watch((name, [subject, target]) => {
    if (name === 'fsyncSync') done.push(`sync ${opened.get(subject)}`);
    if (name === 'renameSync') done.push(`rename to ${target}`);
  });
  const openSync = (path: string, ...rest: [string]) => {
    const fd = files.openSync(path, ...rest);
    opened.set(fd, path.endsWith('.tmp') ? 'temporary' : path);
    return fd;
  };
  await append(file, 'text', { ...files, openSync } as Files);
  const folder = dirname(file);
  expect(done).toEqual([`sync ${dirname(folder)}`, 'sync temporary', `rename to ${file}`, `sync ${folder}`]);
});

test('what others have left half-done is removed, and nothing else', async () => {
  const file = newFile('text');
  const nonce = 'f'.repeat(32);
  const others = [
    '.a.json.tmp',
    '.a.json.fff.tmp',
    `.a.json.${nonce}.tmp~`,
    `.b.json.${nonce}.tmp`,
    'a.json~',
  ];
  for (const name of [`.a.json.${nonce}.tmp`, ...others]) writeFileSync(join(dirname(file), name), '');
  await append(file, 'more');
  expect(namesAt(file)).toEqual([...others, 'a.json'].sort());
});

test('one that was stopped while it wrote, and whose lock was taken over, starts anew', async () => {
  const { renamed } = await countCalls((files) => append(newFile('a'), 'b', files));
  for (const stopped of [renamed, renamed - 2, renamed - 12]) {
    const file = newFile('old ');
    // The other one is a process of the same kind that knows nothing of this one's queue.
    const takeOver = () => {
      for (const name of namesAt(file).filter((name) => name !== 'a.json')) {
        unlinkSync(join(dirname(file), name));
      }
      writeFileSync(`${file}~`, 'other ');
      renameSync(`${file}~`, file);
    };
    await append(file, 'new', beforeCall(stopped, takeOver));
    expect([stopped, readFileSync(file, 'utf8')]).toEqual([stopped, 'other new']);
    expect(namesAt(file)).toEqual(['a.json']);
  }
});

test('one that lost its lock writes nothing, although the file is the same', async () => {
  const file = newFile('old ');
  const lock = join(dirname(file), '.a.json.lock');
  let calls = 0;
  await updateFile(file, (bytes) => {
    if (calls++ === 0) writeFileSync(lock, readFileSync(lock, 'utf8').replace('"nonce":"', '"nonce":"f'));
    return { bytes: Buffer.from(`${bytes}${calls}`), answer: 0 };
  });
  expect(readFileSync(file, 'utf8')).toBe('old 2');
  expect(namesAt(file)).toEqual(['a.json']);
});

test('a folder that is deleted meanwhile is made again', async () => {
  const { calls, renamed } = await countCalls((files) => append(newFile('old '), 'new', files));
  for (let index = 0; index < calls; index++) {
    const file = newFile('old ');
    await append(
      file,
      'new',
      beforeCall(index, () => rmSync(dirname(file), { recursive: true })),
    );
    if (index <= renamed) expect([index, readFileSync(file, 'utf8')]).toEqual([index, 'new']);
  }
});

test('an editor that saves by renaming loses nothing but in one instant', async () => {
  const before = JSON.stringify({ person: 1 });
  const { calls, renamed } = await countCalls((files) => set(newFile(before), 'ours', 2, files));
  const lost: number[] = [];
  for (let index = 0; index < calls; index++) {
    const file = newFile(before);
    const save = () => {
      writeFileSync(`${file}~`, JSON.stringify({ person: 7 }));
      renameSync(`${file}~`, file);
    };
    await set(file, 'ours', 2, beforeCall(index, save));
    const now = read(file) as { person: number };
    if (now.person !== 7) lost.push(index);
    if (index < renamed) expect([index, now]).toEqual([index, { person: 7, ours: 2 }]);
  }
  expect(lost).toEqual([renamed]);
});

test('an editor that saves in place, in two pieces, loses nothing', async () => {
  const before = JSON.stringify({ person: 1 });
  const { calls, renamed } = await countCalls((files) => set(newFile(before), 'ours', 2, files));
  const runs = Array.from({ length: calls }, async (_, index) => {
    const file = newFile(before);
    let saved = Promise.resolve();
    const save = () => {
      const text = JSON.stringify({ person: 7, more: 'x'.repeat(100) });
      const fd = openSync(file, 'w');
      writeSync(fd, text.slice(0, 50));
      saved = new Promise((resolve) =>
        setTimeout(() => {
          writeSync(fd, text.slice(50));
          closeSync(fd);
          resolve();
        }, 50),
      );
    };
    await set(file, 'ours', 2, beforeCall(index, save));
    await saved;
    expect([index, read(file)]).toMatchObject([index, { person: 7, ...(index <= renamed && { ours: 2 }) }]);
    expect(namesAt(file)).toEqual(['a.json']);
  });
  await Promise.all(runs);
});

test('an editor that had opened the file before loses nothing that it writes until the new one is on the disk', async () => {
  const { renamed } = await countCalls((files) => set(newFile('{"person":1}'), 'ours', 2, files));
  // After the renaming the folder is opened, synced and closed.
  for (let index = 0; index <= renamed + 3; index++) {
    const file = newFile('{"person":1}');
    const fd = openSync(file, 'r+');
    await set(
      file,
      'ours',
      2,
      beforeCall(index, () => void writeSync(fd, '{"person":7}')),
    );
    closeSync(fd);
    expect([index, read(file)]).toEqual([index, { person: 7, ours: 2 }]);
  }
});

test('what is being saved into the old file is waited for', async () => {
  const { renamed } = await countCalls((files) => append(newFile('old '), 'new', files));
  const file = newFile('old ');
  let fd = 0;
  const save = () => {
    fd = openSync(file, 'w');
    writeSync(fd, 'mi');
  };
  let looks = 0;
  const isWhole = (bytes: Buffer) => {
    if (fd !== 0 && ++looks === 3) writeSync(fd, 'ne ');
    return String(bytes).endsWith(' ');
  };
  const change = (bytes: Buffer | undefined) => ({ bytes: Buffer.from(`${bytes}new`), answer: 0 });
  await updateFile(file, change, { isWhole, files: beforeCall(renamed, save) });
  closeSync(fd);
  expect(readFileSync(file, 'utf8')).toBe('mine new');
});

test('what is saved into the file that takes the place of the old one, and is replaced in its turn, is there too', async () => {
  const file = newFile('old ');
  const fds = [openSync(file, 'r+')];
  const saves = ['mine ', 'and mine '];
  const files = watch(
    () => {},
    (name, [, to]) => {
      if (name !== 'renameSync' || to !== file) return;
      fds.push(openSync(file, 'r+'));
      const save = saves.shift();
      if (save) writeSync(fds.at(-2) as number, save);
    },
  );
  expect(await append(file, 'new', files)).toBe('and mine ');
  for (const fd of fds) closeSync(fd);
  expect(readFileSync(file, 'utf8')).toBe('and mine new');
});

test('what was saved into the old file is there also where the change cannot be made on it', async () => {
  const { renamed } = await countCalls((files) => append(newFile('old '), 'new', files));
  const file = newFile('old ');
  const fd = openSync(file, 'r+');
  const refusal = new Error('no');
  const change = (bytes: Buffer | undefined) => {
    if (String(bytes) === 'mine') throw refusal;
    return { bytes: Buffer.from(`${bytes}new`), answer: 0 };
  };
  const files = beforeCall(renamed + 1, () => void writeSync(fd, 'mine'));
  await expect(updateFile(file, change, { files })).rejects.toBe(refusal);
  closeSync(fd);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(namesAt(file)).toEqual(['a.json']);
});

test('a change is made anew on what somebody else has saved meanwhile', async () => {
  const file = newFile('old ');
  const seen: string[] = [];
  await updateFile(file, (bytes) => {
    seen.push(`${bytes}`);
    if (seen.length === 1) appendFileSync(file, 'more ');
    return { bytes: Buffer.from(`${bytes}new`), answer: 0 };
  });
  expect(seen).toEqual(['old ', 'old more ']);
  expect(readFileSync(file, 'utf8')).toBe('old more new');
});

test('a file that something changes all the time is given up', async () => {
  const file = newFile('old ');
  const change = (bytes: Buffer | undefined) => {
    appendFileSync(file, '.');
    return { bytes: Buffer.from(`${bytes}new`), answer: 0 };
  };
  const files = { ...watch(() => {}), fsyncSync: () => {} };
  await expect(updateFile(file, change, { files })).rejects.toMatchObject({
    code: 'MEMORY_BUSY',
    message: `Cannot change '${file}': something else changes it all the time. Stop that and try again.`,
  });
  expect(namesAt(file)).toEqual(['a.json']);
});

test('a file that is being saved is waited for', async () => {
  const file = newFile('');
  // Every look at the file has the editor go on.
  const looks = ['{"per', '{"person":'];
  const isWhole = (bytes: Buffer) => {
    writeFileSync(file, looks.shift() ?? '{"person":1}');
    return isJson(bytes);
  };
  setTimeout(() => writeFileSync(file, '{"p'), 20);
  expect(String(await readFile(file, { isWhole }))).toBe('{"person":1}');

  writeFileSync(file, '');
  setTimeout(() => writeFileSync(file, '{"person":1}'), 20);
  await set(file, 'ours', 2);
  expect(read(file)).toEqual({ person: 1, ours: 2 });

  writeFileSync(file, '');
  setTimeout(() => writeFileSync(file, 'text'), 20);
  expect(await append(file, 'more')).toBe('text');
});

test('a file that was damaged before is seen as it is at once', async () => {
  for (const text of ['', '{"per']) {
    const file = newFile(text);
    utimesSync(file, 1, 1);
    let looks = 0;
    const files = watch((name, [path]) => {
      if (name === 'openSync' && path === file) looks++;
    });
    expect(String(await readFile(file, { isWhole: isJson, files }))).toBe(text);
    const answer = (bytes: Buffer | undefined) => ({ answer: String(bytes) });
    expect(await updateFile(file, answer, { isWhole: isJson, files })).toBe(text);
    expect(looks).toBe(2);
  }
});

test('a file that is of the future is not waited for', async () => {
  const file = newFile('{"per');
  const future = Date.now() / 1000 + 3600;
  utimesSync(file, future, future);
  let looks = 0;
  const files = watch((name, [path]) => {
    if (name === 'openSync' && path === file) looks++;
  });
  expect(String(await readFile(file, { isWhole: isJson, files }))).toBe('{"per');
  expect(looks).toBe(1);
});

test('a file that does not become whole is seen as it is after a second', async () => {
  const run = async (get: (file: string, isWhole: () => boolean) => Promise<unknown>) => {
    const file = newFile('{"per');
    let looks = 0;
    const isWhole = () => {
      looks++;
      const now = Date.now() / 1000;
      utimesSync(file, now, now);
      return false;
    };
    expect(String(await get(file, isWhole))).toBe('{"per');
    expect(looks).toBeGreaterThan(10);
    expect(namesAt(file)).toEqual(['a.json']);
  };
  await Promise.all([
    run((file, isWhole) => readFile(file, { isWhole })),
    run((file, isWhole) => updateFile(file, (bytes) => ({ answer: bytes }), { isWhole })),
  ]);
});

test('changes by one process are made in the order of their calls', async () => {
  const file = newFile();
  await Promise.all(Array.from({ length: 30 }, (_, index) => append(file, `${index} `)));
  expect(readFileSync(file, 'utf8').trim().split(' ')).toEqual(
    Array.from({ length: 30 }, (_, index) => `${index}`),
  );
});
