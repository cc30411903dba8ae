import { checkCount } from '../checks.ts';
import type { Fact } from '../context/document.ts';
import type { Where } from '../memory.ts';
import { hiddenBy, type Source } from '../sources.ts';
import { compareInexact, type InexactMatch, matchesLike } from './inexact.ts';
import { nearestKeys } from './nearest.ts';
import { readQuery } from './query.ts';
import { compareMatches, type Match, SearchIndex } from './search-index.ts';

/** How many hits are given unless more are asked for, and at most. */
const DEFAULT_HITS = 20;
const MOST_HITS = 1000;

export interface SearchAsked {
  /** How many hits are wanted: 0 to be told only how many there are; more than 1,000 count as 1,000. */
  readonly limit?: number | undefined;
  /** How many hits come before these. */
  readonly from?: number | undefined;
}

/** A fact that was found, or a section that holds none. */
export interface Hit extends Where {
  readonly key: string;
  /** As it is written in the file. */
  readonly json: string;
  /** The words, folded, that were found in the key, and those found only in the value. */
  readonly inKey: readonly string[];
  readonly inValue: readonly string[];
  /** Whether a nearer scope has something else at the key. */
  readonly isHidden: boolean;
}

export interface SearchResult {
  readonly query: string;
  /** The best first. */
  readonly hits: readonly Hit[];
  readonly from: number;
  /** How many match in all. */
  readonly total: number;
  /** Whether the hits hold what was asked for; else they hold words that are like it. */
  readonly isExact: boolean;
  /** If nothing matches exactly, the keys that are most like the query. */
  readonly nearest: readonly string[];
}

type Found = Pick<Match, 'entry' | 'inKey' | 'inValue'>;

/**
 * Searches the keys and values of the sources for what holds every word of a query, whatever the case and the accents, or
 * the query as it is. Where nothing does, for words like these. Throws `BAD_USAGE`.
 */
export async function search(
  sources: readonly Source[],
  query: string,
  { limit = DEFAULT_HITS, from = 0 }: SearchAsked = {},
): Promise<SearchResult> {
  checkCount('limit', limit);
  checkCount('from', from);
  const read = readQuery(query);
  const indexes = sources.map((source) => ({ source, index: SearchIndex.of(source.document) }));
  const exact = indexes
    .flatMap(({ source, index }) => index.matches(read).map((match) => ({ source, match })))
    .sort((one, other) => compareMatches(one.match, other.match));
  const isExact = exact.length > 0;
  const found: { source: Source; match: Found }[] = isExact ? exact : await inexact(indexes, read.words);
  return {
    query,
    hits: found
      .slice(from, from + Math.min(limit, MOST_HITS))
      .map(({ source, match }) => hitOf(sources, source, match)),
    from,
    total: found.length,
    isExact,
    nearest: isExact ? [] : nearestKeys(factsOf(sources), query),
  };
}

/** The keys of the sources that are most like one that isn't there. */
export function nearestIn(sources: readonly Source[], key: string): string[] {
  return nearestKeys(factsOf(sources), key);
}

async function inexact(
  indexes: readonly { source: Source; index: SearchIndex }[],
  words: readonly string[],
): Promise<{ source: Source; match: InexactMatch }[]> {
  const found = await Promise.all(
    indexes.map(async ({ source, index }) =>
      (await matchesLike(index, words)).map((match) => ({ source, match })),
    ),
  );
  return found.flat().sort((one, other) => compareInexact(one.match, other.match));
}

function hitOf(sources: readonly Source[], source: Source, { entry, inKey, inValue }: Found): Hit {
  const { scope, file } = source;
  const { key, json, path } = entry.fact;
  return { scope, file, key, json, inKey, inValue, isHidden: hiddenBy(sources, source, path) !== undefined };
}

function* factsOf(sources: readonly Source[]): Generator<Fact> {
  for (const { document } of sources) yield* document.root.facts({ empty: true });
}
