import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './repository.ts';
import { serveCommand, serveOverHttp } from './served.ts';
import { bareWith, serve } from './servers/github-fixture.ts';
import { type Client, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { type Json, temporaryFolder } from './wrapped.ts';

const SOURCE = Array.from({ length: 3000 }, (_, i) => `export const value${i} = ${i}; // line\n`).join('');

/** A client that remembers which tools it has called. */
function speakerOf(client: Client) {
  const called = new Set<string>();
  const call = async (name: string, args: Json = {}): Promise<Json> => {
    called.add(name);
    const result = await client.callTool(name, args);
    expect(result.isError, JSON.stringify(result)).toBeFalsy();
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(50_000);
    return result;
  };
  const text = async (name: string, args: Json = {}): Promise<string> =>
    (await call(name, args)).content[0].text;
  const data = async (name: string, args: Json = {}): Promise<Json> =>
    (await call(name, args)).structuredContent;
  return { called, text, data };
}

/** The arguments of a tool's call that a text spells. */
function spelled(text: string, tool: string): Json {
  return JSON.parse(new RegExp(`${tool} (\\{.*?\\})`).exec(text)?.[1] as string);
}

describe.each([
  { era: '2025, SDK v1', connect: connectV1 },
  { era: '2025, SDK v2', connect: connectV2 },
  { era: '2026', connect: connectModern },
])('a client of $era', ({ connect }) => {
  test.each(['stdio', 'HTTP'])('over %s gets through a conversation with every tool', async (way) => {
    const files = { 'README.md': '# Rigging\n', 'src/large.ts': SOURCE, 'docs/guide.md': 'Hoist the jib.\n' };
    const github = await serve({ 'ship/rigging': { path: bareWith(files) } });
    const folder = folderWith({ 'main.py': 'print("ahoy")\n' });
    const talk = join(folder, 'talk.txt');
    writeFileSync(talk, 'User: Remember that the office is in Husum.\n\nAssistant: Noted.\n');
    const data = temporaryFolder();
    const env = { ...github.env, PLIMSOLL_CACHE_DIR: join(data, 'cache'), PLIMSOLL_DATA_DIR: data };
    const serving = { options: ['--root', folder], env };
    const client = await connect(
      way === 'HTTP' ? { url: await serveOverHttp(serving) } : serveCommand(serving),
    );
    const speaker = speakerOf(client);

    const digest = await speaker.text('fetch_github_repo', { repo_url: 'ship/rigging', budget: '6000' });
    expect(digest).toContain('Hoist the jib.');
    const { repo, ref } = spelled(digest, 'read_repo_file');
    const listing = await speaker.data('list_repo', { repo, ref });
    expect(listing.entries.map(({ name }: Json) => name)).toEqual(['docs/', 'src/', 'README.md']);
    const found = await speaker.text('search_repo', { repo, ref, pattern: 'value2999 ' });
    const reading = spelled(found, 'read_repo_file');
    expect(await speaker.text('read_repo_file', reading)).toContain('export const value2999 = 2999;');
    expect(await speaker.text('digest_folder', { path: folder })).toContain('print("ahoy")');

    await speaker.text('update_context', { key: 'ship.rig', value: 'sloop' });
    expect(await speaker.data('read_context', { prefix: 'ship' })).toMatchObject({ value: { rig: 'sloop' } });
    expect(await speaker.data('search_context', { query: 'SLOOP' })).toMatchObject({
      matches: [{ key: 'ship.rig', value: 'sloop' }],
    });
    await speaker.text('delete_context_key', { key: 'ship.rig' });
    await speaker.text('log_diary', { entry: 'Read the rigging.', tag: 'ship' });
    expect(await speaker.data('read_diary', { tag: 'ship' })).toMatchObject({
      entries: [{ tag: 'ship', text: 'Read the rigging.' }],
    });

    const preview = await speaker.text('summarize_only', { transcript_path: talk, extract: 'rules' });
    await speaker.text('digest_transcript', spelled(preview, 'digest_transcript'));
    expect(readFileSync(join(data, 'context.json'), 'utf8')).toContain('Husum');
    expect(await speaker.text('read_digest_log')).toContain('stored as change 3');

    const { tools } = await client.request('tools/list');
    expect([...speaker.called].sort()).toEqual(tools.map(({ name }: Json) => name).sort());
  });
});

test('over HTTP every request of a batch is answered', async () => {
  const address = await serveOverHttp();
  const post = (body: Json | Json[], headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const begun = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const session = begun.headers.get('mcp-session-id') ?? '';
  const calls = ['read_context', 'read_diary'].map((name, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  }));
  const answers = await (await post(calls, { 'mcp-session-id': session })).text();
  expect(answers).toContain('context.json');
  expect(answers).toContain('diary.md');
});
