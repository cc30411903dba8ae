import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFrame as read } from '../src/wrap/frame.ts';
import { type SessionServer, startSessionServer } from './servers/mcp-v1.ts';
import { type StatelessServer, startStatelessServer } from './servers/mcp-v2.ts';
import { type ProxyServer, startProxy } from './servers/pass-on.ts';
import { environment, run, temporaryFolder, wrapCommand } from './wrapped.ts';

const until = (holds: () => boolean) => expect.poll(holds, { timeout: 5000, interval: 10 }).toBe(true);
const words = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

async function connectOld(proxy: ProxyServer): Promise<{ client: OldClient; transport: OldTransport }> {
  const capabilities = { elicitation: {}, sampling: {} };
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { name: 'Ann' },
  }));
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Hi' },
  }));
  const transport = new OldTransport(new URL(proxy.address));
  await client.connect(transport as never);
  return { client, transport };
}

describe.each([{ json: false }, { json: true }])(
  'sessions, the server answering with JSON: $json',
  ({ json }) => {
    let server: SessionServer;
    let proxy: ProxyServer;

    beforeEach(async () => {
      server = await startSessionServer({ json });
      proxy = await startProxy(server.url, { read });
    });

    afterEach(async () => {
      await proxy.close();
      await server.close();
    });

    const connect = () => connectOld(proxy);

    test('a client lists and calls tools, and its session is one of the server', async () => {
      const { client, transport } = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('echo');
      expect(words(await client.callTool({ name: 'echo', arguments: { text: 'Grüße\n' } }))).toBe('Grüße\n');
      const session = words(await client.callTool({ name: 'session' }));
      expect([...server.sessions.keys()]).toEqual([session]);
      expect(transport.sessionId).toMatch(/^[\x21-\x7e]{20,}$/);
      expect(transport.sessionId).not.toBe(session);
      expect(
        server.seen.slice(1).every(({ headers }) => headers['mcp-protocol-version'] === '2025-11-25'),
      ).toBe(true);
    });

    test('when a client ends its session, that of the server is ended', async () => {
      const { client, transport } = await connect();
      await transport.terminateSession();
      await until(() => server.sessions.size === 0);
      await expect(client.listTools()).rejects.toThrow();
    });

    test('two clients with the same ids and tokens do not mix', async () => {
      const clients = await Promise.all([connect(), connect(), connect()]);
      const answers = await Promise.all(
        clients.map(async ({ client }, index) => {
          const steps: number[] = [];
          const count = index + 2;
          const onprogress = ({ progress }: { progress: number }) => steps.push(progress);
          const result = await client.callTool({ name: 'steps', arguments: { count } }, undefined, {
            onprogress,
          });
          return { text: words(result), steps };
        }),
      );
      const all = json ? () => [] : (count: number) => Array.from({ length: count }, (_, index) => index + 1);
      expect(answers).toEqual([2, 3, 4].map((count) => ({ text: `${count} steps`, steps: all(count) })));
      expect(new Set(proxy.sessions.map(({ id }) => id)).size).toBe(3);
      expect(server.sessions.size).toBe(3);
    });

    test('what is said on the standing stream arrives', async () => {
      const { client } = await connect();
      const heard: unknown[] = [];
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('changed'));
      client.setNotificationHandler(
        LoggingMessageNotificationSchema,
        ({ params }) => void heard.push(params.data),
      );
      await until(() => server.seen.some(({ http }) => http === 'GET'));
      await client.callTool({ name: 'grow' });
      await client.callTool({ name: 'log' });
      await until(() => heard.length === 2);
      expect(heard.sort()).toEqual(['changed', 'from the log']);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('grown');
    });

    test('a session that the server has forgotten is begun anew, once for all who notice', async () => {
      const { client } = await connect();
      await client.listTools();
      server.forget();
      const results = await Promise.all(
        [1, 2, 3].map((n) => client.callTool({ name: 'echo', arguments: { text: `${n}` } })),
      );
      expect(results.map(words)).toEqual(['1', '2', '3']);
      expect(server.sessions.size).toBe(1);
      expect(proxy.log).toEqual([expect.stringContaining('a new one was begun')]);
    });

    test('12 MB of an argument and of a result pass', async () => {
      const { client } = await connect();
      const text = 'ä'.repeat(6_000_000);
      expect(words(await client.callTool({ name: 'echo', arguments: { text } }))).toBe(text);
    });

    test('a cancelled call is cancelled at the server, and later calls pass', async () => {
      const { client } = await connect();
      const stop = new AbortController();
      const call = client.callTool({ name: 'wait' }, undefined, { signal: stop.signal });
      await until(() => server.seen.some(({ method }) => method === 'tools/call'));
      stop.abort('enough');
      await expect(call).rejects.toThrow('enough');
      await until(() => server.cancelled.length === 1);
      expect(words(await client.callTool({ name: 'echo', arguments: { text: 'on' } }))).toBe('on');
    });
  },
);

describe('a server at work', () => {
  let server: SessionServer;
  let proxy: ProxyServer;

  beforeEach(async () => {
    server = await startSessionServer();
    proxy = await startProxy(server.url, { read });
  });

  afterEach(async () => {
    await proxy.close();
    await server.close();
  });

  test('the server asks the client while it is at work', async () => {
    const { client } = await connectOld(proxy);
    expect(words(await client.callTool({ name: 'ask' }))).toBe('accept Ann');
    expect(words(await client.callTool({ name: 'sample' }))).toBe('Hi');
  });

  test('a stream that the server drops is come back to', async () => {
    const { client } = await connectOld(proxy);
    expect(words(await client.callTool({ name: 'drop' }))).toBe('after the drop');
    expect(server.seen.some(({ headers }) => headers['last-event-id'] !== undefined)).toBe(true);
  });
});

describe('requests that stand alone', () => {
  let server: StatelessServer;
  let proxy: ProxyServer;

  beforeEach(async () => {
    server = await startStatelessServer();
    proxy = await startProxy(server.url, { read });
  });

  afterEach(async () => {
    await proxy.close();
    await server.close();
  });

  async function connect(mode: 'auto' | { pin: string } = { pin: '2026-07-28' }): Promise<Client> {
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.address)));
    return client;
  }

  test('a client lists and calls tools, and the headers are right', async () => {
    const client = await connect('auto');
    expect(client.getProtocolEra()).toBe('modern');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('region');
    const result = await client.callTool({ name: 'region', arguments: { name: 'Zürich' } });
    expect(words(result)).toBe('Zürich =?base64?WsO8cmljaA==?=');
    expect(server.seen.at(-1)?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'region' });
  });

  test('clients share a server, and their ids and tokens do not mix', async () => {
    const clients = await Promise.all([connect(), connect(), connect()]);
    const answers = await Promise.all(
      clients.map(async (client, index) => {
        const steps: number[] = [];
        const onprogress = ({ progress }: { progress: number }) => steps.push(progress);
        const call = { name: 'steps', arguments: { count: index + 2 } };
        return { text: words(await client.callTool(call, { onprogress })), steps };
      }),
    );
    expect(answers).toEqual([
      { text: '2 steps', steps: [1, 2] },
      { text: '3 steps', steps: [1, 2, 3] },
      { text: '4 steps', steps: [1, 2, 3, 4] },
    ]);
    expect(proxy.sessions).toHaveLength(1);
    const ids = server.seen.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a call whose client goes away is cancelled at the server', async () => {
    const client = await connect();
    const stop = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal });
    await until(() => server.seen.some(({ headers }) => headers['mcp-name'] === 'wait'));
    stop.abort('enough');
    await expect(call).rejects.toThrow();
    await until(() => server.cancelled.length === 1);
    expect(words(await client.callTool({ name: 'echo', arguments: { text: 'on' } }))).toBe('on');
  });

  test('subscriptions hear of changes until they are closed', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const heard: string[] = [];
    one?.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('one'));
    other?.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('other'));
    const subscriptions = await Promise.all(
      [one, other].map((client) => client?.listen({ toolsListChanged: true })),
    );
    await one?.callTool({ name: 'change', arguments: {} });
    await until(() => heard.length === 2);
    expect(heard.sort()).toEqual(['one', 'other']);
    await subscriptions[0]?.close();
    await other?.callTool({ name: 'change', arguments: {} });
    await until(() => heard.length === 3);
    expect(heard.at(-1)).toBe('other');
  });

  test('12 MB of an argument and of a result pass', async () => {
    const client = await connect();
    const text = 'ä'.repeat(6_000_000);
    expect(words(await client.callTool({ name: 'echo', arguments: { text } }))).toBe(text);
  });

  test('a tool whose headers are not known yet is called with them all the same', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const direct = await startProxy(server.url, { read });
    const elsewhere = new Client(
      { name: 'new', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await elsewhere.connect(new StreamableHTTPClientTransport(new URL(direct.address)));
    const toolDefinition = tools.find(({ name }) => name === 'region');
    const call = { name: 'region', arguments: { name: 'here' } };
    const result = await elsewhere.callTool(call, toolDefinition && { toolDefinition });
    expect(words(result)).toBe('here here');
    await direct.close();
  });
});

describe('eras', () => {
  test('a client of both eras finds out that the server behind has sessions', async () => {
    const server = await startSessionServer();
    const proxy = await startProxy(server.url, { read });
    const client = new Client({ name: 'both', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.address)));
    expect(client.getProtocolEra()).toBe('legacy');
    expect(words(await client.callTool({ name: 'echo', arguments: { text: 'x' } }))).toBe('x');
    expect(words(await client.callTool({ name: 'drop' }))).toBe('after the drop');
    await client.close();
    await proxy.close();
    await server.close();
  });

  test('a client of the older era is told that the server behind is of the newer one', async () => {
    const server = await startStatelessServer();
    const proxy = await startProxy(server.url, { read });
    const client = new OldClient({ name: 'old', version: '1' });
    const connected = client.connect(new OldTransport(new URL(proxy.address)) as never);
    await expect(connected).rejects.toThrow(/[Uu]nsupported protocol version/);
    await proxy.close();
    await server.close();
  });
});

describe('what is kept', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let address: string;
  let count = 0;

  const callOf = (params: object) => {
    count += 1;
    return { jsonrpc: '2.0', id: count, method: 'tools/call', params };
  };

  /** Starts the proxy before a server on stdio. */
  async function start(): Promise<void> {
    const server = [process.execPath, 'test/servers/mcp-plain.mjs'];
    const command = wrapCommand(['--http', '0', '--limit', '5000'], server);
    const { child, stderr } = run(command, { env: environment(temporaryFolder()) });
    for await (const line of createInterface(child.stderr as Readable)) {
      address = /http:\/\/\S+/.exec(line)?.[0] ?? '';
      if (address !== '') return;
    }
    throw new Error(`The proxy has ended: ${stderr()}`);
  }

  async function post(message: object, headers: Record<string, string>): Promise<Response> {
    const common = { 'content-type': 'application/json', accept: 'application/json' };
    return await fetch(address, {
      method: 'POST',
      headers: { ...common, ...headers },
      body: JSON.stringify(message),
    });
  }

  /** Calls as a client with a session of its own. */
  async function session(): Promise<Call> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const begun = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, {});
    const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    await begun.text();
    return async (name, args) => (await post(callOf({ name, arguments: args }), headers)).text();
  }

  /** Calls as a client that has no session. */
  const alone: Call = async (name, args) => {
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    };
    return (await post(callOf({ name, arguments: args, _meta }), headers)).text();
  };

  test('can be read by those alone whose it is', async () => {
    await start();
    const clients = [await session(), await session(), alone];
    const handles: string[] = [];
    for (const call of clients) {
      const bounded = await call('big', { chars: 20_000 });
      handles.push(/plimsoll:\/\/spool\/([a-z2-7]{16})/.exec(bounded)?.[1] ?? 'none');
    }
    const reads = await Promise.all(
      clients.map((call) =>
        Promise.all(handles.map((handle) => call('plimsoll_read', { handle, from: 9000, count: 10 }))),
      ),
    );
    const isRead = reads.map((answers) => answers.map((answer) => answer.includes('xxxxxxxxxx')));
    expect(isRead).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });
});

type Call = (name: string, args: object) => Promise<string>;
