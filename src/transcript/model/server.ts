import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { plural } from '../../text/words.ts';
import { version } from '../../version.ts';
import { parsed } from '../read/lines.ts';
import type { Address } from './address.ts';
import { failure } from './failure.ts';
import type { ModelSettings } from './model.ts';

/** How much is read of an answer that isn't streamed, in bytes. */
const MOST_OF_A_REPLY = 16 * 1024 * 1024;

/** How often a busy server is asked again. */
const MOST_RETRIES = 4;

const BUSY = new Set([429, 503]);

export interface Request {
  /** Sent as JSON with POST; without one it is a GET. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** The start of an answer. */
export interface Reply {
  readonly status: number;
  /** Its bytes as they come. Throws a `PlimsollError` if they end before the answer does. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** An answer that has come whole. */
export interface Whole {
  readonly status: number;
  /** What its JSON says, or its text where it is none. */
  readonly body: unknown;
}

interface ServerOptions extends Pick<ModelSettings, 'kind'> {
  readonly idle: number;
  readonly pause: number;
}

/**
 * Asks a model's server over HTTP. It may take as long as it likes, but not be silent for too long. Neither redirects
 * nor proxies are followed: what is asked goes to this server and to no other. Node's `fetch` would give up after five
 * minutes without an answer; a slow model needs longer to take in a prompt.
 */
export class Server {
  readonly address: string;
  readonly #url: URL;
  readonly #options: ServerOptions;

  constructor({ url, name }: Address, options: ServerOptions) {
    this.address = name;
    this.#url = url;
    this.#options = options;
  }

  /** A whole answer, of whatever status. */
  async whole(path: string, request: Request): Promise<Whole> {
    const { status, bytes } = await this.#begin(path, request);
    return { status, body: await this.#bodyOf(bytes) };
  }

  /** The start of an answer with the status 200, or the whole of another one. */
  async stream(path: string, request: Request): Promise<Reply | Whole> {
    const reply = await this.#begin(path, request);
    if (reply.status === 200) return reply;
    return { status: reply.status, body: await this.#bodyOf(reply.bytes) };
  }

  /** The start of an answer. A server that is busy is asked again, a few times. */
  async #begin(path: string, request: Request): Promise<Reply> {
    for (let retries = 0; ; retries++) {
      const reply = await this.#beginOnce(path, request);
      if (!BUSY.has(reply.status) || retries === MOST_RETRIES) return reply;
      await this.#bodyOf(reply.bytes);
      await this.#pause(this.#options.pause * 2 ** retries, request.signal);
    }
  }

  async #beginOnce(path: string, { body, signal }: Request): Promise<Reply> {
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent: false,
      method: sent ? 'POST' : 'GET',
      headers: {
        accept: '*/*',
        'user-agent': `plimsoll/${version}`,
        ...(sent && { 'content-type': 'application/json', 'content-length': sent.length }),
      },
      timeout: this.#options.idle * 1000,
      ...(signal && { signal }),
    });
    let isSilent = false;
    const why = (cause: unknown, hasBegun: boolean) => {
      if (signal?.aborted) return failure('ABORTED', 'Stopped before the model had answered.', cause);
      return isSilent ? this.#silence() : this.#noAnswer(cause, hasBegun);
    };
    try {
      const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
        request.on('response', resolve).on('error', reject);
        request.on('timeout', () => {
          isSilent = true;
          request.destroy(new Error('silence'));
        });
        request.end(sent);
      });
      this.#refuseRedirect(response);
      return {
        status: response.statusCode ?? 0,
        bytes: translated(response, (cause) => why(cause, true)),
      };
    } catch (cause) {
      throw cause instanceof PlimsollError ? cause : why(cause, false);
    }
  }

  #refuseRedirect(response: http.IncomingMessage): void {
    const { statusCode = 0 } = response;
    if (statusCode < 300 || statusCode > 399) return;
    response.destroy();
    throw this.stranger('it sends on to another address, which is not followed');
  }

  async #bodyOf(bytes: AsyncIterable<Buffer>): Promise<unknown> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of bytes) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MOST_OF_A_REPLY) throw this.stranger('its answer is much too long');
    }
    const text = Buffer.concat(chunks).toString();
    return parsed(text) ?? text;
  }

  async #pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(seconds * 1000, undefined, signal && { signal });
    } catch (cause) {
      throw failure('ABORTED', 'Stopped before the model had answered.', cause);
    }
  }

  /** The server isn't what the settings say it is. */
  stranger(reason: string): PlimsollError {
    const isOllama = this.#options.kind === 'ollama';
    const what = isOllama ? 'Ollama' : 'a server that speaks the protocol of OpenAI';
    return failure(
      'MODEL_SERVER_UNKNOWN',
      `${this.address} does not answer as ${what} does (${reason}): correct the address, or the kind of server.`,
    );
  }

  #silence(): PlimsollError {
    const silence = `${this.address} was silent for ${plural(this.#options.idle, 'second')}`;
    return failure(
      'MODEL_SILENT',
      `${silence}: look whether it still works, take a smaller model or a smaller window, or give it longer.`,
    );
  }

  #noAnswer(cause: unknown, hasBegun: boolean): PlimsollError {
    const reason = visibleName(reasonOf(cause));
    if (hasBegun || reason === 'ECONNRESET') {
      return failure(
        'MODEL_BROKEN_OFF',
        `${this.address} ended the connection within an answer: look into its log, it may have run out of memory.`,
        cause,
      );
    }
    const start =
      this.#options.kind === 'ollama' ? "start Ollama ('ollama serve')" : 'start it, or correct the address';
    return failure(
      'MODEL_UNREACHABLE',
      `No server answers at ${this.address} (${reason}): ${start}, or do without a model (--extract rules).`,
      cause,
    );
  }
}

async function* translated(
  response: http.IncomingMessage,
  why: (cause: unknown) => Error,
): AsyncGenerator<Buffer> {
  try {
    yield* response;
  } catch (cause) {
    throw why(cause);
  }
}

/** What Node calls the failure of a connection. One to a name with several addresses has a failure for each. */
function reasonOf(cause: unknown): string {
  const error = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(error instanceof Error)) return 'no reason given';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
