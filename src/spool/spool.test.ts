import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { giveAway, tempFolder, withoutPrivileges } from '../digest/source/fixture.ts';
import { newName } from './names.ts';
import { asKept, keepText, newSpool, ORIGIN, partOf, readText } from './spool.testing.ts';
import { openSpool, type Spool } from './spool.ts';
import type { Found, Kept } from './types.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = 1_700_000_000_000;

const NAME = /^[a-z2-7]{16}$/;

/** A spool whose clock stands until it is set. */
function newTimedSpool(options: { maxAge?: number; maxBytes?: number } = {}) {
  const clock = { now: START };
  return { clock, ...newSpool({ ...options, now: () => clock.now }) };
}

function isKept(found: Found | undefined): boolean {
  return found !== undefined && 'kept' in found;
}

/** The names in a folder but for the spool's own. */
function sessionsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => NAME.test(name));
}

describe('what is kept', () => {
  test('is found by its handle, in a folder of its own', async () => {
    const { folder, spool, clock } = newTimedSpool();
    const draft = await spool.begin(ORIGIN);
    for (const [name, at] of [
      ['1', '/content/0/text'],
      ['result', ''],
    ] as const) {
      const part = draft.part(name, at);
      part.write(Buffer.from('one\ntw'));
      part.write(Buffer.from('ö'));
      part.close({ kind: 'text' });
    }
    const kept = asKept(await draft.publish());
    expect(kept.handle).toBe(draft.handle);
    expect(kept.handle).toMatch(NAME);
    expect(spool.session).toMatch(NAME);
    expect(kept.folder).toBe(join(folder, spool.session, kept.handle));
    expect(readdirSync(kept.folder).sort()).toEqual(['1.txt', 'manifest.json', 'result.txt']);
    expect(kept.parts).toEqual([
      {
        name: '1',
        at: '/content/0/text',
        kind: 'text',
        path: join(kept.folder, '1.txt'),
        bytes: 8,
        chars: 7,
        lines: 2,
        sha256: createHash('sha256').update('one\ntwö').digest('hex'),
        ascii: false,
        wtf8: false,
        checkpoints: [],
      },
      expect.objectContaining({ name: 'result', at: '', path: join(kept.folder, 'result.txt') }),
    ]);
    expect(readText(kept.parts[0]?.path)).toBe('one\ntwö');
    const found = { kept, origin: ORIGIN, at: clock.now };
    expect(await spool.find(kept.handle)).toEqual(found);
    expect(await openSpool({ folder, now: () => clock.now }).find(kept.handle)).toEqual(found);
  });

  test('is for the user alone', async () => {
    const { folder, spool } = newSpool();
    await keepText(spool, 'x'.repeat(3000));
    const draft = await spool.begin(ORIGIN);
    draft.part('1', '').write(Buffer.alloc(2_000_000));
    await draft.drained();
    for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      const stats = lstatSync(join(folder, path));
      expect([path, stats.mode & 0o7777]).toEqual([path, stats.isDirectory() ? 0o700 : 0o600]);
    }
    await draft.discard();
  });

  test('appears at once, when all of it is written', async () => {
    const { folder, spool } = newSpool();
    const draft = await spool.begin(ORIGIN);
    const part = draft.part('1', '');
    part.write(Buffer.alloc(3_000_000, 'a'));
    await draft.drained();
    part.close({ kind: 'text' });
    expect(await spool.find(draft.handle)).toBeUndefined();
    expect(sessionsIn(folder)).toEqual([]);
    const kept = await draft.publish();
    expect(partOf(kept).bytes).toBe(3_000_000);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(await draft.publish()).toBe(kept);
  });

  test('is what was written before its part was closed', async () => {
    const { spool } = newSpool();
    const draft = await spool.begin(ORIGIN);
    const [closed, dropped, open] = ['1', '2', '3'].map((name) => draft.part(name, ''));
    for (const part of [closed, dropped, open]) part?.write(Buffer.from('a'));
    closed?.close({ kind: 'text' });
    closed?.close({ kind: 'json' });
    dropped?.drop();
    for (const part of [closed, dropped, open]) part?.write(Buffer.from('b'));
    const kept = asKept(await draft.publish());
    expect(kept.parts.map(({ name }) => name)).toEqual(['1']);
    expect(readdirSync(kept.folder).sort()).toEqual(['1.txt', 'manifest.json']);
    expect(readText(partOf(kept).path)).toBe('a');
  });

  test('may come in any pieces', async () => {
    const { spool } = newSpool();
    const draft = await spool.begin(ORIGIN);
    const part = draft.part('1', '');
    const pieces = [1, 7_000, 9_000, 2, 700_000, 8_191, 8_192, 60_000, 3];
    const expected = pieces.map((length, index) => Buffer.alloc(length, `${index}`));
    for (const piece of expected) part.write(piece);
    for (let at = 0; at < 100_000; at++) part.write(Buffer.from('x'));
    part.close({ kind: 'text' });
    const { path, sha256 } = partOf(await draft.publish());
    const whole = Buffer.concat([...expected, Buffer.alloc(100_000, 'x')]);
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(sha256).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  test('can be empty', async () => {
    const { spool } = newSpool();
    expect(partOf(await keepText(spool, ''))).toMatchObject({ bytes: 0, chars: 0, lines: 0 });
    expect(asKept(await (await spool.begin(ORIGIN)).publish()).parts).toEqual([]);
  });

  test('has a view where lines are long, and none where they are not', async () => {
    const { spool } = newSpool();
    const short = await keepText(spool, 'x'.repeat(2000));
    expect(partOf(short)).not.toHaveProperty('view');
    const kept = asKept(await keepText(spool, 'x'.repeat(2001)));
    expect(partOf(kept)).toMatchObject({
      view: join(kept.folder, '1.view.txt'),
      map: join(kept.folder, '1.map.tsv'),
    });
    expect(readText(partOf(kept).view)).toBe(`${'x'.repeat(1000)}\n${'x'.repeat(1000)}\nx`);
    expect(readText(partOf(kept).map)).toBe('line\tbyte\n1\t0\n2\t1000\n3\t2000\n');
    const json = JSON.stringify({ a: Array.from({ length: 1000 }, (_, index) => index) });
    const { path, view } = partOf(await keepText(spool, json, { kind: 'json' }));
    expect(path).toMatch(/1\.json$/);
    expect(readText(view)).toBe(JSON.stringify(JSON.parse(json), null, 2));
  });

  test('has media as the files they are', async () => {
    const { spool } = newSpool();
    const bytes = Buffer.from(Array.from({ length: 1001 }, (_, index) => index % 256));
    const image = { kind: 'media', mimeType: 'image/png' } as const;
    const kept = asKept(await keepText(spool, bytes.toString('base64'), image));
    expect(readdirSync(kept.folder).sort()).toEqual(['1.png', 'manifest.json']);
    expect(readFileSync(partOf(kept).path).equals(bytes)).toBe(true);
    expect(partOf(kept)).toMatchObject({
      kind: 'media',
      mimeType: 'image/png',
      bytes: 1001,
      chars: 0,
      lines: 0,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const odd = partOf(await keepText(spool, `${bytes.toString('base64')}\n`, image));
    expect(readText(odd.encoded)).toBe(`${bytes.toString('base64')}\n`);
    expect(readFileSync(odd.path).equals(bytes)).toBe(true);
  });

  test('has nothing twice: a part may be what another says', async () => {
    const { spool } = newSpool();
    const draft = await spool.begin(ORIGIN);
    for (const name of ['1', 'structured']) {
      const part = draft.part(name, `/${name}`);
      part.write(Buffer.from('{"a": 1}'));
      part.close({ kind: 'text' });
    }
    draft.alias('structured', { of: '1', kind: 'json' });
    const kept = asKept(await draft.publish());
    expect(readdirSync(kept.folder).sort()).toEqual(['1.txt', 'manifest.json']);
    const { path, bytes } = partOf(kept);
    expect(partOf(kept, 'structured')).toMatchObject({
      at: '/structured',
      kind: 'json',
      of: '1',
      path,
      bytes,
    });
  });

  test('remembers no endless arguments', async () => {
    const { spool } = newSpool();
    const draft = await spool.begin({ ...ORIGIN, arguments: `{"a":"${'😀'.repeat(2000)}` });
    const { handle } = asKept(await draft.publish());
    const found = await spool.find(handle);
    const args = found && 'kept' in found ? found.origin.arguments : undefined;
    expect(args).toHaveLength(2048);
    expect(args?.isWellFormed()).toBe(true);
  });

  test('is listed, newest first', async () => {
    const { folder, spool, clock } = newTimedSpool();
    const other = openSpool({ folder, now: () => clock.now });
    const kept: Kept[] = [];
    for (const of of [spool, other, spool]) {
      clock.now += MINUTE;
      kept.push(asKept(await keepText(of, 'text')));
    }
    const [first, second, third] = kept;
    const listed = await spool.list('session');
    expect(listed.map((each) => each.kept)).toEqual([third, first]);
    expect((await spool.list('all')).map((each) => each.kept)).toEqual([third, second, first]);
    const bytes = readdirSync(first?.folder as string)
      .map((name) => lstatSync(join(first?.folder as string, name)).size)
      .reduce((sum, size) => sum + size);
    expect(listed[1]).toEqual({ kept: first, origin: ORIGIN, at: START + MINUTE, bytes });
  });
});

test('a part has a name that can stand in a path, once', async () => {
  const draft = await newSpool().spool.begin(ORIGIN);
  for (const name of ['', '../x', 'a/b', 'A', '.', 'a'.repeat(33)]) {
    expect(() => draft.part(name, '')).toThrow(RangeError);
  }
  draft.part('1', '');
  expect(() => draft.part('1', '')).toThrow(RangeError);
});

test('nothing is made before something is kept', async () => {
  const { folder, spool } = newSpool();
  const draft = await spool.begin(ORIGIN);
  expect(await spool.find('a'.repeat(16))).toBeUndefined();
  expect(await spool.list('all')).toEqual([]);
  expect(await spool.clear()).toEqual({ results: 0, bytes: 0 });
  await spool.sweep();
  await draft.discard();
  expect(existsSync(folder)).toBe(false);
});

test('what is given up leaves nothing behind', async () => {
  const { folder, spool } = newSpool();
  const [one, two] = [await spool.begin(ORIGIN), await spool.begin(ORIGIN)];
  for (const draft of [one, two]) {
    draft.part('1', '').write(Buffer.alloc(3_000_000));
    await draft.drained();
  }
  await one.discard();
  expect(readdirSync(join(folder, 'tmp'))).toHaveLength(1);
  await two.discard();
  expect(readdirSync(folder)).toEqual(['tmp']);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  expect(await two.publish()).toEqual({ reason: 'it was given up' });
});

test.each(['', '.', '..', '../x', '/etc/passwd', 'tmp', 'expired', 'A'.repeat(16), 'a'.repeat(15), '\0'])(
  'there is nothing by the handle %j',
  async (handle) => {
    const { spool } = newSpool();
    await keepText(spool, 'text');
    expect(await spool.find(handle)).toBeUndefined();
  },
);

test('what another session keeps is not found in this one, nor what has expired of it', async () => {
  const { folder, spool, clock } = newTimedSpool();
  const other = openSpool({ folder, now: () => clock.now });
  const [own, others] = [asKept(await keepText(spool, 'own')), asKept(await keepText(other, 'other'))];
  expect(isKept(await spool.find(own.handle, 'session'))).toBe(true);
  expect(await spool.find(others.handle, 'session')).toBeUndefined();
  clock.now += 8 * DAY;
  await other.sweep();
  expect(await spool.find(own.handle, 'session')).toEqual({ expired: ORIGIN, at: START });
  expect(await spool.find(others.handle, 'session')).toBeUndefined();
  expect(await spool.find(others.handle)).toEqual({ expired: ORIGIN, at: START });
});

describe('what is old', () => {
  test('has expired a while after it was last read, and says what it was', async () => {
    const { folder, spool, clock } = newTimedSpool();
    const { handle } = asKept(await keepText(spool, 'text'));
    clock.now += 6 * DAY;
    expect(isKept(await spool.find(handle))).toBe(true);
    clock.now += 7 * DAY;
    expect(isKept(await spool.find(handle))).toBe(true);
    clock.now += 7 * DAY + 1;
    const expired = { expired: ORIGIN, at: START };
    expect(await spool.find(handle)).toEqual(expired);
    expect(await spool.find(handle)).toEqual(expired);
    expect(await openSpool({ folder, now: () => clock.now }).find(handle)).toEqual(expired);
    expect(sessionsIn(folder)).toEqual([]);
    expect(await spool.list('all')).toEqual([]);
  });

  test('has expired for whoever asks, though nobody swept', async () => {
    const { folder, spool, clock } = newTimedSpool({ maxAge: 1000 });
    const { handle } = asKept(await keepText(spool, 'text'));
    await spool.sweep();
    clock.now += 1001;
    expect(await spool.find(handle)).toEqual({ expired: ORIGIN, at: START });
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  test('is swept at the start, of other sessions too', async () => {
    const { folder, spool, clock } = newTimedSpool();
    const { handle } = asKept(await keepText(spool, 'text'));
    clock.now += 8 * DAY;
    await openSpool({ folder, now: () => clock.now }).sweep();
    expect(readdirSync(folder).sort()).toEqual(['expired', 'tmp']);
    expect(readdirSync(join(folder, 'expired'))).toEqual([`${handle}.json`]);
    expect(readText(join(folder, 'expired', `${handle}.json`))).not.toContain('parts":[{');
  });

  test('is forgotten after 30 days', async () => {
    const { spool, clock } = newTimedSpool();
    const { handle } = asKept(await keepText(spool, 'text'));
    clock.now += 8 * DAY;
    await spool.sweep();
    clock.now += 30 * DAY;
    expect(await spool.find(handle)).toEqual({ expired: ORIGIN, at: START });
    clock.now += MINUTE;
    expect(await spool.find(handle)).toBeUndefined();
  });

  test('is forgotten when more than 1,000 others have expired since', async () => {
    const { folder, spool, clock } = newTimedSpool();
    const { handle } = asKept(await keepText(spool, 'text'));
    clock.now += 8 * DAY;
    await spool.sweep();
    clock.now += MINUTE;
    const remember = (count: number) => {
      const later = clock.now / 1000;
      for (let index = 0; index < count; index++) {
        const file = join(folder, 'expired', `${newName()}.json`);
        writeFileSync(file, JSON.stringify({ version: 1, at: 0, origin: ORIGIN, parts: [] }));
        utimesSync(file, later, later);
      }
    };
    remember(999);
    await spool.sweep();
    expect(await spool.find(handle)).toEqual({ expired: ORIGIN, at: START });
    remember(1);
    await spool.sweep();
    expect(await spool.find(handle)).toBeUndefined();
    expect(readdirSync(join(folder, 'expired'))).toHaveLength(1000);
  });

  test('is not what comes from the future: the clock was set back', async () => {
    const { spool, clock } = newTimedSpool({ maxBytes: 2500 });
    const future = asKept(await keepText(spool, 'x'.repeat(900)));
    clock.now -= 400 * DAY;
    await spool.sweep();
    expect(await spool.list('all')).toHaveLength(1);
    const now = asKept(await keepText(spool, 'y'.repeat(900)));
    expect(await spool.list('all')).toHaveLength(2);
    expect(isKept(await spool.find(now.handle))).toBe(true);
    expect(isKept(await spool.find(future.handle))).toBe(true);
  });
});

describe('what is too much', () => {
  const KILOBYTE = 'x'.repeat(1000);

  test('goes, what was not read for the longest time first', async () => {
    const { spool, clock } = newTimedSpool({ maxBytes: 5000 });
    const handles: string[] = [];
    for (let index = 0; index < 3; index++) {
      clock.now += MINUTE;
      handles.push(asKept(await keepText(spool, KILOBYTE)).handle);
    }
    const [first = '', second = ''] = handles;
    expect(isKept(await spool.find(first))).toBe(true);
    clock.now += MINUTE;
    handles.push(asKept(await keepText(spool, KILOBYTE)).handle);
    expect(await spool.find(second)).toEqual({ expired: ORIGIN, at: START + 2 * MINUTE });
    const kept = (await spool.list('all')).map((each) => each.kept.handle);
    expect(kept.sort()).toEqual(handles.filter((handle) => handle !== second).sort());
  });

  test('goes before more is kept, whoever kept it', async () => {
    const { folder, spool, clock } = newTimedSpool({ maxBytes: 5000 });
    const others = [1, 2, 3].map(() => openSpool({ folder, maxBytes: 5000, now: () => clock.now }));
    for (const other of [spool, ...others]) {
      clock.now += MINUTE;
      asKept(await keepText(other, KILOBYTE));
      const bytes = (await spool.list('all')).reduce((sum, each) => sum + each.bytes, 0);
      expect(bytes).toBeLessThanOrEqual(5000);
    }
    expect(await spool.list('all')).toHaveLength(3);
  });

  test('is not kept if it is alone', async () => {
    const { folder, spool } = newTimedSpool({ maxBytes: 5000 });
    const { handle } = asKept(await keepText(spool, KILOBYTE));
    const reason = 'it is larger than the spool may be';
    expect(await keepText(spool, KILOBYTE.repeat(5))).toEqual({ reason });
    expect(await keepText(spool, KILOBYTE.repeat(5).slice(0, 4990))).toEqual({ reason });
    expect(isKept(await spool.find(handle))).toBe(true);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  test('is not what was dropped', async () => {
    const { spool } = newSpool({ maxBytes: 5000 });
    const draft = await spool.begin(ORIGIN);
    for (const name of ['1', '2']) {
      const part = draft.part(name, '');
      part.write(Buffer.from(KILOBYTE.repeat(3)));
      if (name === '1') part.drop();
      else part.close({ kind: 'text' });
    }
    expect(partOf(await draft.publish(), '2').bytes).toBe(3000);
  });

  test('is no view: it is left out', async () => {
    const { spool } = newSpool({ maxBytes: 5000 });
    expect(partOf(await keepText(spool, KILOBYTE.repeat(3)))).not.toHaveProperty('view');
  });
});

describe('clearing deletes', () => {
  async function three(): Promise<{
    spool: Spool;
    folder: string;
    clock: { now: number };
    handles: string[];
  }> {
    const { folder, spool, clock } = newTimedSpool();
    const handles: string[] = [];
    for (let index = 0; index < 3; index++) {
      const session = openSpool({ folder, now: () => clock.now });
      handles.push(asKept(await keepText(session, 'text')).handle);
      clock.now += DAY;
    }
    return { folder, spool, clock, handles };
  }

  async function handlesIn(spool: Spool): Promise<string[]> {
    return (await spool.list('all')).map((each) => each.kept.handle);
  }

  test('everything, and what is remembered', async () => {
    const { folder, spool, clock, handles } = await three();
    clock.now += 6 * DAY;
    expect(await handlesIn(spool)).toHaveLength(1);
    const { results, bytes } = await spool.clear();
    expect([results, bytes > 0]).toEqual([1, true]);
    for (const handle of handles) expect(await spool.find(handle)).toBeUndefined();
    expect(readdirSync(join(folder, 'expired'))).toEqual([]);
  });

  test('one', async () => {
    const { spool, handles } = await three();
    expect((await spool.clear({ handle: handles[1] })).results).toBe(1);
    expect(await handlesIn(spool)).toEqual([handles[2], handles[0]]);
    expect(await spool.find(handles[1] as string)).toBeUndefined();
    expect((await spool.clear({ handle: 'none' })).results).toBe(0);
  });

  test('what is older than so much', async () => {
    const { spool, handles } = await three();
    expect((await spool.clear({ olderThan: 2 * DAY })).results).toBe(1);
    expect(await handlesIn(spool)).toEqual([handles[2], handles[1]]);
  });

  test('nothing where it may not', async () => {
    const { folder, spool } = newSpool();
    writeFileSync(folder, '');
    await expect(spool.clear()).rejects.toMatchObject({
      code: 'SPOOL_UNWRITABLE',
      message: `Cannot use the spool folder '${folder}': its place is not a folder. Set PLIMSOLL_SPOOL_DIR.`,
    });
  });
});

describe('nothing is kept, and the reason is told,', () => {
  async function expectRefusal(spool: Spool, reason: string): Promise<void> {
    const listeners = process.listenerCount('exit');
    expect(await keepText(spool, 'x'.repeat(3_000_000))).toEqual({ reason });
    expect(process.listenerCount('exit')).toBe(listeners);
    expect(await spool.find('a'.repeat(16))).toBeUndefined();
    expect(await spool.list('all')).toEqual([]);
    await spool.sweep();
  }

  test('where a file is', async () => {
    const { folder, spool } = newSpool();
    writeFileSync(folder, 'text');
    await expectRefusal(spool, 'its place is not a folder');
    expect(readFileSync(folder, 'utf8')).toBe('text');
    await expectRefusal(openSpool({ folder: join(folder, 'below') }), 'not a directory');
  });

  test('where nothing can be made', async () => {
    await expectRefusal(openSpool({ folder: '/proc/nope/spool' }), 'no such file or directory');
  });

  test('where nothing may be written', async () => {
    const root = tempFolder();
    const spool = openSpool({ folder: join(root, 'spool') });
    giveAway(root);
    chmodSync(root, 0o500);
    await withoutPrivileges(() => expectRefusal(spool, 'permission denied'));
    chmodSync(root, 0o700);
  });

  test('where the folder, its scratch or the session belongs to somebody else', async () => {
    if (process.geteuid?.() !== 0) {
      await expectRefusal(openSpool({ folder: '/' }), 'its folder belongs to another user');
      return;
    }
    const { folder, spool } = newSpool();
    mkdirSync(join(folder, spool.session), { recursive: true });
    mkdirSync(join(folder, 'tmp'));
    for (const theirs of [join(folder, spool.session), join(folder, 'tmp'), folder]) {
      giveAway(theirs);
      await expectRefusal(spool, 'its folder belongs to another user');
    }
  });

  test.each(['tmp', 'session'])('where the %s is a link', async (which) => {
    const { folder, spool } = newSpool();
    const outside = tempFolder();
    mkdirSync(folder);
    symlinkSync(outside, join(folder, which === 'tmp' ? 'tmp' : spool.session));
    await expectRefusal(spool, 'its place is not a folder');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('where the folder is a link that somebody else made', async () => {
    if (process.geteuid?.() !== 0) return;
    const { folder, spool } = newSpool();
    symlinkSync(tempFolder(), folder);
    expect('reason' in (await keepText(spool, 'text'))).toBe(false);
    lchownSync(folder, 65534, 65534);
    await expectRefusal(spool, 'its folder belongs to another user');
  });

  test('where its folder goes while it is written', async () => {
    const { folder, spool } = newSpool();
    const draft = await spool.begin(ORIGIN);
    const part = draft.part('1', '');
    part.write(Buffer.alloc(2_000_000));
    await draft.drained();
    rmSync(join(folder, 'tmp'), { recursive: true });
    part.write(Buffer.alloc(2_000_000));
    part.close({ kind: 'text' });
    expect(await draft.publish()).toEqual({ reason: 'no such file or directory' });
    expect('reason' in (await keepText(spool, 'text'))).toBe(false);
  });
});

describe('what is damaged is passed over:', () => {
  test.each([
    ['no JSON', '{'],
    ['another version', '{"version":2,"at":0,"origin":{},"parts":[]}'],
    ['no manifest', '[null]'],
    ['a way out', '{"version":1,"at":0,"origin":{},"parts":[{"name":"1","path":"../../x"}]}'],
  ])('%s', async (_, text) => {
    const { spool } = newSpool();
    const { handle, folder } = asKept(await keepText(spool, 'text'));
    writeFileSync(join(folder, 'manifest.json'), text);
    expect(await spool.find(handle)).toBeUndefined();
    expect(await spool.list('all')).toEqual([]);
  });

  test('a session that is a link', async () => {
    const { spool } = newSpool();
    const { handle, folder } = asKept(await keepText(spool, 'text'));
    const outside = join(tempFolder(), 'session');
    renameSync(dirname(folder), outside);
    symlinkSync(outside, dirname(folder));
    expect(await spool.find(handle)).toBeUndefined();
    expect(await spool.clear()).toEqual({ results: 0, bytes: 0 });
    expect(existsSync(join(outside, handle))).toBe(true);
  });

  test("folders that are not the spool's", async () => {
    const { folder, spool } = newSpool({ maxAge: 1 });
    mkdirSync(join(folder, 'documents2345677', 'photographs23456'), { recursive: true });
    writeFileSync(join(folder, 'documents2345677', 'photographs23456', 'a.jpg'), '');
    await spool.sweep();
    await spool.clear();
    expect(existsSync(join(folder, 'documents2345677', 'photographs23456', 'a.jpg'))).toBe(true);
  });
});
