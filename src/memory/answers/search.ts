import { cutHead, cutTail } from '../../text/cut.ts';
import type { Place } from '../memory.ts';
import { fold } from '../search/fold.ts';
import type { Hit, SearchResult } from '../search/search.ts';
import {
  type AnswerOptions,
  answerOf,
  beyond,
  contextsOf,
  linesWithin,
  oneLine,
  recalledHead,
  roomBeside,
  shortLine,
} from './frame.ts';
import { plainValue } from './plain-value.ts';
import { keyLines } from './read.ts';

const LIKE = 'Keys like it:';

/** What a hit may take even if not all fit, in UTF-16 code units. */
const WIDTH = 200;
/** What is left of that for a value, however long the key is. */
const LEAST_VALUE = 40;

/** What a search found, as data. */
export interface SearchData {
  /** Where it is from, how many there are, and how to go on. */
  readonly note: string;
  readonly total: number;
  readonly matches: readonly SearchMatch[];
  /** The keys that are most like the query, if nothing matches exactly. */
  readonly like?: readonly string[];
  /** Where the rest begins. */
  readonly next?: number;
}

/** A hit: of a long value, and of one that cannot be said as data, an excerpt in place of the value. */
export interface SearchMatch {
  /** Of several. */
  readonly scope?: string;
  /** Whether a nearer scope has something else at the key. */
  readonly hidden?: true;
  readonly key: string;
  readonly value?: unknown;
  readonly excerpt?: string;
}

interface Shown {
  readonly head: string;
  readonly text: string;
  /** How many hits are shown, each at most so wide. */
  readonly count: number;
  readonly width: number;
  /** The room for all. */
  readonly room: number;
}

/**
 * What a search found in the places, one hit a line, as many as fit, and how to go on. Throws `BAD_USAGE` for a `from` of the
 * search beyond the last hit.
 */
export function searchAnswer(places: readonly Place[], result: SearchResult, options: AnswerOptions): string {
  const { head, text, room } = show(places, result, options);
  const near =
    result.nearest.length > 0 ? `${LIKE}\n${keyLines(result.nearest, room - LIKE.length - 1)}` : '';
  const both = [text, near].filter((part) => part !== '').join('\n\n');
  return answerOf(head, both.length <= room ? both : text, options);
}

/** The same as data; `limit` is what its texts take. */
export function searchData(
  places: readonly Place[],
  result: SearchResult,
  options: AnswerOptions,
): SearchData {
  const { hits, from, total, nearest } = result;
  const { head: note, count, width, room } = show(places, result, options);
  const matches = hits.slice(0, count).map((hit) => matchOf(hit, places.length > 1, width));
  const next = from + count;
  const like = keyLines(nearest, room).split('\n');
  return {
    note,
    total,
    matches,
    ...(nearest.length > 0 && { like }),
    ...(count > 0 && next < total && { next }),
  };
}

function show(places: readonly Place[], result: SearchResult, options: AnswerOptions): Shown {
  const { hits, from, total } = result;
  if (from > 0 && from >= total) throw beyond(from, `Hits in all: ${total}`);
  const headFor = (count: number) => recalledHead(contextsOf(places), notesOf(result, count), options);
  const room = roomBeside(headFor(Math.max(0, total - from - 1)), options);
  const width = Math.min(room, Math.max(WIDTH, Math.floor(room / Math.max(1, hits.length)) - 1));
  const { text, count } = linesWithin(
    hits.map((hit) => lineOf(hit, places.length > 1, width)),
    room,
  );
  return { head: headFor(count), text, count, width, room };
}

function notesOf({ query, from, total, isExact, nearest, hits }: SearchResult, count: number): string[] {
  const what = `"${shortLine(query, 60)}"`;
  if (total === 0) {
    return [`Nothing matches ${what}${nearest.length > 0 ? '.' : ', and no key is like it.'}`];
  }
  const facts = total === 1 ? '1 fact' : `${total} facts`;
  const found = isExact
    ? `${facts} with ${what}.`
    : `Nothing has all of ${what}; ${facts} with words like it.`;
  const which = count === 0 ? '' : ` Here are ${from + 1} to ${from + count}, the best first.`;
  const isMore = hits.length > 0 && from + count < total;
  return [`${found}${which}${isMore ? ` For more, the same query and from: ${from + count}.` : ''}`];
}

function lineOf({ scope, key, json, inValue, isHidden }: Hit, isMixed: boolean, width: number): string {
  const where = isMixed ? `[${scope}${isHidden ? ', hidden by a nearer one' : ''}] ` : '';
  const head = `${where}${shortLine(key, Math.max(1, width - where.length - LEAST_VALUE))}: `;
  return shortLine(head + valueWithin(json, inValue, width - head.length), width);
}

function matchOf({ scope, key, json, inValue, isHidden }: Hit, isMixed: boolean, width: number): SearchMatch {
  const shownKey = shortLine(key, Math.max(1, width - LEAST_VALUE));
  const room = Math.max(1, width - shownKey.length);
  const plain = json.length <= room ? plainValue(json) : undefined;
  // What is invisible grows when it is shown.
  const fits = plain !== undefined && JSON.stringify(plain.value).length <= room;
  return {
    ...(isMixed && { scope }),
    ...(isMixed && isHidden && { hidden: true as const }),
    key: shownKey,
    ...(fits ? plain : { excerpt: shortLine(valueWithin(json, inValue, room), room) }),
  };
}

/** A value, or of a long one what is around the first place with one of the words. */
function valueWithin(json: string, words: readonly string[], room: number): string {
  if (json.length <= room) return oneLine(json);
  const size = ` (${json.length} characters)`;
  const width = Math.max(1, room - size.length - 2);
  const start = startOf(json, words, width);
  const from = start > 0 ? cutTail(json.slice(0, start + width), width) : json.slice(0, width + 1);
  return `${start > 0 ? '…' : ''}${shortLine(oneLine(cutHead(from, width)), width)}…${size}`;
}

/** Where a piece of a text begins that holds one of the folded words; pieces overlap. */
function startOf(text: string, words: readonly string[], width: number): number {
  const step = Math.ceil(width / 2);
  for (let start = 0; start < text.length; start += step) {
    const piece = fold(text.slice(start, start + width));
    if (words.some((word) => piece.includes(word))) return start;
  }
  return 0;
}
