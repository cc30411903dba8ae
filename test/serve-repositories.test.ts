import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './repository.ts';
import { serveOverHttp } from './served.ts';
import type { GitHubServer } from './servers/github.ts';
import { bareWith, serve } from './servers/github-fixture.ts';
import { type Client, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { environment, type Json, MAIN, temporaryFolder } from './wrapped.ts';

const LARGE = Array.from({ length: 4000 }, (_, i) => `export const value${i} = "${i * i}"; // needle\n`).join(
  '',
);

const FILES = {
  'README.md': '# Haystack\n',
  'package.json': '{ "name": "haystack" }\n',
  'src/large.ts': LARGE,
  ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/f${i}.ts`, LARGE.slice(i, 4000 + i)])),
};

const ERAS = [
  ['the first SDK', connectV1],
  ['the second SDK', connectV2],
  ['the era of 2026-07-28', connectModern],
] as const;

const COMMAND = ['node', MAIN, 'serve'];

function envOf(server?: GitHubServer): Record<string, string> {
  const data = temporaryFolder();
  return { ...environment(data), ...server?.env, PLIMSOLL_CACHE_DIR: join(data, 'cache') };
}

const textOf = (result: Json): string => result.content[0].text;
const firstLine = (result: Json): string => textOf(result).split('\n', 1)[0] as string;

function nextCall(line: string, tool: string): Json | undefined {
  const args = new RegExp(`(?:Go on|To read on): ${tool} (\\{.*?\\})`).exec(line)?.[1];
  return args === undefined ? undefined : JSON.parse(args);
}

/** A result that is within the client's cap by itself. */
async function call(client: Client, name: string, args: Json): Promise<Json> {
  const result = await client.callTool(name, args);
  expect(result.isError, JSON.stringify(result)).toBeFalsy();
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(40_000);
  expect(JSON.stringify(result)).not.toContain('dev.plimsoll/bound');
  return result;
}

describe.each(ERAS)('a client of %s', (_, connect) => {
  test('reads on from a digest by the calls that it is told', async () => {
    const path = bareWith(FILES);
    const server = await serve({ 'o/r': { path } });
    const client = await connect({ command: COMMAND, env: envOf(server) }, { name: 'claude-code' });
    const digest = await call(client, 'fetch_github_repo', { repo_url: 'o/r' });
    expect(firstLine(digest)).toContain('The budget was lowered to');
    const { repo, ref } = nextCall(firstLine(digest), 'read_repo_file');
    expect(ref).toBe(execFileSync('git', ['-C', path, 'rev-parse', 'main'], { encoding: 'utf8' }).trim());
    const { entries } = (await call(client, 'list_repo', { repo, ref })).structuredContent;
    expect(entries[0]).toMatchObject({ name: 'src/', files: 41 });

    let text = '';
    for (let next: Json = { repo, ref, path: 'src/large.ts' }; next; ) {
      const page = await call(client, 'read_repo_file', next);
      text += textOf(page).slice(firstLine(page).length + 1);
      next = nextCall(firstLine(page), 'read_repo_file');
    }
    expect(text).toBe(LARGE);

    const before = server.requests.length;
    let lines = 0;
    for (let next: Json = { repo, ref, pattern: 'value\\d+7 ', regex: true, path: 'src/large.ts' }; next; ) {
      const page = await call(client, 'search_repo', next);
      lines += textOf(page).match(/^\d+: /gm)?.length ?? 0;
      next = nextCall(firstLine(page), 'search_repo');
    }
    expect(lines).toBe(399);
    expect(server.requests.length).toBe(before);
  });

  test('has folders in its roots digested, and no others', async () => {
    const folder = folderWith({ 'a.txt': 'alpha\n' });
    const other = folderWith({ 'b.txt': 'beta\n' });
    const client = await connect({ command: COMMAND, env: envOf() }, { roots: [folder] });
    const digest = await call(client, 'digest_folder', { path: folder });
    expect(textOf(digest)).toContain('alpha');
    const uri = `plimsoll://digest/${encodeURIComponent(folder)}`;
    expect((await client.request('resources/read', { uri })).contents[0].text).toContain('alpha');
    const args = nextCall(firstLine(digest), 'read_repo_file');
    expect(textOf(await call(client, 'read_repo_file', { ...args, path: 'a.txt' }))).toMatch(/\nalpha\n$/);
    for (const [name, more] of [
      ['digest_folder', { path: other }],
      ['read_repo_file', { repo: other, path: 'b.txt' }],
      ['search_repo', { repo: other, pattern: 'beta' }],
      ['list_repo', { repo: `${folder}/../${other.split('/').at(-1)}` }],
    ] as const) {
      const refused = await client.callTool(name, more);
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain('may not be looked into');
    }
    const allowing = await connect({ command: [...COMMAND, '--root', other], env: envOf() }, { roots: [] });
    expect(textOf(await call(allowing, 'digest_folder', { path: other }))).toContain('beta');
  });

  test('over HTTP has folders digested that the user allows, not those that it names as roots', async () => {
    const folder = folderWith({ 'a.txt': 'alpha\n' });
    const other = folderWith({ 'b.txt': 'beta\n' });
    const url = await serveOverHttp({ options: ['--root', folder] });
    const client = await connect({ url }, { roots: [other] });
    expect(textOf(await call(client, 'digest_folder', { path: folder }))).toContain('alpha');
    const refused = await client.callTool('digest_folder', { path: other });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('--root');
  });

  test('can stop a fetch, and is told how far one is', async () => {
    const server = await serve({ 'o/r': { path: bareWith(FILES) } });
    const client = await connect({ command: COMMAND, env: envOf(server) });
    const stop = new AbortController();
    server.intercept = ({ path }) => {
      if (!path.includes('/git/trees/')) return undefined;
      stop.abort();
      return { kind: 'stall', afterBytes: 0 };
    };
    const params = { name: 'fetch_github_repo', arguments: { repo_url: 'o/r' } };
    const cancelled = await client.request('tools/call', params, { signal: stop.signal }).catch(String);
    expect(JSON.stringify(cancelled)).toMatch(/abort/i);
    server.intercept = undefined;
    const said: Json[] = [];
    await client.request('tools/call', params, { onprogress: (progress) => said.push(progress) });
    expect(said.map(({ message }) => message).join()).toContain('fetching files');
  });
});
