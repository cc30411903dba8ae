import { once } from 'node:events';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFrame as read } from '../frame.ts';
import type { Frame, Outgoing, Peer } from '../types.ts';
import { wholeOf } from './body.ts';
import { type HttpServer, type ServeOptions, serveHttp } from './downstream.ts';
import { fieldOf } from './messages.ts';
import { EventReader } from './sse.ts';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MODERN = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28' };
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

let server: HttpServer;
/** The clients that came, with what each has sent. */
let clients: { peer: Peer; stateless: boolean; frames: Frame[]; isGone: boolean }[];
/** What a client's message is answered with, if anything; told as it comes. */
let react: (peer: Peer, message: Message) => void;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

async function start(options: Partial<ServeOptions> = {}): Promise<void> {
  server = await serveHttp({
    port: 0,
    read,
    ...options,
    onSession(peer, { stateless }) {
      const client = { peer, stateless, frames: [] as Frame[], isGone: false };
      clients.push(client);
      void peer.gone.then(() => {
        client.isGone = true;
      });
      void (async () => {
        for await (const frame of peer.frames) {
          client.frames.push(frame);
          for (const message of [frame.message ?? frame].flat() as Message[]) react(peer, message);
        }
      })();
    },
  });
}

beforeEach(async () => {
  clients = [];
  react = (peer, { id, method }) => {
    if (id === undefined || method === undefined) return;
    const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { method };
    void peer.send(answer(id, result));
  };
  await start();
});

afterEach(() => server.close());

function answer(id: string | number, result: unknown): Outgoing {
  const message = { jsonrpc: '2.0', id, result };
  return { bytes: Buffer.from(JSON.stringify(message)), message, answers: id };
}

function notice(method: string, params: object, about?: string | number): Outgoing {
  const message = { jsonrpc: '2.0', method, params };
  return { bytes: Buffer.from(JSON.stringify(message)), message, about };
}

function post(
  message: unknown,
  headers: Record<string, string> = JSON_HEADERS,
  path = '',
): Promise<Response> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return fetch(new URL(path, server.address), { method: 'POST', headers, body });
}

async function begin(version = '2025-11-25'): Promise<Record<string, string>> {
  react = ((before) => (peer, message) => {
    if (message.method !== 'initialize' || message.id === undefined) return before(peer, message);
    void peer.send(answer(message.id, { protocolVersion: version }));
  })(react);
  const response = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  await response.text();
  return { ...JSON_HEADERS, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

/** The message that a response is; or the first on a stream. */
async function messagesOf(response: Response, count: number): Promise<unknown[]> {
  if (response.headers.get('content-type') === 'application/json') return [await response.json()];
  const reader = new EventReader(response.body as unknown as AsyncIterable<Uint8Array>);
  const messages: unknown[] = [];
  while (messages.length < count) {
    const event = await reader.next();
    if (!event) break;
    messages.push(JSON.parse((await wholeOf(event.data, 1e9))?.toString() ?? ''));
  }
  return messages;
}

async function errorOf(response: Response): Promise<{ status: number; code: number; id: unknown }> {
  const { error, id } = (await response.json()) as { error: { code: number }; id: unknown };
  return { status: response.status, code: error.code, id };
}

/** A POST whose body and whose answer the test sends and reads itself. */
function open(headers: Record<string, string>, agent?: Agent): ClientRequest {
  const request = httpRequest(server.address, { method: 'POST', headers, agent });
  request.on('error', () => {});
  return request;
}

/** POSTs a message, and reads nothing of the answer's body. */
async function postUnread(message: unknown, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = open(headers);
  request.end(JSON.stringify(message));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** The messages of a stream, to its end. */
async function eventsOf(response: AsyncIterable<Uint8Array>): Promise<string[]> {
  const reader = new EventReader(response);
  const messages: string[] = [];
  for (let event = await reader.next(); event; event = await reader.next()) {
    messages.push(String(await wholeOf(event.data, 1e9)));
  }
  return messages;
}

/** A message of `size` bytes and some, in pieces, which are gone as soon as `isLetGo` says so. */
async function* inPieces(start: string, size: number, end: string, isLetGo = () => false) {
  yield Buffer.from(start);
  for (let left = size; left > 0; left -= 65_536) {
    if (isLetGo()) throw new Error('let go');
    yield Buffer.alloc(Math.min(left, 65_536), 'x');
  }
  yield Buffer.from(end);
}

const until = (holds: () => boolean) => expect.poll(holds, { timeout: 5000, interval: 10 }).toBe(true);
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe('who is served', () => {
  /** `fetch` sets `Host` itself. */
  function status(headers: Record<string, string>, method = 'POST'): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(server.address, { method, headers: { ...JSON_HEADERS, ...headers } });
      request.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
      request.end(method === 'POST' ? '{}' : undefined);
    });
  }

  test('no other host, and no page from elsewhere', async () => {
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'http://evil.example' })).toBe(403);
    expect(await status({ origin: 'null' }, 'OPTIONS')).toBe(403);
    expect(await status({ host: 'localhost:1', origin: 'http://127.0.0.1:8080' })).toBe(400);
    expect(clients).toEqual([]);
  });

  test('a page of an origin that is allowed, which its browser is told', async () => {
    await server.close();
    await start({ allowedOrigins: ['https://app.example'] });
    const origin = 'https://app.example';
    const asked = await fetch(server.address, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'mcp-session-id' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-headers')).toBe('mcp-session-id');
    const used = await post({ jsonrpc: '2.0', id: 0, method: 'initialize' }, { ...JSON_HEADERS, origin });
    expect(used.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    expect((await post(ping)).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('nobody without the token, which goes no further', async () => {
    await server.close();
    await start({ token: 'secret' });
    const refused = await post(ping);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('Bearer');
    const first = { jsonrpc: '2.0', id: 0, method: 'initialize' };
    expect((await post(first, { ...JSON_HEADERS, authorization: 'Bearer secret' })).status).toBe(200);
    expect(JSON.stringify(clients[0]?.frames)).not.toContain('secret');
  });

  test('a port that is taken is said', async () => {
    const { port } = new URL(server.address);
    await expect(serveHttp({ port: Number(port), read, onSession() {} })).rejects.toThrow(
      'the port is in use',
    );
    await expect(serveHttp({ port: 0, host: '0.0.0.0', read, onSession() {} })).rejects.toThrow(
      '--token-file',
    );
  });
});

describe('what is no request of a session', () => {
  test('paths, methods, kinds of content, versions', async () => {
    const session = await begin();
    expect((await post(ping, session, '/other')).status).toBe(404);
    expect((await post(ping, session, '/')).status).toBe(200);
    const put = await fetch(server.address, { method: 'PUT', headers: session });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
    expect((await post(ping, { ...session, accept: 'text/html' })).status).toBe(406);
    expect((await post(ping, { ...session, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(ping, { ...session, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect(
      (await fetch(server.address, { headers: { ...session, accept: 'application/json' } })).status,
    ).toBe(406);
    expect(await errorOf(await post('{"jsonrpc":', session))).toEqual({
      status: 400,
      code: -32700,
      id: null,
    });
  });

  test('a session has to be named, and to be one', async () => {
    expect(await errorOf(await post(ping))).toMatchObject({ status: 400, code: -32000 });
    const unknown = await post(ping, { ...JSON_HEADERS, 'mcp-session-id': 'unknown' });
    expect(await errorOf(unknown)).toMatchObject({ status: 404, code: -32001 });
    expect((await fetch(server.address, { headers: { accept: 'text/event-stream' } })).status).toBe(400);
  });

  test('a session ends when the client says so, or when the server behind it goes', async () => {
    const [one, other] = [await begin(), await begin()];
    expect((await fetch(server.address, { method: 'DELETE', headers: one })).status).toBe(200);
    expect((await post(ping, one)).status).toBe(404);
    await until(() => clients[0]?.isGone === true);
    expect((await post(ping, other)).status).toBe(200);
    await clients[1]?.peer.close();
    expect((await post(ping, other)).status).toBe(404);
  });

  test('a handshake that fails begins no session', async () => {
    react = (peer, { id = '' }) => {
      const message = { jsonrpc: '2.0', id, error: { code: -32022, message: 'no' } };
      void peer.send({ bytes: Buffer.from(JSON.stringify(message)), message, answers: id });
    };
    const response = await post({ jsonrpc: '2.0', id: 0, method: 'initialize' });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    await until(() => clients[0]?.isGone === true);
  });

  test('a large message that is refused is taken to its end, and the connection serves on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const session = await begin();
    const message = JSON.stringify({ ...ping, params: { text: 'x'.repeat(8_000_000) } });
    const ask = async (headers: Record<string, string>, body: string) => {
      const request = open(headers, agent);
      const sent = new Promise<void>((resolve) => request.end(body, resolve));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await sent;
      response.resume();
      await once(response, 'end');
      return [response.statusCode, request.reusedSocket];
    };
    expect(await ask({ ...session, 'mcp-session-id': 'unknown' }, message)).toEqual([404, false]);
    expect(await ask(JSON_HEADERS, message)).toEqual([400, true]);
    expect(await ask({ ...session, 'content-type': 'text/plain' }, message)).toEqual([415, true]);
    expect(await ask(session, `${message}}`)).toEqual([400, true]);
    expect(await ask(session, JSON.stringify(ping))).toEqual([200, true]);
    agent.destroy();
  });

  test('a message that comes while its session ends is told so', async () => {
    const session = await begin();
    const body = JSON.stringify(ping);
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' });
    const posts = [body, notification].map((text) => {
      const request = open(session);
      request.write(text.slice(0, -1) + ' '.repeat(1_000_000));
      return { request, answered: once(request, 'response') as Promise<[IncomingMessage]> };
    });
    await (await post(ping, session)).text();
    expect((await fetch(server.address, { method: 'DELETE', headers: session })).status).toBe(200);
    for (const { request, answered } of posts) {
      request.end('}');
      const [response] = await answered;
      expect(response.statusCode).toBe(404);
      response.resume();
    }
  });

  test('a session ends whose client is gone, though a call is unanswered; one whose client waits does not', async () => {
    await server.close();
    await start({ idle: 400 });
    react = () => {};
    const call = async () => {
      const stop = new AbortController();
      const init = {
        method: 'POST',
        headers: await begin(),
        body: JSON.stringify(ping),
        signal: stop.signal,
      };
      return { stop, answered: fetch(server.address, init) };
    };
    const [waits, goes] = [await call(), await call()];
    await until(() => clients.every(({ frames }) => frames.length === 2));
    goes.stop.abort();
    await expect(goes.answered).rejects.toThrow();
    await until(() => clients[1]?.isGone === true);
    expect(clients[0]?.isGone).toBe(false);
    waits.stop.abort();
    await expect(waits.answered).rejects.toThrow();
  });

  test('a session of which nothing is heard ends', async () => {
    await server.close();
    await start({ idle: 20 });
    const session = await begin();
    await until(() => clients[0]?.isGone === true);
    expect((await post(ping, session)).status).toBe(404);
  });
});

describe('answers of a session', () => {
  test('they come as the client takes them, byte by byte as they were sent', async () => {
    react = (peer, { id = '' }) => {
      const bytes = Buffer.from(`{ "jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"n":1.0} }`);
      void peer.send({ bytes, answers: id });
    };
    const session = await begin();
    const asEvents = await post(ping, session);
    expect(asEvents.headers.get('content-type')).toBe('text/event-stream');
    expect(await asEvents.text()).toBe('data: { "jsonrpc":"2.0","id":7,"result":{"n":1.0} }\n\n');
    const asJson = await post(ping, { ...session, accept: 'application/json' });
    expect(asJson.headers.get('content-type')).toBe('application/json');
    expect(await asJson.text()).toBe('{ "jsonrpc":"2.0","id":7,"result":{"n":1.0} }');
  });

  test('what a client posts in several lines is one line', async () => {
    const session = await begin();
    await post(JSON.stringify(ping, null, 2), session);
    const frame = clients[0]?.frames.at(-1);
    expect(frame?.bytes().toString()).not.toMatch(/[\r\n]/);
    expect(frame?.message).toEqual(ping);
  });

  test('notifications are accepted, and answers of the client', async () => {
    const session = await begin();
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const response = await post(message, session);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    expect(clients[0]?.frames).toHaveLength(3);
  });

  test('what is about a request comes on its stream before the answer', async () => {
    react = (peer, { id = '' }) => {
      for (const step of [1, 2]) void peer.send(notice('notifications/progress', { step }, id));
      void peer.send(answer(id, {}));
    };
    const session = await begin();
    const [one, other] = await Promise.all([post(ping, session), post({ ...ping, id: '7' }, session)]);
    for (const [response, id] of [
      [one, 7],
      [other, '7'],
    ] as const) {
      const messages = await messagesOf(response as Response, 3);
      expect(messages).toMatchObject([{ params: { step: 1 } }, { params: { step: 2 } }, { id }]);
    }
  });

  test('what belongs to no request waits for the standing stream, and comes on one stream alone', async () => {
    react = () => {};
    const session = await begin();
    await clients[0]?.peer.send(notice('notifications/tools/list_changed', {}));
    const headers = { ...session, accept: 'text/event-stream' };
    const standing = await fetch(server.address, { headers });
    expect(await messagesOf(standing, 1)).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    const instead = await fetch(server.address, { headers });
    const waiting = post(ping, session);
    await until(() => clients[0]?.frames.length === 2);
    await clients[0]?.peer.send(notice('notifications/message', { data: 'x' }));
    expect(await messagesOf(instead, 1)).toMatchObject([{ params: { data: 'x' } }]);
    await clients[0]?.peer.send(answer(7, {}));
    expect(await messagesOf(await waiting, 1)).toMatchObject([{ id: 7 }]);
  });

  test('without a standing stream, the server asks on the stream of a request', async () => {
    react = () => {};
    const session = await begin();
    const waiting = post(ping, session);
    await until(() => clients[0]?.frames.length === 2);
    const message = { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage' };
    await clients[0]?.peer.send({ bytes: Buffer.from(JSON.stringify(message)), message });
    const messages = await messagesOf(await waiting, 1);
    expect(messages).toEqual([message]);
  });

  test('a client that goes away has cancelled nothing', async () => {
    react = () => {};
    const session = await begin();
    const stop = new AbortController();
    const body = JSON.stringify(ping);
    const call = fetch(server.address, { method: 'POST', headers: session, body, signal: stop.signal });
    await until(() => clients[0]?.frames.length === 2);
    stop.abort();
    await expect(call).rejects.toThrow();
    await clients[0]?.peer.send(answer(7, {}));
    expect(clients[0]?.frames).toHaveLength(2);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/x' }, session)).status).toBe(202);
  });

  test('a call that the client gives up ends, though the server answers no more', async () => {
    react = () => {};
    const session = await begin();
    const waiting = post(ping, session);
    await until(() => clients[0]?.frames.length === 2);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await post(cancel, session)).status).toBe(202);
    expect(await (await waiting).text()).toBe('');
    await clients[0]?.peer.send(answer(7, {}));
    expect((await post({ jsonrpc: '2.0', method: 'notifications/x' }, session)).status).toBe(202);
  });

  test('batches are answered as one', async () => {
    react = () => {};
    const session = await begin('2025-03-26');
    const response = post([ping, { ...ping, id: 8 }, { jsonrpc: '2.0', method: 'notifications/x' }], session);
    await until(() => clients[0]?.frames.length === 2);
    const message = [7, 8].map((id) => ({ jsonrpc: '2.0', id, result: {} }));
    await clients[0]?.peer.send({ bytes: Buffer.from(JSON.stringify(message)), message });
    expect(await messagesOf(await response, 1)).toEqual([message]);
  });

  test('an answer nobody waits for is dropped, and so is a second one', async () => {
    react = (peer, { id = '' }) => {
      void peer.send(answer(id, { n: 1 }));
      void peer.send(answer(id, { n: 2 }));
      void peer.send(answer('unknown', {}));
    };
    const session = await begin();
    expect(await messagesOf(await post(ping, session), 2)).toMatchObject([{ result: { n: 1 } }]);
    expect((await post(ping, session)).status).toBe(200);
  });

  test('a large answer comes as it is sent', async () => {
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"text":"');
      for (let count = 0; count < 100; count += 1) yield Buffer.alloc(65_536, 'x');
      yield Buffer.from('"}}');
    }
    react = (peer, { id = '', method }) =>
      void peer.send(method === 'ping' ? { bytes: pieces(), answers: id } : answer(id, {}));
    const session = await begin();
    const text = 'x'.repeat(6_553_600);
    expect(await messagesOf(await post(ping, session), 1)).toMatchObject([{ result: { text } }]);
    const json = await post(ping, { ...session, accept: 'application/json' });
    expect(await json.json()).toMatchObject({ result: { text } });
  });

  test('a client that takes nothing for too long is given up', async () => {
    await server.close();
    await start({ stall: 50 });
    const session = await begin();
    react = () => {};
    const call = postUnread(ping, session);
    await until(() => clients[0]?.frames.length === 2);
    const bytes = inPieces('{"jsonrpc":"2.0","id":7,"result":{"text":"', 64_000_000, '"}}');
    await clients[0]?.peer.send({ bytes, answers: 7 });
    await expect(eventsOf(await call)).rejects.toThrow();
  });

  test('when the server stops, who waits is told', async () => {
    react = () => {};
    const session = await begin();
    const waiting = post(ping, session);
    await until(() => clients[0]?.frames.length === 2);
    void clients[0]?.peer.close();
    expect(await messagesOf(await waiting, 1)).toMatchObject([{ id: 7, error: { code: -32000 } }]);
  });

  test('when we stop, who waits is told by whom', async () => {
    react = () => {};
    const session = await begin();
    const waiting = post(ping, session);
    await until(() => clients[0]?.frames.length === 2);
    await server.close();
    const message = 'The session was ended: Plimsoll was stopped';
    expect(await messagesOf(await waiting, 1)).toMatchObject([{ id: 7, error: { message } }]);
  });
});

describe('requests that stand alone', () => {
  const call = (id: unknown, name: string, meta: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { region: 'here' }, _meta: { ..._meta, ...meta } },
  });
  const headers = (name: string) => ({ ...MODERN, 'mcp-method': 'tools/call', 'mcp-name': name });

  test('their ids and tokens are our own behind, and the client’s own before', async () => {
    react = (peer, { id = '', params }) => {
      const token = fieldOf(params?._meta, 'progressToken');
      void peer.send(notice('notifications/progress', { progressToken: token, progress: 1 }));
      void peer.send(answer(id, {}));
    };
    const posts = ['"a"', '5', '5'].map((id, index) => {
      const body = JSON.stringify(call(null, 'x', { progressToken: `t${index}` }));
      return post(body.replace('"id":null', `"id":${id}`), headers('x'));
    });
    const answers = await Promise.all((await Promise.all(posts)).map((response) => messagesOf(response, 2)));
    expect(answers).toMatchObject(
      ['a', 5, 5].map((id, index) => [{ params: { progressToken: `t${index}` } }, { id, result: {} }]),
    );
    expect(clients).toHaveLength(1);
    expect(clients[0]?.stateless).toBe(true);
    expect(new Set(clients[0]?.frames.map(({ id }) => id)).size).toBe(3);
  });

  test('headers that contradict the message are refused, and messages that lack something', async () => {
    const message = call(3, 'x');
    const mismatch = { status: 400, code: -32020, id: 3 };
    const wrong = [
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'y' },
      { 'mcp-name': '=?base64?eA?=' },
      { 'mcp-protocol-version': '2026-07-29' },
    ];
    for (const header of wrong) {
      expect(await errorOf(await post(message, { ...headers('x'), ...header }))).toEqual(mismatch);
    }
    for (const name of ['mcp-method', 'mcp-name', 'mcp-protocol-version']) {
      const { [name]: _, ...others } = headers('x') as Record<string, string>;
      expect(await errorOf(await post(message, others)), name).toEqual(mismatch);
    }
    const invalid = { status: 400, code: -32602, id: 3 };
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = _meta;
    for (const params of [undefined, {}, { name: 'x' }, { name: 'x', _meta: incomplete }]) {
      expect(await errorOf(await post({ ...message, params }, headers('x')))).toEqual(invalid);
    }
    expect(await errorOf(await post({ jsonrpc: '2.0', id: 3, result: {} }, MODERN))).toMatchObject({
      code: -32600,
    });
    expect(
      (await fetch(server.address, { headers: { ...MODERN, accept: 'text/event-stream' } })).status,
    ).toBe(405);
    expect((await fetch(server.address, { method: 'DELETE', headers: MODERN })).status).toBe(405);
    expect(clients.flatMap(({ frames }) => frames)).toEqual([]);
  });

  test('arguments are checked against their headers once the tools are known', async () => {
    const inputSchema = { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    react = (peer, { id = '', method }) =>
      void peer.send(answer(id, method === 'tools/list' ? { tools: [{ name: 'x', inputSchema }] } : {}));
    expect((await post(call(1, 'x'), headers('x'))).status).toBe(200);
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } };
    await (await post(list, { ...MODERN, 'mcp-method': 'tools/list' })).text();
    expect((await post(call(3, 'x'), { ...headers('x'), 'mcp-param-region': 'here' })).status).toBe(200);
    expect(await errorOf(await post(call(4, 'x'), headers('x')))).toEqual({
      status: 400,
      code: -32020,
      id: 4,
    });
  });

  test('a version that is none is told apart by what the server said that it speaks', async () => {
    const supportedVersions = ['2026-07-28', '2027-01-01'];
    react = (peer, { id = '' }) => void peer.send(answer(id, { supportedVersions }));
    const ask = async (version: string) => {
      const params = { _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': version } };
      const headers = { ...MODERN, 'mcp-protocol-version': version, 'mcp-method': 'server/discover' };
      const response = await post({ jsonrpc: '2.0', id: 1, method: 'server/discover', params }, headers);
      return { status: response.status, ...((await response.json()) as object) };
    };
    const refused = (supported: string[]) => ({
      status: 400,
      id: 1,
      error: { code: -32022, data: { requested: 'v999', supported } },
    });
    expect(await ask('v999')).toMatchObject(refused(['2026-07-28']));
    expect(await ask('2027-01-01')).toMatchObject({ status: 200 });
    expect(await ask('v999')).toMatchObject(refused(supportedVersions));
  });

  test('errors have the statuses that they have to have', async () => {
    const statuses = {
      [-32601]: 404,
      [-32020]: 400,
      [-32021]: 400,
      [-32022]: 400,
      [-32602]: 200,
      [-32000]: 200,
    };
    react = (peer, { id = '', params }) => {
      const message = { jsonrpc: '2.0', id, error: { code: Number(params?.name), message: 'no' } };
      void peer.send({ bytes: Buffer.from(JSON.stringify(message)), answers: id });
    };
    for (const [code, status] of Object.entries(statuses)) {
      expect((await post(call(1, code), headers(code))).status, code).toBe(status);
    }
  });

  test('a client that goes away has cancelled its request', async () => {
    react = () => {};
    const stop = new AbortController();
    const init = {
      method: 'POST',
      headers: headers('x'),
      body: JSON.stringify(call(9, 'x')),
      signal: stop.signal,
    };
    const waiting = fetch(server.address, init);
    await until(() => clients[0]?.frames.length === 1);
    stop.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => clients[0]?.frames.length === 2);
    expect(clients[0]?.frames[1]?.message).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: clients[0]?.frames[0]?.id },
    });
    await clients[0]?.peer.send(answer(clients[0].frames[0]?.id ?? 0, {}));
  });

  test('a subscription hears what is its own, and its end', async () => {
    react = () => {};
    const listen = (id: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { _meta },
    });
    const waiting = [listen('s'), listen('t')].map((message) =>
      post(message, { ...MODERN, 'mcp-method': 'subscriptions/listen' }),
    );
    await until(() => clients[0]?.frames.length === 2);
    const key = 'io.modelcontextprotocol/subscriptionId';
    for (const { id } of clients[0]?.frames ?? []) {
      const about = { _meta: { [key]: id } };
      await clients[0]?.peer.send(notice('notifications/subscriptions/acknowledged', about));
      await clients[0]?.peer.send(notice('notifications/cancelled', { requestId: id }));
    }
    for (const [index, response] of (await Promise.all(waiting)).entries()) {
      const id = ['s', 't'][index];
      expect(await messagesOf(response, 3)).toMatchObject([
        { params: { _meta: { [key]: id } } },
        { method: 'notifications/cancelled', params: { requestId: id } },
      ]);
    }
  });

  test('log messages go to the one request that asked for them, and to nobody if it is not clear to whom', async () => {
    react = () => {};
    const logs = { 'io.modelcontextprotocol/logLevel': 'info' };
    const one = post(call(1, 'x', logs), headers('x'));
    const other = post(call(2, 'x'), headers('x'));
    await until(() => clients[0]?.frames.length === 2);
    await clients[0]?.peer.send(notice('notifications/message', { data: 'first' }));
    const third = post(call(3, 'x', logs), headers('x'));
    await until(() => clients[0]?.frames.length === 3);
    await clients[0]?.peer.send(notice('notifications/message', { data: 'second' }));
    for (const { id } of clients[0]?.frames ?? []) await clients[0]?.peer.send(answer(id ?? 0, {}));
    expect(await messagesOf(await one, 2)).toMatchObject([{ params: { data: 'first' } }, { result: {} }]);
    expect(await (await other).json()).toMatchObject({ id: 2 });
    expect(await (await third).json()).toMatchObject({ id: 3 });
  });

  test('a server that asks is told that nobody will answer', async () => {
    react = () => {};
    void post(call(1, 'x'), headers('x')).catch(() => {});
    await until(() => clients[0]?.frames.length === 1);
    const message = { jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage' };
    await clients[0]?.peer.send({ bytes: Buffer.from(JSON.stringify(message)), message });
    await until(() => clients[0]?.frames.length === 2);
    expect(clients[0]?.frames[1]?.message).toMatchObject({ id: 'q', error: { code: -32601 } });
  });

  test('when the server behind has gone, the next request has a new one', async () => {
    expect((await post(call(1, 'x'), headers('x'))).status).toBe(200);
    await clients[0]?.peer.close();
    expect((await post(call(2, 'x'), headers('x'))).status).toBe(200);
    expect(clients).toHaveLength(2);
  });

  test('an answer that a stream has begun before ends it', async () => {
    react = (peer, { id = '' }) => {
      void peer.send(notice('notifications/progress', { progressToken: id }));
      const message = { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
      void peer.send({ bytes: Buffer.from(JSON.stringify(message)), message, answers: id });
    };
    const response = await post(call(1, 'x'), headers('x'));
    expect(response.status).toBe(200);
    expect((await response.text()).split('\n\n')).toHaveLength(3);
  });

  test('a client that does not read its answer holds up nobody, and has all of it when it reads', async () => {
    react = () => {};
    const size = 16_000_000;
    const slow = postUnread(call('slow', 'x'), headers('x'));
    await until(() => clients[0]?.frames.length === 1);
    const id = clients[0]?.frames[0]?.id as number;
    let isLetGo = false;
    const start = `{"jsonrpc":"2.0","id":${id},"result":{"text":"`;
    const bytes = inPieces(start, size, '"}}', () => isLetGo);
    await clients[0]?.peer.send({ bytes, answers: id });
    isLetGo = true;
    const response = await slow;
    react = (peer, { id = '' }) => void peer.send(answer(id, {}));
    expect(await (await post(call('other', 'x'), headers('x'))).json()).toMatchObject({ id: 'other' });
    const { id: own, result } = JSON.parse((await wholeOf(response, 1e9))?.toString() ?? '');
    expect([own, result.text.length]).toEqual(['slow', size]);
  });

  test('a large notification is there until its client has taken it', async () => {
    react = () => {};
    const waiting = post(call('a', 'x'), headers('x'));
    await until(() => clients[0]?.frames.length === 1);
    const id = clients[0]?.frames[0]?.id as number;
    let isLetGo = false;
    const start = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"';
    await clients[0]?.peer.send({ bytes: inPieces(start, 3_000_000, '"}}', () => isLetGo), about: id });
    isLetGo = true;
    await clients[0]?.peer.send(answer(id, {}));
    const [first, second] = (await messagesOf(await waiting, 2)) as Message[];
    expect(first?.params?.data).toHaveLength(3_000_000);
    expect(second).toMatchObject({ id: 'a', result: {} });
  });

  test('a client that does not read what is said to it is told so, and its call is cancelled', async () => {
    react = () => {};
    const slow = postUnread(call('slow', 'x'), headers('x'));
    await until(() => clients[0]?.frames.length === 1);
    const [client] = clients;
    const id = client?.frames[0]?.id as number;
    const data = 'x'.repeat(65_536);
    for (let count = 0; client?.frames.length === 1 && count < 1000; count += 1) {
      await client.peer.send(notice('notifications/message', { data }, id));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(client?.frames[1]?.message).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
    await client?.peer.send(notice('notifications/message', { data }, id));
    const messages = await eventsOf(await slow);
    expect(JSON.parse(messages.at(-1) ?? '')).toMatchObject({
      id: 'slow',
      error: { code: -32000, message: expect.stringContaining('did not read') },
    });
    expect(messages.length).toBeLessThan(1000);
  });

  test('a large request is never held in memory, has its headers checked, and its id and token replaced', async () => {
    react = (peer, { id = '', method }) => {
      const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
      const tools = [{ name: 'x', inputSchema: { properties } }];
      if (method !== undefined) void peer.send(answer(id, { tools }));
    };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } };
    await (await post(list, { ...MODERN, 'mcp-method': 'tools/list' })).text();
    const text = 'x'.repeat(1_000_000);
    const params = {
      arguments: { text, region: 'here' },
      name: 'x',
      _meta: { ..._meta, progressToken: 't' },
    };
    const message = { jsonrpc: '2.0', method: 'tools/call', params, id: 'a' };
    const right = { ...headers('x'), 'mcp-param-region': 'here' };
    const mismatch = { status: 400, code: -32020 };
    expect(await errorOf(await post(message, headers('x')))).toMatchObject(mismatch);
    expect(await errorOf(await post(message, { ...right, 'mcp-name': 'y' }))).toMatchObject(mismatch);
    const { _meta: _, ...incomplete } = params;
    const refused = await post({ ...message, params: incomplete }, right);
    expect(await errorOf(refused)).toEqual({ status: 400, code: -32602, id: 'a' });
    expect(await errorOf(await post(JSON.stringify(text), right))).toMatchObject({ code: -32600 });
    const waiting = post(message, right);
    await until(() => clients[0]?.frames.length === 2);
    const frame = clients[0]?.frames[1];
    expect(frame?.message).toBeUndefined();
    const bytes = (await wholeOf(frame?.bytes() ?? Buffer.alloc(0), 1e9))?.toString() ?? '';
    expect(JSON.parse(bytes)).toEqual({
      ...message,
      id: 2,
      params: { ...params, _meta: { ...params._meta, progressToken: 2 } },
    });
    await clients[0]?.peer.send(answer(2, {}));
    expect(await (await waiting).json()).toMatchObject({ id: 'a' });
  });
});
