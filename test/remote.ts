import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, onTestFinished, vi } from 'vitest';
import type { PlimsollError } from '../src/errors.ts';
import { folderWith, git } from './repository.ts';
import { allowFilter, type GitHttpOptions, type GitHttpServer, serveGit } from './servers/git-http.ts';

/** For a file's tests: git has no configuration but a repository's own, unless a test says otherwise. */
export function withoutUserConfig(): void {
  beforeEach(() => {
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  });
  afterEach(() => void vi.unstubAllEnvs());
}

/** A cache that is gone after the test. */
export function newCache(): { readonly folder: string; readonly limit: number } {
  return { folder: join(folderWith({}), 'cache'), limit: 1_000_000_000 };
}

/** Removes the digests that a cache keeps, so that the next one is made of the files. */
export function forgetDigests(cache: string): void {
  for (const entry of readdirSync(cache, { withFileTypes: true })) {
    if (entry.isDirectory()) rmSync(join(cache, entry.name, 'digests'), { recursive: true, force: true });
  }
}

/** Serves a folder's repositories by http until the test ends. */
export async function serve(root: string, options: GitHttpOptions = {}): Promise<GitHttpServer> {
  const server = await serveGit(root, options);
  onTestFinished(() => server.close());
  return server;
}

/** The same, with nothing left out unless a client asks for it. */
export function servePartly(
  root: string,
  path: string,
  options: GitHttpOptions = {},
): Promise<GitHttpServer> {
  allowFilter(path, true);
  return serve(root, options);
}

/** A clone on disk that has its files from a bare repository, and its name from an address. */
export function cloneOf(path: string, address: string): string {
  const clone = join(folderWith({}), 'clone');
  mkdirSync(clone);
  git(clone, 'clone', '-q', '--no-checkout', path, '.');
  git(clone, 'remote', 'set-url', 'origin', address);
  return clone;
}

/** What a promise fails with. */
export async function failureOf(work: Promise<unknown>): Promise<PlimsollError> {
  try {
    await work;
  } catch (error) {
    return error as PlimsollError;
  }
  throw new Error('it did not fail');
}

/** All files below a folder, by their paths from there. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** The arguments of all processes, by what Linux and ps(1) tell anybody. */
export function runningCommands(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}
