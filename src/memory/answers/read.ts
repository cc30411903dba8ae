import { cutHead, cutTail } from '../../text/cut.ts';
import { visible, visibleName } from '../../text/visible.ts';
import type { Found } from '../context/document.ts';
import { parseExistingKey, writeKey } from '../context/keys.ts';
import { nearestIn } from '../search/search.ts';
import { textOf } from '../search/search-index.ts';
import { hiddenBy, nearerWith, type Part, partsAt, type Source } from '../sources.ts';
import {
  answerOf,
  beyond,
  dedented,
  linesWithin,
  oneLine,
  type PageOptions,
  recalledHead,
  roomBeside,
  shortLine,
  startOf,
} from './frame.ts';
import { plainValue } from './plain-value.ts';

export interface ReadAsked extends PageOptions {
  /** A key, or that of a section; everything if left out or empty. */
  readonly prefix?: string | undefined;
}

/** Shorter values stand in an outline as they are, in UTF-16 code units. */
const SHORT_VALUE = 80;
/** What is shown of a key in an outline: no more, and no less even where that is more than the room. */
const LONGEST_KEY = 1024;
const LEAST_KEY = 20;

/** Stands in a key for what was cut out of it. */
const CUT = '…';
const CUT_NOTE = `A key that is cut, with ${CUT}, can be the prefix as it stands.`;

/** A UTF-16 code unit takes at most so many bytes of UTF-8, and white space that is left out may double that. */
const BYTES_PER_CHAR = 6;

/** So many keys are named of those that a nearer scope hides. */
const MOST_HIDDEN = 5;
const LONGEST_HIDDEN = 200;

/** What is stored under a prefix, as data. */
export interface ReadData {
  /** Where it is from, what it is, and how to go on. */
  readonly note: string;
  /** A value or a section that is whole. */
  readonly value?: unknown;
  /** A part of a long value, or what cannot be said as data. */
  readonly text?: string;
  /** An outline of a long section, or keys like the prefix if there is nothing under it. */
  readonly keys?: readonly string[];
  /** Where the rest begins. */
  readonly next?: number;
}

/** What is stored under a prefix: an answer's own words, and the data in one form. */
interface Recalled {
  readonly head: string;
  readonly text: string;
  /** The JSON that `text` is all of. */
  readonly json?: string;
  readonly isKeys?: true;
  readonly next?: number;
}

/**
 * What is stored under a prefix: a value as it reads; a section as it stands in the file if it fits, and else an outline,
 * with how to go on. Throws `BAD_KEY` for a prefix that is too long and `BAD_USAGE` for a `from` beyond the end.
 */
export function readAnswer(sources: readonly Source[], asked: ReadAsked): string {
  const { head, text } = recall(sources, asked);
  return answerOf(head, text, asked);
}

/** The same as data; `limit` is what its texts take. */
export function readData(sources: readonly Source[], asked: ReadAsked): ReadData {
  const { head: note, text, json, isKeys, next } = recall(sources, asked);
  const plain = json === undefined ? undefined : plainValue(json);
  const keys = text === '' ? [] : text.split('\n');
  return { note, ...(plain ?? (isKeys ? { keys } : { text })), ...(next !== undefined && { next }) };
}

function recall(sources: readonly Source[], asked: ReadAsked): Recalled {
  const { prefix = '' } = asked;
  const from = startOf(asked);
  const parts = partsUnder(sources, prefix);
  const [nearest] = parts;
  if (!nearest) return notFound(sources, asked);
  if (nearest.found.kind === 'value') return recalledValue(nearest, parts, sources, asked);
  const sections = parts.filter(({ source, found }) => found.kind === 'section' && !source.isGone);
  return (from === 0 && wholeSections(sections, sources, asked)) || outline(sections, sources, asked);
}

/** What the sources have at a prefix, which may be a key as an outline cuts it, if one alone is cut so. */
function partsUnder(sources: readonly Source[], prefix: string): Part[] {
  const parts = partsAt(sources, prefix.trim() === '' ? [] : parseExistingKey(prefix));
  if (parts.length > 0 || !prefix.includes(CUT)) return parts;
  const [path, another] = pathsCutTo(sources, prefix);
  return path && !another ? partsAt(sources, path) : [];
}

function pathsCutTo(sources: readonly Source[], cut: string): (readonly string[])[] {
  const ends = Array.from(
    cut.matchAll(/…/g),
    ({ index }) => [cut.slice(0, index), cut.slice(index + 1)] as const,
  );
  const found = new Map<string, readonly string[]>();
  for (const path of pathsIn(sources)) {
    const key = shownKeyOf(path);
    const isMeant = ends.some(([start, end]) => key.startsWith(start) && key.endsWith(end));
    if (isMeant && key.length > cut.length) found.set(key, path);
  }
  return [...found.values()];
}

/** Those of all sections and values. */
function* pathsIn(sources: readonly Source[]): Generator<readonly string[]> {
  for (const { document } of sources) {
    let last: readonly string[] = [];
    for (const { path } of document.root.facts({ empty: true })) {
      const known = path.findIndex((segment, at) => segment !== last[at]);
      for (let depth = Math.max(0, known); depth < path.length; depth++) yield path.slice(0, depth + 1);
      last = path;
    }
  }
}

function notFound(sources: readonly Source[], asked: ReadAsked): Recalled {
  const { prefix = '', limit } = asked;
  const nearest = nearestIn(sources, prefix);
  const notes = [
    `There is nothing under ${shortLine(prefix, 80)}.`,
    nearest.length > 0
      ? 'These keys are like it:'
      : 'No key is like it; search_context searches values as well.',
  ];
  const head = recalledHead(sources, notes, asked);
  return { head, text: keyLines(nearest, roomBeside(head, { limit })), isKeys: true };
}

/** Keys, one a line. */
export function keyLines(keys: readonly string[], room: number): string {
  return linesWithin(
    keys.map((key) => shortLine(key, Math.floor(room / keys.length) - 1)),
    room,
  ).text;
}

function recalledValue(
  { source, found }: Part,
  parts: readonly Part[],
  sources: readonly Source[],
  asked: ReadAsked,
): Recalled {
  const { from = 0, limit } = asked;
  const json = found.json();
  const text = json.startsWith('"') ? visible(textOf(json)) : visible(dedented(json));
  if (from > 0 && from >= text.length) throw beyond(from, `The value has ${text.length} characters`);
  const others = parts.filter((part) => part.source !== source).map((part) => part.source.scope);
  const notes = [...alsoNote(found), ...others.map((scope) => `The ${scope} memory has this key too.`)];
  const kind = kindOf(json.charAt(0));
  const origins = sources.filter((one) => one === source || one.isGone);
  const whole = recalledHead(origins, [...notes, `A ${kind}:`], asked);
  if (from === 0 && text.length <= roomBeside(whole, asked)) return { head: whole, text, json };
  const headFor = (next: number) => {
    const goesOn = next < text.length ? ` For more, the same prefix and from: ${next}.` : '';
    return recalledHead(
      origins,
      [...notes, `A ${kind}, characters ${from + 1} to ${next} of ${text.length}.${goesOn}`],
      asked,
    );
  };
  const room = roomBeside(headFor(text.length - 1), { limit });
  const slice = cutHead(text.slice(from, from + room + 1), room);
  const next = from + slice.length;
  return { head: headFor(next), text: slice.toWellFormed(), ...(next < text.length && { next }) };
}

/** The sections as they stand in their files; nothing if that is too long. */
function wholeSections(
  sections: readonly Part[],
  sources: readonly Source[],
  asked: ReadAsked,
): Recalled | undefined {
  const bytes = sections.reduce((sum, { found }) => sum + found.end - found.start, 0);
  if (bytes > asked.limit * BYTES_PER_CHAR) return undefined;
  const origins = originsOf(sections, sources);
  if (sections.every(({ found }) => found.children().length === 0)) {
    const notes = sections.length > 0 ? ['There is nothing in it.'] : [];
    return { head: recalledHead(origins, notes, asked), text: '', json: '{}' };
  }
  const data = sections.map(({ source, found }) => {
    const json = visible(dedented(found.json()));
    if (sections.length === 1) return json;
    const hidden = [...found.facts()]
      .filter(({ path }) => hiddenBy(sources, source, path))
      .map(({ key }) => shortLine(key, LONGEST_HIDDEN));
    const more = hidden.length > MOST_HIDDEN ? ` and ${hidden.length - MOST_HIDDEN} more` : '';
    const which =
      hidden.length > 0 ? `, where a nearer one has ${hidden.slice(0, MOST_HIDDEN).join(', ')}${more}` : '';
    return `The ${source.scope} memory${which}:\n${json}`;
  });
  const head = recalledHead(origins, alsoNote(sections[0]?.found), asked);
  const text = data.join('\n\n');
  const [one, another] = sections;
  const json = one && !another && { json: one.found.json() };
  return text.length <= roomBeside(head, asked) ? { head, text, ...json } : undefined;
}

/** The sources that sections are from, and those that are gone. */
function originsOf(sections: readonly Part[], sources: readonly Source[]): Source[] {
  return sources.filter((one) => one.isGone || sections.some(({ source }) => source === one));
}

/** What is directly in a section. */
interface Item {
  readonly source: Source;
  readonly child: Found;
}

/** What is directly in the sections, one a line. */
function outline(sections: readonly Part[], sources: readonly Source[], asked: ReadAsked): Recalled {
  const { from = 0, limit } = asked;
  const items = sections.flatMap(({ source, found }) => found.children().map((child) => ({ source, child })));
  if (from >= items.length && from > 0) throw beyond(from, `The section has ${items.length} keys`);
  const headFor = (next: number, hasCut: boolean) => {
    const notes = [
      'Too long to be shown whole: its keys and their sizes; read_context with a key as prefix shows what is in it.',
      ...(hasCut ? [CUT_NOTE] : []),
      `Keys ${from + 1} to ${next} of ${items.length}.`,
      ...(next < items.length ? [`For more, the same prefix and from: ${next}.`] : []),
    ];
    return recalledHead(originsOf(sections, sources), notes, asked);
  };
  const pageBeside = (hasCut: boolean) => {
    const room = roomBeside(headFor(items.length - 1, hasCut), { limit });
    const page = linesWithin(outlineLines(items.slice(from), sources, room), room);
    const shown = page.text.includes(CUT) ? items.slice(from, from + page.count) : [];
    return { ...page, hasCut: shown.some((item) => outlineLine(item, sources, room).isCut) };
  };
  const whole = pageBeside(false);
  const { text, count, hasCut } = whole.hasCut ? pageBeside(true) : whole;
  const next = from + count;
  return { head: headFor(next, hasCut), text, isKeys: true, ...(next < items.length && { next }) };
}

function* outlineLines(items: readonly Item[], sources: readonly Source[], room: number): Generator<string> {
  for (const item of items) yield outlineLine(item, sources, room).text;
}

/** A key, of a long one its start and its end; and of what kind and size it is, or its value. */
function outlineLine({ source, child }: Item, sources: readonly Source[], room: number) {
  const scope = sources.length > 1 ? `[${source.scope}${besideNote(sources, source, child.path)}] ` : '';
  const size = `: ${sizeOf(child)}`;
  const most = Math.max(LEAST_KEY, Math.min(LONGEST_KEY, room - scope.length - size.length));
  const key = shownKeyOf(child.path);
  const isCut = key.length > most;
  return { text: scope + (isCut ? cutKey(key, most) : key) + size, isCut };
}

function cutKey(key: string, most: number): string {
  const end = Math.floor((most - CUT.length) / 2);
  return `${cutHead(key, most - CUT.length - end)}${CUT}${cutTail(key, end)}`;
}

function shownKeyOf(path: readonly string[]): string {
  return visibleName(writeKey(path));
}

/** What a nearer scope has to do with what a further one has at a path. */
function besideNote(sources: readonly Source[], source: Source, path: readonly string[]): string {
  const hiding = hiddenBy(sources, source, path);
  if (hiding) return `, hidden by ${hiding.scope}`;
  const nearer = nearerWith(sources, source, path);
  return nearer ? `, read together with ${nearer.source.scope}` : '';
}

function sizeOf(child: Found): string {
  const bytes = child.end - child.start;
  const size = bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (child.kind === 'section') {
    const count = child.count();
    return `section, ${count} ${count === 1 ? 'value' : 'values'}, ${size}`;
  }
  const value = bytes > SHORT_VALUE * BYTES_PER_CHAR ? undefined : visibleName(oneLine(child.json()));
  return value !== undefined && value.length <= SHORT_VALUE ? value : `value, ${size}`;
}

function alsoNote(found: Found | undefined): string[] {
  const other = found?.alsoLiteral;
  return other ? [`Another key reads like this one; it is written ${shortLine(writeKey(other), 80)}.`] : [];
}

/** By the first character of its JSON. */
function kindOf(first: string): string {
  if (first === '"') return 'text';
  if (first === '[') return 'list';
  if (first === 'n') return 'null';
  return first === 't' || first === 'f' ? 'boolean' : 'number';
}
