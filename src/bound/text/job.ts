import type { LongText } from '../../json/held.ts';
import { cutHead, cutTail } from '../../text/cut.ts';
import type { Cost, Gap, Words } from '../types.ts';
import { encodedAround } from './encoded.ts';
import { endOfLines, linesIn, newlinesIn, type Source, sliceOf, sourceOf, startOfLines } from './source.ts';
import { headChars, tailChars } from './within.ts';

/** A text, and what it has to become. */
export interface TextToCut {
  readonly text: string | LongText;
  /** What the result may cost. */
  readonly room: number;
  readonly cost: Cost;
  /** Which share of what is kept comes from the end, from 0 to 1. */
  readonly tailShare: number;
  readonly words: Words;
  /** The part that keeps the whole of it. */
  readonly part?: string | undefined;
  /** How many lines the result may have. */
  readonly maxLines?: number | undefined;
}

export interface CutText {
  readonly text: string;
  readonly kind: 'plain' | 'json' | 'json-lines' | 'csv' | 'diff' | 'log';
  /** What was left out, in order; of the kind `json` in the places of the data. */
  readonly gaps: readonly Gap[];
}

/** A text that is to be cut, and what is known of it. */
export interface Job extends TextToCut {
  readonly source: Source;
  readonly maxLines: number;
}

/** What there is to fill. */
export interface Space {
  readonly cost: number;
  readonly lines: number;
}

/** A stretch of the text that is kept. */
export interface Piece {
  readonly from: number;
  /** Where it starts in bytes, if the text before it isn't held. */
  readonly byte?: number;
  readonly text: string;
  /** The line it starts in, from 1. */
  readonly line: number;
  readonly startsLine: boolean;
  /** Whether it ends where its last line ends; the line's end itself may be missing. */
  readonly endsLine: boolean;
  /** Whether its lines are shown with their numbers. */
  readonly isNumbered?: boolean;
}

export interface Align {
  /** How much of a head is kept. */
  readonly head?: (text: string) => number;
  /** Where in a tail it starts. */
  readonly tail?: (text: string, startsLine: boolean) => number;
}

/** How far from the inner end of what is held a cut stays: what follows there might belong to the same character. */
export const MARGIN = 128;

/** Which share of the room calls may take that stand in gaps after the first. */
const FURTHER_SHARE = 1 / 8;

const LINE_END = /^\r?\n/;

export function jobOf(what: TextToCut): Job {
  return { ...what, source: sourceOf(what.text), maxLines: what.maxLines ?? Number.MAX_SAFE_INTEGER };
}

/** The longest head that fits a space, and ends in no base64. */
export function headOf(job: Job, space: Space, align: Align['head'] = (head) => head.length): Piece {
  const { source, cost } = job;
  const held = source.head.length - (source.isWhole ? 0 : MARGIN);
  const head = cutHead(source.head, Math.min(held, headChars(source.head, space.cost, cost)));
  const lines = head.slice(0, endOfLines(head, space.lines));
  const kept = lines.slice(0, encodedAround(source.head, lines.length)?.from);
  const text = kept.slice(0, align(kept));
  return { from: 0, text, line: 1, startsLine: true, endsLine: text === '' || text.endsWith('\n') };
}

/** The longest tail that fits a space, starts at `least` or later, and in no base64. */
export function tailOf(job: Job, space: Space, least: number, align: Align['tail'] = () => 0): Piece {
  const { source, cost } = job;
  const held = Math.min(source.tail.length - (source.isWhole ? 0 : MARGIN), source.chars - least);
  const tail = cutTail(source.tail, Math.min(held, tailChars(source.tail, space.cost, cost)));
  const lines = tail.slice(startOfLines(tail, space.lines));
  const start = source.tail.length - lines.length;
  const encoded = encodedAround(source.tail, start);
  const [lineEnd = ''] = (encoded && LINE_END.exec(source.tail.slice(encoded.to, encoded.to + 2))) ?? [];
  const kept = source.tail.slice(encoded ? encoded.to + lineEnd.length : start);
  const { text, startsLine } = pieceToEnd(source, kept);
  return pieceToEnd(source, text.slice(align(text, startsLine)));
}

function pieceToEnd(source: Source, text: string): Piece {
  const from = source.chars - text.length;
  const startsLine = from === 0 || text === '' || sliceOf(source, from - 1, from) === '\n';
  return { from, text, line: source.lines - linesIn(text) + 1, startsLine, endsLine: true };
}

/** A stretch of what is held. */
export function pieceAt(source: Source, from: number, to: number): Piece | undefined {
  const text = sliceOf(source, from, to);
  const before = sliceOf(source, 0, from);
  const after = sliceOf(source, from, source.chars);
  if (text === undefined || (before === undefined && after === undefined)) return undefined;
  const line = before === undefined ? source.lines - linesIn(after ?? '') + 1 : newlinesIn(before) + 1;
  const startsLine = from === 0 || sliceOf(source, from - 1, from) === '\n';
  return { from, text, line, startsLine, endsLine: to === source.chars || text.endsWith('\n') };
}

export function endOf(piece: Piece): number {
  return piece.from + piece.text.length;
}

/**
 * A head and a tail that fill a space; what the head leaves is the tail's, which starts at `least` or later. `align`
 * moves an end, as it was cut by characters and lines, to where something whole ends or starts.
 */
export function endsOf(job: Job, space: Space, align: Align = {}, least = 0): [head: Piece, tail: Piece] {
  const share = 1 - job.tailShare;
  const forHead = { cost: space.cost * share, lines: Math.round(space.lines * share) };
  const head = headOf(job, forHead, align.head);
  if (job.tailShare === 0) return [head, pieceToEnd(job.source, '')];
  const forTail = { cost: space.cost - job.cost(head.text), lines: space.lines - linesIn(head.text) };
  return [head, tailOf(job, forTail, Math.max(endOf(head), least), align.tail)];
}

/** What is missing around and between pieces, which are in order. */
export function gapsOf(job: Job, pieces: readonly Piece[]): Gap[] {
  const { source, part } = job;
  const gaps: Gap[] = [];
  let at = 0;
  let byte = 0;
  let line = 1;
  for (const piece of [...pieces, pieceToEnd(source, '')]) {
    const last = piece.startsLine ? piece.line - 1 : piece.line;
    const start = piece.byte ?? byteAt(source, piece.from, { at, byte });
    if (piece.from > at) {
      const lines = { from: line, to: last + 1, count: last - line + 1 };
      gaps.push({
        part,
        from: at,
        to: piece.from,
        unit: 'chars',
        chars: piece.from - at,
        bytes: start - byte,
        lines,
        of: source.chars,
      });
    }
    at = endOf(piece);
    byte = start + Buffer.byteLength(piece.text);
    line = piece.line + newlinesIn(piece.text) + (piece.endsLine && !/(?:^|\n)$/.test(piece.text) ? 1 : 0);
  }
  return gaps;
}

/** How many bytes stand before a place, up to or from which the text is held; of a place before it that is known. */
function byteAt(source: Source, at: number, known: { at: number; byte: number }): number {
  if (source.bytes === source.chars) return at;
  const between = sliceOf(source, known.at, at);
  if (between !== undefined) return known.byte + Buffer.byteLength(between);
  return source.bytes - Buffer.byteLength(source.tail.slice(at - source.chars + source.tail.length));
}

/** A gap that no gap of the text has more figures than, to know beforehand what words about gaps cost. */
export function largestGap({ source, part }: Job): Gap {
  const { chars, bytes, lines } = source;
  return {
    part,
    from: chars,
    to: chars,
    unit: 'chars',
    chars,
    bytes,
    lines: { from: lines, to: lines + 1, count: lines },
    of: chars,
  };
}

/**
 * What is said in the gaps of a text, which are asked about in order: in the first one all, in the others where they are
 * and how to read on, as long as that takes no more than its share of the room.
 */
export function sayInGaps({ room, cost, words }: Job): (gap: Gap, index: number) => string {
  let left = room * FURTHER_SHARE;
  return (gap, index) => {
    if (index === 0) return words.marker(gap);
    const further = words.further(gap);
    left -= cost(further);
    return left >= 0 ? further : words.brief(gap);
  };
}

/** Writes pieces down with a notice before them and with what `say` says in each gap, all on lines of their own. */
export function layOut(
  job: Job,
  pieces: readonly Piece[],
  kind: CutText['kind'],
  say: (gap: Gap, index: number) => string | undefined = sayInGaps(job),
): CutText {
  const gaps = gapsOf(job, pieces);
  const shown = pieces
    .filter((piece) => piece.text !== '')
    .map((piece) => [piece.from, written(piece)] as const);
  const said = gaps.map((gap, index) => [gap.from, say(gap, index) ?? ''] as const);
  const parts = [...shown, ...said].filter(([, text]) => text !== '').sort(([a], [b]) => a - b);
  const text = parts.reduce(
    (before, [, text]) => `${before}${before.endsWith('\n') ? '' : '\n'}${text}`,
    job.words.notice(gaps),
  );
  return { text, kind, gaps };
}

/** What a piece looks like. */
export function written({ text, line, isNumbered }: Piece): string {
  if (!isNumbered) return text;
  return text
    .split(/(?<=\n)/)
    .map((part, index) => `${line + index}: ${part}`)
    .join('');
}

/** Whether a finished text is within what it may cost and how many lines it may have. */
export function fits(job: Job, text: string): boolean {
  return job.cost(text) <= job.room && linesIn(text) <= job.maxLines;
}

/**
 * Cuts with less and less to fill until the result fits; undefined if `cut` gives up or it can't be made to fit.
 * What words cost is only known when they are said.
 */
export function settle(
  job: Job,
  space: number,
  cut: (space: number) => CutText | undefined,
): CutText | undefined {
  let left = space;
  for (let tries = 0; tries < 10 && left >= 0; tries++) {
    const result = cut(left);
    if (!result || fits(job, result.text)) return result;
    left -= Math.max(1, job.cost(result.text) - job.room) * 2 ** tries;
  }
  return undefined;
}
