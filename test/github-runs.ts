import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import type { Digest } from '../src/digest/digest.ts';
import { folderWith, git, write } from './repository.ts';
import type { GitHubServer, SeenRequest } from './servers/github.ts';
import { runGit } from './servers/run-git.ts';
import { addCommit, variedRepository } from './varied-repository.ts';

const MAIN = resolve('dist/cli/main.js');

/** The user's environment without what would decide where and as whom a repository is read. */
const ENVIRONMENT: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:PLIMSOLL|GOPHER|GIT|GH|GITHUB)_|_proxy$/i.test(name)),
);

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of the built command, with a home and a cache of their own. */
export class User {
  readonly home = folderWith({});
  readonly cache = join(this.home, 'cache');
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    this.#env = env;
    mkdirSync(join(this.home, 'here'));
    mkdirSync(join(this.home, 'temporary'));
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}, setup = '') {
    const own = { HOME: this.home, TMPDIR: join(this.home, 'temporary'), PLIMSOLL_CACHE_DIR: this.cache };
    return spawn('/bin/sh', ['-c', `${setup}\nexec "$0" "$@"`, process.execPath, MAIN, 'digest', ...args], {
      cwd: join(this.home, 'here'),
      env: {
        ...ENVIRONMENT,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        ...own,
        ...this.#env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Runs `plimsoll digest`; `setup` is shell that comes before. */
  async run(...start: Parameters<User['start']>): Promise<Run> {
    const child = this.start(...start);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, stdout, stderr };
  }

  /** The digest that `plimsoll digest --format json` prints. */
  async digest(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Digest> {
    const { code, stdout, stderr } = await this.run([...args, '--format', 'json', '--quiet'], env);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }
}

/** A PATH with these scripts before all other programs. */
export function pathWith(scripts: Readonly<Record<string, string>>): string {
  const folder = folderWith({});
  for (const [name, script] of Object.entries(scripts)) {
    write(folder, { [name]: `#!/bin/sh\n${script}\n` });
    chmodSync(join(folder, name), 0o755);
  }
  return `${folder}${delimiter}${process.env.PATH}`;
}

/**
 * The varied repository, without names that JSON can't carry since they are not UTF-8; with the branch `feature/x`, the
 * tags `light` and `annotated`, and pull request 1.
 */
export function variedOnGitHub(root?: string): string {
  const { path } = variedRepository(root);
  git(path, 'read-tree', 'main');
  const names = execFileSync('git', ['-C', path, 'ls-files', '-z'], { encoding: 'latin1' }).split('\0');
  const strange = names.filter((name) => Buffer.from(name, 'latin1').toString().includes('\ufffd'));
  const gone = strange.map((name) => `0 ${'0'.repeat(40)}\t${name}\0`).join('');
  const input = Buffer.from(gone, 'latin1');
  execFileSync('git', ['-C', path, 'update-index', '-z', '--index-info'], { input });
  const tree = git(path, 'write-tree');
  git(path, 'update-ref', 'refs/heads/main', git(path, 'commit-tree', '-p', 'main', '-m', 'UTF-8', tree));
  const branch = addCommit(path, 'feature/x', {
    'README.md': '# X\n',
    'sub/a.txt': 'a\n',
    'sub/deep/b.txt': 'b\n',
  });
  git(path, 'tag', 'light', branch);
  git(path, 'tag', '-a', '-m', 'A tag', 'annotated', branch);
  addCommit(path, 'pull', { 'asked.txt': 'to be pulled\n' });
  git(path, 'update-ref', 'refs/pull/1/head', 'refs/heads/pull');
  git(path, 'branch', '-q', '-D', 'pull');
  return path;
}

/** For a file's tests: one such repository, which they leave as it is. */
export function sharedVaried(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-varied-'));
  let path = '';
  beforeAll(() => {
    path = variedOnGitHub(root);
  });
  afterAll(() => rmSync(root, { recursive: true }));
  return () => path;
}

/** Clones what the server has under an address, as its users would. */
export async function clone(url: string, env?: NodeJS.ProcessEnv): Promise<string> {
  const folder = join(folderWith({}), 'clone');
  const { status, errors } = await runGit(['clone', '-q', url, folder], env);
  if (status !== 0) throw new Error(errors);
  return folder;
}

/** What comes after the head, which names where a document is from. */
export function body({ text }: Pick<Digest, 'text'>): string {
  return text.slice(text.indexOf('\n## Tree'));
}

const REPOSITORY = /^(?:\/api\/v3)?\/(?:repos\/[^/]+\/[^/]+|repositories\/\d+)/;

/** Requests that counted against the hourly limit, by what they asked of the repository; the facts are ''. */
export function counted(requests: readonly SeenRequest[]): string[] {
  return requests.filter((request) => request.counted).map(({ path }) => path.replace(REPOSITORY, ''));
}

/** Requests made from now on. */
export function watch({ requests }: GitHubServer): () => readonly SeenRequest[] {
  const before = requests.length;
  return () => requests.slice(before);
}

/** The paths, decoded, of raw files that were asked for. */
export function rawPaths(requests: readonly SeenRequest[]): string[] {
  return requests
    .filter(({ host }) => host === 'raw.githubusercontent.com')
    .map(({ path }) => decodeURIComponent(path.split('/').slice(4).join('/')));
}

/** What the system shows of the arguments with which this process's descendants were started. */
export function argumentsOfDescendants(): string {
  const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const ours = new Set([String(process.pid)]);
  const found: string[] = [];
  for (const line of lines) {
    const [, pid = '', parent = '', args = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    if (!ours.has(parent)) continue;
    ours.add(pid);
    found.push(args);
  }
  return found.join('\n');
}
