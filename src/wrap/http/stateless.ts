import type { ServerResponse } from 'node:http';
import { frameOf } from '../frame.ts';
import type { Frame, Id, Outgoing, Peer } from '../types.ts';
import { Ending } from './ending.ts';
import type { Payload } from './events.ts';
import { frameFrom, type ReadFrame } from './frames.ts';
import { type Header, ToolHeaders } from './headers.ts';
import type { JsonObject } from './messages.ts';
import { CODES, errorAnswer, fieldOf, idOf, messageOf, metaOf } from './messages.ts';
import { Queue } from './queue.ts';
import { type Accepted, Reply } from './reply.ts';
import { rewrite } from './rewrite.ts';

/**
 * How long an answer is waited for before a stream is opened, in milliseconds: an answer that is an error may have a
 * status of its own, which a stream can't have, and clients give up on a connection on which nothing happens.
 */
const PATIENCE = 10_000;

/** How far a client may be behind with what its request's stream brings, in bytes, before that request is given up. */
const MOST_WAITING = 4 * 1024 * 1024;

/** Errors whose answers have a status of their own (2026-07-28, Streamable HTTP). */
const STATUSES = new Map<unknown, number>([
  [CODES.methodNotFound, 404],
  [CODES.headerMismatch, 400],
  [CODES.missingCapability, 400],
  [CODES.unsupportedVersion, 400],
]);

/** Answers larger than this are no errors with a status of their own, in bytes. */
const LARGEST_ERROR = 65_536;

const CLOSED = 'The connection to the MCP server was closed';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

interface Exchange {
  readonly reply: Reply;
  readonly response: ServerResponse;
  readonly method: string;
  /** The request's id and its progress token, as they were written. */
  readonly id: string;
  readonly token: string | undefined;
  /** Whether the request asked for log messages. */
  readonly logs: boolean;
  /** How many bytes the client has not taken yet. */
  waiting: number;
}

/**
 * All clients of 2026-07-28 and later, as one: each of their requests stands alone, so that they can share a server.
 * Their ids and progress tokens are replaced by some that no other has, and put back in what is sent to them.
 *
 * A client that doesn't read holds up no other: what is sent to it waits, what is large in a file. If that is more
 * than 4 MiB before the answer, the request is cancelled, and its stream ends with an error.
 */
export class Stateless implements Peer {
  readonly #read: ReadFrame;
  readonly frames = new Queue<Frame>();
  readonly #ending = new Ending();
  readonly #exchanges = new Map<Id, Exchange>();
  readonly #tools = new ToolHeaders();
  /** The versions that the server speaks, as far as it has said. */
  supported: readonly unknown[] = ['2026-07-28'];
  #count = 0;

  constructor(read: ReadFrame) {
    this.#read = read;
  }

  get gone(): Promise<string> {
    return this.#ending.reason;
  }

  get isOver(): boolean {
    return this.#ending.isOver;
  }

  /** How a request's headers contradict its arguments, as far as the tools are known. */
  mismatch(message: JsonObject, header: Header): string | undefined {
    return this.#tools.mismatch(message, header);
  }

  /** Takes a request, and answers it. `message` is the request; of a large one what is short in it. */
  async request(
    response: ServerResponse,
    accepted: Accepted,
    frame: Frame,
    message: JsonObject,
  ): Promise<void> {
    this.#count += 1;
    const id = this.#count;
    let written = String(id);
    let token: string | undefined;
    const bytes = rewrite(frame.bytes(), {
      id: (raw) => {
        written = raw;
        return String(id);
      },
      'params _meta progressToken': (raw) => {
        token = raw;
        return String(id);
      },
    });
    const own = await frameFrom(bytes, this.#read);
    await frame.release();
    const reply = new Reply(response, {
      ids: [id],
      accepted,
      headers: {},
      patience: PATIENCE,
      prefersEvents: false,
    });
    const logs = metaOf(message, 'logLevel') !== undefined;
    const method = String(message.method);
    const exchange = { reply, response, method, id: written, token, logs, waiting: 0 };
    if (this.isOver) this.#fail(id, exchange, CLOSED);
    if (this.isOver || response.destroyed) return await own.release();
    this.#exchanges.set(id, exchange);
    response.once('close', () => this.#cancel(id));
    await this.frames.put(own);
  }

  /** Takes a notification. */
  async notify(response: ServerResponse, frame: Frame): Promise<void> {
    await this.frames.put(frame);
    response.writeHead(202).end();
  }

  async send(out: Outgoing): Promise<void> {
    if (this.#ending.isOver) return;
    if (out.answers !== undefined) return await this.#answer(out.answers, out);
    const message = messageOf(out);
    const id = idOf(fieldOf(message, 'id'));
    if (id !== undefined) return await this.#refuse(id);
    const about = this.#about(out, message);
    const exchange = about === undefined ? undefined : this.#exchanges.get(about);
    if (about === undefined || !exchange?.reply.takesEvents) return;
    await this.#pass(exchange, restored(out.bytes, about, exchange), (bytes) => exchange.reply.event(bytes));
    if (fieldOf(message, 'method') === 'notifications/cancelled') {
      this.#exchanges.delete(about);
      exchange.reply.abandon();
    } else if (exchange.waiting > MOST_WAITING && this.#cancel(about)) {
      this.#fail(about, exchange, `the client did not read its stream: ${exchange.waiting} bytes waited`);
    }
  }

  async close(): Promise<void> {
    if (!this.#ending.end('closed')) return;
    this.frames.close();
    for (const [id, exchange] of this.#exchanges) this.#fail(id, exchange, CLOSED);
    this.#exchanges.clear();
  }

  async #answer(id: Id, out: Outgoing): Promise<void> {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return;
    this.#exchanges.delete(id);
    if (exchange.method === 'tools/list') this.#tools.learn(fieldOf(messageOf(out), 'result'));
    if (exchange.method === 'server/discover') this.#learnVersions(messageOf(out));
    await this.#pass(exchange, restored(out.bytes, id, exchange), (bytes) =>
      exchange.reply.answer([id], bytes, statusOf(out)),
    );
  }

  /**
   * Passes on what the client takes at its own pace, and doesn't wait for it. Settles when the sender may let go of what
   * it sends: what comes in pieces waits in a file of its own.
   */
  async #pass(exchange: Exchange, bytes: Payload, pass: (bytes: Payload) => Promise<void>): Promise<void> {
    try {
      const large = Buffer.isBuffer(bytes) ? undefined : await this.#read(bytes);
      const size = large?.size ?? (bytes as Buffer).length;
      exchange.waiting += size;
      const passed = pass(large?.bytes() ?? bytes).catch(() => void exchange.response.destroy());
      void passed.finally(() => {
        exchange.waiting -= size;
        return large?.release();
      });
    } catch {
      exchange.response.destroy();
    }
  }

  /** Answers a request with an error of our own. */
  #fail(id: Id, exchange: Exchange, reason: string): void {
    const error = errorAnswer(id, CODES.failed, reason);
    void exchange.reply.answer([id], restored(error, id, exchange), 200);
  }

  #learnVersions(answer: unknown): void {
    const versions = fieldOf(fieldOf(answer, 'result'), 'supportedVersions');
    if (Array.isArray(versions)) this.supported = versions;
  }

  /** A request that nobody waits for any longer is cancelled at the server. Gives false if there is no such request. */
  #cancel(id: Id): boolean {
    if (!this.#exchanges.delete(id)) return false;
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
    void this.frames.put(frameOf(Buffer.from(JSON.stringify(cancelled))));
    return true;
  }

  /** Which request a message is about: as the sender says, as the message says, or because no other can be meant. */
  #about(out: Outgoing, message: unknown): Id | undefined {
    if (out.about !== undefined) return out.about;
    const params = fieldOf(message, 'params');
    const said =
      fieldOf(params, 'progressToken') ??
      fieldOf(fieldOf(params, '_meta'), SUBSCRIPTION) ??
      fieldOf(params, 'requestId');
    if (said !== undefined) return idOf(said);
    const logging = [...this.#exchanges].filter(([, { logs }]) => logs);
    return logging.length === 1 ? logging[0]?.[0] : undefined;
  }

  /** A server of these revisions has no requests: one that waits for an answer would wait for ever. */
  async #refuse(id: Id): Promise<void> {
    const answer = errorAnswer(id, CODES.methodNotFound, 'Clients of this protocol version take no requests');
    await this.frames.put(frameOf(answer));
  }
}

/** A message with the client's own id and token in the place of ours. */
function restored(bytes: Payload, id: Id, exchange: Pick<Exchange, 'id' | 'token'>): Payload {
  const back = (own: string) => (raw: string) => (Number(raw) === id ? own : undefined);
  const replacements = {
    id: back(exchange.id),
    'params progressToken': back(exchange.token ?? exchange.id),
    'params requestId': back(exchange.id),
    [`params _meta ${SUBSCRIPTION}`]: back(exchange.id),
    [`result _meta ${SUBSCRIPTION}`]: back(exchange.id),
  };
  return rewrite(bytes, replacements);
}

function statusOf(out: Outgoing): number {
  if (!Buffer.isBuffer(out.bytes) || out.bytes.length > LARGEST_ERROR) return 200;
  return STATUSES.get(fieldOf(fieldOf(messageOf(out), 'error'), 'code')) ?? 200;
}
