import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { commitAll, type Files, folderWith, git, repositoryWith } from '../repository.ts';
import { bareRepository } from '../varied-repository.ts';
import { type GitHubOptions, type GitHubServer, serveGitHub } from './github.ts';
import type { HostedRepository } from './github-hosting.ts';

export const TOKEN = 'a-token-of-the-tests';
export const WITH_TOKEN = { Authorization: `Bearer ${TOKEN}` };

/** Serves as GitHub until the test ends; nothing that it answered may differ from GitHub's description. */
export async function serve(
  repositories: Readonly<Record<string, HostedRepository>>,
  options: GitHubOptions = {},
): Promise<GitHubServer> {
  const server = await serveGitHub(repositories, { tokens: [TOKEN], ...options });
  onTestFinished(async () => {
    await server.close();
    expect(server.violations).toEqual([]);
  });
  return server;
}

/** Asks the API under the server's own address. */
export function ask(
  server: GitHubServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.url}/api/v3${path}`, { headers, redirect: 'manual' });
}

/** The JSON that the API gives, with its status. */
export async function json(...request: Parameters<typeof ask>): Promise<{ status: number; body: unknown }> {
  const response = await ask(...request);
  return { status: response.status, body: await response.json() };
}

/** A bare repository with these files. */
export function bareWith(files: Files): string {
  return bareRepository(files);
}

export function bareOf(repository: string): string {
  const path = join(folderWith({}), 'bare.git');
  git(repository, 'clone', '-q', '--bare', repository, path);
  return path;
}

/** A bare repository with all that a tree may hold, two branches, tags of both kinds, and a pull request. */
export function richRepository(): string {
  const work = repositoryWith({ 'README.md': '# Rich\n', 'src/a b.ts': 'a', 'src/deep/é.txt': 'é\n' });
  symlinkSync('README.md', join(work, 'link'));
  commitAll(work);
  git(work, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  git(work, 'commit', '-q', '-m', 'A submodule\n\nIt is empty.');
  git(work, 'tag', '-a', '-m', 'The first', 'v1');
  git(work, 'tag', 'light');
  git(work, 'branch', 'feature/x', 'HEAD~1');
  const bare = bareOf(work);
  git(bare, 'update-ref', 'refs/pull/1/head', 'HEAD~2');
  return bare;
}
