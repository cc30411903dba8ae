/**
 * A text as it is compared when case, accents and the forms of letters don't count: compatibility decomposition (NFKD,
 * Unicode Standard Annex #15) without its combining marks, in lower case, with one form of sigma, and Latin letters with
 * strokes, hooks or ligatures as those of ASCII. Folding what is folded changes nothing.
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
    .replaceAll('ς', 'σ')
    .replace(UNDECOMPOSED, (letter) => IN_ASCII.get(letter) as string);
}

/** The words of a folded or plain text: what stands between white space and punctuation. */
export function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/** Lower-case letters that have capitals and no decomposition, as the transform Latin-ASCII of Unicode's CLDR has them. */
const IN_ASCII: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'ⱥ',
    b: 'ƀƃɓ',
    c: 'ƈȼ',
    d: 'ðđƌɖɗ',
    e: 'ɇɛ',
    f: 'ƒ',
    g: 'ǥɠɡ',
    h: 'ħɦⱨ',
    i: 'ɨ',
    j: 'ɉ',
    k: 'ƙⱪꝁ',
    l: 'łƚɫɬⱡ',
    m: 'ɱ',
    n: 'ŋƞɲ',
    o: 'ø',
    p: 'ƥᵽ',
    r: 'ɍɽ',
    s: 'ȿ',
    t: 'ŧƭʈⱦ',
    u: 'ʉ',
    v: 'ʋ',
    w: 'ⱳ',
    y: 'ƴɏ',
    z: 'ƶȥɀⱬ',
    ae: 'æ',
    hv: 'ƕ',
    oe: 'œ',
    oi: 'ƣ',
    th: 'þ',
  }).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain] as const)),
);

const UNDECOMPOSED = new RegExp(`[${[...IN_ASCII.keys()].join('')}]`, 'g');
const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{M}\p{N}\p{S}\p{Co}]+/gu;
