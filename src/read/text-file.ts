import { ENVELOPE } from '../spool/envelope.ts';
import type { Kept, Part } from '../spool/types.ts';
import { wholeLength } from '../text/wtf8.ts';
import { after, boundary, isWithinCharacter, mended, type Place, START, type Unit } from './place.ts';
import { FileSource, type Source } from './source.ts';
import { wholeOf } from './whole.ts';

/** What is read at once while a place is looked for, in bytes. */
const CHUNK = 64 * 1024;

const NEWLINE = 0x0a;

/** A kept text, read in stretches of whole characters; close it when done. */
export class TextFile {
  readonly part: Part;
  readonly #source: Source;

  private constructor(part: Part, source: Source) {
    this.part = part;
    this.#source = source;
  }

  /**
   * The file of a part. Of a result with other parts, the part `result` is all of its JSON, these parts in their
   * places. Throws `NOT_IN_SPOOL` if a file has been deleted or can't be read.
   */
  static async open(kept: Kept, part: Part): Promise<TextFile> {
    const isWhole = part.name === ENVELOPE && kept.parts.length > 1;
    return new TextFile(part, isWhole ? await wholeOf(kept, part) : await FileSource.open(part));
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  /** How many there are. */
  count(unit: Unit): number {
    return this.#source[unit];
  }

  /**
   * The bytes from a character's start: at most `length` of them, as many as are whole characters, and one character
   * at least but at the end, as {@link mended}.
   */
  async read(from: number, length: number): Promise<Buffer> {
    const bytes = await this.#source.read(from, Math.max(length, 4));
    const isEnd = from + bytes.length >= this.count('bytes');
    return mended(isEnd ? bytes : bytes.subarray(0, wholeLength(bytes)));
  }

  /** As {@link read}, the bytes before a character's start: at most `length` of them. */
  async readBefore(to: number, length: number): Promise<Buffer> {
    const from = Math.max(0, to - length);
    // No character starts more than three bytes before one of its bytes.
    const start = Math.max(0, from - 3);
    const bytes = mended(await this.#source.read(start, to - start));
    let at = from - start;
    while (isWithinCharacter(bytes[at])) at++;
    return bytes.subarray(at);
  }

  /**
   * The first place at which there are `offset` characters or bytes before it, or at which line `offset` starts; the
   * end if there is none. Reads from the nearest checkpoint on.
   */
  async seek(unit: Unit, offset: number): Promise<Place> {
    let place = this.#checkpoint(unit, offset);
    while (place[unit] < offset) {
      const bytes = await this.read(place.bytes, CHUNK);
      if (bytes.length === 0) break;
      place = after(place, bytes.toString('utf8', 0, lengthUntil(bytes, unit, offset - place[unit])));
    }
    return place;
  }

  /** The exact bytes of a stretch. */
  async *bytes(from: number, to: number): AsyncIterable<Buffer> {
    for (let at = from; at < to; ) {
      const bytes = await this.#source.read(at, Math.min(CHUNK, to - at));
      if (bytes.length === 0) return;
      yield bytes;
      at += bytes.length;
    }
  }

  #checkpoint(unit: Unit, offset: number): Place {
    return (
      this.#source.checkpoints.findLast((place) =>
        unit === 'lines' ? place.lines < offset : place[unit] <= offset,
      ) ?? START
    );
  }
}

/**
 * How many of the bytes, which are whole characters of UTF-8, come before the first character that is `count` units
 * away; undefined if there are fewer units.
 */
export function lengthUntil(bytes: Buffer, unit: Unit, count: number): number | undefined {
  if (unit === 'lines') return lengthOfLines(bytes, count);
  if (unit === 'chars') {
    const text = bytes.toString();
    return text.length < count ? undefined : Buffer.byteLength(text.slice(0, boundary(text, count)));
  }
  let length = count;
  while (isWithinCharacter(bytes[length])) length++;
  return bytes.length < count ? undefined : length;
}

function lengthOfLines(bytes: Uint8Array, count: number): number | undefined {
  let end = 0;
  for (let line = 0; line < count; line++) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline < 0) return undefined;
    end = newline + 1;
  }
  return end;
}
