import { PlimsollError } from '../../errors.ts';
import { checkEntry, readEntries, type WrittenEntry } from './diary.ts';

/** What taking entries into a diary comes to. */
export interface EntryPlan {
  /** Those that aren't there yet, in their order. */
  readonly added: readonly WrittenEntry[];
  readonly refused: readonly { readonly at: string; readonly reason: string }[];
  /** How many are there already. */
  readonly there: number;
}

/** Which of the entries a diary doesn't have; of those that are alike, as many as it has fewer of. */
export function missingEntries(diary: string, entries: readonly WrittenEntry[]): EntryPlan {
  const counts = new Map<string, number>();
  for (const entry of readEntries(diary)) {
    counts.set(identityOf(entry), (counts.get(identityOf(entry)) ?? 0) + 1);
  }
  const added: WrittenEntry[] = [];
  const refused: { at: string; reason: string }[] = [];
  let there = 0;
  for (const entry of entries) {
    const count = counts.get(identityOf(entry)) ?? 0;
    if (count > 0) {
      counts.set(identityOf(entry), count - 1);
      there++;
      continue;
    }
    try {
      checkEntry(entry);
      added.push(entry);
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      refused.push({ at: entry.at, reason: error.message });
    }
  }
  return { added, refused, there };
}

function identityOf({ at, tag = '', text }: WrittenEntry): string {
  return JSON.stringify([at, tag.trim(), text.toWellFormed().replaceAll('\r\n', '\n')]);
}
