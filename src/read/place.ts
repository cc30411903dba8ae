import { isUtf8 } from 'node:buffer';

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

export const START: Place = { chars: 0, bytes: 0, lines: 1 };

/** The place behind a well-formed text that starts at `place`. */
export function after(place: Place, text: string): Place {
  return {
    chars: place.chars + text.length,
    bytes: place.bytes + Buffer.byteLength(text),
    lines: place.lines + newlinesIn(text),
  };
}

export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The same index, or the next one if it is inside a surrogate pair. */
export function boundary(text: string, index: number): number {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index;
}

/** Whether a byte of UTF-8 is not the first of its character. */
export function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** In Latin-1, a character of UTF-8 (RFC 3629), half of a surrogate pair, or a byte that is neither. */
const PIECES =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|(\xed[\xa0-\xbf][\x80-\xbf])|([\x80-\xff])/g;

/**
 * UTF-8 of the same length: half of a surrogate pair is U+FFFD there, and any other byte that is no UTF-8 is a
 * question mark.
 */
export function mended(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const text = bytes
    .toString('latin1')
    .replace(PIECES, (piece, lone?: string, stray?: string) => (lone ? '\xef\xbf\xbd' : stray ? '?' : piece));
  return Buffer.from(text, 'latin1');
}
