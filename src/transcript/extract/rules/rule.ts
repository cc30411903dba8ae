import type { Candidate } from '../fact.ts';

export type Found = Pick<Candidate, 'subject' | 'attribute'> & { readonly value: string };

/** Finds one kind of fact. */
export interface Rule {
  /**
   * @param said A sentence in one line without emphasis, of bounded length; what leads into it ("OK, so") is left out.
   * @param speaker What a fact about who speaks is about.
   */
  find(said: string, speaker: string): Iterable<Found>;
  /** Whether a sentence of the assistant counts once a person agrees to it. */
  readonly isAgreement?: boolean;
}

/** Alternatives for a pattern, one a line or between bars; a space stands for any white space of a sentence. */
export function oneOf(...alternatives: string[]): string {
  return `(?:${alternatives.join('|')})`;
}

/** A pattern for the start of a sentence, whatever the case of its letters, and any form of apostrophe. */
export function opening(pattern: string, flags = 'iu'): RegExp {
  return new RegExp(`^${pattern.replaceAll("'", "['’]")}`, flags);
}

/** What is left of a statement without what ends it, and without quotes around all of it. */
export function trimmed(statement: string): string {
  const text = statement.trim().replace(ENDS, '');
  return QUOTED.exec(text)?.[1] ?? text;
}

const ENDS = /[\s.,;:!]{1,20}$/;
const QUOTED = /^["“„«'‘`]([^"“”„«»'‘’`]+)["”“»'’`]$/;

/** An attribute made of the first words of a statement that say something. */
export function attributeOf(statement: string): string {
  const words = statement.match(WORDS) ?? [];
  const telling = words.filter((word) => !EMPTY.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS).join(' ');
}

const MOST_WORDS = 6;
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[.'’][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
const EMPTY: ReadonlySet<string> = new Set(
  `
  a an the to of in on at by for with and or is are be was were will have has had do does we i you he she it they our
  my your their its this that these those as from all so
  der die das den dem ein eine einen zu in im am auf für mit und oder ist sind wird werden wir ich es unser unsere
  le la les un une des de du à en pour avec et ou est sont nous je on notre que
  el los las una unos del al por para con y o es son lo nuestro nuestra
  `
    .trim()
    .split(/\s+/),
);
