import { fold, wordsOf } from '../../memory/search/fold.ts';
import type { Part } from '../chunk/chunk.ts';
import type { Taken } from '../take/taken.ts';
import { evidenceIn, Quotes } from './evidence.ts';
import type { Candidate, Evidence, Fact, Refused } from './fact.ts';
import { isInstruction } from './instruction.ts';
import { type Keys, plainKey } from './key.ts';
import { withDay } from './relative-day.ts';
import { choiceIn } from './rules/choices.ts';
import { attributeOf } from './rules/rule.ts';
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
  const found = new Map<string, Placed>();
  const refused: Refused[] = [];
  for (const candidate of candidates) {
    const evidence = sources.find(candidate);
    if (evidence === undefined) {
      const reason = `"${plainKey(candidate)}": the turn it is from reads like an instruction to the model`;
      refused.push({ candidate, reason });
      continue;
    }
    const said = String(candidate.value);
    const isThere = evidence.isVerified && sources.says(evidence.number, said);
    const elsewhere = isThere ? undefined : sources.findSaid(candidate);
    const { number, ...rest } = elsewhere ?? evidence;
    const isVerified = isThere || elsewhere !== undefined;
    const value = withDay(said, rest.time);
    const attribute = attributeIn(candidate);
    const key = keys.of({ subject: subjectOf(candidate, rest), attribute });
    const fact = { key, value, evidence: { ...rest, isVerified } };
    const name = JSON.stringify([fact.key, fact.value, number]);
    if (!found.has(name)) found.set(name, { number, fact });
  }
  const whole = withLists([...found.values()], (number) => sources.textOf(number));
  const ordered = whole.sort((one, other) => one.number - other.number);
  return { facts: ordered.map(({ fact }) => fact), refused };
}

/** What models call whoever speaks. */
const SPEAKER = /^(?:(?:the )?(?:user|person|speaker)|I|me)$/i;

/** What a fact is about: whoever speaks by name, if the turn has one. */
function subjectOf({ subject }: Candidate, { role, speaker = 'user' }: Evidence): string {
  return role === 'person' && SPEAKER.test(subject) ? speaker : subject;
}

/** What somebody has many of: one takes the place of another only if it is about the same thing. */
const MANY =
  /^(?:(?:decision|to-?do|task|action(?: item)?|reminder|note|preference)s?|entscheidung(?:en)?|aufgaben?|décisions?|tâches?|decision(?:es)?|decisión|tareas?)$/i;

function attributeIn({ attribute, value }: Candidate): string {
  if (!MANY.test(attribute)) return attribute;
  return `${attribute} ${choiceIn(String(value)) ?? attributeOf(String(value))}`;
}

/** A fact, and the number of the part that it is from. */
interface Placed {
  readonly number: number;
  readonly fact: Fact;
}

const SEPARATOR = /^(?:\s*[,;/&+]\s*|,?\s+(?:and|und|et|y|e)\s+)$/i;

/** Values of one key that their turn has in one list are one value, the list as it stands there. */
function withLists(all: readonly Placed[], textOf: (number: number) => string): Placed[] {
  const groups = new Map<string, Placed[]>();
  for (const placed of all) {
    const { key, evidence } = placed.fact;
    const name = JSON.stringify([key, placed.number, evidence.isVerified]);
    groups.set(name, [...(groups.get(name) ?? []), placed]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0 || !first.fact.evidence.isVerified) return group;
    const list = listIn(
      textOf(first.number),
      group.map(({ fact }) => fact.value),
    );
    return list === undefined ? group : [{ ...first, fact: { ...first.fact, value: list } }];
  });
}

function listIn(text: string, values: readonly string[]): string | undefined {
  const places = values
    .map((value) => ({ start: text.indexOf(value), end: text.indexOf(value) + value.length }))
    .sort((one, other) => one.start - other.start);
  const [first, last] = [places[0], places.at(-1)];
  const isList = places.every(
    ({ start }, at) => start >= 0 && (at === 0 || SEPARATOR.test(text.slice(places[at - 1]?.end, start))),
  );
  return isList ? text.slice(first?.start, last?.end) : undefined;
}

interface Numbered extends Evidence {
  /** Of the part in its chunk, from 1. */
  readonly number: number;
}

const wordsIn = (text: string): string[] => wordsOf(fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '));

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

  /** Where somebody says word for word what a fact is about and its value in one line, if it is near the turn that it names. */
  findSaid({ subject, value, line = 0 }: Candidate): Numbered | undefined {
    const about = wordsIn(subject);
    const wanted = wordsIn(String(value));
    if (about.length === 0 || wanted.length === 0) return undefined;
    for (const number of [line, line - 1, line + 1, line - 2, line + 2]) {
      const turn = this.#turns[number - 1];
      if (turn === undefined || this.#isInstruction[number - 1]) continue;
      const quote = turn.text.split('\n').find((text) => {
        const words = wordsIn(text);
        const own = new Set([...words, ...wordsIn(turn.speaker ?? '')]);
        return (
          about.every((word) => own.has(word)) && ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `)
        );
      });
      if (quote !== undefined) return { ...evidenceIn(turn, quote.trim(), true), number };
    }
    return undefined;
  }

  /** Whether the turn of a part says a value. */
  says(number: number, value: string): boolean {
    const turn = this.#turns[number - 1];
    return turn !== undefined && says(turn, value);
  }

  textOf(number: number): string {
    return this.#turns[number - 1]?.text ?? '';
  }

  #numbered({ line: number, quote, isVerified }: Evidence): Numbered | undefined {
    const turn = this.#turns[number - 1];
    return turn && { ...evidenceIn(turn, quote, isVerified), number };
  }
}
