import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { wholeLength } from '../../text/wtf8.ts';
import type { Part } from '../types.ts';
import { goneError } from './parts.ts';

export type Unit = 'chars' | 'bytes' | 'lines';

/** A place between two characters of a text. */
export interface Place {
  /** UTF-16 code units before it. */
  readonly chars: number;
  /** Bytes before it. */
  readonly bytes: number;
  /** The line it is in, from 1. */
  readonly lines: number;
}

const START: Place = { chars: 0, bytes: 0, lines: 1 };

/** What is read at once while a place is looked for, in bytes. */
const CHUNK = 64 * 1024;

const NEWLINE = 0x0a;

/** The file of a text, read in stretches of whole characters; close it when done. */
export class TextFile {
  readonly part: Part;
  /** In bytes. */
  readonly size: number;
  readonly #file: FileHandle;

  private constructor(part: Part, size: number, file: FileHandle) {
    this.part = part;
    this.size = size;
    this.#file = file;
  }

  /** Throws `NOT_IN_SPOOL` if the file has been deleted or can't be read. */
  static async open(part: Part): Promise<TextFile> {
    let file: FileHandle | undefined;
    try {
      file = await open(part.path, 'r');
      return new TextFile(part, (await file.stat()).size, file);
    } catch (error) {
      await file?.close();
      throw goneError(part, error);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /**
   * The bytes from a character's start: at most `length` of them, as many as are whole characters, and one character
   * at least but at the end. They are UTF-8 of the same length as in the file: half of a surrogate pair is U+FFFD
   * there, and any other byte that is no UTF-8 is a question mark.
   */
  async read(from: number, length: number): Promise<Buffer> {
    const bytes = await this.#raw(from, Math.max(length, 4));
    const isEnd = from + bytes.length >= this.size;
    return mended(isEnd ? bytes : bytes.subarray(0, wholeLength(bytes)));
  }

  /** As {@link read}, the bytes before a character's start: at most `length` of them. */
  async readBefore(to: number, length: number): Promise<Buffer> {
    const from = Math.max(0, to - length);
    // No character starts more than three bytes before one of its bytes.
    const start = Math.max(0, from - 3);
    const bytes = mended(await this.#raw(start, to - start));
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

  async #raw(from: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(length, Math.max(0, this.size - from)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  #checkpoint(unit: Unit, offset: number): Place {
    // Characters of what is no UTF-8 are counted here alone.
    const checkpoints = this.part.wtf8 ? [] : (this.part.checkpoints ?? []);
    const places = checkpoints.map(([chars, bytes, lines]) => ({ chars, bytes, lines }));
    return (
      places.findLast((place) => (unit === 'lines' ? place.lines < offset : place[unit] <= offset)) ?? START
    );
  }
}

/** The place behind a well-formed text that starts at `place`. */
export function after(place: Place, text: string): Place {
  let lines = place.lines;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return { chars: place.chars + text.length, bytes: place.bytes + Buffer.byteLength(text), lines };
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

/** The same index, or the next one if it is inside a surrogate pair. */
export function boundary(text: string, index: number): number {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index;
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

/** Whether a byte of UTF-8 is not the first of its character. */
function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** In Latin-1, a character of UTF-8 (RFC 3629), half of a surrogate pair, or a byte that is neither. */
const PIECES =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|(\xed[\xa0-\xbf][\x80-\xbf])|([\x80-\xff])/g;

function mended(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const text = bytes
    .toString('latin1')
    .replace(PIECES, (piece, lone?: string, stray?: string) => (lone ? '\xef\xbf\xbd' : stray ? '?' : piece));
  return Buffer.from(text, 'latin1');
}
