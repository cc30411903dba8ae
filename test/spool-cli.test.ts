import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bound } from '../src/bound/bound.ts';
import { openSpool, Spool } from '../src/spool/spool.ts';
import type { Kept } from '../src/spool/types.ts';

const MAIN = resolve('dist/cli/main.js');

let base: string;
let folder: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-spool-cli-')));
  folder = join(base, 'spool');
  mkdirSync(join(base, 'here'));
});

afterEach(() => rmSync(base, { recursive: true }));

const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PLIMSOLL|GOPHER)_/.test(name)),
);

/** Runs `plimsoll spool` with a spool of the test's own. */
async function plimsollSpool(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, 'spool', ...args], {
    cwd: join(base, 'here'),
    env: { ...env, PLIMSOLL_SPOOL_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [bytes, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout: bytes.toString(), stderr: stderr.toString(), bytes };
}

const PNG = Buffer.from('89504e470d0a1a0a0001ff', 'hex');

/** A result without its parts. */
function envelopeOf(handle: string): object {
  const part = (name: string) => ({ [`plimsoll-part-${handle}`]: name });
  const content = [
    { type: 'text', text: part('1') },
    { type: 'image', data: part('2'), mimeType: 'image/png' },
  ];
  return { content, structuredContent: part('structured') };
}

/** Keeps a result of a text, JSON and a picture, as another process that is gone. */
async function keep(text: string, json: unknown = { rows: [1, 2, 3] }): Promise<Kept> {
  const spool = new Spool({ folder });
  const draft = await spool.begin({ kind: 'tool', server: 'logs', name: 'tail', arguments: '{"lines":9}' });
  const contents = [
    ['1', '/content/0/text', text, { kind: 'text' }],
    ['2', '/content/1/data', PNG.toString('base64'), { kind: 'media', mimeType: 'image/png' }],
    ['structured', '/structuredContent', JSON.stringify(json), { kind: 'json' }],
    ['result', '', JSON.stringify(envelopeOf(draft.handle)), { kind: 'json' }],
  ] as const;
  for (const [name, at, content, as] of contents) {
    const part = draft.part(name, at);
    part.write(Buffer.from(content));
    part.close(as);
  }
  const kept = await draft.publish();
  if ('reason' in kept) throw new Error(kept.reason);
  return kept;
}

describe('plimsoll spool list', () => {
  test('says that there is nothing, and makes nothing', async () => {
    expect(await plimsollSpool('list')).toMatchObject({
      code: 0,
      stdout: 'The spool is empty.\n',
      stderr: '',
    });
    expect(existsSync(folder)).toBe(false);
  });

  test.each([['list'], ['list', '--json'], ['read', 'aaaaaaaaaaaaaaaa'], ['clear']])(
    'is no empty spool if the folder is not there that was given: %s',
    async (...args) => {
      expect(await plimsollSpool(...args, '--spool', '../gone')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `plimsoll: There is no folder '${join(base, 'gone')}'. Without --spool, your own spool is used.\n`,
      });
    },
  );

  test('says why a folder can not be used', async () => {
    writeFileSync(folder, '');
    expect(await plimsollSpool('list')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `plimsoll: Cannot use the spool folder '${folder}': its place is not a folder.\n`,
    });
  });

  test('lists results of all sessions, also for programs', async () => {
    const { handle } = await keep('one\n');
    const other = await keep('two\n');
    const { code, stdout } = await plimsollSpool('list');
    expect(code).toBe(0);
    expect(stdout).toContain(`${handle}  `);
    expect(stdout).toContain(
      'tool tail of logs: 1 (text, 4 B), 2 (image/png, 11 B), structured (json, 16 B), result (json, ',
    );
    expect(stdout).toMatch(/\n2 results, .* of at most 1\.1 GB\n$/);
    const { results } = JSON.parse((await plimsollSpool('list', '--json')).stdout);
    expect(results.map((result: { handle: string }) => result.handle).sort()).toEqual(
      [handle, other.handle].sort(),
    );
  });
});

describe('plimsoll spool read', () => {
  test('prints the whole, and any range', async () => {
    const { handle } = await keep('one\ntwo\nthree\n');
    const read = async (...args: string[]) => (await plimsollSpool('read', handle, ...args)).stdout;
    expect(await read()).toBe('one\ntwo\nthree\n');
    expect(await read('--from', '4')).toBe('two\nthree\n');
    expect(await read('--from', '4', '--count', '5')).toBe('two\nt');
    expect(await read('--lines', '2-3')).toBe('two\nthree\n');
    expect(await read('--lines', '2')).toBe('two\n');
    expect(await read('--lines', '3-')).toBe('three\n');
    expect(await read('--bytes', '4-6')).toBe('two');
    expect(await read('--part', 'structured')).toBe('{"rows":[1,2,3]}');
  });

  test('prints the whole result as JSON, and says where it printed one part of several', async () => {
    const { handle } = await keep('"one"\n', { rows: [1] });
    const first = await plimsollSpool('read', handle);
    expect(first.stdout).toBe('"one"\n');
    expect(first.stderr).toBe(
      'plimsoll: warning: this is part 1 of 1, 2, structured: go on with --part 2; --part result is the whole result, as JSON\n',
    );
    const whole = {
      content: [
        { type: 'text', text: '"one"\n' },
        { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
      ],
      structuredContent: { rows: [1] },
    };
    const { stdout, stderr } = await plimsollSpool('read', handle, '--part', 'result');
    expect(stderr).toBe('');
    expect(stdout).toBe(JSON.stringify(whole));
    expect((await plimsollSpool('read', handle, '--part', 'result', '--from', '9', '--raw')).stdout).toBe(
      stdout.slice(9),
    );
  });

  test('makes visible what acts on a terminal, but not with --raw', async () => {
    const { handle } = await keep('\x1b[2J\u202ecode\r\n');
    expect((await plimsollSpool('read', handle)).stdout).toBe('␛[2J<U+202E>code\r\n');
    expect((await plimsollSpool('read', handle, '--raw')).stdout).toBe('\x1b[2J\u202ecode\r\n');
  });

  test('prints a medium only with --raw, as it is', async () => {
    const { handle } = await keep('text');
    const refused = await plimsollSpool('read', handle, '--part', '2');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^plimsoll: Part 2 is a file and no text: image\/png, 11 bytes\. It is at .*2\.png; --raw alone prints its bytes\.\n$/,
    );
    const raw = await plimsollSpool('read', handle, '--part', '2', '--raw');
    expect(raw.bytes).toEqual(PNG);
  });

  test('prints what is large to the last byte', async () => {
    const text = 'line of text €\n'.repeat(200_000);
    const { handle } = await keep(text);
    expect((await plimsollSpool('read', handle)).stdout).toBe(text);
    expect((await plimsollSpool('read', handle, '--raw', '--from', '1500000')).stdout).toBe(
      text.slice(1_500_000),
    );
  });

  test.each([
    [['aaaaaaaaaaaaaaaa'], 1, "There is no result 'aaaaaaaaaaaaaaaa' in the spool. See plimsoll spool list."],
    [['HANDLE', '--part', '9'], 1, "There is no part '9' of"],
    [['HANDLE', '--from', '99'], 2, 'There is nothing from 99 on: part 1 has 4 characters.'],
    [['HANDLE', '--from', 'x'], 2, "Not a whole number: 'x'."],
    [['HANDLE', '--count', '0'], 2, "Not a count: '0'. Give 1 or more."],
    [['HANDLE', '--lines', '3-1'], 2, "Not a range: '3-1'."],
    [['HANDLE', '--lines', '1-2', '--from', '1'], 2, 'Give one of --from and --count, --lines, --bytes.'],
  ])('%j is refused', async (args, code, message) => {
    const { handle } = await keep('text');
    const { stderr, ...rest } = await plimsollSpool(
      'read',
      ...args.map((arg) => arg.replace('HANDLE', handle)),
    );
    expect(rest).toMatchObject({ code, stdout: '' });
    expect(stderr).toContain(`plimsoll: ${message}`);
  });

  test('ends quietly when its reader goes away', async () => {
    const { handle } = await keep('x\n'.repeat(2_000_000));
    const child = spawn(process.execPath, [MAIN, 'spool', 'read', handle, '--part', '1'], {
      env: { ...env, PLIMSOLL_SPOOL_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    child.stdout.once('data', () => child.stdout.destroy());
    const stderr = await buffer(child.stderr);
    expect((await closed)[0]).toBe(0);
    expect(stderr.toString()).toBe('');
  });
});

describe('plimsoll spool search', () => {
  test('prints matches with their lines and offsets', async () => {
    const { handle } = await keep('one\ntwo\nError: \x1b[31mthree\nfour\n');
    const { code, stdout } = await plimsollSpool('search', handle, 'error', '-i', '-C', '1');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2- two\n3 @8: Error: ␛[31mthree\n4- four\n' });
    expect((await plimsollSpool('search', handle, 'o(ne|ur)', '-E', '-C', '0')).stdout).toBe(
      '1 @0: one\n--\n4 @27: four\n',
    );
    expect((await plimsollSpool('search', handle, 'zzz')).stdout).toBe('No match.\n');
  });

  test('finds more than one answer holds', async () => {
    const { handle } = await keep('match\nother\n\n\n\n\n'.repeat(250));
    const { stdout } = await plimsollSpool('search', handle, 'match', '-C', '0');
    expect(stdout.match(/match/g)).toHaveLength(250);
  });

  test('refuses what is no pattern', async () => {
    const { handle } = await keep('text');
    expect(await plimsollSpool('search', handle, '(?=x)', '-E')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('plimsoll spool select', () => {
  test('prints a value of the JSON', async () => {
    const { handle } = await keep('text');
    expect((await plimsollSpool('select', handle, '.rows[1:]')).stdout).toBe('[\n2,\n3\n]\n');
    const { stdout, stderr } = await plimsollSpool('select', handle, '.rows', '--count', '1');
    expect(stdout).toBe('[\n1\n]\n');
    expect(stderr).toBe('plimsoll: warning: these are items 0 to 0 of 3; go on with --from 1\n');
    expect(await plimsollSpool('select', handle, '.rows', '--count', '0')).toMatchObject({
      code: 2,
      stdout: '',
    });
    expect(await plimsollSpool('select', handle, '.nothing')).toMatchObject({
      code: 2,
      stderr: 'plimsoll: There is no .nothing: . has the keys "rows".\n',
    });
  });

  test('goes on in objects and in strings, and fills in what is kept in parts', async () => {
    const { handle } = await keep('€ne two', { rows: {}, 'a key': 'text' });
    const select = (...args: string[]) => plimsollSpool('select', handle, ...args);
    expect(await select('/structuredContent', '--count', '1')).toMatchObject({
      stdout: '{\n"rows":{}\n}\n',
      stderr: 'plimsoll: warning: these are entries 0 to 0 of 2; go on with --from 1\n',
    });
    expect((await select('/structuredContent', '--from', '1')).stdout).toBe('{\n"a key":"text"\n}\n');
    expect((await select('/structuredContent/a key', '--from', '2')).stdout).toBe('xt\n');
    expect((await select('/content/0/text', '--from', '1')).stdout).toBe('ne two\n');
    expect(JSON.parse((await select('/content', '--from', '0')).stdout)[0]).toEqual({
      type: 'text',
      text: '€ne two',
    });
  });

  test('tells the command for the rest of what is too large', async () => {
    const { handle } = await keep('text', { "it's": `${'x'.repeat(1_100_000)}END` });
    const { stdout, stderr } = await plimsollSpool('select', handle, '/structuredContent');
    expect(stdout.length).toBeLessThan(1_001_000);
    const [, path, from] = / (\S+) --part structured --from (\d+)\n$/.exec(stderr) ?? [];
    expect(path).toBe(`'/it'\\''s'`);
    const rest = await plimsollSpool('select', handle, "/it's", '--part', 'structured', '--from', from ?? '');
    expect(rest.stdout).toHaveLength(1_100_003 - Number(from) + 1);
    expect(rest.stdout).toMatch(/xEND\n$/);
  });
});

describe('plimsoll spool clear', () => {
  test('deletes one result, what is old, or all', async () => {
    const { handle } = await keep('one');
    await keep('two');
    expect((await plimsollSpool('clear', handle)).stdout).toMatch(/^Deleted 1 result, /);
    expect(await plimsollSpool('clear', handle)).toMatchObject({ code: 1, stdout: '' });
    expect((await plimsollSpool('clear', '--older-than', '1h')).stdout).toBe('Nothing is that old.\n');
    expect((await plimsollSpool('clear')).stdout).toMatch(/^Deleted 1 result, /);
    expect((await plimsollSpool('clear')).stdout).toBe('The spool is empty.\n');
    expect((await plimsollSpool('clear', '--older-than', 'x')).code).toBe(2);
  });
});

describe('a spool in a folder of its own', () => {
  const inFolder = () => join(base, "it's $HOME");

  /** Runs what a notice says, as a person pastes it into a shell. */
  async function paste(command: string) {
    const script = `plimsoll() { '${process.execPath}' '${MAIN}' "$@"; }; cd /; ${command}`;
    const child = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
    return { stdout: stdout.toString(), stderr: stderr.toString() };
  }

  test('is named by the commands of a cut text, which work from anywhere', async () => {
    const spool = openSpool({ folder: inFolder() });
    const text = 'some line\n'.repeat(1000);
    const cut = await bound(text, { limit: 3000, spool });
    const [whole = '', rest = ''] = cut.text.match(/plimsoll spool .*?(?= or \/|; the whole)/g) ?? [];
    expect(await paste(whole)).toEqual({ stdout: text, stderr: '' });
    expect(await paste(rest)).toEqual({ stdout: text.slice(cut.facts?.gaps[0]?.from), stderr: '' });
    const json = JSON.stringify({ list: Array.from({ length: 1000 }, (_, id) => ({ id })) });
    const { _plimsoll: notice } = JSON.parse((await bound(json, { limit: 3000, spool })).text);
    const [, select = ''] = /Read on: (plimsoll .*?)\.\]/.exec(notice) ?? [];
    expect((await paste(select)).stdout).toMatch(/\{"id":999\}\n\]\n$/);
  });

  test('is listed, searched and cleared by its folder', async () => {
    const spool = openSpool({ folder: inFolder() });
    const { facts } = await bound('some line\n'.repeat(1000), { limit: 3000, spool });
    const { handle = '' } = facts ?? {};
    const at = ['--spool', "../it's $HOME"];
    expect((await plimsollSpool('list', ...at)).stdout).toContain(handle);
    expect((await plimsollSpool('search', handle, 'some', '-C', '0', ...at)).stdout).toMatch(
      /^1 @0: some line\n/,
    );
    expect((await plimsollSpool('read', 'aaaaaaaaaaaaaaaa', ...at)).stderr).toContain(
      `See plimsoll spool list --spool '${inFolder().replace("'", "'\\''")}'.`,
    );
    expect((await plimsollSpool('clear', handle, ...at)).stdout).toMatch(/^Deleted 1 result, /);
    expect(await plimsollSpool('list', '--spool', '')).toMatchObject({
      code: 2,
      stderr: "plimsoll: Not a folder: ''.\n",
    });
  });
});

test('what is no command is refused', async () => {
  expect(await plimsollSpool()).toMatchObject({ code: 2 });
  expect((await plimsollSpool('show')).stderr).toBe(
    "plimsoll: Unknown command 'show'. Give plimsoll spool list, read, search, select or clear.\n",
  );
});
