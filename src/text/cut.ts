import { ESCAPE_SEQUENCE } from './controls.ts';

/** A line end counts as near if cutting there costs at most this share of the room, and so many characters. */
const NEAR_SHARE = 1 / 4;
const NEAR = 1000;

/**
 * How far back a cut may move to stay out of a character that is built of several, in UTF-16 code units.
 * Unicode's stream-safe format (UAX #15, section 13) has at most 30 marks on a character; this is far more.
 */
const REACH = 128;

/** How long an escape sequence may be that a cut stays out of, in UTF-16 code units: hyperlinks are mostly shorter. */
const ESCAPE_REACH = 4096;

/**
 * The longest head of `text` of at most `max` UTF-16 code units that damages nothing; the same string if all
 * of it fits.
 *
 * It ends at a line end (newline included) if one is near: if that costs at most a quarter of `max` and at
 * most 1,000 characters. Otherwise it ends between two characters as a reader sees them: never inside a
 * surrogate pair, a CRLF, a base with its marks, a joined or modified emoji, a flag, a Hangul syllable, nor inside
 * a terminal's escape sequence of at most 4,096 code units. Only where one such character reaches back more than
 * 128 code units is it cut all the same, but never inside a surrogate pair or a CRLF.
 */
export function cutHead(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const room = Math.max(0, Math.floor(max));
  const near = Math.min(NEAR, Math.floor(room * NEAR_SHARE));
  const lineEnd = text.slice(room - near, room).lastIndexOf('\n');
  if (lineEnd >= 0) {
    return text.slice(0, room - near + lineEnd + 1);
  }
  const end = boundary(text, room, -1) ?? (splitsPair(text, room) ? room - 1 : room);
  return text.slice(0, end);
}

/**
 * The longest tail of `text` of at most `max` UTF-16 code units that damages nothing; the same string if all of it
 * fits. It starts at a line start if one is near, else between two characters, as {@link cutHead} ends.
 */
export function cutTail(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const room = Math.max(0, Math.floor(max));
  const first = text.length - room;
  const near = Math.min(NEAR, Math.floor(room * NEAR_SHARE));
  const lineEnd = text.slice(first - 1, first + near).indexOf('\n');
  if (lineEnd >= 0) {
    return text.slice(first + lineEnd);
  }
  const start = boundary(text, first, 1) ?? (splitsPair(text, first) ? first + 1 : first);
  return text.slice(start);
}

/** The length of the longest run of one character (a single UTF-16 code unit) in a text. */
export function longestRun(text: string, char: string): number {
  const code = char.charCodeAt(0);
  let longest = 0;
  let start = text.indexOf(char);
  while (start >= 0) {
    let end = start + 1;
    while (text.charCodeAt(end) === code) {
      end++;
    }
    longest = Math.max(longest, end - start);
    start = text.indexOf(char, end);
  }
  return longest;
}

/** The next place from `from` on, in a direction, where a cut damages nothing; undefined if there is none in reach. */
function boundary(text: string, from: number, direction: 1 | -1): number | undefined {
  let at = from;
  for (let steps = 0; steps <= REACH; steps++) {
    if (at <= 0 || at >= text.length) {
      return at;
    }
    const around = escapeAround(text, at);
    if (around) {
      at = direction < 0 ? around.start : around.end;
    } else if (isBoundary(text, at)) {
      return at;
    } else {
      at += direction;
    }
  }
  return undefined;
}

const ESCAPE = new RegExp(ESCAPE_SEQUENCE, 'y');

/** The escape sequence that `at` stands inside of. */
function escapeAround(text: string, at: number): { start: number; end: number } | undefined {
  const least = Math.max(0, at - ESCAPE_REACH);
  const back = text.slice(least, at).lastIndexOf('\u001b');
  ESCAPE.lastIndex = least + back;
  if (back < 0 || !ESCAPE.test(text) || ESCAPE.lastIndex <= at) {
    return undefined;
  }
  return { start: least + back, end: ESCAPE.lastIndex };
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (isHigh(before) && isLow(after)) || (before === 0x0d && after === 0x0a);
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

// The rules of UAX #29 for extended grapheme clusters, by number. They are spelled out here, with character
// properties of the language itself, since Intl.Segmenter changes with the ICU a Node.js was built with.
const EXTENDS = /^(?:[\p{M}\p{Emoji_Modifier}\u0e33\u0eb3\uff9e\uff9f\u{e0020}-\u{e007f}]|\u200c|\u200d)/u; // GB9, GB9a
const PREPENDED =
  /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/u; // GB9b
const CONTROL = /^[\p{Cc}\p{Zl}\p{Zp}\ufffe\uffff]/u; // GB4, GB5
const INDIC_LINKER = /^[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]/; // GB9c
const LETTER = /^\p{Lo}/u;
const REGIONAL = /^\p{Regional_Indicator}/u; // GB12, GB13
const HANGUL_L = /^[\u1100-\u115f\ua960-\ua97c]/; // GB6 to GB8
const HANGUL_V = /^[\u1160-\u11a7\ud7b0-\ud7c6]/;
const HANGUL_T = /^[\u11a8-\u11ff\ud7cb-\ud7fb]/;
const HANGUL_SYLLABLE = /^[\uac00-\ud7a3]/;

/** Whether `at`, which is less than the length, stands between two characters as a reader sees them. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0) {
    return true;
  }
  if (splitsPair(text, at)) {
    return false;
  }
  const before = characterBefore(text, at);
  const after = characterAt(text, at);
  if (isPlain(before) && isPlain(after)) {
    return true;
  }
  if (CONTROL.test(before) || CONTROL.test(after)) {
    return true;
  }
  if (EXTENDS.test(after) || before === '\u200d' || PREPENDED.test(before)) {
    return false;
  }
  if (INDIC_LINKER.test(before) && LETTER.test(after)) {
    return false;
  }
  if (REGIONAL.test(before) && REGIONAL.test(after)) {
    return regionalsBefore(text, at) % 2 === 0;
  }
  return !joinsHangul(before, after);
}

/** Below the first combining mark nothing joins. */
const isPlain = (character: string) => character.charCodeAt(0) < 0x300;

function characterAt(text: string, at: number): string {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))
    ? text.slice(at, at + 2)
    : text.charAt(at);
}

function characterBefore(text: string, at: number): string {
  return isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2))
    ? text.slice(at - 2, at)
    : text.charAt(at - 1);
}

function regionalsBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && REGIONAL.test(characterBefore(text, start))) {
    start -= 2;
  }
  return (at - start) / 2;
}

function joinsHangul(before: string, after: string): boolean {
  if (HANGUL_L.test(before)) {
    return HANGUL_L.test(after) || HANGUL_V.test(after) || HANGUL_SYLLABLE.test(after);
  }
  if (HANGUL_SYLLABLE.test(before)) {
    const hasTail = (before.charCodeAt(0) - 0xac00) % 28 !== 0;
    return HANGUL_T.test(after) || (!hasTail && HANGUL_V.test(after));
  }
  return (
    (HANGUL_V.test(before) && (HANGUL_V.test(after) || HANGUL_T.test(after))) ||
    (HANGUL_T.test(before) && HANGUL_T.test(after))
  );
}
