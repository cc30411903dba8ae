import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commit, git, repository, tempFolder, write } from './fixture.ts';
import { recordsOf, runGit } from './git-command.ts';
import { openSource } from './source.ts';

/** A command that leaves a trace, and what it is called by. */
function trap(): { command: string; hasSprung: () => boolean; reset: () => void } {
  const folder = tempFolder();
  const trace = join(folder, 'trace');
  const command = join(folder, 'trap');
  writeFileSync(command, `#!/bin/sh\necho "$0 $*" >> '${trace}'\n`, { mode: 0o755 });
  return { command, hasSprung: () => existsSync(trace), reset: () => rmSync(trace, { force: true }) };
}

/** Does with a source all that a digest would, and more. */
async function digest(root: string, ref?: string): Promise<void> {
  const source = await openSource(root, { ref, history: true });
  const { entries, attributesOf } = await source.list();
  for (const entry of entries) {
    attributesOf(entry.path);
    if (entry.kind !== 'file') continue;
    await source.read(entry, 1000).catch(() => {});
    try {
      for await (const chunk of source.stream(entry)) chunk.toString();
    } catch {}
  }
  await source.history();
  await source.close();
}

/** Whether git as it comes springs the trap. */
function springs(root: string, args: readonly string[]): void {
  try {
    execFileSync('git', [...args], { cwd: root, stdio: 'ignore' });
  } catch {}
}

type Trap = (root: string, command: string) => readonly string[];

/** How a repository can be set up to run a program, and the plain git command that falls for it. */
const TRAPS: Record<string, Trap> = {
  'a file system monitor': (root, command) => {
    git(root, ['config', 'core.fsmonitor', command]);
    return ['ls-files', '--others'];
  },
  'a file system monitor in an included file': (root, command) => {
    write(root, { '.git/more': `[core]\n\tfsmonitor = "${command}"\n` });
    git(root, ['config', 'include.path', 'more']);
    return ['status'];
  },
  'a filter': (root, command) => {
    for (const kind of ['clean', 'smudge', 'process']) git(root, ['config', `filter.x.${kind}`, command]);
    write(root, { '.gitattributes': '* filter=x diff=x', 'file-0': 'changed' });
    return ['hash-object', 'file-0'];
  },
  'a diff command': (root, command) => {
    write(root, { '.gitattributes': '* diff=x', 'file-0': 'changed' });
    git(root, ['config', 'diff.external', command]);
    git(root, ['config', 'diff.x.command', command]);
    git(root, ['config', 'diff.x.textconv', command]);
    return ['diff'];
  },
  'a signature': (root, command) => {
    git(root, ['config', 'gpg.program', command]);
    git(root, ['config', 'log.showSignature', 'true']);
    const [head, body] = git(root, ['cat-file', 'commit', 'HEAD']).split('\n\n') as [string, string];
    const signed = `${head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n${body}`;
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: root,
      input: signed,
    });
    git(root, ['update-ref', 'HEAD', id.toString().trim()]);
    return ['log'];
  },
  'a fetch of what is missing': (root, command) => {
    const settings = {
      'remote.origin.url': `ext::${command}`,
      'remote.origin.promisor': 'true',
      'remote.origin.partialCloneFilter': 'blob:none',
      'extensions.partialClone': 'origin',
      'core.repositoryFormatVersion': '1',
      'protocol.allow': 'always',
      'protocol.ext.allow': 'always',
    };
    for (const [name, value] of Object.entries(settings)) git(root, ['config', name, value]);
    const id = git(root, ['rev-parse', 'HEAD:file-1']).trim();
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    return ['cat-file', 'blob', id];
  },
  'a fetch by ssh': (root, command) => {
    for (const [name, value] of Object.entries({
      'remote.origin.url': 'ssh://localhost/x',
      'remote.origin.promisor': 'true',
      'core.sshCommand': command,
      'core.repositoryFormatVersion': '1',
      'protocol.ssh.allow': 'always',
    })) {
      git(root, ['config', name, value]);
    }
    const id = git(root, ['rev-parse', 'HEAD:file-1']).trim();
    rmSync(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    return ['cat-file', 'blob', id];
  },
  hooks: (root, command) => {
    for (const name of ['post-index-change', 'post-checkout', 'pre-commit', 'reference-transaction']) {
      writeFileSync(join(root, '.git/hooks', name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    }
    return ['update-index', '--force-write-index'];
  },
};

test.each(Object.entries(TRAPS))('%s set up by a repository never runs', async (_, set) => {
  const { command, hasSprung, reset } = trap();
  const root = repository({ 'file-0': 'a', 'file-1': 'b' });
  write(root, { 'file-0': 'b' });
  commit(root);
  const bait = set(root, command);
  reset();
  await digest(root);
  await digest(root, 'HEAD').catch(() => {});
  expect(hasSprung()).toBe(false);
  springs(root, bait);
  expect(hasSprung()).toBe(true);
});

test('a git too old to know of GIT_NO_LAZY_FETCH fetches nothing either', async () => {
  const { command, hasSprung, reset } = trap();
  const root = repository({ 'file-0': 'a', 'file-1': 'b' });
  const bait = (TRAPS['a fetch of what is missing'] as Trap)(root, command);
  const folder = tempFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '${real}' "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  reset();
  await digest(root, 'HEAD').catch(() => {});
  expect(hasSprung()).toBe(false);
  springs(root, bait);
  expect(hasSprung()).toBe(true);
});

test('what the environment says of another repository does not count', async () => {
  const { command, hasSprung } = trap();
  const other = repository({ other: '' });
  const root = repository({ a: '' });
  const environment = {
    GIT_DIR: join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: join(other, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
    GIT_COMMON_DIR: join(other, '.git'),
    GIT_NAMESPACE: 'x',
    GIT_PREFIX: 'x/',
    GIT_EXTERNAL_DIFF: command,
    GIT_PAGER: command,
    GIT_SSH_COMMAND: command,
    GIT_GLOB_PATHSPECS: '1',
    GIT_ICASE_PATHSPECS: '1',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const source = await openSource(root, { history: true });
  onTestFinished(() => source.close());
  expect((await source.list()).entries.map(({ path }) => path)).toEqual(['a']);
  const at = await openSource(root, { ref: 'main', history: true });
  onTestFinished(() => at.close());
  expect((await at.list()).entries.map(({ path }) => path)).toEqual(['a']);
  expect(hasSprung()).toBe(false);
});

test("the user's own configuration still counts", async () => {
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'user.name');
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'Grace');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await runGit(tempFolder(), ['config', 'user.name'])).stdout).toBe('Grace\n');
});

test('replacements of objects do not count: a commit is what its id says', async () => {
  const root = repository({ a: 'first' });
  const first = git(root, ['rev-parse', 'HEAD']).trim();
  write(root, { a: 'second' });
  git(root, ['replace', first, commit(root)]);
  const source = await openSource(root, { ref: first, history: true });
  onTestFinished(() => source.close());
  await source.list();
  expect((await source.read({ path: 'a', kind: 'file', size: 5 }, 100)).toString()).toBe('first');
});

test('a command that fails or is not there says so', async () => {
  const root = tempFolder();
  expect(await runGit(root, ['rev-parse', 'HEAD'])).toMatchObject({
    code: 128,
    isMissing: false,
    stdout: '',
  });
  vi.stubEnv('PATH', root);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await runGit(root, ['version'])).toMatchObject({ code: null, isMissing: true, stdout: '' });
});

test('output of any length is taken, and records are cut only where they end', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `né\n${index}`);
  const bytes = Buffer.concat([Buffer.from(`${names.join('\0')}\0raw`), Buffer.from([0xe9, 0])]);
  for (const size of [1, 2, 3, 7, 1000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const records: string[] = [];
    for await (const batch of recordsOf(Readable.from(chunks))) records.push(...batch);
    expect(records).toEqual([...names, 'raw\udce9']);
  }
  const root = tempFolder();
  git(root, ['init', '-q']);
  write(root, { '.gitignore': '#\n'.repeat(1_500_000) });
  commit(root);
  expect((await runGit(root, ['cat-file', 'blob', 'HEAD:.gitignore'])).stdout).toHaveLength(3_000_000);
});
