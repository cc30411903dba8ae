import { parseExistingKey, writeKey } from '../../memory/context/keys.ts';
import { within } from '../../memory/journal/history.ts';
import { type Logged, notFound } from '../../memory/memory.ts';
import { type Backing, backingsOf, isSameText } from './backing.ts';
import type { Digests } from './digests.ts';
import { type Standing, standingsOf } from './standing.ts';

/** So much evidence is given. */
const MOST = 100;

/** What a digest has for a key, and what has become of it. */
export interface Evident extends Backing {
  /** Whether its value is the one in memory. */
  readonly isPresent: boolean;
  /** The change that has put something else there since, or taken it away; none if a person did that by hand. */
  readonly changed: Logged | undefined;
}

export interface Why {
  /** As it stands in the file. */
  readonly key: string;
  /** What stands there, a section as well. */
  readonly standing: Standing;
  /** For the key and all keys in it; the newest digest first, and the last line of it. */
  readonly evidence: readonly Evident[];
  /** How much evidence there is in all. */
  readonly total: number;
}

/**
 * What digests of a scope have for a key. Throws `BAD_KEY`, `KEY_NOT_FOUND` if it isn't there and never was said,
 * `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`.
 */
export async function why(key: string, digests: Digests): Promise<Why> {
  const { memory, scope } = digests;
  const segments = parseExistingKey(key);
  const document = await digests.document();
  const known = writeKey(document.resolve(segments));
  const { digests: all } = await digests.read();
  const byKey = backingsOf(all, (one) => within(known, one) !== undefined);
  const { changes } = await memory.changes({ scope });
  const standings = standingsOf(document, changes, new Set([known, ...byKey.keys()]));
  const standing = standings.get(known) as Standing;
  if (standing.present === undefined && byKey.size === 0) {
    throw notFound(key, await memory.nearest(key, scope));
  }
  const places = new Map(all.map((digest, index) => [digest, index]));
  const byAge = ({ digest: one, fact }: Backing, { digest: other, fact: otherFact }: Backing) =>
    (places.get(one) as number) - (places.get(other) as number) ||
    otherFact.evidence.line - fact.evidence.line;
  const backings = [...byKey.values()].flat().sort(byAge);
  const evidence = backings
    .slice(0, MOST)
    .map((one) => evident(one, standings.get(one.fact.key) as Standing));
  return { key: known, standing, evidence, total: backings.length };
}

function evident(backing: Backing, { present, last, isByHand }: Standing): Evident {
  const isPresent = present !== undefined && isSameText(present, backing.fact.value);
  return { ...backing, isPresent, changed: isPresent || isByHand ? undefined : last };
}
