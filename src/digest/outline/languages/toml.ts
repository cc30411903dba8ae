import { plain } from '../nodes.ts';
import type { Outline } from '../outline.ts';
import { Builder, endOf, withoutBlanks } from '../text/builder.ts';

const TABLE = /^[ \t]*\[{1,2}[ \t]*([^[\]#]+?)[ \t]*\]{1,2}/;
const KEY = /^[ \t]*((?:[\w-]+|"[^"]*"|'[^']*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"]*"|'[^']*'))*)[ \t]*=/;
/** A line's first characters, in which its key is looked for. */
const LONGEST_KEY = 300;
const COMMENT = /^[ \t]*#/;

interface Entry {
  readonly name: string;
  readonly isTable: boolean;
  readonly start: number;
  readonly row: number;
  readonly end: number;
  readonly depth: number;
}

/** Tables and the keys in them. */
export function toml(text: string): Outline {
  const lines = text.split('\n');
  const builder = new Builder(lines);
  const entries: Entry[] = [];
  let inTable = false;
  for (let row = 0; row < lines.length; row++) {
    const line = lines[row] ?? '';
    const head = line.slice(0, LONGEST_KEY);
    const table = TABLE.exec(head);
    const key = KEY.exec(head);
    const start = builder.commentsAbove(row, COMMENT);
    if (table) {
      inTable = true;
      entries.push({ name: table[1] ?? '', isTable: true, start, row, end: row + 1, depth: 0 });
    } else if (key) {
      const end = endOfValue(lines, row, key[0].length);
      entries.push({ name: plain(key[1] ?? ''), isTable: false, start, row, end, depth: inTable ? 1 : 0 });
      row = end - 1;
    }
  }
  entries.forEach(({ name, isTable, start, row, end, depth }, index) => {
    const whole = isTable ? withoutBlanks(lines, row, endOf(entries, index, lines.length)) : end;
    const body = isTable || end <= row + 1 ? undefined : { start: row + 1, end: end - 1 };
    builder.define({ name, signature: { start: row, end: row + 1 }, end: whole, body, depth, from: start });
  });
  return builder.outline();
}

/** The line after a value, which may be a text or a list of many lines. */
function endOfValue(lines: readonly string[], row: number, column: number): number {
  let depth = 0;
  let text = (lines[row] ?? '').slice(column);
  for (let at = row; ; at++) {
    const long = /^\s*("""|''')/.exec(text)?.[1];
    if (at === row && long) return endOfText(lines, row, column + text.indexOf(long) + 3, long);
    for (const token of text.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'|#.*|[[\]{}]/g)) {
      if (/^[[{]$/.test(token[0])) depth++;
      else if (/^[\]}]$/.test(token[0])) depth--;
    }
    if (depth <= 0 || at + 1 >= lines.length) return at + 1;
    text = lines[at + 1] ?? '';
  }
}

function endOfText(lines: readonly string[], row: number, column: number, quotes: string): number {
  if ((lines[row] ?? '').indexOf(quotes, column) >= 0) return row + 1;
  for (let at = row + 1; at < lines.length; at++) if ((lines[at] ?? '').includes(quotes)) return at + 1;
  return lines.length;
}
