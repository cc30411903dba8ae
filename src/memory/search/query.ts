import { PlimsollError } from '../../errors.ts';
import { checkText } from '../checks.ts';
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
  /** The words as they were given. */
  readonly spelled: readonly string[];
  /** Whether it is more than words with spaces between them: `a/b`, `foo@bar.org`. */
  readonly isForm: boolean;
}

/** Reads a query. Throws `BAD_USAGE` for an empty one and for one of more than 1,000 characters. */
export function readQuery(text: string): Query {
  checkText('query', text);
  if (text.length > LONGEST_QUERY) {
    throw bad(`A search takes at most ${LONGEST_QUERY} characters; this one has ${text.length}.`);
  }
  const whole = fold(text).trim();
  if (whole === '') throw bad('A search needs a word to search for.');
  const words = wordsOf(whole);
  return {
    whole,
    wholeKey: whole.replace(/\\([\\.])/g, '$1'),
    words: [...new Set(words)],
    spelled: wordsOf(text.normalize()),
    isForm: words.join('') !== whole.replace(/\s/g, ''),
  };
}

function bad(message: string): PlimsollError {
  return new PlimsollError('BAD_USAGE', message);
}
