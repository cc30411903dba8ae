import { LongText } from '../../json/held.ts';
import { isBase64Url } from '../../json/long-text.ts';

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
/** Of base64url, letters of its own are a 32nd: of names and numbers that such letters join, more are. */
const URL_LETTERS = /[-_]/g;
const MOST_URL_LETTERS = 1 / 12;
const FIRST_LINE = /^([A-Za-z0-9+/]{16,1024})(\r?\n)/;
/** Base64 in longer lines isn't seen as such. */
const LONGEST_LINE = 1024;
/** How long what stands before the base64 of a `data:` URI may be. */
const MOST_URI_HEAD = 1024;
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

const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/;

const MAGIC = KINDS.map(([magic, mimeType, extension]) => ({
  magic: new RegExp(`^${magic}`),
  mimeType,
  extension,
}));
const UNKNOWN = { mimeType: 'application/octet-stream', extension: 'bin' };
const TEXT = { mimeType: 'text/plain', extension: 'txt' };

/**
 * What a string holds if it is base64: a `data:` URI, or a long string of nothing but base64 (RFC 4648, section 4),
 * in one line or in lines of one length (RFC 2045, section 6.8), whose first bytes are those of a known kind of file,
 * or whose characters are mixed as only encoded bytes are. Base64url (RFC 4648, section 5) is seen by that mixture alone.
 * Of a long text the ends are looked at, and its lines counted.
 *
 * `declared` strings, of which a schema says that they are base64, may be short and need no such sign; strings that
 * are `said` to be by what stands beside them have to be long.
 */
export function mediaOf(text: string | LongText, declared = false, said = false): Media | undefined {
  const head = text instanceof LongText ? text.head : text;
  const uri = DATA_URI.exec(head.slice(0, MOST_URI_HEAD));
  if (uri) return inDataUri(text, uri[0].length, uri[1]);
  if (!declared && charsOf(text) < LEAST) return undefined;
  const letters = lettersOf(text);
  if (letters === undefined) return undefined;
  const sample = head.slice(0, SAMPLE).replace(/\s/g, '');
  const kind = kindOf(sample);
  if (!declared && !said && !isShown(sample, letters, kind !== undefined)) return undefined;
  return { ...(kind ?? unknownKind(sample)), bytes: decoded(letters, text) };
}

/** The base64 (not base64url) of a string that holds media: padded, in one line, without what stands before it in a `data:` URI. */
export function base64Of(text: string): string {
  const uri = DATA_URI.exec(text.slice(0, MOST_URI_HEAD));
  const letters = text.slice(uri?.[0].length ?? 0).replace(/\s/g, '');
  return letters
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(4 * Math.ceil(letters.length / 4), '=');
}

function inDataUri(text: string | LongText, start: number, mimeType: string | undefined): Media | undefined {
  const length = charsOf(text) - start;
  const payload = (text instanceof LongText ? text.head : text).slice(start);
  if (length < LEAST || !BASE64.test(payload)) return undefined;
  const kind = kindOf(payload);
  return {
    mimeType: mimeType?.toLowerCase() ?? kind?.mimeType ?? UNKNOWN.mimeType,
    extension: extensionOf(mimeType) ?? kind?.extension ?? UNKNOWN.extension,
    bytes: decoded(length, text),
  };
}

function charsOf(text: string | LongText): number {
  return text instanceof LongText ? text.chars : text.length;
}

/** How many letters of base64 a text has, if it has nothing else but line ends between lines of one length. */
function lettersOf(text: string | LongText): number | undefined {
  const head = text instanceof LongText ? text.head : text;
  const [, line, end] = FIRST_LINE.exec(head.slice(0, LONGEST_LINE + 2)) ?? [];
  let letters = charsOf(text);
  if (line === undefined || end === undefined) {
    if (text instanceof LongText ? text.isBase64Url : isBase64Url(text)) return letters;
    if (!(text instanceof LongText ? text.isBase64 : BASE64.test(text))) return undefined;
  } else {
    const tail = text instanceof LongText ? text.tail : '';
    const last = tail === '' ? head.split(end) : tail.split(end).slice(1);
    const first = tail === '' ? [] : head.split(end).slice(0, -1);
    if (last.at(-1) === '') last.pop();
    if (!areLines([...first, ...last], line.length)) return undefined;
    const count = text instanceof LongText ? text.lines : last.length;
    letters -= end.length * (count - ((tail || head).endsWith(end) ? 0 : 1));
    if (Math.ceil(letters / line.length) !== count) return undefined;
  }
  return letters % 4 === 0 ? letters : undefined;
}

/** Whether lines are base64, all of one length but for the last. */
function areLines(lines: readonly string[], length: number): boolean {
  return lines.slice(0, -1).every((line) => line.length === length) && BASE64.test(lines.join(''));
}

function extensionOf(mimeType: string | undefined): string | undefined {
  return MAGIC.find((kind) => kind.mimeType === mimeType?.toLowerCase())?.extension;
}

function kindOf(base64: string): Omit<Media, 'bytes'> | undefined {
  const start = Buffer.from(base64.slice(0, 24), 'base64').toString('hex');
  const kind = MAGIC.find(({ magic }) => magic.test(start));
  return kind && { mimeType: kind.mimeType, extension: kind.extension };
}

/** What base64 holds whose first bytes are those of no known kind: a text, or just bytes. */
function unknownKind(sample: string): Omit<Media, 'bytes'> {
  const bytes = Buffer.from(sample, 'base64');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return CONTROL.test(text) ? UNKNOWN : TEXT;
  } catch {
    return UNKNOWN;
  }
}

/** How many bytes so many characters of base64 are; the padding is at the text's end. */
function decoded(length: number, text: string | LongText): number {
  const whole = text instanceof LongText ? text.tail || text.head : text;
  const end = whole.slice(-4).trimEnd();
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0;
  return Math.floor((length * 3) / 4) - padding;
}

/** Whether its start shows that a text with so many letters is base64, or, with letters of its own, base64url. */
function isShown(sample: string, letters: number, hasKind: boolean): boolean {
  if (/[-_]/.test(sample)) return isMixed(sample);
  return letters % 4 === 0 && (hasKind || isMixed(sample));
}

/** Whether a text is a mixture of capitals, small letters and digits, nearly all of them there. */
function isMixed(sample: string): boolean {
  const count = (characters: RegExp) => sample.match(characters)?.length ?? 0;
  return (
    new Set(sample).size >= 40 &&
    count(/[A-Z]/g) >= sample.length / 5 &&
    count(/[a-z]/g) >= sample.length / 5 &&
    count(/[0-9]/g) >= sample.length / 20 &&
    count(URL_LETTERS) <= sample.length * MOST_URL_LETTERS
  );
}
