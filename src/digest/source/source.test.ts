import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Listing } from '../types.ts';
import {
  codeOf,
  commit,
  git,
  giveAway,
  pathsOf,
  repository,
  tempFolder,
  withoutPrivileges,
  write,
} from './fixture.ts';
import { type OpenOptions, openSource } from './source.ts';

async function list(path: string, options?: OpenOptions): Promise<Listing> {
  const source = await openSource(path, { history: true, ...options });
  onTestFinished(() => source.close());
  return source.list();
}

async function failureOf(
  path: string,
  options?: OpenOptions,
): Promise<{ code: string | undefined; message: string }> {
  const error = await openSource(path, { history: true, ...options }).catch((cause: Error) => cause);
  return { code: codeOf(error), message: (error as Error).message };
}

/** Puts a `git` first on the PATH that is a shell script. */
function replaceGit(script: string): void {
  const folder = tempFolder();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('a folder outside any repository is a plain one, and git is not even asked', async () => {
  const root = tempFolder();
  write(root, { a: '' });
  replaceGit(`touch ${root}/asked; exit 1`);
  const source = await openSource(root, { history: true });
  expect(source.facts.kind).toBe('folder');
  expect(await source.history()).toBeUndefined();
  const listing = await source.list();
  expect(pathsOf(listing)).toEqual(['a']);
  expect(listing.warnings).toEqual([]);
});

test('a folder is found through a link, and by a relative path', async () => {
  const root = repository({ 'sub/a': '' });
  const link = join(tempFolder(), 'link');
  symlinkSync(join(root, 'sub'), link);
  expect(pathsOf(await list(link))).toEqual(['a']);
  expect(pathsOf(await list(`${root}/sub/../sub/`))).toEqual(['a']);
});

test('what is not there, not a folder, or not in a repository', async () => {
  const root = tempFolder();
  write(root, { 'dir/file': '' });
  symlinkSync('nowhere', join(root, 'dangling'));
  symlinkSync('circle', join(root, 'circle'));
  const expected = {
    none: 'SOURCE_NOT_FOUND',
    dangling: 'SOURCE_NOT_FOUND',
    'dir/file/none': 'SOURCE_NOT_FOUND',
    'a\0b': 'SOURCE_NOT_FOUND',
    [`${'x'.repeat(300)}`]: 'SOURCE_NOT_FOUND',
    circle: 'SOURCE_UNREADABLE',
    'dir/file': 'SOURCE_NOT_A_FOLDER',
  };
  for (const [path, code] of Object.entries(expected)) {
    const failure = await failureOf(`${root}/${path}`);
    expect([path, failure.code]).toEqual([path, code]);
    expect(failure.message).toContain(root);
  }
  expect((await failureOf('')).code).toBe('BAD_ADDRESS');
  expect((await failureOf(`${root}/dir/file`)).message).toContain(`${root}/dir.`);
  expect((await failureOf(root, { ref: 'main' })).code).toBe('NOT_A_REPOSITORY');
});

test('messages are one line, with control characters visible', async () => {
  const { message } = await failureOf('no\n\u001b[31mwhere');
  expect(message).toBe('no␊␛[31mwhere does not exist: check its spelling.');
});

test('a root that may not be read or entered', async () => {
  const root = tempFolder();
  write(root, { 'closed/a': '', 'unlisted/a': '', 'locked/a': '' });
  giveAway(root);
  chmodSync(join(root, 'closed'), 0);
  chmodSync(join(root, 'unlisted'), 0o111);
  chmodSync(join(root, 'locked'), 0o444);
  await withoutPrivileges(async () => {
    for (const path of ['closed', 'unlisted', 'locked', 'closed/a']) {
      expect((await failureOf(join(root, path))).code).toBe('SOURCE_UNREADABLE');
    }
  });
});

test('what is inside a folder of git itself asks for a commit', async () => {
  const root = repository({ a: '' });
  const bare = join(tempFolder(), 'bare.git');
  git(root, ['clone', '-q', '--bare', root, bare]);
  for (const path of [join(bare, 'hooks'), join(root, '.git')]) {
    const { code, message } = await failureOf(path);
    expect(code).toBe('BARE_REPOSITORY');
    expect(message).toContain('--ref');
  }
  const layout = tempFolder();
  git(root, ['clone', '-q', '--bare', root, join(layout, '.bare')]);
  write(layout, { '.git': 'gitdir: ./.bare\n' });
  for (const path of [bare, layout]) {
    const source = await openSource(path);
    onTestFinished(() => source.close());
    expect(source.facts).toMatchObject({ ref: 'main', commit: git(root, ['rev-parse', 'HEAD']).trim() });
    expect(pathsOf(await source.list())).toEqual(['a']);
  }
});

test('a folder that git ignores is a plain one', async () => {
  const root = repository({ '.gitignore': 'out/\n*.log' });
  write(root, { 'out/deep/a': '', 'out/deep/b.log': '', 'out/deep/.gitignore': 'c', 'out/deep/c': '' });
  const listing = await list(join(root, 'out/deep'));
  expect(pathsOf(listing)).toEqual(['.gitignore', 'a', 'b.log']);
  expect(listing.warnings.map(({ code }) => code)).toEqual(['IGNORED_FOLDER']);
  git(root, ['add', '-f', 'out/deep/a']);
  const tracked = await list(join(root, 'out/deep'));
  expect(pathsOf(tracked)).toEqual(['a']);
  expect(tracked.warnings).toEqual([]);
});

const BREAKAGES: Record<string, (root: string) => void> = {
  'an empty .git': (root) => {
    rmSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, '.git'));
  },
  'a .git file that leads nowhere': (root) => {
    rmSync(join(root, '.git'), { recursive: true });
    write(root, { '.git': 'gitdir: /nowhere' });
  },
  'a damaged index': (root) => write(root, { '.git/index': 'nonsense' }),
  'a damaged configuration': (root) => write(root, { '.git/config': '[core' }),
  'a work tree somewhere else': (root) => git(root, ['config', 'core.worktree', tempFolder()]),
};

test.each(Object.entries(BREAKAGES))('%s: a plain folder, with one warning', async (_, damage) => {
  const root = repository({ '.gitignore': '*.log', 'sub/a': '', 'sub/b.log': '' });
  damage(root);
  for (const [path, expected] of [
    [root, ['.gitignore', 'sub/a']],
    [join(root, 'sub'), ['a']],
  ] as const) {
    const listing = await list(path);
    expect(pathsOf(listing)).toEqual(expected);
    expect(listing.warnings.map(({ code }) => code)).toEqual(['GIT_UNUSABLE']);
    expect(listing.warnings[0]?.message).not.toMatch(/\n/);
  }
});

test('with a ref, what git refuses is an error', async () => {
  const root = repository({ a: '' });
  write(root, { '.git/config': '[core' });
  const { code, message } = await failureOf(root, { ref: 'main' });
  expect(code).toBe('GIT_FAILED');
  expect(message).toMatch(/bad config.*git status/);
});

test('a repository of somebody else', async () => {
  const root = repository({ a: '' });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  replaceGit(`GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${real}' "$@"`);
  const { entries, warnings } = await list(root);
  expect(entries.map(({ path }) => path)).toEqual(['a']);
  expect(warnings).toEqual([
    { code: 'GIT_UNUSABLE', message: expect.stringContaining(`safe.directory ${root}`) },
  ]);
  expect((await failureOf(root, { ref: 'HEAD' })).code).toBe('GIT_FAILED');
});

test('without git', async () => {
  const root = repository({ '.gitignore': 'x', a: '', x: '' });
  vi.stubEnv('PATH', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { entries, warnings } = await list(root);
  expect(entries.map(({ path }) => path)).toEqual(['.gitignore', 'a']);
  expect(warnings).toEqual([
    { code: 'GIT_UNUSABLE', message: expect.stringContaining('git is not installed') },
  ]);
  const { code, message } = await failureOf(root, { ref: 'HEAD' });
  expect(code).toBe('GIT_FAILED');
  expect(message).toContain('Install git');
});

test('a run that is stopped stops, whatever it was doing', async () => {
  const root = repository({ a: '' });
  const aborted = AbortSignal.abort();
  expect((await failureOf(root, { signal: aborted })).code).toBe('ABORTED');
  for (const ref of [undefined, 'HEAD']) {
    const opening = new AbortController();
    const opened = failureOf(root, { ref, signal: opening.signal });
    opening.abort();
    expect((await opened).code).toBe('ABORTED');
    const listing = new AbortController();
    const source = await openSource(root, { ref, history: true, signal: listing.signal });
    listing.abort();
    await expect(source.list()).rejects.toMatchObject({ code: 'ABORTED' });
    await source.close();
  }
});

test('closing early leaves no process behind', async () => {
  const root = repository({ a: '' });
  write(root, { a: '1' });
  commit(root);
  for (const ref of [undefined, 'HEAD']) {
    const source = await openSource(root, { ref, history: true });
    await source.list();
    await source.close();
    await source.history();
  }
});
