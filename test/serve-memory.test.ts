import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findsRoles, ollamaRoutes, serve } from '../src/transcript/model/model.testing.ts';
import { serveCommand } from './served.ts';
import { type Client, connectModern, connectV1, connectV2 } from './servers/mcp-clients.ts';
import { type Json, temporaryFolder } from './wrapped.ts';

/** What the server that had these folders before has written: facts, diary, log of digests. */
const CONTEXT = `{
  "project_name": "Gopher",
  "people": {
    "maria": {
      "role": "CTO"
    }
  },
  "v1.2": "released",
  "stars": 12
}`;
const DIARY =
  '\n## 2026-01-01 10:00:00\n\nStarted on the port.\n\n## 2026-01-02 11:00:00 [WORK]\n\nMet Maria.\n';
const LOG =
  "\n## 2026-01-02 10:00:00 UTC\n\n**Transcript:** `talk.txt`  \n**Keys merged:** ['project_name']\n";

let folder: string;
const data = (name: string) => join(folder, 'data', name);

beforeEach(() => {
  folder = realpathSync(temporaryFolder());
  mkdirSync(join(folder, 'data'));
  writeFileSync(data('context.json'), CONTEXT);
  writeFileSync(data('diary.md'), DIARY);
  writeFileSync(data('digest_log.md'), LOG);
  writeFileSync(join(folder, 'talk.txt'), 'User: Ada is the admiral.\n\nAssistant: Noted.\n');
});

async function told(client: Client, name: string, args = {}): Promise<string> {
  const { content, isError } = await client.callTool(name, args);
  expect(isError, content[0].text).toBeFalsy();
  return content[0].text;
}

/** What a tool tells as data, which its text is the JSON of. */
async function recalled(client: Client, name: string, args = {}): Promise<Json> {
  const { content, structuredContent, isError } = await client.callTool(name, args);
  expect(isError, content[0].text).toBeFalsy();
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  return structuredContent;
}

/** The `.env` of that server. */
function envFile(address: string): string {
  const path = join(folder, '.env');
  const variables = {
    GOPHER_DATA_DIR: join(folder, 'data'),
    GOPHER_DIGEST_BUDGET: '4000',
    GOPHER_OLLAMA_URL: `${address}/api/generate`,
    GOPHER_OLLAMA_MODEL: 'small:4b',
    GITHUB_TOKEN: 'none',
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  writeFileSync(path, `# as it was\n${lines.join('\n')}\n`);
  return path;
}

describe.each([
  { era: '2025, SDK v1', connect: connectV1 },
  { era: '2025, SDK v2', connect: connectV2 },
  { era: '2026', connect: connectModern },
])('a client of $era', ({ connect }) => {
  test('finds all that a former server kept, with its .env', async () => {
    const { address } = await serve(ollamaRoutes(findsRoles));
    const options = ['--env-file', envFile(address)];
    const { command, env } = serveCommand({ options, env: { PLIMSOLL_DATA_DIR: '' } });
    const client = await connect({ command, env }, { roots: [folder] });

    expect(await recalled(client, 'read_context')).toEqual({
      note: expect.stringMatching(/^Recalled from memory \(global, .*data\/context\.json\)/),
      value: JSON.parse(CONTEXT),
    });
    expect(await recalled(client, 'read_context', { prefix: 'v1.2' })).toMatchObject({ value: 'released' });
    expect(await recalled(client, 'search_context', { query: 'cto' })).toMatchObject({
      matches: [{ key: 'people.maria.role', value: 'CTO' }],
    });
    await told(client, 'update_context', { key: 'v1.2', value: 'outdated' });
    expect(readFileSync(data('context.json'), 'utf8')).toBe(CONTEXT.replace('"released"', '"outdated"'));
    await told(client, 'delete_context_key', { key: 'v1.2' });
    expect(readFileSync(data('context.json'), 'utf8')).toBe(CONTEXT.replace('\n  "v1.2": "released",', ''));

    expect((await recalled(client, 'read_diary', { tag: 'work' })).entries).toEqual([
      { at: '2026-01-02 11:00:00', tag: 'WORK', text: 'Met Maria.' },
    ]);
    await told(client, 'log_diary', { entry: 'Here now.' });
    expect(readFileSync(data('diary.md'), 'utf8')).toContain(`${DIARY}\n## `);
    const { entries } = await recalled(client, 'read_diary');
    expect(entries.map(({ text }: Json) => text)).toEqual([
      'Started on the port.',
      'Met Maria.',
      'Here now.',
    ]);

    expect(await told(client, 'read_digest_log')).toContain("**Keys merged:** ['project_name']");
    const asked = { transcript_path: join(folder, 'talk.txt') };
    expect(await told(client, 'summarize_only', asked)).toContain('by model small:4b');
    await told(client, 'digest_transcript', asked);
    expect(JSON.parse(readFileSync(data('context.json'), 'utf8'))).toMatchObject({
      ada: { role: 'admiral' },
    });
    expect(await told(client, 'read_digest_log')).toMatch(/stored as change 3[\s\S]*\*\*Keys merged/);
    expect(readFileSync(data('digest_log.md'), 'utf8')).toBe(LOG);

    mkdirSync(join(folder, 'code'));
    writeFileSync(join(folder, 'code', 'main.ts'), 'export const answer = 42;\n'.repeat(1000));
    const digest = await told(client, 'digest_folder', { path: join(folder, 'code') });
    expect(digest.length).toBeLessThanOrEqual(4000);
  });

  test('reads transcripts in its roots, and not outside of them', async () => {
    const elsewhere = realpathSync(temporaryFolder());
    writeFileSync(join(elsewhere, 'talk.txt'), 'User: Remember that the office is in Husum.\n');
    const client = await connect(serveCommand(), { roots: [elsewhere] });
    const asked = { transcript_path: join(elsewhere, 'talk.txt'), extract: 'rules' };
    expect(await told(client, 'summarize_only', asked)).toContain('Husum');
    const refused = { ...asked, transcript_path: join(folder, 'talk.txt') };
    const { content, isError } = await client.callTool('summarize_only', refused);
    expect(isError).toBe(true);
    expect(content[0].text).toMatch(/may not be read.*PLIMSOLL_TRANSCRIPT_FOLDERS/);
  });
});

test('what of a .env in the current folder does not hold is told by the tools that it is for', async () => {
  envFile('http://127.0.0.1:1');
  const { command, env } = serveCommand({
    env: { PLIMSOLL_DATA_DIR: '', XDG_DATA_HOME: join(folder, 'home') },
  });
  const inFolder = ['sh', '-c', 'cd "$0" && exec "$@"', folder, ...command];
  const client = await connectModern({ command: inFolder, env });
  expect((await recalled(client, 'read_context')).note).toMatch(
    /^The user should know: GOPHER_DATA_DIR in \S+\.env is not used: set PLIMSOLL_DATA_DIR .*--env-file FILE/,
  );
  const asked = { transcript_path: 'talk.txt' };
  expect((await client.callTool('digest_transcript', asked)).content[0].text).toMatch(
    /GOPHER_OLLAMA_URL in \S+\.env is not used/,
  );
});

test('a file of variables that is not there is an error of the command', async () => {
  const { command, env } = serveCommand({ options: ['--env-file', join(folder, 'none')] });
  await expect(connectV2({ command, env })).rejects.toThrow();
});
