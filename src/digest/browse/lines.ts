import type { Pattern } from '../../read/pattern.ts';
import { cutHead, cutTail } from '../../text/cut.ts';

/** A line in which something was found. */
export interface LineFound {
  /** From 1. */
  readonly line: number;
  /** As it is shown: where it is long, around what was found. */
  readonly shown: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Lines of context on either side. */
const CONTEXT = 1;
/** How much is shown of a long line on either side of what was found, and of a line of the context. */
const SIDE = 200;

/** Finds the lines of a text in which a pattern matches, and rests between stretches. */
export class LineSearch {
  readonly #text: string;
  readonly #pattern: Pattern;
  readonly #rest: () => Promise<void>;
  /** Lines that are so long that only their start was searched. */
  cut = 0;

  /** `rest` is awaited after every stretch. */
  constructor(text: string, pattern: Pattern, rest: () => Promise<void>) {
    this.#text = text;
    this.#pattern = pattern;
    this.#rest = rest;
  }

  /** A match is told by the line it begins in, each line once. */
  async *find(): AsyncGenerator<LineFound> {
    const text = this.#text;
    let line = 1;
    for (let at = 0; at < text.length; ) {
      const { end, next } = this.#stretch(at);
      const stretch = text.slice(at, end);
      let counted = 0;
      for (let from = 0; from < stretch.length; ) {
        const match = this.#pattern.find(stretch, from);
        if (!match || match.start >= stretch.length) break;
        line += newlines(stretch, counted, match.start);
        counted = match.start;
        // Where a line is cut off, an end is none.
        if (match.end < stretch.length || end === next) {
          yield this.#lineAt(line, at + match.start, match.end - match.start);
        }
        const lineEnd = stretch.indexOf('\n', match.start);
        from = lineEnd < 0 ? stretch.length : lineEnd + 1;
      }
      line += newlines(text, at + counted, next);
      at = next;
      await this.#rest();
    }
  }

  /** Whole lines, about as many as may be searched at once, or the start of one that is longer than that. */
  #stretch(at: number): { readonly end: number; readonly next: number } {
    const text = this.#text;
    const most = at + this.#pattern.stretch;
    if (most >= text.length) return { end: text.length, next: text.length };
    const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
    if (lineEnd > at) return { end: lineEnd, next: lineEnd };
    this.cut += 1;
    const next = text.indexOf('\n', most) + 1;
    return { end: most, next: next === 0 ? text.length : next };
  }

  #lineAt(line: number, at: number, length: number): LineFound {
    const text = this.#text;
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const end = endOfLine(text, at);
    const head = cutTail(text.slice(start, at), SIDE);
    const tail = cutHead(text.slice(at, end), Math.min(length, SIDE) + SIDE);
    const shown = `${start + head.length < at ? '…' : ''}${head}${tail}${at + tail.length < end ? '…' : ''}`;
    const before: string[] = [];
    for (let to = start - 1; to >= 0 && before.length < CONTEXT; ) {
      const from = to === 0 ? 0 : text.lastIndexOf('\n', to - 1) + 1;
      before.unshift(shortLine(text.slice(from, to)));
      to = from - 1;
    }
    const after: string[] = [];
    for (let from = end + 1; from < text.length && after.length < CONTEXT; ) {
      const to = endOfLine(text, from);
      after.push(shortLine(text.slice(from, to)));
      from = to + 1;
    }
    return { line, shown: withoutReturn(shown), before, after };
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function shortLine(text: string): string {
  const line = withoutReturn(text);
  const shown = cutHead(line, SIDE);
  return shown.length < line.length ? `${shown}…` : shown;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
