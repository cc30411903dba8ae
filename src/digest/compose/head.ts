import type { Budget } from '../../measure/budget.ts';
import { group, shorten } from '../../text/words.ts';
import type { ChangeTally, Head, Renderer } from '../render/document.ts';
import type { Changes } from '../types.ts';
import type { Subject } from './draft.ts';
import { seenIn, tally } from './ledger.ts';
import { NO_README, overview } from './overview.ts';

/** A head as it may stand in the document. */
export interface WrittenHead {
  /** With all that is told of the way to the source (name, address, host, notes), then with less and less of that. */
  readonly texts: readonly [string, ...string[]];
  /** Without anything of the way. */
  readonly plain: string;
}

const NOWHERE = { kind: 'folder', name: '' } as const;
const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 300;

/** All that the head of a document can tell. */
export function headOf(
  { facts, notes, listing, sifted, ranking, description, changes }: Subject,
  budget: Budget,
): Head {
  const hasReadme = sifted.candidates.some(({ folders, isReadme }) => folders.length === 0 && isReadme);
  return {
    source: { ...facts, name: shorten(facts.name, LONGEST_NAME) },
    notes: notes.map(({ message }) => message),
    description: description && shorten(description, LONGEST_DESCRIPTION),
    changes: changes && tallyChanges(changes),
    deleted: deletedIn(changes),
    ...tally(listing.entries),
    languages: ranking.languages,
    budget,
    seen: seenIn(listing),
    overview: hasReadme ? undefined : overview(listing.entries, sifted.candidates),
  };
}

/** How many files changed, and how. */
export function tallyChanges({ ref, commit, files }: Changes): ChangeTally {
  const counts = { added: 0, modified: 0, deleted: 0 };
  for (const { kind } of files.values()) counts[kind]++;
  return { ref, commit, ...counts };
}

/** The first of the files that are gone, and how many more there are. */
function deletedIn(changes: Changes | undefined): string[] {
  const gone = [...(changes?.files ?? [])].flatMap(([path, { kind }]) => (kind === 'deleted' ? [path] : []));
  const named = gone.slice(0, DELETED_NAMED).map((path) => shorten(path, LONGEST_DELETED));
  if (gone.length > named.length) named.push(`${group(gone.length - named.length)} more`);
  return named;
}

const DELETED_NAMED = 40;
const LONGEST_DELETED = 200;

/** The head with less and less of what it can do without, the shortest last. */
export function writeHeads(head: Head, renderer: Renderer): WrittenHead[] {
  const brief = { ...head, deleted: [], overview: head.overview && NO_README };
  const plain = { ...brief, description: undefined, languages: [], budget: undefined };
  return [head, brief, plain].map((one) => ({
    texts: [renderer.head(one), ...withLess(one).map((less) => renderer.head(less))],
    plain: renderer.head({ ...one, source: NOWHERE, notes: [] }),
  }));
}

/** Less and less of the way to the source. */
function withLess(head: Head): Head[] {
  const { host: _, ...unhosted } = head.source;
  const { url: __, ...bare } = unhosted;
  const unnoted = { ...head, notes: [] };
  return [unnoted, { ...unnoted, source: unhosted }, { ...unnoted, source: bare }];
}
