import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { environment, type Json, MAIN, run, temporaryFolder, wrapCommand, wrapped } from './wrapped.ts';

const SERVER = [process.execPath, 'test/servers/mcp-plain.mjs'];

interface Options {
  readonly options?: readonly string[];
  readonly server?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** A client that only knows lines. */
class LineClient {
  /** All that came. */
  readonly lines: string[] = [];
  readonly #stdin: Writable;
  readonly #unread: Json[] = [];
  readonly #waiting: { fits: (message: Json) => boolean; take: (message: Json) => void }[] = [];

  constructor(stdout: Readable, stdin: Writable) {
    this.#stdin = stdin;
    stdin.on('error', () => {});
    createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      this.lines.push(line);
      const message = JSON.parse(line);
      const index = this.#waiting.findIndex(({ fits }) => fits(message));
      if (index < 0) this.#unread.push(message);
      else this.#waiting.splice(index, 1)[0]?.take(message);
    });
  }

  send(message: object): void {
    this.#stdin.write(`${JSON.stringify(message)}\n`);
  }

  end(): void {
    this.#stdin.end();
  }

  /** The first message that fits, and that was not given before. */
  next(fits: (message: Json) => boolean): Promise<Json> {
    const index = this.#unread.findIndex(fits);
    if (index >= 0) return Promise.resolve(this.#unread.splice(index, 1)[0]);
    return new Promise((take) => this.#waiting.push({ fits, take }));
  }

  answer(id: unknown): Promise<Json> {
    return this.next((message) => message.id === id && message.method === undefined);
  }
}

/** A client of lines at the wrapped server. */
function start({ options = [], server = SERVER, env = {}, cwd }: Options = {}) {
  const folder = temporaryFolder();
  const { child, stderr } = run(wrapCommand(options, server), {
    env: { ...environment(folder), ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const client = new LineClient(child.stdout as Readable, child.stdin as Writable);
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let count = 0;
  const ask = async (method: string, params: Json = {}) => {
    const id = count++;
    client.send({ jsonrpc: '2.0', id, method, params });
    return await client.answer(id);
  };
  const open = (name = 'someone', protocolVersion = '2025-11-25') =>
    ask('initialize', { protocolVersion, capabilities: {}, clientInfo: { name, version: '1' } });
  const call = (name: string, args: Json = {}, more: Json = {}) =>
    ask('tools/call', { name, arguments: args, ...more });
  return { child, client, stderr, exit, folder, ask, open, call };
}

const textOf = (answer: Json): string => answer.result.content[0].text;

test('a small result passes byte for byte, and stdout holds nothing but messages', async () => {
  const { client, open, call } = start();
  await open();
  await call('echo', { text: 'é \u{1f600} \\ud800' });
  expect(client.lines.at(-1)).toBe(
    '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"é 😀 \\\\ud800"}]}}',
  );
});

test('a large result is bounded, says so, and can be read back whole through the proxy', async () => {
  const { open, ask, call } = start({ options: ['--limit', '5000'] });
  await open();
  await ask('tools/list');
  const answer = await call('big', { chars: 30_000, line: 'a line' });
  expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(5000);
  const { handle } = /\{"handle":"(?<handle>\w+)"/.exec(textOf(answer))?.groups ?? {};
  let whole = '';
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page: Json = await call('plimsoll_read', { handle, part: '1', from });
    expect(JSON.stringify(page.result).length).toBeLessThanOrEqual(5000);
    const text = page.result.content.at(-1).text;
    whole += text.slice(text.indexOf('\n') + 1);
    from = page.result._meta['dev.plimsoll/page'].next;
  }
  expect(whole).toBe('a line\n'.repeat(5000).slice(0, 30_000));
});

test('a message far larger than the SDKs take is bounded and closes nothing', async () => {
  const { open, call } = start();
  await open();
  const answer = await call('big', { chars: 20_000_000 });
  expect(JSON.stringify(answer.result).length).toBeLessThanOrEqual(100_000);
  expect(textOf(await call('echo', { text: 'still here' }))).toBe('still here');
});

test('resources and prompts are bounded, unless told otherwise', async () => {
  const bounded = start({ options: ['--limit', '5000'] });
  await bounded.open();
  for (const [method, params] of [
    ['resources/read', { uri: 'mem://a' }],
    ['prompts/get', { name: 'p' }],
  ] as const) {
    const { result } = await bounded.ask(method, params);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
  }
  const free = start({ options: ['--limit', '5000', '--no-resources', '--no-prompts'] });
  await free.open();
  const { contents } = (await free.ask('resources/read', { uri: 'mem://a' })).result;
  expect(contents[0].text.length).toBe(300_000);
  expect((await free.ask('prompts/get')).result.messages[0].content.text.length).toBe(300_000);
});

test('methods that nobody knows pass whole, however large, as do errors', async () => {
  const { client, open, ask } = start({ options: ['--limit', '5000'] });
  await open();
  const params = { n: 1.5, list: [{ deep: null }], chars: 2_000_000 };
  const { result } = await ask('x/custom', params);
  expect(result.params).toEqual(params);
  expect(result.huge).toBe('w'.repeat(2_000_000));
  await ask('x/none');
  expect(client.lines.at(-1)).toBe(
    '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"No such method","data":{"method":"x/none"}}}',
  );
});

test('requests larger than what is held in memory reach the server whole', async () => {
  const { open, call } = start({ options: ['--tool', 'echo=inline'] });
  await open();
  const text = 'ü'.repeat(1_000_000);
  expect(textOf(await call('echo', { text })) === text).toBe(true);
});

test('progress comes before the answer, with the token of the caller', async () => {
  const { client, open, call } = start();
  await open();
  await call('progress', { steps: 3 }, { _meta: { progressToken: 'token' } });
  const [, first, ...rest] = client.lines.map((line) => JSON.parse(line));
  expect(first.params).toEqual({ progressToken: 'token', progress: 1, total: 3 });
  expect(rest.map((message) => message.params?.progress ?? message.id)).toEqual([2, 3, 1]);
});

test.each(['sampling/createMessage', 'elicitation/create', 'roots/list', 'x/question'])(
  'the server may ask the client in the middle of a call: %s',
  async (method) => {
    const { client, open, call } = start();
    await open();
    const called = call('ask', { method, params: { n: 1 } });
    const message = await client.next((message) => message.method === method);
    expect(message).toEqual({ jsonrpc: '2.0', id: 1, method, params: { n: 1 } });
    client.send({ jsonrpc: '2.0', id: message.id, result: { fine: true } });
    expect(textOf(await called)).toBe('{"fine":true}');
  },
);

test('notifications pass both ways', async () => {
  const { client, open, call, stderr } = start();
  await open();
  client.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed', params: { a: 1 } });
  await call('change');
  expect(client.lines.some((line) => line.includes('notifications/tools/list_changed'))).toBe(true);
  await vi.waitFor(() => expect(stderr()).toContain('notified: notifications/roots/list_changed {"a":1}'), {
    timeout: 20_000,
  });
});

test('an answer that comes twice comes twice, and does no harm', async () => {
  const { client, open, call } = start();
  await open();
  await call('echo', { text: 'x' }, { _meta: { twice: true } });
  expect(textOf(await client.answer(1))).toBe('x');
  expect(textOf(await call('echo', { text: 'y' }))).toBe('y');
});

test('a large result holds up no small ones that follow it', async () => {
  const { client, open, call } = start();
  await open();
  const large = call('big', { chars: 4_000_000, line: 'some line' });
  const small = await call('echo', { text: 'small' });
  expect(textOf(small)).toBe('small');
  await large;
  expect(client.lines).toHaveLength(3);
});

test('batches of 2025-03-26 pass, each result in them bounded', async () => {
  const { client, open } = start({ options: ['--limit', '3000'] });
  await open('someone', '2025-03-26');
  client.send([
    { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'big', arguments: { chars: 9000 } } },
    { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'echo', arguments: { text: 'small' } } },
  ]);
  const batch = await client.next((message) => Array.isArray(message));
  expect(JSON.stringify(batch[0].result).length).toBeLessThanOrEqual(3000);
  expect(textOf(batch[0])).toMatch(/^\[Plimsoll/);
  expect(textOf(batch[1])).toBe('small');
});

test('lines that are no messages stay out of stdout', async () => {
  const { client, open, call, stderr } = start();
  await open();
  expect(textOf(await call('noise'))).toBe('noise');
  expect(client.lines).toHaveLength(2);
  await vi.waitFor(() => expect(stderr()).toContain('left out: ␛[31mred␛[0m {"jsonrpc":'), {
    timeout: 20_000,
  });
});

test('a flood on stderr that nobody reads stalls nothing', async () => {
  const folder = temporaryFolder();
  const { child } = run(wrapCommand([], SERVER), { env: environment(folder) });
  child.stderr?.pause();
  const client = new LineClient(child.stdout as Readable, child.stdin as Writable);
  const params = { name: 'flood', arguments: { bytes: 10_000_000 } };
  client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(textOf(await client.answer(1))).toBe('flooded');
});

test.each([
  ['when the client closes its end', (child: ChildProcess) => child.stdin?.end(), 0],
  ['at a signal', (child: ChildProcess) => child.kill('SIGTERM'), 128 + constants.signals.SIGTERM],
])('what nobody reads on stderr does not keep the proxy %s', async (_, end, code) => {
  const { child, exit, open, call } = start();
  child.stderr?.pause();
  await open();
  await call('flood', { bytes: 10_000_000 });
  end(child);
  expect(await exit).toEqual([code, null]);
});

test('a client that reads nothing does not keep the proxy at a signal', async () => {
  const notice = `JSON.stringify({ jsonrpc: '2.0', method: 'x', pad: 'x'.repeat(20_000_000) }) + '\\n'`;
  const talker = [process.execPath, '-e', `process.stdout.write(${notice}); process.stdin.resume()`];
  const { child } = run(wrapCommand([], talker), { env: environment(temporaryFolder()) });
  const exit = once(child, 'exit');
  await once(child.stdout as Readable, 'readable');
  child.kill('SIGTERM');
  expect(await exit).toEqual([128 + constants.signals.SIGTERM, null]);
});

test.each([
  ['exit', { code: 3 }, 'exited with code 3'],
  ['kill-self', {}, 'was killed by SIGKILL'],
  ['die-mid-frame', {}, 'exited with code 7'],
])(
  'when the server dies (%s), all pending calls fail at once with the reason',
  async (tool, args, reason) => {
    const { client, open, call, exit, stderr } = start({ options: ['--name', 'plain'] });
    await open();
    const never = call('never');
    const error = { code: -32000, message: `The MCP server (plain) ${reason}`, data: { reason } };
    expect((await call(tool, args)).error).toEqual(error);
    expect((await never).error).toEqual(error);
    expect(await exit).toEqual([1, null]);
    expect(stderr()).toContain(`plimsoll: The MCP server (plain) ${reason}.\n`);
    expect(client.lines).toHaveLength(3);
  },
);

test.each([
  ['that is not there', ['/no/such/server'], 'could not be started: there is no such command (ENOENT)'],
  ['that ends at once', [...SERVER, '--exit', '4'], 'exited with code 4'],
])('the first request to a server %s is told why', async (_, server, reason) => {
  const { open, exit, stderr } = start({ server });
  await vi.waitFor(() => expect(stderr()).toBeDefined(), { timeout: 20_000 });
  expect((await open()).error.data).toEqual({ reason });
  expect(await exit).toEqual([1, null]);
});

test('when the client closes its end the server is closed, and the exit code is 0', async () => {
  const { client, open, exit, stderr } = start();
  await open();
  client.end();
  expect(await exit).toEqual([0, null]);
  expect(stderr()).not.toContain('plimsoll:');
});

test('what was asked before the client closed its end is still answered', async () => {
  const { client, exit } = start();
  client.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'big', arguments: { chars: 500_000 } },
  });
  client.end();
  expect(JSON.stringify((await client.answer(1)).result).length).toBeLessThanOrEqual(100_000);
  expect(await exit).toEqual([0, null]);
});

test('what a server has not answered when it is closed is answered with the reason', async () => {
  const { client, exit } = start();
  client.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'slow', arguments: { ms: 60_000 } },
  });
  client.end();
  expect((await client.answer(1)).error.data).toEqual({ reason: 'was killed by SIGTERM' });
  expect(await exit).toEqual([0, null]);
});

test('a server that ends neither with its input nor at SIGTERM is killed', async () => {
  const { client, open, exit, stderr } = start({ server: [...SERVER, '--stubborn'] });
  await open();
  client.end();
  expect(await exit).toEqual([0, null]);
  expect(stderr()).toContain('not at SIGTERM');
});

test.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
  ['SIGTERM', 143],
] as const)(
  '%s reaches the server, pending calls are answered, and the exit code tells',
  async (name, code) => {
    const { child, open, call, exit, stderr } = start();
    await open();
    const never = call('never');
    await call('echo');
    child.kill(name);
    expect((await never).error.code).toBe(-32000);
    expect(await exit).toEqual([code, null]);
    if (name !== 'SIGTERM') expect(stderr()).toContain(`got ${name}`);
  },
);

describe('what the server has started and left behind', () => {
  const leaving = ['sh', '-c', 'sleep 60 & exec "$0" "$@"', ...SERVER];

  test('keeps nobody waiting when the client closes its end', async () => {
    const { client, open, exit } = start({ server: leaving });
    await open();
    client.end();
    expect(await exit).toEqual([0, null]);
  });

  test('keeps nobody waiting at a signal', async () => {
    const { child, open, exit } = start({ server: leaving });
    await open();
    child.kill('SIGTERM');
    expect(await exit).toEqual([143, null]);
  });

  test('keeps no call waiting when the server dies', async () => {
    const { open, call, exit } = start({ server: leaving });
    await open();
    expect((await call('exit', { code: 3 })).error.data).toEqual({ reason: 'exited with code 3' });
    expect(await exit).toEqual([1, null]);
  });
});

test('a signal before anybody has asked anything ends it as well', async () => {
  const { child, exit, stderr } = start();
  await vi.waitFor(() => expect(stderr()).toContain('ready'), { timeout: 20_000 });
  child.kill('SIGTERM');
  expect(await exit).toEqual([143, null]);
});

test('a client that reads nothing is not read from, and gets everything in the end', async () => {
  const folder = temporaryFolder();
  const mirror = [process.execPath, '-e', 'process.stdin.pipe(process.stdout)'];
  const { child } = run(wrapCommand([], mirror), { env: environment(folder) });
  const { stdout, stdin } = child as { stdout: Readable; stdin: Writable };
  const line = (count: number) => JSON.stringify({ method: 'x', count, pad: 'x'.repeat(100_000) });
  let sent = 0;
  let isHeldBack = false;
  while (!isHeldBack && sent < 500) {
    if (stdin.write(`${line(sent++)}\n`)) continue;
    const drained = once(stdin, 'drain').then(() => false);
    isHeldBack = await Promise.race([
      drained,
      new Promise<true>((resolve) => setTimeout(resolve, 500, true)),
    ]);
  }
  expect(isHeldBack).toBe(true);
  expect(sent).toBeLessThan(100);
  const client = new LineClient(stdout, stdin);
  await client.next(({ count }) => count === sent - 1);
  expect(client.lines.every((text, count) => text === line(count))).toBe(true);
});

test("the server has the client's environment", async () => {
  const { open, call } = start({ env: { OF_THE_CLIENT: 'yes' } });
  await open();
  expect(textOf(await call('environment', { name: 'OF_THE_CLIENT' }))).toBe('yes');
});

test('our tools are on the last page, under other names where the server has them', async () => {
  const { open, ask, call } = start({ server: [...SERVER, '--pages', '--collide'] });
  await open();
  const first = (await ask('tools/list')).result;
  expect(first.tools).toHaveLength(5);
  const last = (await ask('tools/list', { cursor: first.nextCursor })).result;
  const names = last.tools.map(({ name }: Json) => name);
  expect(names.slice(-5)).toEqual([
    'plimsoll_read',
    'plimsoll_read_2',
    'plimsoll_search_2',
    'plimsoll_select_2',
    'plimsoll_list_2',
  ]);
  expect(textOf(await call('plimsoll_read', { a: 1 }))).toBe('server\'s own plimsoll_read {"a":1}');
  expect(textOf(await call('plimsoll_list_2'))).toMatch(/^No result of this session is kept: /);
});

test('--no-tools adds nothing', async () => {
  const { open, ask, call } = start({ options: ['--no-tools', '--limit', '3000'] });
  await open();
  const { tools } = (await ask('tools/list')).result;
  expect(tools.some(({ name }: Json) => name.startsWith('plimsoll'))).toBe(false);
  expect(textOf(await call('big', { chars: 10_000 }))).toContain('plimsoll spool read');
  expect(textOf(await call('plimsoll_list'))).toBe("server's own plimsoll_list {}");
});

test('a server without tools but with resources gets ours', async () => {
  const { open, ask, call } = start({ server: [...SERVER, '--no-tools'] });
  const { capabilities } = (await open()).result;
  expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {} });
  const { tools } = (await ask('tools/list')).result;
  expect(tools).toHaveLength(4);
  expect((await call('plimsoll_list')).result.isError).toBeUndefined();
});

test('resources of the spool are ours to answer', async () => {
  const { open, ask, call } = start({ options: ['--limit', '5000'] });
  await open();
  const answer = await call('big', { chars: 30_000, line: 'a line' });
  const { handle } = /\{"handle":"(?<handle>\w+)"/.exec(textOf(answer))?.groups ?? {};
  const { result } = await ask('resources/read', { uri: `plimsoll://spool/${handle}/1?from=0&count=100` });
  expect(result.contents[0].text).toContain('a line\na line');
  const { resourceTemplates } = (await ask('resources/templates/list')).result;
  expect(resourceTemplates[0].uriTemplate).toContain('plimsoll://spool/');
  expect((await ask('resources/read', { uri: 'plimsoll://spool/abc/1' })).error.message).toContain('abc');
});

test('the limit for a tool comes before that for the server, that before the flag, that before the client', async () => {
  const folder = temporaryFolder();
  const settings = {
    wrap: { servers: { plain: { limit: '4000', tools: { structured: { limit: '3000' } } } } },
  };
  writeFileSync(join(folder, 'plimsoll.config.json'), JSON.stringify(settings));
  const server = [process.execPath, join(process.cwd(), 'test/servers/mcp-plain.mjs')];
  const size = async (options: string[], tool: string, args: Json) => {
    const { open, call } = start({ options, server, cwd: folder });
    await open('cline');
    return JSON.stringify((await call(tool, args)).result).length;
  };
  const big = { chars: 50_000, line: 'a line' };
  const byName = ['--limit', '5000', '--name', 'plain'];
  expect(await size(['--tool', 'big=2000', ...byName], 'big', big)).toBeLessThanOrEqual(2000);
  expect(await size(byName, 'structured', { items: 1000 })).toBeLessThanOrEqual(3000);
  const ofServer = await size(byName, 'big', big);
  expect(ofServer).toBeGreaterThan(3000);
  expect(ofServer).toBeLessThanOrEqual(4000);
  const ofFlag = await size(['--limit', '5000'], 'big', big);
  expect(ofFlag).toBeGreaterThan(4000);
  expect(ofFlag).toBeLessThanOrEqual(5000);
  const ofClient = await size([], 'big', big);
  expect(ofClient).toBeGreaterThan(5000);
  expect(ofClient).toBeLessThanOrEqual(8000);
});

test('what is wrong in the environment warns and is never without a bound', async () => {
  const { open, call, stderr } = start({ env: { PLIMSOLL_MAX_RESULT_CHARS: 'unlimited' } });
  await open();
  expect(JSON.stringify((await call('big', { chars: 500_000 })).result).length).toBeLessThanOrEqual(100_000);
  expect(stderr()).toContain('PLIMSOLL_MAX_RESULT_CHARS');
});

test('a folder in which nothing can be kept is named at the start, once, and results are bounded', async () => {
  const folder = join(temporaryFolder(), 'taken');
  writeFileSync(folder, '');
  const { open, call, stderr } = start({ options: ['--spool', folder, '--limit', '3000'] });
  const warning = `plimsoll: warning: what is left out of results can't be kept in '${folder}': its place is not a folder\n`;
  await vi.waitFor(() => expect(stderr()).toContain(warning), { timeout: 20_000 });
  await open();
  const { result } = await call('big', { chars: 9000 });
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(3000);
  expect(stderr().split(warning)).toHaveLength(2);
});

test.each([
  [['wrap'], 'No server. Give -- COMMAND'],
  [['wrap', '--url', 'http://127.0.0.1:1', '--', 'x'], 'Two servers.'],
  [['wrap', '--limit', 'lots', '--', 'x'], "Not a limit: 'lots'."],
  [['wrap', '--tool', 'big', '--', 'x'], "Not a rule for a tool: 'big'."],
  [['wrap', '--client', 'nobody', '--', 'x'], "Unknown client 'nobody'."],
  [['wrap', '--http', '70000', '--', 'x'], "Not a port: '70000'."],
  [['wrap', '--descriptions', '1', '--', 'x'], "Not a number of characters: '1'."],
  [
    ['wrap', '--url', 'http://127.0.0.1:1', '--header-env', 'A=NOT_SET_ANYWHERE'],
    'NOT_SET_ANYWHERE is not set',
  ],
  [['wrap', '--limt', '5', '--', 'x'], "Unknown option '--limt'. Did you mean --limit?"],
  [['wrap', '--', ''], 'No server. Give -- COMMAND'],
  [['wrap', '--', `${process.execPath}/x`], `The command '${process.execPath}/x' can't be run`],
  [['wrap', '--url', 'http://user:100%@127.0.0.1:1'], '--url: a % in the user or the password'],
])('bad usage is one line and exit code 2: %j', async (args, message) => {
  const { child, stderr } = run([process.execPath, MAIN, ...args], { env: environment(temporaryFolder()) });
  expect(await once(child, 'exit')).toEqual([2, null]);
  expect(stderr()).toMatch(/^plimsoll: .*\n$/);
  expect(stderr()).toContain(message);
});

const [command = '', ...args] = wrapCommand(['--limit', '5000'], SERVER);

test('the client of SDK v1 works through it', async () => {
  const folder = temporaryFolder();
  const transport = new StdioClientTransport({ command, args, env: environment(folder), stderr: 'ignore' });
  const client = new Client({ name: 'v1', version: '1' }, { capabilities: { sampling: {} } });
  onTestFinished(() => client.close());
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
  }));
  await client.connect(transport);
  expect(client.getServerVersion()).toEqual({ name: 'plain', version: '1.0.0' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('plimsoll_search');
  const params = { messages: [], maxTokens: 1 };
  const sampled = await client.callTool({
    name: 'ask',
    arguments: { method: 'sampling/createMessage', params },
  });
  expect(textOf({ result: sampled })).toContain('sampled');
  const progress: number[] = [];
  const onprogress = ({ progress: step }: { progress: number }) => progress.push(step);
  await client.callTool({ name: 'progress', arguments: { steps: 3, pause: 100 } }, undefined, { onprogress });
  // The SDK drops progress that comes in one piece with the answer.
  expect(progress[0]).toBe(1);
  const big = await client.callTool({ name: 'big', arguments: { chars: 12_000_000 } });
  expect(JSON.stringify(big).length).toBeLessThanOrEqual(5000);
  const aborted = client.callTool({ name: 'never' }, undefined, { timeout: 100 });
  await expect(aborted).rejects.toThrow('timed out');
  await expect(client.callTool({ name: 'exit', arguments: { code: 3 } })).rejects.toThrow(
    'exited with code 3',
  );
});

test('the client of SDK v2 works through it', async () => {
  const folder = temporaryFolder();
  const transport = new ModernTransport({ command, args, env: environment(folder), stderr: 'ignore' });
  const client = new ModernClient({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('plimsoll_select');
  const big = await client.callTool({ name: 'big', arguments: { chars: 12_000_000 } });
  expect(JSON.stringify(big).length).toBeLessThanOrEqual(5000);
  const structured = await client.callTool({ name: 'structured', arguments: { items: 10 } });
  expect(structured.structuredContent).toEqual(JSON.parse(textOf({ result: structured })));
  await expect(client.callTool({ name: 'kill-self' })).rejects.toThrow('was killed by SIGKILL');
});

const STRICT = [...SERVER, '--schemas', '--pages'];

test('a client of SDK v1 that has the tools from before it reconnected takes what is cut', async () => {
  const folder = temporaryFolder();
  const [program = '', ...rest] = wrapCommand(['--limit', '5000'], STRICT);
  const transport = () =>
    new StdioClientTransport({ command: program, args: rest, env: environment(folder), stderr: 'ignore' });
  const client = new Client({ name: 'v1', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport());
  const { nextCursor } = await client.listTools();
  expect(nextCursor).toBe('two');
  await client.close();
  await client.connect(transport());
  const result = await client.callTool({ name: 'structured', arguments: { items: 1000 } });
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
  expect(Object.keys(result.structuredContent as object)).toEqual(['_plimsoll', 'items']);
});

test('a client of SDK v2 that has a tool from elsewhere takes what is cut', async () => {
  const folder = temporaryFolder();
  const [program = '', ...rest] = wrapCommand(['--limit', '5000'], STRICT);
  const connect = async () => {
    const client = new ModernClient({ name: 'v2', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(
      new ModernTransport({ command: program, args: rest, env: environment(folder), stderr: 'ignore' }),
    );
    return client;
  };
  const { tools } = await (await connect()).listTools();
  const toolDefinition = tools.find(({ name }) => name === 'structured');
  expect(toolDefinition?.outputSchema).toBeDefined();
  const client = await connect();
  const call = { name: 'structured', arguments: { items: 1000 } };
  const result = await client.callTool(call, { ...(toolDefinition && { toolDefinition }) });
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
  expect(result.structuredContent).toMatchObject({ items: expect.any(Array) });
});

const big = { items: Array.from({ length: 1000 }, (_, id) => ({ id, name: `item ${id}` })) };
const bigResult = { content: [{ type: 'text', text: JSON.stringify(big) }], structuredContent: big };
const bigSchema = {
  type: 'object',
  properties: { items: { type: 'array', minItems: 20, items: { type: 'object' } } },
  required: ['items'],
};
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'someone', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
};

test.each([
  ['that began a session', true, {}],
  ['whose requests stand alone', false, { _meta: MODERN }],
])("a tool's schema is asked for when a result of it is cut, for a client %s", async (_, isOld, params) => {
  const { client, server, open, call } = await wrapped({ options: ['--limit', '5000'] });
  if (isOld) await open();
  const tool = { name: 'tool', arguments: {}, ...params };
  await call({ content: [], structuredContent: { items: [] } }, tool);
  await call({ content: [{ type: 'text', text: 'x'.repeat(10_000) }] }, tool);
  const bounded = call(bigResult, tool);
  const { id, ...asked } = (await server.next()).message;
  expect(asked).toEqual({ jsonrpc: '2.0', method: 'tools/list', params });
  const other = { name: 'tool', inputSchema: { type: 'object' } };
  server.send({ jsonrpc: '2.0', id, result: { tools: [{ ...other, name: 'x' }], nextCursor: 'two' } });
  const second = (await server.next()).message;
  expect(second.params).toEqual({ ...params, cursor: 'two' });
  const tools = [{ ...other, outputSchema: bigSchema }];
  server.send({ jsonrpc: '2.0', id: second.id, result: { tools } });
  const { result } = (await bounded).message;
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
  expect(Object.keys(result.structuredContent)).toEqual(['_plimsoll', 'items']);
  expect(result.structuredContent.items.length).toBeGreaterThanOrEqual(20);
  const again = (await call(bigResult, tool)).message.result;
  expect(Object.keys(again.structuredContent)).toEqual(['_plimsoll', 'items']);
  server.send({ jsonrpc: '2.0', id: second.id, result: { tools } });
  server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect((await client.next()).message.method).toBe('notifications/tools/list_changed');
  const changed = call(bigResult, tool);
  const third = (await server.next()).message;
  expect(third.method).toBe('tools/list');
  server.send({ jsonrpc: '2.0', id: third.id, error: { code: -32603, message: 'no' } });
  expect(JSON.stringify((await changed).message.result).length).toBeLessThanOrEqual(5000);
});

test('a server that does not tell its tools holds up one result, and nothing else', async () => {
  const { client, server, open, call } = await wrapped({ options: ['--limit', '5000'] });
  await open();
  const waiting = call(bigResult);
  expect((await server.next()).message.method).toBe('tools/list');
  const first = await Promise.race([
    waiting,
    call({ content: [{ type: 'text', text: 'x'.repeat(10_000) }] }),
  ]);
  expect(first.message.id).toBe('ask-2');
  expect(JSON.stringify((await waiting).message.result).length).toBeLessThanOrEqual(5000);
  expect((await server.next()).message.method).toBe('notifications/cancelled');
  await call(bigResult);
  client.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  expect((await server.next()).message.method).toBe('notifications/roots/list_changed');
});

test('a schema within which nothing can be left out is not kept to', async () => {
  const { server, open, call } = await wrapped({ options: ['--limit', '5000'] });
  await open();
  const key = 'k'.repeat(20_000);
  const bounded = call({ content: [], structuredContent: { key } });
  const { id } = (await server.next()).message;
  const outputSchema = {
    type: 'object',
    properties: { key: { type: 'string', pattern: '^k+!?$', minLength: 20_000 } },
    required: ['key'],
  };
  const tools = [{ name: 'tool', inputSchema: { type: 'object' }, outputSchema }];
  server.send({ jsonrpc: '2.0', id, result: { tools } });
  const { result } = (await bounded).message;
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
  expect(result.structuredContent.key.length).toBeGreaterThan(100);
});

test.each([
  ['small', 20_000],
  ['large', 2_000_000],
])("a task's result in a notification is bounded, and all else of it stays: %s", async (_, size) => {
  const { client, server, call } = await wrapped({ options: ['--limit', '5000'] });
  const task = { taskId: 't', status: 'working', ttlMs: 1 };
  await call({ resultType: 'task', ...task }, { name: 'slow', arguments: {}, _meta: MODERN });
  const listen = { notifications: { taskIds: ['t'] }, _meta: MODERN };
  client.send({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: listen });
  await server.next();
  const notice = { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' }, ...task };
  const tell = (params: object) => server.send({ jsonrpc: '2.0', method: 'notifications/tasks', params });
  const working = tell(notice);
  expect((await client.next()).raw).toBe(working);
  const small = tell({ ...notice, status: 'completed', result: { content: [] } });
  expect((await client.next()).raw).toBe(small);
  const text = 'a line\n'.repeat(size / 7);
  tell({ ...notice, status: 'completed', result: { content: [{ type: 'text', text }] }, after: 1 });
  server.send({ jsonrpc: '2.0', id: 's', result: { resultType: 'complete' } });
  const { message } = await client.next();
  expect(JSON.stringify(message.params).length).toBeLessThanOrEqual(5000);
  const { result, ...params } = message.params;
  expect(params).toEqual({ ...notice, status: 'completed', after: 1 });
  const { handle } = result._meta['dev.plimsoll/bound'];
  expect((await client.next()).message.id).toBe('s');
  const read = { name: 'plimsoll_read', arguments: { handle, count: 14 }, _meta: MODERN };
  client.send({ jsonrpc: '2.0', id: 'r', method: 'tools/call', params: read });
  expect(textOf((await client.answer('r')).message)).toContain('a line\na line');
});

test('ids that JavaScript can not hold are answered as they were written', async () => {
  const { client, server, socket, open } = await wrapped();
  await open();
  const ask = (id: string, name: string) =>
    client.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}`);
  ask('9007199254740993', 'plimsoll_list');
  expect((await client.next()).raw).toContain('"id":9007199254740993,');
  ask('1234567890123456789', 'tool');
  await server.next();
  socket.end();
  expect((await client.next()).raw).toContain('"id":1234567890123456789,"error"');
});

test('10,000 calls leave memory, descriptors and timers flat', async () => {
  const { child, open, call } = start();
  await open();
  const facts = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++) {
      await Promise.all(Array.from({ length: 50 }, () => call('echo', { text: 'x' })));
    }
  };
  await rounds(100);
  const before = facts();
  await rounds(100);
  expect(facts() - before).toBeLessThan(30);
});
