import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { oneLine, oneLineOf } from './one-line.ts';

/** How often a connection on which nothing happens is used, so that nobody takes it for dead, in milliseconds. */
const KEEP_ALIVE = 15_000;

/** What is kept for a client that isn't connected, in bytes and in number. The oldest goes first. */
const MOST_KEPT = 1024 * 1024;
const MOST_EVENTS = 1000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

const START = Buffer.from('data: ');
const END = Buffer.from('\n\n');

/** A message: whole, or as it comes. */
export type Payload = Buffer | AsyncIterable<Uint8Array>;

/** An event stream to a client, without ids: nobody can come back to one, but another one can take its place. */
export class EventStream {
  readonly #keeps: boolean;
  #response: ServerResponse | undefined;
  #kept: Buffer[] = [];
  #size = 0;
  #turn: Promise<void> = Promise.resolve();

  /** `keeps` says whether messages wait for a connection while there is none. */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /** Goes on over this connection, in the place of another one; with what has waited for it. */
  connect(response: ServerResponse, headers: OutgoingHttpHeaders): void {
    this.#response?.end();
    this.#response = response;
    const timer = setInterval(() => this.#keepAlive(response), KEEP_ALIVE).unref();
    response.on('error', () => {});
    response.once('close', () => {
      clearInterval(timer);
      if (this.#response === response) this.#response = undefined;
    });
    // What is sent at once goes out in one piece with the headers.
    response.cork();
    setImmediate(() => response.uncork());
    response.writeHead(200, { ...HEADERS, ...headers });
    response.flushHeaders();
    for (const message of this.#kept.splice(0)) void this.send(message);
    this.#size = 0;
  }

  /** Between two events: one may be on its way. */
  #keepAlive(response: ServerResponse): void {
    this.#turn = this.#turn.then(() => {
      if (!response.writableEnded) response.write(':\n\n');
    });
  }

  /** Sends a message as an event. Settles when the connection can take more, or is no more. */
  send(message: Payload): Promise<void> {
    const response = this.#response;
    if (!response) this.#keep(message);
    else this.#turn = this.#turn.then(() => write(response, message)).catch(() => void response.destroy());
    return this.#turn;
  }

  /** No more comes. */
  end(): void {
    const response = this.#response;
    this.#turn = this.#turn.then(() => void response?.end());
  }

  #keep(message: Payload): void {
    if (!this.#keeps || !Buffer.isBuffer(message)) return;
    this.#kept.push(message);
    this.#size += message.length;
    while (this.#size > MOST_KEPT || this.#kept.length > MOST_EVENTS) {
      this.#size -= this.#kept.shift()?.length ?? 0;
    }
  }
}

async function write(response: ServerResponse, message: Payload): Promise<void> {
  if (Buffer.isBuffer(message)) return await writeTo(response, Buffer.concat([START, oneLine(message), END]));
  await writeTo(response, START);
  for await (const piece of oneLineOf(message)) {
    if (response.destroyed) return;
    await writeTo(response, piece);
  }
  await writeTo(response, END);
}

/** Writes, and settles when the connection can take more; one that is closed takes everything. */
export async function writeTo(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.destroyed || response.write(bytes)) return;
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(
    () => {},
  );
  either.abort();
}
