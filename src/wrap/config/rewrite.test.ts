import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planRewriting, rewrite } from './rewrite.ts';

const LAUNCHER = { command: 'npx', args: ['-y', 'plimsoll'] };
const ADDRESS = ['--url-env', 'PLIMSOLL_URL'];
const START = ['-y', 'plimsoll', 'wrap', '--name'];

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-config-')));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function change(file: string, undo = false) {
  const plan = await planRewriting(file, undo, LAUNCHER);
  const backup = (await rewrite(plan)) as string;
  return { ...plan, backup, text: readFileSync(file, 'utf8') };
}

/** Wraps and unwraps a file, and gives it as it is with the wrapping. */
async function thereAndBack(name: string, before: string, back = before): Promise<string> {
  const file = write(name, before);
  const { text } = await change(file);
  const again = await planRewriting(file, false, LAUNCHER);
  expect(again.after).toBe(text);
  expect(again.diff).toBe('');
  expect((await change(file, true)).text).toBe(back);
  return text;
}

const CLAUDE_DESKTOP = `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/me/Desktop"
      ]
    },
    "memory": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "mcp/memory"],
      "env": { "TOKEN": "s3cr3t" }
    }
  }
}
`;

describe('the configuration of', () => {
  test('Claude Desktop', async () => {
    const text = await thereAndBack('claude_desktop_config.json', CLAUDE_DESKTOP);
    expect(text).toBe(
      CLAUDE_DESKTOP.replace(
        '        "-y",\n',
        ['-y', 'plimsoll', 'wrap', '--name', 'filesystem', '--', 'npx', '-y']
          .map((arg) => `        "${arg}",\n`)
          .join(''),
      ).replace(
        '"docker",\n      "args": ["run"',
        '"npx",\n      "args": ["-y", "plimsoll", "wrap", "--name", "memory", "--", "docker", "run"',
      ),
    );
  });

  test('Claude Code, of a project and of a user', async () => {
    const project = `{"mcpServers":{"a":{"command":"srv","args":[],"env":{}}}}`;
    expect(parseJson(await thereAndBack('.mcp.json', project))).toEqual({
      mcpServers: { a: { command: 'npx', args: [...START, 'a', '--', 'srv'], env: {} } },
    });
    const user = JSON.stringify(
      {
        numStartups: 12,
        projects: {
          '/home/me/x': { allowedTools: [], mcpServers: { b: { type: 'stdio', command: 'b', args: ['c'] } } },
          '/home/me/y': { mcpServers: {} },
          '/home/me/z': { history: [] },
        },
        mcpServers: {
          s: { type: 'sse', url: 'https://s.example/sse', headers: { Authorization: 'Bearer x' } },
        },
      },
      null,
      2,
    );
    const value = parseJson(await thereAndBack('.claude.json', user));
    expect(value.projects['/home/me/x'].mcpServers.b.args).toEqual([...START, 'b', '--', 'b', 'c']);
    expect(value.mcpServers.s).toMatchObject({
      type: 'stdio',
      args: [...START, 's', ...ADDRESS, '--header-env', 'Authorization=PLIMSOLL_HEADER_1'],
      env: { PLIMSOLL_HEADER_1: 'Bearer x', PLIMSOLL_URL: 'https://s.example/sse' },
    });
  });

  test('Cursor', async () => {
    const text = `{
\t"mcpServers": {
\t\t"web": {
\t\t\t"url": "http://localhost:3000/mcp",
\t\t\t"headers": {
\t\t\t\t"API_KEY": "\${env:API_KEY}"
\t\t\t}
\t\t}
\t}
}`;
    expect(await thereAndBack('mcp.json', text)).toBe(`{
\t"mcpServers": {
\t\t"web": {
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "plimsoll", "wrap", "--name", "web", "--url-env", "PLIMSOLL_URL", "--header-env", "API_KEY=PLIMSOLL_HEADER_1"],
\t\t\t"env": {
\t\t\t\t"PLIMSOLL_HEADER_1": "\${env:API_KEY}",
\t\t\t\t"PLIMSOLL_URL": "http://localhost:3000/mcp",
\t\t\t\t"PLIMSOLL_WRAPPED": "address=url,headers=headers"
\t\t\t}
\t\t}
\t}
}`);
  });

  test('VS Code, with comments, inputs and a byte order mark', async () => {
    const text = `\uFEFF{\r
  // asked once\r
  "inputs": [\r
    { "type": "promptString", "id": "key", "password": true },\r
  ],\r
  "servers": {\r
    "perplexity": {\r
      "type": "stdio",\r
      "command": "npx", // from npm\r
      "args": ["-y", "server-perplexity-ask"],\r
      "env": { "KEY": "\${input:key}" },\r
    },\r
  },\r
}\r
`;
    const wrapped = await thereAndBack('mcp.json', text);
    expect(wrapped).toBe(
      text.replace(
        '["-y", "server',
        '["-y", "plimsoll", "wrap", "--name", "perplexity", "--", "npx", "-y", "server',
      ),
    );
    const settings = `{\n    "editor.fontSize": 12,\n    "mcp": { "servers": { "a": { "command": "x", "args": ["y"] } } }\n}\n`;
    expect(parseJson(await thereAndBack('settings.json', settings)).mcp.servers.a.args).toEqual([
      ...START,
      'a',
      '--',
      'x',
      'y',
    ]);
  });

  test('gemini-cli', async () => {
    const text = JSON.stringify(
      {
        theme: 'Default',
        mcpServers: {
          py: { command: 'python', args: ['-m', 'srv'], cwd: './x', timeout: 15000, trust: true },
          http: {
            httpUrl: 'http://localhost/mcp',
            headers: { Authorization: 'Bearer $TOKEN' },
            timeout: 5000,
          },
          sse: { url: 'http://localhost/sse' },
          login: { httpUrl: 'https://x.example/mcp', oauth: { enabled: true } },
        },
      },
      null,
      2,
    );
    const value = parseJson(await thereAndBack('settings.json', text));
    expect(value.mcpServers.py).toMatchObject({ cwd: './x', timeout: 15000, trust: true });
    expect(value.mcpServers.http.env.PLIMSOLL_WRAPPED).toBe('address=httpUrl,headers=headers');
    expect(value.mcpServers.sse.args).toEqual([...START, 'sse', ...ADDRESS]);
    expect(value.mcpServers.login).toEqual({ httpUrl: 'https://x.example/mcp', oauth: { enabled: true } });
  });

  const CODEX = `# Codex
model = "gpt-5-codex"   # the model
budget = 1_000.50
mask = 0xFF
since = 1979-05-27T07:32:00Z
notes = """
several
lines"""
paths = [ 'C:\\a', "b" ]

[mcp_servers.docs] # docs
# how it is started
command = "npx" # from npm
args = ["-y", "@acme/docs", '--root', 'C:\\x']
env = { "TOKEN" = "s3cr3t", B = 'x' }
startup_timeout_sec = 20

[mcp_servers."my tool"]
command = 'uvx'
args = [
  "a", # one
  "b",
]
[mcp_servers."my tool".env]
KEY = "v"

[mcp_servers.linear]
url = "https://mcp.linear.app/mcp"
bearer_token_env_var = "LINEAR_TOKEN"

[[things]]
a = 1

[[things]]
a = 2
`;

  test('Codex', async () => {
    const file = write('config.toml', CODEX);
    const { text, notes } = await change(file);
    expect(notes).toEqual([
      `'linear' stays as it is: only the client itself can do what "bearer_token_env_var" says`,
    ]);
    expect(parseToml(text)).toEqual({
      ...parseToml(CODEX),
      mcp_servers: {
        docs: {
          command: 'npx',
          args: [...START, 'docs', '--', 'npx', '-y', '@acme/docs', '--root', 'C:\\x'],
          env: { TOKEN: 's3cr3t', B: 'x' },
          startup_timeout_sec: 20,
        },
        'my tool': {
          command: 'npx',
          args: [...START, 'my tool', '--', 'uvx', 'a', 'b'],
          env: { KEY: 'v' },
        },
        linear: { url: 'https://mcp.linear.app/mcp', bearer_token_env_var: 'LINEAR_TOKEN' },
      },
    });
    const lines = text.split('\n');
    for (const line of CODEX.split('\n').filter((line) => !/^(args|command)|^ {2}"/.test(line))) {
      expect(lines).toContain(line);
    }
    expect(text).toContain('"a", # one');
    expect((await change(file, true)).text).toBe(CODEX);
  });

  test('Codex, at an address', async () => {
    const text = `[mcp_servers.web]\nurl = "http://localhost/mcp"\nhttp_headers = { "X-A" = "b" }\nenabled = true\n`;
    const file = write('config.toml', text);
    const wrapped = await change(file);
    expect(parseToml(wrapped.text)).toEqual({
      mcp_servers: {
        web: {
          command: 'npx',
          args: [...START, 'web', ...ADDRESS, '--header-env', 'X-A=PLIMSOLL_HEADER_1'],
          env: {
            PLIMSOLL_HEADER_1: 'b',
            PLIMSOLL_URL: 'http://localhost/mcp',
            PLIMSOLL_WRAPPED: 'address=url,headers=http_headers',
          },
          enabled: true,
        },
      },
    });
    expect((await change(file, true)).text).toBe(text);
  });
});

describe('undoing gives back, byte for byte,', () => {
  test.each([
    [
      'comments beside headers',
      '{\n"url": "http://h",\n"headers": { // team\n  "A": "b", // of us\n  /* c */ "D": "e" // last\n}}',
    ],
    ['comments beside an address', '{"url": "http://h" // where\n, /* how */ "type": "http"}'],
    ['an order of keys', '{"timeout": 5, "headers": {"A": "b"}, "url": "http://h/mcp", "x": [1]}'],
    ['what a line ends with', '{\n    "url": "http://h/mcp" // where\n  }'],
    [
      'a trailing comma and a comment',
      '{\n    "command": "srv", // how\n    "env": {\n      "A": "b", // c\n    },\n  }',
    ],
    ['arguments before their command', '{"args": ["x" /* one */], "command": "srv"}'],
    ['no arguments', '{ "command": "srv" }'],
    ['empty things', '{"command": "srv", "args": [], "env": {}}'],
    ['comments in empty things', '{"command": "srv", "args": [ /* none */ ], "env": { // none\n}}'],
    ['comments in an empty environment', '{"command": "srv", "env": { // none\n}}'],
    [
      'no arguments, and an environment',
      '{\n  "env": {\n    "A": "b" // c\n  },\n  "command": "srv" // d\n}',
    ],
    ['escapes', '{"command": "s\\u0072v", "args": ["\\u0061"]}'],
    ['an environment of an address', '{"url": "http://h/mcp", "env": {"C": "d" /* e */}}'],
    ['headers that are empty', '{"type": "sse", "url": "http://h/sse", "headers": {}}'],
  ])('%s', async (_, entry) => {
    const text = `{"mcpServers": {"docs": ${entry}}}\n`;
    await thereAndBack('mcp.json', text);
    await thereAndBack('mcp.json', text.replaceAll('\n', '\r\n'));
  });

  test.each([
    ['quotes', `[mcp_servers.docs]\ncommand = 'npx'\nargs = ['-y', "x"]\n`],
    ['no arguments', `[mcp_servers.docs]\n  command = 'srv' # how\n  enabled = true\n`],
    [
      'no arguments, and an environment',
      `[mcp_servers.docs]\ncommand = "srv"\n[mcp_servers.docs.env] # e\nA = 'b' # c`,
    ],
    ['an empty environment', `[mcp_servers.docs]\ncommand = "srv"\n\n[mcp_servers.docs.env]\n# none\n`],
    [
      'dotted keys',
      `[mcp_servers]\ndocs.command = "srv"\ndocs.env.A = "b"\ndocs.env."C.D" = "e"\n[x]\ny = 1\n`,
    ],
    ['an inline table', `[mcp_servers]\ndocs = { command = 'srv', env = { "A" = 'b' } } # c\n`],
    [
      'headers, with comments',
      `[mcp_servers.docs]\nurl = 'http://h/mcp' # where\n\n[mcp_servers.docs.http_headers] # h\n# one\n'X-A' = 'b' # us\nB = "c"\n# two\n\n[other]\nz = 1\n`,
    ],
    [
      'headers in one line',
      `[mcp_servers.docs]\nhttp_headers = { "X-A" = 'b', C = "d" } # h\n"url" = "http://h/mcp"\n`,
    ],
    [
      'headers with dots',
      `[mcp_servers.docs]\nurl = "http://h/mcp"\nhttp_headers.X-A = 'b'\nhttp_headers."C" = 'd'\n`,
    ],
    [
      'an address alone',
      `mcp_servers.docs.url = "http://h/mcp" # where\n[mcp_servers.docs.tools.x]\napproval = "never"\n`,
    ],
    [
      'texts over lines',
      `[mcp_servers.docs]\nargs = [\n  """a\n[b]""", # one\n  '''c''', "d" # two\n]\ncommand = """srv"""\n`,
    ],
  ])('in TOML, %s', async (_, text) => {
    await thereAndBack('config.toml', text);
    if (!text.includes('"""')) await thereAndBack('config.toml', text.replaceAll('\n', '\r\n'));
  });

  test('headers beside an environment, but for where they stand', async () => {
    const entry = '{"url": "http://h", "timeout": 1, "headers": {"A": /* a */ "b"}, "env": {"C": "d"}}';
    const back = '{"url": "http://h", "headers": { "A": "b" }, "timeout": 1,  /* a */ "env": {"C": "d"}}';
    const config = (entry: string) => `{"mcpServers": {"docs": ${entry}}}\n`;
    await thereAndBack('mcp.json', config(entry), config(back));
  });
});

test('comments stay with what they are about while a server is wrapped', async () => {
  const json = write(
    'mcp.json',
    '{"servers": {"docs": {\n  "url": "http://h", // where\n  "headers": {\n    "A": "b" // us\n  }\n}}}\n',
  );
  expect((await change(json)).text).toContain(`{
  "command": "npx", // where
  "args": ["-y", "plimsoll", "wrap", "--name", "docs", "--url-env", "PLIMSOLL_URL", "--header-env", "A=PLIMSOLL_HEADER_1"],
  "env": {
    "PLIMSOLL_HEADER_1": "b", // us
    "PLIMSOLL_URL": "http://h",
`);
  const toml = write(
    'config.toml',
    `[mcp_servers.docs]\nurl = 'http://h' # where\n[mcp_servers.docs.http_headers] # h\n'A' = 'b' # us\n`,
  );
  expect((await change(toml)).text).toBe(`[mcp_servers.docs]
command = 'npx' # where
args = ["-y", "plimsoll", "wrap", "--name", "docs", "--url-env", "PLIMSOLL_URL", "--header-env", "A=PLIMSOLL_HEADER_1"]
[mcp_servers.docs.env] # h
'PLIMSOLL_HEADER_1' = 'b' # us
PLIMSOLL_URL = 'http://h'
PLIMSOLL_WRAPPED = "address=url,headers=http_headers"
`);
  const text = readFileSync(toml, 'utf8');
  writeFileSync(toml, `${text.replace("'b' # us", "'new' # them")}DEBUG = "1" # mine\n\n[x]\n`);
  expect((await change(toml, true)).text).toBe(
    `[mcp_servers.docs]\nurl = 'http://h' # where\nenv = { DEBUG = "1" }\n[mcp_servers.docs.http_headers] # h\n'A' = 'new' # them # mine\n\n[x]\n`,
  );
});

test('what was changed since the wrapping stays when it is undone', async () => {
  const file = write('mcp.json', CLAUDE_DESKTOP);
  const { text } = await change(file);
  writeFileSync(
    file,
    text.replace('"/Users/me/Desktop"', '"/srv"').replace('"globalShortcut"', '"shortcut"'),
  );
  expect((await change(file, true)).text).toBe(
    CLAUDE_DESKTOP.replace('"/Users/me/Desktop"', '"/srv"').replace('"globalShortcut"', '"shortcut"'),
  );
});

test('the difference is shown without secrets', async () => {
  const file = write('mcp.json', CLAUDE_DESKTOP);
  const { diff } = await planRewriting(file, false, LAUNCHER);
  expect(diff).toContain(`--- ${file}\n+++ ${file}\n@@ -5,13 +5,20 @@\n`);
  expect(diff).toContain('-      "args": ["run", "-i", "--rm", "mcp/memory"],\n');
  expect(diff).toContain('\n       "env": { "TOKEN": "***" }\n');
  expect(diff).not.toContain('s3cr3t');
  expect(readdirSync(folder)).toEqual(['mcp.json']);
});

test('of servers at an address it is said what ends', async () => {
  const file = write('mcp.json', '{"mcpServers": {"a": {"url": "http://h/mcp"}, "b": 5, "c": {}}}');
  expect((await planRewriting(file, false, LAUNCHER)).notes).toEqual([
    "'a' is at an address: if the client signs in there itself, that ends with the wrapping",
    "'c' stays as it is: it has neither a command with a list of arguments nor an address",
  ]);
});

describe('a file', () => {
  test('is kept as it was beside the new one, for its owner alone', async () => {
    const file = write('mcp.json', CLAUDE_DESKTOP);
    const { backup } = await change(file);
    expect(backup).toBe(`${file}.plimsoll-backup-1`);
    expect(readFileSync(backup, 'utf8')).toBe(CLAUDE_DESKTOP);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect((await change(file, true)).backup).toBe(`${file}.plimsoll-backup-2`);
  });

  test('keeps its permissions, and a link to it stays one', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    const file = write('dotfiles/mcp.json', CLAUDE_DESKTOP);
    chmodSync(file, 0o640);
    const link = join(folder, 'mcp.json');
    symlinkSync('dotfiles/mcp.json', link);
    const { text } = await change(link);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['dotfiles', 'mcp.json']);
    expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['mcp.json', 'mcp.json.plimsoll-backup-1']);
  });

  test('that is read-only is not written, nor copied', async () => {
    const file = write('mcp.json', CLAUDE_DESKTOP);
    chmodSync(file, 0o444);
    await expect(change(file)).rejects.toThrow(`Cannot write '${file}': it is read-only.`);
    expect(readFileSync(file, 'utf8')).toBe(CLAUDE_DESKTOP);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  test('that has changed meanwhile is not written, nor copied', async () => {
    const file = write('mcp.json', CLAUDE_DESKTOP);
    const plan = await planRewriting(file, false, LAUNCHER);
    writeFileSync(file, '{}');
    await expect(rewrite(plan)).rejects.toThrow(
      `'${file}' has changed meanwhile. Nothing is written; try again.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  test.each([
    ['a.json', '{"mcpServers": {\n  "a": ]}', 'it is not JSON from line 2, column 8 on'],
    ['a.json', '', 'it is not JSON from line 1, column 1 on'],
    [
      'a.json',
      '[]',
      'it has no place for MCP servers; known are mcpServers, projects.*.mcpServers, servers, mcp.servers',
    ],
    ['a.json', '{"mcpServers": []}', 'it has no place for MCP servers; known are'],
    ['a.toml', 'a = \n[b', 'it is not TOML from line 1, column '],
    ['a.toml', 'a = 1', 'it has no place for MCP servers; known are mcp_servers'],
  ])('%s with %j is no configuration', async (name, text, reason) => {
    const file = write(name, text);
    const planned = planRewriting(file, false, LAUNCHER);
    await expect(planned).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
    await expect(planned).rejects.toThrow(`Cannot use '${file}': ${reason}`);
    await expect(planned).rejects.toThrow(/^[^\n]*$/);
  });

  test('must be there, be a file, and be UTF-8', async () => {
    const file = join(folder, 'a.json');
    const plan = () => planRewriting(file, false, LAUNCHER);
    await expect(plan()).rejects.toThrow(`Cannot use '${file}': there is no such file.`);
    writeFileSync(file, Buffer.from('{"mcpServers": {"a": {"command": "\xe9"}}}', 'latin1'));
    await expect(plan()).rejects.toThrow(`Cannot use '${file}': it is not UTF-8.`);
    rmSync(file);
    mkdirSync(file);
    await expect(plan()).rejects.toThrow(`Cannot use '${file}': it is a folder; give the file in it.`);
  });
});
