import { failure, failureOf, isNotThere, namesIn } from './failure.ts';
import { gathered, type Piece } from './gather.ts';
import type { Answer, Ask, AskOptions, Model } from './model.ts';
import { type Estimate, isTooLong, type Window } from './prompt.ts';
import type { Server, Whole } from './server.ts';
import { bounded } from './stream.ts';

/** How one kind of server is spoken to. */
export interface Protocol {
  readonly chatPath: string;
  /** What to do about a model that isn't there. */
  readonly pull: string;
  /** Makes sure that the model is there, and finds its window. */
  open(signal: AbortSignal | undefined): Promise<Window>;
  /** Makes sure that the model is there without having it loaded; the window is the one that will be asked for. */
  look(signal: AbortSignal | undefined): Promise<Window>;
  /** Which models are there. */
  names(signal: AbortSignal | undefined): Promise<string[]>;
  estimate(ask: Ask, signal: AbortSignal | undefined): Promise<Estimate>;
  bodyOf(ask: Ask, window: Window): object;
  pieces(bytes: AsyncIterable<Buffer>): AsyncIterable<Piece>;
}

export class ServedModel implements Model {
  readonly name: string;
  readonly address: string;
  readonly #server: Server;
  readonly #protocol: Protocol;
  #window: Window | undefined;

  constructor(server: Server, name: string, protocol: Protocol) {
    this.name = name;
    this.address = server.address;
    this.#server = server;
    this.#protocol = protocol;
  }

  async window(signal?: AbortSignal): Promise<number> {
    return (await this.#opened(signal)).tokens;
  }

  /** The window that will be asked for, if the model is there; it isn't loaded for that. Throws a `PlimsollError`. */
  async look(signal?: AbortSignal): Promise<number> {
    return (await this.#unlessUnserved(signal, () => this.#protocol.look(signal))).tokens;
  }

  async ask(ask: Ask, options: AskOptions = {}): Promise<Answer> {
    const { signal } = options;
    const protocol = this.#protocol;
    const window = await this.#opened(signal);
    const estimate = await protocol.estimate(ask, signal);
    if (isTooLong(estimate, window, ask.mostTokens)) {
      throw failure(
        'MODEL_PROMPT_TOO_LONG',
        `A prompt of about ${estimate.tokens} tokens and an answer of ${ask.mostTokens} have no room in the window of ${this.name}, ${window.tokens}: ask for a larger window, or less at once.`,
      );
    }
    const body = protocol.bodyOf(ask, window);
    const reply = await this.#server.stream(protocol.chatPath, { body, signal });
    if ('body' in reply) throw await this.#failureOf(reply, signal);
    const pieces = protocol.pieces(bounded(reply.bytes, ask.mostTokens));
    const { name: model, address } = this;
    return gathered(pieces, { ask, estimate, window, model, address }, options);
  }

  async #opened(signal: AbortSignal | undefined): Promise<Window> {
    this.#window ??= await this.#unlessUnserved(signal, () => this.#protocol.open(signal));
    return this.#window;
  }

  async #unlessUnserved<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unserved)) throw error;
      throw await this.#failureOf(error.whole, signal);
    }
  }

  async #failureOf(whole: Whole, signal: AbortSignal | undefined): Promise<Error> {
    if (!isNotThere(whole)) return failureOf(whole, this.name, this.address);
    try {
      return this.#notThere(await this.#protocol.names(signal));
    } catch (error) {
      if (!(error instanceof Unserved)) throw error;
      return failureOf(error.whole, this.name, this.address);
    }
  }

  #notThere(names: readonly string[]): Error {
    const there = names.length > 0 ? `there are ${namesIn(names)}` : 'there are none';
    return failure(
      'MODEL_NOT_FOUND',
      `${this.address} has no model '${this.name}' (${there}): ${this.#protocol.pull}.`,
    );
  }
}

/** A question about the model was answered with an error. */
export class Unserved extends Error {
  override readonly name = 'Unserved';
  readonly whole: Whole;

  constructor(whole: Whole) {
    super(`status ${whole.status}`);
    this.whole = whole;
  }
}
