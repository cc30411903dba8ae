import type { Taken } from '../take/taken.ts';
import { evidenceIn } from './evidence.ts';
import type { Extraction } from './extraction.ts';
import { Guard } from './guard.ts';
import { Keys } from './key.ts';
import { factsByRules } from './rules.ts';

/** After so many facts no more turns are read. */
const MOST_FACTS = 5000;

/**
 * What can be found in turns without a model.
 *
 * @param existing Keys that memory has.
 */
export async function extractByRules(
  turns: Iterable<Taken> | AsyncIterable<Taken>,
  existing: Iterable<string>,
): Promise<Extraction> {
  const keys = new Keys(existing);
  const guard = new Guard();
  const read: string[] = [];
  let unread = { reason: `${MOST_FACTS} facts were found before`, count: 0, line: 0 };
  const readable = async function* () {
    for await (const turn of turns) {
      if (guard.facts.length < MOST_FACTS) {
        read.push(turn.fingerprint);
        yield turn;
      } else {
        unread = { ...unread, count: unread.count + 1, line: unread.line || turn.line };
      }
    }
  };
  for await (const found of factsByRules(readable())) {
    const evidence = evidenceIn(found.turn, found.quote, true);
    await guard.add({ key: keys.of(found), value: found.value, evidence });
  }
  return {
    facts: guard.facts,
    refused: guard.refused,
    read,
    unread: unread.count > 0 ? [unread] : [],
    chunks: 0,
    tokensIn: undefined,
    tokensOut: undefined,
    secrets: guard.secrets,
  };
}
