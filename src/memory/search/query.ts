import { PlimsollError } from '../../errors.ts';
import { fold, wordsOf } from './fold.ts';

/** In UTF-16 code units. */
const LONGEST_QUERY = 1000;

/** What is searched for, folded. */
export interface Query {
  readonly whole: string;
  /** The whole as it reads in a key without escapes. */
  readonly wholeKey: string;
  /** Each once. None if the query has nothing but punctuation. */
  readonly words: readonly string[];
}

/** Reads a query. Throws `BAD_USAGE` for an empty one and for one of more than 1,000 characters. */
export function readQuery(text: string): Query {
  const whole = fold(text).trim();
  if (whole === '') throw bad('A search needs a word to search for.');
  if (text.length > LONGEST_QUERY) {
    throw bad(`A search takes at most ${LONGEST_QUERY} characters; this one has ${text.length}.`);
  }
  return { whole, wholeKey: whole.replace(/\\([\\.])/g, '$1'), words: [...new Set(wordsOf(whole))] };
}

function bad(message: string): PlimsollError {
  return new PlimsollError('BAD_USAGE', message);
}
