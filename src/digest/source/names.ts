const REPLACED = '\ufffd';
const NOT_ASCII = /[^\0-\x7f]/;
const LONE_BYTE = /[\udc80-\udcff]/u;

/**
 * A file name's bytes as a string: UTF-8 where they are, and every other byte as the lone surrogate
 * U+DC00 + byte. No two names fall together, and `encodeName` gives the same bytes back.
 */
export function decodeName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes(REPLACED) ? decodeBytewise(bytes) : text;
}

/** The bytes of a name that `decodeName` made. */
export function encodeName(name: string): Buffer {
  if (!LONE_BYTE.test(name)) return Buffer.from(name, 'utf8');
  const parts: Buffer[] = [];
  for (const char of name) {
    const code = char.codePointAt(0) as number;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(char, 'utf8'));
  }
  return Buffer.concat(parts);
}

/** True where a name has bytes that are not UTF-8, so that only its bytes can name it to the system. */
export function isRawName(name: string): boolean {
  return LONE_BYTE.test(name);
}

/** A name with one character for each of its bytes, which is what git's patterns are matched against. */
export function byteString(name: string): string {
  return NOT_ASCII.test(name) ? encodeName(name).toString('latin1') : name;
}

function decodeBytewise(bytes: Buffer): string {
  let name = '';
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    name += bytes.toString('utf8', valid, at) + String.fromCharCode(0xdc00 + (bytes[at] as number));
    at += 1;
    valid = at;
  }
  return name + bytes.toString('utf8', valid);
}

/** How many bytes the well-formed sequence at `at` has, by table 3-7 of the Unicode Standard; 0 for none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
