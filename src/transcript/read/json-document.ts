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
  #line = 1;
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
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === LINE_END) this.#line++;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === QUOTE) {
        this.#isInText = true;
        if (this.#depth === this.#outer) this.#tally.add('unreadable', 'item', this.#line);
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (this.#depth === 0) this.#outer = byte === OPEN_LIST ? 1 : 0;
        if (this.#depth === this.#outer) {
          this.#item = { line: this.#line, pieces: [], length: 0 };
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
        this.#between(byte as number);
      }
    }
    if (this.#item) this.#keep(this.#item, chunk.subarray(from));
  }

  #between(byte: number): void {
    if (byte === COMMA || byte === LINE_END) this.#isInWord = false;
    else if (byte > SPACE && !this.#isInWord) {
      this.#isInWord = true;
      this.#tally.add('unreadable', 'item', this.#line);
    }
  }

  /** Counts what the file ends in the middle of. */
  end(): void {
    if (this.#item) this.#tally.add('unfinished', 'the last item', this.#item.line);
    else if (this.#depth > 0) this.#tally.add('unfinished', 'the list', this.#line);
  }

  #keep(item: Item, piece: Buffer): void {
    item.length += piece.length;
    if (item.length <= this.#largest) item.pieces.push(piece);
    else item.pieces = [];
  }
}
