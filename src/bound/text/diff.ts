import type { Gap } from '../types.ts';
import { figure } from '../words.ts';
import {
  type CutText,
  endOf,
  endsOf,
  type Job,
  largestGap,
  layOut,
  type Piece,
  type Space,
  sayInGaps,
  settle,
} from './job.ts';
import { linesIn, newlinesIn, type Source, sliceOf } from './source.ts';

/** Within how many characters a diff has its first hunk: a commit's message may stand before it. */
const START = 8192;

/** Where in a diff a file's header or a hunk starts. */
interface Mark {
  readonly at: number;
  readonly kind: 'file' | 'hunk';
  /** The header of the hunk's file, if it is known. */
  readonly header: Header | undefined;
}

/** A file's header, from its first line to its first hunk. */
interface Header {
  readonly from: number;
  to: number | undefined;
}

/**
 * Cuts a unified diff between hunks: the first and the last are kept whole, with the headers of their files, and the
 * words in a gap say how many hunks and files are missing. Where one hunk alone is too large, it is cut at lines.
 * Undefined if the text is no such diff, or there is too little room.
 */
export function cutDiff(job: Job): CutText | undefined {
  const { words, source } = job;
  if (!marksIn(source.head.slice(0, START)).some(({ header }) => header?.to !== undefined)) return undefined;
  const marks = marksOf(source);
  const missing = (gap: Gap) => (source.isWhole ? countIn(marks, gap) : '');
  const gap = { ...largestGap(job), from: 0 };
  const least = `${words.notice([gap])}\n\n${words.marker(largestGap(job))}${missing(gap)}\n`;
  return settle(job, job.room - job.cost(least), (cost) => {
    const pieces = piecesOf(job, { cost, lines: job.maxLines - 2 }, marks);
    const say = sayInGaps(job);
    return layOut(job, pieces, 'diff', (gap, index) => `${say(gap, index)}${missing(gap)}`);
  });
}

/** A head, a tail, and between them the header of the file in which the tail starts, if the head doesn't have it. */
function piecesOf(job: Job, space: Space, marks: readonly Mark[]): Piece[] {
  const align = {
    head: (text: string) => endOfHunks(text, marks),
    tail: (text: string) => startOfHunks(text, job.source.chars - text.length, marks),
  };
  const ends = endsOf(job, space, align);
  const header = headerBetween(job, ends, marks);
  if (!header) return ends;
  const rest = {
    cost: space.cost - job.cost(`${header.text}${job.words.brief(largestGap(job))}\n`),
    lines: space.lines - linesIn(header.text) - 1,
  };
  const [head, tail] = endsOf(job, rest, align);
  return [head, headerBetween(job, [head, tail], marks), tail].filter((piece) => piece !== undefined);
}

/** Where the last hunk that is whole in a head ends; the head's own end if not even the first one is. */
function endOfHunks(head: string, marks: readonly Mark[]): number {
  const first = marks.find(({ kind }) => kind === 'hunk')?.at ?? 0;
  const end = marks.findLast(
    ({ at, kind, header }) => at > first && at <= head.length && (kind === 'file' || header?.to !== at),
  );
  return end?.at ?? head.length;
}

/** Where in a tail that starts `from` characters into the text its first whole hunk or file starts; 0 if none does. */
function startOfHunks(tail: string, from: number, marks: readonly Mark[]): number {
  const start = marks.find(({ at }) => at >= from)?.at ?? from;
  return start < from + tail.length ? start - from : 0;
}

function headerBetween(job: Job, [head, tail]: [Piece, Piece], marks: readonly Mark[]): Piece | undefined {
  const { source } = job;
  const known = source.isWhole ? 0 : source.chars - source.tail.length;
  const mark = marks.findLast(({ at }) => at >= known && at <= tail.from);
  const { from, to } = mark?.header ?? {};
  if (tail.text === '' || mark?.kind !== 'hunk' || from === undefined || from < endOf(head)) return undefined;
  const text = sliceOf(source, from, to ?? from);
  const after = sliceOf(source, from, tail.from);
  if (text === undefined || after === undefined) return undefined;
  return { from, text, line: tail.line - newlinesIn(after), startsLine: true, endsLine: true };
}

function countIn(marks: readonly Mark[], gap: Gap): string {
  const missing = marks.filter(({ at }) => at >= gap.from && at < gap.to);
  const hunks = missing.filter(({ kind }) => kind === 'hunk').length;
  const files = missing.length - hunks;
  if (missing.length === 0) return '';
  return ` (${figure(hunks)} ${hunks === 1 ? 'hunk' : 'hunks'}, ${figure(files)} ${files === 1 ? 'file' : 'files'})`;
}

function marksOf({ head, tail, chars, isWhole }: Source): Mark[] {
  if (isWhole) return marksIn(head);
  const from = chars - tail.length;
  return [...marksIn(head), ...marksIn(tail, tail.indexOf('\n') + 1, from)];
}

const HUNK = /@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@.*\n?/y;

/** Where files and hunks start in a diff, read from the line that starts at `start`; `base` is added to all offsets. */
function marksIn(diff: string, start = 0, base = 0): Mark[] {
  const marks: Mark[] = [];
  let header: Header | undefined;
  /** Whether lines of a header may follow. */
  let isOpen = false;
  for (let at = start; at < diff.length; ) {
    const next = nextLine(diff, at);
    const starts = (sign: string, line: number) => diff.startsWith(sign, behindColours(diff, line));
    const isPair = starts('--- ', at) && starts('+++ ', next);
    if (starts('diff --git ', at) || starts('Index: ', at) || (isPair && !isOpen)) {
      header = { from: base + at, to: undefined };
      marks.push({ at: base + at, kind: 'file', header });
      isOpen = !isPair;
    }
    const end = endOfHunk(diff, at);
    if (end !== undefined) {
      if (header) header.to ??= base + at;
      marks.push({ at: base + at, kind: 'hunk', header });
    }
    if (isPair || end !== undefined) isOpen = false;
    at = end ?? next;
  }
  return marks;
}

/** Where the hunk that starts at `at` ends, by the counts of lines in its header; undefined if none starts there. */
function endOfHunk(diff: string, at: number): number | undefined {
  HUNK.lastIndex = behindColours(diff, at);
  const match = HUNK.exec(diff);
  if (!match) return undefined;
  let [, before, after] = [0, Number(match[1] ?? 1), Number(match[2] ?? 1)];
  let end = HUNK.lastIndex;
  while ((before > 0 || after > 0) && end < diff.length) {
    const sign = diff.charAt(behindColours(diff, end));
    if (!/[-+ \\\r\n]/.test(sign)) break;
    if (!/[+\\]/.test(sign)) before--;
    if (!/[-\\]/.test(sign)) after--;
    end = nextLine(diff, end);
  }
  return end;
}

const COLOURS = /(?:\u001b\[[\d;]*m)+/y;

/** Where in a line that starts at `at` its text starts. */
function behindColours(text: string, at: number): number {
  if (text[at] !== '\u001b') return at;
  COLOURS.lastIndex = at;
  return COLOURS.test(text) ? COLOURS.lastIndex : at;
}

function nextLine(text: string, at: number): number {
  return text.indexOf('\n', at) + 1 || text.length;
}
