import { appendFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Change } from '../types.ts';
import { codeOf, commit, git, repository, tempFolder, write } from './fixture.ts';
import { type OpenOptions, openSource } from './source.ts';

async function changesIn(root: string, options: OpenOptions): Promise<Record<string, Change>> {
  const source = await openSource(root, options);
  try {
    return Object.fromEntries((await source.changes())?.files ?? []);
  } finally {
    await source.close();
  }
}

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

it('tells of a work tree what was added, modified and deleted, committed or not, and on which lines', async () => {
  const root = repository({ 'a.ts': lines(30), 'b.ts': 'b\n', 'c.ts': 'c\n', same: 'same\n' });
  const changed = lines(30).replace('line 3\n', 'line three\nand more\n').replace('line 20\n', '');
  write(root, { 'a.ts': changed, 'new.ts': 'new\n' });
  commit(root);
  write(root, { 'untracked.ts': 'x\n', '.gitignore': 'ignored\n', ignored: 'x\n' });
  rmSync(join(root, 'b.ts'));
  git(root, ['rm', '-q', '--cached', 'c.ts']);
  expect(await changesIn(root, { since: 'HEAD~1' })).toEqual({
    'a.ts': {
      kind: 'modified',
      lines: [
        [3, 4],
        [20, 21],
      ],
    },
    'b.ts': { kind: 'deleted' },
    'c.ts': { kind: 'modified' },
    'new.ts': { kind: 'added' },
    'untracked.ts': { kind: 'added' },
    '.gitignore': { kind: 'added' },
  });
});

it('compares two commits where both are named, and leaves the work tree aside', async () => {
  const root = repository({ a: '1\n', b: '1\n' });
  write(root, { a: '2\n' });
  commit(root);
  write(root, { b: '2\n', c: '1\n' });
  expect(await changesIn(root, { since: 'HEAD~1', ref: 'main' })).toEqual({
    a: { kind: 'modified', lines: [[1, 1]] },
  });
  expect(await changesIn(root, { since: 'main', ref: 'main' })).toEqual({});
});

it('tells of a folder in a repository what changed in it, by its own paths', async () => {
  const root = repository({ 'src/a': '1\n', b: '1\n' });
  write(root, { 'src/a': '2\n', 'src/new': '', b: '2\n', other: '' });
  expect(await changesIn(join(root, 'src'), { since: 'HEAD' })).toEqual({
    a: { kind: 'modified', lines: [[1, 1]] },
    new: { kind: 'added' },
  });
});

it('keeps every name, and is not misled by lines that look like headings', async () => {
  const names = ['with space', 'tab\there', 'quo"te\\', 'ümlaut', 'line\nend', 'trailing '];
  const before = '-- b/other\nx\n';
  const root = repository(Object.fromEntries(names.map((name) => [name, before])));
  for (const name of names) write(root, { [name]: '++ b/other\n@@ -1 +1 @@\nx\n' });
  const expected = names.map((name) => [name, { kind: 'modified', lines: [[1, 2]] }]);
  expect(await changesIn(root, { since: 'HEAD' })).toEqual(Object.fromEntries(expected));
});

it('takes a rename for one file that is gone and one that is new, and knows no lines of what is binary', async () => {
  const root = repository({ old: lines(20), image: Buffer.of(0, 1, 2) });
  renameSync(join(root, 'old'), join(root, 'new'));
  write(root, { image: Buffer.of(0, 1, 3) });
  commit(root);
  expect(await changesIn(root, { since: 'HEAD~1' })).toEqual({
    old: { kind: 'deleted' },
    new: { kind: 'added' },
    image: { kind: 'modified' },
  });
});

it('says the same however git is configured, and runs no program of the repository', async () => {
  const root = repository({ '.gitattributes': '* filter=own diff=own\n', 'a b': '1\n2\n3\n' });
  const trap = join(tempFolder(), 'ran');
  const program = `touch '${trap}'; cat`;
  for (const [name, value] of [
    ['filter.own.clean', program],
    ['filter.own.process', program],
    ['filter.own.required', 'true'],
    ['diff.own.textconv', program],
    ['diff.own.command', program],
    ['diff.external', program],
    ['diff.noprefix', 'true'],
    ['diff.renames', 'copies'],
    ['diff.interHunkContext', '5'],
    ['diff.context', '5'],
    ['diff.submodule', 'log'],
    ['color.ui', 'always'],
    ['core.quotePath', 'false'],
  ] as const)
    git(root, ['config', name, value]);
  write(root, { 'a b': 'one\n2\nthree\n' });
  expect(await changesIn(root, { since: 'HEAD' })).toEqual({
    'a b': {
      kind: 'modified',
      lines: [
        [1, 1],
        [3, 3],
      ],
    },
  });
  expect(existsSync(trap)).toBe(false);
});

it('runs no program of a filter whose name is not UTF-8 either', async () => {
  const root = repository({ '.gitattributes': Buffer.from('* filter=\xff\n', 'latin1'), a: '1\n' });
  const trap = join(tempFolder(), 'ran');
  const section = `[filter "\xff"]\n\tclean = "touch ${trap}; cat"\n`;
  appendFileSync(join(root, '.git/config'), Buffer.from(section, 'latin1'));
  write(root, { a: 'another\n' });
  const code = await changesIn(root, { since: 'HEAD' }).then(() => undefined, codeOf);
  expect(code).toBe('GIT_FAILED');
  expect(existsSync(trap)).toBe(false);
});

it('reads a bare repository', async () => {
  const root = repository({ a: '1\n' });
  write(root, { a: '2\n' });
  commit(root);
  const bare = join(tempFolder(), 'bare.git');
  git(root, ['clone', '-q', '--bare', root, bare]);
  expect(await changesIn(bare, { since: 'HEAD~1' })).toEqual({ a: { kind: 'modified', lines: [[1, 1]] } });
});

it('tells nothing where nothing is asked for', async () => {
  const source = await openSource(repository({ a: '1\n' }));
  expect(await source.changes()).toBeUndefined();
  await source.close();
});

it('refuses what has no commit of the name, or no commits', async () => {
  const refused = async (path: string, since: string): Promise<[string | undefined, string]> => {
    const error = await openSource(path, { since }).then(
      () => undefined,
      (caught: Error) => caught,
    );
    return [codeOf(error), error?.message ?? ''];
  };
  const root = repository({ a: '1\n', '.gitignore': 'out\n' });
  write(root, { 'out/a': '1\n' });
  expect(await refused(root, 'nope')).toEqual(['BAD_REF', expect.stringContaining('`nope` names no commit')]);
  expect(await refused(root, '--output=x')).toEqual(['BAD_REF', expect.any(String)]);
  expect(await refused(join(root, 'out'), 'main')).toEqual([
    'NOT_A_REPOSITORY',
    expect.stringContaining('clone'),
  ]);
  const folder = tempFolder();
  write(folder, { a: '1\n' });
  expect(await refused(folder, 'main')).toEqual(['NOT_A_REPOSITORY', expect.stringContaining('clone')]);
  expect(await refused('owner/repo', 'main')).toEqual(['NOT_CLONED', expect.stringContaining('clone')]);
  const unborn = tempFolder();
  git(unborn, ['init', '-q']);
  write(unborn, { a: '1\n' });
  expect(await refused(unborn, 'main')).toEqual(['NO_COMMIT', expect.stringContaining('--since')]);
});
