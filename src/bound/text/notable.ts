import { LongText, type NotableLine } from '../../json/held.ts';
import { textOf } from '../../json/long-text.ts';
import { cutHead } from '../../text/cut.ts';
import { endOf, type Job, largestGap, type Piece, type Space, written } from './job.ts';
import { linesIn, newlinesIn, sliceOf } from './source.ts';

/** How far a character may go on beyond a line that was shortened. */
const BEYOND = 128;

/** A line that isn't held is taken to be whole if it is shorter than this. */
const SHORTENED = 490;

const LIMITS = { textChars: 1, listBytes: 1 };

/** By their length. */
const LINE_ENDS = ['', '\n', '\r\n'];

/**
 * The notable lines between a head and a tail, and what showing them takes, marks for the gaps between included: as
 * many as there is space for, the first and the last before those in the middle.
 */
export function notableBetween(
  job: Job,
  head: Piece,
  tail: Piece,
  space: Space,
): { pieces: Piece[]; taken: Space } {
  const brief = job.cost(`${job.words.brief(largestGap(job))}\n`);
  const costOf = (piece: Piece) => job.cost(`${written(piece)}\n`) + brief;
  const left = { ...space };
  const shown: Piece[] = [];
  for (const piece of outsideIn(candidates(job, head, tail))) {
    const cost = costOf(piece);
    if (cost > left.cost || left.lines < 2) continue;
    left.cost -= cost;
    left.lines -= 2;
    shown.push(piece);
  }
  shown.sort((a, b) => a.from - b.from);
  const pieces = shown.reduce<Piece[]>((before, piece) => bridged(job, before, piece, brief), []);
  return {
    pieces,
    taken: {
      cost: pieces.reduce((sum, piece) => sum + costOf(piece), 0),
      lines: pieces.reduce((sum, piece) => sum + linesIn(piece.text) + 1, 0),
    },
  };
}

function candidates(job: Job, head: Piece, tail: Piece): Piece[] {
  return linesBetween(job, head, tail)
    .map((line) => pieceOf(job, line))
    .filter(
      (piece) =>
        (piece.from > endOf(head) || (piece.from === endOf(head) && head.endsLine)) &&
        (endOf(piece) < tail.from || (endOf(piece) === tail.from && tail.startsLine)),
    );
}

function linesBetween({ text, source }: Job, head: Piece, tail: Piece): readonly NotableLine[] {
  if (text instanceof LongText && !source.isWhole) return text.notable;
  const from = endOf(head);
  const firstLine = head.line + newlinesIn(head.text);
  return textOf(source.head.slice(from, tail.from), LIMITS).notable.map((found) => ({
    ...found,
    at: from + found.at,
    line: firstLine - 1 + found.line,
  }));
}

/** A notable line as a piece, with its line end where that is held. */
function pieceOf({ source }: Job, { at, line, text }: NotableLine): Piece {
  const end = at + text.length;
  const piece = { from: at, text, line, startsLine: true, isNumbered: true };
  const held = sliceOf(source, at, Math.min(source.chars, end + BEYOND));
  if (held === undefined) return { ...piece, endsLine: text.length < SHORTENED };
  const [lineEnd] = /^\r?\n|^$/.exec(held.slice(text.length)) ?? [];
  if (lineEnd === undefined) return { ...piece, text: cutHead(held, text.length), endsLine: false };
  return { ...piece, text: text + lineEnd, endsLine: true };
}

/** The first, the last, the second, the last but one, and so on. */
function outsideIn<Item>(items: readonly Item[]): Item[] {
  return items.map((_, index) => items.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2) as Item);
}

/** Adds a piece to those before it; a single line between that costs no more than saying that it is missing is shown. */
function bridged(job: Job, before: Piece[], piece: Piece, brief: number): Piece[] {
  const last = before.at(-1);
  const between = last && textBetween(job, last, piece);
  if (last && between !== undefined && linesIn(between) <= 1) {
    const joined = { ...last, text: last.text + between + piece.text, endsLine: piece.endsLine };
    const apart = job.cost(written(last)) + brief + job.cost(written(piece));
    if (job.cost(written(joined)) <= apart) return [...before.slice(0, -1), joined];
  }
  return [...before, piece];
}

function textBetween({ source }: Job, last: Piece, piece: Piece): string | undefined {
  const from = endOf(last);
  const areAdjacent = last.endsLine && piece.line === last.line + linesIn(last.text);
  return sliceOf(source, from, piece.from) ?? (areAdjacent ? LINE_ENDS[piece.from - from] : undefined);
}
