import { PlimsollError } from '../../../errors.ts';
import { plural } from '../../../text/words.ts';

/** Watches a host that answers bit by bit: it may take as long as it likes, but not be silent for too long. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #host: string;
  readonly #seconds: number;
  readonly #timer: NodeJS.Timeout;

  /** `seconds` is how long the host may be silent. */
  constructor(host: string, seconds: number) {
    this.#host = host;
    this.#seconds = seconds;
    // What is waited for keeps the process alive, and not the time itself.
    this.#timer = setTimeout(() => this.#controller.abort(this.error()), seconds * 1000).unref();
  }

  /** Aborts when the host has been silent for too long; its reason is `error()`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  /** To be called whenever something has come from the host. */
  break(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  error(): PlimsollError {
    const silence = `${this.#host} did not answer for ${plural(this.#seconds, 'second')}`;
    return new PlimsollError('HOST_SILENT', `${silence}: try again, or give it longer with --timeout.`);
  }
}
