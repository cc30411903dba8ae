import { isUtf8 } from 'node:buffer';
import { decode } from '../../digest/content/decode.ts';
import { positionAt } from '../../json/problem.ts';
import { wholeLength } from '../../text/wtf8.ts';
import type { Remark } from './mend.ts';

/** A text made of bytes that may be in another encoding than UTF-8, or damaged. */
export interface LenientText {
  readonly text: string;
  /** What tells the encoding, if it isn't UTF-8. */
  readonly guess?: Remark;
  /** The bytes that are no UTF-8: how many, and the first of them. */
  readonly replaced: { readonly count: number; readonly first: readonly Remark[] };
}

const NONE = { count: 0, first: [] };
const REPLACEMENT = Buffer.from('\ufffd');

/**
 * The text of a file that was meant to be in UTF-8. What is valid stays, each byte that isn't becomes U+FFFD, of which up
 * to `most` are told, and a character that the end cuts is left out. UTF-16 and UTF-32 are read where a byte order mark or
 * zero bytes tell them; a legacy encoding is guessed only for a file without one valid character of several bytes.
 */
export async function lenientText(bytes: Buffer, most: number): Promise<LenientText> {
  const { text, encoding } = await decode(bytes, true);
  const guess = { line: 1, column: 1, key: '', what: `the file is taken to be in ${encoding}` };
  if (/^UTF-(?:16|32)/.test(encoding)) return { text, guess, replaced: NONE };
  const whole = bytes.subarray(0, wholeLength(bytes));
  if (isUtf8(whole)) return { text, replaced: NONE };
  const { valid, invalid, hasMultibyte } = replaceInvalid(whole);
  if (!encoding.startsWith('UTF-8') && !hasMultibyte) return { text, guess, replaced: NONE };
  const first = invalid.slice(0, most).map((offset, index): Remark => {
    const byte = whole[offset - index * (REPLACEMENT.length - 1)] as number;
    const what = `the byte 0x${byte.toString(16)} is no UTF-8`;
    return { ...positionAt(valid, offset), key: '', what };
  });
  return { text: valid.toString().replace(/^\ufeff/, ''), replaced: { count: invalid.length, first } };
}

/** Bytes with U+FFFD in the place of each that is no UTF-8, where it is put, and whether a character has several bytes. */
function replaceInvalid(bytes: Buffer): {
  readonly valid: Buffer;
  readonly invalid: readonly number[];
  readonly hasMultibyte: boolean;
} {
  const valid = Buffer.alloc(bytes.length * REPLACEMENT.length);
  const invalid: number[] = [];
  let hasMultibyte = false;
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = charLength(bytes, at);
    hasMultibyte ||= length > 1;
    if (length === 0) {
      invalid.push(size);
      size += REPLACEMENT.copy(valid, size);
    } else size += bytes.copy(valid, size, at, at + length);
    at += length || 1;
  }
  return { valid: valid.subarray(0, size), invalid, hasMultibyte };
}

/** How many bytes the character of UTF-8 at a place has; 0 if there is none. */
function charLength(bytes: Buffer, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return 1;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
