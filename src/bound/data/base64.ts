import { LongText } from '../../json/held.ts';

/** What a base64 string holds. */
export interface Media {
  /** `application/octet-stream` if its kind isn't known. */
  readonly mimeType: string;
  /** Of a file that holds it, without a dot. */
  readonly extension: string;
  /** Decoded. */
  readonly bytes: number;
}

/** Shorter strings are never taken for base64 unless they say so. */
const LEAST = 256;
/** How much of a string is looked at where its first bytes don't tell. */
const SAMPLE = 4096;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DATA_URI = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(?:;[a-z0-9-]+=[^;,]*)*;base64,/i;

/** First bytes of kinds of file, in hexadecimal; `..` is any byte. */
const KINDS: readonly (readonly [magic: string, mimeType: string, extension: string])[] = [
  ['89504e470d0a1a0a', 'image/png', 'png'],
  ['ffd8ff', 'image/jpeg', 'jpg'],
  ['47494638', 'image/gif', 'gif'],
  ['52494646........57454250', 'image/webp', 'webp'],
  ['52494646........57415645', 'audio/wav', 'wav'],
  ['424d........00000000', 'image/bmp', 'bmp'],
  ['49492a00', 'image/tiff', 'tiff'],
  ['4d4d002a', 'image/tiff', 'tiff'],
  ['00000100', 'image/x-icon', 'ico'],
  ['........6674797061766966', 'image/avif', 'avif'],
  ['........6674797068656963', 'image/heic', 'heic'],
  ['........667479704d3441', 'audio/mp4', 'm4a'],
  ['........66747970', 'video/mp4', 'mp4'],
  ['1a45dfa3', 'video/webm', 'webm'],
  ['494433', 'audio/mpeg', 'mp3'],
  ['fffb', 'audio/mpeg', 'mp3'],
  ['fff3', 'audio/mpeg', 'mp3'],
  ['fff2', 'audio/mpeg', 'mp3'],
  ['4f676753', 'audio/ogg', 'ogg'],
  ['664c6143', 'audio/flac', 'flac'],
  ['255044462d', 'application/pdf', 'pdf'],
  ['504b0304', 'application/zip', 'zip'],
  ['1f8b08', 'application/gzip', 'gz'],
  ['425a68', 'application/x-bzip2', 'bz2'],
  ['fd377a585a00', 'application/x-xz', 'xz'],
  ['377abcaf271c', 'application/x-7z-compressed', '7z'],
  ['774f4646', 'font/woff', 'woff'],
  ['774f4632', 'font/woff2', 'woff2'],
  ['0061736d', 'application/wasm', 'wasm'],
];

const MAGIC = KINDS.map(([magic, mimeType, extension]) => ({
  magic: new RegExp(`^${magic}`),
  mimeType,
  extension,
}));
const UNKNOWN = { mimeType: 'application/octet-stream', extension: 'bin' };

/**
 * What a string holds if it is base64: a `data:` URI, or a long string of nothing but base64 (RFC 4648, section 4)
 * whose first bytes are those of a known kind of file, or whose characters are mixed as only encoded bytes are.
 * `declared` strings need no such sign. Of a long text the ends are looked at.
 */
export function mediaOf(text: string | LongText, declared = false): Media | undefined {
  const head = text instanceof LongText ? text.head : text;
  const uri = DATA_URI.exec(head.slice(0, 1024));
  if (uri) return inDataUri(text, uri[0].length, uri[1]);
  const length = text instanceof LongText ? text.chars : text.length;
  if (length % 4 !== 0 || (!declared && length < LEAST)) return undefined;
  if (!(text instanceof LongText ? text.isBase64 : BASE64.test(text))) return undefined;
  const kind = kindOf(head);
  if (!kind && !declared && !isMixed(head)) return undefined;
  return { ...(kind ?? UNKNOWN), bytes: decoded(length, text) };
}

function inDataUri(text: string | LongText, start: number, mimeType: string | undefined): Media | undefined {
  const length = (text instanceof LongText ? text.chars : text.length) - start;
  const payload = (text instanceof LongText ? text.head : text).slice(start);
  if (length < LEAST || !BASE64.test(payload)) return undefined;
  const kind = kindOf(payload);
  return {
    mimeType: mimeType?.toLowerCase() ?? kind?.mimeType ?? UNKNOWN.mimeType,
    extension: extensionOf(mimeType) ?? kind?.extension ?? UNKNOWN.extension,
    bytes: decoded(length, text),
  };
}

function extensionOf(mimeType: string | undefined): string | undefined {
  return MAGIC.find((kind) => kind.mimeType === mimeType?.toLowerCase())?.extension;
}

function kindOf(base64: string): Omit<Media, 'bytes'> | undefined {
  const start = Buffer.from(base64.slice(0, 24), 'base64').toString('hex');
  const kind = MAGIC.find(({ magic }) => magic.test(start));
  return kind && { mimeType: kind.mimeType, extension: kind.extension };
}

/** How many bytes so many characters of base64 are; the padding is at the text's end. */
function decoded(length: number, text: string | LongText): number {
  const end = text instanceof LongText ? text.tail || text.head : text;
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0;
  return Math.floor((length * 3) / 4) - padding;
}

/** Whether a text is a mixture of capitals, small letters and digits, nearly all of them there. */
function isMixed(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  const count = (characters: RegExp) => sample.match(characters)?.length ?? 0;
  return (
    new Set(sample).size >= 40 &&
    count(/[A-Z]/g) >= sample.length / 5 &&
    count(/[a-z]/g) >= sample.length / 5 &&
    count(/[0-9]/g) >= sample.length / 20
  );
}
