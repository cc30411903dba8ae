import { plain } from '../nodes.ts';
import type { Outline } from '../outline.ts';
import { Builder } from '../text/builder.ts';

const TOKEN =
  /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\]:,]|\n|[^\s"'{}[\]:,/]+|\//g;
const COMMENT = /^[ \t]*(?:\/\/|\/?\*)/;
/** Keys of an object in the outermost, if they are at most so many: more are data. */
const MOST_CHILDREN = 100;

interface Entry {
  readonly name: string;
  readonly row: number;
  end: number;
  readonly children: Entry[];
}

/** The keys of the outermost object, and of those in it. */
export function json(text: string): Outline {
  const lines = text.split('\n');
  const builder = new Builder(lines);
  for (const entry of keysOf(text)) define(entry, 0, builder);
  return builder.outline();
}

function define({ name, row, end, children }: Entry, depth: number, builder: Builder): void {
  const shown = children.length <= MOST_CHILDREN ? children : [];
  const body = shown.length > 0 ? undefined : { start: row + 1, end: end - 1 };
  const from = builder.commentsAbove(row, COMMENT);
  builder.define({ name, signature: { start: row, end: row + 1 }, end, body, depth, from });
  for (const child of shown) define(child, depth + 1, builder);
}

function keysOf(text: string): Entry[] {
  const top: Entry[] = [];
  /** Where keys are noted, for each bracket that is open; undefined where none are. */
  const open: (Entry[] | undefined)[] = [];
  const owners: (Entry | undefined)[] = [];
  let word: { text: string; row: number } | undefined;
  let key: Entry | undefined;
  let row = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      const list = open.length === 0 ? top : open.length === 1 ? key?.children : undefined;
      open.push(token === '{' ? list : undefined);
      owners.push(key);
      key = undefined;
    } else if (token === '}' || token === ']') {
      open.pop();
      key = owners.pop();
      if (key) key.end = row + 1;
    } else if (token === ',') key = undefined;
    else if (token === ':') {
      const list = open.at(-1);
      if (word && list) {
        key = { name: plain(word.text), row: word.row, end: row + 1, children: [] };
        list.push(key);
      }
    } else if (token !== '\n' && !/^\/[/*]/.test(token)) {
      word = { text: token, row };
      if (key && open.length > 0) key.end = row + 1;
    }
    if (token === '\n') row++;
    else if (token.startsWith('/*')) row += token.split('\n').length - 1;
  }
  for (const each of [...owners, key]) if (each) each.end = row + 1;
  return top;
}
