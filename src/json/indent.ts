/** Takes what an `Indenter` gives. */
export interface IndentedLines {
  /** Bytes of the JSON itself: those from `from` to `to` in `bytes`, of which the first stands at `at` in the whole. */
  copy(bytes: Uint8Array, from: number, to: number, at: number): void;
  /** Spaces that are not of the JSON itself. */
  space(count: number): void;
  /** The end of a line. */
  end(): void;
}

/** Spaces a level. */
const STEP = 2;
/** Deeper levels are indented no further, or a million brackets would take a trillion spaces. */
const DEEPEST = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Lays JSON out as `JSON.stringify(value, null, 2)` does, bytes for bytes, without holding it: strings, numbers and
 * keys stay as they are written. What isn't JSON is laid out somehow.
 */
export class Indenter {
  readonly #lines: IndentedLines;
  #depth = 0;
  /** Whether the last thing was a bracket that opens: an empty container stays on one line. */
  #isOpen = false;
  #inString = false;
  #isEscaped = false;
  #at = 0;

  constructor(lines: IndentedLines) {
    this.#lines = lines;
  }

  /** Takes the JSON's next bytes, split anywhere. */
  write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      from = this.#inString ? this.#takeString(bytes, from) : this.#takeToken(bytes, from);
    }
    this.#at += bytes.length;
  }

  /** Takes on with a string, and gives where it ends in `bytes`. */
  #takeString(bytes: Uint8Array, from: number): number {
    let to = from;
    while (to < bytes.length) {
      const byte = bytes[to++];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        break;
      }
    }
    this.#copy(bytes, from, to);
    return to;
  }

  #takeToken(bytes: Uint8Array, from: number): number {
    const byte = bytes[from] as number;
    if (byte <= 0x20) return from + 1;
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#beforeValue();
        this.#copy(bytes, from, from + 1);
        this.#depth += 1;
        this.#isOpen = true;
        return from + 1;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#depth = Math.max(0, this.#depth - 1);
        if (!this.#isOpen) this.#newLine();
        this.#isOpen = false;
        this.#copy(bytes, from, from + 1);
        return from + 1;
      case COMMA:
        this.#copy(bytes, from, from + 1);
        this.#newLine();
        return from + 1;
      case COLON:
        this.#copy(bytes, from, from + 1);
        this.#lines.space(1);
        return from + 1;
      case QUOTE:
        this.#beforeValue();
        this.#copy(bytes, from, from + 1);
        this.#inString = true;
        return from + 1;
      default:
        this.#beforeValue();
        return this.#takeScalar(bytes, from);
    }
  }

  #takeScalar(bytes: Uint8Array, from: number): number {
    let to = from + 1;
    while (to < bytes.length && isScalar(bytes[to] as number)) to += 1;
    this.#copy(bytes, from, to);
    return to;
  }

  #beforeValue(): void {
    if (this.#isOpen) this.#newLine();
    this.#isOpen = false;
  }

  #newLine(): void {
    this.#lines.end();
    this.#lines.space(STEP * Math.min(this.#depth, DEEPEST));
  }

  #copy(bytes: Uint8Array, from: number, to: number): void {
    this.#lines.copy(bytes, from, to, this.#at + from);
  }
}

/** Letters, digits, points and signs other than those of JSON's structure. */
function isScalar(byte: number): boolean {
  return (
    byte > 0x20 &&
    byte !== COMMA &&
    byte !== COLON &&
    byte !== QUOTE &&
    (byte | 0x20) !== OPEN_OBJECT &&
    (byte | 0x20) !== CLOSE_OBJECT
  );
}
