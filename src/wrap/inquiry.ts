import { randomUUID } from 'node:crypto';
import { fieldOf, textOf } from './requests.ts';
import type { Frame } from './types.ts';

/** How long all pages of the list are waited for, in milliseconds: a result waits meanwhile. */
const PATIENCE = 3000;

const MOST_PAGES = 100;

/** Takes the result of a page. */
export type Learn = (result: unknown) => Promise<void>;

/** Asks the server for its tools, where the client hasn't. Its requests and their answers are nobody else's. */
export class Inquiry {
  readonly #send: (message: object) => void;
  readonly #prefix = `plimsoll-${randomUUID()}-`;
  readonly #waiting = new Map<string, (answer: unknown) => void>();
  #count = 0;
  #asked: Promise<void> | undefined;
  #isOver = false;

  /** `send` sends a message to the server. */
  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  /**
   * Has all pages of `tools/list` learned, once until `forget`. `meta` is what the request has to say of the client.
   * Settles when there are no more, or when there is no more waiting for them: nothing is learned then of the others.
   * Rejects if `learn` does, and asks again the next time.
   */
  ask(meta: object | undefined, learn: Learn): Promise<void> {
    this.#asked ??= this.#askAll(meta, learn).catch((error: unknown) => {
      this.forget();
      throw error;
    });
    return this.#asked;
  }

  /** What was learned may hold no longer. */
  forget(): void {
    this.#asked = undefined;
  }

  /** Whether a message is the answer to a request of ours, however late. */
  isAnswered({ id, answers }: Pick<Frame, 'id' | 'answers'>): boolean {
    return answers !== undefined && typeof id === 'string' && id.startsWith(this.#prefix);
  }

  /** Takes such an answer; undefined for one that isn't looked at. */
  answer(id: unknown, message: unknown): void {
    this.#settle(String(id), message);
  }

  /** No more answers will come. */
  end(): void {
    this.#isOver = true;
    for (const id of this.#waiting.keys()) this.#settle(id, undefined);
  }

  async #askAll(meta: object | undefined, learn: Learn): Promise<void> {
    let id = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#cancel(id);
    }, PATIENCE);
    let cursor: string | undefined;
    try {
      for (let page = 0; page < MOST_PAGES && !isLate && !this.#isOver; page++) {
        this.#count++;
        id = `${this.#prefix}${this.#count}`;
        const params = { ...(meta && { _meta: meta }), ...(cursor !== undefined && { cursor }) };
        const result = fieldOf(await this.#request(id, params), 'result');
        await learn(result);
        cursor = textOf(fieldOf(result, 'nextCursor'));
        if (cursor === undefined) break;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #request(id: string, params: object): Promise<unknown> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ jsonrpc: '2.0', id, method: 'tools/list', params });
    });
  }

  #cancel(id: string): void {
    if (!this.#waiting.has(id)) return;
    this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    this.#settle(id, undefined);
  }

  #settle(id: string, answer: unknown): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
