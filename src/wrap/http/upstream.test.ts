import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listen, textOf } from '../../../test/servers/mcp-v1.ts';
import { readFrame as read } from '../frame.ts';
import { paramsOf } from '../params.ts';
import type { Frame, Peer } from '../types.ts';
import { connectServer } from './upstream.ts';

const EVENTS = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };
const INITIALIZE = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
}

type Handle = (request: IncomingMessage, response: ServerResponse, message: Message) => void;

let url: string;
let http: Server;
/** What the server does; by default it has no session, and takes everything. */
let handle: Handle;
let seen: { http: string; message: Message; headers: IncomingMessage['headers'] }[];
let peer: Peer;
let frames: Frame[];
let log: string[];

beforeEach(async () => {
  seen = [];
  handle = takeAll;
  http = createServer(async (request, response) => {
    const text = await textOf(request);
    const message = text === '' ? {} : (JSON.parse(text) as Message);
    seen.push({ http: request.method ?? '', message, headers: request.headers });
    handle(request, response, message);
  });
  url = await listen(http);
  connect();
});

afterEach(async () => {
  await peer.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

function connect(address = url, headers: Record<string, string> = {}): void {
  frames = [];
  log = [];
  peer = connectServer(address, { headers, read, log: (line) => log.push(line) });
  const heard = frames;
  void (async () => {
    for await (const frame of peer.frames) heard.push(frame);
  })();
}

function takeAll(request: IncomingMessage, response: ServerResponse, { id, method }: Message): void {
  if (request.method === 'GET') response.writeHead(405).end();
  else if (id === undefined || method === undefined) response.writeHead(202).end();
  else response.writeHead(200, JSON_TYPE).end(answer(id, { protocolVersion: '2025-11-25' }));
}

function answer(id: unknown, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

function send(message: object): Promise<void> {
  return peer.send({ bytes: Buffer.from(JSON.stringify(message)), message });
}

const until = (holds: () => boolean) => expect.poll(holds, { timeout: 5000, interval: 10 }).toBe(true);
const heard = (count: number) => until(() => frames.length >= count);
const messages = () => frames.map(({ message }) => message);

/** Sends a call, and gives the error that answers it. */
async function refusal(): Promise<{ code: number; message: string }> {
  await send(CALL);
  await heard(1);
  const { id, error } = messages()[0] as { id: number; error: { code: number; message: string } };
  expect(id).toBe(1);
  return error;
}

describe('messages', () => {
  test('a handshake comes first, and what it agreed on is said from then on', async () => {
    handle = (request, response, message) => {
      if (message.method === 'initialize') response.setHeader('mcp-session-id', 'abc');
      takeAll(request, response, message);
    };
    for (const message of [INITIALIZE, INITIALIZED, CALL]) void send(message);
    await heard(2);
    expect(seen.map(({ http: method, message }) => message.method ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'GET',
      'tools/call',
    ]);
    expect(seen[0]?.headers).not.toHaveProperty('mcp-session-id');
    expect(seen[0]?.headers.accept).toBe('application/json, text/event-stream');
    expect(seen.slice(1).every(({ headers }) => headers['mcp-session-id'] === 'abc')).toBe(true);
    expect(seen.at(-1)?.headers['mcp-protocol-version']).toBe('2025-11-25');
    await peer.close();
    expect(seen.at(-1)).toMatchObject({ http: 'DELETE', headers: { 'mcp-session-id': 'abc' } });
    expect(await peer.gone).toBe('closed');
  });

  test('answers of several lines are one line, and all that a stream brings comes in order', async () => {
    handle = (_, response, { id }) => {
      response.writeHead(200, EVENTS);
      response.write(
        ': hello\n\nevent: message\ndata: {"jsonrpc":"2.0",\ndata: "method":"notifications/x"}\n\n',
      );
      response.write('event: other\ndata: {}\n\n');
      response.end(`data: ${answer(id, {})}\r\n\r\n`);
    };
    await send(CALL);
    await heard(2);
    expect(messages()).toMatchObject([{ method: 'notifications/x' }, { id: 1, result: {} }]);
    expect(frames[0]?.about).toBe(1);
    expect(frames[0]?.bytes().toString()).not.toMatch(/[\r\n]/);
  });

  test('what comes after an answer of a client, or a notification, is nothing to hand on', async () => {
    handle = (_, response) => response.writeHead(200, JSON_TYPE).end('{"ok":true}');
    await send({ jsonrpc: '2.0', id: 5, result: {} });
    await send({ jsonrpc: '2.0', method: 'notifications/x' });
    await until(() => seen.length === 2);
    handle = takeAll;
    await send(CALL);
    await heard(1);
    expect(messages()).toMatchObject([{ id: 1 }]);
  });

  test('a large request is sent as it comes, and its failure is its answer', async () => {
    await send(INITIALIZE);
    await heard(1);
    handle = (_, response) => response.writeHead(500).end();
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"jsonrpc":"2.0","method":"tools/call","params":{"id":9,"text":"');
      for (let count = 0; count < 20; count += 1) yield Buffer.alloc(65_536, 'x');
      yield Buffer.from('"},"id":"large"}');
    }
    await peer.send({ bytes: pieces(), message: { id: 'large', method: 'tools/call' } });
    await heard(2);
    expect(seen.at(-1)?.headers['transfer-encoding']).toBe('chunked');
    expect(messages().at(-1)).toMatchObject({ id: 'large', error: { code: -32000 } });
  });

  test('a large request that stands alone is sent as it comes, with the headers that its tool wants', async () => {
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const rate = { type: 'number', 'x-mcp-header': 'Rate' };
    const tools = [{ name: 'x', inputSchema: { properties: { region, rate } } }];
    handle = (_, response, { id }) => response.writeHead(200, JSON_TYPE).end(answer(id, { tools }));
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const text = 'x'.repeat(1_000_000);
    const params = { name: 'x', arguments: { text, region: 'here', rate: 1 }, _meta };
    const json = JSON.stringify({ ...CALL, params }).replace('"rate":1', '"rate":1.0');
    async function* source(): AsyncGenerator<Buffer> {
      for (let at = 0; at < json.length; at += 65_536) yield Buffer.from(json.slice(at, at + 65_536));
    }
    const frame = await read(source());
    const message = { id: frame.id, method: frame.method, params: await paramsOf(frame) };
    await peer.send({ bytes: frame.bytes(), message });
    await frame.release();
    await heard(1);
    expect(messages()).toMatchObject([{ id: 1 }]);
    expect(seen.map(({ message: { method } }) => method)).toEqual(['tools/list', 'tools/call']);
    expect(seen[1]?.headers).toMatchObject({
      'transfer-encoding': 'chunked',
      'mcp-name': 'x',
      'mcp-param-region': 'here',
      'mcp-param-rate': '1',
    });
  });

  test('batches wait for all their answers', async () => {
    handle = (_, response) => {
      response.writeHead(200, EVENTS);
      response.end(`data: ${answer(1, {})}\n\n`);
    };
    const bytes = Buffer.from(JSON.stringify([CALL, { ...CALL, id: 2 }]));
    await peer.send({ bytes });
    await heard(2);
    expect(messages()).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: {} },
    ]);
  });

  test('the user’s own headers are sent, and a login in the address', async () => {
    connect(url.replace('//', '//ann:p%40ss@'), { 'X-Key': 'secret' });
    await send(CALL);
    await heard(1);
    expect(seen[0]?.headers).toMatchObject({
      'x-key': 'secret',
      authorization: `Basic ${Buffer.from('ann:p@ss').toString('base64')}`,
    });
    expect(() => connectServer('example.com', { headers: {}, read, log() {} })).toThrow(
      '--url takes the address',
    );
    const bad = { 'X-Key': 'a\nsecret' };
    expect(() => connectServer(url, { headers: bad, read, log() {} })).toThrow(/^The header "X-Key" is none/);
  });
});

describe('what goes wrong', () => {
  test('an error that the server says itself is the answer, with the id of the request', async () => {
    const error = { code: -32001, message: 'no', data: { n: 1 } };
    handle = (_, response) =>
      response.writeHead(400, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', error, id: null }, null, 2));
    expect(await refusal()).toEqual(error);
  });

  test.each([
    [401, 'asks for a login (HTTP 401): give a token with --header-env Authorization=VARIABLE, '],
    [404, 'is no MCP endpoint (HTTP 404): correct --url'],
    [429, 'refused (HTTP 429)'],
    [502, 'failed (HTTP 502)'],
  ])('HTTP %i is said, and what to do', async (status, words) => {
    handle = (_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<p>no</p>');
    const { code, message } = await refusal();
    expect(code).toBe(-32000);
    expect(message).toContain(`${new URL(url).host}/mcp ${words}`);
  });

  test('a token that is refused stands in no message, nor does what else is secret', async () => {
    handle = (_, response) => response.writeHead(401).end();
    connect(`${url.replace('//', '//ann:hidden@')}?key=hidden`, { Authorization: 'Bearer hidden' });
    const { message } = await refusal();
    expect(message).toContain('refuses the login that it got (HTTP 401)');
    expect(message).not.toContain('hidden');
  });

  test('nobody who listens, no such host', async () => {
    connect('http://127.0.0.1:1/mcp');
    expect((await refusal()).message).toContain('nothing listens at 127.0.0.1:1 (ECONNREFUSED)');
    await peer.close();
    connect('http://no-such-host.invalid/mcp');
    expect((await refusal()).message).toContain('no host is known as no-such-host.invalid');
    await peer.close();
    connect(url.replace('http:', 'https:'));
    expect((await refusal()).message).toMatch(/doesn't speak TLS as asked/);
  });

  test('an answer that breaks off, and one that is none', async () => {
    handle = (_, response) => {
      response.writeHead(200, JSON_TYPE).write('{"jsonrpc":');
      setImmediate(() => response.destroy());
    };
    expect((await refusal()).message).toMatch(/connection/);
    frames.length = 0;
    handle = (_, response) => response.writeHead(200, EVENTS).end();
    expect((await refusal()).message).toContain('not known');
    frames.length = 0;
    handle = (_, response) => response.writeHead(202).end();
    expect((await refusal()).message).toContain('neither JSON nor events (HTTP 202)');
  });

  test('redirects within the origin are followed, with the message, and no others', async () => {
    handle = (request, response, message) => {
      if (request.url === '/mcp') response.writeHead(307, { location: '/mcp/' }).end();
      else takeAll(request, response, message);
    };
    await send(CALL);
    await heard(1);
    expect(messages()).toMatchObject([{ id: 1, result: {} }]);
    frames.length = 0;
    handle = (_, response) => response.writeHead(308, { location: 'http://127.0.0.1:1/mcp' }).end();
    expect((await refusal()).message).toContain('sends on to http://127.0.0.1:1: give an address there');
    frames.length = 0;
    handle = (_, response) => response.writeHead(307, { location: '/mcp' }).end();
    expect((await refusal()).message).toContain('sends on and on');
  });

  test('a notification that is refused is said to people', async () => {
    handle = (_, response) => response.writeHead(500).end();
    await send({ jsonrpc: '2.0', method: 'notifications/x' });
    await until(() => log.length === 1);
    expect(log[0]).toContain('failed (HTTP 500)');
    expect(frames).toEqual([]);
  });
});

describe('streams that break off', () => {
  test('a request’s stream with ids is come back to, as soon as the server says, until the answer is there', async () => {
    let tries = 0;
    handle = ({ method, headers }, response) => {
      if (method === 'POST') {
        response.writeHead(200, EVENTS).end('id: 1\nretry: 5\ndata: \n\n');
        return;
      }
      tries += 1;
      if (tries === 1)
        response.writeHead(200, EVENTS).end('id: 2\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
      else if (tries === 2) response.destroy();
      else response.writeHead(200, EVENTS).end(`id: 3\ndata: ${answer(1, headers['last-event-id'])}\n\n`);
    };
    await send(CALL);
    await heard(2);
    expect(messages()).toMatchObject([{ method: 'notifications/x' }, { id: 1, result: '2' }]);
  });

  test('a server that takes nobody back has lost the answer', async () => {
    handle = ({ method }, response) => {
      if (method === 'POST') response.writeHead(200, EVENTS).end('id: 1\nretry: 5\ndata: \n\n');
      else response.writeHead(400).end();
    };
    expect((await refusal()).message).toContain('whether the call took effect is not known');
  });

  test('the standing stream is come back to', async () => {
    let gets = 0;
    handle = (request, response, message) => {
      if (request.method !== 'GET') return takeAll(request, response, message);
      gets += 1;
      response.writeHead(200, EVENTS);
      const event = `id: ${gets}\nretry: 5\ndata: {"jsonrpc":"2.0","method":"notifications/n${gets}"}\n\n`;
      if (gets === 1) response.end(event);
      else response.write(event);
    };
    await send(INITIALIZE);
    await send(INITIALIZED);
    await heard(3);
    expect(messages().slice(1)).toMatchObject([
      { method: 'notifications/n1' },
      { method: 'notifications/n2' },
    ]);
    expect(
      seen.filter(({ http: method }) => method === 'GET').map(({ headers }) => headers['last-event-id']),
    ).toEqual([undefined, '1']);
  });
});

describe('sessions that end', () => {
  /** Sessions `s1`, `s2`, …; the one that counts is the last that was begun. */
  function sessions(version: (begun: number) => string): { begun: number; current: string } {
    const state = { begun: 0, current: '' };
    handle = (request, response, message) => {
      if (message.method === 'initialize') {
        state.begun += 1;
        state.current = `s${state.begun}`;
        response.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': state.current });
        response.end(answer(message.id, { protocolVersion: version(state.begun) }));
      } else if (request.headers['mcp-session-id'] === state.current) {
        takeAll(request, response, message);
      } else {
        response.writeHead(404).end();
      }
    };
    return state;
  }

  test('a new one is begun with the client’s own words, and what was refused is sent again', async () => {
    const state = sessions(() => '2025-11-25');
    await send(INITIALIZE);
    await send(INITIALIZED);
    state.current = 'gone';
    await Promise.all([send(CALL), send({ ...CALL, id: 2 })]);
    await heard(3);
    expect(
      messages()
        .slice(1)
        .map((message) => (message as Message).id)
        .sort(),
    ).toEqual([1, 2]);
    expect(state.begun).toBe(2);
    expect(
      seen.filter(({ message }) => message.method === 'initialize').map(({ message }) => message),
    ).toEqual([INITIALIZE, INITIALIZE]);
    expect(log).toEqual([expect.stringContaining('a new one was begun')]);
  });

  test('no other is begun if the server has become another', async () => {
    const state = sessions((begun) => (begun === 1 ? '2025-11-25' : '2025-03-26'));
    await send(INITIALIZE);
    await heard(1);
    state.current = 'gone';
    await send(CALL);
    await heard(2);
    expect(messages()[1]).toMatchObject({ error: { message: expect.stringContaining('begins no other') } });
  });
});

describe('2026-07-28', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const modern = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', _meta } });

  test('a message says in headers what it says itself', async () => {
    await send(modern(1));
    await heard(1);
    expect(seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
    });
  });

  test('a cancelled request is cancelled by closing its stream, and nothing is said of it', async () => {
    let closed = 0;
    handle = (_, response) => {
      response.writeHead(200, EVENTS).flushHeaders();
      response.on('close', () => {
        closed += 1;
      });
    };
    await send(modern(1));
    await until(() => seen.length === 1);
    await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await until(() => closed === 1);
    handle = takeAll;
    await send(modern(2));
    await heard(1);
    expect(messages()).toMatchObject([{ id: 2 }]);
    expect(seen).toHaveLength(2);
  });

  test('headers that a tool wants are asked for once, if the server misses them', async () => {
    const inputSchema = { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const tools = [{ name: 'x', inputSchema }];
    handle = ({ headers }, response, { id, method }) => {
      if (method === 'tools/list') {
        response.writeHead(200, EVENTS).end(`data: ${answer(id, { tools })}\n\n`);
      } else if (headers['mcp-param-region'] === undefined) {
        const error = { code: -32020, message: 'Header mismatch' };
        response.writeHead(400, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      } else {
        response.writeHead(200, JSON_TYPE).end(answer(id, headers['mcp-param-region']));
      }
    };
    const call = { ...modern(1), params: { name: 'x', arguments: { region: 'here' }, _meta } };
    await send(call);
    await send({ ...call, id: 2 });
    await heard(2);
    await send({ ...call, id: 3, params: { name: 'other', _meta } });
    await heard(3);
    expect(messages()).toMatchObject([
      { result: 'here' },
      { result: 'here' },
      { id: 3, error: { code: -32020 } },
    ]);
    expect(frames).toHaveLength(3);
  });
});

describe('2024-11-05', () => {
  let stream: ServerResponse;

  beforeEach(() => {
    handle = (request, response, { id }) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, EVENTS);
        stream.write('event: endpoint\ndata: /messages?session=1\n\n');
      } else if (request.url === '/messages?session=1') {
        response.writeHead(202).end('Accepted');
        if (id !== undefined) stream.write(`event: message\ndata: ${answer(id, {})}\n\n`);
      } else {
        response.writeHead(405).end();
      }
    };
  });

  test('a server that says all on one stream is one, too', async () => {
    await send(INITIALIZE);
    await send(INITIALIZED);
    await send(CALL);
    await heard(2);
    expect(messages()).toMatchObject([
      { id: 0, result: {} },
      { id: 1, result: {} },
    ]);
  });

  test('when its stream ends, it is gone, and who waits is told', async () => {
    await send(INITIALIZE);
    await heard(1);
    handle = (_, response) => response.writeHead(202).end();
    await send(CALL);
    await until(() => seen.at(-1)?.message.method === 'tools/call');
    stream.end();
    await heard(2);
    expect(messages()[1]).toMatchObject({ id: 1, error: { code: -32000 } });
    expect(await peer.gone).toBe('ended the connection');
  });

  test('it may not send us elsewhere', async () => {
    handle = ({ method }, response) => {
      if (method === 'GET')
        response.writeHead(200, EVENTS).write('event: endpoint\ndata: http://evil.example/\n\n');
      else response.writeHead(405).end();
    };
    await send(INITIALIZE);
    await heard(1);
    expect(messages()).toMatchObject([{ id: 0, error: { code: -32000 } }]);
  });
});
