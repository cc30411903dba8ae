import { isDeepStrictEqual } from 'node:util';
import type { Names } from './entry.ts';
import {
  type Change,
  type Edit,
  endOf,
  formerName,
  isObject,
  Patch,
  type Style,
  withEdits,
} from './patch.ts';
import { type Statement, scanToml, type Word } from './toml.ts';

const STYLE: Style = {
  commentOrComma: /#[^\r\n]*|,/g,
  colon: ' = ',
  key(name, like = '') {
    const isBare = /^[\w-]+$/.test(name) && !/^["']/.test(like);
    return isBare ? name : quoted(name, like);
  },
  text: quoted,
};

/**
 * TOML text in which other values stand at some paths, none within another. What stays the same stays byte for byte,
 * comments always; keys and texts are quoted as what they take the place of.
 */
export function patchToml(text: string, changes: readonly Change[]): string {
  const { statements } = scanToml(text);
  return withEdits(
    text,
    changes.flatMap((change) => new TablePatch(text, statements, change.path).edits(change)),
  );
}

/** TOML text with one more table at its end. Its items are texts or lists of texts. */
export function withTable(text: string, path: readonly string[], table: Table): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const patch = new Patch(text, STYLE, []);
  const head = `[${path.map((key) => STYLE.key(key)).join('.')}]`;
  const pairs = Object.entries(table).map(
    ([key, item]) => STYLE.key(key) + STYLE.colon + patch.written(item, ' '),
  );
  const end = text === '' || text.endsWith('\n') ? '' : newline;
  const between = text.trim() === '' ? '' : newline;
  return text + end + between + [head, ...pairs, ''].join(newline);
}

type Table = Readonly<Record<string, unknown>>;

/** A table whose keys may stand in one place or in several: in tables of their own, dotted, or inline. */
class TablePatch {
  readonly #text: string;
  readonly #statements: readonly Statement[];
  readonly #patch: Patch;
  readonly #newline: string;
  readonly #edits: Edit[] = [];
  /** What words are now. */
  readonly #renamed = new Map<Word, string>();

  constructor(text: string, statements: readonly Statement[], path: readonly string[]) {
    this.#text = text;
    this.#statements = statements.filter((statement) => startsWith(statement.path, path));
    const values = this.#statements.map(({ value }) => value).filter((value) => value !== undefined);
    this.#patch = new Patch(text, STYLE, values);
    this.#newline = text.includes('\r\n') ? '\r\n' : '\n';
  }

  edits({ path, old, value, names }: Change): readonly Edit[] {
    this.#change(path, old, value, names);
    return this.#edits;
  }

  #change(path: readonly string[], old: unknown, value: unknown, names: Names | undefined): void {
    if (!names && isDeepStrictEqual(old, value)) return;
    const pair = this.#pairAt(path);
    if (pair?.value) {
      const text = this.#patch.patched(pair.value, old, value, ' ', names);
      this.#edits.push({ from: pair.value.offset, to: endOf(pair.value), text });
    } else if (isObject(old) && isObject(value)) this.#changeTable(path, old, value, names);
    else throw new Error(`There is nothing to change at ${path.join('.')}.`);
  }

  #changeTable(path: readonly string[], old: Table, value: Table, names: Names | undefined): void {
    const stay = new Set<string>();
    let anchor = this.#statements.find((statement) => !statement.value && isAt(statement, path));
    for (const [key, item] of Object.entries(value)) {
      const was = formerName(key, names);
      if (was === undefined || !Object.hasOwn(old, was)) {
        this.#add(anchor, path, key, item);
        continue;
      }
      stay.add(was);
      if (was !== key) this.#rename([...path, was], key);
      this.#change([...path, was], old[was], item, names?.get(key)?.within);
      anchor = this.#pairIn(path, was) ?? anchor;
    }
    for (const key of Object.keys(old)) if (!stay.has(key)) this.#remove([...path, key]);
  }

  #rename(path: readonly string[], name: string): void {
    for (const statement of this.#statements) {
      const word = startsWith(statement.path, path) ? wordAt(statement, path.length - 1) : undefined;
      if (!word) continue;
      const { from, to } = word;
      const text = STYLE.key(name, this.#text.slice(from, to));
      this.#edits.push({ from, to, text });
      this.#renamed.set(word, text);
    }
  }

  /** Adds a key on a line after that of a statement which is in the same table. */
  #add(anchor: Statement | undefined, path: readonly string[], key: string, item: unknown): void {
    if (!anchor) throw new Error(`There is no place for ${key} in ${path.join('.')}.`);
    const { from, to, words, value } = anchor;
    const indent = /[ \t]*$/.exec(this.#text.slice(0, from))?.[0] ?? '';
    const before = value ? words.slice(0, path.length - (anchor.path.length - words.length)) : [];
    const start = before.map((word) => `${this.#renamed.get(word) ?? this.#text.slice(word.from, word.to)}.`);
    const [rest = ''] = /^[^\r\n]*/.exec(this.#text.slice(to)) ?? [];
    const text = `${this.#newline}${indent}${start.join('')}${STYLE.key(key)} = ${this.#patch.written(item, ' ')}`;
    this.#edits.push({ from: to + rest.length, to: to + rest.length, text });
  }

  /** Removes all that says something of a key, each with its line; comments stay. */
  #remove(path: readonly string[]): void {
    for (const { path: other, from, to } of this.#statements) {
      if (!startsWith(other, path)) continue;
      const before = /(?:\r?\n|^)[ \t]*$/.exec(this.#text.slice(0, from))?.[0] ?? '';
      this.#edits.push({ from: from - before.length, to, text: '' });
    }
  }

  #pairAt(path: readonly string[]): Statement | undefined {
    return this.#statements.find((statement) => statement.value && isAt(statement, path));
  }

  /** The last statement about a key that stands among those of the table, and not in a table of its own. */
  #pairIn(path: readonly string[], key: string): Statement | undefined {
    return this.#statements.findLast(
      (statement) =>
        statement.value &&
        startsWith(statement.path, [...path, key]) &&
        wordAt(statement, path.length) !== undefined,
    );
  }
}

/** The word of a statement that is the given one of its path, if that stands in it. */
function wordAt({ path, words }: Statement, index: number): Word | undefined {
  return words[index - (path.length - words.length)];
}

function isAt(statement: Statement, path: readonly string[]): boolean {
  return statement.path.length === path.length && startsWith(statement.path, path);
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

/** A string in quotes as another has them, if it can stand in those. */
function quoted(value: string, like = ''): string {
  if (like.startsWith("'") && !like.startsWith("'''") && /^[^'\p{Cc}]*$/u.test(value)) return `'${value}'`;
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}
