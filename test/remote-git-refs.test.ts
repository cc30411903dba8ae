import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import { cloneOf, failureOf, newCache, servePartly, withoutUserConfig } from './remote.ts';
import { folderWith, git } from './repository.ts';
import { allowFilter, type GitHttpServer, serveGit } from './servers/git-http.ts';
import { addCommit } from './varied-repository.ts';

withoutUserConfig();

/** The folder that is served, the address of the repository in it, and where that is on disk. */
let root: string;
let server: GitHttpServer;
let address: string;
let path: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-refs-'));
  path = join(root, 'o/r');
  makeRepository(path);
  server = await serveGit(root);
  address = `${server.url}/o/r`;
});

afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

function makeRepository(path: string): void {
  git(root, 'init', '-q', '--bare', '-b', 'main', path);
  allowFilter(path, true);
  addCommit(path, 'main', { 'README.md': '# Before\n' });
  git(path, 'branch', 'feature/x', 'main');
  git(path, 'tag', 'light', 'main');
  git(path, 'tag', '-a', '-m', 'A tag', 'annotated', 'main');
  addCommit(path, 'main', {
    'README.md': '# Now\n',
    'src/a.ts': 'export const a = 1;\n',
    'src/sub/.gitattributes': '*.snap linguist-generated\n',
    'src/sub/b.ts': 'export const b = 1;\n',
    'src/.gitignore': '*.log\n',
    'with space/a b.txt': 'spaces\n',
    '#?%20&.txt': 'what URLs are made of\n',
  });
  git(path, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
  const tree = git(path, 'write-tree');
  git(path, 'tag', 'with-module', git(path, 'commit-tree', '-m', 'x', tree));
  addCommit(path, 'feature/x', { 'sub/file.txt': 'on the branch\n', 'sub/deep/more.txt': 'more\n' });
}

describe('a ref', () => {
  test.each([
    ['a branch', () => 'main'],
    ['a branch with a slash', () => 'feature/x'],
    ['a light tag', () => 'light'],
    ['an annotated tag', () => 'annotated'],
    ['a full name', () => 'refs/heads/feature/x'],
    ['the commit that comes first', () => 'HEAD'],
    ["a tip's full id", () => git(path, 'rev-parse', 'main')],
    ["another commit's full id", () => git(path, 'rev-parse', 'main~1')],
    ["a tip's id in part", () => git(path, 'rev-parse', 'main').slice(0, 9)],
    ["a tag object's full id", () => git(path, 'rev-parse', 'annotated')],
  ])('may be %s', async (_, refOf) => {
    const ref = refOf();
    const { text, source } = await digest(address, { ref });
    expect(source).toMatchObject({ ref, commit: git(path, 'rev-parse', `${ref}^{commit}`) });
    expect(text).toBe(
      (await digest(cloneOf(path, address), { ref: localName(ref) })).text.replaceAll(localName(ref), ref),
    );
  });

  test.each([
    'nonsense',
    '',
    '-x',
    'main~1',
    'main:README.md',
    '+main',
    'a\0b',
    'a\nb',
    '0123456',
    'f'.repeat(40),
  ])('%j is none', async (ref) => {
    const { code, message } = await failureOf(digest(address, { ref }));
    expect(code).toBe('BAD_REF');
    expect(message).toMatch(
      /^[^\n]*(?:: name a branch|is no name of a branch), a tag or a commit[^\n]*$|^[^\n]*name a branch or a tag[^\n]*$/,
    );
  });

  test.each(['main^{tree}', 'main:README.md'])('may not be a tag of %s, nor its id', async (object) => {
    const root = folderWith({});
    const path = join(root, 'r');
    makeRepository(path);
    git(path, 'tag', 'light-one', object);
    git(path, 'tag', '-a', '-m', 'x', 'annotated-one', object);
    const { url } = await servePartly(root, path);
    const cache = newCache();
    for (const ref of ['light-one', 'annotated-one', git(path, 'rev-parse', object)]) {
      const { code, message } = await failureOf(digest(`${url}/r`, { ref, remote: { cache } }));
      expect(code).toBe('BAD_REF');
      expect(message).toContain(`${ref} in ${url}/r is no commit`);
    }
    expect((await digest(`${url}/r`, { remote: { cache } })).source.ref).toBe('main');
  });

  test('stands for the commit that a branch has got to, also while it is asked for', async () => {
    const root = folderWith({});
    const path = join(root, 'r');
    makeRepository(path);
    let asked = 0;
    const { url } = await servePartly(root, path, {
      hook: ({ method }) => {
        if (method === 'POST' && ++asked === 2) addCommit(path, 'main', { 'README.md': '# Just now\n' });
        return false;
      },
    });
    const { text, source } = await digest(`${url}/r`);
    expect(source.commit).toBe(git(path, 'rev-parse', 'main'));
    expect(text).toContain('# Just now');
  });
});

/** What a clone with the branches of its origin calls it. */
function localName(ref: string): string {
  return ref.replace(/^(?:refs\/heads\/)?(?=feature\/)/, 'origin/');
}

describe('an address of a page', () => {
  test.each([
    ['/tree/feature/x/sub', 'feature/x', 'sub', 'file.txt'],
    ['/-/tree/feature/x/sub/', 'feature/x', 'sub', 'file.txt'],
    ['/src/branch/feature/x/sub/deep', 'feature/x', 'sub/deep', 'more.txt'],
    ['/-/tree/main/with%20space', 'main', 'with space', 'a b.txt'],
    ['/-/blob/main/src/a.ts', 'main', 'src', 'a.ts'],
    ['/blob/main/%23%3F%2520%26.txt', 'main', undefined, '#?%20&.txt'],
    ['/-/blob/feature/x/sub/deep/more.txt#L1', 'feature/x', 'sub/deep', 'more.txt'],
    ['/-/tags/light', 'light', undefined, 'README.md'],
    ['/-/tree/main', 'main', undefined, 'README.md'],
  ])('%s', async (tail, ref, subfolder, first) => {
    const { source, files } = await digest(`${address}${tail}`);
    expect(source).toMatchObject({ ref, name: 'o/r', url: address, ...(subfolder && { subfolder }) });
    expect(source.subfolder).toBe(subfolder);
    expect(files[0]?.path).toBe(first);
  });

  test.each([
    ['/-/tree/main/none', 'SOURCE_NOT_FOUND', 'There is no none in URL/o/r at main: check the path.'],
    [
      '/-/blob/feature/x/sub/none.txt',
      'SOURCE_NOT_FOUND',
      'There is no sub/none.txt in URL/o/r at feature/x',
    ],
    [
      '/-/tree/with-module/module',
      'SOURCE_NOT_A_FOLDER',
      'module in URL/o/r at with-module is another repository',
    ],
    ['/-/tree/none/src', 'BAD_REF', 'URL/o/r has not got a branch or tag in none/src: name a branch'],
    ['/-/tags/none', 'BAD_REF', 'URL/o/r has not got the tag none: name a branch'],
  ])('%s leads nowhere', async (tail, code, start) => {
    const failure = await failureOf(digest(`${address}${tail}`));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(/^[^\n]*$/);
    expect(failure.message.startsWith(start.replace('URL/o/r', address))).toBe(true);
  });

  test('the digest of a folder is that of the same folder in a clone', async () => {
    const clone = cloneOf(path, address);
    git(clone, 'checkout', '-q', 'main', '--', 'src');
    const there = await digest(`${address}/-/tree/main/src/sub`);
    expect(there.text).toBe((await digest(join(clone, 'src/sub'), { ref: 'main' })).text);
    expect(there.text).toContain('export const b');
  });
});

test('a detached HEAD is read', async () => {
  makeRepository(join(root, 'detached'));
  git(join(root, 'detached'), 'update-ref', '--no-deref', 'HEAD', git(path, 'rev-parse', 'light'));
  const { source } = await digest(`${server.url}/detached`);
  expect(source).toMatchObject({ ref: 'HEAD', commit: git(path, 'rev-parse', 'light') });
});

test.each(['', '.git'])('a repository without a commit says so: empty%s', async (end) => {
  git(root, 'init', '-q', '--bare', `empty${end}`);
  const { code, message } = await failureOf(digest(`${server.url}/empty${end}`));
  expect(code).toBe('NO_COMMIT');
  expect(message).toBe(`${server.url}/empty${end} has no commit yet: push one to it, or check the address.`);
});

test('where the first branch has no commit, another must be named', async () => {
  makeRepository(join(root, 'unborn'));
  git(join(root, 'unborn'), 'symbolic-ref', 'HEAD', 'refs/heads/none');
  const { code, message } = await failureOf(digest(`${server.url}/unborn`));
  expect(code).toBe('BAD_REF');
  expect(message).toContain('name a branch');
  expect((await digest(`${server.url}/unborn`, { ref: 'main' })).source.ref).toBe('main');
});

test('a repository that was renamed is followed and named', async () => {
  const moved = await servePartly(root, path, {
    hook: ({ url = '' }, response) => {
      if (!url.startsWith('/old/name')) return false;
      response.writeHead(301, { Location: url.replace('/old/name', '/o/r') }).end();
      return true;
    },
  });
  const { source, warnings, text } = await digest(`${moved.url}/old/name`, { remote: { cache: newCache() } });
  expect(source).toMatchObject({ name: 'o/r', url: `${moved.url}/o/r` });
  expect(warnings).toEqual([{ code: 'RENAMED', message: 'old/name is now o/r: the host led there.' }]);
  expect(text).toContain('| Note | old/name is now o/r');
});
