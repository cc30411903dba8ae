import type { NotableLine } from './held.ts';

/** What a reader of a long text looks for first. ASCII only, whatever its case, the same in every locale. */
const NOTABLE =
  /(?:error|exception)s?\b|\b(?:fail(?:ed|ures?)?|fatal|panic(?:ked)?|traceback|assert(?:ion)?)\b/gi;

/** How much of a line is looked at and told, in characters. */
const LONGEST_LINE = 500;

/** How many notable lines are told from either end of a text. */
const MOST = 20;

/** Counts the lines of a text that comes in pieces, and picks out the notable ones. */
export class LineScanner {
  readonly #first: NotableLine[] = [];
  readonly #last: NotableLine[] = [];
  #newlines = 0;
  /** Where the line at hand starts, in characters. */
  #lineAt = 0;
  /** The line at hand as far as it is known; empty once enough of it was seen. */
  #line = '';
  #isPassing = false;
  /** How many characters have been taken. */
  #chars = 0;

  write(piece: string): void {
    const from = this.#isPassing ? piece.indexOf('\n') + 1 : 0;
    const before = this.#chars;
    this.#chars += piece.length;
    if (this.#isPassing && from === 0) return;
    if (this.#isPassing) {
      this.#isPassing = false;
      this.#newlines++;
      this.#lineAt = before + from;
    }
    const text = this.#line + piece.slice(from);
    const end = text.lastIndexOf('\n') + 1;
    this.#scan(text.slice(0, end));
    this.#begin(text.slice(end));
  }

  finish(): { lines: number; notable: NotableLine[] } {
    this.#look(this.#line);
    const lines = this.#newlines + (this.#lineAt < this.#chars ? 1 : 0);
    return { lines, notable: [...this.#first, ...this.#last] };
  }

  /** Looks at lines that are complete. */
  #scan(lines: string): void {
    let known = 0;
    NOTABLE.lastIndex = 0;
    for (let found = NOTABLE.exec(lines); found; found = NOTABLE.exec(lines)) {
      const start = lines.lastIndexOf('\n', found.index) + 1;
      const end = lines.indexOf('\n', found.index);
      this.#newlines += newlinesIn(lines, known, start);
      known = start;
      if (found.index - start < LONGEST_LINE) this.#add(lines.slice(start, end), this.#lineAt + start);
      NOTABLE.lastIndex = end + 1;
    }
    this.#newlines += newlinesIn(lines, known, lines.length);
    this.#lineAt += lines.length;
  }

  /** Begins with a line whose end isn't known. */
  #begin(line: string): void {
    this.#line = line;
    if (line.length <= LONGEST_LINE) return;
    this.#look(line);
    this.#line = '';
    this.#isPassing = true;
  }

  #look(line: string): void {
    if (line.slice(0, LONGEST_LINE).search(NOTABLE) >= 0) this.#add(line, this.#lineAt);
  }

  #add(line: string, at: number): void {
    const text = shortened(line);
    const notable = { line: this.#newlines + 1, at, text };
    if (this.#first.length < MOST) {
      this.#first.push(notable);
      return;
    }
    this.#last.push(notable);
    if (this.#last.length > MOST) this.#last.shift();
  }
}

function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The start of a line, without its carriage return. */
function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return copyOf(line.endsWith('\r') ? line.slice(0, -1) : line);
  const splits = line.codePointAt(LONGEST_LINE - 1) !== line.charCodeAt(LONGEST_LINE - 1);
  return copyOf(line.slice(0, splits ? LONGEST_LINE - 1 : LONGEST_LINE));
}

/** The same text of its own: a slice would keep all of what it is a slice of in memory. */
export function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
