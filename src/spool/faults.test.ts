import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { asKept, buildSpool, keepText, newSpool, runScript, startScript } from './spool.testing.ts';
import { openSpool } from './spool.ts';

const built = mkdtempSync(join(tmpdir(), 'plimsoll-spool-'));

/** Shell that puts what follows into a mount namespace of its own. */
const OWN_MOUNTS = 'unshare -rm sh -c';
const canMount =
  spawnSync('sh', ['-c', `${OWN_MOUNTS} 'mount -t tmpfs none /mnt'`], { stdio: 'ignore' }).status === 0;

beforeAll(() => buildSpool(built));

afterAll(() => rmSync(built, { recursive: true }));

test('a process that is killed while it writes leaves nothing that is found, and soon nothing at all', async () => {
  const { folder, spool } = newSpool();
  const script = `
    const spool = openSpool({ folder: args[0] });
    const draft = await spool.begin(ORIGIN);
    const part = draft.part('1', '');
    for (let mb = 1; ; mb++) {
      part.write(Buffer.alloc(1e6, 'x'));
      await draft.drained();
      if (mb === 3) console.log(draft.handle);
    }`;
  const child = startScript(built, script, [folder]);
  const [said] = await once(child.stdout as Readable, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [abandoned = ''] = readdirSync(join(folder, 'tmp'));
  expect(lstatSync(join(folder, 'tmp', abandoned, '1.part')).size).toBeGreaterThan(1_000_000);
  expect(await spool.find(String(said).trim())).toBeUndefined();
  expect(await spool.list('all')).toEqual([]);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

test('a process that exits while it writes leaves nothing behind', async () => {
  const { folder } = newSpool();
  const script = `
    const draft = await openSpool({ folder: args[0] }).begin(ORIGIN);
    draft.part('1', '').write(Buffer.alloc(3e6));
    await draft.drained();
    process.exit(5);`;
  expect(await runScript(built, script, [folder])).toEqual([5, '']);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

test('a file that grows too large for the system is not kept, and all of it goes', async () => {
  const { folder } = newSpool();
  const script = `
    const spool = openSpool({ folder: args[0] });
    console.log(JSON.stringify([await keep(spool, Buffer.alloc(1e6)), Object.keys(await keep(spool, Buffer.alloc(1e3)))]));`;
  // The system refuses files of more than 32 KiB.
  const [, output] = await runScript(built, script, [folder], "trap '' XFSZ; ulimit -f 64");
  expect(JSON.parse(output)).toEqual([{ reason: 'file too large' }, ['handle', 'folder', 'parts']]);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

test('a view that the system has no room for is left out', async () => {
  const { folder } = newSpool();
  const script = `
    const spool = openSpool({ folder: args[0] });
    const { parts, folder } = await keep(spool, Buffer.alloc(32768, 'x'));
    console.log(parts[0].bytes, parts[0].view);`;
  const [, output] = await runScript(built, script, [folder], "trap '' XFSZ; ulimit -f 64");
  expect(output).toBe('32768 undefined\n');
});

test('where no more files can be opened, nothing is kept', async () => {
  const { folder } = newSpool();
  const script = `
    import { openSync } from 'node:fs';
    const spool = openSpool({ folder: args[0] });
    await keep(spool, Buffer.alloc(1));
    try { for (;;) openSync('/dev/null'); } catch {}
    console.log(JSON.stringify(await keep(spool, Buffer.alloc(1e6))));`;
  const [, output] = await runScript(built, script, [folder], 'ulimit -n 64');
  expect(JSON.parse(output)).toEqual({ reason: 'too many open files' });
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

test.runIf(canMount)(
  'on a full disk nothing is kept, what was kept stays, and there is room again',
  async () => {
    const root = tempFolder();
    const script = `
    import { readdirSync } from 'node:fs';
    const spool = openSpool({ folder: args[0] });
    const first = await keep(spool, Buffer.alloc(1e5, 'a'));
    const draft = await spool.begin(ORIGIN);
    const part = draft.part('1', '');
    for (let mb = 0; mb < 8; mb++) {
      part.write(Buffer.alloc(1e6, 'b'));
      await draft.drained();
    }
    part.close({ kind: 'text' });
    const full = await draft.publish();
    const found = await spool.find(first.handle);
    const last = await keep(spool, Buffer.alloc(1e6, 'c'));
    console.log(JSON.stringify([full, 'kept' in found, 'parts' in last, readdirSync(args[0] + '/tmp')]));`;
    const mount = `${OWN_MOUNTS} 'mount -t tmpfs -o size=4m none "$1" && shift && exec "$@"' -- '${root}'`;
    const [, output] = await runScript(built, script, [join(root, 'spool')], inShell(mount));
    expect(JSON.parse(output)).toEqual([{ reason: 'the disk is full' }, true, true, []]);
  },
);

test.runIf(canMount)('on a read-only disk nothing is kept, and what was is found', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'disk'));
  const { handle } = asKept(await keepText(openSpool({ folder: join(root, 'disk', 'spool') }), 'text'));
  const script = `
    const spool = openSpool({ folder: args[0] });
    await spool.sweep();
    const found = await spool.find(args[1]);
    console.log(JSON.stringify([await keep(spool, Buffer.alloc(1e6)), 'kept' in found, (await spool.list('all')).length]));`;
  const mount = `${OWN_MOUNTS} 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"' -- '${root}'`;
  const [, output] = await runScript(built, script, [join(root, 'disk', 'spool'), handle], inShell(mount));
  expect(JSON.parse(output)).toEqual([{ reason: 'the disk is read-only' }, true, 1]);
});

/** Has what is started run by a command in place of the shell. */
function inShell(command: string): string {
  return `exec ${command} "$0" "$@"`;
}

test('whatever the umask, the user may read and nobody else', async () => {
  for (const umask of ['000', '777']) {
    const folder = join(tempFolder(), 'data', 'spool');
    const script = `
      const { parts } = await keep(openSpool({ folder: args[0] }), Buffer.alloc(3000, 'x'));
      console.log(parts.length);`;
    expect(await runScript(built, script, [folder], `umask ${umask}`)).toEqual([0, '1\n']);
    const top = dirname(folder);
    for (const path of ['.', ...readdirSync(top, { recursive: true, encoding: 'utf8' })]) {
      const stats = lstatSync(join(top, path));
      expect([path, stats.mode & 0o7777]).toEqual([path, stats.isDirectory() ? 0o700 : 0o600]);
    }
  }
});

test('several processes keep, read, expire and sweep in one spool at once, and nothing breaks', async () => {
  const { folder, spool } = newSpool();
  const script = `
    let offset = 0;
    const options = { folder: args[0], maxBytes: 60_000, maxAge: 50, now: () => Date.now() + offset };
    const spools = [openSpool(options), openSpool(options)];
    let kept = 0;
    for (let turn = 0; turn < 40; turn++) {
      for (const spool of spools) {
        const result = await keep(spool, Buffer.alloc(5000, 'x'));
        if ('reason' in result) throw new Error(result.reason);
        kept += 1;
        const found = await spool.find(result.handle);
        if (!found) throw new Error('neither found nor expired');
        for (const { kept } of await spool.list('all')) await spool.find(kept.handle);
        if (turn % 5 === 4) await spool.clear({ handle: result.handle });
      }
      offset += 11;
    }
    console.log(kept);`;
  const runs = await Promise.all([1, 2, 3].map(() => runScript(built, script, [folder])));
  expect(runs).toEqual(runs.map(() => [0, '80\n']));
  await spool.clear();
  expect(readdirSync(folder).sort()).toEqual(['expired', 'tmp']);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});
