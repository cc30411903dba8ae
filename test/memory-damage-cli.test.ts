import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MAIN = resolve('dist/cli/main.js');

let base: string;
let data: string;
let here: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-damage-cli-')));
  data = join(base, 'data');
  here = join(base, 'here');
  mkdirSync(here);
  mkdirSync(data);
});

afterEach(() => rmSync(base, { recursive: true }));

async function memoryIn(variables: NodeJS.ProcessEnv, ...args: string[]) {
  const env = Object.entries(process.env).filter(([name]) => !/^(PLIMSOLL|GOPHER)_/.test(name));
  const child = spawn(process.execPath, [MAIN, 'memory', ...args], {
    cwd: here,
    env: { ...Object.fromEntries(env), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** Runs `plimsoll memory` with a data folder of the test's own. */
function memory(...args: string[]) {
  return memoryIn({ PLIMSOLL_DATA_DIR: data }, ...args);
}

async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await memory(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

function write(name: string, content: string | Buffer): string {
  const path = join(data, name);
  writeFileSync(path, content);
  const old = new Date(Date.now() - 60_000);
  utimesSync(path, old, old);
  return path;
}

test('a damaged file is shown with what is left out of it and what is guessed', async () => {
  const bytes = Buffer.from('{\n  "a": 1, # one\n  "b": ,\n  "c": +3,\n  "é": "?"\n}\n');
  bytes[bytes.indexOf('?')] = 0xff;
  const file = write('context.json', bytes);
  expect(await printed('repair')).toBe(
    [
      `${file} is damaged at line 5, column 9: this is not UTF-8.`,
      '',
      'plimsoll memory repair --apply mended',
      '  everything that can be made out: 3 keys',
      '  left out:',
      '    line 2, column 11: a comment: # one',
      '    line 3, column 8: b has no value',
      '  guessed:',
      '    line 4, column 8: c is taken to be 3',
      '  replaced by \ufffd:',
      '    line 5, column 9: the byte 0xff is no UTF-8',
      'No state from before the damage is known.',
      '',
      'This keeps the damaged file beside it. You can also mend it in an editor.',
      '',
    ].join('\n'),
  );
});

test('a file that is gone is told of, and comes back', async () => {
  await printed('set', 'a', 'one');
  rmSync(join(data, 'context.json'));
  expect(await memory('get', 'a')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/context\.json is gone: plimsoll memory repair shows how.*\n.*no key a/),
  });
  expect(await printed('repair')).toMatch(
    /context\.json is gone\.\n\nplimsoll memory repair --apply last-good\n {2}as it was when it was last read: 1 key\n/,
  );
  expect(await printed('repair', '--apply', 'last-good')).toMatch(
    /context\.json is there again, with 1 key\. Change 2: plimsoll memory undo 2 takes it back\.\n$/,
  );
  expect(await printed('get', 'a')).toBe('one\n');
});

test('a file that is sound is not repaired', async () => {
  await printed('set', 'a', 'one');
  expect(await printed('repair')).toBe('Nothing is damaged.\n');
  expect(await memory('repair', '--apply', 'mended')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/context\.json is not damaged\.\n$/),
  });
});

test('facts that were lost are not told of any more once they were imported', async () => {
  await printed('set', 'a', 'one');
  await printed('set', 'b.c', 'two');
  rmSync(join(data, 'context.json'));
  expect(await memory('set', 'd', 'three')).toMatchObject({ code: 0 });
  const [name = ''] = readdirSync(data).filter((one) => one.startsWith('context.lost-'));
  expect(await printed('repair')).toContain(name);
  await printed('import', join(data, name), '--apply');
  expect(await printed('repair')).toBe('Nothing is damaged.\n');
});

test('a repair that sets no key promises no undo', async () => {
  await printed('set', 'a', 'one');
  await printed('delete', 'a');
  rmSync(join(data, 'context.json'));
  expect(await printed('repair', '--apply', 'last-good')).toMatch(
    /context\.json is there again, with 0 keys\. This is change 3\.\n$/,
  );
});

describe('the diary', () => {
  test('takes no options for printing where an entry is added', async () => {
    for (const options of [['--last', '5'], ['--json']]) {
      expect(await memory('diary', 'add', 'x', ...options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${options[0]} is for printing entries`),
      });
    }
    expect(readdirSync(data)).toEqual([]);
  });

  test('in UTF-16 is named, and left as it is', async () => {
    const bytes = Buffer.from('\ufeff## 2026-01-01 00:00:00\n\nold\n', 'utf16le');
    const file = write('diary.md', bytes);
    for (const args of [['diary'], ['diary', 'add', 'new']]) {
      expect(await memory(...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${file} is in UTF-16; it must be in UTF-8`),
      });
    }
    expect(readFileSync(file)).toEqual(bytes);
  });
});

test.each([
  ['context.json', ['get', 'a'], 'Cannot read'],
  ['context.json', ['set', 'a', '1'], 'Cannot write'],
  ['context.json', ['repair'], 'Cannot read'],
  ['diary.md', ['diary'], 'Cannot read'],
  ['diary.md', ['diary', 'add', 'x'], 'Cannot write'],
])('a folder in the place of %s is one clear line for %j', async (name, args, refusal) => {
  mkdirSync(join(data, name));
  const { code, stderr } = await memory(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      `^plimsoll: ${refusal} '${join(data, name)}': it is not a file\\. Put something else in its place\\.\\n$`,
    ),
  );
});

describe('the memory of a project', () => {
  test('that is not read is told of: of the main work tree, or for a damaged list of projects', async () => {
    const main = join(base, 'main');
    const own = join(main, '.git', 'worktrees', 'here');
    mkdirSync(own, { recursive: true });
    mkdirSync(join(main, '.plimsoll'));
    writeFileSync(join(own, 'commondir'), '../..\n');
    writeFileSync(join(here, '.git'), `gitdir: ${own}\n`);
    write('projects.json', JSON.stringify([join(main, '.plimsoll')]));
    expect((await memory('where')).stderr).toContain(
      `${join(main, '.plimsoll')} is not read: it is of the main work tree of git`,
    );
    rmSync(join(here, '.git'));
    mkdirSync(join(here, '.git'));
    mkdirSync(join(base, '.plimsoll'));
    write('projects.json', JSON.stringify([join(base, '.plimsoll')]));
    expect((await memory('where')).stderr).toContain(
      `${join(base, '.plimsoll')} is not read: it is of a project around this repository`,
    );
    write('projects.json', '["');
    expect(await memory('where')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('projects.json is damaged at line 1, column 3'),
    });
    expect((await memory('get', 'a')).stderr).toContain('projects.json is damaged at line 1, column 3');
    expect((await memory('init', '--project')).stderr).toContain('projects.json is damaged');
    expect(readFileSync(join(data, 'projects.json'), 'utf8')).toBe('["');
  });
});

test('without a home in the environment, data is in the one that the system knows of', async () => {
  const variables = { HOME: '', XDG_DATA_HOME: 'relative', PLIMSOLL_DATA_DIR: ' ' };
  const { stdout } = await memoryIn(variables, 'where');
  expect(stdout).toContain(`  facts  ${userInfo().homedir}`);
});

test('what is no file in the place of the last good state is named', async () => {
  await printed('set', 'a', '1');
  const copy = join(data, 'last-good.json');
  rmSync(copy);
  mkdirSync(copy);
  const warning = `plimsoll: warning: ${copy} is not a file: there is no copy to repair the global facts with. Move it away\n`;
  expect(await memory('get', 'a')).toEqual({ code: 0, stdout: '1\n', stderr: warning });
  write('context.json', '{"a": "1", b}');
  expect(await memory('repair')).toMatchObject({ code: 0, stderr: warning });
  rmSync(join(data, 'context.json'));
  expect(await memory('where')).toMatchObject({ code: 0, stderr: warning });
  rmSync(copy, { recursive: true });
  expect(await memory('where')).toMatchObject({ code: 0, stderr: '' });
});
