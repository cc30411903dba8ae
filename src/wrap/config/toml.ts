import type { Node } from 'jsonc-parser';
import { parse } from 'smol-toml';

/** A word of a key as it stands in a text. */
export interface Word {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A key with its value, or the head of a table. */
export interface Statement {
  /** From the top of the document. */
  readonly path: readonly string[];
  /** The words that stand here: the last of the path. */
  readonly words: readonly Word[];
  readonly from: number;
  readonly to: number;
  /** Nothing for the head of a table. */
  readonly value: Node | undefined;
}

export interface Scan {
  readonly statements: readonly Statement[];
  readonly comments: readonly { readonly from: number; readonly to: number }[];
}

/** Stands in a path for a table of a list of tables, which has no name. */
const UNNAMED = '[]';

/** Where everything stands in a text that is TOML. */
export function scanToml(text: string): Scan {
  return new Scanner(text).scan();
}

/** Values become nodes as of JSON: lists, inline tables (if their keys are single words), strings, and all others. */
class Scanner {
  readonly #text: string;
  readonly #comments: { from: number; to: number }[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): Scan {
    const statements: Statement[] = [];
    let table: readonly string[] = [];
    for (this.#pass(); this.#at < this.#text.length; this.#pass()) {
      const from = this.#at;
      const brackets = this.#take(/\[{0,2}/y);
      if (brackets !== '') this.#take(/[ \t]*/y);
      const words = this.#key();
      const names = words.map(({ name }) => name);
      if (brackets !== '') {
        this.#take(/[ \t]*\]{1,2}/y);
        table = brackets === '[' ? names : [...names, UNNAMED];
      } else this.#take(/=[ \t]*/y);
      const value = brackets === '' ? this.#value() : undefined;
      const path = value ? [...table, ...names] : table;
      statements.push({ path, words, from, to: this.#at, value });
    }
    return { statements, comments: this.#comments };
  }

  #key(): Word[] {
    const words: Word[] = [];
    do {
      this.#take(/[ \t]*/y);
      const from = this.#at;
      const raw = this.#take(/"(?:\\.|[^"\\])*"|'[^']*'|[^\s.=\]]+/y);
      if (raw === '') throw new Error(`There is no key at ${from}.`);
      words.push({ name: String(textOf(raw)), from, to: this.#at });
    } while (this.#take(/[ \t]*\./y) !== '');
    this.#take(/[ \t]*(?==)/y);
    return words;
  }

  #value(): Node {
    const offset = this.#at;
    const first = this.#text.charAt(offset);
    if (first === '[') return this.#list();
    if (first === '{') return this.#table();
    const text = this.#take(/"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'/y);
    if (text !== '') return { type: 'string', offset, length: text.length, value: textOf(text) };
    const other = this.#take(/[^,\]}\n#]*[^\s,\]}\n#]/y);
    if (other === '') throw new Error(`There is no value at ${offset}.`);
    return { type: 'null', offset, length: other.length };
  }

  #list(): Node {
    const offset = this.#at;
    const children: Node[] = [];
    for (this.#at++, this.#pass(); this.#take(/\]/y) === ''; this.#pass()) children.push(this.#value());
    return { type: 'array', offset, length: this.#at - offset, children };
  }

  #table(): Node {
    const offset = this.#at;
    const children: Node[] = [];
    let isSimple = true;
    for (this.#at++, this.#pass(); this.#take(/\}/y) === ''; this.#pass()) {
      const [word, ...others] = this.#key();
      const { name, from, to } = word as Word;
      isSimple &&= others.length === 0;
      const key: Node = { type: 'string', offset: from, length: to - from, value: name };
      this.#take(/=[ \t]*/y);
      const value = this.#value();
      children.push({ type: 'property', offset: from, length: this.#at - from, children: [key, value] });
    }
    return { type: 'object', offset, length: this.#at - offset, ...(isSimple && { children }) };
  }

  /** Passes over what is between statements, and between values. */
  #pass(): void {
    for (let from = this.#at; this.#take(/[\s,]+|#[^\n]*/y) !== ''; from = this.#at) {
      if (this.#text.charAt(from) === '#') this.#comments.push({ from, to: this.#at });
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

/** What a key's word or a string says. */
function textOf(raw: string): unknown {
  return /^["']/.test(raw) ? parse(`text = ${raw}`).text : raw;
}
