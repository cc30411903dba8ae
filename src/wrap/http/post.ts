import type { Id } from '../types.ts';
import type { Body } from './client.ts';
import { fieldOf, idOf, messagesOf, protocolVersionOf, requestIds } from './messages.ts';

/** A message, or a batch, on its way to a server, and the requests in it that wait for their answers. */
export class Post {
  readonly body: Body;
  readonly message: unknown;
  readonly #unanswered: Set<Id>;
  readonly #abort = new AbortController();
  /** Settles when the answer has begun, or never will. */
  readonly begun: Promise<void>;
  /** Settles when a body that comes in pieces has been read. */
  readonly read: Promise<void>;
  begin: () => void = () => {};

  /** `message` is what the body says; of one that comes in pieces what is short in it. */
  constructor(body: Body, message: unknown) {
    this.message = message;
    this.#unanswered = new Set(requestIds(message));
    this.begun = new Promise((resolve) => {
      this.begin = resolve;
    });
    let end = () => {};
    this.read = new Promise((resolve) => {
      end = resolve;
    });
    this.body = Buffer.isBuffer(body) ? body : watched(body, end);
    if (Buffer.isBuffer(body)) end();
  }

  get method(): unknown {
    return fieldOf(this.message, 'method');
  }

  /** Whether it is of 2026-07-28 or later: it stands alone then. */
  get isStateless(): boolean {
    return protocolVersionOf(this.message) !== undefined;
  }

  /** Whether anything in it is a request. */
  get isAsking(): boolean {
    return requestIds(this.message).length > 0;
  }

  get unanswered(): readonly Id[] {
    return [...this.#unanswered];
  }

  /** The request that a message on its stream is about. */
  get about(): Id | undefined {
    return requestIds(this.message)[0];
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  answered(id: Id): void {
    this.#unanswered.delete(id);
  }

  /** Its answer is not wanted any more. */
  cancel(): void {
    this.#unanswered.clear();
    this.#abort.abort();
  }
}

/** A body, whose end is told: when it has been read, or won't be any further. */
async function* watched(body: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    end();
  }
}

/** The ids of the requests that a message cancels. */
export function cancelledBy(message: unknown): readonly Id[] {
  return messagesOf(message)
    .filter(({ method }) => method === 'notifications/cancelled')
    .map(({ params }) => idOf(fieldOf(params, 'requestId')))
    .filter((id) => id !== undefined);
}
