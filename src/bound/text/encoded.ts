import { mediaOf } from '../data/base64.ts';

/** Shorter stretches of letters are no base64 that matters. */
const LEAST = 256;
/** How much of a stretch is looked at to tell whether it is base64. */
const SAMPLE = 4096;
/** Base64 in lines has no shorter ones, but for the last. */
const LEAST_LINE = 40;
/** How long what stands before the content of a `data:` URI may be. */
const MOST_URI_HEAD = 256;

const URI_HEAD = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^\s;,"'<>()]*)*(?:;base64)?,/;
const BASE64_URI_HEAD = /\bdata:[\w.+-]*\/?[\w.+-]*(?:;[\w.+-]+=[^\s;,"'<>()]*)*;base64,$/;
/** What may be the start of base64, in one piece or in lines. */
const CANDIDATE = /[A-Za-z0-9+/]{40,}/g;
/** What no URI has. */
const URI_END = /[\s"'<>()`]/;

/** In what goes on within a URI, escapes like `%3C` are at least a quarter of so many characters. */
const ESCAPES = 128;

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The base64 or the `data:` URI that a place in a text is inside of: base64 of at least 256 characters, in one piece
 * or in lines, as far as the text goes. Undefined if the place is within no such, or at an end of it.
 */
export function encodedAround(text: string, at: number): Stretch | undefined {
  const found = base64Around(text, at) ?? uriAround(text, at);
  return found && found.from < at && at < found.to ? found : undefined;
}

/** The stretches of a text that are such base64 or `data:` URIs of it, in order; at most `most`. */
export function encodedIn(text: string, most: number): Stretch[] {
  const found: Stretch[] = [];
  const candidate = new RegExp(CANDIDATE);
  for (let match = candidate.exec(text); match && found.length < most; match = candidate.exec(text)) {
    const stretch = base64Around(text, match.index + 1);
    if (stretch && stretch.to - stretch.from >= LEAST) found.push(stretch);
    candidate.lastIndex = Math.max(candidate.lastIndex, stretch?.to ?? endOfBase64(text, match.index));
  }
  return found;
}

function base64Around(text: string, at: number): Stretch | undefined {
  const from = startOfBase64(text, at);
  const to = endOfBase64(text, at);
  if (from === to) return undefined;
  const [head] = BASE64_URI_HEAD.exec(text.slice(Math.max(0, from - MOST_URI_HEAD), from)) ?? [];
  if (head !== undefined) return { from: from - head.length, to };
  const letters = text.slice(from, Math.min(to, from + SAMPLE)).replace(/[\s=]/g, '');
  const isBase64 = to - from >= LEAST && mediaOf(letters.slice(0, letters.length - (letters.length % 4)));
  return isBase64 ? { from, to } : undefined;
}

function startOfBase64(text: string, at: number): number {
  let from = at;
  while (text[from - 1] === '=') from--;
  for (;;) {
    while (isLetter(text, from - 1)) from--;
    const lineEnd = text[from - 1] !== '\n' ? 0 : text[from - 2] === '\r' ? 2 : 1;
    if (lineEnd === 0 || !areLetters(text, from - lineEnd)) return from;
    from -= lineEnd;
  }
}

function endOfBase64(text: string, at: number): number {
  let to = at;
  for (;;) {
    while (isLetter(text, to)) to++;
    if (text[to] === '=') break;
    const lineEnd = text[to] === '\n' ? 1 : text.startsWith('\r\n', to) ? 2 : 0;
    if (lineEnd === 0 || !areLetters(text, to) || !isLineOfLetters(text, to + lineEnd)) return to;
    to += lineEnd;
  }
  while (text[to] === '=') to++;
  return to;
}

/** Whether what ends at a place is a line of letters, as far as lines of base64 have to be long. */
function areLetters(text: string, to: number): boolean {
  for (let at = to - LEAST_LINE; at < to; at++) if (!isLetter(text, at)) return false;
  return true;
}

function isLineOfLetters(text: string, from: number): boolean {
  let to = from;
  while (isLetter(text, to)) to++;
  if (to === from) return false;
  while (text[to] === '=') to++;
  return to === text.length || text[to] === '\n' || text.startsWith('\r\n', to);
}

/** Of base64 (RFC 4648, section 4). */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x2f && code <= 0x39) || code === 0x2b;
}

function uriAround(text: string, at: number): Stretch | undefined {
  const from = startOfUri(text, at);
  if (from === undefined || URI_END.test(text.slice(from, at))) return undefined;
  const length = text.slice(at).search(URI_END);
  return { from, to: length < 0 ? text.length : at + length };
}

/** Where a `data:` URI starts whose content goes on at a place, or may; 0 if it starts before what is held. */
function startOfUri(text: string, at: number): number | undefined {
  const from = text.lastIndexOf('data:', at - 1);
  if (from < 0) {
    const escapes = text.slice(Math.max(0, at - ESCAPES), at).match(/%[\da-f]{2}/gi) ?? [];
    return 3 * escapes.length > ESCAPES / 4 ? 0 : undefined;
  }
  const isWord = /\w/.test(text.charAt(from - 1));
  return !isWord && URI_HEAD.test(text.slice(from, from + MOST_URI_HEAD)) ? from : undefined;
}
