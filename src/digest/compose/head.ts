import type { Budget } from '../../measure/budget.ts';
import { shorten } from '../content/words.ts';
import type { Head, Renderer } from '../render/document.ts';
import type { Subject } from './draft.ts';
import { seenIn, tally } from './ledger.ts';
import { NO_README, overview } from './overview.ts';

/** A head as it stands in the document. */
export interface WrittenHead {
  readonly text: string;
  /** Its length but for what depends on the way the source was reached: name, address and host. */
  readonly fixed: number;
}

const NOWHERE = { kind: 'folder', name: '' } as const;
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
    seen: seenIn(listing),
    overview: hasReadme ? undefined : overview(listing.entries, sifted.candidates),
  };
}

/** The head with less and less of what it can do without, the shortest last. */
export function writeHeads(head: Head, renderer: Renderer): WrittenHead[] {
  return shorterHeads(head).map((shorter) => ({
    text: renderer.head(shorter),
    fixed: renderer.head({ ...shorter, source: NOWHERE }).length,
  }));
}

function shorterHeads(head: Head): Head[] {
  const brief = { ...head, overview: head.overview && NO_README };
  const plain = { ...brief, description: undefined, languages: [], budget: undefined };
  const { url: _, host: __, ...source } = head.source;
  return [head, brief, plain, { ...plain, source }];
}
