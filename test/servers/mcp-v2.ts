import { createServer, type IncomingHttpHeaders } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { listen, textOf } from './mcp-v1.ts';

/** What a server without sessions saw. */
export interface StatelessServer {
  readonly url: string;
  readonly seen: readonly {
    readonly method: string;
    readonly id: unknown;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** Requests whose streams were closed before they were answered. */
  readonly cancelled: readonly string[];
  close(): Promise<void>;
}

/** A server of the official SDK's second version: 2026-07-28, and nothing older. */
export async function startStatelessServer(): Promise<StatelessServer> {
  const seen: { method: string; id: unknown; headers: IncomingHttpHeaders }[] = [];
  const cancelled: string[] = [];
  const handler = createMcpHandler(() => makeServer(cancelled, () => handler.notify.toolsChanged()), {
    legacy: 'reject',
  });
  const serve = toNodeHandler(handler);
  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined;
    seen.push({ method: body?.method, id: body?.id, headers: request.headers });
    await serve(request as Parameters<typeof serve>[0], response, body);
  });
  return {
    url: await listen(http),
    seen,
    cancelled,
    async close() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function makeServer(cancelled: string[], changed: () => void): McpServer {
  const server = new McpServer(
    { name: 'stateless', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  const schema = (properties: Record<string, object>) =>
    fromJsonSchema<Record<string, unknown>>({ type: 'object', properties });
  const none = schema({});

  server.registerTool('echo', { inputSchema: schema({ text: { type: 'string' } }) }, (args) =>
    text(String(args.text)),
  );
  server.registerTool('big', { inputSchema: schema({ size: { type: 'integer' } }) }, (args) =>
    text('x'.repeat(Number(args.size))),
  );
  server.registerTool(
    'region',
    { inputSchema: schema({ name: { type: 'string', 'x-mcp-header': 'Region' } }) },
    (args, { http }) => text(`${args.name} ${http?.req?.headers.get('mcp-param-region')}`),
  );
  server.registerTool(
    'steps',
    { inputSchema: schema({ count: { type: 'integer' } }) },
    async (args, { mcpReq }) => {
      for (let progress = 1; progress <= Number(args.count); progress += 1) {
        const progressToken = mcpReq._meta?.progressToken;
        if (progressToken === undefined) break;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      }
      return text(`${args.count} steps`);
    },
  );
  server.registerTool('wait', { inputSchema: none }, async (_, { mcpReq }) => {
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
    cancelled.push('wait');
    return text('too late');
  });
  server.registerTool('change', { inputSchema: none }, () => {
    changed();
    return text('changed');
  });
  server.registerTool('log', { inputSchema: none }, async (_, { mcpReq }) => {
    await mcpReq.log('info', 'from the log');
    return text('logged');
  });
  return server;
}
