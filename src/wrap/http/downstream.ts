import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlimsollError } from '../../errors.ts';
import type { Frame, Id, Peer } from '../types.ts';
import { bodyOf, wholeOf } from './body.ts';
import { frameFrom, type ReadFrame } from './frames.ts';
import { Guard } from './guard.ts';
import { standardMismatch } from './headers.ts';
import {
  CODES,
  errorAnswer,
  fieldOf,
  idOf,
  isStateless,
  type JsonObject,
  metaOf,
  objectOf,
  parsed,
  protocolVersionOf,
} from './messages.ts';
import { type Accepted, acceptedBy } from './reply.ts';
import { Session } from './session.ts';
import { Stateless } from './stateless.ts';

/** Where the MCP endpoint is. */
const PATHS = new Set(['/', '/mcp']);

/** The revisions that begin with `initialize` and whose messages name them in a header, or may. */
const SESSION_VERSIONS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

/** A message of a later revision has to be read before it can be checked against its headers; the largest, in bytes. */
const LARGEST_STATELESS = 64 * 1024 * 1024;

/** How often idle sessions are looked for at least, and how long one is kept if nothing else is said, in milliseconds. */
const SWEEP = 30_000;
const IDLE = 60 * 60 * 1000;

/** How long a connection is kept for the next request, in milliseconds. */
const KEEP_ALIVE = 65_000;

const METHODS = 'GET, POST, DELETE, OPTIONS';

export interface ServeOptions {
  /** 0 takes one that is free. */
  readonly port: number;
  /** 127.0.0.1 if nothing is said; any that other machines can reach needs a token. */
  readonly host?: string | undefined;
  readonly token?: string | undefined;
  /** Origins of web pages that may use the server, besides those of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** How long a session is kept of which nothing is heard, in milliseconds. */
  readonly idle?: number | undefined;
  readonly read: ReadFrame;
  /** A client is there; `stateless` ones (2026-07-28 and later) come all as one. */
  readonly onSession: (client: Peer, session: { readonly id: string; readonly stateless: boolean }) => void;
}

export interface HttpServer {
  /** Where it is reached. */
  readonly address: string;
  /** Ends all sessions, and all connections. */
  close(): Promise<void>;
}

/**
 * Offers MCP over Streamable HTTP: sessions for clients that begin with `initialize` (2025-03-26 to 2025-11-25), and
 * requests that stand alone (2026-07-28 and later), at one address. Which of both the server behind it speaks isn't
 * known here: what it doesn't, it answers with an error itself.
 *
 * Throws a `PlimsollError` if the port can't be had, or if the host needs a token and there is none.
 */
export async function serveHttp(options: ServeOptions): Promise<HttpServer> {
  const host = options.host ?? '127.0.0.1';
  const { token, allowedOrigins = [] } = options;
  const endpoint = new Endpoint(new Guard({ host, token, allowedOrigins }), options);
  const server = createServer((request, response) => void endpoint.serve(request, response));
  server.keepAliveTimeout = KEEP_ALIVE;
  server.requestTimeout = 0;
  await listen(server, options.port, host);
  const { idle = IDLE } = options;
  const sweep = setInterval(() => endpoint.sweep(Date.now(), idle), Math.min(SWEEP, idle)).unref();
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/mcp`,
    async close() {
      clearInterval(sweep);
      endpoint.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 100).unref();
      await closed;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason =
        code === 'EADDRINUSE' ? 'the port is in use: choose another, or 0 for a free one' : message;
      reject(new PlimsollError('BAD_USAGE', `Can't listen at ${host}:${port}: ${reason}.`));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** A request as far as it has been looked at. */
interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly accepted: Accepted;
  readonly header: (name: string) => string | undefined;
}

class Endpoint {
  readonly #guard: Guard;
  readonly #options: ServeOptions;
  readonly #sessions = new Map<string, Session>();
  #stateless: Stateless | undefined;

  constructor(guard: Guard, options: ServeOptions) {
    this.#guard = guard;
    this.#options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#serve({
        request,
        response,
        accepted: acceptedBy(request.headers.accept),
        header: (name) => headerOf(request, name),
      });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, -32603, `Internal error: ${(error as Error).message}`);
    }
  }

  /** Ends sessions of which nothing was heard for so long, in milliseconds. */
  sweep(now: number, idle: number): void {
    for (const session of this.#sessions.values()) {
      if (session.isBusy) session.lastUsed = now;
      else if (now - session.lastUsed > idle) session.end('it was idle for too long');
    }
  }

  close(): void {
    for (const session of this.#sessions.values()) session.end('the proxy was stopped');
    void this.#stateless?.close();
  }

  async #serve(call: Call): Promise<void> {
    const { request, response } = call;
    this.#allowOrigin(call);
    const refusal = this.#guard.check(request);
    if (refusal) {
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer realm="plimsoll"');
      return refuse(response, refusal.status, CODES.failed, refusal.message);
    }
    const path = request.url?.split('?')[0] ?? '';
    if (!PATHS.has(path)) return refuse(response, 404, CODES.failed, 'Not Found: the MCP endpoint is /mcp');
    if (request.method === 'POST') return await this.#post(call);
    if (request.method === 'GET') return this.#get(call);
    if (request.method === 'DELETE') return this.#delete(call);
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { allow: METHODS }).end();
      return;
    }
    notAllowed(response);
  }

  /** Tells a browser what a page of an origin that is allowed may do. */
  #allowOrigin({ header, response }: Call): void {
    const origin = header('origin');
    response.setHeader('vary', 'origin');
    if (origin === undefined || !this.#guard.allows(origin)) return;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
    response.setHeader('access-control-allow-methods', METHODS);
    const asked = header('access-control-request-headers');
    if (asked !== undefined) response.setHeader('access-control-allow-headers', asked);
  }

  async #post(call: Call): Promise<void> {
    const { request, response, accepted, header } = call;
    if (!accepted.json && !accepted.events) {
      const message = 'Not Acceptable: accept application/json and text/event-stream';
      return refuse(response, 406, CODES.failed, message);
    }
    if (!/^application\/json\s*(?:;|$)/i.test(header('content-type') ?? '')) {
      const message = 'Unsupported Media Type: the content type must be application/json';
      return refuse(response, 415, CODES.failed, message);
    }
    const body = await bodyOf(request);
    const isLater = isStateless(header('mcp-protocol-version'));
    if (!isLater && !Buffer.isBuffer(body)) return await this.#toSession(call, body, undefined);
    const json = await wholeOf(body, LARGEST_STATELESS);
    if (!json) return refuse(response, 413, CODES.failed, 'Content Too Large');
    const message = parsed(json);
    if (message === undefined) return refuse(response, 400, CODES.parse, 'Parse error: the body is no JSON');
    const single = objectOf(message);
    if (single && (isLater || claims(single))) return await this.#toStateless(call, json, single);
    await this.#toSession(call, json, message);
  }

  /** Serves a message that belongs to a session, or that begins one. */
  async #toSession(call: Call, body: Buffer | AsyncIterable<Buffer>, message: unknown): Promise<void> {
    const { response, accepted, header } = call;
    const isFirst = fieldOf(message, 'method') === 'initialize' && header('mcp-session-id') === undefined;
    const session = isFirst ? undefined : this.#sessionOf(call);
    if (!isFirst && !session) return;
    const frame = await this.#read(body);
    if (!frame) return refuse(response, 400, CODES.parse, 'Parse error: the body is no JSON');
    await (session ?? this.#begin()).post(response, accepted, frame);
  }

  async #read(body: Buffer | AsyncIterable<Buffer>): Promise<Frame | undefined> {
    const frame = await frameFrom(body, this.#options.read);
    if (frame.isJson) return frame;
    await frame.release();
    return undefined;
  }

  #begin(): Session {
    const id = randomUUID();
    const session = new Session(id, Date.now());
    this.#sessions.set(id, session);
    void session.gone.then(() => this.#sessions.delete(id));
    this.#options.onSession(session, { id, stateless: false });
    return session;
  }

  /** The session that a request names. Answers the request if it can't be served. */
  #sessionOf({ response, header }: Call): Session | undefined {
    const version = header('mcp-protocol-version');
    const id = header('mcp-session-id');
    const session = this.#sessions.get(id ?? '');
    if (version !== undefined && !SESSION_VERSIONS.has(version)) {
      refuse(response, 400, CODES.failed, `Bad Request: unsupported protocol version: ${version}`);
    } else if (id === undefined) {
      refuse(response, 400, CODES.failed, 'Bad Request: the header Mcp-Session-Id is missing');
    } else if (!session) {
      refuse(response, 404, CODES.noSession, 'Session not found: begin a new one with initialize');
    } else {
      session.lastUsed = Date.now();
      return session;
    }
    return undefined;
  }

  #get(call: Call): void {
    const { response, accepted, header } = call;
    if (isStateless(header('mcp-protocol-version'))) {
      notAllowed(response);
    } else if (!accepted.events) {
      refuse(response, 406, CODES.failed, 'Not Acceptable: accept text/event-stream');
    } else {
      this.#sessionOf(call)?.get(response);
    }
  }

  #delete(call: Call): void {
    if (isStateless(call.header('mcp-protocol-version'))) {
      notAllowed(call.response);
      return;
    }
    const session = this.#sessionOf(call);
    session?.end('the client ended it');
    if (session) call.response.writeHead(200).end();
  }

  /** Serves a message that stands alone (2026-07-28 and later). */
  async #toStateless(call: Call, json: Buffer, message: JsonObject): Promise<void> {
    const { response, accepted, header } = call;
    const id = idOf(message.id);
    if (typeof message.method !== 'string') {
      return refuse(
        response,
        400,
        CODES.invalidRequest,
        'Invalid Request: only requests and notifications are taken',
      );
    }
    if (id === undefined) {
      if (message.method !== 'notifications/cancelled') return await this.#peer().notify(response, json);
      response.writeHead(202).end();
      return;
    }
    const missing = missingIn(message);
    if (missing !== undefined) {
      return refuse(response, 400, CODES.invalidParams, `Invalid params: ${missing}`, id);
    }
    const peer = this.#peer();
    const mismatch = standardMismatch(message, header) ?? peer.mismatch(message, header);
    if (mismatch !== undefined) {
      return refuse(response, 400, CODES.headerMismatch, `Header mismatch: ${mismatch}`, id);
    }
    const requested = protocolVersionOf(message);
    if (!isStateless(requested)) {
      const data = { supported: peer.supported, requested };
      return refuse(response, 400, CODES.unsupportedVersion, 'Unsupported protocol version', id, data);
    }
    await peer.request(response, accepted, json, message);
  }

  /** The peer of all clients that share one; a new one if that is over. */
  #peer(): Stateless {
    if (this.#stateless && !this.#stateless.isOver) return this.#stateless;
    this.#stateless = new Stateless();
    this.#options.onSession(this.#stateless, { id: randomUUID(), stateless: true });
    return this.#stateless;
  }
}

/** Whether a message says that it is of 2026-07-28 or later. */
function claims(message: JsonObject): boolean {
  return metaOf(message, 'protocolVersion') !== undefined;
}

/** What a request lacks that each has to have (2026-07-28, "_meta"). */
function missingIn(message: JsonObject): string | undefined {
  const name = (key: string) => `_meta["io.modelcontextprotocol/${key}"]`;
  if (protocolVersionOf(message) === undefined) return `${name('protocolVersion')} is missing`;
  if (!objectOf(metaOf(message, 'clientCapabilities'))) return `${name('clientCapabilities')} is missing`;
  return undefined;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

function notAllowed(response: ServerResponse): void {
  response.setHeader('allow', METHODS);
  refuse(response, 405, CODES.failed, 'Method Not Allowed');
}

function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: Id | null = null,
  data?: unknown,
): void {
  const body = errorAnswer(id, code, message, data);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}
