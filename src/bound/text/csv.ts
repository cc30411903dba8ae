import { cutHead } from '../../text/cut.ts';
import type { Gap } from '../types.ts';
import { encodedAround } from './encoded.ts';
import {
  type Align,
  type CutText,
  endOf,
  endsOf,
  gapsOf,
  type Job,
  largestGap,
  MARGIN,
  type Piece,
  pieceAt,
  type Space,
  settle,
  tailOf,
} from './job.ts';
import { endOfLines, linesIn, type Source, sliceOf } from './source.ts';
import { headChars } from './within.ts';

/** How much of a text's end is looked at to tell whether it is CSV, in UTF-16 code units, and how many records. */
const WINDOW = 65_536;
const RECORDS = 50;

/** A field in quotes of so many characters is no accident. */
const LONG_FIELD = 500;

/** A record that takes more than this share of the room is shown with one field shortened. */
const LARGE_SHARE = 1 / 4;

/** How many line starts are tried to find one where a record starts, and not a line within a field. */
const STARTS = 50;

/** How many records with so many fields are no accident. */
const leastRecords = (fields: number) => (fields === 2 ? 10 : 4);

/** What a column may be called: words, but no number, date, assignment or code, nor a sentence. */
const NAME = /^[\p{L}_#$@%][^\r\n=[\]{}<>]{0,79}$/u;
const SENTENCE = /: |[.:;!?]$/;

/** How a text separates its fields, quoted as in RFC 4180 unless that is a tab, and how many a record has. */
interface Dialect {
  readonly delimiter: string;
  readonly fields: number;
}

interface CsvRecord {
  /** Where it ends, its line end included. */
  readonly end: number;
  /** As they are written. */
  readonly fields: readonly string[];
  /** Whether the text ends within it. */
  readonly isTorn: boolean;
}

/** A record of which one field is too large to be shown. */
interface LargeRecord {
  readonly from: number;
  /** Where the field's content starts, and ends as far as it is held. */
  readonly content: number;
  readonly contentEnd: number;
  readonly isQuoted: boolean;
  /** How many fields follow. */
  readonly more: number;
  /** What follows on the content in the record, if that is held; with its quote. */
  readonly rest: Piece | undefined;
}

/**
 * Cuts CSV or TSV between records: the header and the first and the last records are kept, and a record in the gap has
 * the words about it in its first field, with single quotes for double ones. Of a record that is too large for the
 * room one field is shortened. Undefined if the text is neither, or there is too little room for that.
 */
export function cutCsv(job: Job): CutText | undefined {
  const { words, source } = job;
  const dialect = dialectOf(source);
  if (!dialect) return undefined;
  const align = {
    head: (text: string) => endOfRecords(text, dialect),
    tail: (text: string, startsLine: boolean) => startOfRecords(text, dialect, startsLine),
  };
  const gap = largestGap(job);
  const least = job.cost(recordOf(`${words.notice([gap])} ${words.marker(gap)}`, dialect, '\r\n'));
  return settle(job, job.room - least, (cost) => {
    const space = { cost, lines: job.maxLines - 1 };
    const [head, tail] = endsOf(job, space, align);
    if (head.text === '') return undefined;
    const large = largeRecordAt(job, endOf(head), dialect);
    return (
      (large && withLarge(job, { head, large, space, align }, dialect)) ?? between(job, head, tail, dialect)
    );
  });
}

function between(job: Job, head: Piece, tail: Piece, dialect: Dialect): CutText | undefined {
  const gaps = gapsOf(job, [head, tail]);
  if (gaps.length === 0) return undefined;
  return { text: head.text + said(job, gaps, dialect) + tail.text, kind: 'csv', gaps };
}

/** A head, a record with a shortened field, the words, and a tail, which takes no more than its share. */
function withLarge(
  job: Job,
  { head, large, space, align }: { head: Piece; large: LargeRecord; space: Space; align: Align },
  dialect: Dialect,
): CutText | undefined {
  const { source, words } = job;
  const quote = large.isQuoted || dialect.delimiter === '\t' ? '' : '"';
  const before = head.text + (sliceOf(source, large.from, large.content) ?? '');
  const after = large.rest
    ? quote + large.rest.text + (large.rest.text.endsWith('\n') ? '' : lineEndOf(source))
    : (dialect.delimiter === '\t' ? '' : '"') + dialect.delimiter.repeat(large.more) + lineEndOf(source);
  const left = {
    cost: space.cost - job.cost(before + quote + unquoted(words.brief(largestGap(job))) + after),
    lines: space.lines - linesIn(before + after),
  };
  if (left.cost < 0 || left.lines < 1) return undefined;
  const forTail = { cost: left.cost * job.tailShare, lines: Math.floor(left.lines / 2) };
  const least = large.rest ? endOf(large.rest) : large.content;
  const tail = tailOf(job, forTail, least, align.tail);
  const start = startOfField(job, large, {
    cost: left.cost - job.cost(tail.text),
    lines: left.lines - linesIn(tail.text),
  });
  const first = { ...head, text: before + start, endsLine: false };
  if (endOf(first) === large.rest?.from) return undefined;
  const gaps = gapsOf(job, large.rest ? [first, large.rest, tail] : [first, tail]);
  const [gap] = gaps;
  if (!gap) return undefined;
  const shortened = before + quote + start + unquoted(words.brief(gap)) + after;
  return { text: shortened + said(job, gaps, dialect) + tail.text, kind: 'csv', gaps };
}

/** As much of the start of a large field as fits a space: no half of a doubled quote, and no base64 in part. */
function startOfField({ source, cost }: Job, large: LargeRecord, space: Space): string {
  const content = source.head.slice(large.content, large.contentEnd);
  const fitting = cutHead(content, Math.min(content.length, headChars(content, space.cost, cost)));
  const lines = fitting.slice(0, endOfLines(fitting, space.lines));
  const start = lines.slice(0, encodedAround(content, Math.min(lines.length, content.length - 1))?.from);
  const [quotes = ''] = /"*$/.exec(start) ?? [];
  return large.isQuoted && quotes.length % 2 === 1 ? start.slice(0, -1) : start;
}

/** The record that starts at a place in the head of a text, if it is too large to be shown whole. */
function largeRecordAt(job: Job, from: number, dialect: Dialect): LargeRecord | undefined {
  const { source, room, cost } = job;
  const { delimiter, fields } = dialect;
  const record = recordAt(source.head, from, delimiter);
  if (!record || cost(source.head.slice(from, record.end)) <= room * LARGE_SHARE) return undefined;
  const isOpen = !source.isWhole && record.end === source.head.length;
  if (record.fields.length + (record.isTorn ? 1 : 0) > fields || (!isOpen && record.isTorn)) return undefined;
  const longest = record.fields.reduce((best, { length }, index, all) => {
    return length > (all[best]?.length ?? 0) ? index : best;
  }, 0);
  const index = record.isTorn ? record.fields.length : isOpen ? record.fields.length - 1 : longest;
  const start = from + record.fields.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);
  const isQuoted = delimiter !== '\t' && source.head[start] === '"';
  const content = isQuoted ? start + 1 : start;
  const more = fields - index - 1;
  const held = Math.max(content, source.head.length - MARGIN);
  if (!isOpen) {
    const contentEnd = start + (record.fields[index]?.length ?? 0) - (isQuoted ? 1 : 0);
    const rest = pieceAt(source, contentEnd, record.end);
    return { from, content, contentEnd, isQuoted, more, rest: smallEnough(job, rest) };
  }
  const tailFrom = source.chars - source.tail.length;
  const end = record.isTorn ? endOfOpenRecord(source.tail, dialect, more) : undefined;
  const rest = end && pieceAt(source, tailFrom + end.quote, tailFrom + end.to);
  return { from, content, contentEnd: held, isQuoted, more, rest: smallEnough(job, rest) };
}

function smallEnough({ room, cost }: Job, piece: Piece | undefined): Piece | undefined {
  return piece && cost(piece.text) <= room * LARGE_SHARE ? piece : undefined;
}

/**
 * Where a record ends that started before the text, within a long field in quotes: the quote that ends the field, from
 * which on there are so many more fields, and the record's end. All that follows are records.
 */
function endOfOpenRecord(
  text: string,
  dialect: Dialect,
  more?: number,
): { quote: number; to: number } | undefined {
  const { delimiter } = dialect;
  const quote = endOfQuoted(text, /^"(?!")/.test(text) ? 0 : -1);
  if (delimiter === '\t' || quote === undefined || quote < LONG_FIELD) return undefined;
  const rest = recordAt(text, quote, delimiter);
  if (!rest || rest.isTorn || rest.fields[0] !== '') return undefined;
  const isSame = more === undefined || rest.fields.length - 1 === more;
  const isEnd = /^[\r\n]*$/.test(text.slice(rest.end)) || areRecords(text, rest.end, dialect);
  return isSame && isEnd ? { quote: quote - 1, to: rest.end } : undefined;
}

/** A record that says what is missing. */
function said({ words, source }: Job, gaps: readonly Gap[], dialect: Dialect): string {
  const [gap] = gaps;
  return gap ? recordOf(`${words.notice(gaps)} ${words.marker(gap)}`, dialect, lineEndOf(source)) : '';
}

const lineEndOf = ({ head }: Source) => (/^[^\n]*\r\n/.test(head) ? '\r\n' : '\n');

/** A record with a text in its first field and nothing in the others. */
function recordOf(text: string, { delimiter, fields }: Dialect, lineEnd: string): string {
  const field = delimiter === '\t' ? text.replaceAll('\t', ' ') : `"${unquoted(text)}"`;
  return field + delimiter.repeat(fields - 1) + lineEnd;
}

/** Words in a quoted field: their double quotes would have to be doubled, and a call in them be none to copy. */
function unquoted(text: string): string {
  return text.replaceAll('"', "'");
}

/** How a text is written, if it is CSV or TSV beyond doubt. */
function dialectOf(source: Source): Dialect | undefined {
  const end = source.tail.slice(-WINDOW);
  for (const delimiter of [',', ';', '\t']) {
    const records = recordsIn(source.head, delimiter, source.isWhole);
    const [header] = records;
    const dialect = { delimiter, fields: header?.fields.length ?? 0 };
    const isSame = records.every((record) => record.fields.length === dialect.fields);
    if (dialect.fields < 2 || !isSame || !isHeader(header)) continue;
    if (!isTold(source, records, dialect) || isProse(records, delimiter)) continue;
    const isSameAtEnd =
      !end.includes('\n') ||
      startOfRecords(end, dialect, false) < end.length ||
      endOfOpenRecord(end, dialect);
    if (isSameAtEnd) return dialect;
  }
  return undefined;
}

/** Whether there are enough records, at the start and the end, or one with a field that is long and in quotes. */
function isTold({ head, tail, isWhole }: Source, records: readonly CsvRecord[], dialect: Dialect): boolean {
  const isLong = (field: string) => field.startsWith('"') && field.length > LONG_FIELD;
  if (records.length >= leastRecords(dialect.fields)) return true;
  if (records.slice(1).some(({ fields }) => dialect.delimiter !== '\t' && fields.some(isLong))) return true;
  if (isWhole) return false;
  const next = recordAt(head, records.at(-1)?.end ?? 0, dialect.delimiter);
  const more = dialect.fields - (next?.fields.length ?? 0) - 1;
  if (next?.isTorn && endOfOpenRecord(tail, dialect, more)) return true;
  const atEnd = recordsIn(tail.slice(startOfRecords(tail, dialect, false)), dialect.delimiter, true);
  return records.length + atEnd.length >= leastRecords(dialect.fields);
}

/** The first whole records of a text, which may end where the text does; none if something else stands among them. */
function recordsIn(text: string, delimiter: string, isToEnd: boolean): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length && records.length < RECORDS; ) {
    const record = recordAt(text, at, delimiter);
    if (!record) return [];
    if (record.isTorn || (record.end === text.length && !isToEnd && !text.endsWith('\n'))) break;
    records.push(record);
    at = record.end;
  }
  return records;
}

/** Different names; the first may be empty, that of the column of row names. */
function isHeader(record: CsvRecord | undefined): boolean {
  const [first = '', ...others] = (record?.fields ?? []).map((field) =>
    field.replace(/^"(.*)"$/s, '$1').trim(),
  );
  const names = first === '' ? others : [first, ...others];
  return (
    new Set(names).size === names.length && names.every((name) => NAME.test(name) && !SENTENCE.test(name))
  );
}

/** Lines of prose have a space behind each comma. */
function isProse([header, second]: readonly CsvRecord[], delimiter: string): boolean {
  const areSpaced = (record?: CsvRecord) => record?.fields.slice(1).every((field) => field.startsWith(' '));
  return delimiter !== '\t' && areSpaced(header) === true && areSpaced(second) === true;
}

/** Where the last whole record of a text that starts with one ends. */
function endOfRecords(text: string, { delimiter, fields }: Dialect): number {
  let end = 0;
  while (end < text.length) {
    const record = recordAt(text, end, delimiter);
    const isWhole = record && record.fields.length === fields && text[record.end - 1] === '\n';
    if (!isWhole || record.isTorn) break;
    end = record.end;
  }
  return end;
}

/** Where the first record of a text that ends with one starts: from there on all are whole. Its length if there is none. */
function startOfRecords(text: string, dialect: Dialect, startsLine: boolean): number {
  let start = startsLine ? 0 : text.indexOf('\n') + 1 || text.length;
  for (let tries = 0; tries < STARTS && start < text.length; tries++) {
    if (areRecords(text, start, dialect)) return start;
    start = text.indexOf('\n', start) + 1 || text.length;
  }
  return text.length;
}

/** Whether a text is nothing but records from a place on. Empty lines may end it. */
function areRecords(text: string, from: number, { delimiter, fields }: Dialect): boolean {
  let end = text.length;
  while (end > from && /[\r\n]/.test(text.charAt(end - 1))) end--;
  for (let at = from; at < end; ) {
    const record = recordAt(text, at, delimiter);
    if (!record || record.isTorn || record.fields.length !== fields) return false;
    at = record.end;
  }
  return from < end;
}

const SEPARATORS: { [delimiter: string]: RegExp } = {
  ',': /,|\r?\n|$/y,
  ';': /;|\r?\n|$/y,
  '\t': /\t|\r?\n|$/y,
};
const PLAIN_FIELDS: { [delimiter: string]: RegExp } = {
  ',': /[^",\r\n]*/y,
  ';': /[^";\r\n]*/y,
  '\t': /[^\t\r\n]*/y,
};

/** The record that starts at `at`; undefined if what stands there is none. */
function recordAt(text: string, at: number, delimiter: string): CsvRecord | undefined {
  const fields: string[] = [];
  const separator = SEPARATORS[delimiter] as RegExp;
  const plain = PLAIN_FIELDS[delimiter] as RegExp;
  for (let from = at; ; ) {
    const isQuoted = delimiter !== '\t' && text[from] === '"';
    const end = isQuoted ? endOfQuoted(text, from) : endOfMatch(plain, text, from);
    if (end === undefined) return { end: text.length, fields, isTorn: true };
    const next = endOfMatch(separator, text, end);
    if (next === undefined) return undefined;
    fields.push(text.slice(from, end));
    if (text[end] !== delimiter) return { end: next, fields, isTorn: false };
    from = next;
  }
}

/** Where a quoted field ends; undefined if it doesn't. */
function endOfQuoted(text: string, from: number): number | undefined {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    if (text[at + 1] !== '"') return at + 1;
  }
}

function endOfMatch(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
