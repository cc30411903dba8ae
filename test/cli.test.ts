import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const MAIN = resolve('dist/cli/main.js');

const base = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
/** The current folder of every command, unless a test names another; empty. */
const elsewhere = join(base, 'elsewhere');
/** A plain folder to digest. */
const sample = join(base, 'sample');

const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PLIMSOLL|GOPHER|GIT)_/.test(name)),
  ),
  PLIMSOLL_CACHE_DIR: join(base, 'cache'),
};

interface Setting {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], setting: Setting = {}) {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: setting.cwd ?? elsewhere,
    env: { ...env, ...setting.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function plimsoll(args: readonly string[], setting?: Setting): Promise<Result> {
  const child = start(args, setting);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

function git(folder: string, ...args: string[]): void {
  const as = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['-C', folder, ...as, ...args], { env, stdio: 'pipe' });
}

function makeFolder(name: string, files: Record<string, string> = {}): string {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

beforeAll(() => {
  makeFolder('elsewhere');
  makeFolder('sample', {
    'README.md': '# Sample\n\nWhat the sample is.\n',
    'main.ts': "console.log('ICH, İI ıi, größer, 👍🏽');\n",
    'long.txt': 'A line of some length, as lines are.\n'.repeat(5000),
  });
});

afterAll(() => rmSync(base, { recursive: true }));

describe('the program', () => {
  test.each(['--version', '-V'])('%s prints the version', async (flag) => {
    expect(await plimsoll([flag])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test.each([
    [['--help'], /Usage: plimsoll .*digest/s],
    [['help'], /Usage: plimsoll .*digest/s],
    [['digest', '--help'], /Usage: plimsoll digest .*--budget .*--no-redact/s],
    [['help', 'digest'], /Usage: plimsoll digest .*--budget .*--no-redact/s],
  ])('%j prints help', async (args, help) => {
    const { code, stdout, stderr } = await plimsoll(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(help);
  });

  test('without a command it says on stderr what there is', async () => {
    const { code, stdout, stderr } = await plimsoll([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/Usage: plimsoll/);
  });
});

describe('bad input gives one line, the right exit code, and nothing else', () => {
  beforeAll(() => {
    makeFolder('empty');
    git(base, 'init', '--quiet', '--bare', 'bare');
    git(base, 'init', '--quiet', 'unborn');
    git(base, 'init', '--quiet', 'repository');
    makeFolder('repository', { 'a.txt': 'a\n' });
    git(join(base, 'repository'), 'add', '.');
    git(join(base, 'repository'), 'commit', '--quiet', '--message', 'a');
  });

  test.each([
    [['digset', '../sample'], 2, "Unknown command 'digset'. Did you mean digest?"],
    [['frobnicate'], 2, "Unknown command 'frobnicate'. See plimsoll --help."],
    [['--frobnicate'], 2, "Unknown option '--frobnicate'. See plimsoll --help."],
    [['digest'], 2, "Missing required argument 'SOURCE'. See plimsoll digest --help."],
    [['digest', '../sample', '../sample'], 2, "Too many arguments for 'digest'."],
    [['digest', '../sample', '--budgte', '9'], 2, "Unknown option '--budgte'. Did you mean --budget?"],
    [['digest', '../sample', '--budget'], 2, "Option '-b, --budget <N>' argument missing."],
    [['digest', '../sample', '--budget', '0'], 2, "Not a budget: '0'."],
    [['digest', '../sample', '--budget', '-1'], 2, "Not a budget: '-1'."],
    [['digest', '../sample', '--budget', '1e99'], 2, "Not a budget: '1e99'."],
    [['digest', '../sample', '--budget', 'abc'], 2, "Not a budget: 'abc'."],
    [['digest', '../sample', '--budget='], 2, "Not a budget: ''."],
    [['digest', '../sample', '--budget', '50'], 2, '50 characters'],
    [['digest', '../sample', '--budget', '5tok'], 2, '5 tokens'],
    [
      ['digest', '../sample', '--format', 'html'],
      2,
      "Not a format: 'html'. Give one of markdown, xml, json.",
    ],
    [['digest', '../repository', '--since', 'nope'], 1, 'nope'],
    [['digest', '../sample', '--since', 'main'], 1, 'clone'],
    [['digest', 'owner/repo', '--since', 'main'], 1, 'clone'],
    [['digest', '../repository', '--since', 'HEAD', '--focus', 'x'], 2, '--focus or --since'],
    [['digest', '../repository', '--since', 'HEAD', '--focus-path', 'x'], 2, '--focus-path or --since'],
    [['digest', '../sample', '--focus-path', 'none.ts'], 1, '--focus-path none.ts'],
    [['digest', '../sample', '--include', 'a[b'], 2, 'a[b'],
    [['digest', '../sample', '--exclude', ''], 2, 'pattern'],
    [['digest', '../missing'], 1, '../missing'],
    [['digest', ''], 2, 'address'],
    [['digest', 'a\nb\x1b[2J'], 1, 'does not exist'],
    [['digest', '../sample/main.ts'], 1, '../sample/main.ts'],
    [['digest', '../empty'], 1, 'nothing to digest'],
    [['digest', '../bare'], 1, '../bare'],
    [['digest', '../unborn'], 1, 'nothing to digest'],
    [['digest', '../unborn', '--ref', 'main'], 1, 'no commit'],
    [['digest', '../repository', '--ref', 'nope'], 1, 'nope'],
    [['digest', '../sample', '--ref', 'main'], 1, 'not in a git repository'],
    [['digest', '../sample', '--include', 'no-such-file'], 1, '--include'],
    [
      ['digest', '../sample', '--output', 'no/such/folder.md'],
      1,
      "Cannot write 'no/such/folder.md': no such file",
    ],
    [['digest', '../sample', '--output', '../sample'], 1, "Cannot write '../sample': it is a folder."],
    [
      ['digest', '../sample', '--output', '../sample/main.ts/x'],
      1,
      "Cannot write '../sample/main.ts/x': not a dir",
    ],
    [['digest', '../missing', '--output', 'digest.md'], 1, '../missing'],
  ])('%j', async (args, code, message) => {
    const result = await plimsoll(args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(/^plimsoll: \S\P{Cc}+\n$/u);
    expect(result.stderr).toContain(message);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('--verbose adds the stack trace', async () => {
    const { code, stderr } = await plimsoll(['digest', '../missing', '--verbose']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^plimsoll: .*\.\.\/missing.*\n.*PlimsollError.*\n {4}at /);
  });

  test('a current folder that was removed', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1" digest "$2"';
    const child = spawn('sh', ['-c', script, process.execPath, MAIN, sample], { cwd: base, env });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'plimsoll: The current folder no longer exists: change to one that does.\n',
    });
  });
});

describe('a digest', () => {
  test('goes to stdout alone, and is as long as it says', async () => {
    const { code, stdout, stderr } = await plimsoll(['digest', sample]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('What the sample is.');
    expect(stdout.length).toBeLessThanOrEqual(40_000);
    const { budget, text } = JSON.parse((await plimsoll(['digest', sample, '--format', 'json'])).stdout);
    expect(budget.used).toBe(stdout.length);
    expect(text).toBe(stdout);
  });

  test('has the budget, the format and the files that were asked for', async () => {
    const options = [
      '--budget',
      '3000',
      '--format',
      'xml',
      '--include',
      '*.ts',
      '--include',
      '*.md',
      '--exclude',
      'main.*',
    ];
    const { code, stdout } = await plimsoll(['digest', sample, ...options]);
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThanOrEqual(3000);
    expect(stdout).toContain('</');
    expect(stdout).toContain('What the sample is.');
    expect(stdout).not.toContain('console.log');
  });

  test('can be counted in tokens', async () => {
    const { stdout } = await plimsoll(['digest', sample, '--budget', '2000tok', '--format', 'json']);
    const { budget } = JSON.parse(stdout);
    expect(budget).toMatchObject({ unit: 'tokens', limit: 2000 });
    expect(budget.used).toBeLessThanOrEqual(2000);
    expect(budget.used).toBeGreaterThan(1500);
  });

  test('is the same from another folder, in another locale, to a file and explained', async () => {
    const file = join(makeFolder('out'), 'digest.md');
    const plain = await plimsoll(['digest', sample]);
    const turkish = { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr', TZ: 'Asia/Istanbul' };
    expect(await plimsoll(['digest', 'sample'], { cwd: base })).toEqual(plain);
    expect(await plimsoll(['digest', '.'], { cwd: sample, env: turkish })).toEqual(plain);
    expect(await plimsoll(['digest', sample, '--output', '-'])).toEqual(plain);
    expect(await plimsoll(['digest', sample, '--output', file])).toEqual({ ...plain, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe(plain.stdout);
    expect(readdirSync(join(base, 'out'))).toEqual(['digest.md']);
    const explained = await plimsoll(['digest', sample, '--explain']);
    expect(explained.stdout).toBe(plain.stdout);
    expect(explained.stderr).toMatch(
      /^How the budget was spent\n.*README\.md\n.* readme \(.*Files that missed the cut/s,
    );
  });

  test('tells in JSON what missed the cut where that is asked for', async () => {
    const args = ['digest', sample, '--budget', '1000', '--format', 'json'];
    expect(JSON.parse((await plimsoll(args)).stdout)).not.toHaveProperty('nearMisses');
    const { nearMisses } = JSON.parse((await plimsoll([...args, '--explain'])).stdout);
    expect(nearMisses).toEqual([expect.objectContaining({ chars: 0 })]);
  });

  test('warns of what could not be used, unless told to be quiet', async () => {
    const setting = { env: { PLIMSOLL_DIGEST_BUDGET: 'lots' } };
    const plain = await plimsoll(['digest', sample]);
    expect(await plimsoll(['digest', sample], setting)).toEqual({
      ...plain,
      stderr: expect.stringMatching(
        /^plimsoll: warning: PLIMSOLL_DIGEST_BUDGET in the environment is "lots".*\n$/,
      ),
    });
    expect(await plimsoll(['digest', sample, '--quiet'], setting)).toEqual(plain);
  });

  test('heeds the settings of the current folder, never those of the folder it is of', async () => {
    const config = JSON.stringify({ digest: { format: 'xml', budget: 2000 } });
    const steered = join(base, 'steered');
    cpSync(sample, steered, { recursive: true });
    makeFolder('steered', { 'plimsoll.config.json': config, '.env': 'PLIMSOLL_DIGEST_FORMAT=json\n' });
    const from = makeFolder('settings', { 'plimsoll.config.json': config });
    expect((await plimsoll(['digest', steered])).stdout).toMatch(/^# /);
    const { stdout } = await plimsoll(['digest', sample], { cwd: from });
    expect(stdout).toMatch(/^</);
    expect(stdout.length).toBeLessThanOrEqual(2000);
  });

  test('replaces secrets unless told not to', async () => {
    const secret = ['ghp', 'n4xRq8Zt2LwYc7VbKd5MfJh3Gs9PeTu6Xa1B'].join('_');
    const folder = makeFolder('secret', { 'config.js': `export const token = '${secret}';\n` });
    expect((await plimsoll(['digest', folder])).stdout).not.toContain(secret);
    expect((await plimsoll(['digest', folder, '--no-redact'])).stdout).toContain(secret);
  });
});

describe('pipes', () => {
  let large: string;
  const budget = ['--budget', '10000000'];

  beforeAll(() => {
    const line = 'Ünïcödé and ASCII, line after line after line, until there is enough.\n';
    large = makeFolder('large', { 'large.txt': line.repeat(200_000) });
  });

  test('10 MB arrive whole, however slowly they are read', async () => {
    const file = join(makeFolder('out'), 'large.md');
    expect(await plimsoll(['digest', large, ...budget, '--output', file])).toMatchObject({ code: 0 });
    const child = start(['digest', large, ...budget]);
    await once(child.stdout, 'readable');
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(9_500_000);
    expect(stdout === readFileSync(file, 'utf8')).toBe(true);
  });

  test('a reader that goes away is no fault', async () => {
    const child = start(['digest', large, ...budget]);
    child.stdout.once('data', () => child.stdout.destroy());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.runIf(existsSync('/dev/full'))('a full disk is one', async () => {
    const script = '"$0" "$1" digest "$2" >/dev/full';
    const child = spawn('sh', ['-c', script, process.execPath, MAIN, sample], { cwd: base, env });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'plimsoll: Cannot write to stdout: no space left on device.\n',
    });
  });
});

describe('while it works, the command', () => {
  const bin = join(base, 'bin');
  const ready = join(base, 'ready');
  let out: string;
  let repository: string;

  beforeAll(() => {
    repository = makeFolder('waiting', { 'a.txt': 'a\n' });
    git(base, 'init', '--quiet', 'waiting');
    // A git that never answers.
    makeFolder('bin', {
      git: `#!/bin/sh\necho $$ >>"${ready}"\nexec sleep 600\n`,
    });
    chmodSync(join(bin, 'git'), 0o755);
  });

  beforeEach(() => {
    rmSync(ready, { force: true });
    out = mkdtempSync(join(base, 'out-'));
    writeFileSync(join(out, 'digest.md'), 'before\n');
  });

  /** Starts a digest that is to replace a file, and sends a signal when it is under way. */
  async function signalled(signal: NodeJS.Signals, variables: NodeJS.ProcessEnv = {}) {
    const args = ['digest', repository, '--output', join(out, 'digest.md')];
    const child = start(args, { env: { PATH: `${bin}:${env.PATH}`, ...variables } });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    await vi.waitFor(() => expect(readFileSync(ready, 'utf8')).toMatch(/\d\n/), { timeout: 20_000 });
    child.kill(signal);
    const [stdout, stderr, [code]] = await ended;
    return { code, stdout, stderr };
  }

  /** The processes that the command has started. */
  const started = (): number[] => readFileSync(ready, 'utf8').trim().split('\n').map(Number);

  /** Whether there is no such process, or only what is left of one that nobody has waited for (state Z, Linux). */
  function hasEnded(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return existsSync('/proc/self/stat') && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch (error) {
      return ['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
    }
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stops at %s and leaves everything as it was', async (signal, code) => {
    expect(await signalled(signal)).toEqual({ code, stdout: '', stderr: 'plimsoll: interrupted\n' });
    expect(readdirSync(out)).toEqual(['digest.md']);
    expect(readFileSync(join(out, 'digest.md'), 'utf8')).toBe('before\n');
    await vi.waitFor(() => expect(started().filter((pid) => !hasEnded(pid))).toEqual([]), {
      timeout: 20_000,
    });
  });

  test('stops while it reads files, too', async () => {
    const folder = mkdtempSync(join(base, 'many-'));
    for (let i = 0; i < 400; i++) writeFileSync(join(folder, `f${i}.ts`), `export const f${i} = ${i};\n`);
    const interruption = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { openSync } = fs;
      let opened = 0;
      fs.openSync = (...args) => {
        if (++opened === 50) process.kill(process.pid, 'SIGINT');
        return openSync(...args);
      };
      syncBuiltinESMExports();`;
    const variables = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(interruption)}` };
    const child = start(['digest', folder, '--output', join(out, 'digest.md')], {
      env: { ...env, ...variables },
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'plimsoll: interrupted\n' });
    expect(readFileSync(join(out, 'digest.md'), 'utf8')).toBe('before\n');
  });

  test('tells of a fault of its own in one line', async () => {
    const fault = "process.on('SIGUSR2', () => { throw new Error('a fault'); })";
    const variables = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
    expect(await signalled('SIGUSR2', variables)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'plimsoll: unexpected error: a fault (run again with --verbose for details)\n',
    });
    for (const pid of started()) process.kill(pid);
  });
});
