import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './repository.ts';
import { serveCommand } from './served.ts';
import { bareWith, serve } from './servers/github-fixture.ts';
import { type Client, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { type Json, temporaryFolder } from './wrapped.ts';

/** Shell that puts what follows into a mount namespace of its own. */
const OWN_MOUNTS = 'unshare -rm sh -c';
const canMount =
  spawnSync('sh', ['-c', `${OWN_MOUNTS} 'mount -t tmpfs none /mnt'`], { stdio: 'ignore' }).status === 0;

/** The server with another file system, which a shell command mounts, in place of a folder. */
function serveOn(mount: string, folder: string) {
  const { command, env } = serveCommand({ env: { PLIMSOLL_DATA_DIR: folder } });
  const setup = `exec ${OWN_MOUNTS} '${mount} && shift && exec "$@"' -- '${folder}' "$0" "$@"`;
  return { command: ['sh', '-c', setup, ...command], env };
}

/** One line that says what is wrong; the call after it is answered as ever. */
async function refused(client: Client, name: string, args: Json): Promise<string> {
  const result = await client.callTool(name, args);
  expect(result, JSON.stringify(result).slice(0, 500)).toMatchObject({ isError: true });
  expect(result.structuredContent).toBeUndefined();
  const [{ text }] = result.content;
  expect(text).not.toContain('\n');
  expect(text.length).toBeLessThanOrEqual(2000);
  expect((await client.callTool('read_diary')).isError).toBeFalsy();
  return text;
}

describe.each([
  { era: '2025, SDK v1', connect: connectV1 },
  { era: '2025, SDK v2', connect: connectV2 },
  { era: '2026', connect: connectModern },
])('a client of $era', ({ connect }) => {
  test('is told in a line what is wrong with arguments, and which tools there are', async () => {
    const client = await connect(serveCommand());
    expect(await refused(client, 'read_context', { prefix: {} })).toBe(
      "read_context: 'prefix' has to be a text.",
    );
    expect(await refused(client, 'search_context', { query: 'a', limit: -1 })).toContain(
      'a whole number from 0',
    );
    expect(await refused(client, 'log_diary', {})).toBe("log_diary needs 'entry'.");
    expect(await refused(client, 'list_repo', { repository: 'o/r' })).toMatch(
      /takes no 'repository'; it takes repo, path/,
    );
    for (const args of [[], 'last_n', 7]) {
      const result = await client.request('tools/call', { name: 'read_diary', arguments: args });
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0].text).toMatch(/^read_diary takes no 'arguments'; it takes last_n, tag/);
    }
    expect(await client.request('resources/read', { uri: 5 })).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^[^\n]*params\.uri: [^\n]+$/) },
    });
    expect(await refused(client, 'read_contexts', {})).toMatch(
      /^There is no tool 'read_contexts'\. There are fetch_github_repo, .*read_context/,
    );
  });

  test('is told so of arguments of 10 MB', async () => {
    const client = await connect(serveCommand());
    const long = 'x'.repeat(10_000_000);
    for (const [name, args] of [
      ['fetch_github_repo', { repo_url: long }],
      ['digest_folder', { path: long }],
      ['read_context', { prefix: long }],
      ['search_context', { query: long }],
      ['update_context', { key: long, value: 'a' }],
      ['summarize_only', { transcript_path: long }],
      ['read_diary', { [long]: 1 }],
      [long, {}],
    ] as const) {
      await refused(client, name, args);
    }
  });

  test('is told at once of paths of many names', { timeout: 20_000 }, async () => {
    const root = folderWith({ 'a.txt': 'a\n' });
    const client = await connect(serveCommand({ options: ['--root', root] }));
    const long = 'a/'.repeat(5_000_000);
    for (const [name, args] of [
      ['digest_folder', { path: long }],
      ['read_repo_file', { repo: root, path: long }],
      ['search_repo', { repo: root, pattern: 'a', path: long }],
      ['list_repo', { repo: root, path: long }],
      ['summarize_only', { transcript_path: long }],
    ] as const) {
      expect(await refused(client, name, args)).toBe(
        'A path has at most 4096 characters; this one has 10000000.',
      );
    }
  });

  test('is told which folders are allowed, also by links', async () => {
    const root = folderWith({ 'a.txt': 'a\n' });
    const other = folderWith({ 'b.txt': 'b\n' });
    symlinkSync(other, join(root, 'link'));
    const client = await connect(serveCommand(), { roots: [root] });
    for (const path of [other, join(root, 'link'), join(root, '..'), '/etc']) {
      const text = await refused(client, 'digest_folder', { path });
      expect(text).toContain('may not be looked into');
      expect(text).toContain(root);
      expect(await refused(client, 'summarize_only', { transcript_path: join(path, 'b.txt') })).toContain(
        'may not be read',
      );
    }
  });

  test('is told how a private repository is read', async () => {
    const server = await serve({ 'o/r': { path: bareWith({ 'a.txt': 'a\n' }), facts: { private: true } } });
    const client = await connect(serveCommand({ env: server.env }));
    for (const [name, args] of [
      ['fetch_github_repo', { repo_url: 'o/r' }],
      ['read_repo_file', { repo: 'o/r', path: 'a.txt' }],
    ] as const) {
      expect(await refused(client, name, args)).toMatch(/private.*GITHUB_TOKEN/);
    }
  });

  test('is told that there is no network', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const client = await connect(serveCommand({ env: { HTTPS_PROXY: nowhere, https_proxy: nowhere } }));
    for (const [name, args] of [
      ['fetch_github_repo', { repo_url: 'o/r' }],
      ['list_repo', { repo: 'o/r' }],
    ] as const) {
      expect(await refused(client, name, args)).toMatch(/can't be reached.*check the network/);
    }
  });

  test.runIf(canMount)('is told that the disk is full, and what was stored is there', async () => {
    const client = await connect(serveOn('mount -t tmpfs -o size=1m none "$1"', temporaryFolder()));
    await client.callTool('update_context', { key: 'a', value: 'kept' });
    const long = 'x'.repeat(2_000_000);
    const full = /the disk is full\. Make room and try again\.$/;
    expect(await refused(client, 'update_context', { key: 'b', value: long })).toMatch(full);
    expect(await refused(client, 'log_diary', { entry: long })).toMatch(full);
    expect((await client.callTool('read_context')).structuredContent.value).toEqual({ a: 'kept' });
  });

  test.runIf(canMount)('is told that the data folder is read-only, and reads it', async () => {
    const folder = temporaryFolder();
    const writing = await connect(serveCommand({ env: { PLIMSOLL_DATA_DIR: folder } }));
    await writing.callTool('update_context', { key: 'a', value: 'kept' });
    const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"';
    const client = await connect(serveOn(mount, folder));
    for (const [name, args] of [
      ['update_context', { key: 'a', value: 'other' }],
      ['delete_context_key', { key: 'a' }],
      ['log_diary', { entry: 'other' }],
    ] as const) {
      expect(await refused(client, name, args)).toMatch(/read-only|PLIMSOLL_DATA_DIR/);
    }
    expect((await client.callTool('read_context')).structuredContent.value).toEqual({ a: 'kept' });
    expect(readFileSync(join(folder, 'context.json'), 'utf8')).toContain('kept');
  });
});
