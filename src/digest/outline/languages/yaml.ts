import { plain } from '../nodes.ts';
import type { Outline } from '../outline.ts';
import { Builder, endOf, withoutBlanks } from '../text/builder.ts';

const KEY =
  /^( *)("(?:\\.|[^"\\])*"|'[^']*'|[^\s#"'[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?)[ \t]*:(?=[ \t\r]|$)/;
const BLOCK_SCALAR = /:[ \t]+(?:[!&]\S+[ \t]+)*[|>][-+\d]*[ \t]*(?:#.*)?\r?$/;
/** A line's first characters, in which its key is looked for. */
const LONGEST_KEY = 300;
const COMMENT = /^[ \t]*#/;
/** Keys under a key, if they are at most so many: more are data. */
const MOST_CHILDREN = 100;

interface Entry {
  readonly name: string;
  readonly start: number;
  readonly row: number;
  readonly depth: number;
}

/** The keys of the two topmost levels. */
export function yaml(text: string): Outline {
  const lines = text.split('\n');
  const builder = new Builder(lines);
  const entries = fewEnough(keysOf(lines, builder));
  entries.forEach(({ name, start, row, depth }, index) => {
    const next = endOf(entries, index, lines.length);
    const end = withoutBlanks(lines, row, endOfDocument(lines, row, next));
    const isParent = entries[index + 1] !== undefined && (entries[index + 1]?.depth ?? 0) > depth;
    const body = isParent ? undefined : { start: row + 1, end };
    builder.define({ name, signature: { start: row, end: row + 1 }, end, body, depth, from: start });
  });
  return builder.outline();
}

function keysOf(lines: readonly string[], builder: Builder): Entry[] {
  const entries: Entry[] = [];
  let indent = -1;
  for (let row = 0; row < lines.length; row++) {
    const line = lines[row] ?? '';
    if (COMMENT.test(line)) continue;
    const key = KEY.exec(line.slice(0, LONGEST_KEY));
    const column = key?.[1]?.length ?? 0;
    if (key && (column === 0 || (column === indent && entries.length > 0))) {
      const depth = column === 0 ? 0 : 1;
      entries.push({ name: plain(key[2] ?? ''), start: builder.commentsAbove(row, COMMENT), row, depth });
      if (depth === 0) indent = indentBelow(lines, row);
    }
    if (BLOCK_SCALAR.test(line)) row = endOfBlock(lines, row) - 1;
  }
  return entries;
}

/** How far what stands under a key is indented, if keys stand there. */
function indentBelow(lines: readonly string[], row: number): number {
  if (BLOCK_SCALAR.test(lines[row] ?? '')) return -1;
  for (let at = row + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || COMMENT.test(line)) continue;
    const column = KEY.exec(line.slice(0, LONGEST_KEY))?.[1]?.length ?? 0;
    return column > 0 ? column : -1;
  }
  return -1;
}

/** The line after a text that is set apart by how far it's indented. */
function endOfBlock(lines: readonly string[], row: number): number {
  const outer = /^ */.exec(lines[row] ?? '')?.[0].length ?? 0;
  for (let at = row + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() !== '' && (/^ */.exec(line)?.[0].length ?? 0) <= outer) return at;
  }
  return lines.length;
}

function endOfDocument(lines: readonly string[], from: number, to: number): number {
  for (let row = from + 1; row < to; row++) if (/^(?:---|\.\.\.)(?:\s|$)/.test(lines[row] ?? '')) return row;
  return to;
}

/** Without the keys of those that have too many. */
function fewEnough(entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  let children: Entry[] = [];
  for (const entry of [...entries, undefined]) {
    if (entry?.depth === 1) {
      children.push(entry);
      continue;
    }
    if (children.length <= MOST_CHILDREN) kept.push(...children);
    children = [];
    if (entry) kept.push(entry);
  }
  return kept;
}
