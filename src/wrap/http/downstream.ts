import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlimsollError } from '../../errors.ts';
import { paramsOf } from '../params.ts';
import type { Frame, Id, Peer } from '../types.ts';
import { frameFrom, type ReadFrame } from './frames.ts';
import { Guard } from './guard.ts';
import { standardMismatch } from './headers.ts';
import {
  CODES,
  errorAnswer,
  isStateless,
  type JsonObject,
  metaOf,
  objectOf,
  protocolVersionOf,
} from './messages.ts';
import { type Accepted, acceptedBy } from './reply.ts';
import { Session } from './session.ts';
import { Stateless } from './stateless.ts';

/** Where the MCP endpoint is. */
const PATHS = new Set(['/', '/mcp']);

/** The revisions that begin with `initialize` and whose messages name them in a header, or may. */
const SESSION_VERSIONS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

/** How often idle sessions are looked for at least, and how long one is kept if nothing else is said, in milliseconds. */
const SWEEP = 30_000;
const IDLE = 60 * 60 * 1000;

/** How long a client may take nothing of what waits for it, in milliseconds. */
const STALL = 5 * 60 * 1000;

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
  /** How long a client may take nothing of what waits for it before its connection is ended, in milliseconds. */
  readonly stall?: number | undefined;
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
  const { stall = STALL } = options;
  const server = createServer({ keepAlive: true }, (request, response) => {
    response.setTimeout(stall, () => {
      if ((response.socket?.writableLength ?? 0) > 0) response.destroy();
    });
    void endpoint.serve(request, response);
  });
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
      else if (error instanceof Refused) refuse(response, error);
      else refuse(response, new Refused(500, -32603, `Internal error: ${(error as Error).message}`));
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
    for (const session of this.#sessions.values()) session.end('Plimsoll was stopped');
    void this.#stateless?.close();
  }

  async #serve(call: Call): Promise<void> {
    const { request, response } = call;
    this.#allowOrigin(call);
    const refusal = this.#guard.check(request);
    if (refusal) {
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer realm="plimsoll"');
      throw new Refused(refusal.status, CODES.failed, refusal.message);
    }
    const path = request.url?.split('?')[0] ?? '';
    if (!PATHS.has(path)) throw new Refused(404, CODES.failed, 'Not Found: the MCP endpoint is /mcp');
    if (request.method === 'POST') return await this.#post(call);
    if (request.method === 'GET') return this.#get(call);
    if (request.method === 'DELETE') return this.#delete(call);
    if (request.method !== 'OPTIONS') throw notAllowed(response);
    response.writeHead(204, { allow: METHODS }).end();
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
    const { request, accepted, header } = call;
    if (!accepted.json && !accepted.events) {
      const message = 'Not Acceptable: accept application/json and text/event-stream';
      throw new Refused(406, CODES.failed, message);
    }
    if (!/^application\/json\s*(?:;|$)/i.test(header('content-type') ?? '')) {
      const message = 'Unsupported Media Type: the content type must be application/json';
      throw new Refused(415, CODES.failed, message);
    }
    const isLater = isStateless(header('mcp-protocol-version'));
    if (!isLater && header('mcp-session-id') !== undefined) this.#sessionOf(call);
    // What is refused later on has been read to its end: clients see an answer only when they have sent everything.
    const frame = await frameFrom(request, this.#options.read);
    try {
      if (!frame.isJson) throw new Refused(400, CODES.parse, 'Parse error: the body is no JSON');
      const isAlone = !Array.isArray(frame.message) && (isLater || claims(frame.message));
      await (isAlone ? this.#toStateless(call, frame) : this.#toSession(call, frame));
    } catch (error) {
      await frame.release();
      throw error;
    }
  }

  /** Serves a message that belongs to a session, or that begins one. */
  async #toSession(call: Call, frame: Frame): Promise<void> {
    const isFirst = frame.method === 'initialize' && call.header('mcp-session-id') === undefined;
    const session = isFirst ? this.#begin() : this.#sessionOf(call);
    await session.post(call.response, call.accepted, frame);
  }

  #begin(): Session {
    const id = randomUUID();
    const session = new Session(id, Date.now());
    this.#sessions.set(id, session);
    void session.gone.then(() => this.#sessions.delete(id));
    this.#options.onSession(session, { id, stateless: false });
    return session;
  }

  /** The session that a request names. Throws `Refused` if there is none. */
  #sessionOf({ header }: Call): Session {
    const version = header('mcp-protocol-version');
    if (version !== undefined && !SESSION_VERSIONS.has(version)) {
      throw new Refused(400, CODES.failed, `Bad Request: unsupported protocol version: ${version}`);
    }
    const id = header('mcp-session-id');
    if (id === undefined) {
      throw new Refused(400, CODES.failed, 'Bad Request: the header Mcp-Session-Id is missing');
    }
    const session = this.#sessions.get(id);
    if (!session || session.isOver) {
      throw new Refused(404, CODES.noSession, 'Session not found: begin a new one with initialize');
    }
    session.lastUsed = Date.now();
    return session;
  }

  #get(call: Call): void {
    const { response, accepted, header } = call;
    if (isStateless(header('mcp-protocol-version'))) throw notAllowed(response);
    if (!accepted.events) throw new Refused(406, CODES.failed, 'Not Acceptable: accept text/event-stream');
    this.#sessionOf(call).get(response);
  }

  #delete(call: Call): void {
    if (isStateless(call.header('mcp-protocol-version'))) throw notAllowed(call.response);
    this.#sessionOf(call).end('the client ended it');
    call.response.writeHead(200).end();
  }

  /** Serves a message that stands alone (2026-07-28 and later). */
  async #toStateless({ response, accepted, header }: Call, frame: Frame): Promise<void> {
    const id = frame.id ?? undefined;
    if (frame.method === undefined) {
      const message = 'Invalid Request: only requests and notifications are taken';
      throw new Refused(400, CODES.invalidRequest, message);
    }
    if (id === undefined) {
      if (frame.method !== 'notifications/cancelled') return await this.#peer().notify(response, frame);
      await frame.release();
      response.writeHead(202).end();
      return;
    }
    const message = objectOf(frame.message) ?? { id, method: frame.method, params: await paramsOf(frame) };
    const missing = missingIn(message);
    if (missing !== undefined) {
      throw new Refused(400, CODES.invalidParams, `Invalid params: ${missing}`, id);
    }
    const peer = this.#peer();
    const mismatch = standardMismatch(message, header) ?? peer.mismatch(message, header);
    if (mismatch !== undefined) {
      throw new Refused(400, CODES.headerMismatch, `Header mismatch: ${mismatch}`, id);
    }
    const requested = protocolVersionOf(message);
    if (!isStateless(requested)) {
      const data = { supported: peer.supported, requested };
      throw new Refused(400, CODES.unsupportedVersion, 'Unsupported protocol version', id, data);
    }
    await peer.request(response, accepted, frame, message);
  }

  /** The peer of all clients that share one; a new one if that is over. */
  #peer(): Stateless {
    if (this.#stateless && !this.#stateless.isOver) return this.#stateless;
    this.#stateless = new Stateless(this.#options.read);
    this.#options.onSession(this.#stateless, { id: randomUUID(), stateless: true });
    return this.#stateless;
  }
}

/** Whether a message says that it is of 2026-07-28 or later. */
function claims(message: unknown): boolean {
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

/** Why a request isn't served, as its answer says. */
class Refused extends Error {
  readonly status: number;
  readonly code: number;
  readonly id: Id | null;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, id: Id | null = null, data?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.id = id;
    this.data = data;
  }
}

function notAllowed(response: ServerResponse): Refused {
  response.setHeader('allow', METHODS);
  return new Refused(405, CODES.failed, 'Method Not Allowed');
}

function refuse(response: ServerResponse, { status, code, message, id, data }: Refused): void {
  const body = errorAnswer(id, code, message, data);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}
