import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { environment, Line, MAIN, run, temporaryFolder } from './wrapped.ts';

const SERVER = resolve('test/servers/mcp-plain.mjs');

async function plimsoll(args: readonly string[], folder: string) {
  const { child, stderr } = run([process.execPath, MAIN, ...args], { env: environment(folder) });
  child.stdin.end();
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, stdout, stderr: stderr() };
}

/** Starts a server as a client would that reads its entry, and calls a tool that answers with 300,000 characters. */
async function callBig(file: string, name: string, folder: string): Promise<number> {
  const { command, args, env = {} } = JSON.parse(readFileSync(file, 'utf8')).mcpServers[name];
  const { child } = run([command, ...args], { env: { ...environment(folder), ...env } });
  const client = new Line(child.stdout, child.stdin);
  const clientInfo = { name: 'test', version: '1' };
  client.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  await client.answer(1);
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const params = { name: 'big', arguments: { chars: 300_000 } };
  client.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  const { raw, message } = await client.answer(2);
  expect(message.result.content[0].text).toContain('xxxx');
  client.end();
  await once(child, 'close');
  return raw.length;
}

test('a configuration is wrapped, works, is recorded, and is unwrapped', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'mcp.json');
  const config = `{
  "mcpServers": {
    "docs": {
      "command": ${JSON.stringify(process.execPath)}, // with an own Node
      "args": [${JSON.stringify(SERVER)}],
      "env": { "TOKEN": "s3cr3t" }
    }
  }
}
`;
  writeFileSync(file, config);
  const refused = await plimsoll(['wrap', '--config', file], folder);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --yes to write.') });
  expect(refused.stdout).toContain('\n+++ ');
  expect(readFileSync(file, 'utf8')).toBe(config);

  const wrapped = await plimsoll(['wrap', '--config', file, '--yes'], folder);
  expect(wrapped).toMatchObject({ code: 0, stdout: refused.stdout });
  expect(wrapped.stdout).not.toContain('s3cr3t');
  expect(readFileSync(file, 'utf8')).toContain('// with an own Node');
  writeFileSync(file, readFileSync(file, 'utf8').replace(' // with an own Node', ''));
  expect(await callBig(file, 'docs', folder)).toBeLessThan(101_000);

  const { stdout } = await plimsoll(['stats', '--json'], folder);
  expect(JSON.parse(stdout)).toMatchObject({
    calls: 1,
    tools: [{ server: 'docs', tool: 'big', calls: 1, bounded: 1, before: { largest: expect.any(Number) } }],
  });
  const [{ before }] = JSON.parse(stdout).tools;
  expect(before.largest).toBeGreaterThan(300_000);
  expect((await plimsoll(['stats'], folder)).stdout).toContain('1 call since ');

  expect(await plimsoll(['wrap', '--config', file, '--undo', '-y'], folder)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(config.replace(' // with an own Node', ''));
});

test('a server at an address that wants a token works as well', async () => {
  const folder = temporaryFolder();
  const token = join(folder, 'token');
  writeFileSync(token, 's3cr3t');
  const options = ['wrap', '--http', '0', '--limit', '1000000', '--token-file', token];
  const server = run([process.execPath, MAIN, ...options, '--', process.execPath, SERVER], {
    env: environment(folder),
  });
  await expect
    .poll(() => /serving MCP at (\S+)/.exec(server.stderr())?.[1], { timeout: 10_000 })
    .toBeDefined();
  const [, url = ''] = /serving MCP at (\S+)/.exec(server.stderr()) ?? [];
  for (const address of [url, `${url}?key=k3y`]) {
    const file = join(folder, 'mcp.json');
    const headers = { Authorization: 'Bearer s3cr3t' };
    const config = JSON.stringify({ mcpServers: { web: { type: 'http', url: address, headers } } }, null, 2);
    writeFileSync(file, config);
    expect(await plimsoll(['wrap', '--config', file, '-y'], folder)).toMatchObject({ code: 0 });
    const { args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.web;
    expect(JSON.stringify(args)).not.toMatch(/s3cr3t|k3y/);
    expect(await callBig(file, 'web', folder)).toBeLessThan(101_000);
    expect(await plimsoll(['wrap', '--config', file, '--undo', '-y'], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(config);
  }
});

test('options of the proxy hold for every server of a configuration', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'mcp.json');
  const config = JSON.stringify({ mcpServers: { docs: { command: process.execPath, args: [SERVER] } } });
  writeFileSync(file, config);
  const options = ['--limit', '5000', '--spool', 'kept', '--tool', 'other=inline', '--no-tools'];
  expect(await plimsoll(['wrap', '--config', file, '-y', ...options], folder)).toMatchObject({ code: 0 });
  const { args } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.docs;
  expect(args.slice(args.indexOf('wrap') + 3, args.indexOf('--'))).toEqual([
    ...['--limit', '5000', '--spool', resolve('kept'), '--tool', 'other=inline', '--no-tools'],
  ]);
  writeFileSync(file, readFileSync(file, 'utf8').replace(resolve('kept'), join(folder, 'kept')));
  expect(await callBig(file, 'docs', folder)).toBeLessThan(6000);
  expect(readdirSync(join(folder, 'kept')).length).toBeGreaterThan(0);
  expect(await plimsoll(['wrap', '--config', file, '--undo', '-y'], folder)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(config);
});

test.each([
  [['--config', 'FILE', '--', 'srv'], 'a command'],
  [['--config', 'FILE', '--limit', 'all'], "Not a limit: 'all'."],
  [['--config', 'FILE', '--client', 'nobody'], "Unknown client 'nobody'."],
  [['--config', 'FILE', '--undo', '--limit', '5000'], '--limit'],
  [['--header', 'A: b', '--', 'srv'], '--header means nothing without --url.'],
  [['--host', '0.0.0.0', '--', 'srv'], '--host means nothing without --http.'],
])('%j is bad usage', async (args, message) => {
  const folder = temporaryFolder();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, '{"mcpServers": {"docs": {"command": "srv"}}}');
  const options = args.map((word) => (word === 'FILE' ? file : word));
  const { code, stdout, stderr } = await plimsoll(['wrap', ...options], folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^plimsoll: [^\n]+\n$/);
  expect(stderr).toContain(message);
});

test('records that can not be read are said in a line', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'stats'), '');
  const { code, stderr } = await plimsoll(['stats'], folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^plimsoll: Cannot read the records in '.*stats': [^\n]+\.\n$/);
});

test('what is no configuration is said in a line', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, '{"mcpServers": }');
  expect(await plimsoll(['wrap', '--config', file, '-y'], folder)).toEqual({
    code: 1,
    stdout: '',
    stderr: `plimsoll: Cannot use '${file}': it is not JSON from line 1, column 16 on.\n`,
  });
});
