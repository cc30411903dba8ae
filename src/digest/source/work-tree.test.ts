import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../types.ts';
import {
  codeOf,
  commit,
  git,
  giveAway,
  pathsOf,
  repository,
  tempFolder,
  textOf,
  withoutPrivileges,
  write,
} from './fixture.ts';
import { openSource } from './source.ts';

async function open(root: string): Promise<Source> {
  const source = await openSource(root, { history: true });
  onTestFinished(() => source.close());
  return source;
}

async function list(root: string) {
  return (await open(root)).list();
}

test('tracked and untracked files as they stand, but not what git ignores', async () => {
  const root = repository({ '.gitignore': '*.log\n', tracked: 'one', gone: '', 'd/kept.txt': '' });
  write(root, { 'tracked.log': 'x' });
  git(root, ['add', '-f', 'tracked.log']);
  write(root, { tracked: 'changed', 'new/file': '', 'ignored.log': '' });
  rmSync(join(root, 'gone'));
  const source = await open(root);
  const listing = await source.list();
  expect(pathsOf(listing)).toEqual(['.gitignore', 'd/kept.txt', 'new/file', 'tracked', 'tracked.log']);
  expect(listing.entries.find(({ path }) => path === 'tracked')).toEqual({
    path: 'tracked',
    kind: 'file',
    size: 7,
  });
  expect(listing).toMatchObject({ complete: true, warnings: [] });
  expect(await textOf(source, 'tracked')).toBe('changed');
  expect((await source.list()).entries).toEqual(listing.entries);
});

test('facts of a repository', async () => {
  const root = repository({ a: '' });
  const head = git(root, ['rev-parse', 'HEAD']).trim();
  expect((await open(root)).facts).toEqual({
    kind: 'git',
    name: root.slice(root.lastIndexOf('/') + 1),
    ref: 'main',
    commit: head,
    workTree: true,
  });
  git(root, ['remote', 'add', 'origin', 'https://ada:secret@example.com/owner/repo.git']);
  git(root, ['checkout', '-q', '--detach']);
  expect((await open(root)).facts).toEqual({
    kind: 'git',
    name: 'owner/repo',
    url: 'https://example.com/owner/repo.git',
    commit: head,
    workTree: true,
  });
});

test('a subfolder has its own paths, history and facts, whatever its name', async () => {
  for (const folder of ['sub/deep', ':(glob)*', '-x "y"', 'né\n']) {
    const root = repository({ top: '', 'other/x': '', [`${folder}/a/b`]: '1', [`${folder}x/c`]: '' });
    write(root, { [`${folder}/a/b`]: '2', [`${folder}/new`]: '' });
    commit(root);
    write(root, { [`${folder}/newer`]: '' });
    const source = await open(join(root, folder));
    expect(pathsOf(await source.list())).toEqual(['a/b', 'new', 'newer']);
    expect(source.facts).toMatchObject({ subfolder: folder, name: root.slice(root.lastIndexOf('/') + 1) });
    expect([...((await source.history())?.files.keys() ?? [])]).toEqual(['a/b', 'new']);
    expect(await textOf(source, 'a/b')).toBe('2');
  }
});

test('names of every kind come through', async () => {
  const names = [
    '-a',
    'a b',
    '"q"',
    'new\nline',
    'tab\t',
    '\\',
    '😀',
    ':(top)x',
    '*',
    'caf\u0301e',
    '{a}',
    ' ',
    "'",
  ];
  const root = repository(Object.fromEntries(names.map((name) => [name, name])));
  writeFileSync(Buffer.from(`${root}/caf\xe9`, 'latin1'), 'coffee');
  mkdirSync(Buffer.from(`${root}/d\xff`, 'latin1'));
  writeFileSync(Buffer.from(`${root}/d\xff/x`, 'latin1'), 'raw');
  git(root, ['add', '-A']);
  writeFileSync(Buffer.from(`${root}/d\xff/untracked\xfe`, 'latin1'), '');
  const source = await open(root);
  const paths = pathsOf(await source.list());
  expect(paths).toEqual([...names, 'caf\udce9', 'd\udcff/x', 'd\udcff/untracked\udcfe'].sort());
  for (const name of names) expect(await textOf(source, name)).toBe(name);
  expect(await textOf(source, 'caf\udce9')).toBe('coffee');
  expect(await textOf(source, 'd\udcff/x')).toBe('raw');
});

test('a path in conflict is there once', async () => {
  const root = repository({ a: 'base\n' });
  git(root, ['checkout', '-q', '-b', 'side']);
  write(root, { a: 'side\n' });
  commit(root);
  git(root, ['checkout', '-q', 'main']);
  write(root, { a: 'main\n' });
  commit(root);
  expect(() => git(root, ['merge', 'side'])).toThrow();
  expect(git(root, ['ls-files', '--stage']).trim().split('\n')).toHaveLength(3);
  expect(pathsOf(await list(root))).toEqual(['a']);
});

test('links are listed and never followed, neither as files nor as folders', async () => {
  const outside = tempFolder();
  write(outside, { secret: 'secret' });
  const root = repository({ 'dir/secret': 'public', 'dir/deep/secret': 'public', file: '', become: '' });
  symlinkSync(join(outside, 'secret'), join(root, 'link'));
  symlinkSync('.', join(root, 'loop'));
  commit(root);
  rmSync(join(root, 'dir'), { recursive: true });
  symlinkSync(outside, join(root, 'dir'));
  rmSync(join(root, 'become'));
  write(root, { 'become/folder': '' });
  rmSync(join(root, 'file'));
  execFileSync('mkfifo', [join(root, 'file')]);
  const source = await open(root);
  const { entries } = await source.list();
  expect(entries).toEqual([
    { path: 'become/folder', kind: 'file', size: 0 },
    { path: 'dir', kind: 'symlink', size: outside.length, target: outside },
    { path: 'file', kind: 'special', size: 0 },
    { path: 'link', kind: 'symlink', size: outside.length + 7, target: join(outside, 'secret') },
    { path: 'loop', kind: 'symlink', size: 1, target: '.' },
  ]);
  expect(await textOf(source, 'dir/secret').catch(codeOf)).toBe('ELOOP');
});

test('submodules are repositories with their commit, also those that are not checked out', async () => {
  const module = repository({ m: '' });
  const root = repository({ a: '' });
  git(root, ['submodule', '--quiet', 'add', module, 'mods/one']);
  commit(root);
  const target = git(module, ['rev-parse', 'HEAD']).trim();
  const expected = { path: 'mods/one', kind: 'repository', size: 0, target };
  expect((await list(root)).entries).toContainEqual(expected);
  expect(pathsOf(await list(join(root, 'mods/one')))).toEqual(['m']);
  const clone = join(tempFolder(), 'clone');
  git(root, ['clone', '-q', root, clone]);
  expect((await list(clone)).entries).toContainEqual(expected);
});

test('a repository that lies untracked in another one is one entry', async () => {
  const root = repository({ a: '' });
  write(root, { 'nested/x': '' });
  git(join(root, 'nested'), ['init', '-q']);
  commit(join(root, 'nested'));
  expect((await list(root)).entries).toEqual([
    { path: 'a', kind: 'file', size: 0 },
    { path: 'nested', kind: 'repository', size: 0 },
  ]);
});

test('another work tree of a repository', async () => {
  const root = repository({ a: '' });
  const other = join(tempFolder(), 'other');
  git(root, ['worktree', 'add', '-q', '-b', 'side', other]);
  write(other, { b: '' });
  const source = await open(other);
  expect(pathsOf(await source.list())).toEqual(['a', 'b']);
  expect(source.facts).toMatchObject({ name: 'other', ref: 'side' });
});

test('what a sparse checkout leaves out is not there', async () => {
  const root = repository({ 'a/x': '', 'b/x': '', top: '' });
  git(root, ['sparse-checkout', 'set', 'a']);
  const listing = await list(root);
  expect(pathsOf(listing)).toEqual(['a/x', 'top']);
  expect(listing).toMatchObject({ complete: true, warnings: [] });
});

test('a repository without a commit', async () => {
  const root = tempFolder();
  git(root, ['init', '-q']);
  write(root, { a: '', b: '' });
  git(root, ['add', 'a']);
  const source = await open(root);
  const listing = await source.list();
  expect(pathsOf(listing)).toEqual(['a', 'b']);
  expect(listing.warnings.map(({ code }) => code)).toEqual(['NO_COMMIT']);
  expect(source.facts).not.toHaveProperty('commit');
  expect(await source.history()).toBeUndefined();
});

test('nothing in it', async () => {
  const root = tempFolder();
  git(root, ['init', '-q']);
  await expect(list(root)).rejects.toMatchObject({ code: 'SOURCE_EMPTY' });
});

test('.ignore, .plimsollignore and .gitattributes count, also above the folder asked for', async () => {
  const root = repository({
    '.gitignore': '.plimsollignore',
    '.ignore': '*.txt\n/sub/only',
    '.gitattributes': '*.c linguist-vendored',
    'sub/.gitattributes': 'x.c -linguist-vendored',
    'sub/.ignore': '!kept.txt',
    'sub/a.txt': '',
    'sub/kept.txt': '',
    'sub/only': '',
    'sub/x.c': '',
    'sub/y.c': '',
  });
  write(root, { '.plimsollignore': '/sub/y.c' });
  const omitted = async (folder: string) =>
    (await list(join(root, folder))).entries
      .filter(({ omit }) => omit)
      .map(({ path, omit }) => `${path} ${omit}`);
  expect(await omitted('')).toEqual(['sub/a.txt ignored', 'sub/only ignored', 'sub/y.c ignored']);
  expect(await omitted('sub')).toEqual(['a.txt ignored', 'only ignored', 'y.c ignored']);
  const { attributesOf } = await list(join(root, 'sub'));
  expect([attributesOf('x.c'), attributesOf('y.c'), attributesOf('a.txt')]).toEqual([
    { vendored: false },
    { vendored: true },
    {},
  ]);
});

test('unreadable folders and rule files cost only themselves', async () => {
  const root = repository({ 'a/x': '', 'closed/x': '12', 'closed/deep/y': '', 'sub/.ignore': 'x', z: '' });
  write(root, { 'new/closed/x': '' });
  giveAway(root);
  for (const path of ['closed', 'new/closed', 'sub/.ignore']) chmodSync(join(root, path), 0);
  const listing = await withoutPrivileges(() => list(root));
  expect(listing.complete).toBe(false);
  expect(listing.entries.map(({ path, omit }) => [path, omit])).toEqual([
    ['a/x', undefined],
    ['closed/deep/y', 'unreadable'],
    ['closed/x', 'unreadable'],
    ['sub/.ignore', undefined],
    ['z', undefined],
  ]);
  expect(
    listing.warnings.map(({ code, message }) => `${code} ${/`(.*?)`/.exec(message)?.[1]}`).sort(),
  ).toEqual(['UNREADABLE_FOLDER closed', 'UNREADABLE_FOLDER new/closed', 'UNREADABLE_RULES sub/.ignore']);
});

test('a .git that is none is passed over for the repository further up', async () => {
  const root = repository({ 'sub/a': '' });
  write(root, { 'sub/a': '1' });
  commit(root);
  mkdirSync(join(root, 'sub/.git'));
  const source = await open(join(root, 'sub'));
  expect(source.facts.subfolder).toBe('sub');
  expect(pathsOf(await source.list())).toEqual(['a']);
  expect([...((await source.history())?.files.keys() ?? [])]).toEqual(['a']);
});

test('a repository that is moved while open fails its reads and nothing else', async () => {
  const root = repository({ a: 'x' });
  const source = await open(root);
  await source.list();
  renameSync(join(root, 'a'), join(root, 'b'));
  expect(await textOf(source, 'a').catch(codeOf)).toBe('ENOENT');
  expect(await textOf(source, 'b')).toBe('x');
});
