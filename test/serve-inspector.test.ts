import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TOOLS } from '../src/server/tools/tools.ts';
import { folderWith } from './repository.ts';
import { serveCommand, serveOverHttp } from './served.ts';
import { bareWith, serve } from './servers/github-fixture.ts';
import { inspect } from './servers/mcp-inspector.ts';
import { type Json, temporaryFolder } from './wrapped.ts';

describe.each(['stdio', 'HTTP'])("MCP Inspector's command line over %s", { timeout: 180_000 }, (way) => {
  test('calls every tool, and reads every resource and prompt', async () => {
    const github = await serve({
      'ship/rigging': { path: bareWith({ 'docs/guide.md': 'Hoist the jib.\n' }) },
    });
    const folder = folderWith({ 'package.json': '{}', 'work/main.py': 'print("ahoy")\n' });
    const cwd = join(folder, 'work');
    writeFileSync(join(cwd, 'talk.txt'), 'User: Remember that the office is in Husum.\n');
    const env = { ...github.env, PLIMSOLL_CACHE_DIR: temporaryFolder() };
    const serving = { env, options: ['--root', cwd] };
    const server = way === 'HTTP' ? { url: await serveOverHttp({ ...serving, cwd }) } : serveCommand(serving);
    const ask = (method: string, ...args: string[]) => inspect(server, cwd, method, ...args);
    const called = new Set<string>();
    const call = async (tool: string, ...args: string[]): Promise<Json> => {
      called.add(tool);
      const given = args.length === 0 ? [] : ['--tool-arg', ...args];
      const result = await ask('tools/call', '--tool-name', tool, ...given);
      expect(result.isError, JSON.stringify(result)).toBeUndefined();
      return result.structuredContent ?? result.content[0].text;
    };

    const { tools } = await ask('tools/list');
    expect(tools.map(({ name }: Json) => name)).toEqual(TOOLS.map(({ name }) => name));

    const repo = 'repo=ship/rigging';
    expect(await call('fetch_github_repo', 'repo_url=ship/rigging', 'budget=6000')).toContain(
      'Hoist the jib.',
    );
    expect(await call('list_repo', repo, 'path=docs')).toMatchObject({ entries: [{ name: 'guide.md' }] });
    expect(await call('search_repo', repo, 'pattern=jib')).toContain('docs/guide.md');
    expect(await call('read_repo_file', repo, 'path=docs/guide.md', 'lines=1')).toContain('Hoist the jib.');
    expect(await call('digest_folder', 'path=.')).toContain('print("ahoy")');

    await call('update_context', 'key=ship.rig', 'value=sloop');
    expect(await call('read_context', 'prefix=ship')).toMatchObject({ value: { rig: 'sloop' } });
    expect(await call('search_context', 'query=sloop', 'limit=1')).toMatchObject({ total: 1 });
    await call('log_diary', 'entry=Read the rigging.', 'tag=ship');
    expect(await call('read_diary')).toMatchObject({ entries: [{ text: 'Read the rigging.' }] });

    const preview = await call('summarize_only', 'transcript_path=talk.txt', 'extract=rules');
    const [, plan] = /"plan_id":"(\w+)"/.exec(preview) ?? [];
    expect(await call('digest_transcript', `plan_id=${plan}`)).toContain('Stored in memory');
    expect(await call('read_digest_log')).toContain('stored as change 2');

    const { resources } = await ask('resources/list');
    const uris = resources.map(({ uri }: Json) => uri);
    expect(uris).toContain('plimsoll://context/ship');
    for (const uri of uris) expect((await ask('resources/read', '--uri', uri)).contents).toHaveLength(1);
    const { resourceTemplates } = await ask('resources/templates/list');
    expect(resourceTemplates.map(({ name }: Json) => name)).toContain('digest');
    const digest = await ask('resources/read', '--uri', 'plimsoll://digest/ship%2Frigging');
    expect(digest.contents[0].text).toContain('Hoist the jib.');

    const { prompts } = await ask('prompts/list');
    expect(prompts).toHaveLength(2);
    const exploring = ['--prompt-name', 'explore_repository', '--prompt-args', 'repository=ship/rigging'];
    expect(JSON.stringify(await ask('prompts/get', ...exploring))).toContain('ship/rigging');
    await ask('prompts/get', '--prompt-name', 'remember_this_conversation');
    await ask('logging/setLevel', '--log-level', 'debug');

    await call('delete_context_key', 'key=ship.rig');
    expect([...called].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });
});
