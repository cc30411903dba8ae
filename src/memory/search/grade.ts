import { wordsOf } from './fold.ts';

/** How much of a text something is: the more, the higher. */
export const GRADE = { none: 0, within: 1, start: 2, word: 3, segment: 4, whole: 5 } as const;

export type Grade = (typeof GRADE)[keyof typeof GRADE];

/** So many places in a text are looked at for the best one. */
const MOST_PLACES = 50;

/**
 * What something is in a folded text, at best: all of it, in a key whole segments, whole words, the start of a word, or
 * less than that.
 */
export function gradeOf(text: string, part: string, isKey: boolean): Grade {
  if (text === part) return GRADE.whole;
  let best: Grade = GRADE.none;
  let places = 0;
  for (let at = text.indexOf(part); at >= 0 && places < MOST_PLACES; at = text.indexOf(part, at + 1)) {
    const grade = gradeAt(text, at, at + part.length, isKey);
    if (grade > best) best = grade;
    places++;
  }
  return best;
}

function gradeAt(text: string, start: number, end: number, isKey: boolean): Grade {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  if (isOfWord(before)) return GRADE.within;
  if (isOfWord(after)) return GRADE.start;
  return isKey && [before, after].every((char) => char === '' || char === '.') ? GRADE.segment : GRADE.word;
}

/** Half of a surrogate pair counts as one: nearly all of these characters are letters and symbols. */
function isOfWord(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code < 0x80) return ASCII_WORD.test(char);
  return (code >= 0xd800 && code <= 0xdfff) || wordsOf(char).length > 0;
}

/** Those of ASCII that `wordsOf` keeps together. */
const ASCII_WORD = /[0-9a-z$+<=>^`|~]/;
