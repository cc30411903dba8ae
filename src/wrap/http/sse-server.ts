import type { Frame } from '../types.ts';
import { type Body, type HttpClient, NoAnswer } from './client.ts';
import { frameFrom, type ReadFrame } from './frames.ts';
import { EventReader, type ServerEvent } from './sse.ts';
import { isEventStream } from './streams.ts';

/** How long a server of the old kind is given to say where to POST to, in milliseconds. */
const PATIENCE = 5000;

/**
 * A server of 2024-11-05, "HTTP with SSE": all it says comes on one stream, whose first event tells where to POST to.
 */
export class SseServer {
  readonly #http: HttpClient;
  readonly #reader: EventReader;
  readonly #endpoint: URL;
  readonly #signal: AbortSignal;

  private constructor(http: HttpClient, reader: EventReader, endpoint: URL, signal: AbortSignal) {
    this.#http = http;
    this.#reader = reader;
    this.#endpoint = endpoint;
    this.#signal = signal;
  }

  /** Connects; undefined if the server is of another kind. */
  static async open(http: HttpClient, signal: AbortSignal): Promise<SseServer | undefined> {
    const tooLate = new AbortController();
    const timer = setTimeout(() => tooLate.abort(), PATIENCE);
    const either = AbortSignal.any([signal, tooLate.signal]);
    try {
      const answer = await http.ask({
        method: 'GET',
        headers: { accept: 'text/event-stream' },
        signal: either,
      });
      const reader = new EventReader(answer.body);
      const endpoint = isEventStream(answer) ? endpointIn(await reader.next(), http.url) : undefined;
      if (endpoint) return new SseServer(http, reader, endpoint, signal);
      answer.body.destroy();
    } catch {
      // What doesn't answer is no server of this kind.
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  /** What the server says, until it is gone. */
  async *frames(read: ReadFrame): AsyncGenerator<Frame> {
    try {
      for (let event = await this.#reader.next(); event; event = await this.#reader.next()) {
        if (event.type === 'message') yield await frameFrom(event.data, read);
      }
    } catch {
      // A stream that breaks off has ended.
    }
  }

  /** Sends a message. Rejects with `NoAnswer` if the server doesn't take it. */
  async post(body: Body): Promise<void> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await this.#http.ask({
      method: 'POST',
      url: this.#endpoint,
      headers,
      body,
      signal: this.#signal,
    });
    answer.body.resume();
    if (answer.status >= 300) throw new NoAnswer(`${this.#http.name} refused (HTTP ${answer.status})`);
  }
}

/** Where a stream's first event says to POST to: only where the stream came from. */
function endpointIn(event: ServerEvent | undefined, from: URL): URL | undefined {
  if (event?.type !== 'endpoint' || !Buffer.isBuffer(event.data)) return undefined;
  const path = event.data.toString('utf8');
  const endpoint = URL.canParse(path, from.href) ? new URL(path, from) : undefined;
  return endpoint?.origin === from.origin ? endpoint : undefined;
}
