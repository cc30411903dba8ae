import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Memory } from '../memory/memory.ts';
import { newOwner } from '../memory/store/owner.ts';
import { json, MODEL, ollamaRoutes, serve } from '../transcript/model/model.testing.ts';
import { checkClients } from './clients.ts';
import { checkCache, checkDataFolder, checkMemory, checkSpool } from './folders.ts';
import { checkGitHub, checkModel } from './hosts.ts';
import { checkGit, checkNode } from './programs.ts';

const LAUNCHER = { command: process.execPath, args: [join(import.meta.dirname, 'doctor.ts')] };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-doctor-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('programs', () => {
  test('Node is too old below what the package wants', () => {
    expect(checkNode()).toEqual({ about: 'Node', status: 'ok', found: process.versions.node });
    expect(checkNode('20.18.9')).toMatchObject({ status: 'fail', mend: 'Install Node 20.19 or newer.' });
    expect(checkNode('24.0.0').status).toBe('ok');
  });

  test('git may be missing', async () => {
    expect(await checkGit()).toMatchObject({ status: 'ok', found: expect.stringMatching(/^\d+\.\d+/) });
    vi.stubEnv('PATH', folder);
    expect(await checkGit()).toMatchObject({ status: 'warn', found: 'it is not there' });
  });
});

describe('folders', () => {
  test('that are there can be written into, and nothing stays in them', async () => {
    expect(await checkDataFolder(folder)).toEqual({ about: 'data folder', status: 'ok', found: folder });
    expect(readdirSync(folder)).toEqual([]);
    const missing = await checkDataFolder(join(folder, 'a/b'));
    expect(missing).toMatchObject({ status: 'ok', found: expect.stringContaining('is not there yet') });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that are no folders are of no use', async () => {
    const file = write('file', '');
    expect(await checkDataFolder(join(file, 'data'))).toMatchObject({
      status: 'fail',
      found: `nothing can be written into ${file}/data: not a directory`,
      mend: expect.stringContaining('PLIMSOLL_DATA_DIR'),
    });
    expect(await checkCache({ folder: file, limit: 5, enabled: true })).toMatchObject({ status: 'warn' });
    expect(await checkSpool({ folder: file, maxAge: 5, maxBytes: 5 })).toMatchObject({
      status: 'warn',
      found: `${file} can not be used: its place is not a folder`,
    });
  });

  test('a cache that is turned off is not looked at', async () => {
    expect(await checkCache({ folder: '/dev/null', limit: 5, enabled: false })).toMatchObject({
      status: 'ok',
    });
  });
});

describe('memory', () => {
  async function begin(): Promise<string> {
    const memory = new Memory({ folder, who: 'test' });
    await memory.set('a.b', '1');
    return join(folder, 'context.json');
  }

  test('is well', async () => {
    const file = await begin();
    expect(await checkMemory(folder, undefined)).toEqual([{ about: 'memory', status: 'ok', found: file }]);
  });

  test('may be damaged', async () => {
    const file = await begin();
    writeFileSync(file, '{"a": {"b": 1}');
    expect(await checkMemory(folder, undefined)).toMatchObject([
      {
        status: 'fail',
        found: expect.stringContaining(`${file} is damaged at `),
        mend: 'See plimsoll memory repair.',
      },
    ]);
  });

  test('may be locked: by who is gone, by who is at work, by who is elsewhere, by no file', async () => {
    const gone = { ...newOwner(), pid: 2 ** 22 + 1, start: null };
    const alive = { ...newOwner(), thread: 7 };
    const elsewhere = { ...newOwner(), host: 'other' };
    const about = async (owner: object) => {
      write('.context.json.lock', `${JSON.stringify(owner)}\n`);
      return (await checkMemory(folder, undefined)).filter(({ about }) => about === 'lock');
    };
    expect(await about(gone)).toMatchObject([
      { status: 'ok', found: expect.stringContaining('left behind') },
    ]);
    expect(await about(alive)).toMatchObject([
      { status: 'ok', found: expect.stringContaining('is writing') },
    ]);
    expect(await about(elsewhere)).toMatchObject([{ status: 'warn', mend: 'Delete it if there is none.' }]);
    rmSync(join(folder, '.context.json.lock'));
    symlinkSync(folder, join(folder, '.diary.md.lock'));
    expect(await checkMemory(folder, undefined)).toContainEqual(
      expect.objectContaining({ about: 'lock', status: 'fail', mend: 'Delete it.' }),
    );
  });
});

describe('GitHub', () => {
  const core = { limit: 60, remaining: 58, reset: 1_790_000_000 };
  const online = { offline: false };
  const settings = (api: string, token?: string) => ({ api, token, gh: false });

  test('is asked for the quota, with the token and without telling it', async () => {
    const { address, received } = await serve({ 'GET /rate_limit': json(200, { resources: { core } }) });
    const finding = await checkGitHub(settings(address, 's3cr3t'), online);
    expect(finding).toEqual({
      about: 'GitHub',
      status: 'ok',
      found: `${new URL(address).host} answers with a token: 58 of 60 requests an hour left, all again at 14:13 UTC`,
    });
    expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/rate_limit', 'Bearer s3cr3t'],
    ]);
  });

  test('may have few requests left', async () => {
    const few = { resources: { core: { ...core, remaining: 1 } } };
    const { address } = await serve({ 'GET /rate_limit': json(200, few) });
    expect(await checkGitHub(settings(address), online)).toMatchObject({
      status: 'warn',
      mend: expect.stringContaining('GITHUB_TOKEN'),
    });
  });

  test('may not count requests, as an own server', async () => {
    const { address } = await serve({});
    expect(await checkGitHub(settings(address), online)).toMatchObject({ status: 'ok' });
  });

  test('may not accept the token, which is not told', async () => {
    const { address } = await serve({ 'GET /rate_limit': json(401, { message: 'Bad credentials' }) });
    const finding = await checkGitHub(settings(address, 's3cr3t'), online);
    expect(finding).toMatchObject({ status: 'warn', mend: expect.stringContaining('Renew it') });
    expect(JSON.stringify(finding)).not.toContain('s3cr3t');
  });

  test('may be out of reach, or not wanted', async () => {
    const finding = await checkGitHub(settings('http://127.0.0.1:1'), online);
    expect(finding).toMatchObject({ status: 'warn', mend: expect.stringContaining('heck the network') });
    expect(await checkGitHub(settings('http://127.0.0.1:1'), { offline: true })).toMatchObject({
      status: 'ok',
    });
  });
});

describe('the model', () => {
  const settings = (server: string) => ({
    extract: 'model' as const,
    server,
    api: 'ollama' as const,
    model: MODEL,
    window: undefined,
    idle: 600,
    allowRemote: false,
    folders: [],
  });

  test('is there, and is not loaded', async () => {
    const { address, received } = await serve(ollamaRoutes(json(500, {})));
    expect(await checkModel(settings(address))).toEqual({
      about: 'model',
      status: 'ok',
      found: `${MODEL} at ${address}, with a window of 8,192 tokens`,
    });
    expect(received.map(({ path }) => path)).toEqual(['/api/version', '/api/show']);
  });

  test('is not pulled: it is said how, and what there is', async () => {
    const routes = ollamaRoutes(json(500, {}), { 'POST /api/show': json(404, { error: 'model not found' }) });
    const { address } = await serve(routes);
    expect(await checkModel(settings(address))).toMatchObject({
      status: 'warn',
      mend: expect.stringContaining(`ollama pull ${MODEL}`),
    });
  });

  test('is not asked on another machine, nor where there is none', async () => {
    expect(await checkModel(settings('http://192.0.2.1:11434'))).toMatchObject({ status: 'warn' });
    expect(await checkModel(settings('http://127.0.0.1:1'))).toMatchObject({
      status: 'warn',
      mend: expect.stringContaining('tart Ollama'),
    });
    expect(await checkModel({ ...settings('x'), extract: 'rules' })).toMatchObject({ status: 'ok' });
  });
});

describe('clients', () => {
  const check = () => checkClients({ platform: 'linux', home: folder, env: {}, packages: [] }, LAUNCHER);
  const config = (command: string, args: string[], more = {}) =>
    JSON.stringify({ mcpServers: { plimsoll: { command, args, ...more } } });

  test('may all be missing', async () => {
    expect(await check()).toMatchObject([{ about: 'clients', status: 'warn' }]);
  });

  test('are told with their caps, and whether they have the server', async () => {
    write('.claude.json', '{}');
    const file = write('.gemini/settings.json', config('npx', ['-y', 'plimsoll', 'serve']));
    expect(await check()).toEqual([
      {
        about: 'Claude Code',
        status: 'ok',
        found:
          'it is here, without Plimsoll (plimsoll install claude-code adds it); it takes 50,000 characters and 25,000 tokens, results stay within 40,000 characters and 17,500 tokens',
      },
      {
        about: 'gemini-cli',
        status: 'ok',
        found: `it has Plimsoll, in ${file}; it takes 40,000 characters, results stay within 32,000 characters`,
      },
    ]);
  });

  test('may start a server that is gone, or have it turned off, or a damaged file', async () => {
    write('.cursor/mcp.json', config('/gone/node', ['/gone/dist/cli/main.js', 'serve']));
    write('.gemini/settings.json', config('npx', ['plimsoll', 'serve'], { disabled: true }));
    write('.codex/config.toml', 'a = \n');
    expect(await check()).toMatchObject([
      { about: 'Cursor', status: 'fail', mend: 'Run plimsoll install cursor.' },
      { about: 'Codex', status: 'warn', found: expect.stringContaining('it is not TOML from line 1') },
      { about: 'gemini-cli', status: 'warn', found: expect.stringContaining('is turned off') },
    ]);
  });
});
