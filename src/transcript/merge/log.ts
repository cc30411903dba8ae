import { checkCount } from '../../memory/check-count.ts';
import type { DigestLog, Digests } from './digests.ts';

/** The digests of a scope, newest first; all unless `last` says how many. Throws `BAD_USAGE`, `MEMORY_UNREADABLE`. */
export async function readDigestLog(
  digests: Digests,
  { last }: { readonly last?: number | undefined } = {},
): Promise<DigestLog> {
  if (last !== undefined) checkCount('last', last);
  return digests.read(last);
}

/** The fingerprints of all turns that digests in memory have read by the same means. Throws `MEMORY_UNREADABLE`. */
export async function knownTurns(digests: Digests, by: string): Promise<Set<string>> {
  const { digests: all } = await digests.read();
  const own = all.filter((digest) => digest.state === 'done' && digest.by === by);
  return new Set(own.flatMap(({ turns }) => turns));
}
