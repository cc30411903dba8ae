import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  argumentsOfDescendants,
  body,
  clone,
  counted,
  pathWith,
  rawPaths,
  sharedVaried,
  User,
  variedOnGitHub,
  watch,
} from './github-runs.ts';
import { folderWith, git } from './repository.ts';
import type { GitHubOptions, GitHubServer, Interception, SeenRequest } from './servers/github.ts';
import { bareWith, serve, TOKEN } from './servers/github-fixture.ts';
import { addCommit } from './varied-repository.ts';

const RAW = 'raw.githubusercontent.com';
const LARGE = 'src/large.ts';

const varied = sharedVaried();

async function serveVaried(path = varied()) {
  const server = await serve({ 'o/r': { path } });
  const id = (name: string) => git(path, 'rev-parse', `${name}^{commit}`);
  const tree = (name: string) => `/git/trees/${id(name)}?recursive=1`;
  return { server, path, id, tree, user: new User(server.env) };
}

describe('a repository on github.com', () => {
  test('is shown as a clone of it is', async () => {
    const { server, user } = await serveVaried();
    const byApi = await user.digest(['o/r']);
    const folder = await clone('https://github.com/o/r', server.env);
    expect(body(byApi)).toBe(body(await user.digest([folder, '--ref', 'main'])));
    expect(byApi).toMatchObject({
      source: { kind: 'github', name: 'o/r', url: 'https://github.com/o/r' },
      warnings: [],
    });
    for (const format of ['markdown', 'xml']) {
      const one = await user.run(['https://github.com/o/r.git', '--format', format]);
      expect(one).toMatchObject({ code: 0, stderr: '' });
      expect(one.stdout).toContain('https://github.com/o/r');
    }
    expect(server.strayConnects).toEqual([]);
  });

  test('costs two requests, and none for a repeat', async () => {
    const { server, user, tree } = await serveVaried();
    const first = await user.digest(['o/r']);
    expect(counted(server.requests)).toEqual(['', tree('main')]);
    const seen = watch(server);
    expect((await user.digest(['o/r'])).text).toBe(first.text);
    expect(counted(seen())).toEqual([]);
    expect(new Set(seen().map(({ host }) => host))).toEqual(new Set(['github.com']));
  });

  test('costs nothing for a repeat with a token, and does not keep the command waiting', async () => {
    const { server, user } = await serveVaried();
    const env = { GITHUB_TOKEN: TOKEN };
    const first = await user.digest(['o/r', '--timeout', '60'], env);
    const seen = watch(server);
    const before = performance.now();
    expect((await user.digest(['o/r', '--timeout', '60'], env)).text).toBe(first.text);
    expect(performance.now() - before).toBeLessThan(25_000);
    expect(seen().filter(({ host }) => host === 'api.github.com')).toMatchObject([
      { status: 304, counted: false },
    ]);
  });

  test('costs two requests and what is new, after another commit', async () => {
    const { server, user, path, tree } = await serveVaried(variedOnGitHub());
    await user.digest(['o/r']);
    addCommit(path, 'main', { 'src/new.ts': 'export const fresh = 1;\n' });
    const seen = watch(server);
    expect((await user.digest(['o/r'])).text).toContain('fresh = 1');
    expect(counted(seen())).toEqual(['', tree('main')]);
    expect(rawPaths(seen())).toEqual(['src/new.ts']);
  });

  test('costs two requests, whatever of it is named; a shortened id costs one more', async () => {
    const { server, path, id, tree } = await serveVaried(variedOnGitHub());
    addCommit(path, 'main', { 'later.txt': 'later\n' });
    const old = id('main~1');
    const scenarios: readonly [readonly string[], string, string, string?][] = [
      [['o/r', '--ref', 'feature/x'], 'feature/x', 'feature/x'],
      [['o/r', '--ref', 'annotated'], 'annotated', 'annotated'],
      [['o/r', '--ref', old], 'main~1', old],
      [['https://github.com/o/r/tree/feature/x/sub'], 'feature/x', 'feature/x', 'sub'],
      [['https://github.com/o/r/blob/main/src/main.ts'], 'main', 'main', 'src'],
      [[`https://github.com/o/r/commit/${old}`], 'main~1', old],
      [['https://github.com/o/r/releases/tag/light'], 'light', 'light'],
      [['https://github.com/o/r/pull/1'], 'refs/pull/1/head', 'pull/1/head'],
    ];
    const run = async (args: readonly string[]) => {
      const user = new User(server.env);
      const seen = watch(server);
      const { source } = await user.digest(args);
      const first = counted(seen());
      const again = watch(server);
      expect((await user.digest(args)).source).toEqual(source);
      return { source, first, again: counted(again()) };
    };
    for (const [args, name, ref, subfolder] of scenarios) {
      const { source, first, again } = await run(args);
      expect(source).toMatchObject({ ref, commit: id(name), ...(subfolder && { subfolder }) });
      expect([args, first, again]).toEqual([args, ['', tree(name)], []]);
    }
    const short = old.slice(0, 8);
    const { source, first, again } = await run(['o/r', '--ref', short]);
    expect(source).toMatchObject({ ref: short, commit: old });
    expect([first, again]).toEqual([['', `/commits/${short}`, tree('main~1')], []]);
  });

  test('costs at most three requests without git', async () => {
    const { server, id, tree } = await serveVaried();
    const PATH = folderWith({});
    const scenarios: readonly [readonly string[], string, readonly string[]][] = [
      [['o/r'], 'main', ['/commits/heads%2Fmain']],
      [['o/r', '--ref', 'light'], 'light', ['/commits/light']],
      [['https://github.com/o/r/tree/main'], 'main', ['/commits/main']],
      [['https://github.com/o/r/tree/feature/x/sub'], 'feature/x', ['/git/matching-refs/heads%2Ffeature']],
      [['https://github.com/o/r/pull/1'], 'refs/pull/1/head', ['/commits/pull%2F1%2Fhead']],
      [['https://github.com/o/r/releases/tag/light'], 'light', ['/commits/tags%2Flight']],
    ];
    for (const [args, name, more] of scenarios) {
      const seen = watch(server);
      const { source } = await new User({ ...server.env, PATH }).digest(args);
      expect(source.commit).toBe(id(name));
      expect(counted(seen())).toEqual(['', ...more, tree(name)]);
      expect(seen().some(({ host }) => host === 'github.com')).toBe(false);
    }
  });

  test('has no more files fetched than are shown, but for a few', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`src/${at}.ts`, `export const v${at} = ${at};\n`.repeat(50)]),
    );
    const server = await serve({ 'o/r': { path: bareWith(files) } });
    const { files: shown } = await new User(server.env).digest(['o/r', '--budget', '20000', '--no-graph']);
    const fetched = rawPaths(server.requests);
    expect(fetched).toEqual(expect.arrayContaining(shown.map(({ path }) => path)));
    expect(shown.length).toBeGreaterThan(5);
    expect(fetched.length).toBeLessThanOrEqual(shown.length + 40);
  });

  test('has all source files fetched in one request by git to find out who imports whom', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`src/${at}.ts`, `export const v${at} = ${at};\n`.repeat(50)]),
    );
    const server = await serve({ 'o/r': { path: bareWith(files) } });
    const { files: shown, warnings } = await new User(server.env).digest(['o/r', '--budget', '20000']);
    expect(warnings).toEqual([]);
    expect(shown.length).toBeGreaterThan(5);
    expect(rawPaths(server.requests)).toEqual([]);
  });
});

describe('a file of 3 MB', () => {
  const large = (request: SeenRequest) => request.path.endsWith('/large.ts');
  const atRaw = (request: SeenRequest) => request.host === RAW;
  const ways: readonly [string, (request: SeenRequest) => boolean, Interception][] = [
    ['is not there', large, { kind: 'status', status: 404, body: '404: Not Found' }],
    ['is cut off', large, { kind: 'cut', afterBytes: 100_000 }],
    ['breaks off', large, { kind: 'stall', afterBytes: 100_000 }],
    ['is another', large, { kind: 'status', status: 200, body: 'something else' }],
    ['is not given at all, as there are too many requests', atRaw, { kind: 'status', status: 429, body: '' }],
    ['is not given at all, as the host is silent', atRaw, { kind: 'stall' }],
    ['is not given at all, as the host fails', atRaw, { kind: 'status', status: 500, body: '' }],
  ];

  test('is shown in part, whatever happens to it', { timeout: 90_000 }, async () => {
    const { server, path, user } = await serveVaried();
    const { text, files } = await user.digest(['o/r']);
    expect(files.find((file) => file.path === LARGE)).toMatchObject({ mode: 'head', size: 3302641 });
    expect(text).toContain('export const value100 = 10000; // a line of many\n');
    expect(counted(server.requests)).toHaveLength(2);
    await Promise.all(
      ways.map(async ([what, hit, interception]) => {
        const one = await serve({ 'o/r': { path } });
        one.intercept = (request) => (hit(request) ? interception : undefined);
        const found = await new User(one.env).digest(['o/r', '--timeout', '6']);
        expect([what, found.text, found.warnings]).toEqual([what, text, []]);
        expect([what, counted(one.requests).length]).toEqual([what, 2]);
      }),
    );
  });

  test('is fetched again where the host of raw files fails twice', async () => {
    const { server, user } = await serveVaried();
    let left = 2;
    server.intercept = (request) =>
      large(request) && left-- > 0 ? { kind: 'status', status: 503, body: '' } : undefined;
    expect((await user.digest(['o/r'])).text).toContain('export const value100 = ');
    expect(counted(server.requests)).toHaveLength(2);
  });
});

describe('a token', () => {
  const authorizations = ({ requests }: GitHubServer) =>
    Object.fromEntries(requests.map(({ host, authorization }) => [host, authorization]));
  const BASIC = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

  async function servePrivate(isPrivate: boolean, options?: GitHubOptions) {
    const path = bareWith({ 'README.md': '# Private\n', 'a.ts': 'export {};\n' });
    const server = await serve({ 'o/r': { path, facts: { private: isPrivate } } }, options);
    return { server, user: new User(server.env) };
  }

  test.each(['GITHUB_TOKEN', 'GH_TOKEN', 'PLIMSOLL_GITHUB_TOKEN'])(
    'in %s is sent to the API, and to nobody who does not ask for it',
    async (name) => {
      const { server, user } = await servePrivate(false);
      await user.digest(['o/r'], { [name]: TOKEN });
      expect(authorizations(server)).toEqual({
        'github.com': undefined,
        'api.github.com': `token ${TOKEN}`,
        [RAW]: undefined,
      });
    },
  );

  test('opens a private repository, whose raw files and git need it', async () => {
    const { server, user } = await servePrivate(true);
    const found = await user.digest(['o/r'], { GITHUB_TOKEN: TOKEN });
    expect(found.files.map(({ path }) => path)).toEqual(['README.md', 'a.ts']);
    expect(authorizations(server)).toEqual({
      'github.com': BASIC,
      'api.github.com': `token ${TOKEN}`,
      [RAW]: `token ${TOKEN}`,
    });
    expect(counted(server.requests)).toHaveLength(2);
  });

  test('may stand in the address, and is shown nowhere', async () => {
    const { server, user } = await servePrivate(true);
    const { code, stdout, stderr } = await user.run([`https://x-access-token:${TOKEN}@github.com/o/r`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(TOKEN);
    expect(authorizations(server)['api.github.com']).toBe(`token ${TOKEN}`);
    expect(everythingIn(user.home)).not.toContain(TOKEN);
  });

  test('is asked of gh only where that is allowed', async () => {
    const { server, user } = await servePrivate(false);
    const PATH = pathWith({ gh: `[ "$*" = "auth token --hostname github.com" ] && echo ${TOKEN}` });
    await user.digest(['o/r'], { PATH });
    expect(authorizations(server)['api.github.com']).toBeUndefined();
    await user.digest(['o/r'], { PATH, PLIMSOLL_GITHUB_GH: 'true' });
    expect(authorizations(server)['api.github.com']).toBe(`token ${TOKEN}`);
    const seen = watch(server);
    await user.digest(['o/r'], { PATH: pathWith({ gh: 'exit 1' }), PLIMSOLL_GITHUB_GH: 'true' });
    expect(seen().every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  test('never stands in output, files, or what processes are started with', async () => {
    let seen = '';
    const look = (): undefined => {
      seen += argumentsOfDescendants();
    };
    const { server, user } = await servePrivate(true, { intercept: look });
    const good = await user.run(['o/r', '--explain', '--verbose'], { GITHUB_TOKEN: TOKEN });
    expect(good.code).toBe(0);
    server.intercept = ({ host }) => {
      look();
      return host === 'api.github.com' ? { kind: 'status', status: 400, body: 'Nonsense' } : undefined;
    };
    const bad = await user.run(['o/other', '--verbose'], { GITHUB_TOKEN: TOKEN });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^plimsoll: .+\n.*PlimsollError/);
    expect(seen).toContain('git ');
    for (const text of [seen, good.stdout, good.stderr, bad.stdout, bad.stderr, everythingIn(user.home)]) {
      for (const secret of [TOKEN, BASIC.slice('Basic '.length)]) expect(text).not.toContain(secret);
    }
  });

  test('is not sent on to where the API leads', async () => {
    const { server, user } = await servePrivate(false);
    server.intercept = ({ host, path }) =>
      host === 'api.github.com' && path === '/repos/o/r'
        ? {
            kind: 'status',
            status: 302,
            headers: { Location: 'https://raw.githubusercontent.com/o/r/main/a.ts' },
          }
        : undefined;
    await user.run(['o/r'], { GITHUB_TOKEN: TOKEN });
    const led = server.requests.filter(({ host }) => host === RAW);
    expect(led.length).toBeGreaterThan(0);
    expect(led.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  test('of github.com is not for another GitHub, nor the other way round', async () => {
    const { server, user } = await servePrivate(false);
    const other = { PLIMSOLL_GITHUB_API: `${server.url}/api/v3`, GITHUB_TOKEN: TOKEN };
    await user.digest(['https://github.com/o/r'], other);
    expect(Object.values(authorizations(server))).toEqual([undefined, undefined, undefined]);
    await user.digest([`${server.url}/o/r`], other);
    const api = server.requests.filter(({ path }) => path.startsWith('/api/'));
    expect(api.map(({ authorization }) => authorization)).toEqual(api.map(() => `token ${TOKEN}`));
    expect(api).toHaveLength(2);
  });
});

/** All names and contents below a folder, as one text. */
function everythingIn(folder: string): string {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .map((each) => {
      const path = join(each.parentPath, each.name);
      return path + (each.isFile() ? readFileSync(path, 'latin1') : '');
    })
    .join('\n');
}

describe('the cache', () => {
  test('gives the same document offline, and nothing is asked', async () => {
    const { server, user } = await serveVaried();
    const online = await user.run(['o/r']);
    const seen = watch(server);
    expect(await user.run(['o/r', '--offline'])).toEqual(online);
    expect(await user.run(['o/r', '--offline', '--ref', 'light'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'plimsoll: There is no folder o/r here. What is wanted of https://github.com/o/r is not in the cache: run it once without --offline.\n',
    });
    expect(seen()).toEqual([]);
    rmSync(user.cache, { recursive: true });
    expect(await user.run(['o/r', '--offline'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('is left alone with --no-cache, and nothing else is left', async () => {
    const { server, user } = await serveVaried();
    const { code, stdout } = await user.run(['o/r', '--no-cache']);
    expect(code).toBe(0);
    expect(readdirSync(user.home).sort()).toEqual(['here', 'temporary']);
    expect(readdirSync(join(user.home, 'temporary'))).toEqual([]);
    server.intercept = ({ host }) =>
      host === 'github.com' ? undefined : { kind: 'status', status: 404, body: 'x' };
    await user.run(['o/r', '--no-cache']);
    expect(readdirSync(join(user.home, 'temporary'))).toEqual([]);
    expect(stdout).toContain('value100');
  });

  test('may be filled by two processes at once', async () => {
    const { user } = await serveVaried();
    const [one, other] = await Promise.all([user.run(['o/r']), user.run(['o/r'])]);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(other).toEqual(one);
    expect(await user.run(['o/r', '--offline'])).toEqual(one);
  });
});
