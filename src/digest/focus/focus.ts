import type { Candidate } from '../rank/candidate.ts';
import { namesIn, termsOf, termsOfQuestion } from './words.ts';

/** What a file has to do with a question. */
export interface Relevance {
  /** From 0 to 1, which the best file has. */
  readonly share: number;
  /** From 0, for the best. */
  readonly place: number;
  /** The terms that tell most, of those that the file has. */
  readonly terms: readonly string[];
}

/** How well files and their lines answer a question. */
export interface Focus {
  readonly relevanceOf: (file: Candidate) => Relevance | undefined;
  /** What a line has to do with the question: 0 for nothing. */
  readonly lineScore: (line: string) => number;
}

/** BM25: how soon more of the same says no more, and how much a long file needs more of it. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.6;
/** A term in a file's path counts as so many in its text. */
const IN_PATH = 6;
/** A question that says a term more often means it more, up to so often. */
const MOST_SAID = 2;
/** Terms that are named as the reason. */
const TERMS_NAMED = 4;

interface Counted {
  readonly file: Candidate;
  readonly counts: ReadonlyMap<number, number>;
  readonly length: number;
}

/** Ranks files by a question's terms in their paths and texts, by Okapi BM25 (Robertson and Zaragoza, 2009). */
export class FocusFinder {
  readonly #asked: ReadonlyMap<string, number>;
  readonly #found: (name: string) => readonly number[];
  readonly #weightOf: (file: Candidate) => number;
  readonly #counted: Counted[] = [];
  readonly #filesWith: Float64Array;
  #total = 0;

  /** @param weightOf by what a file's score is multiplied, for what kind of file it is */
  constructor(question: string, weightOf: (file: Candidate) => number) {
    this.#asked = termsOfQuestion(question);
    this.#weightOf = weightOf;
    this.#found = termFinder(new Map([...this.#asked.keys()].map((term, id) => [term, id])));
    this.#filesWith = new Float64Array(this.#asked.size);
  }

  /** Reads a file. What is added in another order is ranked the same, but for files that answer equally well. */
  add(file: Candidate, text: string): void {
    const counts = new Map<number, number>();
    for (const [name] of namesIn(file.entry.path))
      for (const id of this.#found(name)) counts.set(id, (counts.get(id) ?? 0) + IN_PATH);
    let length = 0;
    for (const [name] of namesIn(text)) {
      length++;
      for (const id of this.#found(name)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const id of counts.keys()) this.#filesWith[id] = (this.#filesWith[id] as number) + 1;
    this.#counted.push({ file, counts, length });
    this.#total += length;
  }

  /** How what was added answers the question. */
  finish(): Focus {
    const all = this.#counted.length;
    const terms = [...this.#asked].map(([term, said], id) => {
      const others = this.#filesWith[id] as number;
      const rarity = Math.log(1 + (all - others + 0.5) / (others + 0.5));
      return { term, weight: Math.min(said, MOST_SAID) * rarity };
    });
    const weightAt = (id: number): number => terms[id]?.weight ?? 0;
    const average = this.#total / Math.max(1, all);
    const scored = this.#counted
      .filter(({ counts }) => counts.size > 0)
      .map(({ file, counts, length }) => {
        const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average);
        let score = 0;
        for (const [id, count] of counts) score += (weightAt(id) * count * (SATURATION + 1)) / (count + norm);
        return { file, counts, score: score * this.#weightOf(file) };
      })
      .sort((a, b) => b.score - a.score);

    const best = scored[0]?.score ?? 0;
    const relevance = new Map(
      scored.map(({ file, counts, score }, place) => [file, { place, share: score / best, counts }]),
    );
    return {
      relevanceOf: (file) => {
        const own = relevance.get(file);
        if (!own) return undefined;
        const named = [...own.counts.keys()]
          .map((id) => terms[id] as { term: string; weight: number })
          .sort((a, b) => b.weight - a.weight)
          .slice(0, TERMS_NAMED)
          .map(({ term }) => term.replace(/^=/, ''));
        return { share: own.share, place: own.place, terms: named };
      },
      lineScore: (line) => {
        const seen = new Set<number>();
        for (const [name] of namesIn(line)) for (const id of this.#found(name)) seen.add(id);
        let score = 0;
        for (const id of seen) score += weightAt(id);
        return score;
      },
    };
  }
}

const NONE: readonly number[] = [];

/** Which of the terms a name has. Names repeat, so that each is taken apart once. */
function termFinder(ids: ReadonlyMap<string, number>): (name: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (name) => {
    let found = known.get(name);
    if (!found) {
      const own = termsOf(name).flatMap((term) => ids.get(term) ?? []);
      found = own.length === 0 ? NONE : own;
      known.set(name, found);
    }
    return found;
  };
}
