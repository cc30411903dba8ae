import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitAll, repositoryWith } from './repository.ts';
import { serveCommand } from './served.ts';
import { bareOf, serve } from './servers/github-fixture.ts';
import { type Client, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { type Json, temporaryFolder } from './wrapped.ts';

const PARTS = ['README.md', 'package.json', 'docs', 'src'];

/** A bare repository of what Plimsoll itself is made of. */
function ownRepository(): string {
  const folder = repositoryWith({});
  for (const part of PARTS) cpSync(resolve(part), join(folder, part), { recursive: true });
  commitAll(folder);
  return bareOf(folder);
}

async function textOf(client: Client, name: string, args: Json): Promise<string> {
  const result = await client.callTool(name, args);
  expect(result.isError, JSON.stringify(result)).toBeFalsy();
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(100_000);
  return result.content[0].text;
}

/** The arguments of a tool's call that an answer's first line spells. */
function spelled(text: string, tool: string): Json | undefined {
  const args = new RegExp(`^.*?${tool} (\\{.*?\\})`).exec(text)?.[1];
  return args === undefined ? undefined : JSON.parse(args);
}

describe.each([
  { era: '2025, SDK v1', connect: connectV1 },
  { era: '2025, SDK v2', connect: connectV2 },
  { era: '2026', connect: connectModern },
])('a client of $era, in a repository that people write', ({ connect }) => {
  test('gets from the digest to every folder, a definition and the last line of the longest file', async () => {
    const github = await serve({ 'plimsoll/plimsoll': { path: ownRepository() } });
    const env = { ...github.env, PLIMSOLL_CACHE_DIR: temporaryFolder() };
    const client = await connect(serveCommand({ env }));
    const asked = {
      repo_url: 'plimsoll/plimsoll',
      budget: '20000',
      query: 'who is told of changed resources',
    };
    const digest = await textOf(client, 'fetch_github_repo', asked);
    expect(digest.length).toBeLessThanOrEqual(20_000);
    expect(digest).toContain('### `src/server/subscriptions.ts`');
    const same = spelled(digest, 'read_repo_file');
    delete same.path;

    const listed = await client.callTool('list_repo', { ...same, path: 'src/server' });
    const there = readdirSync('src/server').map((name) =>
      statSync(join('src/server', name)).isDirectory() ? `${name}/` : name,
    );
    expect(listed.structuredContent.entries.map(({ name }: Json) => name).sort()).toEqual(there.sort());

    const pattern = '^export function makeServer';
    const found = await textOf(client, 'search_repo', { ...same, pattern, regex: true });
    const reading = spelled(found, 'read_repo_file');
    expect(reading).toMatchObject({ path: 'src/server/server.ts' });
    expect(await textOf(client, 'read_repo_file', reading)).toContain('\nexport function makeServer(');

    const path = 'src/memory/answers/answers.test.ts';
    let read = '';
    for (let next: Json = { ...same, path }; next; ) {
      const page = await textOf(client, 'read_repo_file', next);
      read += page.slice(page.indexOf('\n') + 1);
      next = spelled(page.slice(0, page.indexOf('\n')), 'Go on: read_repo_file');
    }
    expect(read).toBe(readFileSync(path, 'utf8'));
  });
});
