import { markOf, parseMarked } from '../../json/mark.ts';
import { stringify } from '../../json/stringify.ts';
import { NOTICE_KEY } from '../data/notice-key.ts';
import { shrink } from '../data/shrink.ts';
import type { Gap, Words } from '../types.ts';
import { type CutText, fits, gapsOf, type Job, largestGap, type Piece, pieceAt, settle } from './job.ts';
import { jsonOf } from './json.ts';
import { cutLines } from './lines.ts';
import { type Source, sourceOf } from './source.ts';

/** How many lines at either end have to be records. */
const LINES = 20;

/** How many records of the start and of the end are shown shortened, the most that there is room for. */
const SHORTENED = [
  [3, 3],
  [2, 2],
  [1, 1],
  [1, 0],
] as const;

/** With less room than this a record isn't worth shortening. */
const LEAST_RECORD = 200;

/**
 * Cuts JSON Lines (NDJSON), so that each line stays an object or an array: whole records at the start and the end,
 * those between that tell of errors, and what is missing said in records of its own. Where hardly any fit, some are
 * shortened as JSON is, and where there is no room for that either, the notice is all. Undefined if the text is none, if
 * the first and the last records aren't held whole, or if not even the notice fits.
 */
export function cutJsonLines(job: Job): CutText | undefined {
  const cut = areJsonLines(job.source) ? cutLinesOf(job) : undefined;
  return cut && markedFirst(job, cut);
}

/** JSON Lines that are whole with a notice in a record before them; undefined if the text is none. */
export function jsonLinesWithNotice(text: string, notice: string): string | undefined {
  if (!areJsonLines(sourceOf(text))) return undefined;
  const mark = markOf(text);
  return `${mark}${recordOf(notice)}\n${text.slice(mark.length)}`;
}

/** The notice is the first record then: a byte order mark that is shown stands before it. */
function markedFirst({ source }: Job, cut: CutText): CutText {
  const mark = markOf(source.head);
  if (mark === '' || !cut.text.includes(`\n${mark}`)) return cut;
  return { ...cut, text: mark + cut.text.replace(`\n${mark}`, '\n') };
}

function cutLinesOf(job: Job): CutText | undefined {
  const cut = cutLines({ ...job, words: asRecords(job.words) }, { align: WHOLE_LINES, only: wholeLines });
  const shown = cut?.gaps.some(({ chars, of }) => chars < of)
    ? { ...cut, kind: 'json-lines' as const }
    : undefined;
  const isFull = shown && job.cost(shown.text) >= job.room / 2;
  if (isFull) return shown;
  const words = asRecords(job.words);
  const brief = { ...words, marker: words.brief };
  return cutRecords(job, words) ?? shown ?? cutRecords(job, brief) ?? noticeOf(job, words);
}

function cutRecords(job: Job, words: Words): CutText | undefined {
  const gap = largestGap(job);
  const left = job.room - job.cost(`${words.notice([gap])}\n${words.marker(gap)}\n`);
  for (const [first, last] of SHORTENED) {
    const [head, tail] = [firstRecords(job.source, first), lastRecords(job.source, last)];
    const records = [...head, ...tail.filter(({ from }) => from >= (head.at(-1)?.to ?? 0))];
    const hasRoom = left >= LEAST_RECORD * records.length && records.length + 2 <= job.maxLines;
    if (head.length === 0 || (last > 0 && tail.length === 0) || !hasRoom) continue;
    const cut = settle(job, left, (space) => withRecords(job, words, records, space / records.length));
    if (cut) return cut;
  }
  return undefined;
}

/** The notice alone, as a record; undefined if it doesn't fit. */
function noticeOf(job: Job, words: Words): CutText | undefined {
  const gaps = gapsOf(job, []);
  const text = words.notice(gaps);
  return fits(job, text) ? { text, kind: 'json-lines', gaps } : undefined;
}

/** Records, each of which costs at most `most`, and what is missing in them and between. */
function withRecords(job: Job, words: Words, records: readonly Stretch[], most: number): CutText | undefined {
  const pieces = records.flatMap(({ from, to }) => pieceAt(job.source, from, to) ?? []);
  const lines = pieces.map(({ text }) => shortened(job, text, most));
  if (lines.includes(undefined)) return undefined;
  const between = gapsOf(job, pieces);
  const within = pieces.flatMap((piece, index) => gapWithin(job, piece, lines[index] ?? '') ?? []);
  const gaps = [...between, ...within].sort((one, other) => one.from - other.from);
  const shown = [
    ...pieces.map(({ from }, index) => [from, lines[index] ?? ''] as const),
    ...between.map((gap) => [gap.from, `${words.marker(gap)}\n`] as const),
  ].sort(([one], [other]) => one - other);
  const text = `${words.notice(gaps)}\n${shown.map(([, line]) => line).join('')}`;
  return { text, kind: 'json-lines', gaps };
}

/** A record with its line end, shortened as JSON is if it costs more than `most`. */
function shortened(job: Job, line: string, most: number): string | undefined {
  const { words, tailShare, cost } = job;
  if (cost(line) <= most) return line;
  const record = jsonOf({ ...job, text: line, room: most });
  const [lineEnd = ''] = /\r?\n$|$/.exec(line) ?? [];
  const brief = { ...words, marker: words.brief, further: words.brief };
  const room = most - cost(lineEnd);
  const shrunk = record && shrink(record, room, { words: brief, tailShare, cost, notice: false });
  return shrunk ? `${stringify(shrunk.value)}${lineEnd}` : undefined;
}

/** What is missing in a record that was shortened, as if it were missing anywhere in it. */
function gapWithin({ part, source }: Job, { from, text, line }: Piece, shown: string): Gap | undefined {
  if (shown === text) return undefined;
  return {
    part,
    unit: 'chars',
    from,
    to: from + text.length,
    of: source.chars,
    chars: Math.max(0, text.length - shown.length),
    bytes: Math.max(0, Buffer.byteLength(text) - Buffer.byteLength(shown)),
    lines: { from: line, to: line + 1, count: 1 },
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The first lines that are held whole, but for empty ones. */
function firstRecords({ head, isWhole }: Source, most: number): Stretch[] {
  return linesFrom(isWhole ? head : head.slice(0, head.lastIndexOf('\n') + 1), 0).slice(0, most);
}

function lastRecords({ tail, chars, isWhole }: Source, most: number): Stretch[] {
  const from = isWhole ? 0 : tail.indexOf('\n') + 1 || tail.length;
  return linesFrom(tail.slice(from), chars - tail.length + from).slice(most === 0 ? chars : -most);
}

function linesFrom(text: string, offset: number): Stretch[] {
  const lines = [...text.matchAll(/[^\n]+\n?/g)].filter(([line]) => line.trim() !== '');
  return lines.map(({ 0: line, index }) => ({ from: offset + index, to: offset + index + line.length }));
}

const WHOLE_LINES = {
  head: (text: string) => text.lastIndexOf('\n') + 1,
  tail: (text: string, startsLine: boolean) => (startsLine ? 0 : text.indexOf('\n') + 1 || text.length),
};

function wholeLines(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(({ endsLine }) => endsLine).map((piece) => ({ ...piece, isNumbered: false }));
}

function asRecords(words: Words): Words {
  return {
    ...words,
    notice: (gaps) => recordOf(words.notice(gaps)),
    marker: (gap) => recordOf(words.marker(gap)),
    further: (gap) => recordOf(words.further(gap)),
    brief: (gap) => recordOf(words.brief(gap)),
  };
}

function recordOf(text: string): string {
  return JSON.stringify({ [NOTICE_KEY]: text });
}

/** Whether the lines at both ends are objects and arrays, as far as they are held whole, and there are some. */
function areJsonLines({ head, tail }: Source): boolean {
  const first = head.slice(0, head.lastIndexOf('\n') + 1).split('\n', LINES);
  const last = tail
    .slice(tail.indexOf('\n') + 1)
    .split('\n')
    .slice(-LINES);
  return [first, last].every((lines) => {
    const records = lines.filter((line) => line.trim() !== '');
    return records.length > 0 && records.every(isRecord);
  });
}

function isRecord(line: string): boolean {
  if (!/^\s*[{[]/.test(line)) return false;
  try {
    parseMarked(line);
    return true;
  } catch {
    return false;
  }
}
