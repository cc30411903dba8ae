import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Id } from '../types.ts';
import { EventStream, type Payload, writeTo } from './events.ts';

/** What a client says that it takes. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** What an `Accept` header allows; one that says neither allows nothing. */
export function acceptedBy(header: string | undefined): Accepted {
  const accepts = (type: string) => {
    const ranges = (header ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
    return ranges.some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`);
  };
  return { json: accepts('application/json'), events: accepts('text/event-stream') };
}

/**
 * The answer to one POST: as JSON, or as an event stream with what comes before the answer. A stream is opened too when
 * the answer takes its time.
 */
export class Reply {
  readonly #response: ServerResponse;
  readonly #accepted: Accepted;
  readonly #mayBeJson: boolean;
  readonly #headers: OutgoingHttpHeaders;
  readonly #unanswered: Set<Id>;
  readonly #timer: NodeJS.Timeout | undefined;
  #stream: EventStream | undefined;

  /** `patience` is how long the answer is waited for before a stream is opened, in milliseconds. */
  constructor(
    response: ServerResponse,
    options: {
      readonly ids: readonly Id[];
      readonly accepted: Accepted;
      readonly headers: OutgoingHttpHeaders;
      readonly patience: number;
      /** Whether an answer that nothing comes before is an event, too. */
      readonly prefersEvents: boolean;
    },
  ) {
    this.#response = response;
    this.#accepted = options.accepted;
    this.#mayBeJson = options.accepted.json && !(options.accepted.events && options.prefersEvents);
    this.#headers = options.headers;
    this.#unanswered = new Set(options.ids);
    if (options.accepted.events) this.#timer = setTimeout(() => this.#open(), options.patience).unref();
    response.once('close', () => clearTimeout(this.#timer));
  }

  /** Whether a message that is no answer can be sent here. */
  get takesEvents(): boolean {
    return this.#accepted.events && (this.#stream !== undefined || !this.#response.destroyed);
  }

  get isConnected(): boolean {
    return !this.#response.destroyed;
  }

  get isOver(): boolean {
    return this.#unanswered.size === 0;
  }

  /** The requests without an answer yet. */
  get unanswered(): readonly Id[] {
    return [...this.#unanswered];
  }

  /** Sends what comes before the answer. */
  event(message: Payload): Promise<void> {
    return this.#open().send(message);
  }

  /** Sends an answer, or several in one. The status is used if it is the first that is sent. */
  async answer(ids: readonly Id[], message: Payload, status: number): Promise<void> {
    for (const id of ids) this.#unanswered.delete(id);
    if (this.isOver) clearTimeout(this.#timer);
    if (!this.#stream && this.#mayBeJson && this.isOver) return await this.#json(message, status);
    const sent = this.#open().send(message);
    if (this.isOver) this.#stream?.end();
    await sent;
  }

  /** A request that the client has given up gets no answer any more. */
  cancel(id: Id): void {
    this.#unanswered.delete(id);
    if (this.isOver) this.abandon();
  }

  /** Ends without an answer. */
  abandon(): void {
    clearTimeout(this.#timer);
    if (this.#stream) this.#stream.end();
    else if (!this.#response.headersSent) this.#response.writeHead(202, this.#headers).end();
  }

  #open(): EventStream {
    clearTimeout(this.#timer);
    if (!this.#stream) {
      this.#stream = new EventStream(false);
      if (!this.#response.destroyed) this.#stream.connect(this.#response, this.#headers);
    }
    return this.#stream;
  }

  async #json(message: Payload, status: number): Promise<void> {
    const response = this.#response;
    if (response.destroyed) return;
    const type = { 'content-type': 'application/json' };
    if (Buffer.isBuffer(message)) {
      response.writeHead(status, { ...type, 'content-length': message.length, ...this.#headers });
      response.end(message);
      return;
    }
    response.writeHead(status, { ...type, ...this.#headers });
    try {
      for await (const piece of message) {
        if (response.destroyed) return;
        await writeTo(response, piece);
      }
      response.end();
    } catch {
      response.destroy();
    }
  }
}
