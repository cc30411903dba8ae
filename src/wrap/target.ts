import type { RawNumber } from '../json/held.ts';
import { JsonError, type JsonEvents, type Place } from '../json/walk.ts';

/**
 * Passes on the events of one value within objects, as if it were all there is. It takes no JSON in which a key of the
 * path stands twice: readers don't agree on which of the two counts.
 */
export class Target implements JsonEvents {
  readonly #path: readonly string[];
  readonly #inner: JsonEvents;
  /** Where the value stands, in bytes; zero if it doesn't. */
  from = 0;
  to = 0;
  /** How many objects of the path are open. */
  #onPath = 0;
  /** Whether the value of the last key is on the path. */
  #isNext = true;
  /** How many containers of the value are open. */
  #within = 0;
  #isSkipping = false;
  readonly #seen = new Set<number>();

  /** `path` has the keys of the objects around the value, outermost first. */
  constructor(path: readonly string[], inner: JsonEvents) {
    this.#path = path;
    this.#inner = inner;
  }

  openObject(at: Place): void {
    if (this.#enters(at)) this.#inner.openObject(at);
    else if (this.#isNext) this.#onPath++;
    else this.#skip(at);
  }

  openArray(at: Place): void {
    if (this.#enters(at)) this.#inner.openArray(at);
    else this.#skip(at);
  }

  closeObject(at: Place): void {
    if (this.#within > 0) this.#leave(at, () => this.#inner.closeObject(at));
    else if (this.#isSkipping) this.#isSkipping = false;
    else this.#onPath--;
  }

  closeArray(at: Place): void {
    if (this.#within > 0) this.#leave(at, () => this.#inner.closeArray(at));
    else this.#isSkipping = false;
  }

  key(key: string, at: Place): void {
    if (this.#within > 0) {
      this.#inner.key(key, at);
      return;
    }
    this.#isNext = key === this.#path[this.#onPath - 1];
    if (!this.#isNext) return;
    if (this.#seen.has(this.#onPath)) throw new JsonError(`A second ${JSON.stringify(key)}`, at.start);
    this.#seen.add(this.#onPath);
  }

  value(value: null | boolean | number | RawNumber, at: Place): void {
    if (this.#enters(at)) this.#leave(at, () => this.#inner.value(value, at));
  }

  openText(at: Place): void {
    if (this.#enters(at)) this.#inner.openText(at);
    else at.skip();
  }

  text(piece: string, at: Place): void {
    this.#inner.text(piece, at);
  }

  closeText(at: Place): void {
    if (this.#within > 0) this.#leave(at, () => this.#inner.closeText(at));
  }

  endOfChunk(at: Place): void {
    if (this.#within > 0) this.#inner.endOfChunk?.(at);
  }

  /** Whether a value that begins is the one, or within it. */
  #enters(at: Place): boolean {
    const isFirst = this.#within === 0 && this.#isNext && this.#onPath === this.#path.length;
    if (isFirst) this.from = at.start;
    if (isFirst || this.#within > 0) this.#within++;
    return isFirst || this.#within > 0;
  }

  #leave(at: Place, tell: () => void): void {
    tell();
    if (--this.#within > 0) return;
    this.to = at.end;
    this.#isNext = false;
  }

  #skip(at: Place): void {
    this.#isSkipping = true;
    at.skip();
  }
}
