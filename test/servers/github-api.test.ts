import { once } from 'node:events';
import { type IncomingMessage, request as startRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, git } from '../repository.ts';
import { serveGitHub } from './github.ts';
import { ask, bareWith, json, richRepository, serve, WITH_TOKEN } from './github-fixture.ts';

const NOT_THERE = 'f'.repeat(40);

function emptyRepository(): string {
  const path = folderWith({});
  git(path, 'init', '-q', '--bare', '-b', 'main');
  return path;
}

test('a repository’s facts are those of any repository, but for what the test says', async () => {
  const facts = { description: 'A thing', topics: ['x'], archived: true, language: 'C' };
  const server = await serve({
    'o/r': { path: bareWith({}), facts },
    'o/fork': { path: bareWith({}), parent: 'o/r' },
  });
  expect(await json(server, '/repos/o/r')).toMatchObject({
    status: 200,
    body: {
      ...facts,
      full_name: 'o/r',
      default_branch: 'main',
      private: false,
      fork: false,
      owner: { login: 'o' },
    },
  });
  expect((await json(server, '/repos/o/fork')).body).toMatchObject({
    fork: true,
    parent: { full_name: 'o/r', description: 'A thing' },
    source: { full_name: 'o/r' },
  });
});

test('names are found whatever their case', async () => {
  const server = await serve({ 'Owner/Repo': { path: bareWith({}) } });
  expect((await json(server, '/repos/owner/repo')).body).toMatchObject({ full_name: 'Owner/Repo' });
});

test('a tree has its entries, folders before what is in them', async () => {
  const path = richRepository();
  const server = await serve({ 'o/r': { path } });
  const url = `${server.url}/api/v3/repos/o/r/git`;
  const id = (name: string) => git(path, 'rev-parse', `main:${name}`);
  const blob = (name: string, size: number, mode = '100644') => {
    return { path: name, mode, type: 'blob', sha: id(name), size, url: `${url}/blobs/${id(name)}` };
  };
  const tree = (name: string) => {
    return { path: name, mode: '040000', type: 'tree', sha: id(name), url: `${url}/trees/${id(name)}` };
  };
  const commit = git(path, 'rev-parse', 'main');
  expect(await json(server, '/repos/o/r/git/trees/main?recursive=1')).toEqual({
    status: 200,
    body: {
      sha: commit,
      url: `${url}/trees/${commit}`,
      truncated: false,
      tree: [
        blob('README.md', 7),
        blob('link', 9, '120000'),
        tree('src'),
        blob('src/a b.ts', 1),
        tree('src/deep'),
        blob('src/deep/é.txt', 3),
        { path: 'sub', mode: '160000', type: 'commit', sha: '1'.repeat(40) },
      ],
    },
  });
});

test('a tree is named by a branch, a tag, a commit, a tree, and by a path within', async () => {
  const path = richRepository();
  const server = await serve({ 'o/r': { path } });
  const commit = git(path, 'rev-parse', 'main');
  const root = git(path, 'rev-parse', 'main^{tree}');
  const src = git(path, 'rev-parse', 'main:src');
  const shown = async (name: string) => {
    const { body } = await json(server, `/repos/o/r/git/trees/${name}`);
    const { sha, tree } = body as { sha: string; tree: { path: string }[] };
    return { sha, paths: tree.map((entry) => entry.path).join(' ') };
  };
  const whole = 'README.md link src sub';
  expect(await shown('main')).toEqual({ sha: commit, paths: whole });
  expect(await shown('v1')).toEqual({ sha: commit, paths: whole });
  expect(await shown(commit)).toEqual({ sha: commit, paths: whole });
  expect(await shown(commit.slice(0, 8))).toEqual({ sha: commit, paths: whole });
  expect(await shown(root)).toEqual({ sha: root, paths: whole });
  expect(await shown('feature/x')).toMatchObject({ paths: 'README.md link src' });
  expect(await shown('feature%2Fx:src')).toEqual({ sha: src, paths: 'a b.ts deep' });
  expect((await json(server, '/repos/o/r/git/trees/main:none')).status).toBe(404);
  expect((await json(server, '/repos/o/r/git/trees/none')).status).toBe(404);
  expect((await json(server, `/repos/o/r/git/trees/${NOT_THERE}`)).status).toBe(404);
});

test('a tree with more entries than one answer may have is truncated', async () => {
  const server = await serve({ 'o/r': { path: bareWith({ 'a/b/c': '', 'd/e': '' }) } }, { treeLimit: 3 });
  const tree = [{ path: 'a' }, { path: 'a/b' }, { path: 'a/b/c' }];
  expect((await json(server, '/repos/o/r/git/trees/main?recursive=1')).body).toMatchObject({
    truncated: true,
    tree,
  });
  expect((await json(server, '/repos/o/r/git/trees/main')).body).toMatchObject({ truncated: false });
});

test('a commit is found by whatever names it', async () => {
  const path = richRepository();
  const server = await serve({ 'o/r': { path } });
  const id = git(path, 'rev-parse', 'main');
  const person = { name: 'A', email: 'a@example.com', date: '2024-01-01T00:00:00Z' };
  expect(await json(server, '/repos/o/r/commits/main')).toMatchObject({
    status: 200,
    body: {
      sha: id,
      commit: { message: 'A submodule\n\nIt is empty.', author: person, committer: person },
      parents: [{ sha: git(path, 'rev-parse', 'main~1') }],
    },
  });
  const shaOf = async (name: string) => {
    const response = await ask(server, `/repos/o/r/commits/${name}`, {
      Accept: 'application/vnd.github.sha',
    });
    return response.text();
  };
  for (const name of ['HEAD', 'v1', 'light', 'tags/v1', 'heads/main', 'refs/tags/v1', id.slice(0, 7)]) {
    expect(await shaOf(name)).toBe(id);
  }
  expect(await shaOf('feature/x')).toBe(git(path, 'rev-parse', 'main~1'));
  expect(await shaOf('pull/1/head')).toBe(git(path, 'rev-parse', 'main~2'));
});

test.each(['none', 'a/b', NOT_THERE, 'main~1'])('no commit is named %s', async (name) => {
  const server = await serve({ 'o/r': { path: bareWith({}) } });
  expect(await json(server, `/repos/o/r/commits/${name}`)).toMatchObject({
    status: 422,
    body: { message: `No commit found for SHA: ${name}` },
  });
});

test('an empty repository has facts, and nothing else', async () => {
  const server = await serve({ 'o/r': { path: emptyRepository() } });
  expect((await json(server, '/repos/o/r')).status).toBe(200);
  const empty = { status: 409, body: { message: 'Git Repository is empty.' } };
  expect(await json(server, '/repos/o/r/commits/main')).toMatchObject(empty);
  expect(await json(server, '/repos/o/r/git/trees/main')).toMatchObject(empty);
  expect(await json(server, '/repos/o/r/git/matching-refs/heads/main')).toMatchObject(empty);
  expect(await json(server, `/repos/o/r/git/blobs/${NOT_THERE}`)).toMatchObject(empty);
  expect(await json(server, '/repos/o/r/contents/')).toMatchObject({
    status: 404,
    body: { message: 'This repository is empty.' },
  });
});

test('refs are found by how they begin', async () => {
  const path = richRepository();
  const server = await serve({ 'o/r': { path } });
  const found = async (start: string) => (await json(server, `/repos/o/r/git/matching-refs/${start}`)).body;
  const commit = git(path, 'rev-parse', 'main~1');
  expect(await found('heads/feat')).toMatchObject([
    { ref: 'refs/heads/feature/x', object: { type: 'commit', sha: commit } },
  ]);
  expect(await found('tags/')).toMatchObject([
    { ref: 'refs/tags/light', object: { type: 'commit' } },
    { ref: 'refs/tags/v1', object: { type: 'tag', sha: git(path, 'rev-parse', 'v1') } },
  ]);
  expect(await found('heads/none')).toEqual([]);
});

const RAW = [
  'application/vnd.github.raw+json',
  'application/vnd.github.raw',
  'application/vnd.github.v3.raw',
];

test('a blob comes in base64, or as its bytes', async () => {
  const bytes = Buffer.from([0, 255, ...Buffer.alloc(100, 'x')]);
  const path = bareWith({ bytes, empty: '' });
  const server = await serve({ 'o/r': { path } });
  const id = git(path, 'rev-parse', 'main:bytes');
  const { status, body } = await json(server, `/repos/o/r/git/blobs/${id}`);
  const { content, ...rest } = body as { content: string };
  expect({ status, ...rest }).toMatchObject({ status: 200, sha: id, size: 102, encoding: 'base64' });
  expect(content.split('\n').map((line) => line.length)).toEqual([60, 60, 16, 0]);
  expect(Buffer.from(content, 'base64').equals(bytes)).toBe(true);
  for (const accept of RAW) {
    const response = await ask(server, `/repos/o/r/git/blobs/${id}`, { Accept: accept });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  }
  const empty = await json(server, `/repos/o/r/git/blobs/${git(path, 'rev-parse', 'main:empty')}`);
  expect(empty.body).toMatchObject({ size: 0, content: '' });
});

test('what is no blob, or one that is too large, is refused', async () => {
  const path = bareWith({ big: 'x'.repeat(3_000_000) });
  const server = await serve({ 'o/r': { path } }, { blobLimit: 2 * 1024 * 1024 });
  const statusOf = async (id: string) => (await json(server, `/repos/o/r/git/blobs/${id}`)).status;
  expect(await statusOf(NOT_THERE)).toBe(404);
  expect(await statusOf(git(path, 'rev-parse', 'main^{tree}'))).toBe(404);
  expect(await statusOf('main')).toBe(422);
  const tooLarge = {
    status: 403,
    body: { message: expect.stringContaining('up to 2 MB'), errors: [{ code: 'too_large' }] },
  };
  const big = git(path, 'rev-parse', 'main:big');
  expect(await json(server, `/repos/o/r/git/blobs/${big}`)).toMatchObject(tooLarge);
  expect(await json(server, `/repos/o/r/git/blobs/${big}`, { Accept: RAW[0] as string })).toMatchObject(
    tooLarge,
  );
  expect(await json(server, '/repos/o/r/contents/big')).toMatchObject(tooLarge);
});

test('contents are those of a file, up to 1 MB', async () => {
  const big = 'x'.repeat(1024 * 1024 + 1);
  const server = await serve({ 'o/r': { path: bareWith({ 'a b/é.txt': 'é\n', big }) } });
  const at = (path: string, headers = {}) => json(server, `/repos/o/r/contents/${path}`, headers);
  expect(await at('a%20b/%C3%A9.txt')).toMatchObject({
    status: 200,
    body: { type: 'file', path: 'a b/é.txt', name: 'é.txt', size: 3, encoding: 'base64', content: 'w6kK\n' },
  });
  expect((await at('big')).body).toMatchObject({ size: big.length, encoding: 'none', content: '' });
  expect(await at('none')).toMatchObject({ status: 404, body: { message: 'Not Found' } });
  const raw = await ask(server, '/repos/o/r/contents/big?ref=main', { Accept: RAW[0] as string });
  expect(await raw.text()).toBe(big);
});

test('contents of a folder are a list', async () => {
  const server = await serve({ 'o/r': { path: richRepository() } });
  const at = (path: string) => json(server, `/repos/o/r/contents/${path}`);
  expect((await at('')).body).toMatchObject([
    { path: 'README.md', type: 'file' },
    { path: 'link', type: 'symlink' },
    { path: 'src', type: 'dir' },
    { path: 'sub', type: 'file', size: 0, git_url: null },
  ]);
  expect((await at('src/?ref=feature/x')).body).toMatchObject([
    { path: 'src/a b.ts', type: 'file' },
    { path: 'src/deep', type: 'dir' },
  ]);
  expect(await at('?ref=none')).toMatchObject({
    status: 404,
    body: { message: 'No commit found for the ref none' },
  });
});

test('what is not modelled is a violation', async () => {
  const server = await serveGitHub({ 'o/r': { path: richRepository() } });
  onTestFinished(() => server.close());
  expect((await ask(server, '/repos/o/r/languages')).status).toBe(404);
  expect((await ask(server, '/repos/o/r/contents/link')).status).toBe(500);
  expect(server.violations).toEqual([
    'GET /repos/o/r/languages: not modelled',
    'GET /api/v3/repos/o/r/contents/link: not modelled',
  ]);
});

test('facts that GitHub could not give are a violation', async () => {
  const server = await serveGitHub({ 'o/r': { path: bareWith({}), facts: { homepage: 'no address' } } });
  onTestFinished(() => server.close());
  await ask(server, '/repos/o/r');
  expect(server.violations).toEqual([
    expect.stringContaining('GET /repos/{owner}/{repo} 200: body/homepage must be null'),
  ]);
});

test('a renamed repository is found where its id is', async () => {
  const server = await serve(
    { 'new/name': { path: bareWith({ a: '' }) } },
    { renamed: { 'old/name': 'new/name' } },
  );
  const moved = await ask(server, '/repos/old/name/git/trees/main?recursive=1');
  const target = `${server.url}/api/v3/repositories/1001/git/trees/main?recursive=1`;
  expect(moved.status).toBe(301);
  expect(moved.headers.get('location')).toBe(target);
  expect(await moved.json()).toMatchObject({ message: 'Moved Permanently', url: target });
  const found = await fetch(target);
  expect(await found.json()).toMatchObject({ tree: [{ path: 'a' }] });
  expect((await json(server, '/repositories/1001')).body).toMatchObject({ full_name: 'new/name' });
  expect((await json(server, '/repositories/1')).status).toBe(404);
});

test('a private repository is only there for who has a token', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}), facts: { private: true } } });
  expect(await json(server, '/repos/o/r')).toMatchObject({ status: 404, body: { message: 'Not Found' } });
  expect(await json(server, '/repos/o/r', WITH_TOKEN)).toMatchObject({
    status: 200,
    body: { private: true, visibility: 'private' },
  });
});

test('a token that is not valid is refused', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}) } });
  expect(await json(server, '/repos/o/r', { Authorization: 'Bearer wrong' })).toMatchObject({
    status: 401,
    body: { message: 'Bad credentials' },
  });
});

test('single sign-on keeps tokens out', async () => {
  const server = await serve({ 'org/r': { path: bareWith({}), sso: true } });
  const refused = await ask(server, '/repos/org/r', WITH_TOKEN);
  expect(refused.status).toBe(403);
  expect(refused.headers.get('x-github-sso')).toBe(
    'required; url=https://github.com/orgs/org/sso?authorization_request=y',
  );
  expect((await ask(server, '/repos/org/r')).status).toBe(200);
});

test('a repository that is taken down says why', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}), blocked: true } });
  expect(await json(server, '/repos/o/r')).toMatchObject({
    status: 451,
    body: { message: 'Repository access blocked', block: { reason: 'dmca' } },
  });
});

test('who does not say what program asks is refused', async () => {
  const server = await serve({ 'o/r': { path: bareWith({}) } });
  const request = startRequest(`${server.url}/api/v3/repos/o/r`).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(403);
});
