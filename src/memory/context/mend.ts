import type { Position } from '../../json/problem.ts';
import { writeKey } from './keys.ts';

/** What mending has left out, or taken for something that isn't written so. */
export interface Remark extends Position {
  /** The key that it is about, as a user writes it; of what is outside of all sections it is empty. */
  readonly key: string;
  /** In words. */
  readonly what: string;
}

/** A text that is JSON, made of one that wasn't. */
export interface MendedText {
  readonly json: string;
  readonly dropped: readonly Remark[];
  readonly guessed: readonly Remark[];
  /** Where the values of the sections are in the text that was mended, by their keys. */
  readonly places: ReadonlyMap<string, Position>;
}

/** As in a `context.json`; what is deeper isn't mended. */
const DEEPEST = 1000;

/** How much of a text is shown in a remark, in UTF-16 code units. */
const SHOWN = 60;

/** What closes a text, by what opens it. */
const CLOSING: ReadonlyMap<string | undefined, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”“'],
  ['‘', '’‘'],
]);

const SPACE = /[\s\0]+/y;
/** NUL bytes between values, with the end of a line that is nothing else. */
const LEFT_OUT_LINES = /(?<=\n|^)\0+\n|\0/g;
const NO_SPACE_OF_JSON = /[^ \t\r\n]/g;
const COMMENT = /(?:#|\/\/)[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const COLON = /[\s\0]*:/y;
const NO_COLON = /([ \t\0]*)(=>?|(?=[{["\d-]|(?:true|false|null)\b))/y;
const COMMA = /[\s\0]*,/y;
const BARE_KEY = /["'“‘]?([\p{L}_$][\p{L}\p{N}_$.-]{0,255})["'”’]?[ \t]*:/uy;
const BARE_VALUE = /[^,{}[\]\n\r"\0]+/y;
const DECIMAL_COMMAS = /[+-]?\d+(?:,\d+){1,99}(?=[ \t]*[,;}\n\r])/y;
const NUMBERS = /-?\d[\d.eE+-]*(?:[ \t]+-?\d[\d.eE+-]*){1,999}(?=[ \t]*[,\]\n\r])/y;
/** What a number, a word or a text without quotes begins with. */
const WORD = /^[\p{L}\p{N}_$.+~/\\@-]/u;
const JUNK = /[^,{}[\]\n\r"'“‘]+|[\s\S]/y;

/**
 * A text that was meant to be a JSON object, with all that can be made out of it, as it is written. What can't be made out
 * is left out, member by member. Of a text that was cut, no value is taken that may have gone on. `undefined` if the text
 * begins like no object or is too deep. Takes time and memory by the length of the text.
 */
export function mendText(text: string): MendedText | undefined {
  const mender = new Mender(text);
  try {
    const json = mender.mend();
    if (json === undefined) return undefined;
    const at = positionsIn(text);
    const placed = (remarks: readonly Draft[]) =>
      remarks.map(({ offset, path, what }) => ({ ...at(offset), key: writeKey(path), what }));
    const places = new Map(Array.from(mender.places, ([key, offset]) => [key, at(offset)]));
    return { json, dropped: placed(mender.dropped), guessed: placed(mender.guessed), places };
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

class TooDeep extends Error {}

interface Draft {
  readonly offset: number;
  readonly path: readonly string[];
  readonly what: string;
}

interface Key {
  readonly name: string;
  readonly json: string;
  readonly end: number;
}

class Mender {
  readonly dropped: Draft[] = [];
  readonly guessed: Draft[] = [];
  readonly places = new Map<string, number>();
  readonly #text: string;
  #at = 0;
  #depth = 0;
  readonly #path: string[] = [];
  /** How many more brackets close than open in the text, but for those that were accounted for. */
  readonly #excess: Excess;
  #openArrays = 0;
  /** Where the white space at the end begins. */
  readonly #end: number;
  readonly #out: string[] = [];
  /** Where the last comment was that was left out: a text may be looked at again. */
  #comment = -1;
  /** The first one behind the place where one was looked for last. */
  #knownLineEnd = -1;

  constructor(text: string) {
    this.#text = text;
    this.#excess = excessIn(text);
    this.#end = endOfContent(text);
  }

  mend(): string | undefined {
    this.#out.push(this.#blank());
    if (this.#text[this.#at] === '{') this.#at++;
    else if (this.#keyAt(this.#at)) this.#guess(this.#at, 'it begins without a brace');
    else return undefined;
    this.#section(true);
    const end = this.#blank();
    const isAll = this.#at === this.#text.length;
    if (!isAll) this.#drop(this.#at, `what is behind the end: ${this.#shown(this.#at)}`);
    const [lineEnd = ''] = /\r?\n$/.exec(this.#text) ?? [];
    this.#out.push(isAll ? end : lineEnd);
    return this.#out.join('');
  }

  /** What is in a section, behind its brace. */
  #section(isRoot: boolean): void {
    const opening = this.#enter('{');
    let gap = '';
    let count = 0;
    for (;;) {
      const before = this.#at;
      gap += this.#gap(count > 0 && !gap.includes(','));
      const start = this.#at;
      const char = this.#text[start];
      if (char === '}') {
        this.#at++;
        if (!isRoot || !this.#goesOn()) break;
        this.#excess.braces--;
        this.#guess(start, 'a brace is one too many');
      } else if (char === ']' && !isRoot && this.#isMistaken('brackets', 'braces')) {
        this.#at++;
        this.#guess(start, `a bracket is taken for the brace at the end of ${this.#name()}`);
        break;
      } else if (char === undefined || (char === ']' && this.#openArrays > 0)) {
        if (char) {
          this.#excess.braces++;
          this.#guess(start, `a brace is missing at the end of ${this.#name()}`);
        } else if (isRoot) this.#guess(start, 'it ends in the middle');
        this.#at = startOfSpace(this.#text, before, start);
        gap = this.#ownLine(opening);
        break;
      } else if (this.#member(count > 0 ? withComma(gap) : gap)) {
        count++;
        gap = '';
      } else gap = onlyComma(gap);
    }
    this.#leave(`${gap.replace(',', '')}}`);
  }

  /** Takes a member, or leaves out what is none; whether it has taken one. */
  #member(gap: string): boolean {
    const start = this.#at;
    const key = this.#keyAt(start) ?? this.#keyWithoutColonAt(start);
    if (!key) {
      this.#junk();
      return false;
    }
    const { length } = this.#out;
    this.#path.push(key.name);
    this.#out.push(gap, key.json);
    this.#at = key.end;
    this.#out.push(this.#colon(key), this.#blank());
    if (key.json !== this.#text.slice(start, key.end)) this.#guess(start, `${key.json} is taken for a key`);
    const isTaken = this.#value(false);
    if (isTaken) this.places.set(writeKey(this.#path), start);
    else this.#out.length = length;
    this.#path.pop();
    return isTaken;
  }

  /** The colon behind a key, or what is taken for one. */
  #colon(key: Key): string {
    const colon = this.#match(COLON);
    if (colon) return colon.replaceAll('\0', '');
    const sign = this.#match(NO_COLON).replaceAll('\0', '').trim();
    this.#guess(key.end, sign ? `${sign} is taken for a colon` : `a colon is missing behind ${key.json}`);
    return ': ';
  }

  /** Takes a value; whether there is one that can be made out. */
  #value(isInArray: boolean): boolean {
    const char = this.#text[this.#at];
    if (char === undefined) return this.#cut(this.#at);
    const isKey = !isInArray && this.#isKey(this.#at);
    if (isKey && this.#excess.braces > 0) {
      this.#excess.braces--;
      this.#guess(this.#at, `a brace is missing at the beginning of ${this.#name()}`);
      this.#section(false);
      return true;
    }
    if (isKey && this.#excess.braces < 0) {
      const start = this.#at;
      this.#at = this.#text.length;
      return this.#drop(start, `${this.#name()} has no value, and what follows may be in it`);
    }
    if (isKey || ',;}]'.includes(char)) return this.#drop(this.#at, `${this.#name()} has no value`);
    if (char === '{') {
      this.#at++;
      this.#section(false);
      return true;
    }
    if (char === '[') return this.#array();
    return CLOSING.has(char) ? this.#string(isInArray) : this.#bare(isInArray);
  }

  /** Takes an array, unless it is cut: whether it is whole. */
  #array(): boolean {
    const opening = this.#at++;
    const [dropped, guessed] = [this.dropped.length, this.guessed.length];
    const entered = this.#enter('[');
    this.#openArrays++;
    let gap = '';
    let count = 0;
    for (let mostCommas = 0; ; mostCommas = 1) {
      const before = this.#at;
      gap += this.#gap(count > 0 && !gap.includes(','), mostCommas);
      const start = this.#at;
      const char = this.#text[start];
      if (char === ']') {
        this.#at++;
        break;
      }
      if (char === undefined) {
        this.#openArrays--;
        this.#leave('');
        this.dropped.length = dropped;
        this.guessed.length = guessed;
        return this.#cut(opening);
      }
      if (char === '}' && this.#isMistaken('braces', 'brackets')) {
        this.#at++;
        this.#guess(start, `a brace is taken for the bracket at the end of ${this.#name()}`);
        break;
      }
      if (char === '}' || this.#isKey(start)) {
        this.#excess.brackets++;
        this.#guess(start, `a bracket is missing at the end of ${this.#name()}`);
        this.#at = before;
        gap = this.#ownLine(entered);
        break;
      }
      const { length } = this.#out;
      this.#out.push(count > 0 ? withComma(gap) : gap);
      if (this.#value(true)) {
        count++;
        gap = '';
      } else {
        this.#out.length = length;
        gap = onlyComma(gap);
      }
    }
    this.#openArrays--;
    this.#leave(`${gap.replace(',', '')}]`);
    return true;
  }

  /** Whether a bracket of one kind stands for one of the other: it is one too many, and one of the other is missing. */
  #isMistaken(kind: keyof Excess, meant: keyof Excess): boolean {
    if (this.#excess[kind] <= 0 || this.#excess[meant] >= 0) return false;
    this.#excess[kind]--;
    this.#excess[meant]++;
    return true;
  }

  #string(isInArray: boolean): boolean {
    const start = this.#at;
    const quotes = CLOSING.get(this.#text[start]) as string;
    for (let from = start + 1; ; ) {
      const quote = quoteAfter(this.#text, from, quotes);
      if (quote < 0) break;
      if (this.#isEnd(quote + 1, isInArray, from > start + 1)) {
        this.#at = quote + 1;
        return this.#take(start, this.#text.slice(start + 1, quote), isInArray);
      }
      if (this.#lineEnd(start) < quote) break;
      if (this.#isKey(quote)) return this.#unclosed(start, quote, isInArray);
      from = quote + 1;
    }
    const lineEnd = this.#lineEnd(start);
    return lineEnd < this.#end ? this.#unclosed(start, lineEnd, isInArray) : this.#cut(start);
  }

  #lineEnd(start: number): number {
    if (this.#knownLineEnd < start) {
      const found = this.#text.indexOf('\n', start);
      this.#knownLineEnd = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#knownLineEnd;
  }

  /** Takes a text whose closing quote is missing, up to where something else begins. */
  #unclosed(start: number, end: number, isInArray: boolean): boolean {
    this.#at = end;
    return this.#take(
      start,
      this.#text
        .slice(start + 1, end)
        .trimEnd()
        .replace(/,$/, ''),
      isInArray,
    );
  }

  #take(start: number, content: string, isInArray: boolean): boolean {
    const json = textOf(content, this.#text[start] as string);
    this.#out.push(json);
    if (json !== this.#text.slice(start, this.#at)) this.#guessValue(start, json, isInArray);
    return true;
  }

  /** Takes a number, a word, or what stands there without quotes as a text. */
  #bare(isInArray: boolean): boolean {
    const start = this.#at;
    const numbers = isInArray ? this.#match(NUMBERS).split(/[ \t]+/) : [];
    if (numbers.length > 1) {
      this.#out.push(numbers.map(jsonOf).join(', '));
      this.#guess(start, `commas are missing in ${this.#name()}: ${this.#shown(start)}`);
      return true;
    }
    const token = (!isInArray && this.#match(DECIMAL_COMMAS)) || tokenOf(this.#match(BARE_VALUE));
    this.#at = start + token.length;
    if (!WORD.test(token)) {
      if (token === '') this.#match(JUNK);
      return this.#drop(start, `nothing can be made of ${this.#shown(start)}`);
    }
    if (this.#at === this.#text.length) return this.#cut(start);
    const hasQuote = this.#text[this.#at] === '"' && this.#isEnd(this.#at + 1, isInArray, true);
    if (hasQuote) this.#at++;
    const json = hasQuote ? JSON.stringify(token) : jsonOf(token);
    this.#out.push(json);
    if (json !== token) this.#guessValue(start, json, isInArray);
    return true;
  }

  /** Leaves out what has no key. */
  #junk(): void {
    const start = this.#at;
    const { length } = this.#out;
    const [dropped, guessed] = [this.dropped.length, this.guessed.length];
    const char = this.#text[start] as string;
    if (char === '{' || char === '[' || (CLOSING.has(char) && !this.#isKey(start))) this.#value(true);
    else this.#match(JUNK);
    this.#out.length = length;
    this.dropped.length = dropped;
    this.guessed.length = guessed;
    const isCut = this.#at >= this.#end;
    this.#drop(
      start,
      isCut ? `${this.#shown(start)} ends in the middle` : `${this.#shown(start)} has no key`,
    );
  }

  /** The key at a place, with a colon behind it. */
  #keyAt(at: number): Key | undefined {
    const key = this.#quotedAt(at, COLON);
    if (key) return key;
    BARE_KEY.lastIndex = at;
    const [found, name] = BARE_KEY.exec(this.#text) ?? [];
    if (found === undefined || name === undefined) return undefined;
    return { name, json: JSON.stringify(name), end: at + found.slice(0, -1).trimEnd().length };
  }

  /** The quoted key at a place whose colon is missing, or is another sign. */
  #keyWithoutColonAt(at: number): Key | undefined {
    const key = this.#quotedAt(at, NO_COLON);
    if (!key) return undefined;
    NO_COLON.lastIndex = key.end;
    const [found = ''] = NO_COLON.exec(this.#text) ?? [];
    return this.#isKey(key.end + found.length) ? undefined : key;
  }

  /** The quoted key at a place that has such a sign behind it. */
  #quotedAt(at: number, sign: RegExp): Key | undefined {
    const quotes = CLOSING.get(this.#text[at]);
    const end = quotes === undefined ? undefined : endOfKey(this.#text, at, quotes, sign);
    if (end === undefined) return undefined;
    const json = textOf(this.#text.slice(at + 1, end - 1), this.#text[at] as string);
    return { name: JSON.parse(json), json, end };
  }

  #isKey(at: number): boolean {
    return this.#text[at] === '"' && endOfKey(this.#text, at, '"', COLON) !== undefined;
  }

  /** Whether a value may end at a place. If it is in doubt, a comma there must have something behind it that can follow. */
  #isEnd(place: number, isInArray: boolean, isDoubtful: boolean): boolean {
    const at = place + blankLength(this.#text, place);
    const char = this.#text[at];
    if (char === undefined) return !isDoubtful;
    if ('}]\n\r'.includes(char) || isComment(this.#text, at)) return true;
    if (this.#isKey(at)) return true;
    if (char !== ',' && char !== ';') return isInArray && at > place && CLOSING.has(char);
    if (!isDoubtful) return true;
    const next = at + 1 + blankLength(this.#text, at + 1);
    const follower = this.#text[next];
    if (follower === undefined || '}]\n\r'.includes(follower) || isComment(this.#text, next)) return true;
    return isInArray ? /["{[\d-]/.test(follower) : this.#keyAt(next) !== undefined;
  }

  /** Whether what follows the end goes on with a comma. */
  #goesOn(): boolean {
    COMMA.lastIndex = this.#at;
    return COMMA.test(this.#text);
  }

  /**
   * White space between members, with one comma where there is one and it is wanted. Commas beyond `mostCommas` have
   * nothing before them that was meant to be a value.
   */
  #gap(mayHaveComma: boolean, mostCommas = Number.POSITIVE_INFINITY): string {
    let gap = '';
    let commas = 0;
    for (;;) {
      gap += this.#blank();
      const char = this.#text[this.#at];
      if (char !== ',' && char !== ';') return gap;
      if (char === ';') this.#guess(this.#at, '; is taken for a comma');
      if (++commas > mostCommas) this.#drop(this.#at, `an empty place in ${this.#name()}`);
      this.#at++;
      if (mayHaveComma && !gap.includes(',')) gap += ',';
    }
  }

  /** White space, from which comments are left out. */
  #blank(): string {
    let blank = '';
    for (;;) {
      blank += this.#match(SPACE).replace(LEFT_OUT_LINES, '').replace(NO_SPACE_OF_JSON, ' ');
      const start = this.#at;
      if (!this.#match(COMMENT)) return blank;
      if (start > this.#comment) this.#drop(start, `a comment: ${this.#shown(start)}`);
      this.#comment = Math.max(start, this.#comment);
    }
  }

  #match(what: RegExp): string {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** Gives the place of the bracket in what is written. */
  #enter(bracket: string): number {
    if (++this.#depth > DEEPEST) throw new TooDeep();
    return this.#out.push(bracket) - 1;
  }

  #leave(end: string): void {
    this.#depth--;
    this.#out.push(end);
  }

  /**
   * What is to be before a bracket that is added at the end of what was entered there: the end of a line and the
   * indentation of the one that it begins on, if what is in it begins on a line of its own.
   */
  #ownLine(opening: number): string {
    const lineEnd = /\r?\n|\r/.exec(this.#out[opening + 1] ?? '')?.[0];
    if (lineEnd === undefined) return '';
    for (let at = opening - 1; at >= 0; at--) {
      const indent = /[\r\n]([ \t]*)$/.exec(this.#out[at] as string)?.[1];
      if (indent !== undefined) return lineEnd + indent;
    }
    return lineEnd;
  }

  #cut(start: number): false {
    this.#at = this.#text.length;
    return this.#drop(start, `${this.#name()} ends in the middle`);
  }

  #drop(offset: number, what: string): false {
    this.dropped.push({ offset, path: [...this.#path], what });
    return false;
  }

  #guess(offset: number, what: string): void {
    this.guessed.push({ offset, path: [...this.#path], what });
  }

  #guessValue(start: number, json: string, isInArray: boolean): void {
    this.#guess(start, `${isInArray ? 'a value in ' : ''}${this.#name()} is taken to be ${shortened(json)}`);
  }

  #name(): string {
    return this.#path.length === 0 ? 'it' : writeKey(this.#path);
  }

  /** What stands at a place, up to where the reading is or the line's end. */
  #shown(start: number): string {
    const end = this.#at > start ? this.#at : this.#text.length;
    const [line = ''] = this.#text.slice(start, Math.min(end, start + SHOWN + 1)).split(/[\r\n]/, 1);
    return shortened(line.trimEnd());
  }
}

/** What is left of the white space before something that is left out. */
function onlyComma(gap: string): string {
  return gap.includes(',') ? ',' : '';
}

function withComma(gap: string): string {
  return gap.includes(',') ? gap : `,${gap}`;
}

/** The place behind a quoted key that has such a sign behind it. */
function endOfKey(text: string, at: number, quotes: string, sign: RegExp): number | undefined {
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    if (text[end] === '\\') end++;
    else if (quotes.includes(text[end] as string)) {
      sign.lastIndex = end + 1;
      return sign.test(text) ? end + 1 : undefined;
    }
  }
  return undefined;
}

/** The place of the next such quote without a backslash before it; -1 if there is none. */
function quoteAfter(text: string, from: number, quotes: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (quotes.includes(text[at] as string)) return at;
  }
  return -1;
}

function blankLength(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\0') at++;
  return at - from;
}

function isComment(text: string, at: number): boolean {
  COMMENT.lastIndex = at;
  return COMMENT.test(text);
}

/**
 * A text as JSON. Of its backslashes, each that begins no escape (RFC 8259, section 7) was meant to be one: `C:\Users`.
 */
function textOf(content: string, quote: string): string {
  const json = content.replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\'|[\\"\0-\x1f]/g, (found) => {
    if (found === "\\'") return quote === "'" ? "'" : "\\\\'";
    return found.length > 1 ? found : JSON.stringify(found).slice(1, -1);
  });
  return `"${json}"`;
}

function endOfContent(text: string): number {
  return startOfSpace(text, 0, text.length);
}

/** Where the white space before a place begins, from another place on. */
function startOfSpace(text: string, from: number, to: number): number {
  let start = to;
  while (start > from && /[\s\0]/.test(text[start - 1] as string)) start--;
  return start;
}

/** What stands without quotes before a comment and a semicolon; the latter stays with what is no JSON. */
function tokenOf(raw: string): string {
  const comment = raw.search(/(?:^|\s)(?:#|\/\/|\/\*)/);
  const token = raw.slice(0, comment < 0 ? raw.length : comment).trimEnd();
  const before = token.endsWith(';') ? token.slice(0, -1).trimEnd() : token;
  return isLiteral(meantBy(before)) ? before : token;
}

/** What stands there without quotes: a number or a word of JSON, one that is written otherwise, or a text. */
function jsonOf(token: string): string {
  const word = meantBy(token);
  return isLiteral(word) ? word : JSON.stringify(token);
}

/** A word of other languages, or a number with a plus sign, as JSON has it. */
function meantBy(token: string): string {
  if (token === 'None') return 'null';
  return /^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token.replace(/^\+(?=\d)/, '');
}

function isLiteral(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

interface Excess {
  braces: number;
  brackets: number;
}

/** How many more brackets close than open, but for those in texts, each of which ends on its line. */
function excessIn(text: string): Excess {
  const excess = { braces: 0, brackets: 0 };
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isInText) {
      if (char === '\\') at++;
      else if (char === '"' || char === '\n') isInText = false;
    } else if (char === '"') isInText = true;
    else if (char === '{') excess.braces--;
    else if (char === '}') excess.braces++;
    else if (char === '[') excess.brackets--;
    else if (char === ']') excess.brackets++;
  }
  return excess;
}

/** A text as a remark shows it. */
export function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Finds the positions of places in a text. */
function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}
