import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProxyAgent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, git } from '../repository.ts';
import { type GitHubServer, serveGitHub } from './github.ts';
import { ask, bareWith, json, richRepository, serve, TOKEN } from './github-fixture.ts';
import { runGit } from './run-git.ts';

/** Asks a true host, through the proxy. */
async function askTrue(server: GitHubServer, url: string, headers: Record<string, string> = {}) {
  const agent = new ProxyAgent({
    uri: server.env.HTTPS_PROXY as string,
    requestTls: { ca: readFileSync(server.env.NODE_EXTRA_CA_CERTS as string) },
  });
  onTestFinished(() => agent.close());
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(url, {
    dispatcher: agent,
    headers: { 'User-Agent': 'tests', ...headers },
  });
  return { status: statusCode, headers: answered, text: await body.text() };
}

test('the API answers under its true name, with addresses of that name', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}) } });
  const { status, text } = await askTrue(server, 'https://api.github.com/repos/o/r');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    url: 'https://api.github.com/repos/o/r',
    html_url: 'https://github.com/o/r',
  });
  expect(server.requests).toEqual([
    { host: 'api.github.com', method: 'GET', path: '/repos/o/r', status: 200, counted: true },
  ]);
});

test('a child process comes here by its environment alone', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}) } });
  const program = `
    import { EnvHttpProxyAgent, request } from 'undici';
    const dispatcher = new EnvHttpProxyAgent();
    const headers = { 'User-Agent': 'tests', Authorization: 'Bearer ${TOKEN}' };
    const { body } = await request('https://api.github.com/repos/o/r', { dispatcher, headers });
    console.log((await body.json()).full_name);
    await dispatcher.close();`;
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...server.env },
  });
  expect(run).toEqual({ stdout: 'o/r\n', stderr: '' });
  expect(server.requests).toMatchObject([{ host: 'api.github.com', authorization: `Bearer ${TOKEN}` }]);
});

test('no other host is reached', async () => {
  const server = await serve({});
  const program = `
    import { EnvHttpProxyAgent, request } from 'undici';
    await request('https://example.com/', { dispatcher: new EnvHttpProxyAgent() });`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...server.env },
  });
  await expect(run).rejects.toThrow('502');
  const plain = startRequest(server.env.HTTPS_PROXY as string, { path: 'http://example.com/x' }).end();
  const [response] = (await once(plain, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(502);
  expect(server.strayConnects).toEqual(['example.com:443', 'http://example.com/x']);
  expect(server.requests).toEqual([]);
});

test('git clones, and fetches in part, from github.com', async () => {
  const path = richRepository();
  const server = await serve({ 'o/r': { path } });
  const whole = join(folderWith({}), 'x');
  const part = folderWith({});
  git(part, 'init', '-q');
  const clone = await runGit(['clone', '-q', 'https://github.com/o/r.git', whole], server.env);
  expect(clone).toMatchObject({ status: 0, errors: '' });
  expect(git(whole, 'rev-parse', 'HEAD')).toBe(git(path, 'rev-parse', 'main'));
  const filtered = ['--depth=1', '--filter=blob:none', 'https://github.com/o/r', 'v1'];
  await runGit(['-C', part, 'fetch', '-q', ...filtered], server.env);
  expect(git(part, 'rev-list', '--objects', '--missing=print', 'FETCH_HEAD')).toContain('?');
  expect(server.requests.every(({ host, counted }) => host === 'github.com' && !counted)).toBe(true);
  expect(git(path, 'config', '--get-regexp', '.*').includes('uploadpack')).toBe(false);
});

test('git under the server’s own address', async () => {
  const server = await serve({ 'o/r': { path: richRepository() } });
  expect((await runGit(['ls-remote', `${server.url}/o/r.git`])).output).toContain('refs/pull/1/head');
});

test('git is only told of a private repository with a token', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}), facts: { private: true } } });
  const list = async (address: string) => runGit(['ls-remote', `https://${address}`], server.env);
  expect((await list('github.com/o/r.git')).errors).toContain('could not read Username');
  expect((await list('github.com/o/none.git')).errors).toContain('could not read Username');
  expect((await list('x:wrong@github.com/o/r.git')).errors).toContain('Authentication failed');
  expect((await list(`x-access-token:${TOKEN}@github.com/o/r.git`)).output).toContain('refs/heads/main');
  expect((await list(`${TOKEN}:@github.com/o/r.git`)).output).toContain('refs/heads/main');
  expect((await list(`x:${TOKEN}@github.com/o/none.git`)).errors).toContain('not found');
});

test('git follows a renamed repository, and is refused what is taken down', async () => {
  const server = await serve(
    { 'new/name': { path: bareWith({}) }, 'o/r': { path: bareWith({}), blocked: true } },
    { renamed: { 'old/name': 'new/name' } },
  );
  const list = (name: string) => runGit(['ls-remote', `https://github.com/${name}`], server.env);
  expect((await list('old/name.git')).output).toContain('refs/heads/main');
  expect((await list('o/r.git')).errors).toContain('403');
});

test('www.github.com leads to github.com', async () => {
  const server = await serve({});
  expect(await askTrue(server, 'https://www.github.com/o/r?x')).toMatchObject({
    status: 301,
    headers: { location: 'https://github.com/o/r?x' },
  });
});

test('raw files are served by name, and count for nothing', async () => {
  const server = await serve({ 'o/r': { path: richRepository() } });
  const at = (path: string, headers = {}) =>
    askTrue(server, `https://raw.githubusercontent.com/o/r/${path}`, headers);
  const first = await at('main/src/deep/%C3%A9.txt');
  expect(first).toMatchObject({
    status: 200,
    text: 'é\n',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
  expect(await at('feature/x/src/a%20b.ts?token=x')).toMatchObject({ status: 200, text: 'a' });
  expect(await at('refs/heads/main/link')).toMatchObject({ status: 200, text: 'README.md' });
  expect(await at('main/src')).toMatchObject({ status: 404, text: '404: Not Found' });
  expect(await at('main')).toMatchObject({ status: 404 });
  const again = await at('main/src/deep/%C3%A9.txt', { 'If-None-Match': String(first.headers.etag) });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect(server.requests.some(({ counted }) => counted)).toBe(false);
});

test('raw files of a private repository need a token', async () => {
  const server = await serve({ 'o/r': { path: bareWith({ a: 'alpha' }), facts: { private: true } } });
  const url = 'https://raw.githubusercontent.com/o/r/main/a';
  expect(await askTrue(server, url)).toMatchObject({ status: 404 });
  expect(await askTrue(server, url, { Authorization: `token ${TOKEN}` })).toMatchObject({ text: 'alpha' });
});

test('answers are compressed for those who take that', async () => {
  const server = await serve({ 'o/r': { path: bareWith({ a: 'alpha' }) } });
  const gzip = { 'Accept-Encoding': 'gzip, br' };
  const encodingOf = async (url: string, headers = {}) => {
    return (await askTrue(server, url, headers)).headers['content-encoding'];
  };
  for (const url of ['https://api.github.com/repos/o/r', 'https://raw.githubusercontent.com/o/r/main/a']) {
    expect(await encodingOf(url, gzip)).toBe('gzip');
    expect(await encodingOf(url)).toBeUndefined();
  }
});

test('some requests fail, and then all is well', async () => {
  const server = await serve({ 'o/r': { path: bareWith({ a: 'alpha' }) } });
  let failures = 2;
  server.intercept = ({ path }) => {
    if (failures === 0 || !path.includes('/git/trees/')) return undefined;
    failures -= 1;
    return { kind: 'status', status: 502, body: { message: 'Server Error' }, headers: { 'X-Test': 'yes' } };
  };
  const failed = await ask(server, '/repos/o/r/git/trees/main');
  expect([failed.status, failed.headers.get('x-test')]).toEqual([502, 'yes']);
  expect((await ask(server, '/repos/o/r')).status).toBe(200);
  expect((await ask(server, '/repos/o/r/git/trees/main')).status).toBe(502);
  expect((await ask(server, '/repos/o/r/git/trees/main')).status).toBe(200);
  expect(server.requests.map(({ status, counted }) => [status, counted])).toEqual([
    [502, false],
    [200, true],
    [502, false],
    [200, true],
  ]);
});

test('another answer may be any that GitHub could give, or none of its own', async () => {
  const tree = [{ path: '../x', mode: '100644', type: 'blob', sha: 'f'.repeat(40), size: 1 }];
  const body = { sha: 'f'.repeat(40), truncated: false, tree };
  const server = await serve({}, { intercept: () => ({ kind: 'status', status: 200, body }) });
  expect(await json(server, '/repos/o/r/git/trees/main')).toEqual({ status: 200, body });
  server.intercept = () => ({ kind: 'status', status: 200, body: '<html>' });
  expect(await (await ask(server, '/repos/o/r/git/trees/main')).text()).toBe('<html>');
});

test('another answer that GitHub could not give is a violation', async () => {
  const server = await serveGitHub(
    {},
    { intercept: () => ({ kind: 'status', status: 200, body: { tree: [] } }) },
  );
  onTestFinished(() => server.close());
  await ask(server, '/repos/o/r/git/trees/main');
  expect(server.violations).toEqual([expect.stringContaining("must have required property 'sha'")]);
});

test('faults hit git and raw files too', async () => {
  const server = await serve({ 'o/r': { path: bareWith({ a: 'x'.repeat(100) }) } });
  server.intercept = () => ({ kind: 'cut', afterBytes: 20 });
  await expect(askTrue(server, 'https://raw.githubusercontent.com/o/r/main/a')).rejects.toThrow();
  const cut = await runGit(['ls-remote', 'https://github.com/o/r.git'], server.env);
  expect(cut.status).not.toBe(0);
  server.intercept = () => ({ kind: 'status', status: 500 });
  expect((await runGit(['ls-remote', 'https://github.com/o/r.git'], server.env)).errors).toContain('500');
});

test('closing cuts off clients that wait, also those that came by the proxy', async () => {
  const server = await serveGitHub({}, { intercept: () => ({ kind: 'stall' }) });
  const waiting = [
    fetch(`${server.url}/api/v3/rate_limit`),
    askTrue(server, 'https://api.github.com/rate_limit'),
  ].map((each) => each.then(() => 'answered').catch(() => 'cut off'));
  await expect.poll(() => server.requests.length).toBe(2);
  const idle = connect(Number(new URL(server.env.HTTPS_PROXY as string).port), '127.0.0.1');
  await new Promise((resolve) => idle.once('connect', resolve));
  await server.close();
  expect(await Promise.all(waiting)).toEqual(['cut off', 'cut off']);
});

test('servers stand side by side', async () => {
  const [one, other] = await Promise.all([
    serve({ 'o/r': { path: bareWith({}), facts: { description: 'one' } } }),
    serve({ 'o/r': { path: bareWith({}), facts: { description: 'other' } } }),
  ]);
  expect((await json(one, '/repos/o/r')).body).toMatchObject({ description: 'one' });
  expect((await json(other, '/repos/o/r')).body).toMatchObject({ description: 'other' });
});
