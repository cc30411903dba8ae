import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Listing } from '../types.ts';
import { codeOf, git, giveAway, pathsOf, tempFolder, textOf, withoutPrivileges, write } from './fixture.ts';
import { FolderSource } from './folder.ts';

function list(root: string): Promise<Listing> {
  return new FolderSource(root).list();
}

async function codeOfListing(root: string): Promise<string | undefined> {
  return list(root).then(() => undefined, codeOf);
}

test('files are listed by code unit, with their sizes', async () => {
  const root = tempFolder();
  write(root, { 'b/c': '123', 'b-a': '1', B: '', '\u{1f600}': 'x', '\uff5e': 'y', '-x y"\n\t': 'z' });
  const listing = await list(root);
  expect(pathsOf(listing)).toEqual(['-x y"\n\t', 'B', 'b-a', 'b/c', '\u{1f600}', '\uff5e']);
  expect(listing.entries.find(({ path }) => path === 'b/c')).toEqual({ path: 'b/c', kind: 'file', size: 3 });
  expect(listing).toMatchObject({ complete: true, warnings: [] });
  expect(listing.attributesOf('B')).toEqual({});
});

test('facts name the folder', () => {
  expect(new FolderSource('/srv/code').facts).toEqual({ kind: 'folder', name: 'code' });
  expect(new FolderSource('/').facts.name).toBe('/');
});

test('what .gitignore excludes and .git are no part of it', async () => {
  const root = tempFolder();
  write(root, {
    '.gitignore': 'build/\n*.log\n!keep.log\nout\n',
    'build/x': '',
    'a.log': '',
    'keep.log': '',
    'out/.gitignore': '!x',
    'out/x': '',
    'sub/.gitignore': '!b.log\nkeep.log',
    'sub/b.log': '',
    'sub/keep.log': '',
    '.git/config': '',
    'sub/.git': 'gitdir: x',
  });
  expect(pathsOf(await list(root))).toEqual(['.gitignore', 'keep.log', 'sub/.gitignore', 'sub/b.log']);
});

test('.ignore and .plimsollignore mark what they exclude, the latter with the last word', async () => {
  const root = tempFolder();
  write(root, {
    '.ignore': 'docs/\n*.txt',
    '.plimsollignore': '!b.txt\nc.md\n',
    'a.txt': '',
    'b.txt': '',
    'c.md': '',
    'docs/.ignore': '!x',
    'docs/x': '',
    'sub/.ignore': '!a.txt\n!b.txt',
    'sub/.plimsollignore': 'b.txt',
    'sub/a.txt': '',
    'sub/b.txt': '',
    'sub/c.md': '',
  });
  const omitted = (await list(root)).entries.filter(({ omit }) => omit === 'ignored').map(({ path }) => path);
  expect(omitted).toEqual(['a.txt', 'c.md', 'docs/.ignore', 'docs/x', 'sub/b.txt', 'sub/c.md']);
});

test('a ! in .plimsollignore does not take back what .gitignore excludes', async () => {
  const root = tempFolder();
  write(root, { '.gitignore': 'x', '.plimsollignore': '!x', x: '', y: '' });
  expect(pathsOf(await list(root))).toEqual(['.gitignore', '.plimsollignore', 'y']);
});

test('.gitattributes counts', async () => {
  const root = tempFolder();
  write(root, { '.gitattributes': 'gen/** linguist-generated', 'gen/x': '' });
  expect((await list(root)).attributesOf('gen/x')).toEqual({ generated: true });
});

test('links are listed with their targets, never followed, and make no loop', async () => {
  const outside = tempFolder();
  write(outside, { secret: '' });
  const root = tempFolder();
  write(root, { 'a/b': '' });
  symlinkSync('..', join(root, 'a/up'));
  symlinkSync(outside, join(root, 'out'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const { entries } = await list(root);
  expect(entries).toEqual([
    { path: 'a/b', kind: 'file', size: 0 },
    { path: 'a/up', kind: 'symlink', size: 2, target: '..' },
    { path: 'out', kind: 'symlink', size: outside.length, target: outside },
    { path: 'pipe', kind: 'special', size: 0 },
  ]);
});

test('names that are not UTF-8 come through, also of folders', async () => {
  const root = tempFolder();
  mkdirSync(Buffer.from(`${root}/d\xff`, 'latin1'));
  writeFileSync(Buffer.from(`${root}/d\xff/caf\xe9`, 'latin1'), 'coffee');
  writeFileSync(Buffer.from(`${root}/d\xff/caf\xe8`, 'latin1'), '');
  write(root, { 'real \ufffd': '' });
  const source = new FolderSource(root);
  const listing = await source.list();
  expect(pathsOf(listing)).toEqual(['d\udcff/caf\udce8', 'd\udcff/caf\udce9', 'real \ufffd']);
  expect(await textOf(source, 'd\udcff/caf\udce9')).toBe('coffee');
});

test('nothing in it is an error', async () => {
  const root = tempFolder();
  expect(await codeOfListing(root)).toBe('SOURCE_EMPTY');
  write(root, { '.git/HEAD': '', 'a/b': '' });
  rmSync(join(root, 'a/b'));
  expect(await codeOfListing(root)).toBe('SOURCE_EMPTY');
});

test('an unreadable folder costs only itself', async () => {
  const root = tempFolder();
  write(root, { 'a/x': '', 'closed/x': '', 'locked/x': '12', 'locked/deep/y': '', z: '' });
  giveAway(root);
  chmodSync(join(root, 'closed'), 0);
  chmodSync(join(root, 'locked'), 0o444);
  const listing = await withoutPrivileges(() => list(root));
  expect(listing.complete).toBe(false);
  expect(listing.entries).toEqual([
    { path: 'a/x', kind: 'file', size: 0 },
    { path: 'locked/x', kind: 'file', size: 0, omit: 'unreadable' },
    { path: 'z', kind: 'file', size: 0 },
  ]);
  expect(listing.warnings.map(({ code, message }) => [code, /`(.*?)`/.exec(message)?.[1]])).toEqual(
    expect.arrayContaining([
      ['UNREADABLE_FOLDER', 'closed'],
      ['UNREADABLE_FOLDER', 'locked'],
      ['UNREADABLE_FOLDER', 'locked/deep'],
    ]),
  );
  expect(listing.warnings).toHaveLength(3);
});

test('where all that is in it can not be read, that is said', async () => {
  const root = tempFolder();
  write(root, { 'closed/x': '' });
  giveAway(root);
  chmodSync(join(root, 'closed'), 0);
  expect(await withoutPrivileges(() => codeOfListing(root))).toBe('SOURCE_UNREADABLE');
});

test('rule files that can not be read are named', async () => {
  const root = tempFolder();
  write(root, {
    'a/.ignore': 'x',
    'a/x': '',
    'b/.gitignore/x': '',
    'c/.ignore': Buffer.alloc(4 * 1024 * 1024 + 1, 'x'),
  });
  symlinkSync('a/.ignore', join(root, '.gitignore'));
  giveAway(root);
  chmodSync(join(root, 'a/.ignore'), 0);
  const { warnings, entries } = await withoutPrivileges(() => list(root));
  expect(entries.every(({ omit }) => omit === undefined)).toBe(true);
  expect(warnings.map(({ message }) => message).sort()).toEqual([
    "`.gitignore` could not be read (it is a symbolic link): its rules don't count.",
    "`a/.ignore` could not be read (permission denied): its rules don't count.",
    "`c/.ignore` could not be read (larger than 4 MB): its rules don't count.",
  ]);
  expect(warnings.every(({ code }) => code === 'UNREADABLE_RULES')).toBe(true);
});

test('ignore files of the folders around it count, up to the one named', async () => {
  const root = tempFolder();
  write(root, {
    '.gitignore': '*.log\n/a/b/x\na/',
    '.ignore': 'b/y',
    'a/.plimsollignore': 'z',
    'a/b/x': '',
    'a/b/y': '',
    'a/b/z': '',
    'a/b/t.log': '',
    'a/b/b/y': '',
  });
  const { entries } = await new FolderSource(join(root, 'a/b'), { top: root }).list();
  expect(entries.map(({ path, omit }) => [path, omit])).toEqual([
    ['b/y', undefined],
    ['y', undefined],
    ['z', 'ignored'],
  ]);
});

test('a run that is stopped stops', async () => {
  const root = tempFolder();
  write(root, { a: '' });
  const source = new FolderSource(root, { signal: AbortSignal.abort() });
  await expect(source.list()).rejects.toMatchObject({ code: 'ABORTED' });
});

const name = fc.constantFrom('a', 'b', 'ab', 'a b', 'b ', 'é', 'x.c', '.d', '#a', '!b', 'B');
const part = fc.oneof(
  { weight: 3, arbitrary: name },
  fc.constantFrom(
    '*',
    '?',
    '**',
    '*.c',
    '[ab]',
    '[!a]',
    'a*',
    '\\a',
    '??',
    '[[:upper:]]',
    '***',
    'a**',
    '[',
    'b\\ ',
  ),
);
const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '!', '#', '\\'),
    fc.constantFrom('', '', '/'),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', ' ', '//', '/**'),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(([sign, start, parts, end, newline]) => sign + start + parts.join('/') + end + newline);
const rules = fc
  .tuple(fc.constantFrom('', '', '\ufeff'), fc.array(rule, { maxLength: 6 }))
  .map(([mark, lines]) => mark + lines.join(''));
const folder = fc.array(name, { maxLength: 3 }).map((parts) => parts.map((each) => `${each}/`).join(''));
const file = fc.tuple(folder, name).map(([base, last]) => base + last);

/** Drops what can't be written beside the others: a file where another path needs a folder. */
function compatible(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
}

test('on random trees and .gitignore files it agrees with git', async () => {
  const around = tempFolder();
  git(around, ['init', '-q']);
  const root = join(around, 'tree');
  const property = fc.asyncProperty(
    fc.uniqueArray(file, { minLength: 1, maxLength: 15 }),
    fc.uniqueArray(fc.tuple(folder, rules), { minLength: 1, maxLength: 3, selector: ([base]) => base }),
    async (files, ignores) => {
      rmSync(root, { recursive: true, force: true });
      const ignoreFiles = new Map(ignores.map(([base, content]) => [`${base}.gitignore`, content]));
      const paths = compatible([...files, ...ignoreFiles.keys()]);
      write(root, Object.fromEntries(paths.map((path) => [path, ignoreFiles.get(path) ?? ''])));
      const out = git(root, ['ls-files', '-z', '--others', '--exclude-standard']).split('\0').filter(Boolean);
      const ours = await list(root).then(pathsOf, () => []);
      expect(ours).toEqual(out.sort());
    },
  );
  await fc.assert(property, { numRuns: 60 });
}, 60_000);
