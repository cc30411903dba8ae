import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Entry, unwrapEntry, wrapEntry } from './entry.ts';

const LAUNCHER = { command: '/usr/bin/node', args: ['/opt/plimsoll/dist/cli/main.js'] };
const START = ['/opt/plimsoll/dist/cli/main.js', 'wrap', '--name', 'docs'];

function wrapped(entry: Entry): Entry {
  const result = wrapEntry('docs', entry, LAUNCHER);
  if ('left' in result) throw new Error(result.left);
  return result.entry;
}

function unwrapped(entry: Entry): Entry {
  const result = unwrapEntry(entry);
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

  test('may have no arguments', () => {
    expect(wrapped({ command: 'my server' }).args).toEqual([...START, '--', 'my server']);
    expect(unwrapped(wrapped({ command: 'x' }))).toEqual({ command: 'x', args: [] });
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
        '--url',
        'https://x.example/mcp',
        '--header-env',
        'Authorization=PLIMSOLL_HEADER_1',
        '--header-env',
        'X-Team=PLIMSOLL_HEADER_2',
      ],
      env: {
        PLIMSOLL_HEADER_1: 'Bearer s3cr3t',
        PLIMSOLL_HEADER_2: 'a',
        PLIMSOLL_WRAPPED: 'address=url,headers=headers,type=http',
      },
      timeout: 5,
    });
    expect(unwrapped(wrapped(entry))).toEqual(entry);
  });

  test.each(['https://x.example/mcp?apiKey=s3cr3t', 'https://me:s3cr3t@x.example/mcp'])(
    'that may hold a secret, like %s, never stands in arguments',
    (url) => {
      const { args, env } = wrapped({ url });
      expect(JSON.stringify(args)).not.toContain('s3cr3t');
      expect(args).toEqual([...START, '--url-env', 'PLIMSOLL_URL']);
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
  ])('comes back as it was: %j', (entry) => {
    const { headers, ...others } = entry;
    const isEmpty = Object.keys(headers ?? {}).length === 0;
    expect(unwrapped(wrapped(entry))).toEqual(isEmpty ? others : entry);
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
    { command: 'node', args: ['/x/dist/cli/main.js', 'wrap', '--', 'srv'] },
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

  test('is not one that only has our words among its arguments', () => {
    const entry = { command: 'present', args: ['wrap', 'plimsoll'] };
    expect(unwrapEntry(entry)).toEqual({ left: 'it is not wrapped' });
    expect(wrapEntry('docs', entry, LAUNCHER)).toHaveProperty('entry');
  });

  test('is left if its wrapping can not be understood', () => {
    expect(unwrapEntry({ command: 'plimsoll', args: ['wrap'] })).toEqual({
      left: 'its wrapping names no server',
    });
  });
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
