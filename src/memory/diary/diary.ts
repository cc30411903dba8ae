import { zeroMarkedUtf16 } from '../../digest/content/decode.ts';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { checkText } from '../checks.ts';
import { hasUnseen } from '../context/unseen.ts';
import { fold, wordsOf } from '../search/fold.ts';

/** What is to be written into a diary. */
export interface NewEntry {
  readonly text: string;
  readonly at: Date;
  /** One line; names what the entry is about. */
  readonly tag?: string | undefined;
}

/** An entry as it stands in a diary. */
export interface WrittenEntry {
  readonly text: string;
  /** `2026-12-02 05:40:12`, with ` +01:00` where the time zone is told. */
  readonly at: string;
  readonly tag?: string | undefined;
}

/** What stands in a diary. */
export interface Entry extends WrittenEntry {
  /** In milliseconds since 1970; `NaN` for a date that is none, such as a 13th month or a 30th of February. */
  readonly time: number;
  readonly tag: string | undefined;
  /** The line of its header, from 1. */
  readonly line: number;
}

/** Which entries are wanted; all that is given must hold. */
export interface Picks {
  /** How many at most, the newest; 0 or more. */
  readonly last?: number | undefined;
  /** In any case. */
  readonly tag?: string | undefined;
  /** A date, or a date and a time: the first moment that counts. */
  readonly since?: string | undefined;
  /** A date, or a date and a time: the last moment that counts, the whole day for a date. */
  readonly until?: string | undefined;
  /** Words that must all occur, in any case and with any accents. */
  readonly text?: string | undefined;
}

export interface Picked<E extends Entry = Entry> {
  /** In the order of the diary, the newest last. */
  readonly entries: readonly E[];
  /** How many match, whatever `last` is. */
  readonly total: number;
}

/** In UTF-16 code units. */
export const LONGEST_ENTRY = 16 * 1024 * 1024;
export const LONGEST_TAG = 100;
const LONGEST_SEARCH = 1000;

/** A header, after the backslashes that tell a line of an entry from one. */
const HEADER =
  /^(\\*)## (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: ([+-]\d\d:\d\d|Z))?)(?: \[([^\]\r\n]*)\])?[ \t]*\r?$/;
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?: ?(Z|[+-]\d\d:\d\d))?$/;
const MARK = '\ufeff';
const RETURN = 0x0d;
const DAY = 24 * 60 * 60 * 1000;

/**
 * The diary with one more entry at its end; what is there already stays byte for byte. Lines of the entry that look like
 * the header of one get a backslash in front. Throws `BAD_ENTRY` for an entry that is empty or too long, and for a tag
 * that isn't one short line without brackets.
 */
export function addEntry(diary: Buffer | undefined, { text, at, tag }: NewEntry): Buffer {
  return addEntries(diary, [{ text, at: stamp(at), tag }]);
}

/** As `addEntry`, for entries of another diary. Throws `BAD_ENTRY` also for a time that is none. */
export function addEntries(diary: Buffer | undefined, entries: readonly WrittenEntry[]): Buffer {
  for (const entry of entries) checkEntry(entry);
  const before = diary ?? Buffer.alloc(0);
  const eol = before[before.indexOf('\n') - 1] === RETURN ? '\r\n' : '\n';
  return Buffer.concat([before, Buffer.from(gapAfter(before, eol) + writeEntries(entries, eol))]);
}

/** The entries as a diary with such line ends holds them, whether or not they could be added to one. */
export function writeEntries(entries: readonly WrittenEntry[], eol = '\n'): string {
  return entries
    .map(({ at, tag, text }) => {
      const header = `## ${at}${tag === undefined ? '' : ` [${tag.trim().toWellFormed()}]`}`;
      const body = escaped(text.toWellFormed());
      const lines = eol === '\n' ? body : body.replace(/\r?\n/g, eol);
      return `${header}${eol}${eol}${lines}${eol}${eol}`;
    })
    .join('');
}

/** Throws `BAD_ENTRY` for what can't be added to a diary. */
export function checkEntry({ at, tag, text }: WrittenEntry): void {
  checkText('text', text, 'BAD_ENTRY');
  if (tag !== undefined) checkTag(tag);
  if (text.trim() === '') throw bad('An entry needs some text.');
  if (text.length > LONGEST_ENTRY) {
    throw bad(`An entry has at most ${LONGEST_ENTRY} characters; this one has ${text.length}.`);
  }
  if (headerAt(`## ${at}`)?.[2] !== at) {
    throw bad(
      `Not the time of an entry: '${at.slice(0, 40)}'; it is written like 2026-12-01 17:30:00 +01:00.`,
    );
  }
}

/** The text of the diary at `path`. Throws `MEMORY_DAMAGED` for one in UTF-16, to which no entry can be added. */
export function diaryText(diary: Buffer | undefined, path: string): string {
  if (!diary) return '';
  const mark = diary.subarray(0, 2).toString('latin1');
  if (mark === '\xff\xfe' || mark === '\xfe\xff' || zeroMarkedUtf16(diary)) {
    throw new PlimsollError(
      'MEMORY_DAMAGED',
      `${visibleName(path)} is in UTF-16; it must be in UTF-8. Nothing is read from it or written to it until an editor has saved it so.`,
    );
  }
  return diary.toString();
}

/**
 * The entries of several diaries by time. One without a date has the time of the entry before it in its diary, or of the
 * first one after it that has a date.
 */
export function mergeEntries<E extends Entry>(diaries: readonly (readonly E[])[]): E[] {
  return diaries
    .flatMap((entries) => {
      let time = entries.find((entry) => isDated(entry))?.time ?? Number.POSITIVE_INFINITY;
      return entries.map((entry) => {
        if (isDated(entry)) time = entry.time;
        return { entry, time };
      });
    })
    .sort((one, other) => (one.time === other.time ? 0 : one.time - other.time))
    .map(({ entry }) => entry);
}

function isDated({ time }: Entry): boolean {
  return !Number.isNaN(time);
}

/** Reads the entries of a diary. What stands before the first header is nobody's. */
export function readEntries(diary: string): Entry[] {
  const entries: Entry[] = [];
  let header: RegExpExecArray | undefined;
  let headerLine = 0;
  let bodyStart = 0;
  const finish = (end: number) => {
    if (header) entries.push(entryOf(header, headerLine, diary.slice(bodyStart, end)));
  };
  let line = 1;
  for (let start = diary.startsWith(MARK) ? 1 : 0; start < diary.length; line++) {
    const feed = diary.indexOf('\n', start);
    const end = feed < 0 ? diary.length : feed;
    const found = startsLikeHeader(diary, start) ? headerAt(diary.slice(start, end)) : undefined;
    if (found?.[1] === '') {
      finish(start);
      header = found;
      headerLine = line;
      bodyStart = feed < 0 ? diary.length : feed + 1;
    }
    start = feed < 0 ? diary.length : feed + 1;
  }
  finish(diary.length);
  return entries;
}

/** The first line, from 1, that isn't empty before the header of the first entry; `undefined` if there is none. */
export function strayLine(diary: string, [first]: readonly Entry[]): number | undefined {
  const before = diary.split('\n', first && first.line - 1);
  const index = before.findIndex((line) => line.trim() !== '');
  return index < 0 ? undefined : index + 1;
}

/** The entries that are wanted. Throws `BAD_ENTRY` for a count, a date or a text that is none, and for a text that is too long. */
export function pickEntries<E extends Entry>(
  entries: readonly E[],
  { last, tag, since, until, text }: Picks,
): Picked<E> {
  if (last !== undefined && !(Number.isInteger(last) && last >= 0)) {
    throw bad(`How many entries are wanted is a whole number from 0; ${last} is none.`);
  }
  for (const [name, value] of Object.entries({ tag, since, until, text })) {
    if (value !== undefined) checkText(name, value, 'BAD_ENTRY');
  }
  const from = since === undefined ? Number.NEGATIVE_INFINITY : momentOf(since).from;
  const to = until === undefined ? Number.POSITIVE_INFINITY : momentOf(until).to;
  const isByTime = since !== undefined || until !== undefined;
  if (text !== undefined && text.length > LONGEST_SEARCH) {
    throw bad(`The words to look for have at most ${LONGEST_SEARCH} characters; these have ${text.length}.`);
  }
  const words = text === undefined ? [] : wordsOf(fold(text.toWellFormed()));
  const label = tag === undefined ? undefined : fold(tag.trim().toWellFormed());
  const matching = entries.filter(
    (entry) =>
      (label === undefined || (entry.tag !== undefined && fold(entry.tag) === label)) &&
      (!isByTime || (entry.time >= from && entry.time <= to)) &&
      (words.length === 0 || hasAll(fold(entry.text), words)),
  );
  const count = last ?? matching.length;
  return { entries: count === 0 ? [] : matching.slice(-count), total: matching.length };
}

function entryOf(header: RegExpExecArray, line: number, rest: string): Entry {
  const [, , at = '', , tag] = header;
  const eol = header.input.endsWith('\r') ? '\r\n' : '\n';
  const text = unescaped(bodyOf(rest, eol)).replaceAll(eol, '\n');
  return { text, at, time: timeOf(at), tag: tag?.trim() || undefined, line };
}

/** Without the empty line above, and the newline and the empty line below; all have the line end of the header. */
function bodyOf(rest: string, eol: string): string {
  const body = rest.startsWith(eol) ? rest.slice(eol.length) : rest;
  return withoutEnd(withoutEnd(body, eol), eol);
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** An entry's text as a diary holds it: lines that look like the header of one get a backslash in front. */
function escaped(text: string): string {
  return eachLine(text, (line) => (headerAt(line) ? `\\${line}` : line));
}

function unescaped(text: string): string {
  return eachLine(text, (line) => (headerAt(line) ? line.slice(1) : line));
}

function eachLine(text: string, change: (line: string) => string): string {
  return text.includes('## ') ? text.split('\n').map(change).join('\n') : text;
}

function startsLikeHeader(text: string, at: number): boolean {
  return text.startsWith('## ', at);
}

function headerAt(line: string): RegExpExecArray | undefined {
  return HEADER.exec(line) ?? undefined;
}

/** What separates a new entry from what stands before it. */
function gapAfter(before: Buffer, eol: string): string {
  if (before.length === 0 || isOnlyMark(before)) return '';
  const tail = before.subarray(-4).toString('latin1');
  if (/\n\r?\n$/.test(tail)) return '';
  return tail.endsWith('\n') ? eol : `${eol}${eol}`;
}

function isOnlyMark(bytes: Buffer): boolean {
  return bytes.equals(Buffer.from(MARK));
}

/** `2026-12-02 05:40:12 +01:00`: the time where the process runs, and its offset from UTC. */
function stamp(at: Date): string {
  const offset = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + offset * 60_000).toISOString();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** A stamp without a zone is where the process runs, as the Date Time String Format of ECMA-262 has it. */
function timeOf(at: string): number {
  const [date = '', time, zone = ''] = at.split(' ');
  return momentAt(date, `${time}${zone}`);
}

/** In milliseconds since 1970; `NaN` also for the 30th of February, which `Date.parse` takes for the 2nd of March. */
function momentAt(date: string, time: string): number {
  const day = Date.parse(date);
  const isDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(date);
  return isDay ? Date.parse(`${date}T${time}`) : Number.NaN;
}

function momentOf(text: string): { readonly from: number; readonly to: number } {
  const [, date, time, zone = ''] = DATE.exec(text.trim()) ?? [];
  const from = date === undefined ? Number.NaN : momentAt(date, `${time ?? '00:00'}${zone}`);
  if (Number.isNaN(from)) {
    throw bad(
      `Not a date: '${text.slice(0, 40)}'. Give one like 2026-12-01, or with a time, like 2026-12-01 17:30.`,
    );
  }
  return { from, to: time === undefined ? endOfDay(date as string, zone) : from + restOf(time) };
}

/** A day is an hour shorter or longer where clocks change. */
function endOfDay(date: string, zone: string): number {
  const next = new Date(Date.parse(date) + DAY).toISOString();
  return Date.parse(next.replace('Z', zone)) - 1;
}

/** A minute or a second that is named counts to its end, in milliseconds. */
function restOf(time: string): number {
  if (time.includes('.')) return 0;
  return time.length > 5 ? 999 : 59_999;
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function checkTag(tag: string): void {
  checkText('tag', tag, 'BAD_ENTRY');
  const name = tag.trim().toWellFormed();
  if (name === '') throw bad('A tag needs some text; leave it out for an entry without one.');
  if (name.length > LONGEST_TAG)
    throw bad(`A tag has at most ${LONGEST_TAG} characters; this one has ${name.length}.`);
  if (name.includes(']') || hasUnseen(name)) {
    throw bad('A tag is one line, without ] and without characters that nobody can see.');
  }
}

function bad(message: string): PlimsollError {
  return new PlimsollError('BAD_ENTRY', message);
}
