import type { Fact } from '../context/document.ts';
import { writeKey } from '../context/keys.ts';
import { fold, wordsOf } from './fold.ts';

/** Words that have less in common than this are as different as can be; 1 is the same word. */
const LEAST = 0.5;

/** Of what is longer only the start is compared; words in UTF-16 code units. */
const MOST_WORDS = 16;
const LONGEST_WORD = 64;

interface Near {
  readonly key: string;
  /** How much of what was wanted is in it, as a sum over its words. */
  readonly share: number;
  /** How much longer or shorter it is. */
  readonly rest: number;
}

/**
 * The keys of values and sections that are most like a text, the best first: those that have most of its words, or of
 * words that are like them. None that has nothing in common with it.
 */
export function nearestKeys(facts: Iterable<Fact>, text: string, most = 3): string[] {
  const words = wordsIn(text).slice(0, MOST_WORDS);
  const best: Near[] = [];
  for (const { path, share } of sharesOf(facts, words)) {
    if (share === 0 || share < (best[most - 1]?.share ?? 0)) continue;
    const key = writeKey(path());
    const near = { key, share, rest: Math.abs(key.length - text.length) };
    if (best.some((other) => other.key === key)) continue;
    const place = best.findIndex((other) => isNearer(near, other));
    best.splice(place < 0 ? best.length : place, 0, near);
    best.length = Math.min(best.length, most);
  }
  return best.map(({ key }) => key);
}

function isNearer(one: Near, other: Near): boolean {
  return one.share > other.share || (one.share === other.share && one.rest < other.rest);
}

/** Each value and each section, and how much of the words is in its path. */
function* sharesOf(facts: Iterable<Fact>, words: readonly string[]) {
  const none = words.map(() => 0);
  let last: readonly string[] = [];
  /** Those of the path so far, at each depth. */
  const reached: (readonly number[])[] = [];
  for (const { path } of facts) {
    const known = path.findIndex((segment, at) => segment !== last[at]);
    for (let depth = known < 0 ? path.length : known; depth < path.length; depth++) {
      const outer = reached[depth - 1] ?? none;
      const own = wordsIn(path[depth] as string);
      reached[depth] = words.map((word, at) =>
        own.reduce((share, other) => Math.max(share, likeness(word, other)), outer[at] as number),
      );
      const share = (reached[depth] as readonly number[]).reduce((sum, one) => sum + one, 0);
      const length = depth + 1;
      yield { path: () => path.slice(0, length), share };
    }
    last = path;
  }
}

function wordsIn(text: string): string[] {
  return wordsOf(fold(text)).map((word) => word.slice(0, LONGEST_WORD));
}

/** From 0 to 1. */
function likeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (Math.min(one.length, other.length) < LEAST * longest) return 0;
  const likeness = 1 - distance(one, other) / longest;
  return likeness < LEAST ? 0 : likeness;
}

const ROWS = Array.from({ length: 3 }, () => new Uint8Array(LONGEST_WORD + 1));

/**
 * How many characters must be put in, taken out, changed, or swapped with the next one, to make one word the other:
 * the optimal string alignment distance. Of longer words the first 64 UTF-16 code units are compared.
 */
export function distance(one: string, other: string): number {
  let [before, last, row] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  const [length, width] = [one, other].map((word) => Math.min(word.length, LONGEST_WORD)) as [number, number];
  for (let column = 0; column <= width; column++) last[column] = column;
  for (let at = 1; at <= length; at++) {
    const char = one.charCodeAt(at - 1);
    row[0] = at;
    for (let column = 1; column <= width; column++) {
      const otherChar = other.charCodeAt(column - 1);
      let least = (last[column - 1] as number) + (char === otherChar ? 0 : 1);
      least = Math.min(least, (last[column] as number) + 1, (row[column - 1] as number) + 1);
      if (at > 1 && char === other.charCodeAt(column - 2) && one.charCodeAt(at - 2) === otherChar) {
        least = Math.min(least, (before[column - 2] as number) + 1);
      }
      row[column] = least;
    }
    [before, last, row] = [last, row, before];
  }
  return last[width] as number;
}
