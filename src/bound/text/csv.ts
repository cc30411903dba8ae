import { cutHead } from '../../text/cut.ts';
import { encodedAround } from './encoded.ts';
import {
  type CutText,
  gapsOf,
  type Job,
  largestGap,
  MARGIN,
  type Piece,
  pieceAt,
  type Space,
  settle,
} from './job.ts';
import { endOfLines, linesIn, newlinesIn, type Source, sliceOf, sourceOf } from './source.ts';
import { headChars } from './within.ts';

/** How much of a text's end is looked at to tell whether it is CSV, in UTF-16 code units, and how many records. */
const WINDOW = 65_536;
const RECORDS = 50;

/** A field of so many characters, in quotes or where others stand beside it, is no accident. */
const LONG_FIELD = 500;

/** A record may take so much of the room before its longest fields are shortened: as much as leaves space for enough. */
const ALLOWANCES = [1, 1 / 4, 1 / 16];
const ENOUGH = 4;

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

/** A stretch of the text. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A record, and where it stands in a text. */
interface Row extends Stretch {
  /** Without their quotes. The last one may be known by its start only. */
  readonly contents: readonly (Stretch & { readonly isQuoted: boolean })[];
  /** How many fields follow on those, if the last one goes on beyond what is held. */
  readonly more: number | undefined;
  /** What follows on the content of that one, if that is held; with its quote. */
  readonly rest?: Stretch | undefined;
}

/** What says in a field that it goes on. */
const REMARK = Symbol('remark');

/** A record as it is shown: what is kept of it, and what is written besides. */
interface Shown {
  readonly parts: readonly (Stretch | string | typeof REMARK)[];
  readonly cost: number;
  readonly lines: number;
}

/**
 * Cuts CSV or TSV between records: the header and the first and the last records are kept, and a record in the gap has
 * the words about it in its first field, with single quotes for double ones. Of records that are too large the longest
 * fields are shortened. Undefined if the text is neither, or there is too little room for that.
 */
export function cutCsv(job: Job): CutText | undefined {
  const { words, source } = job;
  const dialect = dialectOf(source);
  if (!dialect) return undefined;
  const gap = largestGap(job);
  const least = job.cost(recordOf(`${words.notice([gap])} ${words.marker(gap)}`, dialect, '\r\n'));
  const first = firstRows(source, dialect);
  const last = lastRows(source, dialect);
  return settle(job, job.room - least, (cost) => {
    const space = { cost, lines: job.maxLines - 1 };
    let best: [head: Shown[], tail: Shown[]] | undefined;
    for (const allowance of ALLOWANCES) {
      const ends = endsOf(job, dialect, { first, last, space, most: allowance * job.room });
      if (ends && (!best || ends.flat().length > best.flat().length)) best = ends;
      if (best && best.flat().length > ENOUGH) break;
    }
    return best && written(job, dialect, ...best);
  });
}

/** CSV or TSV that is whole with a notice in a record behind its header; undefined if the text is neither. */
export function csvWithNotice(text: string, notice: string): string | undefined {
  const source = sourceOf(text);
  const dialect = dialectOf(source);
  const header = dialect && recordAt(text, 0, dialect.delimiter);
  if (!header) return undefined;
  const said = recordOf(notice, dialect, lineEndOf(source));
  return text.slice(0, header.end) + said + text.slice(header.end);
}

/** What is shown of the first and the last records; undefined if there is no space for the header. */
function endsOf(
  job: Job,
  dialect: Dialect,
  { first, last, space, most }: { first: readonly Row[]; last: readonly Row[]; space: Space; most: number },
): [head: Shown[], tail: Shown[]] | undefined {
  const share = 1 - job.tailShare;
  const forHead = { cost: space.cost * share, lines: Math.round(space.lines * share) };
  const [header] = first;
  if (!header || costOf(job, header) > forHead.cost) return undefined;
  const head = fill(job, dialect, first, forHead, most);
  if (head.length === 0) return undefined;
  const end = endOf(first[head.length - 1]);
  const others = job.tailShare === 0 ? [] : last.filter(({ from }) => from >= end).reverse();
  const tail = fill(job, dialect, others, without(space, head), most);
  return tail.length > 0 ? [head, tail.reverse()] : [fill(job, dialect, first, space, most), []];
}

function without({ cost, lines }: Space, shown: readonly Shown[]): Space {
  return {
    cost: cost - shown.reduce((sum, one) => sum + one.cost, 0),
    lines: lines - shown.reduce((sum, one) => sum + one.lines, 0),
  };
}

function endOf(row: Row | undefined): number {
  return row?.rest?.to ?? row?.to ?? 0;
}

/** As many rows as there is space for, none of which costs more than `most`. */
function fill(
  job: Job,
  dialect: Dialect,
  rows: readonly Row[],
  { cost, lines }: Space,
  most: number,
): Shown[] {
  const all: Shown[] = [];
  for (const row of rows) {
    const shown = shownOf(job, dialect, row, { cost, lines }, most);
    if (!shown || shown.cost > cost || shown.lines > lines) break;
    all.push(shown);
    cost -= shown.cost;
    lines -= shown.lines;
  }
  return all;
}

function costOf({ source, cost }: Job, { from, to }: Stretch): number {
  return cost(sliceOf(source, from, to) ?? '');
}

/** A record as it is, or with its longest fields shortened if it costs more than `most`. */
function shownOf(job: Job, dialect: Dialect, row: Row, space: Space, most: number): Shown | undefined {
  const cost = costOf(job, row);
  if (row.more === undefined && cost <= most) {
    return { parts: [row], cost, lines: linesIn(sliceOf(job.source, row.from, row.to) ?? '') };
  }
  const target = Math.min(most, space.cost);
  const shown = shortened(job, dialect, row, { cost: target, lines: space.lines });
  return shown.cost <= target ? shown : undefined;
}

function shortened(job: Job, { delimiter }: Dialect, row: Row, space: Space): Shown {
  const { source, words } = job;
  const end = row.more === undefined ? '' : delimiter.repeat(row.more) + lineEndOf(source);
  const costs = row.contents.map((content) => costOf(job, content));
  const outside =
    2 * job.cost('"') * costs.length + job.cost(delimiter.repeat(costs.length) + end + lineEndOf(source));
  const remark = job.cost(unquoted(words.brief(largestGap(job))));
  const isOpen = (index: number) => row.more !== undefined && index === costs.length - 1;
  const cap = capOf(
    costs.map((cost, index) => (isOpen(index) ? Number.POSITIVE_INFINITY : cost)),
    space.cost - outside,
  );
  const parts: (Stretch | string | typeof REMARK)[] = [];
  let from = row.from;
  row.contents.forEach((content, index) => {
    if (!isOpen(index) && (costs[index] ?? 0) <= cap) return;
    const quote = content.isQuoted || delimiter === '\t' ? '' : '"';
    const to = content.from + startOf(job, content, { cost: cap - remark, lines: space.lines });
    parts.push({ from, to: content.from }, quote, { from: content.from, to }, REMARK, quote);
    from = content.to;
  });
  if (row.more === undefined) parts.push({ from, to: row.to });
  else if (row.rest) parts.push(row.rest);
  else parts.push(row.contents.at(-1)?.isQuoted ? '"' : '', end);
  const text = parts.map((part) => (part === REMARK ? '' : textOf(source, part))).join('');
  const remarks = parts.filter((part) => part === REMARK).length;
  return { parts, cost: job.cost(text) + remarks * remark, lines: linesIn(text) };
}

function textOf(source: Source, part: Stretch | string): string {
  return typeof part === 'string' ? part : (sliceOf(source, part.from, part.to) ?? '');
}

/** What each may cost at most, so that all together cost no more than `room`: an equal share, or what they cost. */
function capOf(costs: readonly number[], room: number): number {
  let left = room;
  const sorted = [...costs].sort((one, other) => one - other);
  for (const [index, cost] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (cost > share) return share;
    left -= cost;
  }
  return room;
}

/** How much of the start of a field fits a space: no half of a doubled quote, and no base64 in part. */
function startOf({ source, cost }: Job, field: Stretch & { isQuoted: boolean }, space: Space): number {
  const content = sliceOf(source, field.from, field.to) ?? '';
  const fitting = cutHead(
    content,
    Math.min(content.length, headChars(content, Math.max(0, space.cost), cost)),
  );
  const lines = fitting.slice(0, endOfLines(fitting, Math.max(0, space.lines)));
  const start = lines.slice(0, encodedAround(content, Math.min(lines.length, content.length - 1))?.from);
  const [quotes = ''] = /"*$/.exec(start) ?? [];
  return start.length - (field.isQuoted ? quotes.length % 2 : 0);
}

/** Writes records down, with a record between that says what is missing. */
function written(
  job: Job,
  dialect: Dialect,
  head: readonly Shown[],
  tail: readonly Shown[],
): CutText | undefined {
  const { source, words } = job;
  const kept = stretchesOf([...head, ...tail]);
  const pieces = kept
    .map(({ from, to }) => pieceAt(source, from, to))
    .filter((piece): piece is Piece => piece !== undefined);
  const gaps = gapsOf(job, pieces);
  const gapAt = (place: number) => gaps.find(({ from }) => from === place);
  const write = (shown: readonly Shown[]) => {
    let at = 0;
    return shown
      .flatMap(({ parts }) => parts)
      .map((part) => {
        const gap = part === REMARK ? gapAt(at) : undefined;
        if (part === REMARK) return gap ? unquoted(words.brief(gap)) : '';
        if (typeof part !== 'string') at = part.to;
        return textOf(source, part);
      })
      .join('');
  };
  const gap = gapAt(stretchesOf(head).at(-1)?.to ?? 0) ?? gaps[0];
  if (!gap) return undefined;
  const lineEnd = lineEndOf(source);
  const before = write(head);
  const said = recordOf(`${words.notice(gaps)} ${words.marker(gap)}`, dialect, lineEnd);
  const text = before + (before.endsWith('\n') ? '' : lineEnd) + said + write(tail);
  return { text, kind: 'csv', gaps };
}

/** What is kept of a text, in order; what goes on where the last ended is one with it. */
function stretchesOf(shown: readonly Shown[]): Stretch[] {
  const all: Stretch[] = [];
  for (const part of shown.flatMap(({ parts }) => parts)) {
    if (typeof part !== 'object') continue;
    const last = all.at(-1);
    if (last?.to === part.from) all[all.length - 1] = { from: last.from, to: part.to };
    else all.push(part);
  }
  return all.filter(({ from, to }) => from < to);
}

/** The records at the start of what is held; the last one may go on beyond that. */
function firstRows(source: Source, dialect: Dialect): Row[] {
  const rows = rowsIn(source.head, 0, dialect, source.isWhole);
  const open = source.isWhole ? undefined : openRow(source, rows.at(-1)?.to ?? 0, dialect);
  return open ? [...rows, open] : rows;
}

function lastRows(source: Source, dialect: Dialect): Row[] {
  const end = source.tail.slice(source.isWhole ? 0 : -WINDOW);
  const start = startOfRecords(end, dialect, source.isWhole);
  return rowsIn(end.slice(start), source.chars - end.length + start, dialect, true);
}

/** The whole records that a text starts with, which stands at `offset`. */
function rowsIn(text: string, offset: number, dialect: Dialect, isToEnd: boolean): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < text.length; ) {
    const record = recordAt(text, at, dialect.delimiter);
    if (!record || record.isTorn || record.fields.length !== dialect.fields) break;
    if (!isToEnd && text[record.end - 1] !== '\n') break;
    const contents = contentsOf(record, offset + at, dialect);
    rows.push({ from: offset + at, to: offset + record.end, contents, more: undefined });
    at = record.end;
  }
  return rows;
}

function contentsOf({ fields }: CsvRecord, from: number, { delimiter }: Dialect): Row['contents'] {
  let at = from;
  return fields.map((field) => {
    const isQuoted = delimiter !== '\t' && field.startsWith('"');
    const quote = isQuoted ? 1 : 0;
    const content = { from: at + quote, to: at + field.length - quote, isQuoted };
    at += field.length + 1;
    return content;
  });
}

/** The record that starts at a place and goes on beyond what is held. */
function openRow(source: Source, from: number, dialect: Dialect): Row | undefined {
  const { head, tail, chars } = source;
  const record = recordAt(head, from, dialect.delimiter);
  if (!record || record.end < head.length) return undefined;
  const known = contentsOf(record, from, dialect);
  const isQuoted = record.isTorn;
  const before = isQuoted ? known : known.slice(0, -1);
  const last = before.at(-1);
  const start = (last ? last.to + (last.isQuoted ? 2 : 1) : from) + (isQuoted ? 1 : 0);
  const contents = [...before, { from: start, to: Math.max(start, head.length - MARGIN), isQuoted }];
  const more = dialect.fields - contents.length;
  if (more < 0) return undefined;
  const end = isQuoted ? endOfOpenRecord(tail, dialect, more) : endOfOpenPlain(tail, dialect, more);
  const isSame =
    source.lines - linesIn(tail) === newlinesIn(head.slice(0, from)) || head.slice(start).includes('\n');
  const offset = chars - tail.length;
  const rest = end && isSame ? { from: offset + end.quote, to: offset + end.to } : undefined;
  return { from, to: head.length, contents, more, rest };
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
  return isSame && isEnd(text, rest.end, dialect) ? { quote: quote - 1, to: rest.end } : undefined;
}

/** The same for a field without quotes: what follows on it, and the record's end. */
function endOfOpenPlain(
  text: string,
  dialect: Dialect,
  more?: number,
): { quote: number; to: number } | undefined {
  const rest = recordAt(text, 0, dialect.delimiter);
  const length = rest?.fields[0]?.length ?? 0;
  if (!rest || rest.isTorn || length < LONG_FIELD || rest.fields.length > dialect.fields) return undefined;
  const isSame = more === undefined || rest.fields.length - 1 === more;
  return isSame && isEnd(text, rest.end, dialect) ? { quote: length, to: rest.end } : undefined;
}

/** Whether nothing but records follows on a place. */
function isEnd(text: string, at: number, dialect: Dialect): boolean {
  return /^[\r\n]*$/.test(text.slice(at)) || areRecords(text, at, dialect);
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
      endOfOpenRecord(end, dialect) ||
      endOfOpenPlain(end, dialect);
    if (isSameAtEnd) return dialect;
  }
  return undefined;
}

/** Whether there are enough records, at the start and the end, or one with a field that is long. */
function isTold(source: Source, records: readonly CsvRecord[], dialect: Dialect): boolean {
  const { head, tail, isWhole } = source;
  if (records.length >= leastRecords(dialect.fields)) return true;
  if (records.slice(1).some(({ fields }) => fields.some((field) => isLong(field, dialect)))) return true;
  if (isWhole) return false;
  const open = openRow(source, records.at(-1)?.end ?? 0, dialect);
  const field = open?.contents.at(-1);
  const isOpenLong = field && isLong(head.slice(field.from - (field.isQuoted ? 1 : 0), field.to), dialect);
  const end = field?.isQuoted ? endOfOpenRecord : endOfOpenPlain;
  if (isOpenLong && end(tail, dialect, open?.more)) return true;
  const atEnd = recordsIn(tail.slice(startOfRecords(tail, dialect, false)), dialect.delimiter, true);
  return records.length + atEnd.length >= leastRecords(dialect.fields);
}

/** Whether a field is so long that it is no accident: in quotes, in one word, or among two others or more. */
function isLong(field: string, { delimiter, fields }: Dialect): boolean {
  if (field.length <= LONG_FIELD) return false;
  return fields > 2 || (delimiter !== '\t' && field.startsWith('"')) || !/\s/.test(field);
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
