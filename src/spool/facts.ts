import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { decodeText, wholeLength } from '../text/wtf8.ts';
import type { Checkpoint } from './types.ts';

/** A checkpoint stands after about so many bytes. */
const STEP = 1024 * 1024;

const NEWLINE = 0x0a;

export interface TextFacts {
  readonly bytes: number;
  /** In UTF-16 code units, as `decodeText` gives them. */
  readonly chars: number;
  /** Newlines, and one more if the text doesn't end in one. */
  readonly lines: number;
  /** The longest line, without its newline. */
  readonly longestLine: number;
  readonly ascii: boolean;
  readonly wtf8: boolean;
  readonly checkpoints: readonly Checkpoint[];
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Counts a text while it comes. */
export class FactsGatherer {
  readonly #hash = createHash('sha256');
  readonly #checkpoints: Checkpoint[] = [];
  #bytes = 0;
  #chars = 0;
  #newlines = 0;
  /** Where the line starts that isn't finished, in characters. */
  #lineStart = 0;
  #longestLine = 0;
  #ascii = true;
  #utf8 = true;
  /** The start of a character that isn't finished. */
  #rest: Uint8Array = new Uint8Array(0);

  /** Takes the text's next bytes, split anywhere. */
  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let from = 0; from < bytes.length; from += STEP) this.#step(bytes.subarray(from, from + STEP));
  }

  finish(): TextFacts {
    this.#count(this.#rest);
    this.#endLine(this.#chars);
    return {
      bytes: this.#bytes,
      chars: this.#chars,
      lines: this.#newlines + (this.#lineStart < this.#chars ? 1 : 0),
      longestLine: this.#longestLine,
      ascii: this.#ascii,
      wtf8: !this.#utf8,
      checkpoints: this.#checkpoints,
      sha256: this.#hash.digest('hex'),
    };
  }

  #step(bytes: Uint8Array): void {
    const known = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const whole = wholeLength(known);
    this.#count(known.subarray(0, whole));
    this.#rest = Uint8Array.from(known.subarray(whole));
    if (this.#bytes >= (this.#checkpoints.length + 1) * STEP) {
      this.#checkpoints.push([this.#chars, this.#bytes, this.#newlines + 1]);
    }
  }

  #count(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (isAscii(bytes)) {
      this.#countAscii(bytes);
      return;
    }
    this.#ascii = false;
    if (isUtf8(bytes)) {
      this.#countUtf8(bytes);
      return;
    }
    this.#utf8 = false;
    this.#countUtf8(Buffer.from(decodeText(bytes).toWellFormed()));
  }

  #countAscii(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      this.#newline(this.#chars + at);
    }
    this.#chars += bytes.length;
  }

  #countUtf8(bytes: Uint8Array): void {
    let chars = this.#chars;
    // Far faster than iterating.
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === NEWLINE) this.#newline(chars);
      if ((byte & 0xc0) !== 0x80) chars += byte >= 0xf0 ? 2 : 1;
    }
    this.#chars = chars;
  }

  #newline(at: number): void {
    this.#endLine(at);
    this.#newlines += 1;
    this.#lineStart = at + 1;
  }

  #endLine(at: number): void {
    this.#longestLine = Math.max(this.#longestLine, at - this.#lineStart);
  }
}
