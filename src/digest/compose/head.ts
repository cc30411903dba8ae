import type { Budget } from '../../measure/budget.ts';
import { shorten } from '../content/words.ts';
import type { Head } from '../render/document.ts';
import type { Subject } from './draft.ts';
import { tally } from './ledger.ts';
import { NO_README, overview } from './overview.ts';

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 300;

/** All that the head of a document can tell. */
export function headOf({ facts, listing, sifted, ranking, description }: Subject, budget: Budget): Head {
  const hasReadme = sifted.candidates.some(({ folders, isReadme }) => folders.length === 0 && isReadme);
  return {
    source: { ...facts, name: shorten(facts.name, LONGEST_NAME) },
    description: description && shorten(description, LONGEST_DESCRIPTION),
    ...tally(listing.entries),
    languages: ranking.languages,
    budget,
    overview: hasReadme ? undefined : overview(listing.entries, sifted.candidates),
  };
}

/** The same head with less and less of what it can do without, the shortest last. */
export function shorterHeads(head: Head): Head[] {
  const brief = { ...head, overview: head.overview && NO_README };
  const plain = { ...brief, description: undefined, languages: [], budget: undefined };
  const { url: _, ...source } = head.source;
  return [head, brief, plain, { ...plain, source }];
}
