import { setTimeout as delay } from 'node:timers/promises';
import type { Frame } from '../types.ts';
import { type Answer, type HttpClient, NoAnswer } from './client.ts';
import { frameFrom, type ReadFrame } from './frames.ts';
import type { Post } from './post.ts';
import { EventReader } from './sse.ts';

/** How long to wait before coming back to a stream that broke off, if the server doesn't say; ever longer, in milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/** How often in a row a request's stream is come back to in vain. */
const MOST_FAILURES = 5;

/** How long a server is given to end the stream of a request that it has answered, in milliseconds. */
const LINGER = 1000;

/** A stream; `none` if the server has none, `later` if it can't be reached now. */
export type Opened = Answer | 'none' | 'later';

/** The event streams of a server. */
export class Streams {
  readonly #http: HttpClient;
  readonly #read: ReadFrame;
  readonly #headers: () => Record<string, string>;
  readonly #push: (frame: Frame, post: Post | undefined) => Promise<void>;

  /** `headers` say which session the streams are of; `push` takes what comes, with the request on whose stream it came. */
  constructor(
    http: HttpClient,
    read: ReadFrame,
    headers: () => Record<string, string>,
    push: (frame: Frame, post: Post | undefined) => Promise<void>,
  ) {
    this.#http = http;
    this.#read = read;
    this.#headers = headers;
    this.#push = push;
  }

  /** Opens a stream, or comes back to one. */
  async open(lastId: string | undefined, signal: AbortSignal): Promise<Opened> {
    const headers = {
      accept: 'text/event-stream',
      ...this.#headers(),
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    };
    try {
      const answer = await this.#http.ask({ method: 'GET', headers, signal });
      if (isEventStream(answer)) return answer;
      answer.body.resume();
      return 'none';
    } catch (error) {
      if (error instanceof NoAnswer) return 'later';
      throw error;
    }
  }

  /**
   * Hands on what comes on a stream, and comes back to it where it breaks off: to the standing one always, to a
   * request's until the answer is there, if the stream has ids.
   */
  async follow(first: Opened, post: Post | undefined, signal: AbortSignal): Promise<void> {
    let lastId: string | undefined;
    let retry: number | undefined;
    let failures = 0;
    for (let answer = first; answer !== 'none'; failures += 1) {
      if (answer !== 'later') {
        const reader = new EventReader(answer.body);
        if (await this.#readEvents(reader, answer, post)) failures = 0;
        lastId = reader.lastId ?? lastId;
        retry = reader.retry ?? retry;
      }
      if (signal.aborted || (post && (failures >= MOST_FAILURES || isOver(post, lastId)))) return;
      const wait = retry ?? Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT);
      await delay(wait, undefined, { signal, ref: false });
      answer = await this.open(lastId, signal);
    }
  }

  /** Hands on the messages of a stream until it ends. Whether there were any. */
  async #readEvents(reader: EventReader, { body }: Answer, post: Post | undefined): Promise<boolean> {
    let count = 0;
    let timer: NodeJS.Timeout | undefined;
    try {
      for (let event = await reader.next(); event; event = await reader.next()) {
        if (event.type !== 'message') continue;
        count += 1;
        await this.#push(await frameFrom(event.data, this.#read), post);
        if (post?.unanswered.length === 0) timer ??= setTimeout(() => body.destroy(), LINGER).unref();
      }
    } catch {
      // A stream that breaks off has ended.
    } finally {
      clearTimeout(timer);
    }
    return count > 0;
  }
}

/** Whether an answer is a stream of events. */
export function isEventStream({ status, headers }: Answer): boolean {
  return status === 200 && /^text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** Whether nothing more can come of a request whose stream has ended. */
function isOver(post: Post, lastId: string | undefined): boolean {
  return post.unanswered.length === 0 || lastId === undefined || post.isStateless;
}
