import { wholeLength } from '../text/wtf8.ts';
import { RawNumber } from './held.ts';
import { BYTE_ORDER_MARK } from './mark.ts';

/** Where a walk is: what an event is told with. */
export interface Place {
  /**
   * The first byte of the token, from 0: of a text and a key its opening quote, of a container the bracket that opens
   * or closes it.
   */
  readonly start: number;
  /** The first byte after the token; of a text that isn't finished, after what has been told of it. */
  readonly end: number;
  /** How many UTF-16 code units the JSON has before `end`, as it is written. */
  readonly chars: number;
  /** The bytes from `from` up to `to`, as far as they are of the chunk that was written last. */
  raw(from: number, to: number): Uint8Array;
  /** What was just opened, a container or a text, is walked over: checked, and not told but for its close. */
  skip(): void;
}

/** Hears what a walk comes by. Every value is one event, or an open and a close with what is within between them. */
export interface JsonEvents {
  openObject(at: Place): void;
  closeObject(at: Place): void;
  openArray(at: Place): void;
  closeArray(at: Place): void;
  key(key: string, at: Place): void;
  /** A number comes as JavaScript's own if that is written the same way. */
  value(value: null | boolean | number | RawNumber, at: Place): void;
  openText(at: Place): void;
  /** A piece of a text, not empty. Surrogate pairs come in one piece. */
  text(piece: string, at: Place): void;
  closeText(at: Place): void;
  /** All bytes that were written have been walked. */
  endOfChunk?(at: Place): void;
}

/** What a JSON text breaks the rules with, and at which byte, from 0. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly problem: string;
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.problem = problem;
    this.offset = offset;
  }
}

/** Keys and numbers are told whole. Longer ones are refused, as RFC 8259, section 9, allows; in characters. */
const LONGEST_TOKEN = 16 * 1024 * 1024;

const MARK = Buffer.from(BYTE_ORDER_MARK);

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What comes next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const AFTER_KEY = 4;
const AFTER_VALUE = 5;
const NOTHING = 6;
const IN_STRING = 7;
const AFTER_BACKSLASH = 8;
const IN_HEX = 9;
const IN_NUMBER = 10;
const IN_WORD = 11;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Numbers that JavaScript surely writes as it reads them. */
const EVERYDAY_NUMBER = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9])$/;
const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Bytes that stand for themselves within a string. */
const isPlain = table((byte) => byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH);
const isSpace = table((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
const isOfNumber = table((byte) => '0123456789+-.eE'.includes(String.fromCharCode(byte)));
const isOfWord = table((byte) => byte >= 0x61 && byte <= 0x7a);
const escaped = new Uint8Array(256);
for (const [letter, char] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})) {
  escaped[letter.charCodeAt(0)] = char.charCodeAt(0);
}

function table(holds: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0));
}

/** Runs of plain bytes up to this length are copied one by one. */
const SHORT_RUN = 24;

/** Up to this length a slice of a string is a copy in V8, which is quicker to make than one out of bytes. */
const SHORT_SLICE = 12;

/**
 * Walks over one JSON value (RFC 8259, strictly) that comes in chunks, split anywhere, and tells what it comes by. It
 * holds no more than a chunk, a key or a number, and one bit for every level of depth. White space around the value is
 * fine, a byte order mark before it only where that is said. Bytes of a string that are not UTF-8 become U+FFFD; escaped lone surrogates stay.
 *
 * Throws a `JsonError` for what isn't JSON; after that it can't be used.
 */
export class JsonWalk implements Place {
  start = 0;
  end = 0;
  readonly #events: JsonEvents;
  /** What has been written before the chunk at hand. */
  #base = 0;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkText: string | undefined;
  #next = VALUE;
  #depth = 0;
  /** A bit for each open container, set for arrays. */
  #kinds = new Uint8Array(32);
  /** The depth within which nothing is told; none if it is less than zero. */
  #quiet = -1;
  #isKey = false;
  #isQuietText = false;
  /** What a key, a number or a word has so far. */
  #token = '';
  /** Bytes of the string at hand, unescaped, that were not told yet. */
  #bytes: Buffer = Buffer.alloc(256);
  #used = 0;
  /** The digits of a `\u` escape: how many, and what they say. */
  #digits = 0;
  #unit = 0;
  /** The first half of a surrogate pair whose other half may follow. */
  #high = 0;
  /** By how much there are more bytes than characters. */
  #surplus = 0;
  #mayHaveMark: boolean;

  /** With `mayHaveMark` a byte order mark may stand at the very start, if the first bytes that come have all of it. */
  constructor(events: JsonEvents, { mayHaveMark = false }: { readonly mayHaveMark?: boolean } = {}) {
    this.#events = events;
    this.#mayHaveMark = mayHaveMark;
  }

  /** How many bytes have been written. */
  get offset(): number {
    return this.#base + this.#chunk.length;
  }

  get chars(): number {
    return this.end - this.#surplus;
  }

  raw(from: number, to: number): Uint8Array {
    return this.#chunk.subarray(Math.max(0, from - this.#base), Math.max(0, to - this.#base));
  }

  skip(): void {
    if (this.#next === IN_STRING) this.#isQuietText = true;
    else this.#quiet = this.#depth;
  }

  /** Takes the next bytes, which stay in use until the next ones are written. */
  write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#base += this.#chunk.length;
    this.#chunk = chunk;
    this.#chunkText = undefined;
    const { length } = chunk;
    for (let at = this.#takeMark(chunk); at < length; ) {
      switch (this.#next) {
        case IN_STRING:
          at = this.#string(chunk, at);
          break;
        case AFTER_BACKSLASH:
          this.#escape(chunk[at] as number, at++);
          break;
        case IN_HEX:
          this.#hex(chunk[at] as number, at++);
          break;
        case IN_NUMBER:
          at = this.#gather(chunk, at, isOfNumber);
          if (at < length) this.#number(at);
          break;
        case IN_WORD:
          at = this.#gather(chunk, at, isOfWord);
          if (at < length) this.#word(at);
          break;
        default: {
          const byte = chunk[at] as number;
          if (isSpace[byte] === 0) at = this.#begin(byte, at);
          else at++;
        }
      }
    }
    if (this.#next === IN_STRING) this.#flush(length, false);
    this.#events.endOfChunk?.(this);
  }

  /** The JSON ends here. Throws a `JsonError` if its value isn't complete. */
  finish(): void {
    const { length } = this.#chunk;
    if (this.#next === IN_NUMBER) this.#number(length);
    else if (this.#next === IN_WORD) this.#word(length);
    if (this.#next !== NOTHING) throw new JsonError('The JSON ends too early', this.offset);
  }

  /** How many bytes of a chunk are the byte order mark. */
  #takeMark(chunk: Buffer): number {
    const isMarked = this.#mayHaveMark && chunk.subarray(0, MARK.length).equals(MARK);
    this.#mayHaveMark = false;
    if (!isMarked) return 0;
    this.#surplus += MARK.length - BYTE_ORDER_MARK.length;
    return MARK.length;
  }

  #fail(at: number): never {
    const byte = this.#chunk[at];
    const what = byte === undefined ? 'The JSON ends too early' : `Unexpected ${nameOf(byte)}`;
    throw new JsonError(what, this.#base + at);
  }

  #begin(byte: number, at: number): number {
    this.start = this.#base + at;
    this.end = this.start + 1;
    switch (this.#next) {
      case AFTER_VALUE:
        if (byte === COMMA) this.#next = this.#isInArray() ? VALUE : KEY;
        else this.#close(byte, at);
        return at + 1;
      case AFTER_KEY:
        if (byte !== COLON) throw new JsonError('A colon is missing', this.#base + at);
        this.#next = VALUE;
        return at + 1;
      case KEY:
      case KEY_OR_CLOSE:
        if (byte === QUOTE) this.#openString(true);
        else if (this.#next === KEY_OR_CLOSE) this.#close(byte, at);
        else this.#fail(at);
        return at + 1;
      case VALUE_OR_CLOSE:
        if (byte === CLOSE_ARRAY) {
          this.#close(byte, at);
          return at + 1;
        }
        break;
      case NOTHING:
        this.#fail(at);
    }
    return this.#beginValue(byte, at);
  }

  #beginValue(byte: number, at: number): number {
    if (byte === QUOTE) {
      this.#openString(false);
      return at + 1;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#open(byte === OPEN_ARRAY);
      return at + 1;
    }
    this.#token = '';
    if (byte === MINUS || (byte >= ZERO && byte <= NINE)) this.#next = IN_NUMBER;
    else if (isOfWord[byte] === 1) this.#next = IN_WORD;
    else this.#fail(at);
    return at;
  }

  #open(isArray: boolean): void {
    const at = this.#depth >> 3;
    if (at >= this.#kinds.length) {
      const kinds = new Uint8Array(2 * this.#kinds.length);
      kinds.set(this.#kinds);
      this.#kinds = kinds;
    }
    const bit = 1 << (this.#depth & 7);
    const others = (this.#kinds[at] as number) & ~bit;
    this.#kinds[at] = isArray ? others | bit : others;
    this.#depth++;
    this.#next = isArray ? VALUE_OR_CLOSE : KEY_OR_CLOSE;
    if (this.#quiet >= 0) return;
    if (isArray) this.#events.openArray(this);
    else this.#events.openObject(this);
  }

  #close(byte: number, at: number): void {
    const isArray = this.#isInArray();
    if (byte !== (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) this.#fail(at);
    if (this.#quiet === this.#depth) this.#quiet = -1;
    this.#depth--;
    this.#endValue();
    if (this.#quiet >= 0) return;
    if (isArray) this.#events.closeArray(this);
    else this.#events.closeObject(this);
  }

  #isInArray(): boolean {
    const at = this.#depth - 1;
    return (((this.#kinds[at >> 3] as number) >> (at & 7)) & 1) === 1;
  }

  #endValue(): void {
    this.#next = this.#depth === 0 ? NOTHING : AFTER_VALUE;
  }

  #gather(chunk: Buffer, from: number, holds: Uint8Array): number {
    let to = from;
    while (to < chunk.length && holds[chunk[to] as number] === 1) to++;
    if (this.#token.length + to - from > LONGEST_TOKEN) this.#refuse();
    this.#token += this.#ascii(from, to);
    return to;
  }

  #refuse(): never {
    throw new JsonError(`A key or a number of more than ${LONGEST_TOKEN} characters`, this.start);
  }

  #number(to: number): void {
    const raw = this.#token;
    const isEveryday = EVERYDAY_NUMBER.test(raw);
    if (!isEveryday && !NUMBER.test(raw)) throw new JsonError('A number that is none', this.start);
    this.end = this.#base + to;
    this.#endValue();
    if (this.#quiet >= 0) return;
    const number = Number(raw);
    const isAsWritten = isEveryday || String(number) === raw;
    this.#events.value(isAsWritten ? number : new RawNumber(raw), this);
  }

  #word(to: number): void {
    const value = WORDS.get(this.#token);
    if (value === undefined) throw new JsonError('Unexpected word', this.start);
    this.end = this.#base + to;
    this.#endValue();
    if (this.#quiet < 0) this.#events.value(value, this);
  }

  #openString(isKey: boolean): void {
    this.#isKey = isKey;
    this.#token = '';
    this.#isQuietText = this.#quiet >= 0;
    this.#next = IN_STRING;
    if (!isKey && !this.#isQuietText) this.#events.openText(this);
  }

  /** Takes on with a string, and gives where to go on. */
  #string(chunk: Buffer, from: number): number {
    let to = from;
    let bits = 0;
    let byte = chunk[to] as number;
    while (to < chunk.length && isPlain[byte] === 1) {
      bits |= byte;
      byte = chunk[++to] as number;
    }
    if (to === chunk.length) {
      this.#run(chunk, from, to, bits);
      return to;
    }
    if (byte === QUOTE) {
      this.#run(chunk, from, to, bits);
      this.#flush(to, true);
      this.#closeString(to + 1);
    } else if (byte === BACKSLASH) {
      this.#take(chunk, from, to, bits);
      this.#next = AFTER_BACKSLASH;
    } else {
      this.#fail(to);
    }
    return to + 1;
  }

  #ascii(from: number, to: number): string {
    if (to - from > SHORT_SLICE) return this.#chunk.toString('latin1', from, to);
    this.#chunkText ??= this.#chunk.toString('latin1');
    return this.#chunkText.slice(from, to);
  }

  /** The last plain bytes there are: if they are all there is to tell, they are told as they stand. */
  #run(chunk: Buffer, from: number, to: number, bits: number): void {
    if (from === to) return;
    if (this.#used > 0 || this.#high !== 0 || this.#isQuietText || bits >= 0x80) {
      this.#take(chunk, from, to, bits);
      return;
    }
    this.end = this.#base + to;
    this.#tell(this.#ascii(from, to));
  }

  /** Copies plain bytes of a string. */
  #take(chunk: Buffer, from: number, to: number, bits: number): void {
    if (from === to) return;
    if (bits >= 0x80) this.#surplus += surplusOf(chunk, from, to);
    if (this.#isQuietText) return;
    this.#dropHigh();
    const room = this.#room(to - from);
    if (to - from > SHORT_RUN) room.set(chunk.subarray(from, to), this.#used);
    else for (let at = from, put = this.#used; at < to; at++) room[put++] = chunk[at] as number;
    this.#used += to - from;
  }

  #room(count: number): Buffer {
    if (this.#used + count > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#used + count));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    return this.#bytes;
  }

  #escape(byte: number, at: number): void {
    if (byte === LETTER_U) {
      this.#next = IN_HEX;
      this.#digits = 0;
      this.#unit = 0;
      return;
    }
    const char = escaped[byte] as number;
    if (char === 0) this.#fail(at);
    this.#next = IN_STRING;
    if (this.#isQuietText) return;
    this.#dropHigh();
    this.#room(1)[this.#used++] = char;
  }

  #hex(byte: number, at: number): void {
    const digit = digitOf(byte);
    if (digit < 0) this.#fail(at);
    this.#unit = (this.#unit << 4) | digit;
    if (++this.#digits < 4) return;
    this.#next = IN_STRING;
    if (!this.#isQuietText) this.#addUnit(this.#unit);
  }

  /** Adds an escaped UTF-16 code unit. */
  #addUnit(unit: number): void {
    const high = this.#high;
    if (high !== 0 && unit >= 0xdc00 && unit <= 0xdfff) {
      this.#high = 0;
      this.#addPoint(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
      return;
    }
    this.#dropHigh();
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else if (unit >= 0xdc00 && unit <= 0xdfff) this.#tellLone(unit);
    else this.#addPoint(unit);
  }

  #addPoint(point: number): void {
    const room = this.#room(4);
    if (point < 0x80) {
      room[this.#used++] = point;
      return;
    }
    if (point < 0x800) room[this.#used++] = 0xc0 | (point >> 6);
    else {
      if (point < 0x10000) room[this.#used++] = 0xe0 | (point >> 12);
      else {
        room[this.#used++] = 0xf0 | (point >> 18);
        room[this.#used++] = 0x80 | ((point >> 12) & 0x3f);
      }
      room[this.#used++] = 0x80 | ((point >> 6) & 0x3f);
    }
    room[this.#used++] = 0x80 | (point & 0x3f);
  }

  /** What follows the first half of a pair isn't the other half. */
  #dropHigh(): void {
    if (this.#high === 0) return;
    const high = this.#high;
    this.#high = 0;
    this.#tellLone(high);
  }

  /** No bytes of UTF-8 can say it. */
  #tellLone(unit: number): void {
    this.#tellBytes(this.#used);
    this.#tell(String.fromCharCode(unit));
  }

  /** Tells what there is of a string that goes up to `to` in the chunk. */
  #flush(to: number, isLast: boolean): void {
    this.end = this.#base + to;
    if (isLast) this.#dropHigh();
    this.#tellBytes(isLast ? this.#used : wholeLength(this.#bytes.subarray(0, this.#used)));
  }

  #tellBytes(to: number): void {
    if (to === 0) return;
    const piece = this.#bytes.toString('utf8', 0, to);
    this.#bytes.copyWithin(0, to, this.#used);
    this.#used -= to;
    this.#tell(piece);
  }

  #tell(piece: string): void {
    if (!this.#isKey) {
      this.#events.text(piece, this);
      return;
    }
    this.#token += piece;
    if (this.#token.length > LONGEST_TOKEN) this.#refuse();
  }

  #closeString(to: number): void {
    this.end = this.#base + to;
    if (this.#isKey) {
      this.#next = AFTER_KEY;
      if (this.#quiet < 0) this.#events.key(this.#token, this);
      return;
    }
    this.#endValue();
    if (this.#quiet < 0) this.#events.closeText(this);
  }
}

/** How many more bytes of UTF-8 there are than UTF-16 code units. */
function surplusOf(bytes: Uint8Array, from: number, to: number): number {
  let surplus = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0xf0) surplus--;
    else if (byte >= 0x80 && byte < 0xc0) surplus++;
  }
  return surplus;
}

function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function nameOf(byte: number): string {
  const isVisible = byte > 0x20 && byte < 0x7f;
  return isVisible ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
