import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Spool } from '../spool/spool.ts';
import { boundAnswer, type How } from './answer.ts';
import { Catalog } from './catalog.ts';
import type { Desk } from './desk.ts';
import { frameOf } from './frame.ts';
import { relay } from './relay.ts';
import { Requests } from './requests.ts';
import type { Frame, Outgoing, Peer } from './types.ts';

vi.mock('./answer.ts');

beforeEach(() => {
  vi.mocked(boundAnswer).mockImplementation(async () => undefined);
});

afterEach(() => {
  vi.resetAllMocks();
});

/** One side that the test plays. */
class Played implements Peer {
  readonly gone: Promise<string>;
  readonly sent: (Outgoing & { text: string })[] = [];
  isClosed = false;
  #end: (reason: string) => void = () => {};
  #frames: Frame[] = [];
  #wake: () => void = () => {};
  #ended = false;

  constructor() {
    this.gone = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get frames(): AsyncIterable<Frame> {
    return this.#read();
  }

  async *#read(): AsyncIterable<Frame> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) yield frame;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The side says something. */
  says(message: object | string | Frame): void {
    const isFrame = typeof message === 'object' && 'release' in message;
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    this.#frames.push(isFrame ? message : frameOf(Buffer.from(text)));
    this.#wake();
  }

  async send(out: Outgoing): Promise<void> {
    this.sent.push({ ...out, text: String(out.bytes) });
  }

  leaves(reason = 'left'): void {
    this.#ended = true;
    this.#end(reason);
    this.#wake();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.leaves();
  }

  /** What was sent to it, once there is so much. */
  async got(count: number): Promise<string[]> {
    await vi.waitFor(() => expect(this.sent.length).toBeGreaterThanOrEqual(count), {
      interval: 1,
      timeout: 20_000,
    });
    return this.sent.map(({ text }) => text);
  }
}

function start({ desk = {} as Partial<Desk>, tools = false } = {}) {
  const client = new Played();
  const server = new Played();
  const log: string[] = [];
  const hows: unknown[] = [];
  const records: unknown[] = [];
  const names: unknown[] = [];
  const done = relay(client, server, {
    requests: new Requests(['tools/call', 'resources/read', 'tasks/result', 'tasks/get']),
    catalog: new Catalog({ tools }),
    desk: { answer: () => undefined, ...desk } as Desk,
    terms: {
      how: (asked, reader) => {
        hows.push({ asked, reader });
        return { limit: { chars: 1000 }, mode: 'bound', spool: {} as Spool } as How;
      },
      audience: () => ({ limitOf: () => 1000 }),
      ownLimit: () => ({ chars: 1000 }),
    },
    recorder: {
      answered: (asked, before, answer) => records.push([asked.name, before, answer?.length]),
      read: (...reading) => records.push(reading),
      met: (name) => names.push(name),
    },
    server: 'the server',
    log: (line) => log.push(line),
  });
  return { client, server, log, hows, records, names, done };
}

const call = (id: unknown, name = 'tool') => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const result = (id: unknown, value: object = { content: [] }) => ({ jsonrpc: '2.0', id, result: value });

/** A promise that is settled by the test. */
function later<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('what is not to be bounded passes byte for byte, in order, both ways', async () => {
  const { client, server } = start();
  const lines = [
    '{"jsonrpc":"2.0","id":1.0,"method":"x/custom","params":{"n":1.50,"big":12345678901234567890}}',
    '{ "jsonrpc": "2.0", "method": "notifications/initialized" }',
    '{"jsonrpc":"2.0","id":"s","result":{"role":"assistant"}}',
    '{"not":"a message"}',
    '[1,null,"x",[]]',
    '42',
  ];
  for (const line of lines) client.says(line);
  expect(await server.got(lines.length)).toEqual(lines);
  for (const line of lines) server.says(line);
  expect(await client.got(lines.length)).toEqual(lines);
});

test('every result of a bounded method is given to be bounded, a second one too, and comes as it then is', async () => {
  vi.mocked(boundAnswer).mockResolvedValue(Buffer.from('{"bounded":true}'));
  const { client, server } = start();
  client.says(call(1));
  server.says(result(1));
  expect(await client.got(1)).toEqual(['{"bounded":true}']);
  expect(client.sent[0]?.answers).toBe(1);
  server.says(result(1));
  server.says(result('1'));
  expect(await client.got(3)).toEqual(['{"bounded":true}', '{"bounded":true}', '{"bounded":true}']);
  expect(boundAnswer).toHaveBeenCalledTimes(3);
});

const WORDS = { content: [{ type: 'text', text: 'word '.repeat(400) }] };

test.each([
  ['null', '"id":null,'],
  ['none', ''],
  ['a fraction', '"id":1.50,'],
  ['an object', '"id":{"a":1},'],
  ['a list', '"id":[1],'],
  ['a number nobody asked with', '"id":99,'],
  ['a text nobody asked with', '"id":"x",'],
])('a long result whose id is %s is bounded as well', async (_, id) => {
  vi.mocked(boundAnswer).mockResolvedValue(Buffer.from('{"bounded":true}'));
  const { client, server, hows } = start();
  client.says(call(1));
  await server.got(1);
  server.says(`{${id}"result":${JSON.stringify(WORDS)}}`);
  server.says(`[{${id}"result":${JSON.stringify(WORDS)}}]`);
  expect(await client.got(2)).toEqual(['{"bounded":true}', '[{"bounded":true}]']);
  const reader = { client: undefined, version: undefined };
  expect(hows).toEqual(Array(2).fill({ asked: { method: 'tools/call' }, reader }));
});

test('an answer that can not be bounded and has no id of its own is an error with the id null', async () => {
  vi.mocked(boundAnswer).mockRejectedValue(new Error('a fault'));
  const { client, server } = start();
  const message = 'Plimsoll could not bound the result: a fault';
  const refusal = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32603, message } });
  for (const id of ['null', '{}', '1.50']) server.says(`{"id":${id},"result":${JSON.stringify(WORDS)}}`);
  expect(await client.got(3)).toEqual([
    JSON.stringify(refusal(null)),
    JSON.stringify(refusal(null)),
    JSON.stringify(refusal(1.5)).replace('1.5', '1.50'),
  ]);
});

test('calls are written down with their sizes, before and after, and so is what is read back', async () => {
  vi.mocked(boundAnswer).mockImplementation(async ({ id }) => (id === 1 ? Buffer.from('{}') : undefined));
  const own = { result: Promise.resolve({}), reader: 'plimsoll_read', handle: 'h' };
  const { client, server, records } = start({ desk: { answer: ({ id }) => (id === 3 ? own : undefined) } });
  client.says(call(1, 'a'));
  server.says(result(1));
  await client.got(1);
  client.says(call(2, 'b'));
  server.says(result(2));
  await client.got(2);
  client.says(call(3));
  await client.got(3);
  const size = JSON.stringify(result(1)).length;
  const read = JSON.stringify(result(3, {})).length;
  expect(records).toEqual([
    ['a', size, 2],
    ['b', size, undefined],
    ['plimsoll_read', 'h', read],
  ]);
});

test('a result that is worked on holds nothing else up', async () => {
  const slow = later<Buffer>();
  vi.mocked(boundAnswer).mockImplementation(async (frame) => (frame.id === 1 ? slow.promise : undefined));
  const { client, server } = start();
  client.says(call(1));
  client.says(call(2));
  server.says({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1 } });
  server.says(result(1));
  server.says(result(2));
  server.says({ jsonrpc: '2.0', method: 'notifications/message' });
  expect((await client.got(3)).some((text) => text.includes('"id":1'))).toBe(false);
  slow.resolve(Buffer.from('{"id":1,"late":true}'));
  const texts = await client.got(4);
  expect(texts[0]).toContain('notifications/progress');
  expect(texts.at(-1)).toBe('{"id":1,"late":true}');
});

test('no more is read while many results are worked on', async () => {
  const slow = later<Buffer | undefined>();
  vi.mocked(boundAnswer).mockImplementation(() => slow.promise);
  const { client, server } = start();
  for (let id = 0; id < 40; id++) client.says(call(id));
  await server.got(40);
  for (let id = 0; id < 40; id++) server.says(result(id));
  await vi.waitFor(() => expect(boundAnswer).toHaveBeenCalledTimes(16), { timeout: 20_000 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(boundAnswer).toHaveBeenCalledTimes(16);
  slow.resolve(undefined);
  await client.got(40);
});

test.each([
  ['input_required', { resultType: 'input_required', inputRequests: {} }],
  ['a type nobody knows', { resultType: 'x/other', content: [] }],
  ['a task', { task: { taskId: 't', status: 'working' } }],
])('a result that is %s passes', async (_, value) => {
  const { client, server } = start();
  client.says(call(1));
  server.says(result(1, value));
  expect(await client.got(1)).toEqual([JSON.stringify(result(1, value))]);
  expect(boundAnswer).not.toHaveBeenCalled();
});

test.each([
  ['of 2025-11-25', { task: { taskId: 't', status: 'working' } }],
  ['of the extension', { resultType: 'task', taskId: 't', status: 'working' }],
])("a task's result is bounded for the tool that made it: %s", async (_, made) => {
  const { client, server, hows } = start();
  client.says(call(1, 'slow'));
  server.says(result(1, made));
  await client.got(1);
  client.says({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 't' } });
  server.says(result(2));
  await client.got(2);
  expect(hows).toEqual([expect.objectContaining({ asked: { method: 'tasks/result', name: 'slow' } })]);
});

test('errors pass as they are, and end the request', async () => {
  const { client, server, done } = start();
  const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"no","data":{"n":1.0}}}';
  client.says(call(1));
  server.says(error);
  expect(await client.got(1)).toEqual([error]);
  server.leaves('exited');
  await done;
  expect(client.sent).toHaveLength(1);
});

test('what may be long is given to be bounded, whatever kind of answer or notice it is', async () => {
  vi.mocked(boundAnswer).mockResolvedValue(Buffer.from('{"bounded":true}'));
  const words = 'x'.repeat(1000);
  const { client, server, hows } = start();
  const get = { jsonrpc: '2.0', id: 3, method: 'tasks/get', params: { taskId: 't' } };
  const params = { taskId: 't', status: 'failed', statusMessage: words };
  for (const message of [call(1), call(2), get, { ...get, id: 4, method: 'x/custom' }]) client.says(message);
  await server.got(4);
  server.says({ jsonrpc: '2.0', id: 1, error: { code: 1, message: words } });
  server.says(result(2, { task: { ...params, status: 'working' } }));
  server.says(result(3, params));
  server.says({ jsonrpc: '2.0', method: 'notifications/tasks/status', params });
  const other = JSON.stringify({ jsonrpc: '2.0', id: 4, error: { code: 1, message: words } });
  server.says(other);
  const got = await client.got(5);
  expect(got.filter((text) => text === '{"bounded":true}')).toHaveLength(4);
  expect(got).toContain(other);
  expect(hows.map((how) => (how as { asked: { method: string } }).asked.method)).toEqual([
    'tools/call',
    'tools/call',
    'tasks/get',
    'notifications/tasks/status',
  ]);
});

test('a large error is given to be bounded, and is written down only if it was', async () => {
  vi.mocked(boundAnswer).mockResolvedValueOnce(undefined).mockResolvedValueOnce(Buffer.from('{}'));
  const { client, server, records } = start();
  const bytes = () => Buffer.from('{"large":true}');
  const frame = { answers: 'error', isJson: true, size: 1e6, bytes, release: async () => {} };
  for (const id of [1, 2]) {
    client.says(call(id));
    await server.got(id);
    server.says({ ...frame, id } as unknown as Frame);
    await client.got(id);
  }
  expect(client.sent.map(({ text }) => text)).toEqual(['{"large":true}', '{}']);
  expect(records).toEqual([['tool', 1e6, 2]]);
});

test('who asks is known from the handshake, and from each request since there is none', async () => {
  const { client, server, hows } = start();
  client.says({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { clientInfo: { name: 'old' } } });
  server.says(result(0, { protocolVersion: '2025-06-18' }));
  await client.got(1);
  client.says(call(1));
  server.says(result(1));
  await client.got(2);
  const _meta = {
    'io.modelcontextprotocol/clientInfo': { name: 'new' },
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  };
  client.says({ ...call(2), params: { name: 'tool', _meta } });
  server.says(result(2));
  await client.got(3);
  expect(hows).toEqual([
    expect.objectContaining({ reader: { client: 'old', version: '2025-06-18' } }),
    expect.objectContaining({ reader: { client: 'new', version: '2026-07-28' } }),
  ]);
});

test('requests of the server and their answers pass, though the ids are those of requests of the client', async () => {
  const { client, server } = start();
  const question = { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} };
  client.says(call(1));
  server.says(question);
  expect(await client.got(1)).toEqual([JSON.stringify(question)]);
  expect(client.sent[0]?.about).toBe(1);
  client.says(result(1, { role: 'assistant' }));
  await server.got(2);
  server.says(result(1));
  await client.got(2);
  expect(boundAnswer).toHaveBeenCalledTimes(1);
});

test('each answer of a batch is bounded, and all other bytes of it stay', async () => {
  vi.mocked(boundAnswer).mockImplementation(async (frame) =>
    frame.id === 2 ? Buffer.from('{"id":2,"bounded":"é"}') : undefined,
  );
  const { client, server } = start();
  client.says([call(1), call(2), { jsonrpc: '2.0', id: 3, method: 'ping' }]);
  server.says('[ {"id":1,"result":{"n":1.0}}, {"id":2,"result":{}} ,{"id":3,"result":{"é":1e2}}]');
  expect(await client.got(1)).toEqual([
    '[ {"id":1,"result":{"n":1.0}}, {"id":2,"bounded":"é"} ,{"id":3,"result":{"é":1e2}}]',
  ]);
  expect(client.sent[0]?.message).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(boundAnswer).toHaveBeenCalledTimes(2);
});

test('a result that can not be bounded passes if it is small; if not, an error says so', async () => {
  vi.mocked(boundAnswer).mockRejectedValue(new Error('a fault'));
  const { client, server, log } = start();
  client.says(call(1));
  client.says(call(2));
  server.says(result(1));
  expect(await client.got(1)).toEqual([JSON.stringify(result(1))]);
  server.says(result(2, { content: ['x'.repeat(5000)] }));
  const error = { code: -32603, message: 'Plimsoll could not bound the result: a fault' };
  expect(JSON.parse((await client.got(2))[1] as string)).toEqual({ jsonrpc: '2.0', id: 2, error });
  expect(log).toEqual(Array(2).fill('a result could not be bounded: a fault'));
});

test('when the server goes, all that waits is answered with the reason', async () => {
  const { client, server, done } = start();
  client.says(call(1));
  client.says({ jsonrpc: '2.0', id: 'two', method: 'x/custom' });
  client.says(call(3));
  await server.got(3);
  client.says({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } });
  await server.got(4);
  server.leaves('exited with code 3');
  const error = {
    code: -32000,
    message: 'The MCP server (the server) exited with code 3',
    data: { reason: 'exited with code 3' },
  };
  expect((await client.got(2)).map((text) => JSON.parse(text))).toEqual([
    { jsonrpc: '2.0', id: 1, error },
    { jsonrpc: '2.0', id: 'two', error },
  ]);
  expect(await done).toEqual({ by: 'server', reason: 'exited with code 3' });
  expect(client.isClosed).toBe(true);
});

test('who asks first after a server could not be started is told why', async () => {
  const { client, server, done } = start();
  server.leaves('could not be started');
  await new Promise((resolve) => setImmediate(resolve));
  expect(client.isClosed).toBe(false);
  client.says({ jsonrpc: '2.0', id: 0, method: 'initialize' });
  expect((await client.got(1))[0]).toContain('could not be started');
  await done;
});

test('when the client goes the server is closed, and what it still says comes through', async () => {
  const { client, server, done } = start();
  client.says(call(1));
  await server.got(1);
  const closed = later<void>();
  server.close = () => closed.promise;
  client.leaves('closed our input');
  server.says(result(1));
  await client.got(1);
  server.leaves();
  closed.resolve();
  expect(await done).toEqual({ by: 'client', reason: 'closed our input' });
});

test('lines that are no JSON do not reach the client, and people are told, not without end', async () => {
  const { client, server, log } = start();
  server.says('Listening on \u001b[31m3000');
  server.says(result(1));
  expect(await client.got(1)).toEqual([JSON.stringify(result(1))]);
  expect(log).toEqual([
    'the server wrote a line that is no JSON (22 bytes), left out: Listening on ␛[31m3000',
  ]);
  for (let line = 0; line < 100; line++) server.says('x'.repeat(1000));
  server.says(result(2));
  await client.got(2);
  expect(log).toHaveLength(21);
  expect(log.at(-2)?.length).toBeLessThan(300);
});

test('every large message is let go, whatever becomes of it', async () => {
  const { client, server, done } = start();
  let held = 0;
  const large = (of: Partial<Frame>): Frame => {
    held++;
    const facts = {
      size: 1e6,
      message: undefined,
      isJson: true,
      torn: false,
      method: undefined,
      id: undefined,
    };
    const bytes = () => Buffer.from('{"params":{"name":"tool"}}');
    const release = async () => void held--;
    return { ...facts, answers: undefined, takenIn: undefined, bytes, release, ...of } as Frame;
  };
  client.says(large({ id: 1, method: 'tools/call' }));
  client.says(large({ method: 'notifications/x' }));
  client.says(large({ isJson: false, torn: true }));
  await server.got(2);
  expect(server.sent[0]?.message).toMatchObject({ id: 1, method: 'tools/call', params: { name: 'tool' } });
  server.says(large({ id: 1, answers: 'result' }));
  server.says(large({ method: 'notifications/x' }));
  server.says(large({ isJson: false }));
  server.says(large({ isJson: false, torn: true }));
  await client.got(2);
  server.leaves();
  await done;
  expect(boundAnswer).toHaveBeenCalledTimes(1);
  expect(held).toBe(0);
});

test("lines of the client that are no JSON are the server's to refuse", async () => {
  const { client, server } = start();
  client.says('{"jsonrpc":');
  expect(await server.got(1)).toEqual(['{"jsonrpc":']);
});

test('what is for the proxy itself is answered and not sent on, also out of a batch', async () => {
  const desk: Partial<Desk> = {
    answer: ({ params }) =>
      (params as { name?: string })?.name === 'ours'
        ? { result: Promise.resolve({ content: ['ours'] }), reader: 'reader', handle: 'h' }
        : undefined,
  };
  const { client, server } = start({ desk });
  client.says(call(1, 'ours'));
  expect(await client.got(1)).toEqual([JSON.stringify(result(1, { content: ['ours'] }))]);
  client.says([call(2, 'theirs'), call(3, 'ours')]);
  expect(await server.got(1)).toEqual([JSON.stringify([call(2, 'theirs')])]);
  await client.got(2);
  const params = { name: 'ours', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
  client.says({ ...call(4), params });
  expect(JSON.parse((await client.got(3))[2] as string).result).toEqual({
    resultType: 'complete',
    content: ['ours'],
  });
});

test('an answer of our own that nobody waits for any more is not sent', async () => {
  const work = later<object>();
  const { client, server } = start({
    desk: { answer: ({ id }) => (id === 1 ? { result: work.promise } : undefined) },
  });
  client.says(call(1));
  client.says({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await server.got(1);
  work.resolve({});
  client.says(call(2));
  await server.got(2);
  server.says(result(2));
  expect(await client.got(1)).toEqual([JSON.stringify(result(2))]);
});

const list = (id: unknown, tools: object[], more: object = {}) => result(id, { tools, ...more });
const outputSchema = { type: 'object', properties: { text: { type: 'string' } } };

/** Results are cut by the schemas that are found for them, which it gives. */
function cutBySchema(): unknown[] {
  const schemas: unknown[] = [];
  vi.mocked(boundAnswer).mockImplementation(async (_frame, _asked, _how, { findSchema }) => {
    schemas.push(await findSchema());
    return undefined;
  });
  return schemas;
}

test('the server is asked for tools that the client has not listed, when one is needed, and once', async () => {
  const schemas = cutBySchema();
  const { client, server } = start();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'new' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: { x: {} } },
    'io.modelcontextprotocol/logLevel': 'debug',
    progressToken: 1,
  };
  client.says({ ...call(1), params: { name: 'tool', _meta } });
  await server.got(1);
  server.says(result(1));
  const { id, ...asked } = JSON.parse((await server.got(2))[1] as string);
  const { 'io.modelcontextprotocol/logLevel': _, progressToken: __, ...of } = _meta;
  expect(asked).toEqual({ jsonrpc: '2.0', method: 'tools/list', params: { _meta: of } });
  server.says(list(id, [], { nextCursor: 'two' }));
  const next = JSON.parse((await server.got(3))[2] as string);
  expect(next.params).toEqual({ _meta: of, cursor: 'two' });
  server.says(list(next.id, [{ name: 'tool', outputSchema }]));
  expect(await client.got(1)).toEqual([JSON.stringify(result(1))]);
  client.says(call(2));
  server.says(result(2));
  await client.got(2);
  expect(schemas).toEqual([outputSchema, outputSchema]);
  expect(server.sent).toHaveLength(4);
  expect(client.sent).toHaveLength(2);
});

test('what the client has listed is not asked for; what has changed since is', async () => {
  const schemas = cutBySchema();
  const { client, server } = start();
  client.says({ jsonrpc: '2.0', id: 0, method: 'tools/list' });
  server.says(list(0, [{ name: 'tool', outputSchema }]));
  await client.got(1);
  const say = async (id: number, name: string) => {
    client.says(call(id, name));
    server.says(result(id));
  };
  say(1, 'tool');
  await client.got(2);
  expect(server.sent).toHaveLength(2);
  say(2, 'new');
  const first = JSON.parse((await server.got(4))[3] as string);
  expect(first.params).toEqual({});
  server.says(list(first.id, [{ name: 'tool' }]));
  await client.got(3);
  server.says({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  await client.got(4);
  say(3, 'new');
  const second = JSON.parse((await server.got(6))[5] as string);
  server.says(list(second.id, [{ name: 'tool' }, { name: 'new', outputSchema }]));
  await client.got(5);
  say(4, 'tool');
  await client.got(6);
  expect(schemas).toEqual([outputSchema, undefined, outputSchema, outputSchema]);
});

test('as many results as are worked on at a time can wait for the tools, and all go on when they come', async () => {
  cutBySchema();
  const { client, server } = start();
  for (let id = 0; id < 40; id++) client.says(call(id));
  await server.got(40);
  for (let id = 0; id < 40; id++) server.says(result(id));
  const { id } = JSON.parse((await server.got(41))[40] as string);
  server.says(list(id, []));
  await client.got(40);
  expect(server.sent).toHaveLength(41);
});

test('a server that goes while it is asked for its tools holds nothing up', async () => {
  const schemas = cutBySchema();
  const { client, server, done } = start();
  client.says(call(1));
  await server.got(1);
  server.says(result(1));
  await server.got(2);
  server.leaves();
  await done;
  expect(schemas).toEqual([undefined]);
  expect(client.sent.map(({ text }) => text)).toEqual([JSON.stringify(result(1))]);
});

const notice = (value: object = {}) => ({
  jsonrpc: '2.0',
  method: 'notifications/tasks',
  params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' }, taskId: 't', ...value },
});

test("a task's result in a notification is bounded for the tool that made it, others pass", async () => {
  vi.mocked(boundAnswer).mockResolvedValue(Buffer.from('{"bounded":true}'));
  const { client, server, hows } = start();
  client.says(call(1, 'slow'));
  server.says(result(1, { resultType: 'task', taskId: 't', status: 'working' }));
  await client.got(1);
  server.says(notice({ status: 'working' }));
  expect((await client.got(2))[1]).toBe(JSON.stringify(notice({ status: 'working' })));
  server.says(notice({ status: 'completed', result: { content: [] } }));
  expect((await client.got(3))[2]).toBe('{"bounded":true}');
  expect(hows).toEqual([
    expect.objectContaining({ asked: { method: 'notifications/tasks', name: 'slow', arguments: undefined } }),
  ]);
});

test('what follows about a subscription waits for a notification of it that is worked on', async () => {
  const slow = later<Buffer | undefined>();
  vi.mocked(boundAnswer).mockReturnValue(slow.promise);
  const { client, server } = start();
  client.says({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params: {} });
  await server.got(1);
  server.says(notice({ result: {} }));
  server.says(notice({ status: 'x' }));
  server.says(result('s'));
  server.says(result('other'));
  expect(await client.got(1)).toEqual([JSON.stringify(result('other'))]);
  slow.resolve(undefined);
  const texts = await client.got(4);
  expect(texts.slice(1)).toEqual(
    [notice({ result: {} }), notice({ status: 'x' }), result('s')].map((message) => JSON.stringify(message)),
  );
  expect(client.sent.map(({ about, answers }) => about ?? answers)).toEqual(['other', 's', 's', 's']);
});

test('for a result in a notification that can not be bounded the task is told to have failed', async () => {
  vi.mocked(boundAnswer).mockRejectedValue(new Error('a fault'));
  const { client, server } = start();
  const said = { status: 'completed', ttlMs: null, result: { content: ['x'.repeat(5000)] } };
  server.says(notice(said));
  const text = 'Plimsoll could not bound the result: a fault';
  expect(JSON.parse((await client.got(1))[0] as string)).toEqual(
    notice({ ...said, result: { content: [{ type: 'text', text }], isError: true } }),
  );
});

test('a large result that can not be taken in is an error', async () => {
  const { client, server, log } = start();
  client.says(call(1));
  await server.got(1);
  vi.mocked(boundAnswer).mockRejectedValue(new Error('a second "result"'));
  const of = { id: 1, answers: 'result', isJson: true, size: 1e6, bytes: () => Buffer.from('{}') };
  server.says({ ...of, release: async () => {} } as unknown as Frame);
  const message = 'Plimsoll could not bound the result: a second "result"';
  expect(JSON.parse((await client.got(1))[0] as string)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message },
  });
  expect(log).toHaveLength(1);
});

test('ids that JavaScript can not hold are answered as they were written', async () => {
  vi.mocked(boundAnswer).mockRejectedValue(new Error('a fault'));
  const desk: Partial<Desk> = {
    answer: ({ params }) =>
      (params as { name?: string })?.name === 'ours' ? { result: Promise.resolve({}) } : undefined,
  };
  const ids = ['9007199254740993', '-12345678901234567890', '10000000000000000000001', '1e400'];
  const { client, server, done } = start({ desk });
  const asked = (id: string, name: string) => JSON.stringify(call('ID', name)).replace('"ID"', id);
  client.says(asked(ids[0] as string, 'ours'));
  await client.got(1);
  client.says(asked(ids[1] as string, 'theirs'));
  server.says(`{"id":${ids[1]},"result":{"content":["${'x'.repeat(5000)}"]}}`);
  await client.got(2);
  const theirs = asked('9007199254740995', 'theirs');
  client.says(`[${asked(ids[2] as string, 'ours')}, ${theirs} ]`);
  await client.got(3);
  expect((await server.got(2))[1]).toBe(`[${theirs}]`);
  client.says(asked(ids[3] as string, 'theirs'));
  await server.got(3);
  server.leaves();
  await done;
  const answered = client.sent.map(({ text }) => /"id":([^,]+)/.exec(text)?.[1]);
  expect(answered).toEqual([...ids.slice(0, 3), '9007199254740995', ids[3]]);
});

test('what the server calls itself is told to who keeps the record', async () => {
  const { client, server, names } = start();
  client.says({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
  server.says(result(1, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'files' } }));
  await client.got(1);
  expect(names).toEqual(['files']);
});
