/**
 * Which legacy encoding bytes are in that are not Unicode: by chardet's statistics on the lines that matter,
 * corrected by what a person would see at once in the decoded text.
 *
 * Three things make the plain statistics go wrong on source code, and are mended here: most of a file is
 * ASCII (so only lines with other bytes are looked at), a few words are too few to count (so they are
 * repeated until there is enough), and all candidates are taken at their word (so each is weighed by whether
 * its text looks written: everyday characters, words in one script and one case, accents among letters).
 *
 * @param bytes hold at least one byte above 0x7f
 * @returns undefined where no encoding makes sense of them
 */
export async function legacyEncoding(bytes: Buffer): Promise<string | undefined> {
  const [{ analyse }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const sample = telltaleLines(bytes);
  const raw = sample.toString('latin1');
  const high = (raw.match(HIGH) ?? []).length;
  const accents = (raw.match(ACCENTS) ?? []).join('').length / high;
  const asLatin = Math.min(1, accents * 1.6);
  const asOther = Math.min(1, (1 - accents) * 2);
  const found = new Map(analyse(repeated(sample)).map((match) => [match.name as string, match.confidence]));
  let best: string | undefined;
  let bestScore = 0;
  const offer = (name: string, score: number) => {
    if (score > bestScore) {
      best = name;
      bestScore = score;
    }
  };
  for (const [name, characters] of WIDE) {
    const confidence = Math.max(found.get(name) ?? 0, LEAST_CONFIDENCE);
    offer(name, confidence * wideLikeness(raw, name, characters) * asOther);
  }
  const western = hasC1(bytes) ? 'windows-1252' : 'ISO-8859-1';
  for (const name of [western, 'windows-1251', 'KOI8-R']) {
    found.set(name, Math.max(found.get(name) ?? 0, LEAST_CONFIDENCE));
  }
  for (const [name, confidence] of found) {
    const text = () => iconv.decode(sample, name);
    const other = OTHER_ALPHABETS.get(name);
    if (name === western) {
      offer(name, confidence * 1.1 * asLatin * (1 - symbolsInWords(raw) / high) ** 3 * wordLikeness(text()));
    } else if (LATIN.has(name)) {
      offer(name, confidence * asLatin * Math.min(1, high / FEW) * wordLikeness(text()));
    } else if (other !== undefined) {
      offer(name, confidence * other * asOther * wordLikeness(text()));
    }
  }
  return best;
}

/** What the likeliest candidates count at least, since chardet gives nothing for a sample it finds too small. */
const LEAST_CONFIDENCE = 20;

/** So few bytes above 0x7f say little, and most programs' few accents are Western European. */
const FEW = 8;

const SAMPLE_SIZE = 2048;
const LINE_SIZE = 512;
const LEAD_SIZE = 64;

/** The lines with bytes above 0x7f, long ones in part, up to 2 KiB in all. */
function telltaleLines(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  let lineStart = 0;
  for (let i = 0; i < bytes.length && size < SAMPLE_SIZE; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === 0x0a) {
      lineStart = i + 1;
    } else if (byte > 0x7f) {
      const newline = bytes.indexOf(0x0a, i);
      const lineEnd = newline < 0 ? bytes.length : newline + 1;
      const part = bytes.subarray(Math.max(lineStart, i - LEAD_SIZE), Math.min(lineEnd, i + LINE_SIZE));
      parts.push(part);
      size += part.length;
      i = lineEnd - 1;
      lineStart = lineEnd;
    }
  }
  return Buffer.concat(parts);
}

/** Whether there are bytes that are controls in ISO 8859 but punctuation in the code pages of Windows. */
function hasC1(bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x80 && byte <= 0x9f) {
      return true;
    }
  }
  return false;
}

const ENOUGH = 2000;

function repeated(sample: Buffer): Buffer {
  const line = Buffer.concat([sample, Buffer.from('\n')]);
  return Buffer.concat(Array.from({ length: Math.ceil(ENOUGH / line.length) }, () => line));
}

/**
 * How encodings of two bytes a character read a byte string (as `latin1`): group 1 is a character of the kind
 * that makes up everyday text (kana, punctuation, the first level of JIS X 0208, GB 2312 and Big5, the
 * syllables of KS X 1001), group 2 a byte that is invalid, no group any other character.
 */
const WIDE: ReadonlyMap<string, RegExp> = new Map([
  [
    'Shift_JIS',
    /([\x81-\x83\x88-\x97][\x40-\x7e\x80-\xfc])|[\x84-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]|([\x80-\xff])/g,
  ],
  [
    'EUC-JP',
    /([\xa1\xa3-\xa5\xb0-\xcf][\xa1-\xfe])|\x8e[\xa1-\xdf]|\x8f[\xa1-\xfe]{2}|[\xa1-\xfe]{2}|([\x80-\xff])/g,
  ],
  ['EUC-KR', /([\xa1\xa3\xb0-\xc8][\xa1-\xfe])|[\x81-\xfe][\x41-\x5a\x61-\x7a\x81-\xfe]|([\x80-\xff])/g],
  [
    'GB18030',
    /([\xa1\xa3\xb0-\xd7][\xa1-\xfe])|[\x81-\xfe](?:[\x40-\x7e\x80-\xfe]|[0-9][\x81-\xfe][0-9])|([\x80-\xff])/g,
  ],
  ['Big5', /([\xa1-\xc6][\x40-\x7e\xa1-\xfe])|[\x81-\xfe][\x40-\x7e\xa1-\xfe]|([\x80-\xff])/g],
]);

const EUC_KANA = /[\xa4\xa5][\xa1-\xf6]/;

/** From 0 (can't be) to 1 (all everyday characters). */
function wideLikeness(raw: string, name: string, characters: RegExp): number {
  let everyday = 0;
  let invalid = 0;
  let all = 0;
  for (const match of raw.matchAll(characters)) {
    all++;
    if (match[1] !== undefined) {
      everyday++;
    } else if (match[2] !== undefined && match.index < raw.length - 1) {
      invalid++; // at the end it may be the half of a character
    }
  }
  if (invalid * 20 > all) {
    return 0;
  }
  const kanaMissing = name === 'EUC-JP' && !EUC_KANA.test(raw);
  return (everyday / all) ** 2 * (kanaMissing ? 0.7 : 1);
}

/** Encodings of the Latin alphabet that chardet names, but for Western European. */
const LATIN: ReadonlySet<string> = new Set([
  'ISO-8859-2',
  'windows-1250',
  'ISO-8859-9',
  'windows-1254',
  'windows-1257',
  'windows-1258',
]);

/** Encodings of other alphabets; the rarer in source code, the less finding one counts. */
const OTHER_ALPHABETS: ReadonlyMap<string, number> = new Map([
  ['windows-1251', 1],
  ['KOI8-R', 1],
  ['ISO-8859-7', 0.6],
  ['windows-1253', 0.6],
  ['windows-874', 0.6],
  ['ISO-8859-5', 0.4],
  ['ISO-8859-6', 0.4],
  ['ISO-8859-8', 0.4],
  ['windows-1255', 0.4],
  ['windows-1256', 0.4],
]);

/**
 * Bytes above 0x7f where accented letters and punctuation stand in a Latin alphabet: alone, or two in a row
 * inside a word.
 */
const ACCENTS =
  /(?<![\x80-\xff])(?:[\x80\x82\x84\x85\x8a\x8c\x8e\x91-\x97\x99\x9a\x9c\x9e\xa0-\xff]|(?<=[A-Za-z])[\xc0-\xff]{2}|[\xc0-\xff]{2}(?=[A-Za-z]))(?![\x80-\xff])/g;
const HIGH = /[\x80-\xff]/g;

/** How many bytes would be symbols of ISO 8859-1 inside words, where none belongs. */
function symbolsInWords(raw: string): number {
  return (raw.match(/[a-z][\xa1-\xb6\xb8-\xbf](?=[a-z])/g) ?? []).length;
}

const WORDS = /\p{L}+|[^\0-\x7f]/gu;
const MIXED = /[A-Za-z]\P{Script=Latin}|\P{Script=Latin}[A-Za-z]/u;
const REGULAR = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|[^\ufffd\p{C}])$/u;

/** From 0 to 1: how many words and symbols beyond ASCII are known, in one script and in a regular case. */
function wordLikeness(text: string): number {
  let words = 0;
  let regular = 0;
  for (const [word] of text.matchAll(WORDS)) {
    if (NOT_ASCII.test(word)) {
      words++;
      regular += REGULAR.test(word) && !MIXED.test(word) ? 1 : 0;
    }
  }
  return (regular / words) ** 2;
}

const NOT_ASCII = /[^\0-\x7f]/;
