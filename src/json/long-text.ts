import { Fingerprint } from './fingerprint.ts';
import { type Held, LongText } from './held.ts';
import { copyOf, LineScanner } from './notable.ts';
import { Sketch } from './sketch.ts';
import { JsonError, JsonWalk } from './walk.ts';

/** How much of JSON is held. */
export interface SketchLimits {
  /** Of a long text, at each of its ends, in characters. */
  readonly textChars: number;
  /** Of a long list, at each of its ends, in about the characters its JSON takes. */
  readonly listBytes: number;
}

/** A text in memory is taken in pieces of so many characters. */
const PIECE = 64 * 1024;

/** Gathers a text that comes in pieces, none of which ends within a surrogate pair, in bounded memory. */
export class TextGatherer {
  readonly #limits: SketchLimits;
  readonly #readsJson: boolean;
  #held = '';
  #long: LongTextGatherer | undefined;

  /** `readsJson` says whether a long text that is JSON is held as JSON too. */
  constructor(limits: SketchLimits, readsJson = true) {
    this.#limits = limits;
    this.#readsJson = readsJson;
  }

  write(piece: string): void {
    if (this.#long) {
      this.#long.write(piece);
      return;
    }
    this.#held += piece;
    if (this.#held.length <= 2 * this.#limits.textChars) return;
    this.#long = new LongTextGatherer(this.#limits, this.#readsJson);
    this.#long.write(this.#held);
    this.#held = '';
  }

  /** The text itself, if both of its ends are all there is. */
  finish(): string | LongText {
    return this.#long?.finish() ?? this.#held;
  }
}

/** What there is to know of a text in memory. Its head is all of it if it is no longer than two ends. */
export function textOf(text: string, limits: SketchLimits): LongText {
  const gatherer = new LongTextGatherer(limits, true);
  for (let from = 0; from < text.length; ) {
    const to = splitsPair(text, from + PIECE) ? from + PIECE + 1 : from + PIECE;
    gatherer.write(text.slice(from, to));
    from = to;
  }
  return gatherer.finish();
}

class LongTextGatherer {
  readonly #limits: SketchLimits;
  readonly #readsJson: boolean;
  readonly #lines = new LineScanner();
  readonly #base64 = new Base64Check(OUTSIDE_BASE64);
  readonly #base64Url = new Base64Check(OUTSIDE_BASE64URL);
  readonly #fingerprint = new Fingerprint();
  #json: TextAsJson | undefined;
  #chars = 0;
  #bytes = 0;
  #escapedChars = 2;
  /** More than the first characters of two ends, and more than the last of one, if there are so many. */
  #start = '';
  #end: string[] = [];
  #endChars = 0;

  constructor(limits: SketchLimits, readsJson: boolean) {
    this.#limits = limits;
    this.#readsJson = readsJson;
    this.#fingerprint.add('"');
  }

  write(piece: string): void {
    if (this.#chars === 0 && this.#readsJson && JSON_START.test(piece)) {
      this.#json = new TextAsJson(this.#limits);
    }
    const escaped = JSON.stringify(piece).slice(1, -1);
    this.#chars += piece.length;
    this.#bytes += Buffer.byteLength(piece);
    this.#escapedChars += escaped.length;
    this.#fingerprint.add(escaped);
    this.#lines.write(piece);
    this.#base64.write(piece);
    this.#base64Url.write(piece);
    this.#json?.write(piece);
    this.#hold(piece);
  }

  finish(): LongText {
    this.#fingerprint.add('"');
    return new LongText({
      chars: this.#chars,
      bytes: this.#bytes,
      escapedChars: this.#escapedChars,
      ...this.#lines.finish(),
      ...this.#ends(),
      isBase64: this.#base64.isPadded(),
      isBase64Url: this.#base64Url.isComplete(),
      json: this.#json?.finish(),
      fingerprint: this.#fingerprint.finish(),
    });
  }

  #hold(piece: string): void {
    const { textChars } = this.#limits;
    if (this.#start.length <= 2 * textChars) this.#start += piece;
    this.#end.push(piece);
    this.#endChars += piece.length;
    for (let [first = ''] = this.#end; this.#endChars - first.length > textChars; [first = ''] = this.#end) {
      this.#endChars -= first.length;
      this.#end.shift();
    }
  }

  #ends(): { head: string; tail: string } {
    const { textChars } = this.#limits;
    if (this.#chars <= 2 * textChars) return { head: this.#start, tail: '' };
    const end = this.#end.join('');
    const from = end.length - textChars;
    return {
      head: copyOf(this.#start.slice(0, splits(this.#start, textChars) ? textChars - 1 : textChars)),
      tail: copyOf(end.slice(splits(end, from) ? from + 1 : from)),
    };
  }
}

const JSON_START = /^\ufeff?[ \t\r\n]*["[{]/;

/** Holds a text as the JSON that it is, until it shows that it is none. */
class TextAsJson {
  readonly #sketch: Sketch;
  #walk: JsonWalk | undefined;

  constructor(limits: SketchLimits) {
    this.#sketch = Sketch.within(limits);
    this.#walk = new JsonWalk(this.#sketch, { mayHaveMark: true });
  }

  write(piece: string): void {
    this.#try((walk) => walk.write(Buffer.from(piece)));
  }

  finish(): Held | undefined {
    this.#try((walk) => walk.finish());
    return this.#walk && this.#sketch.finish();
  }

  #try(step: (walk: JsonWalk) => void): void {
    if (!this.#walk) return;
    try {
      step(this.#walk);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      this.#walk = undefined;
    }
  }
}

/** Base64 in one piece, as RFC 4648 has it, but that bits beyond the last byte may be anything. */
class Base64Check {
  readonly #outside: RegExp;
  #holds = true;
  #chars = 0;
  #padding = 0;

  /** `outside` finds what is not of the alphabet. */
  constructor(outside: RegExp) {
    this.#outside = outside;
  }

  write(piece: string): void {
    if (!this.#holds) return;
    let letters = piece.length;
    while (piece[letters - 1] === '=') letters--;
    this.#holds = (letters === 0 || this.#padding === 0) && !this.#outside.test(piece.slice(0, letters));
    this.#padding += piece.length - letters;
    this.#chars += piece.length;
  }

  /** Whether all was base64 and its padding is there. */
  isPadded(): boolean {
    return this.#holds && this.#chars > 0 && this.#chars % 4 === 0 && this.#padding <= 2;
  }

  /** The same where padding may be left out. */
  isComplete(): boolean {
    return this.isPadded() || (this.#holds && this.#padding === 0 && this.#chars % 4 > 1);
  }
}

const OUTSIDE_BASE64 = /[^A-Za-z0-9+/]/;
const OUTSIDE_BASE64URL = /[^\w-]/;

/** Whether a text is base64 as `LongText.isBase64` means it. */
export function isBase64(text: string): boolean {
  const check = new Base64Check(OUTSIDE_BASE64);
  check.write(text);
  return check.isPadded();
}

/** Whether a text is base64url as `LongText.isBase64Url` means it. */
export function isBase64Url(text: string): boolean {
  const check = new Base64Check(OUTSIDE_BASE64URL);
  check.write(text);
  return check.isComplete();
}

function splits(text: string, at: number): boolean {
  return splitsPair(text, at) || (text[at - 1] === '\r' && text[at] === '\n');
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
