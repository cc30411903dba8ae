import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** What a server with sessions saw, and ways to trouble it. */
export interface SessionServer {
  readonly url: string;
  /** What came over HTTP, in order: the method, and the message's. */
  readonly seen: readonly {
    readonly http: string;
    readonly method: string;
    readonly headers: IncomingMessage['headers'];
  }[];
  /** Requests that were cancelled. */
  readonly cancelled: readonly string[];
  readonly sessions: ReadonlyMap<string, StreamableHTTPServerTransport>;
  /** Ends all sessions without a word, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

/** A server of the official SDK's first version, over Streamable HTTP with sessions whose streams can be come back to. */
export async function startSessionServer(options: { readonly json?: boolean } = {}): Promise<SessionServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: { http: string; method: string; headers: IncomingMessage['headers'] }[] = [];
  const cancelled: string[] = [];
  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined;
    seen.push({ http: request.method ?? '', method: body?.method ?? '', headers: request.headers });
    const id = request.headers['mcp-session-id'] as string | undefined;
    const transport = sessions.get(id ?? '') ?? (id === undefined ? await open() : undefined);
    if (transport) return await transport.handleRequest(request, response, body);
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }),
    );
  });

  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      enableJsonResponse: options.json ?? false,
      eventStore: eventStore(),
      retryInterval: 20,
    });
    await makeServer(cancelled).connect(transport as never);
    return transport;
  }

  const url = await listen(http);
  return {
    url,
    seen,
    cancelled,
    sessions,
    forget: () => sessions.clear(),
    async close() {
      for (const transport of sessions.values()) await transport.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Listens at a free port. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

export async function textOf(request: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function makeServer(cancelled: string[]): McpServer {
  const server = new McpServer({ name: 'sessions', version: '1.0.0' }, { capabilities: { logging: {} } });
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text: words }) => text(words));
  server.registerTool('big', { inputSchema: { size: z.number() } }, ({ size }) => text('x'.repeat(size)));
  server.registerTool('session', {}, (extra) => text(extra.sessionId ?? ''));
  server.registerTool('steps', { inputSchema: { count: z.number() } }, async ({ count }, extra) => {
    for (let progress = 1; progress <= count; progress += 1) {
      const progressToken = extra._meta?.progressToken;
      if (progressToken === undefined) break;
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: count },
      });
      await pause(5);
    }
    return text(`${count} steps`);
  });
  server.registerTool('ask', {}, async () => {
    const { action, content } = await server.server.elicitInput({
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    return text(`${action} ${content?.name}`);
  });
  server.registerTool('sample', {}, async (extra) => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 9 };
    const schema = z.object({ content: z.object({ text: z.string() }) });
    const { content } = (await extra.sendRequest(
      { method: 'sampling/createMessage', params } as never,
      schema as never,
    )) as { content: { text: string } };
    return text(content.text);
  });
  server.registerTool('wait', {}, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    cancelled.push('wait');
    return text('too late');
  });
  server.registerTool('log', {}, async () => {
    await server.sendLoggingMessage({ level: 'info', data: 'from the log' });
    return text('logged');
  });
  server.registerTool('grow', {}, () => {
    server.registerTool('grown', {}, () => text('grown'));
    return text('grows');
  });
  server.registerTool('drop', {}, async (extra) => {
    await pause(20);
    extra.closeSSEStream?.();
    await pause(20);
    return text('after the drop');
  });
  return server;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function eventStore(): EventStore {
  const events: { id: string; stream: string; message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream, message) {
      events.push({ id: `${stream}_${events.length}`, stream, message });
      return events.at(-1)?.id ?? '';
    },
    async replayEventsAfter(lastId, { send }) {
      const last = events.findIndex(({ id }) => id === lastId);
      const stream = events[last]?.stream ?? '';
      for (const event of events.slice(last + 1)) {
        if (event.stream === stream && 'jsonrpc' in event.message) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
