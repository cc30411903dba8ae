import type { Turn } from '../turn.ts';
import type { Candidate } from './fact.ts';
import { isInstruction } from './instruction.ts';
import { addresses } from './rules/addresses.ts';
import { amounts } from './rules/amounts.ts';
import { commands } from './rules/commands.ts';
import { dates } from './rules/dates.ts';
import { names } from './rules/names.ts';
import type { Found, Rule } from './rules/rule.ts';
import { sentencesOf } from './rules/sentences.ts';
import { REMEMBER, statements } from './rules/statements.ts';
import { versions } from './rules/versions.ts';

/** A candidate, and the turn its quote stands in. */
export interface FoundByRule extends Candidate {
  readonly value: string;
  readonly line: number;
  readonly quote: string;
  readonly turn: Turn;
}

/** Rules for plain statements, which also tell what "remember that" is about. */
const PLAIN: readonly Rule[] = [names, versions, addresses, dates, amounts, commands];
const RULES: readonly Rule[] = [...statements, ...PLAIN];
const AGREEMENTS = RULES.filter((rule) => rule.isAgreement);

/** What a fact about the speaker is about, where a turn has no name. */
const SPEAKER = 'user';

/**
 * What can be found in turns without a model, in their order. Only what persons state outright counts, and what the
 * assistant proposes if the next thing a person says is that they agree. A turn that is shaped like an attempt to instruct
 * a model gives nothing.
 */
export async function* factsByRules(
  turns: Iterable<Turn> | AsyncIterable<Turn>,
): AsyncGenerator<FoundByRule> {
  let proposal: Turn | undefined;
  for await (const turn of turns) {
    if (turn.role === 'assistant') proposal = turn;
    if (turn.role !== 'person') continue;
    if (proposal && isAgreement(turn.text)) yield* foundIn(proposal, AGREEMENTS);
    proposal = undefined;
    yield* foundIn(turn, RULES);
  }
}

function* foundIn(turn: Turn, rules: readonly Rule[]): Generator<FoundByRule> {
  if (isInstruction(turn.text)) return;
  for (const { said, quote } of sentencesOf(turn.text)) {
    for (const found of foundInSentence(said, turn.speaker ?? SPEAKER, rules)) {
      yield { ...found, line: turn.line, quote, turn };
    }
  }
}

/** What a sentence says; of one that says what to remember, what it is, if that can be told. */
function foundInSentence(said: string, speaker: string, rules: readonly Rule[]): Found[] {
  const asked = REMEMBER.exec(said)?.[0];
  const plain = asked ? findAll(said.slice(asked.length), speaker, PLAIN) : [];
  return plain.length > 0 ? plain : findAll(said, speaker, rules);
}

function findAll(said: string, speaker: string, rules: readonly Rule[]): Found[] {
  return rules.flatMap((rule) => [...rule.find(said, speaker)]);
}

/** In UTF-16 code units: whoever says more says more than yes. */
const LONGEST_AGREEMENT = 80;

function isAgreement(text: string): boolean {
  const isShort = text.length <= LONGEST_AGREEMENT && !text.includes('?');
  return isShort && AGREES.test(text.trim()) && !RESERVES.test(text);
}

const AGREES =
  /^(?:yes|yep|yeah|ok(?:ay)?|sure|agreed|exactly|perfect|great|sounds good|do (?:it|that)|go ahead|let['’]s do (?:it|that)|ja|genau|einverstanden|passt|oui|d['’]accord|parfait|sí|vale|de acuerdo)(?![\p{L}\p{N}])/iu;
const RESERVES =
  /(?<!\p{L})(?:but|except|however|instead|not|no|don['’]?t|wait|first|later|aber|nicht|erst|mais|pas|pero|todavía)(?!\p{L})/iu;
