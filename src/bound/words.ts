import { dirname } from 'node:path';
import { usualSpool } from '../settings/data-folder.ts';
import type { Kept, NotKept } from '../spool/types.ts';
import { shellQuoted } from '../text/shell.ts';
import { visibleName } from '../text/visible.ts';
import { linesMissing } from './lines-missing.ts';
import type { Gap, Words } from './types.ts';

/** How a reader of a bounded result gets at the rest. */
export interface Readers {
  /** The names of the MCP tools that read on, where the reader has them. Otherwise the command `plimsoll spool` is named. */
  readonly tools: { readonly read: string; readonly select: string } | undefined;
  /** Whether paths are told: to readers on this machine. */
  readonly paths: boolean;
  /** Whether the spool's addresses are read as MCP resources, by readers who are told no paths: yes, if nothing is said. */
  readonly resources?: boolean | undefined;
}

/** What is missing in all of a result or a text. */
export interface Total {
  readonly chars: number;
  readonly bytes: number;
  readonly lines: number;
  readonly blocks: number;
  /** Of how many characters and blocks. */
  readonly of: { readonly chars: number; readonly blocks: number };
  /** The handle of what there was before an earlier cut, if there was one and it was kept. */
  readonly original?: string | undefined;
}

/** Where there is little room, a call takes at most so many characters. */
const LONGEST_SHORT_CALL = 250;

/** The part that is all of a result. */
const WHOLE = 'result';

/** A whole number with commas between thousands, whatever the locale. */
export function figure(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** What is missing in all, and where the whole is: one line. */
export function noticeOf(total: Total, kept: Kept | NotKept, readers: Readers): string {
  const { of } = total;
  const text = [
    ...someOf(total.chars, `${figure(total.chars)} of ${counted(of.chars, 'character')}`),
    ...someOf(total.bytes, counted(total.bytes, 'byte')),
    ...someOf(total.lines, counted(total.lines, 'line')),
  ].join(', ');
  const blocks = someOf(total.blocks, `${figure(total.blocks)} of ${counted(of.blocks, 'block')}`);
  return `[Plimsoll: left out of this result: ${listed([...someOf(text.length, text), ...blocks])}. ${wholeOf(kept, readers)}.${originalWords(total.original)}]`;
}

/** The shortest form of {@link noticeOf}, for where there is little room. */
export function shortNoticeOf(total: Total, kept: Kept | NotKept, readers: Readers): string {
  const whole = 'reason' in kept ? `not kept: ${kept.reason}` : shortCallOf(kept, readers);
  const missing = listed([
    ...someOf(total.chars, counted(total.chars, 'character')),
    ...someOf(total.blocks, counted(total.blocks, 'block')),
  ]);
  return `[Plimsoll: ${missing} left out; ${whole}${shortOriginalWords(total.original)}]`;
}

/** Words for a count, if it isn't zero. */
function someOf(count: number, words: string): string[] {
  return count === 0 ? [] : [words];
}

/** What is missing of a result; if nothing was counted, that was neither a text nor a block. */
function listed(missing: readonly string[]): string {
  return missing.join(' and ') || 'fields';
}

function shortOriginalWords(original: string | undefined): string {
  return original === undefined ? '' : `; before an earlier cut: ${original}`;
}

function originalWords(original: string | undefined): string {
  return original === undefined ? '' : ` What there was before an earlier cut: handle ${original}.`;
}

/** What words are about. */
export interface WordsPlace {
  /** The JSON pointer of the text or the data in a result; empty for a text that is no MCP result. */
  readonly at: string;
  /** The part that it is, if it is kept in a file of its own. */
  readonly part?: string | undefined;
  /** Whether it is data of the result, so that pointers go on into it. */
  readonly isData?: boolean | undefined;
  /** What an earlier cut left out. */
  readonly earlier?: Total | undefined;
  /** The part with the file that stands as base64 at a pointer within it. */
  readonly partAt?: ((at: string) => string | undefined) | undefined;
}

/** The words for one text or piece of data of a result. */
export function wordsFor(place: WordsPlace, kept: Kept | NotKept, readers: Readers): Words {
  const { part } = place;
  return {
    notice(gaps) {
      const first = gaps.find(({ at }) => at !== undefined);
      const onwards =
        first && !('reason' in kept) ? ` Read on: ${callFrom(first, place, kept, readers)}.` : '';
      return `[Plimsoll: cut below: ${sumOf(gaps)} left out${shownBetween(gaps)}. ${wholeOf(kept, readers, part)}.${onwards}${earlierWords(place.earlier)}]`;
    },
    marker(gap) {
      return `[… Plimsoll: ${missingIn(gap)} left out here${rangeOf(gap)}. ${readOn(gap, place, kept, readers)} …]`;
    },
    further(gap) {
      const call = 'reason' in kept ? '' : `. Read on: ${callFrom(gap, place, kept, readers)}`;
      return `[… ${counted(gap.chars, 'character')} left out${rangeOf(gap)}${call} …]`;
    },
    briefs(gaps) {
      const unit = gaps[0]?.unit === 'items' ? 'items' : 'entries';
      const missing = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
      const ranges = gaps.slice(0, MOST_RANGES).map(({ from, to }) => stretch(from, to));
      const more = gaps.length > MOST_RANGES ? ' and more' : '';
      return `[… Plimsoll left out ${figure(missing)} of ${figure(gaps[0]?.of ?? 0)} ${unit}: ${ranges.join(', ')}${more}, counted from 0 …]`;
    },
    media(at, { mimeType, bytes }) {
      const name = place.partAt?.(at);
      const file = 'reason' in kept ? undefined : kept.parts.find((other) => other.name === name);
      if ('reason' in kept || !file) return undefined;
      const text = mediaWords({ what: mimeType, bytes }, file, kept, readers);
      return { text, uri: addressOf(kept, file.name) };
    },
    brief(gap) {
      const isPart = gap.at === undefined && gap.chars < gap.of;
      const range = isPart ? `: ${stretch(gap.from, gap.to)}` : '';
      return gap.unit === 'chars'
        ? `[… ${counted(gap.chars, 'character')} left out${range} …]`
        : `[… Plimsoll left out ${membersIn(gap)}: ${stretch(gap.from, gap.to)}, counted from 0, of ${figure(gap.of)} …]`;
    },
  };
}

function earlierWords(earlier: Total | undefined): string {
  if (!earlier) return '';
  return ` An earlier cut left out ${figure(earlier.chars)} of ${counted(earlier.of.chars, 'character')}.${originalWords(earlier.original)}`;
}

/** The words for a text that has little room: what is missing, and where a text may be `alone` the keys to the whole. */
export function shortWords(
  words: Words,
  kept: Kept | NotKept,
  readers: Readers,
  alone: { readonly original: string | undefined } | undefined,
): Words {
  const call = alone && !('reason' in kept) ? `; ${shortCallOf(kept, readers)}` : '';
  const whole = `${call}${shortOriginalWords(alone?.original)}`;
  return {
    ...words,
    notice: (gaps) => `[Plimsoll: ${shortSumOf(gaps)} left out${whole}]`,
    marker: words.brief,
    further: words.brief,
  };
}

/** The notice of JSON that is all there but for its white space, needless escapes and keys that stood twice. */
export function rewrittenWords(
  gap: Gap,
  part: string | undefined,
  kept: Kept | NotKept,
  readers: Readers,
): string {
  return `[Plimsoll: written anew: white space, escapes and repeated keys, ${counted(gap.chars, 'character')} of ${figure(gap.of)}, left out. ${wholeOf(kept, readers, part)}.]`;
}

/** What stands for several blocks that are left out, and what it says besides. */
export interface FoldedBlocks {
  readonly from: number;
  readonly to: number;
  readonly of: number;
  /** The field that holds the list. */
  readonly list: string;
  readonly original: string | undefined;
  /** What is missing of `structuredContent`, if one of the blocks is the text that says the same. */
  readonly structured: { readonly gaps: readonly Gap[]; readonly part: string | undefined } | undefined;
}

/** How what stands for several blocks that are left out says so. */
export function foldWords(
  { from, to, of, list, original, structured }: FoldedBlocks,
  kept: Kept | NotKept,
  readers: Readers,
): string {
  const lost = structured ? `, and of structuredContent ${shortSumOf(structured.gaps)}` : '';
  const whole =
    structured && !('reason' in kept)
      ? `; structuredContent: ${callOf(kept, readers, { part: structured.part })}`
      : '';
  const where =
    'reason' in kept
      ? `The rest was not kept (${kept.reason}).`
      : `Read them: ${selectOf(kept, readers, WHOLE, `/${list}`, from)}${whole}.`;
  return `[… Plimsoll: ${counted(to - from, 'block')} left out here: ${stretch(from, to)}, counted from 0, of ${figure(of)}${lost}. ${where}${originalWords(original)} …]`;
}

/** How what stands for a file that is left out says so. */
export function mediaWords(
  media: { what: string; bytes: number },
  part: { name: string; path: string } | undefined,
  kept: Kept | NotKept,
  readers: Readers,
): string {
  const size = counted(media.bytes, 'byte');
  if ('reason' in kept || !part)
    return `[Plimsoll: ${media.what}, ${size}, left out; it was not kept${'reason' in kept ? ` (${kept.reason})` : ''}]`;
  return `[Plimsoll: ${media.what}, ${size}, left out; kept whole: ${fileWords(part, kept, readers)}]`;
}

/** Where a file is that is kept. */
export function fileWords(
  part: { readonly name: string; readonly path: string },
  kept: Kept,
  { paths, resources = true }: { readonly [Way in 'paths' | 'resources']?: Readers[Way] | undefined },
): string {
  if (paths) return part.path;
  if (resources) return addressOf(kept, part.name);
  return `the machine where it was cut (plimsoll spool read ${kept.handle} --part ${part.name} --raw)`;
}

/** The address of a part of a kept result. */
export function addressOf(kept: Kept, part: string): string {
  return `plimsoll://spool/${kept.handle}/${part}`;
}

function wholeOf(kept: Kept | NotKept, readers: Readers, part?: string): string {
  if ('reason' in kept) return `The rest was not kept (${kept.reason})`;
  const path = readers.paths ? ` or ${pathOf(kept, part)}` : '';
  return `The whole: ${callOf(kept, readers, part === undefined ? {} : { part })}${path}`;
}

function pathOf(kept: Kept, name: string | undefined): string {
  const part = kept.parts.find((other) => other.name === name);
  return part?.view ?? part?.path ?? kept.folder;
}

function readOn(gap: Gap, place: WordsPlace, kept: Kept | NotKept, readers: Readers): string {
  if ('reason' in kept) return `The rest was not kept (${kept.reason})`;
  const path = readers.paths ? `; the whole: ${pathOf(kept, place.part)}` : '';
  return `Read on: ${callFrom(gap, place, kept, readers)}${path}`;
}

/** The call that goes on where a gap begins. */
function callFrom(gap: Gap, { at, part, isData }: WordsPlace, kept: Kept, readers: Readers): string {
  if (isData) return selectOf(kept, readers, WHOLE, at + (gap.at ?? ''), gap.from);
  if (part === undefined) return selectOf(kept, readers, WHOLE, at, gap.at === undefined ? gap.from : 0);
  if (gap.at !== undefined) return selectOf(kept, readers, part, gap.at, gap.from);
  return callOf(kept, readers, { part, from: gap.from });
}

function callOf(
  kept: Kept,
  readers: Readers,
  { part = WHOLE, from }: { part?: string | undefined; from?: number },
): string {
  if (readers.tools) return `${readers.tools.read} ${JSON.stringify({ handle: kept.handle, part, from })}`;
  const options = ` --part ${part}${from === undefined ? '' : ` --from ${from}`}`;
  return `plimsoll spool read ${kept.handle}${options}${spoolOption(kept, readers)}`;
}

/** The call that reads the whole, without a spool's folder that would take too much of little room. */
function shortCallOf(kept: Kept, readers: Readers): string {
  const call = callOf(kept, readers, {});
  return call.length <= LONGEST_SHORT_CALL ? call : callOf(kept, { ...readers, paths: false }, {});
}

function selectOf(kept: Kept, readers: Readers, part: string, path: string, from: number): string {
  if (readers.tools)
    return `${readers.tools.select} ${JSON.stringify({ handle: kept.handle, part, path, from })}`;
  return `plimsoll spool select ${kept.handle} ${shellQuoted(path)} --part ${part} --from ${from}${spoolOption(kept, readers)}`;
}

/**
 * How the command `plimsoll spool` is told where a result is, if that isn't the user's own spool, which it finds. A
 * folder whose name has control characters can't be told in one line.
 */
function spoolOption(kept: Kept, readers: Readers): string {
  const folder = dirname(dirname(kept.folder));
  const isTold = readers.paths && folder !== usualSpool() && visibleName(folder) === folder;
  return isTold ? ` --spool ${shellQuoted(folder)}` : '';
}

/** What is missing in a gap: of data its members, and what they take. */
function missingIn(gap: Gap): string {
  const chars = counted(gap.chars, 'character');
  const bytes = gap.bytes > 0 ? [counted(gap.bytes, 'byte')] : [];
  const lines = gap.lines ? [counted(gap.lines.count, 'line')] : [];
  if (gap.unit !== 'chars') return `${membersIn(gap)} (${[chars, ...bytes].join(', ')})`;
  const more = [...bytes, ...lines].join(', ');
  return `${chars}${more && ` (${more})`}`;
}

function membersIn({ unit, from, to }: Gap): string {
  if (unit === 'items') return counted(to - from, 'item');
  return `${figure(to - from)} ${to - from === 1 ? 'entry' : 'entries'}`;
}

/** What is missing in several gaps: characters of texts, items of lists, entries of objects. */
function sumOf(gaps: readonly Gap[]): string {
  const units = ['chars', 'items', 'entries'] as const;
  const sums = units.flatMap((unit) => {
    const some = gaps.filter((gap) => gap.unit === unit);
    const [first, ...rest] = some;
    const count = linesMissing(some);
    const lines = count > 0 ? { from: 0, to: 0, count } : undefined;
    return first ? [{ ...rest.reduce(joined, first), lines }] : [];
  });
  return sums.map(missingIn).join(' and ');
}

/** The same without bytes and lines. */
function shortSumOf(gaps: readonly Gap[]): string {
  return sumOf(gaps.map(({ lines: _, ...gap }) => ({ ...gap, bytes: 0 })));
}

/** Two gaps as one, for their sums but those of lines. */
function joined(one: Gap, other: Gap): Gap {
  const add = (key: 'chars' | 'bytes' | 'to') => one[key] + other[key];
  return { ...one, to: add('to') - other.from, chars: add('chars'), bytes: add('bytes') };
}

/** How many stretches of a text that are shown, and of a list that aren't, are told one by one. */
const MOST_STRETCHES = 4;
const MOST_RANGES = 3;

/** Which stretches of a text are shown, between its gaps. */
function shownBetween(gaps: readonly Gap[]): string {
  const texts = gaps.filter(({ unit, at }) => unit === 'chars' && at === undefined);
  const of = texts.at(-1)?.of ?? 0;
  const ends = [...texts.map(({ from }) => from), of];
  const starts = [0, ...texts.map(({ to }) => to)];
  const shown = starts.flatMap((start, index) =>
    (ends[index] ?? 0) > start ? [stretch(start, ends[index] ?? 0)] : [],
  );
  if (texts.length === 0 || shown.length === 0) return '';
  const more = shown.length > MOST_STRETCHES ? ' and more' : '';
  return `; shown: characters ${shown.slice(0, MOST_STRETCHES).join(', ')}${more} of ${figure(of)}`;
}

function rangeOf(gap: Gap): string {
  if (gap.unit !== 'chars') return '';
  const lines = gap.lines ? `, lines ${stretch(gap.lines.from, gap.lines.to)}` : '';
  return `: characters ${stretch(gap.from, gap.to)} of ${figure(gap.of)}${lines}`;
}

/** A stretch whose end isn't included, as it is told to readers: with both ends included. */
function stretch(from: number, to: number): string {
  return `${figure(from)} to ${figure(to - 1)}`;
}

function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}
