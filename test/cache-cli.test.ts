import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cache, type CacheKind } from '../src/cache/cache.ts';
import { serve } from './remote.ts';
import { folderWith, git } from './repository.ts';
import { addCommit } from './varied-repository.ts';

const MAIN = resolve('dist/cli/main.js');

let base: string;
let folder: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-cache-cli-')));
  folder = join(base, 'cache');
  mkdirSync(join(base, 'here'));
});

afterEach(() => rmSync(base, { recursive: true }));

const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PLIMSOLL|GOPHER|GIT)_/.test(name)),
);

/** Runs `plimsoll cache` with a cache of the test's own, unless told otherwise. */
function plimsollCache(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  return plimsoll(['cache', ...args], variables);
}

async function plimsoll(args: readonly string[], variables: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: join(base, 'here'),
    env: { ...env, PLIMSOLL_CACHE_DIR: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

const WITHOUT_USER_CONFIG = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

const done = (stdout: string) => ({ code: 0, stdout, stderr: '' });

/** Puts so many bytes into the cache, used at that time. */
async function keep(
  kind: CacheKind,
  address: string,
  length: number,
  used = '2026-02-03T04:05Z',
): Promise<string> {
  const entry = await new Cache({ folder, limit: 0 }).open(kind, address);
  await entry.write(Buffer.alloc(length), 'content');
  utimesSync(entry.path('used'), 0, new Date(used));
  return entry.folder;
}

describe('plimsoll cache path', () => {
  test('prints the folder that is set, which it does not make', async () => {
    expect(await plimsollCache(['path'])).toEqual(done(`${folder}\n`));
    expect(existsSync(folder)).toBe(false);
    expect(await plimsollCache(['path'], { PLIMSOLL_CACHE_DIR: 'below' })).toEqual(
      done(`${join(base, 'here/below')}\n`),
    );
  });

  test('takes no folder from a file, and says so', async () => {
    const file = join(base, 'here', 'plimsoll.config.json');
    writeFileSync(file, '{ "cache": { "folder": "../configured" } }');
    const { stdout, stderr } = await plimsollCache(['path'], { PLIMSOLL_CACHE_DIR: '', HOME: base });
    expect(stdout).not.toContain('configured');
    expect(stderr).toBe(
      `plimsoll: warning: 'cache.folder' in ${file} is not used: set PLIMSOLL_CACHE_DIR in the environment instead\n`,
    );
    expect(await plimsollCache(['path'])).toEqual(done(`${folder}\n`));
  });

  test.runIf(process.platform === 'linux')("prints the user's own folder for caches otherwise", async () => {
    const variables = { PLIMSOLL_CACHE_DIR: '', HOME: base, XDG_CACHE_HOME: '' };
    expect(await plimsollCache(['path'], variables)).toEqual(done(`${join(base, '.cache/plimsoll')}\n`));
    expect(await plimsollCache(['path'], { ...variables, XDG_CACHE_HOME: '/xdg' })).toEqual(
      done('/xdg/plimsoll\n'),
    );
  });
});

describe('plimsoll cache list', () => {
  test('says that there is nothing', async () => {
    expect(await plimsollCache(['list'])).toEqual(done('The cache is empty.\n'));
    expect(JSON.parse((await plimsollCache(['list', '--json'])).stdout)).toMatchObject({
      bytes: 0,
      repositories: [],
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('lists repositories with their sizes, and the total', async () => {
    await keep('github', 'https://github.com/o/r', 2_000_000);
    await keep('git', 'ssh://git@host/o/r.git', 30_000, '2026-03-03T04:05Z');
    const { code, stdout, stderr } = await plimsollCache(['list'], { PLIMSOLL_CACHE_SIZE: '5MB' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`      size  last used (UTC)   kind    address
   30.1 KB  2026-03-03 04:05  git     ssh://git@host/o/r.git
    2.0 MB  2026-02-03 04:05  github  https://github.com/o/r
2 entries, 2.0 MB of at most 5.0 MB
`);
  });

  test('can be read by programs', async () => {
    await keep('github', 'https://github.com/o/r', 1000);
    const { bytes, repositories, ...rest } = JSON.parse((await plimsollCache(['list', '--json'])).stdout);
    expect(rest).toEqual({ folder, limit: 1_000_000_000 });
    expect(bytes).toBeGreaterThan(1000);
    expect(repositories).toEqual([
      { address: 'https://github.com/o/r', kind: 'github', bytes, used: '2026-02-03T04:05:00.000Z' },
    ]);
  });

  test('no address can pass for another line or act on a terminal', async () => {
    await keep('git', 'https://host/a\n\x1b[2J\u202e', 1);
    const { stdout } = await plimsollCache(['list']);
    expect(stdout).toContain('git     https://host/a␊␛[2J<U+202E>\n1 entry, ');
    expect((await plimsollCache(['list', '--json'])).stdout).toContain('"https://host/a␊␛[2J<U+202E>"');
  });
});

describe('plimsoll cache clear', () => {
  test('deletes everything and says how much that was', async () => {
    await keep('github', 'https://github.com/o/r', 2_000_000);
    await keep('git', 'https://github.com/o/r', 500_000);
    expect(await plimsollCache(['clear'])).toEqual(done('Deleted 2 entries, 2.5 MB.\n'));
    expect(readdirSync(folder).sort()).toEqual(['CACHEDIR.TAG', 'tmp']);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(await plimsollCache(['clear'])).toEqual(done('The cache is empty.\n'));
  });

  test.each([
    'https://github.com/o/r',
    'o/r',
    'github.com/o/r',
    'https://www.github.com/o/r.git',
    'https://user:hunter2@github.com/o/r/tree/main',
  ])('deletes one repository: %s', async (address) => {
    await keep('github', 'https://github.com/o/r', 3000);
    await keep('git', 'https://github.com/o/r.git', 3000);
    const other = await keep('github', 'https://github.com/o/r2', 3000);
    expect(await plimsollCache(['clear', address])).toEqual(done('Deleted 2 entries, 6.1 KB.\n'));
    expect(readdirSync(folder).sort()).toEqual(['CACHEDIR.TAG', other.slice(folder.length + 1), 'tmp']);
  });

  test.each(['o/r', 'O/R', 'https://ghe.example/o/r'])(
    'deletes one repository of the GitHub server whose API is configured: %s',
    async (address) => {
      await keep('github', 'https://ghe.example/o/r', 3000);
      const other = await keep('github', 'https://github.com/o/r', 3000);
      const variables = { PLIMSOLL_GITHUB_API: 'https://ghe.example/api/v3' };
      expect(await plimsollCache(['clear', address], variables)).toEqual(done('Deleted 1 entry, 3.1 KB.\n'));
      expect(existsSync(other)).toBe(true);
    },
  );

  test.each([
    ['git@host.example:o/r.git', 'git@host.example:o/r.git'],
    ['ssh://git@host.example/o/r.git', 'git@host.example:o/r.git'],
    ['https://host.example/r.git', 'https://user:hunter2@host.example/r.git'],
  ])('deletes what git fetched under one address: %s, given as %s', async (kept, given) => {
    await keep('git', kept, 3000);
    expect(await plimsollCache(['clear', given])).toEqual(done('Deleted 1 entry, 3.1 KB.\n'));
  });

  test.each([
    ['o/r2', 'o/r2'],
    ['nothing-like-it', 'nothing-like-it'],
    ['./folder', './folder'],
    ['https://user:hunter2@host.example/o/r', 'https://host.example/o/r'],
  ])('says that there is no %s', async (address, shown) => {
    const kept = await keep('github', 'https://github.com/o/r', 3000);
    expect(await plimsollCache(['clear', address])).toEqual({
      code: 1,
      stdout: '',
      stderr: `plimsoll: Not in the cache: '${shown}'. See plimsoll cache list.\n`,
    });
    expect(existsSync(kept)).toBe(true);
  });
});

test('digests keep no more than the limit, however short the time between them', async () => {
  const root = folderWith({});
  const { url } = await serve(root);
  const variables = { PLIMSOLL_CACHE_SIZE: '400KB', ...WITHOUT_USER_CONFIG };
  const listed = [];
  for (const [name, bytes] of [
    ['a', 100_000],
    ['b', 100_000],
    ['c', 100_000],
    ['large', 600_000],
  ] as const) {
    mkdirSync(join(root, `${name}.git`));
    git(join(root, `${name}.git`), 'init', '-q', '--bare', '-b', 'main');
    addCommit(join(root, `${name}.git`), 'main', { 'noise.txt': randomBytes(bytes).toString('hex') });
    const { code, stderr } = await plimsoll(['digest', `${url}/${name}.git`, '--quiet'], variables);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { bytes: kept, repositories } = JSON.parse((await plimsollCache(['list', '--json'])).stdout);
    expect(kept).toBeLessThanOrEqual(400_000);
    listed.push(repositories.map(({ address }: { address: string }) => address.slice(url.length + 1)));
  }
  expect(listed).toEqual([['a.git'], ['b.git', 'a.git'], ['c.git', 'b.git'], []]);
});

test('a digest keeps what it found out about a folder, unless told not to', async () => {
  const sample = folderWith({ 'a.ts': "import './b';\n", 'b.ts': 'export const b = 1;\n'.repeat(3000) });
  const { stdout } = await plimsoll(['digest', sample, '--no-cache', '--quiet'], {});
  expect(existsSync(folder)).toBe(false);
  expect((await plimsoll(['digest', sample, '--quiet'], {})).stdout).toBe(stdout);
  const listed = await plimsollCache(['list']);
  expect(listed.stdout).toMatch(new RegExp(`folder  ${realpathSync(sample)}\n1 entry, `));
  expect(await plimsollCache(['clear', sample])).toEqual(
    done(expect.stringMatching(/^Deleted 1 entry, /) as unknown as string),
  );
});

describe('plimsoll cache', () => {
  test.each([
    [['--help'], /Usage: plimsoll cache .*path.*list.*clear.*PLIMSOLL_CACHE_DIR/s],
    [['list', '--help'], /Usage: plimsoll cache list .*--json/s],
    [['help', 'clear'], /Usage: plimsoll cache clear .*ADDRESS/s],
  ])('%j prints help', async (args, help) => {
    expect(await plimsollCache(args)).toEqual(done(expect.stringMatching(help) as unknown as string));
  });

  test.each([
    [[], 'Missing command. Give plimsoll cache path, list or clear.'],
    [['lst'], "Unknown command 'lst'. Give plimsoll cache path, list or clear."],
    [['lst', '--json'], "Unknown command 'lst'. Give plimsoll cache path, list or clear."],
    [['--json'], "Unknown option '--json'. Give plimsoll cache path, list or clear."],
    [['list', '--jsn'], "Unknown option '--jsn'. Did you mean --json?"],
    [
      ['list', 'x'],
      "Too many arguments for 'list'. Expected 0 arguments but got 1. See plimsoll cache --help.",
    ],
    [['clear', 'a', 'b'], "Too many arguments for 'clear'."],
    [['clear', 'ftp://host/a/b'], 'ftp'],
  ])('%j is bad usage', async (args, message) => {
    const { code, stdout, stderr } = await plimsollCache(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^plimsoll: \S\P{Cc}+\n$/u);
    expect(stderr).toContain(message);
  });

  test('tells of a cache that cannot be used in one line, and more with --verbose', async () => {
    writeFileSync(folder, 'a file');
    const line = `plimsoll: Cannot use the cache folder '${folder}': not a directory. Use --no-cache or set PLIMSOLL_CACHE_DIR.\n`;
    expect(await plimsollCache(['list'])).toEqual({ code: 1, stdout: '', stderr: line });
    const { stderr } = await plimsollCache(['list', '--verbose']);
    expect(stderr.startsWith(line)).toBe(true);
    expect(stderr).toMatch(/PlimsollError: .*\n {4}at /);
  });

  test('warns of a setting that cannot be used, once', async () => {
    expect(await plimsollCache(['path'], { PLIMSOLL_CACHE_SIZE: 'much' })).toEqual({
      code: 0,
      stdout: `${folder}\n`,
      stderr: expect.stringMatching(
        /^plimsoll: warning: PLIMSOLL_CACHE_SIZE in the environment is "much".*\n$/,
      ),
    });
  });
});
