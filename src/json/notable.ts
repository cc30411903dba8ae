import type { NotableLine } from './held.ts';
import { isStackFrame, type Rank, rankOf, SIGNS, shapeOf, withoutColours } from './signs.ts';

/** How much of a line is looked at and told, in characters. */
const LONGEST_LINE = 500;

/** How many notable lines of a rank, and how many lines of a stack trace, are told from either end. */
const MOST = 20;
const MOST_FRAMES = 10;

/** So many shapes of lines are remembered. After as many others, one that was seen counts as new again. */
const SHAPES = 1000;

/** What is added to the rank of a line that differs from one before in numbers only. */
const REPEATED = 2;

type Line = Omit<NotableLine, 'rank' | 'of'>;

/** A notable line, and the lines of the stack trace that belongs to it. */
interface Found extends Line {
  readonly rank: number;
  trace: Ends<Line> | undefined;
}

/** Counts the lines of a text that comes in pieces, and picks out the notable ones. */
export class LineScanner {
  /** By rank. */
  readonly #found = [0, 1, 2, 3].map(() => new Ends<Found>(MOST));
  readonly #shapes = new Set<string>();
  /** The notable line to whose stack trace the next one may belong. */
  #last: Found | undefined;
  /** What was looked at, up to the line at hand. */
  #newlines = 0;
  #chars = 0;
  #bytes = 0;
  /** The line at hand as far as it is known; empty once enough of it was seen. */
  #line = '';
  #isPassing = false;

  write(piece: string): void {
    if (!this.#isPassing) {
      this.#scan(this.#line + piece);
      return;
    }
    const from = piece.indexOf('\n') + 1;
    this.#advance(piece.slice(0, from || piece.length));
    if (from === 0) return;
    this.#isPassing = false;
    this.#scan(piece.slice(from));
  }

  finish(): { lines: number; notable: NotableLine[] } {
    if (this.#line !== '') this.#look(this.#line);
    const lines = this.#newlines + (this.#isPassing || this.#line !== '' ? 1 : 0);
    const notable = this.#found.flatMap((found) => found.items.flatMap(told));
    return { lines, notable: notable.sort((one, other) => one.at - other.at) };
  }

  /** Looks at lines, of which the last may not be complete. */
  #scan(lines: string): void {
    const end = lines.lastIndexOf('\n') + 1;
    let at = 0;
    while (at < end) {
      const next = this.#last ? at : nextWithSign(lines, at);
      if (next >= end) break;
      const lineEnd = lines.indexOf('\n', next) + 1;
      this.#advance(lines.slice(at, next));
      this.#look(lines.slice(next, lineEnd - 1));
      this.#advance(lines.slice(next, lineEnd));
      at = lineEnd;
    }
    this.#advance(lines.slice(at, end));
    this.#line = lines.slice(end);
    if (this.#line.length <= LONGEST_LINE) return;
    this.#look(this.#line);
    this.#advance(this.#line);
    this.#line = '';
    this.#isPassing = true;
  }

  #advance(text: string): void {
    this.#newlines += newlinesIn(text);
    this.#chars += text.length;
    this.#bytes += Buffer.byteLength(text);
  }

  #look(line: string): void {
    const text = shortened(line);
    const plain = withoutColours(text);
    const rank = nextWithSign(plain, 0) === 0 ? rankOf(plain) : undefined;
    const here = { line: this.#newlines + 1, at: this.#chars, byte: this.#bytes, text };
    if (rank !== undefined) this.#last = this.#note(here, rank);
    else if (this.#last && belongsTo(this.#last, plain)) addTo(this.#last, here);
    else if (!this.#last || !mayGoOn(this.#last, plain)) this.#last = undefined;
  }

  #note(line: Line, rank: Rank): Found {
    const shape = shapeOf(withoutColours(line.text));
    const isNew = !this.#shapes.has(shape);
    if (isNew) this.#remember(shape);
    // What ends a trace of Python belongs to it, and says more than its start, which is the same every time.
    const start = isNew && this.#last && this.#last.rank >= REPEATED ? this.#last : undefined;
    const trace = start?.trace;
    if (start) start.trace = undefined;
    const found = { ...line, rank: isNew ? rank : rank + REPEATED, trace };
    this.#found[found.rank]?.add(found);
    return found;
  }

  #remember(shape: string): void {
    if (this.#shapes.size >= SHAPES) this.#shapes.clear();
    this.#shapes.add(copyOf(shape));
  }
}

/** The notable lines of a text, as {@link LineScanner} picks them out. */
export function notableIn(text: string): NotableLine[] {
  const scanner = new LineScanner();
  scanner.write(text);
  return scanner.finish().notable;
}

/** The first and the last of many. */
class Ends<Item> {
  readonly #first: Item[] = [];
  readonly #last: Item[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get items(): Item[] {
    return [...this.#first, ...this.#last];
  }

  add(item: Item): void {
    if (this.#first.length < this.#most) {
      this.#first.push(item);
      return;
    }
    this.#last.push(item);
    if (this.#last.length > this.#most) this.#last.shift();
  }
}

/** Where the next line starts that may be notable. */
function nextWithSign(lines: string, from: number): number {
  SIGNS.lastIndex = from;
  const found = SIGNS.exec(lines);
  return found ? lines.lastIndexOf('\n', found.index - 1) + 1 : Number.POSITIVE_INFINITY;
}

/** Whether a line is of the stack trace of a notable one, or of what it says. */
function belongsTo({ text, trace }: Found, line: string): boolean {
  if (line.trim() === '') return false;
  const plain = withoutColours(text);
  const isAnnounced = plain.endsWith(':') && !trace;
  return isAnnounced || isStackFrame(line) || indentOf(line) > indentOf(plain);
}

function addTo(found: Found, line: Line): void {
  found.trace ??= new Ends(MOST_FRAMES);
  found.trace.add(line);
}

/** Go has an empty line between a panic and its trace. */
function mayGoOn({ rank, trace }: Found, line: string): boolean {
  return line === '' && rank % REPEATED === 0 && !trace;
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}

/** A notable line and what belongs to it: of Python's traces the last lines come first, of others the first. */
function told({ trace, ...found }: Found): NotableLine[] {
  const own = { ...found, text: copyOf(found.text) };
  const items = trace?.items ?? [];
  const isPython = items.some(({ text }) => withoutColours(text).trimStart().startsWith('File "'));
  const frames = items.map((item, index) => ({
    ...item,
    text: copyOf(item.text),
    rank: isPython ? items.length - 1 - index : index,
    of: found.line,
  }));
  return [own, ...frames];
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The start of a line, without its carriage return. */
function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return line.endsWith('\r') ? line.slice(0, -1) : line;
  const splits = line.codePointAt(LONGEST_LINE - 1) !== line.charCodeAt(LONGEST_LINE - 1);
  return line.slice(0, splits ? LONGEST_LINE - 1 : LONGEST_LINE);
}

/** The same text of its own: a slice would keep all of what it is a slice of in memory. */
export function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
