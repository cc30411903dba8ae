import { createHash } from 'node:crypto';
import type { Selection } from '../sieve/select.ts';
import type { Changes, Entry, History, Listing, Source } from '../types.ts';

/** All that a digest is made of. */
export interface Ingredients {
  readonly source: Source;
  readonly listing: Listing;
  readonly history: History | undefined;
  readonly changes: Changes | undefined;
  readonly selection: Selection;
  /** What was asked for, as JSON can say it. */
  readonly asked: unknown;
}

/**
 * A name for a digest, in hexadecimal digits: what has the same is the same. `undefined` where the contents of a file have none,
 * since it was changed just now.
 */
export function keyOf({
  source,
  listing,
  history,
  changes,
  selection,
  asked,
}: Ingredients): string | undefined {
  const { entries, attributesOf, complete, warnings } = listing;
  const { facts, askedFor, notes } = source;
  const changed = changes && [changes.ref, changes.commit, [...changes.files], changes.warnings];
  const common = [asked, facts, askedFor, notes, complete, warnings, changed, history?.commits];
  const hash = createHash('sha256').update(JSON.stringify(common));
  for (const entry of entries) {
    const { path } = entry;
    const id = source.contentId(entry);
    if (id === undefined && isRead(entry)) return undefined;
    const own = [entry, id, attributesOf(path), selection.wanted(path), selection.named(path)];
    hash.update(JSON.stringify([...own, history?.files.get(path)]));
  }
  return hash.digest('hex');
}

function isRead({ kind, omit }: Entry): boolean {
  return kind === 'file' && omit === undefined;
}
