import { execFileSync } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Listing, Source } from '../types.ts';

/** For tests: neither the user's nor the system's git configuration counts, and commits are always the same. */
Object.assign(process.env, {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
});

const AUTHOR = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

const NOBODY = 65534;

/** A real folder that is gone after the test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by their paths, making folders as needed. */
export function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Runs git; `date` is a commit's, in seconds. */
export function git(root: string, args: readonly string[], date = 1_700_000_000): string {
  const at = `${date} +0000`;
  const env = { ...process.env, ...AUTHOR, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
  return execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Commits all that is in a work tree and gives the commit's id. */
export function commit(root: string, date?: number): string {
  git(root, ['add', '-A']);
  git(root, ['commit', '-q', '--allow-empty', '-m', 'change'], date);
  return git(root, ['rev-parse', 'HEAD']).trim();
}

/** A repository whose first commit has these files. */
export function repository(files: Readonly<Record<string, string | Buffer>>): string {
  const root = tempFolder();
  git(root, ['init', '-q']);
  write(root, files);
  commit(root);
  return root;
}

export function pathsOf(listing: Listing): string[] {
  return listing.entries.map(({ path }) => path);
}

/** A file's text, read as a digest would. */
export async function textOf(source: Source, path: string, limit = 1_000_000): Promise<string> {
  return (await source.read({ path, kind: 'file', size: 0 }, limit)).toString('utf8');
}

export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

/** Runs with the rights of a user who is not root, so that permissions hold also where tests run as root. */
export async function withoutPrivileges<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}

/** Makes a tree the property of the user that `withoutPrivileges` runs as. */
export function giveAway(path: string): void {
  if (process.geteuid?.() !== 0) return;
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name));
  if (!lstatSync(path).isSymbolicLink()) chownSync(path, NOBODY, -1);
}
