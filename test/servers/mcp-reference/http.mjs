import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { classifyInboundRequest, createMcpHandler, isInitializeRequest } from '@modelcontextprotocol/server';
import { createServer } from './server.mjs';

/**
 * Serves both eras at one address: requests of 2026-07-28 each by a server of their own, earlier revisions by
 * sessions. Returns the address.
 */
export async function serveHttp(bulk) {
  const modern = createMcpHandler(() =>
    createServer(bulk, (kind) =>
      kind === 'tools' ? modern.notify.toolsChanged() : modern.notify.promptsChanged(),
    ),
  );
  const serveModern = toNodeHandler(modern);
  const sessions = new Map();
  const guards = [localhostHostValidation(), localhostOriginValidation()];

  const http = createHttpServer(async (request, response) => {
    if (!guards.every((allows) => allows(request, response))) return;
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    if (request.method === 'POST' && isModern(request, body)) return serveModern(request, response, body);
    const transport =
      sessions.get(request.headers['mcp-session-id']) ??
      (isInitializeRequest(body) ? await openSession(sessions, bulk) : undefined);
    if (transport) return transport.handleRequest(request, response, body);
    const error = { code: -32001, message: 'Session not found' };
    response.writeHead(request.headers['mcp-session-id'] ? 404 : 400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return `http://127.0.0.1:${http.address().port}/mcp`;
}

const isModern = ({ headers, method }, body) =>
  classifyInboundRequest({
    httpMethod: method,
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    body,
  }).kind !== 'legacy';

async function openSession(sessions, bulk) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await createServer(bulk).connect(transport);
  return transport;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
