import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { environment, Line, MAIN, run, temporaryFolder } from './wrapped.ts';

const CONFIG = `{
  // mine
  "mcpServers": {
    "docs": { "command": "docs-server", "env": { "TOKEN": "s3cr3t" } }
  }
}
`;

/** Runs the command in a home of its own, and in a folder of that. */
async function plimsoll(args: readonly string[], home: string) {
  const env: Record<string, string> = { ...environment(join(home, 'data')), HOME: home };
  for (const name of ['XDG_CONFIG_HOME', 'CODEX_HOME', 'CLAUDE_CONFIG_DIR']) delete env[name];
  const cwd = join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  const { child, stderr } = run([process.execPath, MAIN, ...args], { env, cwd });
  child.stdin.end();
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, stdout, stderr: stderr() };
}

test('the server is put into a configuration, works as it stands there, and is taken out again', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.cursor'));
  const file = join(home, '.cursor/mcp.json');
  writeFileSync(file, CONFIG);
  const refused = await plimsoll(['install', 'cursor'], home);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --yes to write.') });
  expect(refused.stdout).toContain('+    "plimsoll": {\n');
  expect(refused.stdout).not.toContain('s3cr3t');
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);

  const installed = await plimsoll(['install', 'cursor', '--yes'], home);
  expect(installed).toMatchObject({ code: 0, stdout: refused.stdout });
  expect(installed.stderr).toContain(`'${file}' as it was is in '${file}.plimsoll-backup-1'`);
  const { command, args } = JSON.parse(readFileSync(file, 'utf8').replace('// mine', '')).mcpServers.plimsoll;
  expect([command, ...args]).toEqual([process.execPath, MAIN, 'serve']);
  const { child } = run([command, ...args], { env: environment(join(home, 'data')) });
  const client = new Line(child.stdout, child.stdin);
  const clientInfo = { name: 'cursor', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  expect((await client.answer(1)).message.result.serverInfo.name).toBe('plimsoll');
  client.end();
  await once(child, 'close');

  const again = await plimsoll(['install', 'cursor', '--yes'], home);
  expect(again).toEqual({ code: 0, stdout: '', stderr: `plimsoll: nothing to do in '${file}'\n` });
  expect(await plimsoll(['install', 'cursor', '--undo', '--yes'], home)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);
});

test('a file that is not there is made, and goes again', async () => {
  const home = temporaryFolder();
  const file = join(home, '.codex/config.toml');
  const { stderr } = await plimsoll(['install', 'codex', '--yes'], home);
  expect(stderr).toContain('there is no sign of Codex on this machine');
  expect(readFileSync(file, 'utf8')).toContain('[mcp_servers.plimsoll]\n');
  await plimsoll(['install', 'codex', '--undo', '--yes'], home);
  expect(existsSync(file)).toBe(false);
});

test('--print writes nothing, and --project is for others as well', async () => {
  const home = temporaryFolder();
  const printed = await plimsoll(['install', 'vscode', '--project', '--print'], home);
  const snippet = {
    servers: { plimsoll: { type: 'stdio', command: 'npx', args: ['-y', 'plimsoll', 'serve'] } },
  };
  expect(JSON.parse(printed.stdout)).toEqual(snippet);
  expect(readdirSync(join(home, 'project'))).toEqual([]);
  await plimsoll(['install', 'vscode', '--project', '--yes'], home);
  expect(JSON.parse(readFileSync(join(home, 'project/.vscode/mcp.json'), 'utf8'))).toEqual(snippet);
});

test('a damaged file is refused with line and column, and is left alone', async () => {
  const home = temporaryFolder();
  const file = join(home, '.claude.json');
  writeFileSync(file, '{\n  "mcpServers": {,}\n}\n');
  const { code, stderr } = await plimsoll(['install', 'claude-code', '--yes'], home);
  expect(code).toBe(1);
  expect(stderr).toContain(`Cannot use '${file}': it is not JSON from line 2, column`);
  expect(readdirSync(home).sort()).toEqual(['.claude.json', 'project']);
});

test('a client that is not known is refused with those that are', async () => {
  const { code, stderr } = await plimsoll(['install', 'emacs'], temporaryFolder());
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Known are claude-desktop'),
  });
});
