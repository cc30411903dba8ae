import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../types.ts';
import { codeOf, commit, git, pathsOf, repository, tempFolder, textOf, write } from './fixture.ts';
import { openSource } from './source.ts';

async function open(root: string, ref = 'HEAD'): Promise<Source> {
  const source = await openSource(root, { ref, history: true });
  onTestFinished(() => source.close());
  return source;
}

async function list(root: string, ref?: string) {
  return (await open(root, ref)).list();
}

test('a commit is shown as it is, work tree and index untouched', async () => {
  const root = repository({ a: 'old', 'd/b': '12345', gone: '' });
  write(root, { a: 'new', untracked: '' });
  rmSync(join(root, 'gone'));
  const index = join(root, '.git/index');
  const before = [readFileSync(index), statSync(index).mtimeMs, readFileSync(join(root, 'a'), 'utf8')];
  const source = await open(root);
  const { entries, complete, warnings } = await source.list();
  expect(entries).toEqual([
    { path: 'a', kind: 'file', size: 3 },
    { path: 'd/b', kind: 'file', size: 5 },
    { path: 'gone', kind: 'file', size: 0 },
  ]);
  expect({ complete, warnings }).toEqual({ complete: true, warnings: [] });
  expect(await textOf(source, 'a')).toBe('old');
  expect(await textOf(source, 'd/b', 2)).toBe('12');
  expect(await textOf(source, 'none').catch(codeOf)).toBe('ENOENT');
  const chunks: Buffer[] = [];
  for await (const chunk of source.stream({ path: 'd/b', kind: 'file', size: 5 })) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('12345');
  expect([readFileSync(index), statSync(index).mtimeMs, readFileSync(join(root, 'a'), 'utf8')]).toEqual(
    before,
  );
});

test('every kind of name for a commit', async () => {
  const root = repository({ a: '1' });
  const first = git(root, ['rev-parse', 'HEAD']).trim();
  git(root, ['tag', '-a', '-m', 'x', 'v1']);
  git(root, ['branch', 'feature/x']);
  write(root, { a: '2' });
  const second = commit(root);
  for (const ref of [
    'v1',
    'feature/x',
    first,
    first.slice(0, 8),
    'HEAD~1',
    'main^',
    'HEAD@{1}',
    'refs/tags/v1',
  ]) {
    const source = await open(root, ref);
    expect(source.facts).toMatchObject({ kind: 'git', ref, commit: first });
    expect(source.facts).not.toHaveProperty('workTree');
  }
  expect((await open(root, 'main')).facts.commit).toBe(second);
});

test.each([
  'nonsense',
  '-x',
  '--help',
  '',
  ' ',
  'a\nb',
  'a\0b',
  'HEAD:a',
  'main..main',
  '^main',
  'HEAD~9',
  'blob',
  '--output=x',
])('%j names no commit', async (ref) => {
  const root = repository({ a: '' });
  git(root, ['tag', 'blob', git(root, ['rev-parse', 'HEAD:a']).trim()]);
  const error = await openSource(root, { ref, history: true }).catch((cause: Error) => cause);
  expect(codeOf(error)).toBe('BAD_REF');
  expect((error as Error).message).not.toMatch(/[\n\0]/);
});

test('links and submodules of a commit', async () => {
  const module = repository({ m: '' });
  const root = repository({ a: '' });
  symlinkSync('/etc/passwd', join(root, 'link'));
  symlinkSync('né\n', join(root, 'other'));
  git(root, ['submodule', '--quiet', 'add', module, 'mod']);
  commit(root);
  const { entries } = await list(root);
  expect(entries.slice(1)).toEqual([
    { path: 'a', kind: 'file', size: 0 },
    { path: 'link', kind: 'symlink', size: 11, target: '/etc/passwd' },
    { path: 'mod', kind: 'repository', size: 0, target: git(module, ['rev-parse', 'HEAD']).trim() },
    { path: 'other', kind: 'symlink', size: 4, target: 'né\n' },
  ]);
});

test('names of every kind come through', async () => {
  const names = ['-a', 'a b', '"q"', 'new\nline', 'tab\t', '\\', '😀', ':(top)x', '*', '\uff5e'];
  const root = repository(Object.fromEntries(names.map((name) => [name, name])));
  writeFileSync(Buffer.from(`${root}/caf\xe9`, 'latin1'), 'coffee');
  commit(root);
  const source = await open(root);
  expect(pathsOf(await source.list())).toEqual([...names, 'caf\udce9'].sort());
  for (const name of names) expect(await textOf(source, name)).toBe(name);
  expect(await textOf(source, 'caf\udce9')).toBe('coffee');
});

test('a bare repository', async () => {
  const root = repository({ a: 'x', 'd/b': '' });
  write(root, { 'd/b': '1' });
  commit(root);
  const bare = join(tempFolder(), 'project.git');
  git(root, ['clone', '-q', '--bare', root, bare]);
  const source = await open(bare, 'main');
  expect(source.facts).toMatchObject({ name: 'project', ref: 'main' });
  expect(pathsOf(await source.list())).toEqual(['a', 'd/b']);
  expect(await textOf(source, 'a')).toBe('x');
  expect([...((await source.history())?.files.keys() ?? [])]).toEqual(['d/b']);
  expect(pathsOf(await list(join(root, '.git')))).toEqual(['a', 'd/b']);
  expect((await open(join(root, '.git'))).facts.name).toBe(root.slice(root.lastIndexOf('/') + 1));
});

test('a subfolder, with the rules of the folders around it, all from the commit', async () => {
  const root = repository({
    '.ignore': '*.txt',
    '.gitattributes': '*.c linguist-generated',
    'sub/.plimsollignore': '/deep/x\n!b.txt',
    'sub/deep/a.txt': '',
    'sub/deep/b.txt': '',
    'sub/deep/x': '1',
    'sub/deep/y.c': '',
    'sub/deep2/z': '',
  });
  write(root, { '.ignore': '', '.plimsollignore': '*', 'sub/.plimsollignore': '', 'sub/deep/y.c': '1' });
  const source = await open(join(root, 'sub/deep'));
  const { entries, attributesOf } = await source.list();
  expect(entries.map(({ path, omit }) => [path, omit])).toEqual([
    ['a.txt', 'ignored'],
    ['b.txt', undefined],
    ['x', 'ignored'],
    ['y.c', undefined],
  ]);
  expect(attributesOf('y.c')).toEqual({ generated: true });
  expect(source.facts.subfolder).toBe('sub/deep');
  expect(await textOf(source, 'x')).toBe('1');
  const listing = await list(root);
  expect(listing.entries.filter(({ omit }) => omit)).toHaveLength(2);
});

test('a subfolder whose name would be magic to git', async () => {
  for (const folder of [':(top)x', ':!x', '*', '-x']) {
    const root = repository({
      [`${folder}/.ignore`]: 'b',
      [`${folder}/deep/a`]: '',
      [`${folder}/deep/b`]: '',
    });
    const { entries } = await list(join(root, folder, 'deep'));
    expect(entries.map(({ path, omit }) => [path, omit])).toEqual([
      ['a', undefined],
      ['b', 'ignored'],
    ]);
  }
});

test('a subfolder that the commit does not have', async () => {
  const root = repository({ 'was-file': '', 'was/none': '' });
  rmSync(join(root, 'was-file'));
  write(root, { 'was-file/x': '', 'new/x': '' });
  await expect(openSource(join(root, 'new'), { ref: 'HEAD' })).rejects.toMatchObject({
    code: 'SOURCE_NOT_FOUND',
  });
  await expect(openSource(join(root, 'was-file'), { ref: 'HEAD' })).rejects.toMatchObject({
    code: 'SOURCE_NOT_A_FOLDER',
  });
});

test('an empty commit', async () => {
  const root = repository({});
  await expect(list(root)).rejects.toMatchObject({ code: 'SOURCE_EMPTY' });
});

test('no commit yet', async () => {
  const root = tempFolder();
  git(root, ['init', '-q']);
  await expect(openSource(root, { ref: 'HEAD' })).rejects.toMatchObject({ code: 'NO_COMMIT' });
  await expect(openSource(root, { ref: 'main' })).rejects.toMatchObject({ code: 'NO_COMMIT' });
});

test('an unborn branch beside others', async () => {
  const root = repository({ a: '' });
  git(root, ['checkout', '-q', '--orphan', 'fresh']);
  expect(pathsOf(await list(root, 'main'))).toEqual(['a']);
  await expect(openSource(root, { ref: 'HEAD' })).rejects.toMatchObject({ code: 'BAD_REF' });
});

test('what a partial clone lacks is named, and nothing is fetched', async () => {
  const root = repository({ a: 'here', b: 'not here', '.ignore': 'x', 'd/x': '' });
  symlinkSync('a', join(root, 'link'));
  commit(root);
  git(root, ['config', 'uploadpack.allowFilter', 'true']);
  const clone = join(tempFolder(), 'clone');
  git(root, ['clone', '-q', '--no-checkout', '--filter=blob:none', `file://${root}`, clone]);
  git(clone, ['checkout', 'main', '--', 'a', '.ignore']);
  const source = await open(clone);
  const { entries, warnings, complete } = await source.list();
  expect(entries.map(({ path, size, omit }) => [path, size, omit])).toEqual([
    ['.ignore', 1, undefined],
    ['a', 4, undefined],
    ['b', 0, 'unreadable'],
    ['d/x', 0, 'unreadable'],
    ['link', 0, 'unreadable'],
  ]);
  expect(complete).toBe(true);
  expect(warnings.map(({ code }) => code)).toEqual(['MISSING_OBJECTS']);
  expect(await textOf(source, 'b').catch(codeOf)).toBe('EIO');
  expect(await textOf(source, 'a')).toBe('here');
});

test('a missing file costs itself', async () => {
  const root = repository({ a: 'x', b: 'y' });
  const lost = git(root, ['rev-parse', 'HEAD:b']).trim();
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  const source = await open(root);
  const { entries, warnings } = await source.list();
  expect(entries).toEqual([
    { path: 'a', kind: 'file', size: 1 },
    { path: 'b', kind: 'file', size: 0, omit: 'unreadable' },
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(['MISSING_OBJECTS']);
  expect(await textOf(source, 'b').catch(codeOf)).toBe('ENOENT');
});

test('a missing folder costs itself', async () => {
  const root = repository({ 'a/x': '', 'd/x': '1', z: '' });
  const lost = git(root, ['rev-parse', 'HEAD:d']).trim();
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  const { entries, complete, warnings } = await list(root);
  expect(complete).toBe(false);
  expect(entries.map(({ path }) => path)).toContain('a/x');
  expect(warnings).toHaveLength(1);
});

test('a tree made by hand can not lead out of anything', async () => {
  const root = repository({ a: 'x' });
  const id = git(root, ['rev-parse', 'HEAD:a']).trim();
  const entry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex')]);
  const tree = Buffer.concat([entry('..'), entry('a'), entry('a'), entry('x\ny')]);
  const hash = (type: string, input: Buffer | string) =>
    execFileSync('git', ['hash-object', '-t', type, '-w', '--literally', '--stdin'], {
      cwd: root,
      input,
      encoding: 'utf8',
    }).trim();
  const who = 'Ada <ada@example.com> 1700000000 +0000';
  const made = hash('commit', `tree ${hash('tree', tree)}\nauthor ${who}\ncommitter ${who}\n\nx\n`);
  const source = await open(root, made);
  expect(pathsOf(await source.list())).toEqual(['..', 'a', 'x\ny']);
  expect(await textOf(source, '..')).toBe('x');
});
