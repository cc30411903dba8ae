import { cutHead, cutTail } from '../../text/cut.ts';
import type { Gap } from '../types.ts';
import { encodedIn, type Stretch } from './encoded.ts';
import {
  type CutText,
  endOf,
  type Job,
  largestGap,
  layOut,
  MARGIN,
  type Piece,
  pieceAt,
  type Space,
  settle,
} from './job.ts';
import { LEAST_SHARE } from './lines.ts';
import { endOfLines, linesIn, type Source, sliceOf, startOfLines } from './source.ts';
import { headChars, tailChars } from './within.ts';

/** How many stretches of base64 are left out, each of its own; what comes after is cut as if it were no base64. */
const MOST = 50;

/**
 * Cuts a text that has base64 in it: that is left out, each stretch of its own, and the room goes to the text around it,
 * from the start and from the end. Undefined if there is no base64 where the text is held, too little room, or if a
 * single gap leaves out all base64 already.
 */
export function cutAround(job: Job, gaps: readonly Gap[]): CutText | undefined {
  const { source, words, tailShare, maxLines } = job;
  const encoded = encodedOf(source);
  const [first, last] = [encoded[0], encoded.at(-1)];
  if (!first || !last) return undefined;
  if (encoded.length === 1 && gaps.some(({ from, to }) => from <= first.from && last.to <= to))
    return undefined;
  const stretches = around(encoded, source);
  const gap = largestGap(job);
  const left = job.room - job.cost(`${words.notice([gap])}\n\n${words.marker(gap)}\n`);
  if (left < job.room * LEAST_SHARE || maxLines < 3) return undefined;
  const brief = job.cost(`\n${words.brief(gap)}\n`);
  return settle(job, left, (cost) => {
    const lines = maxLines - 2;
    const forHead = { cost: cost * (1 - tailShare), lines: Math.ceil(lines * (1 - tailShare)) };
    const heads = fill(job, stretches, forHead, brief, startOf);
    const after = heads.length > 0 ? endOf(heads.at(-1) as Piece) : 0;
    const rest = stretches
      .map(({ from, to }) => ({ from: Math.max(from, after), to }))
      .filter(({ from, to }) => from < to)
      .reverse();
    const taken = heads.reduce((sum, { text }) => sum + job.cost(text) + brief, 0);
    const takenLines = heads.reduce((sum, { text }) => sum + linesIn(text) + 1, 0);
    const tails = fill(job, rest, { cost: cost - taken, lines: lines - takenLines }, brief, endOfStretch);
    const pieces = joined(job, [...heads, ...tails.reverse()]);
    return pieces.length > 0 ? layOut(job, pieces, 'plain') : undefined;
  });
}

/** Pieces with nothing missing between them are one. */
function joined({ source }: Job, pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const before = all.at(-1);
    const both = before && endOf(before) === piece.from && pieceAt(source, before.from, endOf(piece));
    if (both) all[all.length - 1] = both;
    else all.push(piece);
  }
  return all;
}

/** The base64 in a text, as far as it is held. */
function encodedOf({ head, tail, chars, isWhole }: Source): Stretch[] {
  if (isWhole) return encodedIn(head, MOST);
  const offset = chars - tail.length;
  const inTail = encodedIn(tail, MOST).map(({ from, to }) => ({ from: from + offset, to: to + offset }));
  return [...encodedIn(head, MOST), ...inTail];
}

/** The stretches of text around base64, as far as it is held. */
function around(encoded: readonly Stretch[], { head, tail, chars, isWhole }: Source): Stretch[] {
  if (isWhole) return outside(encoded, 0, chars);
  const end = head.length - MARGIN;
  const start = Math.max(chars - tail.length + MARGIN, end);
  return [...outside(encoded, 0, end), ...outside(encoded, start, chars)];
}

function outside(encoded: readonly Stretch[], start: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  let from = start;
  for (const one of encoded) {
    if (one.from >= end) break;
    if (one.from > from) stretches.push({ from, to: Math.min(one.from, end) });
    from = Math.max(from, one.to);
  }
  if (from < end) stretches.push({ from, to: end });
  return stretches.filter((one) => one.from < one.to);
}

/** Takes stretches one after the other, as long as there is space, of the last as much as fits. */
function fill(
  job: Job,
  stretches: readonly Stretch[],
  { cost, lines }: Space,
  brief: number,
  partOf: (job: Job, text: string, space: Space) => { readonly from: number; readonly to: number },
): Piece[] {
  const pieces: Piece[] = [];
  for (const { from, to } of stretches) {
    const text = sliceOf(job.source, from, to) ?? '';
    const isAll = linesIn(text) <= lines && job.cost(text) <= cost;
    const part = isAll ? { from: 0, to: text.length } : partOf(job, text, { cost, lines });
    const piece = part.from < part.to ? pieceAt(job.source, from + part.from, from + part.to) : undefined;
    if (piece) pieces.push(piece);
    cost -= job.cost(text) + brief;
    lines -= linesIn(text) + 1;
    if (!isAll || cost <= 0 || lines <= 0) break;
  }
  return pieces;
}

function startOf(job: Job, text: string, { cost, lines }: Space): { from: number; to: number } {
  const head = cutHead(text, headChars(text, Math.max(0, cost), job.cost));
  return { from: 0, to: endOfLines(head, Math.max(0, lines)) };
}

function endOfStretch(job: Job, text: string, { cost, lines }: Space): { from: number; to: number } {
  const tail = cutTail(text, tailChars(text, Math.max(0, cost), job.cost));
  return { from: text.length - tail.length + startOfLines(tail, Math.max(0, lines)), to: text.length };
}
