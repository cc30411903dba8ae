/** An object as it is written, with keys that stand twice. */
export class Members {
  readonly all: readonly (readonly [key: string, value: Written])[];

  constructor(all: readonly (readonly [string, Written])[]) {
    this.all = all;
  }

  get(key: string): Written | undefined {
    return this.all.find(([name]) => name === key)?.[1];
  }

  /** A key that stands more than once; `undefined` if there is none. */
  get duplicate(): string | undefined {
    const keys = this.all.map(([key]) => key);
    return keys.find((key, index) => keys.indexOf(key) < index);
  }
}

/** A number, `true`, `false` or `null`, as it is spelled. */
export class Bare {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Written = string | Bare | Members | readonly Written[];

const DEEPEST = 32;
const SPACE = /\s*/y;
const PLAIN = /[^"\\]*/y;
const BARE = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads the object or array that begins at `start`, as models write JSON: line ends in texts, a comma after the last item
 * and escapes that JSON doesn't have are taken for what they mean. `undefined` if it doesn't end or isn't JSON even so.
 */
export function readWritten(text: string, start: number): { value: Written; end: number } | undefined {
  const reader = new Reader(text, start);
  const value = reader.value(0);
  return value === undefined ? undefined : { value, end: reader.at };
}

class Reader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): Written | undefined {
    this.#take(SPACE);
    if (depth > DEEPEST) return undefined;
    if (this.#takes('{')) return this.#object(depth);
    if (this.#takes('[')) return this.#list(depth);
    if (this.#takes('"')) return this.#string();
    const bare = this.#take(BARE);
    return bare === undefined ? undefined : new Bare(bare);
  }

  #object(depth: number): Members | undefined {
    const members: [string, Written][] = [];
    while (!this.#closes('}')) {
      const key = this.#takes('"') ? this.#string() : undefined;
      this.#take(SPACE);
      if (key === undefined || !this.#takes(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      members.push([key, value]);
      if (!this.#separates('}')) return undefined;
    }
    return new Members(members);
  }

  #list(depth: number): Written[] | undefined {
    const items: Written[] = [];
    while (!this.#closes(']')) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      items.push(value);
      if (!this.#separates(']')) return undefined;
    }
    return items;
  }

  #string(): string | undefined {
    let read = '';
    while (true) {
      read += this.#take(PLAIN) ?? '';
      if (this.#takes('"')) return read.toWellFormed();
      if (!this.#takes('\\') || this.at >= this.#text.length) return undefined;
      read += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.#text.charAt(this.at++);
    if (letter === 'u') {
      const digits = this.#take(HEX);
      return digits === undefined ? '\\u' : String.fromCharCode(Number.parseInt(digits, 16));
    }
    return ESCAPES.get(letter) ?? (/[\p{L}\p{N}]/u.test(letter) ? `\\${letter}` : letter);
  }

  #closes(bracket: string): boolean {
    this.#take(SPACE);
    return this.#takes(bracket);
  }

  /** Whether an item ends here: a comma is taken, and the bracket that closes is left. */
  #separates(bracket: string): boolean {
    this.#take(SPACE);
    const isLast = this.#text.charAt(this.at) === bracket;
    return this.#takes(',') || isLast;
  }

  #takes(character: string): boolean {
    const isThere = this.#text.startsWith(character, this.at);
    if (isThere) this.at += character.length;
    return isThere;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text)?.[0];
    this.at += match?.length ?? 0;
    return match;
  }
}
