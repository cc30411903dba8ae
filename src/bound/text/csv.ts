import { type CutText, endsOf, gapsOf, type Job, largestGap, settle } from './job.ts';

/** How much of a text is looked at to tell whether it is CSV, in UTF-16 code units, and how many records. */
const WINDOW = 65_536;
const RECORDS = 50;

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

/**
 * Cuts CSV or TSV between records: the header and the first and the last records are kept, and a record in the gap has
 * the words about it in its first field. Undefined if the text is neither, or there is too little room for that.
 */
export function cutCsv(job: Job): CutText | undefined {
  const { words, source } = job;
  const dialect = dialectOf(source.head.slice(0, WINDOW), source.tail.slice(-WINDOW));
  if (!dialect) return undefined;
  const gap = largestGap(job);
  const align = {
    head: (text: string) => endOfRecords(text, dialect),
    tail: (text: string, startsLine: boolean) => startOfRecords(text, dialect, startsLine),
  };
  const least = job.cost(recordOf(`${words.notice([gap])} ${words.marker(gap)}`, dialect, '\r\n'));
  return settle(job, job.room - least, (cost) => {
    const [head, tail] = endsOf(job, { cost, lines: job.maxLines - 1 }, align);
    const gaps = gapsOf(job, [head, tail]);
    const [gap] = gaps;
    if (head.text === '' || !gap) return undefined;
    const lineEnd = head.text.endsWith('\r\n') ? '\r\n' : '\n';
    const said = recordOf(`${words.notice(gaps)} ${words.marker(gap)}`, dialect, lineEnd);
    return { text: head.text + said + tail.text, kind: 'csv', gaps };
  });
}

/** A record with a text in its first field and nothing in the others. */
function recordOf(text: string, { delimiter, fields }: Dialect, lineEnd: string): string {
  const field = delimiter === '\t' ? text.replaceAll('\t', ' ') : `"${text.replaceAll('"', '""')}"`;
  return field + delimiter.repeat(fields - 1) + lineEnd;
}

/** How a text that starts and ends so is written, if it is CSV or TSV beyond doubt. */
function dialectOf(head: string, tail: string): Dialect | undefined {
  for (const delimiter of [',', ';', '\t']) {
    const records = recordsIn(head, delimiter);
    const [header] = records;
    const fields = header?.fields.length ?? 0;
    const isSame = records.every((record) => record.fields.length === fields);
    if (fields >= 2 && isSame && records.length >= leastRecords(fields) && isHeader(header)) {
      const dialect = { delimiter, fields };
      const isSameAtEnd = !tail.includes('\n') || startOfRecords(tail, dialect, false) < tail.length;
      return isSameAtEnd && !isProse(records, delimiter) ? dialect : undefined;
    }
  }
  return undefined;
}

/** The first whole records of a text; none if something else stands among them. */
function recordsIn(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length && records.length < RECORDS; ) {
    const record = recordAt(text, at, delimiter);
    if (!record) return [];
    if (record.end === text.length && !text.endsWith('\n')) break;
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
