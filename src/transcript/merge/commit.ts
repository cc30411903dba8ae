import type { DoneMany, Memory } from '../../memory/memory.ts';
import type { Digest } from './digest.ts';
import { causeOf, type Digests, unstoredOf, withUnstored } from './digests.ts';
import { valuesOf } from './plan.ts';
import { takenBackIn } from './standing.ts';

/** What a digest has done to memory. */
export interface Committed extends Pick<DoneMany, 'done' | 'refused'> {
  /** Facts that memory refused are doubts in it. */
  readonly digest: Digest;
  /** The number to undo it with; none if nothing changed. */
  readonly change: number | undefined;
  /** Whether that was done before, so that nothing was now. */
  readonly isRepeated: boolean;
  /** The change that has taken it back since, of one that was done before. */
  readonly takenBack?: number | undefined;
}

/**
 * Puts into memory what a digest plans, in one change, and the digest into the log. A fact is refused whose key holds
 * something else by now than it did when it was planned, unless that is what it says. Whenever this stops, memory is as it was or as it is to be, and
 * the log comes to say which. Throws as `Memory.setMany` does.
 */
export async function commit(digest: Digest, memory: Memory, digests: Digests): Promise<Committed> {
  const { id, facts } = digest;
  return digests.alone(async (all) => {
    const earlier = all.find((one) => one.id === id && one.state === 'done');
    if (earlier) {
      const { change } = earlier;
      const { changes } = await memory.changes({ scope: digests.scope });
      const takenBack = change === undefined ? undefined : takenBackIn(changes).get(change);
      return { digest: earlier, change, done: [], refused: [], isRepeated: true, takenBack };
    }
    digests.begin(digest);
    try {
      const why = causeOf(id);
      const made = await memory.setMany(valuesOf(facts), { scope: digests.scope, why });
      const unstored = unstoredOf(made.refused, facts, await digests.document());
      digests.finish(id, made.change, unstored);
      return {
        digest: withUnstored(digest, unstored),
        change: made.change,
        done: made.done,
        refused: unstored.refused,
        isRepeated: false,
      };
    } catch (error) {
      await digests.settle().catch(() => {});
      throw error;
    }
  });
}
