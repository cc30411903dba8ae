import { describe, expect, test } from 'vitest';
import { LEAST_LIMIT } from '../src/measure/limit.ts';
import { type Json, type Line, type Received, type Wrapped, wrapped } from './wrapped.ts';

const LIMIT = String(LEAST_LIMIT);
const BIG = 'word '.repeat(2_000);
/** Results in a message that is parsed at once, and in one that is read as a stream. */
const SIZES = [
  ['small', BIG],
  ['large', BIG.repeat(100)],
] as const;
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'someone', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
};

/** A line goes from one side to the other as it is, and comes there next. */
async function passes(from: Line, to: Line, message: object | string): Promise<Received> {
  const line = from.send(message);
  const received = await to.next();
  expect(received.raw).toBe(line);
  return received;
}

/** A request and its answer, both as they are. */
async function exchanges(from: Line, to: Line, request: Json, answer: Json): Promise<void> {
  await passes(from, to, { jsonrpc: '2.0', ...request });
  await passes(to, from, { jsonrpc: '2.0', id: request.id, ...answer });
}

async function opened(options: readonly string[] = ['--limit', LIMIT], handshake = {}): Promise<Wrapped> {
  const proxy = await wrapped({ options });
  await proxy.open(handshake);
  return proxy;
}

const factsOf = (result: Json) => result._meta['dev.plimsoll/bound'];
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

describe('passes as it is', () => {
  test('methods that nobody knows, both ways', async () => {
    const { client, server } = await opened();
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      await exchanges(
        from,
        to,
        { id: 'x', method: 'vendor/custom', params: { a: [1] } },
        { result: { b: null } },
      );
      await passes(from, to, { jsonrpc: '2.0', method: 'notifications/vendor/custom', params: { c: true } });
    }
  });

  test('a large answer to a method whose results are not bounded', async () => {
    const { client, server } = await opened();
    await exchanges(client, server, { id: 1, method: 'vendor/custom' }, { result: text(BIG) });
  });

  test.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])(
    '%s while a call runs',
    async (method) => {
      const { client, server } = await opened();
      await passes(client, server, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'asks', arguments: {} },
      });
      // The server's own id is that of the call: the two directions count apart.
      await exchanges(server, client, { id: 1, method, params: { said: BIG } }, { result: { answer: BIG } });
      await passes(server, client, { jsonrpc: '2.0', id: 1, result: text('done') });
    },
  );

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'the handshake of %s, with who the client is and what it can',
    async (protocolVersion) => {
      const { client, server } = await wrapped();
      const clientInfo = { name: 'vendor/client', title: 'Client', version: '0.0.1', extra: 1 };
      const capabilities = {
        sampling: { tools: {} },
        roots: { listChanged: true },
        elicitation: {},
        experimental: { x: {} },
      };
      await exchanges(
        client,
        server,
        { id: 0, method: 'initialize', params: { protocolVersion, capabilities, clientInfo } },
        {
          result: {
            protocolVersion,
            capabilities: { tools: { listChanged: true }, experimental: { y: { z: 1 } } },
            serverInfo: { name: 's', version: '2', icons: [] },
            instructions: 'Be kind.',
            _meta: { 'vendor/key': 1 },
          },
        },
      );
      await passes(client, server, { jsonrpc: '2.0', method: 'notifications/initialized' });
    },
  );

  test('a result that does not fit its output schema', async () => {
    // IBM/mcp-context-forge 4042
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const { client, server } = await opened([], {
      tools: [{ name: 'tool', inputSchema: { type: 'object' }, outputSchema }],
    });
    await exchanges(
      client,
      server,
      { id: 1, method: 'tools/call', params: { name: 'tool' } },
      { result: { content: [], structuredContent: { n: 'not a number' } } },
    );
  });

  test('pages and their cursors', async () => {
    const { client, server } = await opened();
    const tool = { name: 'a', inputSchema: { type: 'object' }, icons: [], 'x-key': 1.5 };
    const cursor = 'é+/=="opaque"';
    await exchanges(
      client,
      server,
      { id: 1, method: 'tools/list' },
      { result: { tools: [tool], nextCursor: cursor, _meta: { k: 1 } } },
    );
    await passes(client, server, { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor } });
    server.send({ jsonrpc: '2.0', id: 2, result: { tools: [{ ...tool, name: 'b' }], ttlMs: 5 } });
    const { result } = (await client.answer(2)).message;
    expect(result.tools[0]).toEqual({ ...tool, name: 'b' });
    expect(result.tools.slice(1).every(({ name }: Json) => name.startsWith('plimsoll_'))).toBe(true);
    expect(result.tools).toHaveLength(5);
    expect(result.ttlMs).toBe(5);
    expect(result).not.toHaveProperty('nextCursor');
    for (const [method, key] of [
      ['resources/list', 'resources'],
      ['prompts/list', 'prompts'],
    ] as const) {
      await exchanges(
        client,
        server,
        { id: method, method },
        { result: { [key]: [{ name: BIG }], nextCursor: '1' } },
      );
    }
  });

  test('errors, with their data, and long ones too of what is not bounded', async () => {
    const { client, server } = await opened();
    const data = { elicitations: [{ url: 'https://example.com' }], n: 1.5 };
    const error = { code: -32042, message: 'MCP error: visit it', data, x: 1 };
    await exchanges(client, server, { id: 1, method: 'tools/call', params: { name: 'tool' } }, { error });
    const long = { ...error, message: BIG, data: { elicitations: [{ url: BIG }] } };
    await exchanges(client, server, { id: 2, method: 'vendor/x' }, { error: long });
    await passes(server, client, { jsonrpc: '2.0', id: null, error: long });
  });

  test.each(SIZES)('%s logs, and requests of the server with their answers', async (_, words) => {
    const { client, server } = await opened();
    await passes(client, server, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } });
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: words },
    });
    const params = { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 5 };
    await exchanges(
      server,
      client,
      { id: 1, method: 'sampling/createMessage', params },
      { result: { role: 'assistant', content: { type: 'text', text: words }, model: 'm' } },
    );
    await passes(server, client, { jsonrpc: '2.0', id: 1, result: text('done') });
  });

  test('progress under the token of the caller, before the answer', async () => {
    const { client, server } = await opened();
    await passes(client, server, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'tool', _meta: { progressToken: 'my "token"' } },
    });
    const progress = (step: number) =>
      server.send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'my "token"', progress: step, total: 100, message: 'é' },
      });
    const lines = Array.from({ length: 100 }, (_, i) => progress(i));
    server.send({ jsonrpc: '2.0', id: 1, result: text(BIG) });
    for (const line of lines) expect((await client.next()).raw).toBe(line);
    expect((await client.next()).message.id).toBe(1);
  });

  test('a cancellation, and the answer that comes all the same', async () => {
    const { client, server } = await opened();
    await passes(client, server, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool' } });
    await passes(client, server, {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    });
    await passes(server, client, { jsonrpc: '2.0', id: 1, result: text('late') });
  });

  test('notifications of the server', async () => {
    // PrefectHQ/fastmcp 4161, reloaderoo PR 13
    const { client, server } = await opened();
    for (const method of [
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
    ]) {
      await passes(server, client, { jsonrpc: '2.0', method });
    }
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'a:b' },
    });
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e' },
    });
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: { taskId: 't', status: 'working' },
    });
    await passes(client, server, { jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  });

  test('subscriptions, levels, logs and pings', async () => {
    const { client, server } = await opened();
    await exchanges(
      client,
      server,
      { id: 1, method: 'resources/subscribe', params: { uri: 'a:b' } },
      { result: {} },
    );
    await exchanges(
      client,
      server,
      { id: 2, method: 'logging/setLevel', params: { level: 'debug' } },
      { result: {} },
    );
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: BIG },
    });
    await exchanges(client, server, { id: 3, method: 'ping' }, { result: {} });
    await exchanges(server, client, { id: 3, method: 'ping' }, { result: {} });
  });

  test('identifiers, numbers and strings, each as it was written', async () => {
    const { client, server } = await opened();
    for (const id of ['1', '"1"', '0', '-7', '""', '"é\\u0000"', '1.0', '9007199254740993']) {
      await passes(
        client,
        server,
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t"}}`,
      );
      await passes(server, client, `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`);
    }
  });

  test('numbers, spaces, escapes and unknown fields of what is small', async () => {
    const { client, server } = await opened();
    await passes(
      client,
      server,
      `{ "params": {"name":"t","arguments":{"n":1.0,"big":12345678901234567890,"u":"\\u00e9\\/"} }, "x":1e400, "method":"tools/call", "id":5, "jsonrpc":"2.0"}`,
    );
    await passes(
      server,
      client,
      `{ "result" : {"content":[{"type":"hologram","n":-0.0,"text":"\\u2028"}],"_meta":{"traceparent":"00-1"},"new":1E2}, "id":5,"jsonrpc":"2.0", "signature":"x" }`,
    );
  });

  test('a second answer, and an answer that nobody asked for', async () => {
    const { client, server } = await opened();
    await exchanges(
      client,
      server,
      { id: 1, method: 'tools/call', params: { name: 't' } },
      { result: text('1') },
    );
    await passes(server, client, { jsonrpc: '2.0', id: 1, result: text('2') });
    await passes(server, client, { jsonrpc: '2.0', id: 'nobody', result: text('3') });
  });

  test('batches of 2025-03-26', async () => {
    const { client, server } = await opened(['--limit', LIMIT], { protocolVersion: '2025-03-26' });
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't' } });
    await passes(client, server, JSON.stringify([call(1), { jsonrpc: '2.0', method: 'notifications/x' }]));
    await passes(server, client, JSON.stringify([{ jsonrpc: '2.0', id: 1, result: text('small') }]));
    await passes(client, server, JSON.stringify([call(2), call(3)]));
    server.send(
      JSON.stringify([
        { jsonrpc: '2.0', id: 2, result: text(BIG) },
        { jsonrpc: '2.0', id: 3, result: text('small') },
      ]),
    );
    const { message } = await client.next();
    expect(message[1]).toEqual({ jsonrpc: '2.0', id: 3, result: text('small') });
    expect(JSON.stringify(message[0].result).length).toBeLessThanOrEqual(LEAST_LIMIT);
    expect(factsOf(message[0].result).left.chars).toBeGreaterThan(0);
  });
});

describe('passes as it is in the era of 2026-07-28', () => {
  test('what a server is asked first', async () => {
    const { client, server } = await wrapped({ options: ['--limit', LIMIT] });
    await exchanges(
      client,
      server,
      { id: 1, method: 'server/discover', params: { _meta: MODERN } },
      {
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 1,
          cacheScope: 'public',
        },
      },
    );
  });

  test.each(
    SIZES.flatMap(([size, words]) => ['input_required', 'vendor/partial'].map((type) => [size, type, words])),
  )('a %s result of type %s', async (_, resultType, words) => {
    const { client, server } = await wrapped({ options: ['--limit', LIMIT] });
    const params = { name: 'tool', arguments: {}, _meta: MODERN };
    const inputRequests = { q: { method: 'elicitation/create', params: { message: words } } };
    await exchanges(
      client,
      server,
      { id: 1, method: 'tools/call', params },
      { result: { resultType, inputRequests, requestState: BIG, content: text(BIG).content } },
    );
    await passes(client, server, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: {
        ...params,
        inputResponses: { q: { action: 'accept', content: { a: BIG } } },
        requestState: BIG,
      },
    });
    server.send({ jsonrpc: '2.0', id: 2, result: { resultType: 'complete', ...text(BIG) } });
    const { result } = (await client.answer(2)).message;
    expect(result.resultType).toBe('complete');
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(LEAST_LIMIT);
  });

  test('subscriptions', async () => {
    const { client, server } = await wrapped();
    await passes(client, server, {
      jsonrpc: '2.0',
      id: 's',
      method: 'subscriptions/listen',
      params: { _meta: MODERN, notifications: { toolsListChanged: true } },
    });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 's' };
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: { toolsListChanged: true } },
    });
    await passes(server, client, {
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta },
    });
  });
});

describe('survives in what is bounded', () => {
  test.each(SIZES)(
    'the message around the result, and what a %s result has besides its content',
    async (_, words) => {
      const { client, server } = await opened(['--limit', '3000']);
      client.send({ jsonrpc: '2.0', id: 'é', method: 'tools/call', params: { name: 't' } });
      await server.next();
      const _meta = { traceparent: '00-1', 'vendor/x': { y: [1] } };
      server.send({
        jsonrpc: '2.0',
        id: 'é',
        signature: 'x',
        result: { ...text(words), _meta, vendor: { kept: true }, isError: true },
      });
      const { message } = await client.next();
      expect(message).toMatchObject({
        jsonrpc: '2.0',
        id: 'é',
        signature: 'x',
        result: { _meta, vendor: { kept: true }, isError: true },
      });
      expect(factsOf(message.result).handle).toBeTruthy();
    },
  );

  test('blocks of every kind, in their order, with their own fields', async () => {
    const { call } = await opened(['--limit', '6000']);
    const annotations = { audience: ['user'], priority: 0.5 };
    const content = [
      { type: 'hologram', waves: [1, 2], _meta: { k: 1 } },
      { type: 'text', text: BIG, annotations, _meta: { k: 2 }, x: 1 },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', annotations },
      { type: 'resource_link', uri: 'a:b', name: 'b', _meta: { k: 3 } },
      { type: 'resource', resource: { uri: 'a:c', mimeType: 'text/plain', text: BIG, _meta: { k: 4 } } },
      { type: 'resource', resource: { uri: 'a:d', blob: 'AAAA' }, annotations },
    ];
    const { result } = (await call({ content })).message;
    const shown = result.content.filter(({ uri }: Json) => !uri?.startsWith('plimsoll:'));
    expect(shown.map(({ type }: Json) => type)).toEqual(content.map(({ type }) => type));
    for (const i of [0, 2, 3, 5]) expect(shown[i]).toEqual(content[i]);
    expect({ ...shown[1], text: BIG }).toEqual(content[1]);
    expect({ ...shown[4], resource: { ...shown[4].resource, text: BIG } }).toEqual(content[4]);
    expect(shown[1].text.length + shown[4].resource.text.length).toBeLessThan(6000);
  });

  test.each(SIZES)('numbers of a %s result that JavaScript would write otherwise', async (_, words) => {
    const { client, server } = await opened(['--limit', '3000']);
    client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } });
    await server.next();
    const content = JSON.stringify(text(words).content);
    server.send(
      `{"jsonrpc":"2.0","id":1,"result":{"content":${content},"structuredContent":{"one":1.0,"huge":12345678901234567890}}}`,
    );
    const { raw, message } = await client.next();
    expect(raw).toContain('"one":1.0,"huge":12345678901234567890');
    expect(factsOf(message.result).left.chars).toBeGreaterThan(0);
  });

  test('the results of tasks are bounded; what makes a task passes', async () => {
    const { client, server } = await opened();
    const params = { name: 't', arguments: {}, task: { ttl: 60_000 } };
    const task = { taskId: 'a', status: 'working', statusMessage: 'It runs.', ttl: 60_000 };
    await exchanges(client, server, { id: 1, method: 'tools/call', params }, { result: { task } });
    await passes(client, server, { jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 'a' } });
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 'a' } };
    server.send({ jsonrpc: '2.0', id: 2, result: { ...text(BIG), _meta } });
    const { result } = (await client.answer(2)).message;
    expect(result._meta).toMatchObject(_meta);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(LEAST_LIMIT);
  });

  test.each(SIZES)('a %s result that comes within the answer about a task', async (_, words) => {
    const { client, server } = await wrapped({ options: ['--limit', '3000'] });
    const task = { taskId: 'a', status: 'working', resultType: 'task' };
    await exchanges(
      client,
      server,
      { id: 1, method: 'tools/call', params: { name: 't', _meta: MODERN } },
      { result: task },
    );
    await passes(client, server, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tasks/get',
      params: { taskId: 'a', _meta: MODERN },
    });
    const done = { resultType: 'complete', taskId: 'a', status: 'completed' };
    server.send({ jsonrpc: '2.0', id: 2, result: { ...done, result: text(words) } });
    const { result } = (await client.answer(2)).message;
    expect(result).toMatchObject(done);
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(3000);
    expect(result.result.content[0].text).toContain('word word');
  });

  test.each(SIZES)('%s errors of tools, and what is told of tasks', async (_, words) => {
    const { client, server, call } = await opened(['--limit', '3000']);
    const task = { taskId: 'a', status: 'working', statusMessage: words };
    const made = (await call({ task }, { name: 't', task: {} })).message.result;
    expect(made.task).toMatchObject({ taskId: 'a', status: 'working' });
    client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } });
    await server.next();
    server.send({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: words, data: { words } } });
    const { error } = (await client.answer(1)).message;
    expect(error).toMatchObject({ code: -32603, data: expect.any(Object) });
    server.send({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: task });
    const { params } = (await client.next()).message;
    for (const [told, words] of [
      [made, made.task.statusMessage],
      [error, error.message],
      [params, params.statusMessage],
    ]) {
      expect(words).toMatch(/^\[Plimsoll: .*plimsoll_read[\s\S]*word word/);
      expect(JSON.stringify(told).length).toBeLessThanOrEqual(3000);
    }
  });

  test('two answers at once, each under its own id', async () => {
    const { client, server } = await opened(['--limit', '3000']);
    for (const id of [1, '1']) {
      client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't' } });
      await server.next();
    }
    server.send({ jsonrpc: '2.0', id: '1', result: text(`string ${BIG}`) });
    server.send({ jsonrpc: '2.0', id: 1, result: text(`number ${BIG}`) });
    for (const [id, word] of [
      [1, 'number'],
      ['1', 'string'],
    ] as const) {
      const { result } = (await client.answer(id)).message;
      expect(result.content[0].text).toContain(word);
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(3000);
    }
  });
});

test('each answer of a batch of more than 512 KB is bounded', async () => {
  const { client, server } = await opened(['--limit', '5000']);
  const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'tool' } }));
  await passes(client, server, calls as unknown as Json);
  const content = [{ type: 'text', text: 'word '.repeat(80_000) }];
  server.send(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: { content } })) as unknown as Json);
  const { message } = await client.next();
  expect(message.map(({ id }: Json) => id)).toEqual([1, 2]);
  for (const { result } of message) expect(JSON.stringify(result).length).toBeLessThanOrEqual(5000);
});
