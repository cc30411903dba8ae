import type { Place } from '../json/walk.ts';

/** Takes bytes. */
export type Put = (bytes: Uint8Array) => void;

/** Copies the bytes of a walk as they are written, but for stretches that are put elsewhere. */
export class RawCopy {
  readonly #put: Put;
  /** Where the next bytes go; undefined if they are held back. */
  #target: Put | undefined = () => {};
  /** What has been taken, from the walk's start. */
  #at = 0;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(put: Put) {
    this.#put = put;
  }

  /** How many bytes are held back. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Copies from the token at hand on. */
  start({ start }: Place): void {
    this.#at = start;
    this.#target = this.#put;
  }

  /** Holds back what comes from the token at hand on. */
  hold(at: Place): void {
    this.#take(at, at.start);
    this.#target = undefined;
  }

  /** Puts what is held back, and what comes, elsewhere, and `standIn` in its place. */
  divert(standIn: string, elsewhere: Put): void {
    this.#put(Buffer.from(standIn));
    this.#release(elsewhere);
    this.#target = elsewhere;
  }

  /** Takes what comes up to the end of the token at hand. */
  take(at: Place): void {
    this.#take(at, at.end);
  }

  /** Copies again from the end of the token at hand on; what is held back too. */
  goOn(at: Place): void {
    this.take(at);
    this.#release(this.#put);
    this.#target = this.#put;
  }

  /** Copies no further than the end of the token at hand. */
  stop(at: Place): void {
    this.take(at);
    this.#target = () => {};
  }

  /** To be called when a chunk has been walked. */
  endOfChunk(at: Place): void {
    this.#take(at, Number.POSITIVE_INFINITY);
  }

  #take(at: Place, to: number): void {
    const bytes = at.raw(this.#at, to);
    this.#at += bytes.length;
    if (bytes.length === 0) return;
    if (this.#target) {
      this.#target(bytes);
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #release(put: Put): void {
    for (const bytes of this.#held) put(bytes);
    this.#held = [];
    this.#heldBytes = 0;
  }
}
