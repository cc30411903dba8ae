import { LongText, type NotableLine } from '../../json/held.ts';
import { notableIn } from '../../json/notable.ts';
import { cutHead } from '../../text/cut.ts';
import { isDocument } from './document.ts';
import { encodedAround } from './encoded.ts';
import { bridge, endOf, type Job, largestGap, type Piece, type Space, written } from './job.ts';
import { linesIn, newlinesIn, sliceOf } from './source.ts';

/** How far a character may go on beyond a line that was shortened. */
const BEYOND = 128;

/** A line that isn't held is taken to be whole if it is shorter than this. */
const SHORTENED = 490;

/** What is added to the rank of a line that repeats another. */
const REPEATED = 2;

/** Which share of the space is left to stack traces. */
const TRACE_SHARE = 1 / 3;

/** A notable line that may be shown. */
interface Candidate extends Piece {
  readonly rank: number;
  /** Of a stack trace the number of the line that it belongs to. */
  readonly of: number | undefined;
}

/**
 * The notable lines between a head and a tail, and what showing them takes, marks for the gaps between included: as
 * many as there is space for. Those that end a program come before errors, and the first and the last before those in
 * the middle; then comes what belongs to them of stack traces, then further lines, also those that repeat others but for
 * numbers, each with its own trace.
 */
export function notableBetween(
  job: Job,
  head: Piece,
  tail: Piece,
  space: Space,
): { pieces: Piece[]; taken: Space } {
  const all = candidates(job, head, tail);
  const lines = [0, 1, 2, 3].map((rank) =>
    outsideIn(all.filter((one) => one.of === undefined && one.rank === rank)),
  );
  const fresh = lines.slice(0, REPEATED).flat();
  const shown = new Shown(job, space);
  shown.add(fresh, TRACE_SHARE);
  const traces = all.filter(({ of }) => of !== undefined).sort((one, other) => one.rank - other.rank);
  shown.add(traces.filter(({ of = 0 }) => shown.has(of)));
  for (const one of lines.flat()) {
    shown.add([one]);
    if (shown.has(one.line)) shown.add(traces.filter(({ of }) => of === one.line));
  }
  return shown.finish();
}

/** Lines that are to be shown, as far as there is space. */
class Shown {
  readonly #job: Job;
  readonly #brief: number;
  readonly #pieces = new Map<number, Piece>();
  #cost: number;
  #lines: number;

  constructor(job: Job, { cost, lines }: Space) {
    this.#job = job;
    this.#brief = job.cost(`${job.words.brief(largestGap(job))}\n`);
    this.#cost = cost;
    this.#lines = lines;
  }

  has(line: number): boolean {
    return this.#pieces.has(line);
  }

  /** Adds those for which there is space, but leaves a share of it. */
  add(pieces: readonly Piece[], share = 0): void {
    const [least, leastLines] = [this.#cost * share, this.#lines * share];
    for (const piece of pieces) {
      const isJoined =
        this.#pieces.get(piece.line - 1)?.endsLine || (piece.endsLine && this.has(piece.line + 1));
      const cost = this.#job.cost(`${written(piece)}\n`) + (isJoined ? 0 : this.#brief);
      const lines = isJoined ? 1 : 2;
      if (this.has(piece.line) || cost > this.#cost - least || lines > this.#lines - leastLines) continue;
      this.#cost -= cost;
      this.#lines -= lines;
      this.#pieces.set(piece.line, piece);
    }
  }

  finish(): { pieces: Piece[]; taken: Space } {
    const [job, brief] = [this.#job, this.#brief];
    const pieces = [...this.#pieces.values()]
      .sort((one, other) => one.from - other.from)
      .reduce<Piece[]>((before, piece) => bridged(job, before, piece, brief), []);
    return {
      pieces,
      taken: {
        cost: pieces.reduce((sum, piece) => sum + job.cost(`${written(piece)}\n`) + brief, 0),
        lines: pieces.reduce((sum, piece) => sum + linesIn(piece.text) + 1, 0),
      },
    };
  }
}

function candidates(job: Job, head: Piece, tail: Piece): Candidate[] {
  return linesBetween(job, head, tail)
    .map((line) => ({ ...pieceOf(job, line), rank: line.rank, of: line.of }))
    .filter(
      (piece) =>
        piece.text !== '' &&
        (piece.from > endOf(head) || (piece.from === endOf(head) && head.endsLine)) &&
        (endOf(piece) < tail.from || (endOf(piece) === tail.from && tail.startsLine)),
    );
}

/** Documents have none. Where the whole text is held, those that aren't between aren't looked for. */
function linesBetween({ text, source }: Job, head: Piece, tail: Piece): readonly NotableLine[] {
  if (isDocument(source)) return [];
  if (text instanceof LongText && !source.isWhole) return text.notable;
  const from = endOf(head);
  const [lines, bytes] = [head.line - 1 + newlinesIn(head.text), Buffer.byteLength(head.text)];
  return notableIn(source.head.slice(from, tail.from)).map(({ of, ...found }) => ({
    ...found,
    at: from + found.at,
    byte: bytes + found.byte,
    line: lines + found.line,
    ...(of !== undefined && { of: lines + of }),
  }));
}

/** A notable line as a piece, with its line end where that is held. */
function pieceOf({ source }: Job, { at, byte, line, text }: NotableLine): Piece {
  const end = at + text.length;
  const piece = { from: at, byte, text, line, startsLine: true, isNumbered: true };
  const held = sliceOf(source, at, Math.min(source.chars, end + BEYOND));
  if (held === undefined) {
    if (text.length < SHORTENED) return { ...piece, endsLine: true };
    return { ...piece, text: outsideEncoded(cutHead(text, text.length - BEYOND), text), endsLine: false };
  }
  const [lineEnd] = /^\r?\n|^$/.exec(held.slice(text.length)) ?? [];
  if (lineEnd !== undefined) return { ...piece, text: text + lineEnd, endsLine: true };
  return { ...piece, text: outsideEncoded(cutHead(held, text.length), held), endsLine: false };
}

/** The start of a line that was shortened, up to base64 that goes on beyond it. */
function outsideEncoded(start: string, line: string): string {
  return start.slice(0, encodedAround(line, Math.min(start.length, line.length - 1))?.from);
}

/** The first, the last, the second, the last but one, and so on. */
function outsideIn<Item>(items: readonly Item[]): Item[] {
  return items.map((_, index) => items.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2) as Item);
}

/** Adds a piece to those before it, as one with the last if what is between takes no more than saying that it is missing. */
function bridged(job: Job, before: Piece[], piece: Piece, brief: number): Piece[] {
  const last = before.at(-1);
  const joined = last && bridge(job, [last, piece], { cost: brief, lines: 1 });
  return joined ? [...before.slice(0, -1), joined] : [...before, piece];
}
