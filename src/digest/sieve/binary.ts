import { zeroMarkedUtf16 } from '../content/decode.ts';
import { binaryExtensions } from '../language/linguist.gen.ts';

const extensions = new Set(binaryExtensions());

/** Whether a name's extension is one of binary files. A hint only: what a file is, its content says. */
export function likelyBinary(path: string): boolean {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') && extensions.has(path.slice(dot + 1).toLowerCase());
}

/** How many bytes of a file are looked at; git's FIRST_FEW_BYTES. */
const LOOKED_AT = 8_000;

/** How binary formats begin that may go on without a NUL for long. */
const MAGIC = [
  '%PDF-',
  '\x89PNG\r\n\x1a\n',
  'GIF87a',
  'GIF89a',
  '\xff\xd8\xff', // JPEG
  'PK\x03\x04', // ZIP and all that is one: JAR, DOCX, wheels
  'PK\x05\x06',
  '\x1f\x8b', // gzip
  '\x1f\x9d', // compress
  'BZh91AY&SY', // bzip2 at its default level
  '\xfd7zXZ',
  '\x28\xb5\x2f\xfd', // Zstandard
  '\x04\x22\x4d\x18', // LZ4
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  '!<arch>\n', // static libraries, Debian packages
  '\x7fELF',
  '\xca\xfe\xba\xbe', // Java classes, fat Mach-O
  '\xce\xfa\xed\xfe', // Mach-O
  '\xcf\xfa\xed\xfe',
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  'OggS',
  'fLaC',
  'wOFF',
  'wOF2',
  'SQLite format 3',
].map((start) => Buffer.from(start, 'latin1'));

/**
 * Whether a file's content is binary. As git has it, a NUL byte in the first 8,000 makes it so (`buffer_is_binary`),
 * but UTF-16 and UTF-32 are text: with a byte order mark, or where the bytes are plainly UTF-16 without one.
 * Beyond git, known formats and bytes with a mix of control characters that no text has are binary without a NUL.
 * Single-byte and East Asian encodings are text.
 *
 * @param bytes a whole file, or at least its first 8,000 bytes
 */
export function isBinary(bytes: Buffer): boolean {
  const head = bytes.length > LOOKED_AT ? bytes.subarray(0, LOOKED_AT) : bytes;
  if (startsWithMark(head)) return false;
  if (head.includes(0)) return !isUtf16WithoutMark(head);
  return MAGIC.some((magic) => head.subarray(0, magic.length).equals(magic)) || hasControlsOfNoText(head);
}

/** The byte order marks of UTF-16 and UTF-32, in either order. */
function startsWithMark(head: Buffer): boolean {
  const [a, b, c, d] = head;
  return (
    (a === 0xff && b === 0xfe) ||
    (a === 0xfe && b === 0xff) ||
    (a === 0 && b === 0 && c === 0xfe && d === 0xff)
  );
}

/**
 * Text that will be decoded as UTF-16, of which at least half of the units are Latin, and none in all that is
 * looked at is a control character.
 */
function isUtf16WithoutMark(head: Buffer): boolean {
  const encoding = zeroMarkedUtf16(head);
  if (encoding === undefined) return false;
  let latin = 0;
  for (let i = 0; i + 1 < head.length; i += 2) {
    const unit = encoding === 'UTF-16LE' ? head.readUInt16LE(i) : head.readUInt16BE(i);
    if ((unit < 0x20 && !(unit >= 0x09 && unit <= 0x0d)) || (unit >= 0x7f && unit < 0xa0)) return false;
    if (unit < 0x100) latin++;
  }
  return latin * 4 >= head.length;
}

/**
 * Control characters of which text has none or few: not white space, backspace, the shifts and escapes of ISO 2022
 * and terminals, or the end mark of old DOS files.
 */
const ODD_CONTROLS = new Set([
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1c,
  0x1d, 0x1e, 0x1f, 0x7f,
]);

/** Compressed data has nearly nine odd controls in a hundred bytes, of all kinds; data with odd separators one or two kinds. */
function hasControlsOfNoText(head: Buffer): boolean {
  let count = 0;
  const kinds = new Set<number>();
  for (const byte of head) {
    if ((byte < 0x20 || byte === 0x7f) && ODD_CONTROLS.has(byte)) {
      count++;
      kinds.add(byte);
    }
  }
  return kinds.size >= 4 && count * 33 > head.length;
}
