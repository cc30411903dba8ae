import type { Held } from '../json/held.ts';
import { Sketch } from '../json/sketch.ts';
import type { Place } from '../json/walk.ts';
import type { Taker } from './path-walk.ts';
import { boundary } from './place.ts';

/** Holds a value of which at most `room` characters of JSON can be shown: enough of it for that, and not much more. */
export function holding(room: number, done: (value: Held) => void): Taker {
  const sketch = Sketch.within({ textChars: room, listBytes: room / 2 });
  return Object.assign(sketch, { done: () => done(sketch.finish()) });
}

/** Hears a value without what is within its members. */
abstract class Outline implements Taker {
  #isOpen = false;

  abstract done(): void;
  member(): void {}
  key(_key: string): void {}
  text(_piece: string): void {}
  closeObject(): void {}
  closeArray(): void {}
  closeText(): void {}

  openObject(at: Place): void {
    this.#enter(at);
  }

  openArray(at: Place): void {
    this.#enter(at);
  }

  openText(at: Place): void {
    this.#enter(at);
  }

  value(): void {
    if (this.#isOpen) this.member();
  }

  #enter(at: Place): void {
    if (this.#isOpen) {
      this.member();
      at.skip();
    }
    this.#isOpen = true;
  }
}

/** Counts the items of a list, the entries of an object, the characters of a text; nothing of another value. */
export class Length extends Outline {
  readonly #done: (length: number) => void;
  #length = 0;

  constructor(done: (length: number) => void) {
    super();
    this.#done = done;
  }

  override member(): void {
    this.#length += 1;
  }

  override text(piece: string): void {
    this.#length += piece.length;
  }

  done(): void {
    this.#done(this.#length);
  }
}

/** Tells the keys of an object. */
export class Keys extends Outline {
  readonly #tell: (key: string) => void;

  constructor(tell: (key: string) => void) {
    super();
    this.#tell = tell;
  }

  override key(key: string): void {
    this.#tell(key);
  }

  done(): void {}
}

/** Keeps a stretch of a text. */
export class Stretch extends Outline {
  /** In UTF-16 code units, of the whole text. */
  length = 0;
  /** What it kept, from `from` on, or from the next character if `from` is inside of one. */
  kept = '';
  from: number;
  readonly #most: number;

  constructor(from: number, most: number) {
    super();
    this.from = from;
    this.#most = most;
  }

  override text(piece: string): void {
    const start = Math.max(0, this.from - this.length);
    this.length += piece.length;
    if (start >= piece.length || this.kept.length > this.#most) return;
    const first = boundary(piece, start);
    this.from += first - start;
    this.kept += piece.slice(first).toWellFormed();
  }

  done(): void {}
}
