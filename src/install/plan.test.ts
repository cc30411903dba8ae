import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Entry } from '../wrap/config/entry.ts';
import { rewrite } from '../wrap/config/rewrite.ts';
import { CLIENTS, type Client, clientCalled } from './clients.ts';
import { fileOf, isClientHere, planInstall, planRemoval, snippetFor } from './plan.ts';

const LAUNCHER = { command: '/usr/bin/node', args: ['/opt/plimsoll/dist/cli/main.js'] };
const CURSOR = clientCalled('cursor');
const CODEX = clientCalled('codex');
const OPENCODE = clientCalled('opencode');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-install-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function install(client: Client, file: string, launcher = LAUNCHER): Promise<string> {
  await rewrite(await planInstall(client, file, launcher));
  return readFileSync(file, 'utf8');
}

async function remove(client: Client, file: string): Promise<string | undefined> {
  await rewrite(await planRemoval(client, file, LAUNCHER));
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function nameFor(client: Client): string {
  return client === CODEX ? 'config.toml' : 'config.json';
}

function parsed(client: Client, text: string): Record<string, Entry> {
  return client === CODEX
    ? (parseToml(text) as Record<string, Entry>)
    : parseJson(text, [], { allowTrailingComma: true });
}

describe.each(CLIENTS.map((client) => [client.id, client] as const))('for %s', (_, client) => {
  test('a file that is not there is made with its folders, for its owner alone, and goes again', async () => {
    const file = join(folder, 'a/b', nameFor(client));
    const text = await install(client, file);
    expect(text).toBe(snippetFor(client, file, LAUNCHER));
    expect(JSON.stringify(parsed(client, text))).toContain('/opt/plimsoll/dist/cli/main.js","serve"]');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await planInstall(client, file, LAUNCHER)).toMatchObject({ before: text, after: text, diff: '' });
    expect(await remove(client, file)).toBeUndefined();
    expect(readdirSync(join(folder, 'a/b'))).toEqual([]);
  });
});

describe('JSON', () => {
  test.each([
    ['{}'],
    ['{ }\n'],
    ['{\n}\n'],
    [''],
    ['\n\n'],
    ['\uFEFF{}'],
    ['// nothing yet'],
    ['{"mcpServers": {}}'],
    ['{"mcpServers":{"a":{"command":"x"}},"b":1}'],
    [
      '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x" }, // the first\n  },\n  "b": [1], /* end */\n}\n',
    ],
    ['{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n'],
  ])('%j is left byte for byte as it was', async (before) => {
    const file = write('mcp.json', before);
    const text = await install(CURSOR, file);
    expect(parsed(CURSOR, text.replace('\uFEFF', '')).mcpServers?.plimsoll).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/plimsoll/dist/cli/main.js', 'serve'],
    });
    expect((await planInstall(CURSOR, file, LAUNCHER)).after).toBe(text);
    for (const comment of before.match(/\/\/.*|\/\*.*\*\//g) ?? []) expect(text).toContain(comment);
    expect(await remove(CURSOR, file)).toBe(before);
  });

  test('new lines look like those around', async () => {
    const file = write('mcp.json', '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" }\n\t}\n}\n');
    expect(await install(CURSOR, file)).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" },\n\t\t"plimsoll": {\n\t\t\t"command": "/usr/bin/node",\n\t\t\t"args": ["/opt/plimsoll/dist/cli/main.js", "serve"]\n\t\t}\n\t}\n}\n',
    );
  });

  test('what was edited since stays', async () => {
    const file = write('mcp.json', '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n');
    const text = await install(CURSOR, file);
    writeFileSync(file, text.replace('"x"', '"y"'));
    expect(await remove(CURSOR, file)).toBe('{\n  "mcpServers": {\n    "a": { "command": "y" }\n  }\n}\n');
  });

  test('whatever stands where, it is put in once and taken out again', async () => {
    const entry = fc.record({ command: fc.constantFrom('x', 'y z'), env: fc.constant({ A: '"' }) });
    const servers = fc.dictionary(fc.constantFrom('a', 'b c', 'd.e'), entry);
    const configs = fc.record(
      { first: fc.constant(1), mcpServers: servers, last: fc.constant(['x']) },
      { requiredKeys: [] },
    );
    const noises = fc.infiniteStream(fc.constantFrom('', '', '', ' // c\n', ' /* d */'));
    const spaces = fc.constantFrom(undefined, 2, '\t');
    await fc.assert(
      fc.asyncProperty(configs, spaces, noises, async (config, space, noise) => {
        const json = JSON.stringify(config, null, space).replace(
          /"(?:\\.|[^"\\])*"|[,[\]{}]/g,
          (token) => token + noise.next().value,
        );
        const file = write('any.json', json);
        const text = await install(CURSOR, file);
        expect((await planInstall(CURSOR, file, LAUNCHER)).after).toBe(text);
        expect(await remove(CURSOR, file)).toBe(json);
        writeFileSync(file, `${text} `);
        const { plimsoll: _, ...others } = config.mcpServers ?? {};
        const left = parsed(CURSOR, (await remove(CURSOR, file)) ?? '');
        expect(left).toEqual({ ...config, mcpServers: others });
      }),
      { numRuns: 60 },
    );
  });
});

describe('TOML', () => {
  test.each([
    [''],
    ['model = "o"'],
    ['# mine\nmodel = "o"\n\n[mcp_servers.a]\ncommand = "x" # the first\nargs = []\n\n[tui]\nx = 1\n'],
    ['model = "o"\r\n[mcp_servers.a]\r\ncommand = "x"\r\n'],
    ['mcp_servers = { a = { command = "x" } }\n'],
    ['[mcp_servers]\na = { command = "x" }\n'],
    ['mcp_servers.a.command = "x"\n'],
    ['[[list]]\nx = 1979-05-27T07:32:00Z\n[mcp_servers.a]\ncommand = "x"\n'],
  ])('%j is left byte for byte as it was', async (before) => {
    const file = write('config.toml', before);
    const text = await install(CODEX, file);
    expect(parsed(CODEX, text).mcp_servers?.plimsoll).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/plimsoll/dist/cli/main.js', 'serve'],
    });
    expect((await planInstall(CODEX, file, LAUNCHER)).after).toBe(text);
    for (const comment of before.match(/#.*/g) ?? []) expect(text).toContain(comment);
    expect(await remove(CODEX, file)).toBe(before);
  });

  test('a table of its own comes to the end', async () => {
    const file = write('config.toml', 'model = "o"\n');
    expect(await install(CODEX, file)).toBe(
      'model = "o"\n\n[mcp_servers.plimsoll]\ncommand = "/usr/bin/node"\nargs = ["/opt/plimsoll/dist/cli/main.js", "serve"]\n',
    );
  });

  test('what was edited since stays', async () => {
    const file = write('config.toml', 'model = "o"\n\n[[list]]\nx = 1\n');
    const text = await install(CODEX, file);
    writeFileSync(file, text.replace('"o"', '"p"'));
    expect(parsed(CODEX, (await remove(CODEX, file)) ?? '')).toEqual({ model: 'p', list: [{ x: 1 }] });
  });

  test('whatever stands where, it is put in once and taken out again', async () => {
    const entry = fc.record({ command: fc.constantFrom('x', "'"), env: fc.constant({ A: '"' }) });
    const servers = fc.dictionary(fc.constantFrom('a', 'b c', 'd.e'), entry);
    const configs = fc.record(
      { first: fc.constant(1), mcp_servers: servers, last: fc.constant({ x: 1 }) },
      { requiredKeys: [] },
    );
    const noises = fc.infiniteStream(fc.constantFrom('\n', '\n', ' # c\n', '\n# d\n', '\r\n'));
    await fc.assert(
      fc.asyncProperty(configs, noises, async (config, noise) => {
        const toml = stringifyToml(config).replaceAll('\n', () => String(noise.next().value));
        const file = write('any.toml', toml);
        const text = await install(CODEX, file);
        expect((await planInstall(CODEX, file, LAUNCHER)).after).toBe(text);
        expect(await remove(CODEX, file)).toBe(toml);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a server of ours that is there', () => {
  const entry = (command: string, args: string[], more = {}) =>
    JSON.stringify({ mcpServers: { memory: { command, args, ...more } } }, null, 2);

  test('keeps its name, its options and its environment, and is run as this program is', async () => {
    const env = { PLIMSOLL_DATA_DIR: '/data' };
    const file = write('mcp.json', entry('npx', ['-y', 'plimsoll', 'serve', '--limit', '9000'], { env }));
    const text = await install(CURSOR, file);
    expect(parsed(CURSOR, text)).toEqual({
      mcpServers: {
        memory: { command: '/usr/bin/node', args: [...LAUNCHER.args, 'serve', '--limit', '9000'], env },
      },
    });
    expect(await remove(CURSOR, file)).toBe('{\n  "mcpServers": {}\n}');
  });

  test('of an installation that is gone is brought up to date, and the first undo takes it out', async () => {
    const file = write('mcp.json', '{}');
    await install(CURSOR, file, { command: '/old/node', args: ['/old/dist/cli/main.js'] });
    expect(await install(CURSOR, file)).not.toContain('/old/');
    expect(await remove(CURSOR, file)).toBe('{}');
  });

  test('and is wrapped stays so', async () => {
    const file = write('mcp.json', entry('npx', ['plimsoll', 'wrap', '--', 'npx', 'plimsoll', 'serve']));
    const { before, after } = await planInstall(CURSOR, file, LAUNCHER);
    expect(after).toBe(before);
  });

  test('is not another one with our name, which is refused', async () => {
    const file = write('mcp.json', '{"mcpServers": {"plimsoll": {"command": "ship"}}}');
    await expect(planInstall(CURSOR, file, LAUNCHER)).rejects.toThrow(
      `'${file}' has a server 'plimsoll' that runs something else. Give it another name, and try again.`,
    );
    const { before, after } = await planRemoval(CURSOR, file, LAUNCHER);
    expect(after).toBe(before);
  });
});

describe('a file that can not be used', () => {
  test.each([
    ['mcp.json', '{\n  "a": 1\n  "b": 2\n}', 'it is not JSON from line 3, column 3 on'],
    ['mcp.json', '[1]', 'it is no object'],
    ['mcp.json', '{"mcpServers": [1]}', '"mcpServers" in it is no object'],
  ])('%s with %j is refused: %s', async (name, text, reason) => {
    const file = write(name, text);
    await expect(planInstall(CURSOR, file, LAUNCHER)).rejects.toThrow(`Cannot use '${file}': ${reason}.`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('is refused as TOML with line and column', async () => {
    const file = write('config.toml', 'a = 1\nb = \n');
    await expect(planInstall(CODEX, file, LAUNCHER)).rejects.toThrow('it is not TOML from line 2, column');
  });
});

test('opencode of the second version has its servers one level deeper', async () => {
  const file = write('opencode.json', '{"mcp": {"servers": {"a": {"type": "local", "command": ["x"]}}}}');
  expect(parsed(OPENCODE, await install(OPENCODE, file)).mcp).toEqual({
    servers: {
      a: { type: 'local', command: ['x'] },
      plimsoll: { type: 'local', command: ['/usr/bin/node', ...LAUNCHER.args, 'serve'] },
    },
  });
});

test('of the texts of others nothing is shown, of ours all but its environment', async () => {
  const config = {
    mcpServers: {
      plimsoll: { command: 'npx', args: ['plimsoll', 'serve'], env: { A: 's3cr3t' } },
      b: { command: 'x', env: { T: 's3cr3t' } },
    },
  };
  const file = write('mcp.json', JSON.stringify(config, null, 1));
  const launcher = { command: '/home/pat/node', args: ['/home/pat/token/dist/cli/main.js'] };
  const { diff } = await planInstall(CURSOR, file, launcher);
  expect(diff).toContain('/home/pat/token/dist/cli/main.js');
  expect(diff).not.toContain('s3cr3t');
});

test('a file that somebody made meanwhile is left alone', async () => {
  const file = join(folder, 'mcp.json');
  const plan = await planInstall(CURSOR, file, LAUNCHER);
  writeFileSync(file, '{"theirs": 1}');
  await expect(rewrite(plan)).rejects.toThrow('has changed meanwhile');
  expect(readFileSync(file, 'utf8')).toBe('{"theirs": 1}');
});

test('a link to the file stays one', async () => {
  mkdirSync(join(folder, 'dotfiles'));
  const file = write('dotfiles/mcp.json', '{}');
  symlinkSync(file, join(folder, 'mcp.json'));
  expect(await install(CURSOR, join(folder, 'mcp.json'))).toBe(readFileSync(file, 'utf8'));
  expect(await remove(CURSOR, join(folder, 'mcp.json'))).toBe('{}');
});

test('a link that leads nowhere is refused, as is what is no file', async () => {
  const file = join(folder, 'mcp.json');
  symlinkSync(join(folder, 'none'), file);
  await expect(planInstall(CURSOR, file, LAUNCHER)).rejects.toThrow('it is a link that leads nowhere');
  rmSync(file);
  const socket = createServer().listen(file);
  await once(socket, 'listening');
  await expect(planInstall(CURSOR, file, LAUNCHER)).rejects.toThrow('it is no regular file');
  socket.close();
});

test('the file that is there is taken, and a sign of the client is its folder', async () => {
  const machine = { platform: 'linux', home: folder, env: {}, packages: [] } as const;
  expect(await isClientHere(OPENCODE, machine)).toBe(false);
  expect(await isClientHere(clientCalled('claude-code'), machine)).toBe(false);
  mkdirSync(join(folder, '.config/opencode'), { recursive: true });
  expect(await isClientHere(OPENCODE, machine)).toBe(true);
  expect(await fileOf(OPENCODE, machine)).toBe(join(folder, '.config/opencode/opencode.json'));
  const own = write('.config/opencode/opencode.jsonc', '{}');
  expect(await fileOf(OPENCODE, machine)).toBe(own);
  expect(await fileOf(OPENCODE, machine, '/p')).toBe('/p/opencode.json');
  await expect(fileOf(clientCalled('windsurf'), machine, '/p')).rejects.toThrow(
    'Windsurf has no configuration for a project.',
  );
});
