import type { JsonObject } from '../formats/format.ts';
import { isObject, type LineRecord, parsed } from './lines.ts';
import type { Source } from './source.ts';
import type { Tally } from './tally.ts';

/** Larger objects are passed over, in bytes. */
const LARGEST_OBJECT = 256 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const SPACE = 0x20;
const LINE_END = 0x0a;
const NOTHING = Buffer.alloc(0);

/**
 * The objects of a JSON document: of a list its items, one after another, however large the list is; else the document
 * itself. What isn't an object, can't be read or is too large is counted.
 */
export async function* objectsOf(
  source: Source,
  tally: Tally,
  largest = LARGEST_OBJECT,
): AsyncGenerator<LineRecord> {
  const cutter = new Cutter(tally, largest);
  for await (const chunk of source.chunks()) {
    for (const { line, bytes } of cutter.push(chunk)) {
      const value = parsed(bytes.toString());
      if (isObject(value)) yield { line, record: value };
      else tally.add('unreadable', 'item', line);
    }
  }
  cutter.end();
}

/** The one object that a JSON document is; `undefined`, and counted, if it is none. */
export async function documentOf(source: Source, tally: Tally): Promise<JsonObject | undefined> {
  for await (const { record } of objectsOf(source, tally)) return record;
  return undefined;
}

/** A piece of the document that may be an object. */
interface Item {
  readonly line: number;
  pieces: Buffer[];
  length: number;
}

/** Finds where objects begin and end, by their brackets. */
class Cutter {
  readonly #tally: Tally;
  readonly #largest: number;
  #lines = new LineCounter();
  #depth = 0;
  /** In how many lists the objects stand. */
  #outer = 0;
  #isInText = false;
  #isEscaped = false;
  /** Whether a number, a word or what isn't JSON stands where an object may. */
  #isInWord = false;
  #item: Item | undefined;

  constructor(tally: Tally, largest: number) {
    this.#tally = tally;
    this.#largest = largest;
  }

  /** The items that a chunk completes. */
  *push(chunk: Buffer): Generator<{ line: number; bytes: Buffer }> {
    this.#lines.push(chunk);
    let from = 0;
    for (let at = this.#isInText ? this.#afterText(chunk, 0) : 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        if (this.#depth === this.#outer) this.#tally.add('unreadable', 'item', this.#lines.at(at));
        this.#isInText = true;
        at = this.#afterText(chunk, at + 1) - 1;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (this.#depth === 0) this.#outer = byte === OPEN_LIST ? 1 : 0;
        if (this.#depth === this.#outer) {
          this.#item = { line: this.#lines.at(at), pieces: [], length: 0 };
          from = at;
        }
        this.#depth++;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        const isStray = this.#depth === 0 || (this.#depth === this.#outer && byte === CLOSE_OBJECT);
        if (isStray) continue;
        this.#depth--;
        if (this.#depth === this.#outer && this.#item) {
          this.#keep(this.#item, chunk.subarray(from, at + 1));
          const { line, pieces, length } = this.#item;
          this.#item = undefined;
          if (length > this.#largest) this.#tally.add('too long', 'item', line);
          else yield { line, bytes: Buffer.concat(pieces) };
        }
      } else if (this.#depth === this.#outer) {
        this.#between(byte, at);
      }
    }
    if (this.#item) this.#keep(this.#item, chunk.subarray(from));
  }

  /** Where a text ends that is open at a place: behind its quote, or at the end of the chunk. */
  #afterText(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    while (at < chunk.length) {
      const quote = quoteIn(chunk, at);
      const end = quote < 0 ? chunk.length : quote;
      const isEscaped = isOdd(backslashesBefore(chunk, end, at));
      if (quote < 0) this.#isEscaped = isEscaped;
      else if (!isEscaped) {
        this.#isInText = false;
        return quote + 1;
      }
      at = end + 1;
    }
    return chunk.length;
  }

  #between(byte: number, at: number): void {
    if (byte === COMMA || byte === LINE_END) this.#isInWord = false;
    else if (byte > SPACE && !this.#isInWord) {
      this.#isInWord = true;
      this.#tally.add('unreadable', 'item', this.#lines.at(at));
    }
  }

  /** Counts what the file ends in the middle of. */
  end(): void {
    this.#lines.push(NOTHING);
    if (this.#item) this.#tally.add('unfinished', 'the last item', this.#item.line);
    else if (this.#depth > 0) this.#tally.add('unfinished', 'the list', this.#lines.at(0));
  }

  #keep(item: Item, piece: Buffer): void {
    item.length += piece.length;
    if (item.length <= this.#largest) item.pieces.push(piece);
    else item.pieces = [];
  }
}

/** Most keys and many values are shorter: to look at their bytes one by one takes less than a search. */
const SHORT = 24;

function quoteIn(chunk: Buffer, from: number): number {
  const near = Math.min(from + SHORT, chunk.length);
  for (let at = from; at < near; at++) if (chunk[at] === QUOTE) return at;
  return near === chunk.length ? -1 : chunk.indexOf(QUOTE, near);
}

function backslashesBefore(chunk: Buffer, end: number, start: number): number {
  let at = end;
  while (at > start && chunk[at - 1] === BACKSLASH) at--;
  return end - at;
}

const isOdd = (number: number) => number % 2 === 1;

/** Tells in which line a place in a chunk is. Places are asked for in their order. */
class LineCounter {
  #chunk: Buffer = NOTHING;
  #line = 1;
  /** The first line end that isn't counted. */
  #next = -1;

  push(chunk: Buffer): void {
    this.at(this.#chunk.length);
    this.#chunk = chunk;
    this.#next = chunk.indexOf(LINE_END);
  }

  at(place: number): number {
    while (this.#next >= 0 && this.#next < place) {
      this.#line++;
      this.#next = this.#chunk.indexOf(LINE_END, this.#next + 1);
    }
    return this.#line;
  }
}
