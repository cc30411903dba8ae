import type { LongText } from '../../json/held.ts';
import { cutHead, cutTail } from '../../text/cut.ts';
import type { Cost, Gap, Words } from '../types.ts';
import { encodedAround, encodedIn } from './encoded.ts';
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

/** By their length. */
const LINE_ENDS = ['', '\n', '\r\n'];

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

/**
 * Two pieces and what is missing between them as one piece; undefined if that would take more than a `space` beyond what
 * the two take, or if it isn't held. Lines have their numbers if those of both have.
 */
export function bridge(job: Job, [one, other]: readonly [Piece, Piece], space: Space): Piece | undefined {
  const between = textBetween(job, one, other);
  if (between === undefined) return undefined;
  const text = one.text + between + other.text;
  const isNumbered = one.isNumbered === true && other.isNumbered === true;
  const joined = { ...one, text, endsLine: other.endsLine, isNumbered };
  const cost = job.cost(written(one)) + job.cost(written(other)) + space.cost;
  const lines = linesIn(one.text) + linesIn(other.text) + space.lines;
  return job.cost(written(joined)) <= cost && linesIn(text) <= lines ? joined : undefined;
}

function textBetween({ source }: Job, one: Piece, other: Piece): string | undefined {
  const from = endOf(one);
  const held = sliceOf(source, from, other.from);
  if (held !== undefined || !one.endsLine) return held;
  const lines = other.line - one.line - linesIn(one.text);
  if (lines === 1 && other.from - from === 2) return '\n\n';
  return lines === 0 ? LINE_ENDS[other.from - from] : undefined;
}

/**
 * Writes pieces down with a notice before them and with what `say` says in each gap, all on lines of their own. What
 * takes no more than what would be said of it is shown.
 */
export function layOut(
  job: Job,
  pieces: readonly Piece[],
  kind: CutText['kind'],
  say: (gap: Gap, index: number) => string | undefined = sayInGaps(job),
): CutText {
  const { shown: all, said } = closed(job, pieces, say);
  const gaps = said.map(([gap]) => gap);
  const shown = all
    .filter((piece) => piece.text !== '')
    .map((piece) => [piece.from, written(piece)] as const);
  const words = said.map(([gap, text]) => [gap.from, text] as const);
  const parts = [...shown, ...words].filter(([, text]) => text !== '').sort(([a], [b]) => a - b);
  const text = parts.reduce(
    (before, [, text]) => `${before}${before.endsWith('\n') ? '' : '\n'}${text}`,
    job.words.notice(gaps),
  );
  return { text, kind, gaps };
}

/** The pieces without the gaps that are as short as what would be said of them, and what is said in the others. */
function closed(
  job: Job,
  pieces: readonly Piece[],
  say: (gap: Gap, index: number) => string | undefined,
): { shown: Piece[]; said: (readonly [Gap, string])[] } {
  const shown: Piece[] = [];
  const said: (readonly [Gap, string])[] = [];
  const waiting = [...pieces];
  let spareLines = job.maxLines - 1 - pieces.reduce((sum, { text }) => sum + linesIn(text) + 1, 0);
  for (const gap of gapsOf(job, pieces)) {
    while (waiting[0] && waiting[0].from < gap.to) shown.push(waiting.shift() as Piece);
    const text = say(gap, said.length) ?? '';
    const [last, next] = [shown.at(-1), waiting[0]];
    const space = { cost: text === '' ? 0 : job.cost(`${text}\n`), lines: 1 + Math.max(0, spareLines) };
    const joined = last && next && holdsNoEncoded(job, gap) && bridge(job, [last, next], space);
    if (joined) {
      spareLines -= Math.max(0, (gap.lines?.count ?? 0) - 1);
      shown.pop();
      waiting[0] = joined;
    } else {
      said.push([gap, text]);
    }
  }
  return { shown: [...shown, ...waiting], said };
}

function holdsNoEncoded({ source }: Job, { from, to }: Gap): boolean {
  return encodedIn(sliceOf(source, from, to) ?? '', 1).length === 0;
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
