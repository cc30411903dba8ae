/**
 * A text as it is compared when case, accents and the forms of letters don't count: compatibility decomposition (NFKD,
 * Unicode Standard Annex #15) without its combining marks, in lower case, with one form of sigma. Twice the same thing
 * once: folding what is folded changes nothing.
 */
export function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : foldOnce(foldOnce(text));
}

function foldOnce(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replaceAll('ς', 'σ');
}

/** The words of a folded or plain text: what stands between white space and punctuation. */
export function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{M}\p{N}\p{S}\p{Co}]+/gu;
