import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Frame, Id, Outgoing, Peer } from '../types.ts';
import { Ending } from './ending.ts';
import { EventStream } from './events.ts';
import { answeredIds, CODES, errorAnswer, fieldOf, messageOf, requestIds } from './messages.ts';
import { cancelledBy } from './post.ts';
import { Queue } from './queue.ts';
import { type Accepted, Reply } from './reply.ts';

/** How long an answer is waited for before its stream is opened, in milliseconds. */
const PATIENCE = 1000;

/** A client of one of the revisions that begin with `initialize`: a session over HTTP (2025-03-26 to 2025-11-25). */
export class Session implements Peer {
  readonly id: string;
  readonly frames = new Queue<Frame>();
  /** When the client was last heard of, as the clock says. */
  lastUsed: number;
  readonly #ending = new Ending();
  readonly #standing = new EventStream(true);
  /** The POSTs whose requests wait for an answer; requests with the same id in their order. */
  readonly #replies = new Map<Id, Reply[]>();
  readonly #headers: OutgoingHttpHeaders;
  #initialize: Id | undefined;

  constructor(id: string, now: number) {
    this.id = id;
    this.lastUsed = now;
    this.#headers = { 'mcp-session-id': id };
  }

  get gone(): Promise<string> {
    return this.#ending.reason;
  }

  get isOver(): boolean {
    return this.#ending.isOver;
  }

  /** Whether the client waits for something; one whose connections are closed doesn't. */
  get isBusy(): boolean {
    return (
      this.#standing.isConnected || [...this.#replies.values()].flat().some((reply) => reply.isConnected)
    );
  }

  /** Takes what was POSTed, and answers it. */
  async post(response: ServerResponse, accepted: Accepted, frame: Frame): Promise<void> {
    const ids = frame.message === undefined ? idsOfLarge(frame) : requestIds(frame.message);
    if (frame.method === 'initialize') this.#initialize = ids[0];
    if (ids.length > 0) this.#expect(response, accepted, ids);
    await this.frames.put(frame);
    for (const id of cancelledBy(frame.message)) this.#forget(id)?.cancel(id);
    if (ids.length === 0) response.writeHead(202, this.#headers).end();
  }

  /** Opens the stream for what belongs to no request. */
  get(response: ServerResponse): void {
    this.#standing.connect(response, this.#headers);
  }

  async send(out: Outgoing): Promise<void> {
    if (this.#ending.isOver) return;
    const ids = idsAnswered(out);
    if (ids.length > 0) await this.#answer(ids, out);
    else await this.#streamFor(out.about).event(out.bytes);
  }

  async close(): Promise<void> {
    this.end('closed');
  }

  /** Ends the session; who waits is told so. */
  end(reason: string): void {
    if (!this.#ending.end(reason)) return;
    this.frames.close();
    for (const reply of new Set([...this.#replies.values()].flat())) {
      for (const id of reply.unanswered) {
        void reply.answer([id], errorAnswer(id, CODES.failed, `The session was ended: ${reason}`), 200);
      }
    }
    this.#replies.clear();
    this.#standing.end();
  }

  #expect(response: ServerResponse, accepted: Accepted, ids: readonly Id[]): void {
    const reply = new Reply(response, {
      ids,
      accepted,
      headers: this.#headers,
      patience: PATIENCE,
      prefersEvents: true,
    });
    for (const id of ids) this.#replies.set(id, [...(this.#replies.get(id) ?? []), reply]);
  }

  async #answer(ids: readonly Id[], out: Outgoing): Promise<void> {
    const reply = ids.map((id) => this.#forget(id)).find((one) => one !== undefined);
    if (ids.some((id) => id === this.#initialize)) this.#initialized(messageOf(out));
    await reply?.answer(ids, out.bytes, 200);
  }

  #forget(id: Id): Reply | undefined {
    const [reply, ...others] = this.#replies.get(id) ?? [];
    if (others.length > 0) this.#replies.set(id, others);
    else this.#replies.delete(id);
    return reply;
  }

  /** Without a handshake there is no session. */
  #initialized(answer: unknown): void {
    this.#initialize = undefined;
    if (fieldOf(answer, 'error') === undefined) return;
    delete this.#headers['mcp-session-id'];
    queueMicrotask(() => this.end('initialize failed'));
  }

  /** Where a message goes that is no answer: on the stream of its request, the standing one, or the latest request's. */
  #streamFor(about: Id | undefined): { event(bytes: Outgoing['bytes']): Promise<void> } {
    const own = about === undefined ? undefined : this.#replies.get(about)?.[0];
    if (own?.takesEvents) return own;
    const standing = { event: (bytes: Outgoing['bytes']) => this.#standing.send(bytes) };
    if (this.#standing.isConnected) return standing;
    const latest = [...this.#replies.values()].flat().findLast((reply) => reply.takesEvents);
    return latest ?? standing;
  }
}

function idsOfLarge({ id, method }: Frame): Id[] {
  return method !== undefined && id !== undefined && id !== null ? [id] : [];
}

function idsAnswered(out: Outgoing): readonly Id[] {
  if (out.answers !== undefined) return [out.answers];
  return Array.isArray(out.message) ? answeredIds(out.message) : [];
}
