import { type Place as At, type JsonEvents, JsonWalk } from '../json/walk.ts';
import type { Frame } from './types.ts';

/** JSON of any size: a message, or what is read as one. */
export type Source = Pick<Frame, 'size' | 'bytes'>;

export type Path = readonly (string | number)[];

/** Where a value stands in JSON, in bytes. */
export interface Place {
  readonly path: Path;
  readonly type: 'object' | 'list' | 'text' | 'other';
  /** Where its key starts, if it has one. */
  readonly key: number | undefined;
  readonly from: number;
  readonly to: number;
}

/** What takes the place of some bytes. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Whether a value is looked for, by its path and its size in bytes. */
type Wanted = (path: Path, size: number) => boolean;

/** Where the values stand that are wanted, in the order in which they end. Throws for what is no JSON. */
export function placesIn(json: Uint8Array, wanted: Wanted): Place[] {
  const finder = new Finder(wanted);
  const walk = new JsonWalk(finder);
  walk.write(json);
  walk.finish();
  return finder.places;
}

/** The same for JSON of any size. */
export async function placesOf(source: Source, wanted: Wanted): Promise<Place[]> {
  const finder = new Finder(wanted);
  const walk = new JsonWalk(finder);
  for await (const piece of piecesOf(source)) walk.write(piece);
  walk.finish();
  return finder.places;
}

/** The JSON with some bytes replaced; the edits may not overlap. */
export function edited(json: Buffer, edits: readonly Edit[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, text } of [...edits].sort((a, b) => a.from - b.from)) {
    pieces.push(json.subarray(at, from), Buffer.from(text));
    at = to;
  }
  return Buffer.concat([...pieces, json.subarray(at)]);
}

/** The same for JSON of any size, of which what is not replaced is held. */
export async function editedOf(source: Source, edits: readonly Edit[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { from, to, text } of [...edits].sort((a, b) => a.from - b.from)) {
    for await (const piece of piecesOf(source, at, from)) pieces.push(piece);
    pieces.push(Buffer.from(text));
    at = to;
  }
  for await (const piece of piecesOf(source, at)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The bytes of a source from `from` up to `to`, in memory. */
export async function bytesOf(source: Source, from = 0, to = source.size): Promise<Buffer> {
  const bytes = source.bytes(from, to);
  return Buffer.isBuffer(bytes) ? bytes : await joined(bytes);
}

/** Pieces in one. */
export async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** The bytes of a source from `from` up to `to`, in pieces. */
export async function* piecesOf(source: Source, from = 0, to = source.size): AsyncGenerator<Uint8Array> {
  const bytes = source.bytes(from, to);
  if (Buffer.isBuffer(bytes)) yield bytes;
  else yield* bytes;
}

/** Puts items after the last of a list. `items` is JSON without the brackets. */
export function appendTo(json: Buffer, { from, to }: Place, items: string): Edit {
  const isEmpty = json.toString('latin1', from + 1, to - 1).trim() === '';
  return { from: to - 1, to: to - 1, text: isEmpty ? items : `,${items}` };
}

/** Puts entries before the first of an object. `entries` is JSON without the braces. */
export function prependTo(json: Buffer, { from, to }: Place, entries: string): Edit {
  const isEmpty = json.toString('latin1', from + 1, to - 1).trim() === '';
  return { from: from + 1, to: from + 1, text: isEmpty ? entries : `${entries},` };
}

/** Takes an entry out of its object, with the comma that parts it from its neighbour. */
export function without(json: Buffer, { key = 0, to }: Place): Edit {
  const next = skip(json, to, 1);
  if (json[next] === COMMA) return { from: key, to: next + 1, text: '' };
  const before = skip(json, key - 1, -1);
  return { from: json[before] === COMMA ? before : key, to, text: '' };
}

const COMMA = 0x2c;

/** The next byte from `at` that is no white space. */
function skip(json: Buffer, at: number, step: 1 | -1): number {
  let next = at;
  while (json[next] === 0x20 || json[next] === 0x09 || json[next] === 0x0a || json[next] === 0x0d)
    next += step;
  return next;
}

interface Open {
  readonly from: number;
  readonly key: number | undefined;
  readonly isList: boolean;
}

class Finder implements JsonEvents {
  readonly places: Place[] = [];
  readonly #wanted: Wanted;
  /** The key or the index in each container that is open. */
  readonly #path: (string | number)[] = [];
  readonly #open: Open[] = [];
  /** Where the key of the value that comes starts, if it has one. */
  #key: number | undefined;
  #textFrom = 0;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  openObject(at: At): void {
    this.#push(at, false);
  }

  openArray(at: At): void {
    this.#push(at, true);
  }

  closeObject(at: At): void {
    this.#pop(at);
  }

  closeArray(at: At): void {
    this.#pop(at);
  }

  key(key: string, at: At): void {
    this.#path[this.#path.length - 1] = key;
    this.#key = at.start;
  }

  value(_value: unknown, at: At): void {
    this.#next();
    this.#found('other', at.start, this.#key, at);
  }

  openText(at: At): void {
    this.#next();
    this.#textFrom = at.start;
    at.skip();
  }

  text(): void {}

  closeText(at: At): void {
    this.#found('text', this.#textFrom, this.#key, at);
  }

  /** A value begins: in a list it is the next item. */
  #next(): void {
    if (!this.#open.at(-1)?.isList) return;
    const last = this.#path.length - 1;
    this.#path[last] = Number(this.#path[last]) + 1;
    this.#key = undefined;
  }

  #push(at: At, isList: boolean): void {
    this.#next();
    this.#open.push({ from: at.start, key: this.#key, isList });
    this.#path.push(isList ? -1 : '');
  }

  #pop(at: At): void {
    this.#path.pop();
    const open = this.#open.pop();
    if (open) this.#found(open.isList ? 'list' : 'object', open.from, open.key, at);
  }

  #found(type: Place['type'], from: number, key: number | undefined, { end }: At): void {
    if (!this.#wanted(this.#path, end - from)) return;
    this.places.push({ path: [...this.#path], type, key, from, to: end });
  }
}
