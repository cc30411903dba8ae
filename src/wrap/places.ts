import { type Place as At, type JsonEvents, JsonWalk } from '../json/walk.ts';

export type Path = readonly (string | number)[];

/** Where a value stands in JSON, in bytes. */
export interface Place {
  readonly path: Path;
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

/** Where the values stand whose paths are wanted, in the order in which they end. Throws for what is no JSON. */
export function placesIn(json: Uint8Array, wanted: (path: Path) => boolean): Place[] {
  const finder = new Finder(wanted);
  const walk = new JsonWalk(finder);
  walk.write(json);
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
  readonly #wanted: (path: Path) => boolean;
  /** The key or the index in each container that is open. */
  readonly #path: (string | number)[] = [];
  readonly #open: Open[] = [];
  /** Where the key of the value that comes starts, if it has one. */
  #key: number | undefined;
  #textFrom = 0;

  constructor(wanted: (path: Path) => boolean) {
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
    this.#found(at.start, this.#key, at);
  }

  openText(at: At): void {
    this.#next();
    this.#textFrom = at.start;
  }

  text(): void {}

  closeText(at: At): void {
    this.#found(this.#textFrom, this.#key, at);
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
    if (open) this.#found(open.from, open.key, at);
  }

  #found(from: number, key: number | undefined, { end }: At): void {
    if (this.#wanted(this.#path)) this.places.push({ path: [...this.#path], key, from, to: end });
  }
}
