import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import type { Digest } from './digest.ts';
import type { DigestState, Digests, LoggedDigest } from './digests.ts';
import { readWholeLog } from './log.ts';
import { Plans } from './plans.ts';

/** A digest, of which it may be that it was only planned. */
export interface FoundDigest extends Digest, Pick<LoggedDigest, 'change' | 'takenBack' | 'why'> {
  readonly state: DigestState | 'planned';
}

/** The digest of an id: one in the log, or else a plan. Throws `PLAN_NOT_FOUND`, `MEMORY_UNREADABLE`. */
export async function findDigest(id: string, digests: Digests): Promise<FoundDigest> {
  const { digests: all } = await readWholeLog(digests);
  const logged = all.find((digest) => digest.id === id);
  if (logged) return logged;
  const plans = new Plans(digests.folder);
  if (plans.has(id)) return { ...plans.load(id), state: 'planned' };
  throw new PlimsollError(
    'PLAN_NOT_FOUND',
    `There is no digest or dry run "${visibleName(id.slice(0, 40))}"; plimsoll transcript --log lists the digests.`,
  );
}
