import type { Part } from '../chunk/chunk.ts';
import type { Taken } from '../take/taken.ts';
import { evidenceIn, Quotes } from './evidence.ts';
import type { Candidate, Evidence, Fact, Refused } from './fact.ts';
import { isInstruction } from './instruction.ts';
import { type Keys, plainKey } from './key.ts';
import { says } from './says.ts';

/**
 * The facts that candidates from one chunk are, in the order of the chunk, each once. They are verified if their turn has
 * the quote and says the value.
 */
export function factsOf(
  candidates: readonly Candidate[],
  parts: readonly Part[],
  keys: Keys,
): { facts: Fact[]; refused: Refused[] } {
  const sources = new Sources(parts);
  const found = new Map<string, { number: number; fact: Fact }>();
  const refused: Refused[] = [];
  for (const candidate of candidates) {
    const evidence = sources.find(candidate);
    if (evidence === undefined) {
      const reason = `"${plainKey(candidate)}": the turn it is from reads like an instruction to the model`;
      refused.push({ candidate, reason });
      continue;
    }
    const { number, ...rest } = evidence;
    const value = String(candidate.value);
    const isVerified = rest.isVerified && sources.says(number, value);
    const { attribute } = candidate;
    const key = keys.of({ subject: subjectOf(candidate, rest), attribute });
    const fact = { key, value, evidence: { ...rest, isVerified } };
    const name = JSON.stringify([fact.key, fact.value, number]);
    if (!found.has(name)) found.set(name, { number, fact });
  }
  const ordered = [...found.values()].sort((one, other) => one.number - other.number);
  return { facts: ordered.map(({ fact }) => fact), refused };
}

/** What models call whoever speaks. */
const SPEAKER = /^(?:(?:the )?(?:user|person|speaker)|I|me)$/i;

/** What a fact is about: whoever speaks by name, if the turn has one. */
function subjectOf({ subject }: Candidate, { role, speaker = 'user' }: Evidence): string {
  return role === 'person' && SPEAKER.test(subject) ? speaker : subject;
}

interface Numbered extends Evidence {
  /** Of the part in its chunk, from 1. */
  readonly number: number;
}

/** Finds where candidates come from. The lines that they name are the numbers that parts have in their chunk. */
class Sources {
  readonly #turns: readonly Taken[];
  readonly #isInstruction: readonly boolean[];
  readonly #all: Quotes;
  readonly #harmless: Quotes;

  constructor(parts: readonly Part[]) {
    const numbered = parts.map(({ turn, text }, at) => ({ ...turn, text, line: at + 1 }));
    this.#turns = parts.map(({ turn }) => turn);
    this.#isInstruction = this.#turns.map(({ text }) => isInstruction(text));
    this.#all = new Quotes(numbered);
    this.#harmless = new Quotes(numbered.filter((_, at) => !this.#isInstruction[at]));
  }

  /** `undefined` if it is only in turns that are shaped like an attempt to instruct the model. */
  find(candidate: Candidate): Numbered | undefined {
    const evidence = this.#all.find(candidate);
    if (evidence === undefined) return undefined;
    if (!this.#isInstruction[evidence.line - 1]) return this.#numbered(evidence);
    const elsewhere = this.#harmless.find({ ...candidate, line: undefined });
    return elsewhere?.isVerified ? this.#numbered(elsewhere) : undefined;
  }

  /** Whether the turn of a part says a value. */
  says(number: number, value: string): boolean {
    const turn = this.#turns[number - 1];
    return turn !== undefined && says(turn, value);
  }

  #numbered({ line: number, quote, isVerified }: Evidence): Numbered | undefined {
    const turn = this.#turns[number - 1];
    return turn && { ...evidenceIn(turn, quote, isVerified), number };
  }
}
