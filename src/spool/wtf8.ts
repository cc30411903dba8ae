import { isUtf8 } from 'node:buffer';

/** Half of a surrogate pair as three bytes: what UTF-8 forbids and WTF-8 allows (https://wtf-8.codeberg.page). */
const LONE = /\xed[\xa0-\xbf][\x80-\xbf]/g;

/**
 * The text of a part's bytes, which begin and end between two characters. A lone surrogate comes back as it was;
 * whoever shows it makes it U+FFFD (`toWellFormed`), and its length stays one. What isn't WTF-8 is U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  let text = '';
  let from = 0;
  for (const { index } of buffer.toString('latin1').matchAll(LONE)) {
    text += buffer.toString('utf8', from, index) + loneAt(buffer, index);
    from = index + 3;
  }
  return text + buffer.toString('utf8', from);
}

function loneAt(buffer: Buffer, at: number): string {
  const [, second = 0, third = 0] = buffer.subarray(at, at + 3);
  return String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
}
