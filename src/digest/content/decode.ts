import { isUtf8 } from 'node:buffer';

/** A file's text, always well-formed, and the usual name of the encoding its bytes are in. */
export interface Decoded {
  readonly text: string;
  readonly encoding: string;
}

/**
 * The text that bytes stand for. A byte order mark is left out of the text; what is invalid in the encoding
 * becomes U+FFFD, so that no input fails.
 *
 * Valid UTF-8 is taken as such at once. Otherwise a byte order mark decides, then the zero bytes of UTF-16
 * text, then whether most of the non-ASCII bytes are UTF-8 all the same (a damaged file stays UTF-8); what
 * remains is a legacy encoding, judged by its bytes. The detector and the decoder for those are loaded only
 * then.
 *
 * Names: `UTF-8`, `UTF-8 with BOM`, `UTF-16LE`, `UTF-16BE`, `UTF-32LE`, `UTF-32BE`, `Shift_JIS`, `EUC-JP`,
 * `EUC-KR`, `GB18030` (for GBK and GB2312 too), `Big5`, `KOI8-R`, `ISO-8859-…`, `windows-…`.
 *
 * @param head true where `bytes` are only the first part of a file: a character that is incomplete at their
 *   end is then left out instead of becoming U+FFFD.
 */
export async function decode(bytes: Buffer, head = false): Promise<Decoded> {
  const marked = markedUtf(bytes) ?? zeroMarkedUtf16(bytes);
  if (marked !== undefined) {
    return { text: await decodeAll(bytes, marked, head), encoding: marked };
  }
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const utf8 = hasBom ? 'UTF-8 with BOM' : 'UTF-8';
  const end = head ? endOfWholeUtf8(bytes) : bytes.length;
  if (isUtf8(end === bytes.length ? bytes : bytes.subarray(0, end))) {
    return { text: bytes.toString('utf8', hasBom ? 3 : 0, end), encoding: utf8 };
  }
  const text = await decodeAll(bytes, utf8, head);
  if (hasBom || isMostlyValid(text)) {
    return { text, encoding: utf8 };
  }
  const { legacyEncoding } = await import('./legacy.ts');
  const legacy = await legacyEncoding(bytes);
  return legacy === undefined
    ? { text, encoding: utf8 }
    : { text: await decodeAll(bytes, legacy, head), encoding: legacy };
}

/**
 * The length in UTF-16 code units of the text that a stream of bytes stands for, without holding it.
 * Equal to `(await decode(bytes)).text.length` for the same bytes in the encoding that `decode` names.
 * Throws an Error for an encoding that `decode` never names.
 */
export async function decodedLength(chunks: AsyncIterable<Buffer>, encoding: string): Promise<number> {
  const decoder = await decoderOf(encoding);
  let length = 0;
  for await (const chunk of betweenCharacters(chunks)) {
    length += decoder.write(chunk).length;
  }
  return length + decoder.end().length;
}

/** No byte of a character of several bytes is lower, in any encoding but UTF-16 and UTF-32. */
const LOWEST_TRAIL = 0x30;
const MOST_HELD = 65_536;

/**
 * The same bytes, cut behind a byte that ends a character: iconv-lite loses the end of a chunk that begins
 * inside a GB18030 character of four bytes. (UTF-16 and UTF-32 may be cut anywhere.)
 */
async function* betweenCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let end = bytes.length;
    while (end > 0 && (bytes[end - 1] ?? 0) >= LOWEST_TRAIL) {
      end--;
    }
    if (bytes.length - end > MOST_HELD) {
      end = bytes.length;
    }
    yield bytes.subarray(0, end);
    held = bytes.subarray(end);
  }
  yield held;
}

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

async function decodeAll(bytes: Buffer, encoding: string, head: boolean): Promise<string> {
  const decoder = await decoderOf(encoding);
  const text = decoder.write(bytes);
  return (head ? text : text + decoder.end()).toWellFormed();
}

async function decoderOf(encoding: string): Promise<Decoder> {
  if (encoding.startsWith('UTF-8') || encoding.startsWith('UTF-16')) {
    const decoder = new TextDecoder(encoding.startsWith('UTF-8') ? 'utf-8' : encoding);
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder(encoding);
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
}

/** The encoding that a byte order mark of UTF-16 or UTF-32 names. */
function markedUtf(bytes: Buffer): string | undefined {
  const first = bytes[0];
  if (first === 0xff && bytes[1] === 0xfe) {
    return bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0 ? 'UTF-32LE' : 'UTF-16LE';
  }
  if (first === 0xfe && bytes[1] === 0xff) {
    return 'UTF-16BE';
  }
  if (first === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) {
    return 'UTF-32BE';
  }
  return undefined;
}

const ZERO_SAMPLE = 1024;
const NOT_TEXT = /[\0-\x08\x0e-\x1f\x7f-\x9f\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]/u;

/**
 * `UTF-16LE` or `UTF-16BE` where bytes without a byte order mark are plainly UTF-16 text: all zero bytes among
 * the first 1,024 stand on one side of the 16-bit units, there is at least one in 32 units, a quarter of the
 * other units are not two ASCII characters, and no unit is a control character, surrogate half or private character.
 */
export function zeroMarkedUtf16(bytes: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const first = bytes.indexOf(0);
  if (first < 0 || first >= ZERO_SAMPLE || bytes.length < 4) {
    return undefined;
  }
  const sample = bytes.subarray(0, Math.min(ZERO_SAMPLE, bytes.length & ~1));
  let zeros = 0;
  let ascii = 0;
  for (let i = 0; i < sample.length; i += 2) {
    const even = sample[i] ?? 0;
    const odd = sample[i + 1] ?? 0;
    if (even === 0 && odd === 0) {
      return undefined;
    }
    if (even === 0 || odd === 0) {
      if ((even === 0 ? 0 : 1) !== (first & 1)) {
        return undefined;
      }
      zeros++;
    } else if (even < 0x80 && odd < 0x80) {
      ascii++;
    }
  }
  const units = sample.length / 2;
  if (zeros * 32 < units || ascii * 4 > (units - zeros) * 3) {
    return undefined;
  }
  const encoding = first & 1 ? 'UTF-16LE' : 'UTF-16BE';
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  return NOT_TEXT.test(text) || text.includes('\ufffd') ? undefined : encoding;
}

/** Where the last whole character of UTF-8 ends; bytes that can't be UTF-8 count as whole. */
function endOfWholeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return size > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

const NOT_ASCII = /[^\0-\x7f]/gu;

/**
 * Whether text decoded as UTF-8 was UTF-8, with some damage. A legacy encoding yields now and then what passes
 * for a sequence of two bytes, hardly ever one of three or four; so these count three times, and all together
 * must outweigh the replacement characters two to one. (Lines of legacy text in ten languages reach 0.2 to 0.5
 * to one.)
 */
function isMostlyValid(text: string): boolean {
  let valid = 0;
  let invalid = 0;
  for (const [character] of text.matchAll(NOT_ASCII)) {
    if (character === '\ufffd') {
      invalid++;
    } else {
      valid += character >= '\u0800' ? 3 : 1;
    }
  }
  return valid >= 2 * invalid;
}
