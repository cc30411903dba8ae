import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Entry, unwrapEntry, wrapEntry } from './entry.ts';

const LAUNCHER = { command: '/usr/bin/node', args: ['/opt/plimsoll/dist/cli/main.js'] };
const START = ['/opt/plimsoll/dist/cli/main.js', 'wrap', '--name', 'docs'];

const ADDRESS = ['--url-env', 'PLIMSOLL_URL'];

function wrapped(entry: Entry): Entry {
  const result = wrapEntry('docs', entry, LAUNCHER);
  if ('left' in result) throw new Error(result.left);
  return result.entry;
}

function unwrapped(entry: Entry): Entry {
  const result = unwrapEntry(entry, LAUNCHER);
  if ('left' in result) throw new Error(result.left);
  return result.entry;
}

describe('a command', () => {
  test('is run by plimsoll, with all else as it was', () => {
    const entry = {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'x'],
      env: { A: 'b' },
      cwd: '/w',
      disabled: false,
    };
    expect(wrapped(entry)).toEqual({
      ...entry,
      command: '/usr/bin/node',
      args: [...START, '--', 'npx', '-y', 'x'],
    });
    expect(Object.keys(wrapped(entry))).toEqual(Object.keys(entry));
  });

  test.each<Entry>([
    { command: 'my server' },
    { command: 'my server', args: [] },
    { env: {}, command: 'my server' },
    { args: [], command: 'my server', env: {} },
    { command: 'my server', env: { A: 'b' }, timeout: 5 },
  ])('may have no arguments, and has none again: %j', (entry) => {
    expect(wrapped(entry).args).toEqual([...START, '--', 'my server']);
    expect(unwrapped(wrapped(entry))).toEqual(entry);
    expect(Object.keys(unwrapped(wrapped(entry)))).toEqual(Object.keys(entry));
  });

  test('keeps arguments that it was given since', () => {
    const { args, ...entry } = wrapped({ command: 'srv' });
    expect(unwrapped({ ...entry, args: [...(args as string[]), 'new'] })).toEqual({
      command: 'srv',
      args: ['new'],
    });
  });

  test('that looks like an option of ours stays one of the server', () => {
    const entry = { command: 'srv', args: ['--', '--url', 'http://x', 'wrap'] };
    expect(unwrapped(wrapped(entry))).toEqual(entry);
  });
});

describe('an address', () => {
  test('is asked by plimsoll, with the values of headers in the environment', () => {
    const entry = {
      type: 'http',
      url: 'https://x.example/mcp',
      headers: { Authorization: 'Bearer s3cr3t', 'X-Team': 'a' },
      timeout: 5,
    };
    expect(wrapped(entry)).toEqual({
      type: 'stdio',
      command: '/usr/bin/node',
      args: [
        ...START,
        ...ADDRESS,
        '--header-env',
        'Authorization=PLIMSOLL_HEADER_1',
        '--header-env',
        'X-Team=PLIMSOLL_HEADER_2',
      ],
      env: {
        PLIMSOLL_HEADER_1: 'Bearer s3cr3t',
        PLIMSOLL_HEADER_2: 'a',
        PLIMSOLL_URL: 'https://x.example/mcp',
        PLIMSOLL_WRAPPED: 'address=url,headers=headers,type=http',
      },
      timeout: 5,
    });
    expect(unwrapped(wrapped(entry))).toEqual(entry);
  });

  test.each(['https://x.example/mcp?apiKey=s3cr3t', 'https://x.example/s3cr3t/mcp'])(
    'never stands in arguments, since it may hold a secret: %s',
    (url) => {
      const { args, env } = wrapped({ url });
      expect(args).toEqual([...START, ...ADDRESS]);
      expect(env).toMatchObject({ PLIMSOLL_URL: url });
      expect(unwrapped(wrapped({ url }))).toEqual({ url });
    },
  );

  test.each<Entry>([
    { url: 'http://localhost:3000/sse' },
    { type: 'sse', url: 'http://localhost:3000/sse' },
    { httpUrl: 'http://h/mcp', headers: {}, trust: true },
    { serverUrl: 'http://h/mcp', env: { A: 'b' } },
    { type: 'streamableHttp', url: 'http://h/mcp', headers: { A: '' } },
    { url: 'http://h/mcp', http_headers: { A: 'b=c,d' }, enabled: true },
    { headers: { A: 'b' }, url: 'http://h/mcp' },
    { url: 'http://h/mcp', headers: { A: 'b' }, env: {} },
    { url: `\${env:SERVER}/mcp`, env: {} },
  ])('comes back as it was: %j', (entry) => {
    expect(unwrapped(wrapped(entry))).toEqual(entry);
    expect(Object.keys(unwrapped(wrapped(entry)))).toEqual(Object.keys(entry));
  });

  test('keeps what was changed since', () => {
    const { env, ...entry } = wrapped({ url: 'http://h/mcp', headers: { A: 'old' } });
    const edited = {
      ...entry,
      env: { ...(env as object), PLIMSOLL_HEADER_1: 'new', DEBUG: '1' },
      timeout: 9,
    };
    expect(unwrapped(edited)).toEqual({
      url: 'http://h/mcp',
      headers: { A: 'new' },
      env: { DEBUG: '1' },
      timeout: 9,
    });
  });
});

test.each<[Entry, string]>([
  [{}, 'it has neither a command with a list of arguments nor an address'],
  [{ command: 'x', args: 'y' }, 'it has neither a command with a list of arguments nor an address'],
  [{ command: ['x'], url: 'http://h' }, 'it has neither a command with a list of arguments nor an address'],
  [{ url: 'http://h', oauth: { clientId: 'x' } }, 'only the client itself can do what "oauth" says'],
  [
    { url: 'http://h', bearer_token_env_var: 'T' },
    'only the client itself can do what "bearer_token_env_var" says',
  ],
  [{ url: 'ws://h', type: 'ws' }, `servers of type "ws" can't be wrapped`],
  [{ url: 'unix:///tmp/s.sock' }, 'its address is no http or https address'],
  [{ url: 'http://h', headers: { A: 1 } }, 'its headers or its environment are no texts'],
  [{ url: 'http://h', headers: ['A: 1'] }, 'its headers or its environment are no texts'],
])('%j stays as it is', (entry, left) => {
  expect(wrapEntry('docs', entry, LAUNCHER)).toEqual({ left });
});

describe('a server that is wrapped', () => {
  test.each<Entry>([
    { command: 'npx', args: ['-y', 'plimsoll', 'wrap', '--', 'srv'] },
    { command: 'npx', args: ['-y', 'plimsoll@1.2.3', 'wrap', '--limit', '5000', '--', 'srv'] },
    { command: 'plimsoll', args: ['wrap', '--', 'srv'] },
    { command: '/usr/local/bin/plimsoll', args: ['wrap', '--name', 'a', '--', 'srv'] },
    { command: 'node', args: ['/x/plimsoll/dist/cli/main.js', 'wrap', '--', 'srv'] },
    { command: 'node', args: ['/opt/plimsoll/dist/cli/main.js', 'wrap', '--', 'srv'] },
    { command: 'node', args: ['C:\\x\\plimsoll\\dist\\cli\\main.js', 'wrap', '--', 'srv'] },
    { command: 'C:\\npm\\plimsoll.cmd', args: ['wrap', '--', 'srv'] },
    { command: 'plimsoll', args: ['wrap', 'srv'] },
    { command: 'plimsoll', args: ['wrap', '--no-tools', 'srv', '--limit=5000', '-l', '6000'] },
  ])('is known, whoever wrapped it: %j', (entry) => {
    expect(wrapEntry('docs', entry, LAUNCHER)).toEqual({ left: 'it is wrapped already' });
    expect(unwrapped(entry)).toEqual({ command: 'srv', args: [] });
  });

  test('may have been wrapped by hand at an address', () => {
    const args = ['wrap', '--url', 'http://h/mcp', '--header', 'A: b: c', '--header-env', 'T=TOKEN'];
    expect(unwrapped({ type: 'stdio', command: 'plimsoll', args, env: { TOKEN: 't', X: 'y' } })).toEqual({
      type: 'http',
      url: 'http://h/mcp',
      headers: { A: 'b: c', T: 't' },
      env: { X: 'y' },
    });
  });

  test('may have its address in one word with the option', () => {
    const entry = { command: 'plimsoll', args: ['wrap', '--url=http://h/mcp', '-l5000'] };
    expect(unwrapped(entry)).toEqual({ url: 'http://h/mcp' });
  });

  test('is none of another program with a file of the same name', () => {
    const entry = { command: 'node', args: ['/opt/other-tool/dist/cli/main.js', 'wrap', '--', 'srv'] };
    expect(unwrapEntry(entry, LAUNCHER)).toEqual({ left: 'it is not wrapped' });
    expect(wrapEntry('docs', entry, LAUNCHER)).toHaveProperty('entry');
  });

  test('is known by its mark, wherever the program was then', () => {
    const { args, ...entry } = wrapped({ url: 'http://h/mcp' });
    const moved = { ...entry, args: ['/old/dist/cli/main.js', ...(args as string[]).slice(1)] };
    expect(unwrapped(moved)).toEqual({ url: 'http://h/mcp' });
  });

  test('is not one that only has our words among its arguments', () => {
    const entry = { command: 'present', args: ['wrap', 'plimsoll'] };
    expect(unwrapEntry(entry, LAUNCHER)).toEqual({ left: 'it is not wrapped' });
    expect(wrapEntry('docs', entry, LAUNCHER)).toHaveProperty('entry');
  });

  test('is left if its wrapping can not be understood', () => {
    expect(unwrapEntry({ command: 'plimsoll', args: ['wrap'] }, LAUNCHER)).toEqual({
      left: 'its wrapping names no server',
    });
    const args = ['wrap', '--url', 'http://h', '--header-env', 'A=ELSEWHERE'];
    expect(unwrapEntry({ command: 'plimsoll', args }, LAUNCHER)).toEqual({
      left: 'what its header from ELSEWHERE holds is not in it',
    });
  });
});

test('options stand before the server in every entry', () => {
  const launcher = { ...LAUNCHER, flags: ['--limit', '5000', '--tool', 'a=inline', '--no-tools'] };
  for (const entry of [{ command: 'srv', args: ['--limit', '7'] }, { url: 'http://h/mcp' }]) {
    const result = wrapEntry('docs', entry, launcher);
    const wrapped = 'entry' in result ? result.entry : {};
    expect((wrapped.args as string[]).slice(0, START.length + 5)).toEqual([...START, ...launcher.flags]);
    expect(unwrapped(wrapped)).toEqual(entry);
  }
});

test('whatever a server is, unwrapping undoes wrapping', () => {
  const text = fc.string({ minLength: 1 });
  const texts = fc.dictionary(text, fc.string(), { maxKeys: 3 });
  const stdio = fc.record({ command: text, args: fc.array(fc.string()), env: texts, cwd: text });
  const name = fc.stringMatching(/^[A-Za-z-]{1,9}$/);
  const remote = fc.record({
    url: fc.webUrl({ withQueryParameters: true }),
    headers: fc.dictionary(name, fc.string(), { minKeys: 1, maxKeys: 3 }),
    timeout: fc.nat(),
  });
  fc.assert(
    fc.property(fc.oneof(stdio, remote), (entry) => {
      fc.pre(!('left' in wrapEntry('docs', entry, LAUNCHER)));
      expect(unwrapped(wrapped(entry))).toEqual(entry);
      expect(wrapEntry('docs', wrapped(entry), LAUNCHER)).toHaveProperty('left');
    }),
  );
});
