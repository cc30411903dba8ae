import { cutHead } from '../../text/cut.ts';
import type { Turn } from '../turn.ts';
import type { Candidate, Evidence } from './fact.ts';

/** In UTF-16 code units. */
const LONGEST_QUOTE = 400;

/** Shorter quotes stand in many turns: they count only in the turn the candidate names; in letters and digits. */
const LEAST_ANYWHERE = 12;
const LEAST = 2;

/** An inexact look is one at so many words of a turn, for a quote of so many, of which so many may differ. */
const MOST_WORDS = 2000;
const LEAST_QUOTED = 5;
const MOST_QUOTED = 60;
const MOST_DIFFERENT = 0.2;

/** Finds out where in a conversation the quotes of candidates stand. */
export class Quotes {
  readonly #turns: readonly Turn[];
  readonly #plain = new Map<Turn, Plain>();

  /** @param turns Those the candidates were taken from, by line. */
  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  /**
   * Where a candidate's quote stands, looked for around its line first. Without a quote its value is looked for in the turn
   * of its line. If nothing is found, the evidence isn't verified. `undefined` if there are no turns.
   */
  find({ quote = '', value, line }: Candidate): Evidence | undefined {
    const named = this.#named(line);
    const wanted = quote || (named ? String(value) : '');
    const length = wanted.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    const isAnywhere = quote !== '' && length >= LEAST_ANYWHERE;
    const turns = isAnywhere ? this.#byDistance(named) : named ? [named] : [];
    if (length >= LEAST) {
      for (const look of [exactly, this.#alike, ...(isAnywhere ? [this.#inexactly] : [])]) {
        for (const turn of look === this.#inexactly ? this.#around(named) : turns) {
          const found = look(turn, wanted);
          if (found !== undefined) return evidenceIn(turn, found, true);
        }
      }
    }
    const turn = named ?? this.#turns[0];
    return turn && evidenceIn(turn, wanted, false);
  }

  /** The turn a line belongs to: the last one that begins there or before. */
  #named(line: number | undefined): Turn | undefined {
    return line === undefined ? undefined : this.#turns.findLast((turn) => turn.line <= line);
  }

  #byDistance(named: Turn | undefined): readonly Turn[] {
    if (!named) return this.#turns;
    const at = this.#turns.indexOf(named);
    return this.#turns
      .map((turn, index) => ({ turn, distance: Math.abs(index - at) }))
      .sort((one, other) => one.distance - other.distance)
      .map(({ turn }) => turn);
  }

  #around(named: Turn | undefined): readonly Turn[] {
    return named ? this.#byDistance(named).slice(0, 3) : [];
  }

  #alike = (turn: Turn, quote: string): string | undefined => {
    const wanted = plainOf(quote).text.trim();
    const plain = this.#plainOf(turn);
    const at = wanted === '' ? -1 : plain.text.indexOf(wanted);
    return at < 0 ? undefined : sliceOf(turn, plain, at, at + wanted.length);
  };

  #inexactly = (turn: Turn, quote: string): string | undefined => {
    const wanted = wordsIn(plainOf(quote).text);
    if (wanted.length < LEAST_QUOTED || wanted.length > MOST_QUOTED) return undefined;
    const plain = this.#plainOf(turn);
    const words = wordsIn(plain.text, MOST_WORDS);
    const best = nearest(
      wanted.map(({ word }) => word),
      words.map(({ word }) => word),
    );
    if (best === undefined || best.different > wanted.length * MOST_DIFFERENT) return undefined;
    const found = words.slice(best.start, best.end);
    const isSame = weightyIn(found).join(' ') === weightyIn(wanted).join(' ');
    const last = found.at(-1);
    return isSame && found[0] && last
      ? sliceOf(turn, plain, found[0].at, last.at + last.word.length)
      : undefined;
  };

  #plainOf(turn: Turn): Plain {
    const plain = this.#plain.get(turn) ?? plainOf(turn.text);
    this.#plain.set(turn, plain);
    return plain;
  }
}

/** The evidence that a quote of a turn is. */
export function evidenceIn(
  { line, id, time, role, speaker, conversation }: Turn,
  quote: string,
  isVerified: boolean,
): Evidence {
  return {
    line,
    id,
    time,
    role,
    speaker,
    conversation,
    quote: cutHead(quote.toWellFormed(), LONGEST_QUOTE),
    isVerified,
  };
}

function exactly(turn: Turn, quote: string): string | undefined {
  return turn.text.includes(quote) ? quote : undefined;
}

/** A text as quotes are compared, and where each of its code units came from. */
interface Plain {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const SPACES = /^\s+$/;
const UNSEEN = /^(?:\p{Default_Ignorable_Code_Point}|[*`])$/u;
const SIGNS: ReadonlyMap<string, string> = new Map(
  [
    ['"', '“”„‟«»″'],
    ["'", '‘’‚‛‹›′´'],
    ['-', '‐‑‒–—―−'],
  ].flatMap(([plain = '', variants = '']) => [...variants].map((variant) => [variant, plain] as const)),
);

/** Compatibility decomposition in lower case, one space for any white space, one form of quotes and dashes, no emphasis. */
function plainOf(text: string): Plain {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let last = '';
  for (const { 0: part, index } of text.matchAll(/\s+|[\s\S]/gu)) {
    const letters = SPACES.test(part)
      ? ' '
      : UNSEEN.test(part)
        ? ''
        : (SIGNS.get(part) ?? part.normalize('NFKD').toLowerCase());
    if (letters === ' ' && last === ' ') continue;
    parts.push(letters);
    for (let unit = 0; unit < letters.length; unit++) {
      starts.push(index);
      ends.push(index + part.length);
    }
    last = letters || last;
  }
  return { text: parts.join(''), starts, ends };
}

function sliceOf(turn: Turn, { starts, ends }: Plain, start: number, end: number): string {
  return turn.text.slice(starts[start], ends[end - 1]);
}

interface Word {
  readonly word: string;
  readonly at: number;
}

function wordsIn(text: string, most = MOST_QUOTED + 1): Word[] {
  const words: Word[] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (words.length === most) break;
    words.push({ word, at: index });
  }
  return words;
}

/** Words that turn a sentence into another one when they come or go: numbers and negations. */
function weightyIn(words: readonly Word[]): string[] {
  return words.map(({ word }) => word).filter((word) => WEIGHTY.test(word));
}

const WEIGHTY =
  /\p{N}|^(?:no|not|never|none|nothing|without|cannot|t|kein\p{L}*|nicht|nie|niemals|ohne|ne|n|pas|jamais|sans|nunca|sin)$/u;

/** The stretch of words that has the fewest words inserted, left out or changed (Sellers, 1980); the first of such. */
function nearest(
  wanted: readonly string[],
  words: readonly string[],
): { start: number; end: number; different: number } | undefined {
  let column = wanted.map((_, index) => ({ cost: index + 1, start: 0 }));
  let best: { start: number; end: number; different: number } | undefined;
  words.forEach((word, at) => {
    let diagonal = { cost: 0, start: at };
    let above = { cost: 0, start: at + 1 };
    column = column.map((left, index) => {
      const cell = [
        { cost: diagonal.cost + (wanted[index] === word ? 0 : 1), start: diagonal.start },
        { cost: left.cost + 1, start: left.start },
        { cost: above.cost + 1, start: above.start },
      ].reduce((one, other) => (other.cost < one.cost ? other : one));
      diagonal = left;
      above = cell;
      return cell;
    });
    const end = column.at(-1);
    if (end && end.start <= at && (best === undefined || end.cost < best.different)) {
      best = { start: end.start, end: at + 1, different: end.cost };
    }
  });
  return best;
}
