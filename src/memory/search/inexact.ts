import type MiniSearch from 'minisearch';
import { wordsOf } from './fold.ts';
import type { Entry, SearchIndex } from './search-index.ts';

/** Where words like those of a query were found, and how well. */
export interface InexactMatch {
  readonly entry: Entry;
  readonly inKey: readonly string[];
  readonly inValue: readonly string[];
  readonly score: number;
}

/** So much of each value is looked at, in UTF-16 code units. */
const LONGEST_VALUE = 2000;

/** More words are not looked for; each takes a walk through all words there are. */
const MOST_WORDS = 32;

/** Shorter words must be as they are; of the others so many characters may differ, and they may go on. */
const SHORTEST_LIKE = 3;
const typosIn = (word: string) => (word.length < 5 ? 1 : 2);

/** Facts are taken in so many at a time; other work comes in between. */
const CHUNK = 1000;

const INDEXES = new WeakMap<SearchIndex, Promise<MiniSearch>>();

/** The facts in which each word stands with a typo in it, or as the start of another one; the best first. */
export async function matchesLike(index: SearchIndex, words: readonly string[]): Promise<InexactMatch[]> {
  if (words.length === 0 || words.length > MOST_WORDS) return [];
  const known = INDEXES.get(index) ?? indexOf(index);
  INDEXES.set(index, known);
  const results = (await known).search(words.join(' '), {
    combineWith: 'AND',
    fuzzy: (word) => word.length >= SHORTEST_LIKE && typosIn(word),
    prefix: (word) => word.length >= SHORTEST_LIKE,
    boost: { key: 3 },
  });
  return results
    .map(({ id, score, match }) => {
      const inField = (field: string) => Object.keys(match).filter((word) => match[word]?.includes(field));
      return {
        id,
        match: { entry: index.entries[id] as Entry, inKey: inField('key'), inValue: inField('value'), score },
      };
    })
    .sort((one, other) => other.match.score - one.match.score || one.id - other.id)
    .map(({ match }) => match);
}

async function indexOf({ entries }: SearchIndex): Promise<MiniSearch> {
  const { default: Index } = await import('minisearch');
  const index = new Index({ fields: ['key', 'value'], tokenize: wordsOf, processTerm: (word) => word });
  const documents = entries.map(({ key, value }, id) => ({ id, key, value: value.slice(0, LONGEST_VALUE) }));
  await index.addAllAsync(documents, { chunkSize: CHUNK });
  return index;
}
