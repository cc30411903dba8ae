import type { ServerResponse } from 'node:http';
import { frameOf } from '../frame.ts';
import type { Frame, Id, Outgoing, Peer } from '../types.ts';
import { Ending } from './ending.ts';
import { type Header, ToolHeaders } from './headers.ts';
import type { JsonObject } from './messages.ts';
import { CODES, errorAnswer, fieldOf, idOf, messageOf, metaOf } from './messages.ts';
import { Queue } from './queue.ts';
import { type Accepted, Reply } from './reply.ts';
import { rewritten, rewrittenStream } from './rewrite.ts';

/**
 * How long an answer is waited for before a stream is opened, in milliseconds: an answer that is an error may have a
 * status of its own, which a stream can't have, and clients give up on a connection on which nothing happens.
 */
const PATIENCE = 10_000;

/** What doesn't wait for its client, in bytes, before the client is given up: others share the server. */
const MOST_WAITING = 16 * 1024 * 1024;

/** Errors whose answers have a status of their own (2026-07-28, Streamable HTTP). */
const STATUSES = new Map<unknown, number>([
  [CODES.methodNotFound, 404],
  [CODES.headerMismatch, 400],
  [CODES.missingCapability, 400],
  [CODES.unsupportedVersion, 400],
]);

/** Answers larger than this are no errors with a status of their own, in bytes. */
const LARGEST_ERROR = 65_536;

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
}

/**
 * All clients of 2026-07-28 and later, as one: each of their requests stands alone, so that they can share a server.
 * Their ids and progress tokens are replaced by some that no other has, and put back in what is sent to them.
 */
export class Stateless implements Peer {
  readonly frames = new Queue<Frame>();
  readonly #ending = new Ending();
  readonly #exchanges = new Map<Id, Exchange>();
  readonly #tools = new ToolHeaders();
  /** The versions that the server speaks, as far as it has said. */
  supported: readonly unknown[] = ['2026-07-28'];
  #count = 0;

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

  /** Takes a request, and answers it. */
  async request(
    response: ServerResponse,
    accepted: Accepted,
    json: Buffer,
    message: JsonObject,
  ): Promise<void> {
    this.#count += 1;
    const id = this.#count;
    let written = String(id);
    let token: string | undefined;
    const bytes = rewritten(json, {
      id: (raw) => {
        written = raw;
        return String(id);
      },
      'params _meta progressToken': (raw) => {
        token = raw;
        return String(id);
      },
    });
    const reply = new Reply(response, {
      ids: [id],
      accepted,
      headers: {},
      patience: PATIENCE,
      prefersEvents: false,
    });
    const logs = metaOf(message, 'logLevel') !== undefined;
    this.#exchanges.set(id, { reply, response, method: String(message.method), id: written, token, logs });
    response.once('close', () => this.#left(id));
    await this.frames.put(frameOf(bytes));
  }

  /** Takes a notification. */
  async notify(response: ServerResponse, json: Buffer): Promise<void> {
    await this.frames.put(frameOf(json));
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
    this.#limit(exchange);
    void exchange.reply.event(restored(out.bytes, about, exchange));
    if (fieldOf(message, 'method') !== 'notifications/cancelled') return;
    this.#exchanges.delete(about);
    exchange.reply.abandon();
  }

  async close(): Promise<void> {
    if (!this.#ending.end('closed')) return;
    this.frames.close();
    for (const [id, { reply, response, ...exchange }] of this.#exchanges) {
      const error = errorAnswer(id, CODES.failed, 'The connection to the MCP server was closed');
      void reply.answer([id], restored(error, id, exchange) as Buffer, 200);
    }
    this.#exchanges.clear();
  }

  async #answer(id: Id, out: Outgoing): Promise<void> {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return;
    this.#exchanges.delete(id);
    if (exchange.method === 'tools/list') this.#tools.learn(fieldOf(messageOf(out), 'result'));
    if (exchange.method === 'server/discover') this.#learnVersions(messageOf(out));
    const sent = exchange.reply.answer([id], restored(out.bytes, id, exchange), statusOf(out));
    if (!Buffer.isBuffer(out.bytes)) await sent;
  }

  #learnVersions(answer: unknown): void {
    const versions = fieldOf(fieldOf(answer, 'result'), 'supportedVersions');
    if (Array.isArray(versions)) this.supported = versions;
  }

  /** A client that goes away before its answer has cancelled its request. */
  #left(id: Id): void {
    if (!this.#exchanges.delete(id)) return;
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
    void this.frames.put(frameOf(Buffer.from(JSON.stringify(cancelled))));
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

  #limit({ response }: Exchange): void {
    if (response.writableLength > MOST_WAITING) response.destroy();
  }
}

/** A message with the client's own id and token in the place of ours. */
function restored(
  bytes: Outgoing['bytes'],
  id: Id,
  exchange: Pick<Exchange, 'id' | 'token'>,
): Outgoing['bytes'] {
  const back = (own: string) => (raw: string) => (Number(raw) === id ? own : undefined);
  const replacements = {
    id: back(exchange.id),
    'params progressToken': back(exchange.token ?? exchange.id),
    'params requestId': back(exchange.id),
    [`params _meta ${SUBSCRIPTION}`]: back(exchange.id),
    [`result _meta ${SUBSCRIPTION}`]: back(exchange.id),
  };
  return Buffer.isBuffer(bytes) ? rewritten(bytes, replacements) : rewrittenStream(bytes, replacements);
}

function statusOf(out: Outgoing): number {
  if (!Buffer.isBuffer(out.bytes) || out.bytes.length > LARGEST_ERROR) return 200;
  return STATUSES.get(fieldOf(fieldOf(messageOf(out), 'error'), 'code')) ?? 200;
}
