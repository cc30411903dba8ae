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
