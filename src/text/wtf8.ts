import { isUtf8 } from 'node:buffer';

/** A high surrogate without a low one after it, or a low one without a high one before it. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text in UTF-8, in which lone surrogates take three bytes, as in WTF-8 (https://wtf-8.codeberg.page). */
export function encodeText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(LONE)) {
    const unit = text.charCodeAt(index);
    const lone = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
    pieces.push(Buffer.from(text.slice(from, index)), Buffer.from(lone));
    from = index + 1;
  }
  pieces.push(Buffer.from(text.slice(from)));
  return Buffer.concat(pieces);
}

/** How many of the bytes stand before a character of UTF-8 that they don't finish: all, or up to three fewer. */
export function wholeLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] as number;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? length - back : length;
  }
  return length;
}

/** Half of a surrogate pair as three bytes: what UTF-8 forbids and WTF-8 allows (https://wtf-8.codeberg.page). */
const LONE_BYTES = /\xed[\xa0-\xbf][\x80-\xbf]/g;

/**
 * The text of a part's bytes, which begin and end between two characters. A lone surrogate comes back as it was;
 * whoever shows it makes it U+FFFD (`toWellFormed`), and its length stays one. What isn't WTF-8 is U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  let text = '';
  let from = 0;
  for (const { index } of buffer.toString('latin1').matchAll(LONE_BYTES)) {
    text += buffer.toString('utf8', from, index) + loneAt(buffer, index);
    from = index + 3;
  }
  return text + buffer.toString('utf8', from);
}

function loneAt(buffer: Buffer, at: number): string {
  const [, second = 0, third = 0] = buffer.subarray(at, at + 3);
  return String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
}
