import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { History } from '../types.ts';
import { commit, git, repository, tempFolder, write } from './fixture.ts';
import { startHistory } from './history.ts';

const DAY = 24 * 60 * 60;
const START = 1_700_000_000;

function history(root: string, isSubfolder = false): Promise<History | undefined> {
  return startHistory(root, 'HEAD', isSubfolder).history;
}

function change(root: string, days: number, files: Record<string, string>): void {
  write(root, files);
  commit(root, START + days * DAY);
}

test('changes count half as much for every 90 days before the newest commit', async () => {
  const root = repository({ first: '' });
  change(root, 0, { old: '1', both: '1' });
  change(root, 90, { half: '1' });
  change(root, 180, { both: '2', 'naïve\n"name"': '1', '1700000000': '1' });
  const { commits, files } = (await history(root)) as History;
  expect(commits).toBe(3);
  expect([...files]).toEqual(
    expect.arrayContaining([
      ['old', { commits: 1, recentChanges: 0.25 }],
      ['half', { commits: 1, recentChanges: 0.5 }],
      ['both', { commits: 2, recentChanges: 1.25 }],
      ['naïve\n"name"', { commits: 1, recentChanges: 1 }],
      ['1700000000', { commits: 1, recentChanges: 1 }],
    ]),
  );
  expect(files.size).toBe(5);
});

test('a commit dated after the newest counts no more than that', async () => {
  const root = repository({ first: '' });
  change(root, 400, { future: '1' });
  change(root, 0, { present: '1' });
  expect((await history(root))?.files.get('future')?.recentChanges).toBe(1);
});

test('bulk commits, merges and the first commit say nothing', async () => {
  const root = repository({ first: '' });
  const many = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}`, text]));
  change(root, 1, many(61, 'a'));
  change(root, 2, many(60, 'b'));
  git(root, ['checkout', '-q', '-b', 'side']);
  change(root, 3, { side: '1' });
  git(root, ['checkout', '-q', 'main']);
  change(root, 4, { main: '1' });
  git(root, ['merge', '-q', '-m', 'merge', 'side']);
  const { commits, files } = (await history(root)) as History;
  expect(commits).toBe(3);
  expect(files.get('many/60')).toBeUndefined();
  expect(files.get('many/59')?.commits).toBe(1);
  expect(files.get('side')?.commits).toBe(1);
  expect(files.has('first')).toBe(false);
});

test('a renamed file is two files, and what the configuration says of renames does not matter', async () => {
  const root = repository({ old: 'the same content\n' });
  git(root, ['config', 'diff.renames', 'copies']);
  git(root, ['mv', 'old', 'new']);
  commit(root, START + DAY);
  expect([...((await history(root))?.files.keys() ?? [])].sort()).toEqual(['new', 'old']);
});

test('a subfolder has its own history, with its own paths', async () => {
  const root = repository({ 'a/b/x': '', 'a/b (2)/x': '', y: '' });
  change(root, 1, { 'a/b/x': '1', y: '1' });
  change(root, 2, { y: '2' });
  change(root, 3, { 'a/b (2)/x': '1' });
  change(root, 93, { y: '3' });
  const sub = (await history(join(root, 'a/b'), true)) as History;
  expect(sub.commits).toBe(1);
  expect([...sub.files]).toEqual([['x', { commits: 1, recentChanges: 1 }]]);
});

test('a thousand commits are enough', async () => {
  const root = tempFolder();
  git(root, ['init', '-q']);
  write(root, { import: fastImport(1100) });
  git(root, ['-c', 'alias.load=!git fast-import --quiet < import', 'load']);
  const { commits, files } = (await history(root)) as History;
  expect(commits).toBe(1000);
  expect(files.get('f')?.commits).toBe(1000);
  git(root, ['checkout', '-q', '-f', 'main']);
  expect((await history(join(root, 'sub'), true))?.commits).toBe(1000);
});

function fastImport(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const content = `${index}`;
    const data = `data ${content.length}\n${content}\n`;
    const who = `committer Ada <ada@example.com> ${START + index} +0000\n`;
    return `commit refs/heads/main\n${who}data 1\nx\nM 644 inline f\n${data}M 644 inline sub/g\n${data}\n`;
  }).join('');
}

test('a repository without a commit, or with one, has none', async () => {
  const root = tempFolder();
  git(root, ['init', '-q']);
  expect(await history(root)).toBeUndefined();
  change(root, 0, { a: '' });
  expect(await history(root)).toBeUndefined();
  expect(await history(tempFolder())).toBeUndefined();
});

test('a shallow clone has as much as there is', async () => {
  const root = repository({ a: '' });
  change(root, 1, { a: '1' });
  change(root, 2, { b: '1' });
  const clone = join(tempFolder(), 'clone');
  git(root, ['clone', '-q', '--depth', '2', `file://${root}`, clone]);
  const { commits, files } = (await history(clone)) as History;
  expect(commits).toBe(1);
  expect([...files.keys()]).toEqual(['b']);
});

test('where objects are missing it is what came before them', async () => {
  const root = repository({ 'd/a': '' });
  change(root, 1, { 'd/a': '1' });
  const lost = git(root, ['rev-parse', 'HEAD:d']).trim();
  change(root, 2, { b: '1' });
  change(root, 3, { 'd/a': '2' });
  change(root, 4, { c: '1' });
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  const found = (await history(root)) as History;
  expect([...found.files.keys()]).toEqual(['c']);
});
