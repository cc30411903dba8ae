import { describe, expect, test } from 'vitest';
import { readDocument } from './document.ts';

function shownJson(entry: object): unknown {
  const text = JSON.stringify({ mcpServers: { docs: entry } });
  return JSON.parse(readDocument('f.json', text).shown()).mcpServers.docs;
}

const shownArgs = (...args: string[]) => (shownJson({ command: 'srv', args }) as { args: string[] }).args;

describe('of a server', () => {
  test('no value of its environment or its headers is shown, whatever it is like', () => {
    const env = { AUTH: 'aGVsbG8tkEy=xx==', A: 'npx', PIN: 1234, ON: true };
    expect(shownJson({ command: 'npx', args: ['-y', 'npx'], env })).toEqual({
      command: 'npx',
      args: ['-y', 'npx'],
      env: { AUTH: '***', A: '***', PIN: '***', ON: '***' },
    });
    expect(shownJson({ type: 'http', url: 'https://h/s3cr3t', headers: { A: 'b' }, timeout: 5 })).toEqual({
      type: 'http',
      url: '***',
      headers: { A: '***' },
      timeout: 5,
    });
  });

  test.each([
    [['--api-key=k3y'], ['--api-key=***']],
    [
      ['--token', 't0k'],
      ['--token', '***'],
    ],
    [
      ['--pat', 'hunter2'],
      ['--pat', '***'],
    ],
    [
      ['--header', 'X-Thing: hunter2'],
      ['--header', '***'],
    ],
    [
      ['-e', 'A=hunter2'],
      ['-e', '***'],
    ],
    [['Server=db;Password=hunter2;'], ['***']],
    [['sk-ant-x'], ['***']],
    [['aGVsbG8tkEy=xx=='], ['***']],
    [['https://h/s3cr3t/mcp'], ['***']],
    [['user:hunter2@db'], ['***']],
    [
      ['-c', 'srv --password hunter2'],
      ['-c', '***'],
    ],
    [['kkkkkkkkkkkkA1b2C3'], ['***']],
  ])('the arguments %j are shown as %j', (args, shown) => {
    expect(shownArgs(...args)).toEqual(shown);
  });

  test.each([
    [['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/Desktop', 'C:\\x\\y']],
    [['--port', '80', '--path', 'x', 'run', '--rm', 'mcp/memory:latest']],
    [['wrap', '--name', 'docs', '--url-env', 'PLIMSOLL_URL']],
    [['--header-env', 'Authorization=PLIMSOLL_HEADER_1']],
  ])('the arguments %j are shown', (args) => {
    expect(shownArgs(...args)).toEqual(args);
  });

  test('a command that holds one is not shown', () => {
    expect(shownJson({ command: 'srv --token x' })).toEqual({ command: '***' });
    expect(shownJson({ command: 'srv', cwd: '/x', note: { a: ['b'] } })).toEqual({
      command: 'srv',
      cwd: '***',
      note: { a: ['***'] },
    });
  });
});

test('comments, and what stands around servers, may hold anything', () => {
  const text = '{"a": "s3cr3t", /* s3cr3t */ "b": 1, "mcpServers": {} // s3cr3t\n}';
  expect(readDocument('f.json', text).shown()).toBe(
    '{"a": "***", /* *** */ "b": 1, "mcpServers": {} // ***\n}',
  );
});

test('the same holds for TOML', () => {
  const text = `model = "x" # s3cr3t
[mcp_servers.docs]
command = 'npx'
args = ['-y', "--token", 's3cr3t', """
s3cr3t=1"""]
env = { "A" = "s3cr3t", B = 's3cr3t' }
startup_timeout_sec = 20
[mcp_servers.docs.tools]
C.D = "s3cr3t"
`;
  expect(readDocument('f.toml', text).shown()).toBe(`model = "***" # ***
[mcp_servers.docs]
command = 'npx'
args = ['-y', "--token", "***", "***"]
env = { "A" = "***", B = "***" }
startup_timeout_sec = 20
[mcp_servers.docs.tools]
C.D = "***"
`);
});
