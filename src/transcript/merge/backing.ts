import type { PlannedFact } from './digest.ts';
import type { LoggedDigest } from './digests.ts';

/** What a digest has for a key. */
export interface Backing {
  readonly digest: LoggedDigest;
  readonly fact: PlannedFact;
}

/** What is said in digests that are in memory, by its key; the newest digest first. */
export function backingsOf(
  digests: readonly LoggedDigest[],
  isWanted: (key: string) => boolean,
): Map<string, Backing[]> {
  const byKey = new Map<string, Backing[]>();
  for (const digest of digests) {
    if (digest.state !== 'done') continue;
    for (const fact of digest.facts) {
      if (!isWanted(fact.key)) continue;
      const known = byKey.get(fact.key);
      if (known) known.push({ digest, fact });
      else byKey.set(fact.key, [{ digest, fact }]);
    }
  }
  return byKey;
}

/** Whether two values in JSON are the same as a text: what a person wrote as a number is said as a text. */
export function isSameText(one: string, other: string): boolean {
  return textOf(one) === textOf(other);
}

function textOf(json: string): string {
  return json.startsWith('"') ? JSON.parse(json) : json;
}
