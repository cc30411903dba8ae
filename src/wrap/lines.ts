import type { Writable } from 'node:stream';
import type { Outgoing } from './types.ts';

const NEWLINE = Buffer.from('\n');

/** Frames up to this size are copied to be written in one piece with their newline, in bytes. */
const SMALL = 64 * 1024;

const DONE: Promise<void> = Promise.resolve();

/** Writes frames into a stream, one a line and one after the other, and says when it can take more. */
export class LineWriter {
  readonly #stream: Writable;
  /** The last of the frames that wait for one that comes in pieces; it settles when that is written. */
  #last: Promise<void> | undefined;
  #draining: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', () => {});
  }

  /** Writes a frame. Settles when the stream can take more; a stream that is closed takes everything and does nothing. */
  send({ bytes }: Pick<Outgoing, 'bytes'>): Promise<void> {
    if (!this.#last && Buffer.isBuffer(bytes)) return this.#line(bytes);
    const write = () => (Buffer.isBuffer(bytes) ? this.#line(bytes) : this.#pieces(bytes));
    const written = (this.#last ?? DONE).then(write).then(() => {
      if (this.#last === written) this.#last = undefined;
    });
    this.#last = written;
    return written;
  }

  /** Settles when all that was sent is out, or never will be. */
  async flushed(): Promise<void> {
    await this.#last;
    if (!this.#stream.writable) return;
    await new Promise<void>((resolve) => {
      this.#stream.once('close', resolve);
      this.#stream.write('', () => resolve());
    });
  }

  #line(bytes: Buffer): Promise<void> {
    if (bytes.length <= SMALL) return this.#write(Buffer.concat([bytes, NEWLINE], bytes.length + 1));
    this.#stream.cork();
    this.#write(bytes);
    const written = this.#write(NEWLINE);
    this.#stream.uncork();
    return written;
  }

  async #pieces(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of pieces) {
        await this.#write(piece);
        if (!this.#stream.writable) return;
      }
    } catch {
      // What can't be read back ends here; the line that is broken by it must not break the next one.
    }
    await this.#write(NEWLINE);
  }

  #write(bytes: Uint8Array): Promise<void> {
    if (!this.#stream.writable) return DONE;
    if (this.#stream.write(bytes)) return DONE;
    this.#draining ??= this.#drained();
    return this.#draining;
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.#stream.off('drain', settle).off('close', settle).off('error', settle);
        this.#draining = undefined;
        resolve();
      };
      this.#stream.on('drain', settle).on('close', settle).on('error', settle);
    });
  }
}
