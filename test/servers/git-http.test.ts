import { execFileSync } from 'node:child_process';
import { request as startRequest } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, git } from '../repository.ts';
import { rootWith } from './bare.ts';
import { allowFilter, type GitHttpOptions, type GitHttpServer, serveGit } from './git-http.ts';
import { runGit } from './run-git.ts';

async function serve(root: string, options?: GitHttpOptions): Promise<GitHttpServer> {
  const server = await serveGit(root, options);
  onTestFinished(() => server.close());
  return server;
}

test('a repository is cloned, by the protocol that the client asks for', async () => {
  const { url, requests } = await serve(rootWith('group/x.git', { 'a b': 'alpha\n' }));
  const target = join(folderWith({}), 'x');
  const clone = await runGit(['clone', '-q', `${url}/group/x.git`, target]);
  expect(clone).toMatchObject({ status: 0, errors: '' });
  expect(git(target, 'show', 'HEAD:a b')).toBe('alpha');
  expect(requests[0]).toMatchObject({
    method: 'GET',
    url: '/group/x.git/info/refs?service=git-upload-pack',
    headers: { 'git-protocol': 'version=2' },
  });
});

test('what is not below the folder is not there', async () => {
  const { url } = await serve(rootWith('x.git', {}));
  const run = await runGit(['ls-remote', `${url}/y.git`]);
  expect(run.errors).toContain('not found');
});

test('only the right user and password are let in', async () => {
  const { url, requests } = await serve(rootWith('x.git', {}), { auth: { user: 'ann', password: 'p:w' } });
  const address = (credentials: string) => `${url.replace('//', `//${credentials}`)}/x.git`;
  expect((await runGit(['ls-remote', address('')])).errors).toContain('could not read Username');
  expect((await runGit(['ls-remote', address('ann:wrong@')])).errors).toContain('Authentication failed');
  expect((await runGit(['ls-remote', address('ann:p%3Aw@')])).output).toContain('refs/heads/main');
  expect(requests.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('ann:p:w').toString('base64')}`);
});

test.each([true, false])('a partial clone is served if the repository says so: %s', async (allowed) => {
  const root = rootWith('x.git', { a: 'alpha\n' });
  allowFilter(join(root, 'x.git'), allowed);
  const { url } = await serve(root);
  const target = folderWith({});
  git(target, 'init', '-q');
  const filtered = ['--depth=1', '--filter=blob:none', `${url}/x.git`, 'main'];
  const fetch = await runGit(['-C', target, 'fetch', '-q', ...filtered]);
  expect(fetch.status).toBe(0);
  const present = git(target, 'rev-list', '--objects', '--missing=print', 'FETCH_HEAD');
  expect(present.includes('?')).toBe(allowed);
});

test('an object is served by its id alone', async () => {
  const root = rootWith('x.git', { a: 'alpha\n' });
  allowFilter(join(root, 'x.git'), true);
  const { url } = await serve(root);
  const id = git(join(root, 'x.git'), 'rev-parse', 'HEAD:a');
  const target = folderWith({});
  git(target, 'init', '-q');
  await runGit(['-C', target, 'fetch', '-q', `${url}/x.git`, id]);
  expect(git(target, 'cat-file', 'blob', id)).toBe('alpha');
});

test('request bodies may be compressed, and may come in chunks', async () => {
  const root = rootWith('x.git', {});
  const commits = Array.from({ length: 1500 }, (_, at) => {
    const head = `commit refs/heads/b${at}\ncommitter A <a@example.com> ${at} +0000\n`;
    return `${head}data 1\nx\n`;
  });
  execFileSync('git', ['-C', join(root, 'x.git'), 'fast-import', '--quiet'], { input: commits.join('') });
  const { url, requests } = await serve(root);
  const bodies = async (...settings: string[]) => {
    const before = requests.length;
    const clone = await runGit([
      ...settings,
      'clone',
      '-q',
      '--bare',
      `${url}/x.git`,
      join(folderWith({}), 'y'),
    ]);
    expect(clone).toMatchObject({ status: 0, errors: '' });
    return requests.slice(before).map(({ headers }) => headers);
  };
  expect(await bodies()).toContainEqual(expect.objectContaining({ 'content-encoding': 'gzip' }));
  expect(await bodies('-c', 'http.postBuffer=65536')).toContainEqual(
    expect.objectContaining({ 'transfer-encoding': 'chunked' }),
  );
});

test('a hook answers in the place of git', async () => {
  let failures = 1;
  const { url, requests } = await serve(rootWith('x.git', {}), {
    hook: (_request, response) => {
      if (failures === 0) return false;
      failures -= 1;
      response.writeHead(500).end();
      return true;
    },
  });
  expect((await runGit(['ls-remote', `${url}/x.git`])).errors).toContain('500');
  expect((await runGit(['ls-remote', `${url}/x.git`])).status).toBe(0);
  expect(requests.length).toBeGreaterThan(2);
});

test('closing cuts off clients that wait', async () => {
  const server = await serveGit(rootWith('x.git', {}), { hook: () => true });
  const request = startRequest(server.url).end();
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => request.once('error', resolve));
  await expect.poll(() => server.requests.length).toBe(1);
  await server.close();
  expect((await failed).code).toBe('ECONNRESET');
});
