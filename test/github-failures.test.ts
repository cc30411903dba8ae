import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { digest, type GitHubOptions as Options } from '../src/digest/digest.ts';
import type { PlimsollError } from '../src/errors.ts';
import { counted, type Run, User } from './github-runs.ts';
import { folderWith, git } from './repository.ts';
import type { GitHubOptions, GitHubServer, Intercept } from './servers/github.ts';
import { bareWith, serve, TOKEN } from './servers/github-fixture.ts';
import type { HostedRepository } from './servers/github-hosting.ts';
import { secondaryLimit } from './servers/github-refusals.ts';
import { listen } from './servers/listen.ts';

/** Lets the API fail; git is another matter. */
const api =
  (how: NonNullable<ReturnType<Intercept>>): Intercept =>
  ({ path }) =>
    path.startsWith('/api/') ? how : undefined;

const refusal = (message: string) => ({
  message,
  documentation_url: 'https://docs.github.com/rest',
  status: '403',
});

interface Failure {
  readonly repository?: Partial<HostedRepository> | 'none' | 'empty';
  readonly server?: GitHubOptions;
  readonly token?: string;
  /** Without git it is the API that has the last word. */
  readonly withoutGit?: true;
  readonly code: string;
  readonly says: RegExp;
}

const FAILURES: Readonly<Record<string, Failure>> = {
  'a token that is not valid': {
    token: 'wrong',
    code: 'UNAUTHORIZED',
    says: /does not accept the token \(Bad credentials\): renew it, or unset GITHUB_TOKEN and GH_TOKEN/,
  },
  'the hourly limit': {
    server: { limits: { anonymous: 0 } },
    withoutGit: true,
    code: 'RATE_LIMITED',
    says: /^The 0 requests an hour that 127\.0\.0\.1:\d+ allows are used up until \d\d:\d\d UTC\. With GITHUB_TOKEN set there are 5,000\.$/,
  },
  'the hourly limit of a token': {
    server: { limits: { authorized: 0 } },
    token: TOKEN,
    withoutGit: true,
    code: 'RATE_LIMITED',
    says: /are used up until \d\d:\d\d UTC\.$/,
  },
  'the secondary limit': {
    server: { intercept: api({ kind: 'status', ...secondaryLimit(90) }) },
    withoutGit: true,
    code: 'RATE_LIMITED',
    says: /too fast \(its secondary limit\): try again in 90 seconds\./,
  },
  'too many requests': {
    server: {
      intercept: api({
        kind: 'status',
        status: 429,
        body: refusal('Too many'),
        headers: { 'Retry-After': '77' },
      }),
    },
    withoutGit: true,
    code: 'RATE_LIMITED',
    says: /try again in 77 seconds\./,
  },
  'single sign-on': {
    repository: { sso: true },
    token: TOKEN,
    code: 'FORBIDDEN',
    says: /wants the token authorized for single sign-on: open https:\/\/github\.com\/orgs\/o\/sso\?authorization_request=y$/,
  },
  'another refusal': {
    server: {
      intercept: api({
        kind: 'status',
        status: 403,
        body: refusal('Resource not accessible by personal access token'),
      }),
    },
    code: 'FORBIDDEN',
    says: /refuses to show o\/r \(Resource not accessible by personal access token\): set GITHUB_TOKEN if you have access to it\.$/,
  },
  'no such repository': {
    repository: 'none',
    code: 'REPOSITORY_NOT_FOUND',
    says: /shows no repository o\/r: it does not exist, or it is private, .*Check the spelling; for a private one set GITHUB_TOKEN\.$/,
  },
  'no such repository for a token': {
    repository: 'none',
    token: TOKEN,
    code: 'REPOSITORY_NOT_FOUND',
    says: /shows no repository o\/r to this token: it does not exist, or it is private and the token has no access\./,
  },
  'a private repository': {
    repository: { facts: { private: true } },
    code: 'REPOSITORY_NOT_FOUND',
    says: /set GITHUB_TOKEN/,
  },
  'an empty repository': {
    repository: 'empty',
    code: 'NO_COMMIT',
    says: /^o\/r has no commit yet: push one to it\.$/,
  },
  'an empty repository, without git': {
    repository: 'empty',
    withoutGit: true,
    code: 'NO_COMMIT',
    says: /^o\/r has no commit yet: push one to it\.$/,
  },
  'a repository that was taken down': {
    repository: { blocked: true },
    code: 'BLOCKED',
    says: /^o\/r is not available for legal reasons \(451\): 127\.0\.0\.1:\d+ has blocked it\. See https:\/\/\P{Cc}+$/u,
  },
  'a host that fails however often it is asked': {
    server: { intercept: api({ kind: 'status', status: 500, body: refusal('Server Error') }) },
    code: 'HOST_FAILED',
    says: /failed \(500\) though asked several times: try again later\.$/,
  },
  'a host that talks nonsense': {
    server: {
      intercept: api({
        kind: 'status',
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: 'null',
      }),
    },
    code: 'HOST_FAILED',
    says: /gave an answer that is none of GitHub's/,
  },
  'a host that breaks off': {
    server: { intercept: api({ kind: 'cut', afterBytes: 10 }) },
    code: 'HOST_FAILED',
    says: /ended the connection before its answer was whole: try again\.$/,
  },
  'a host that is silent': {
    server: { intercept: api({ kind: 'stall' }) },
    code: 'HOST_SILENT',
    says: /did not answer for 1 second: try again, or give it longer with --timeout\.$/,
  },
  'a host that falls silent': {
    server: { intercept: api({ kind: 'stall', afterBytes: 10 }) },
    code: 'HOST_SILENT',
    says: /did not answer for 1 second: try again, or give it longer with --timeout\.$/,
  },
};

async function start({ repository = {}, server: options }: Failure): Promise<GitHubServer> {
  const path = repository === 'empty' ? emptyRepository() : bareWith({ 'README.md': '# R\n' });
  const hosted = typeof repository === 'string' ? { path } : { path, ...repository };
  return serve(repository === 'none' ? {} : { 'o/r': hosted }, options);
}

function emptyRepository(): string {
  const path = folderWith({});
  git(path, 'init', '-q', '--bare', '-b', 'main');
  return path;
}

async function errorOf(url: string, github: Options, timeout: number): Promise<PlimsollError> {
  try {
    await digest(url, { remote: { github, timeout } });
  } catch (error) {
    return error as PlimsollError;
  }
  throw new Error('it did not fail');
}

/** One line, what happened and what to do, and nothing else. */
function expectLine({ code, stdout, stderr }: Run, says: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^plimsoll: \P{Cc}+\n$/u);
  expect(stderr.slice('plimsoll: '.length).trimEnd()).toMatch(says);
}

describe('what keeps a repository from being read', () => {
  test('is told in one line', { timeout: 60_000 }, async () => {
    await Promise.all(
      Object.entries(FAILURES).map(async ([name, failure]) => {
        const { token, withoutGit, code, says } = failure;
        const timeout = code === 'HOST_SILENT' ? 1 : 30;
        const server = await start(failure);
        const user = new User();
        const [run, error] = await Promise.all([
          user.run([`${server.url}/o/r`, '--timeout', String(timeout)], {
            PLIMSOLL_GITHUB_API: `${server.url}/api/v3`,
            ...(token && { GITHUB_TOKEN: token }),
            ...(withoutGit && { PATH: folderWith({}) }),
          }),
          withoutGit
            ? undefined
            : errorOf(`${server.url}/o/r`, { api: `${server.url}/api/v3`, token }, timeout),
        ]);
        expectLine(run, says);
        if (token) expect(run.stderr).not.toContain(token);
        if (!error) return;
        expect([name, error.code]).toEqual([name, code]);
        expect(error.message).toMatch(says);
      }),
    );
  });
});

describe('the limit', () => {
  const read = async (options: GitHubOptions) => {
    const server = await serve({ 'o/r': { path: bareWith({ 'README.md': '# R\n' }) } }, options);
    const env = { PLIMSOLL_GITHUB_API: `${server.url}/api/v3` };
    const run = await new User().run([`${server.url}/o/r`], env);
    return { server, ...run };
  };

  test('is no obstacle where git gives the repository, and a warning says so', async () => {
    const primary = await read({ limits: { anonymous: 0 } });
    expect(primary).toMatchObject({ code: 0, stdout: expect.stringContaining('# R\n') });
    expect(primary.stderr).toMatch(
      /^plimsoll: warning: The 0 requests an hour .* are used up until \d\d:\d\d UTC\. .* The repository was read by git instead\.\n$/,
    );
    const secondary = await read({ intercept: api({ kind: 'status', ...secondaryLimit(60) }) });
    expect(secondary).toMatchObject({ code: 0, stdout: expect.stringContaining('# R\n') });
    expect(secondary.stderr).toMatch(
      /^plimsoll: warning: .* try again in 60 seconds\. The repository was read by git instead\.\n$/,
    );
  });

  test('of requests at once is waited for where that is soon over', async () => {
    let refusals = 0;
    const { server, code, stderr } = await read({
      intercept: ({ path }) =>
        path === '/api/v3/repos/o/r' && refusals++ === 0
          ? { kind: 'status', ...secondaryLimit(1) }
          : undefined,
    });
    expect({ code, stderr, refusals }).toEqual({ code: 0, stderr: '', refusals: 2 });
    expect(counted(server.requests)).toHaveLength(2);
  });
});

describe('the network', () => {
  async function closedPort(): Promise<number> {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  test('that is not there is told of: no host, no name, no proxy, no trust', async () => {
    const port = await closedPort();
    const server = await serve({ 'o/r': { path: bareWith({ 'README.md': '# R\n' }) } });
    const { NODE_EXTRA_CA_CERTS: _, ...untrusted } = server.env;
    const proxy = `http://user:hunter2@127.0.0.1:${port}`;
    const address = (origin: string) =>
      [`${origin}/o/r`, { PLIMSOLL_GITHUB_API: `${origin}/api/v3` }] as const;
    const attempts: readonly [string, NodeJS.ProcessEnv, RegExp][] = [
      [
        ...address(`http://127.0.0.1:${port}`),
        /^127\.0\.0\.1:\d+ can't be reached \(ECONNREFUSED\): check the network, or use --offline/,
      ],
      [
        ...address('http://nowhere.invalid'),
        /^nowhere\.invalid can't be found: check the network, or set HTTPS_PROXY where a proxy is needed\.$/,
      ],
      [
        'https://github.com/o/r',
        { HTTPS_PROXY: proxy },
        /^api\.github\.com can't be reached through the proxy that HTTPS_PROXY names \(ECONNREFUSED\): check the network/,
      ],
      [
        'https://ghe.example.com/o/r',
        { ...server.env, PLIMSOLL_GITHUB_API: 'https://ghe.example.com/api/v3' },
        /^ghe\.example\.com can't be reached through the proxy that HTTPS_PROXY names .*: check the network/,
      ],
      [
        'https://github.com/o/r',
        untrusted,
        /^There is no secure connection to api\.github\.com.*: its certificate is not trusted here\. See NODE_EXTRA_CA_CERTS\.$/,
      ],
    ];
    await Promise.all(
      attempts.map(async ([url, env, says]) => {
        const run = await new User().run([url, '--timeout', '10'], env);
        expectLine(run, says);
        expect(run.stderr).not.toContain('hunter2');
      }),
    );
    expect(server.strayConnects).toContain('ghe.example.com:443');
  });
});
