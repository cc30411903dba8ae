import type MiniSearch from 'minisearch';
import { wordsOf } from './fold.ts';
import { GRADE, gradeOf } from './grade.ts';
import { distance } from './nearest.ts';
import type { Entry, SearchIndex } from './search-index.ts';

/** Where words like those of a query were found, and how well. */
export interface InexactMatch {
  readonly entry: Entry;
  readonly inKey: readonly string[];
  readonly inValue: readonly string[];
  /** By how many characters the words differ from those of the query, in all. */
  readonly typos: number;
  readonly grade: number;
}

/** So much of each value is looked at for words, in UTF-16 code units; and so many different words are known. */
const LONGEST_VALUE = 2000;
const MOST_KNOWN = 300_000;

/** More words of a query are not looked for; of each so many that are like it, the most like it. */
const MOST_WORDS = 32;
const MOST_LIKE = 20;

/** Shorter words must be as they are; of the others so many characters may differ. */
const SHORTEST_LIKE = 3;
const typosIn = (word: string) => (word.length < 5 ? 1 : 2);

/** So many facts or words are taken at a time; other work comes in between. */
const CHUNK = 1000;

/** The different words of an index, each of them a document whose id it is. */
type Words = MiniSearch<{ readonly id: string }>;

const WORDS = new WeakMap<SearchIndex, Promise<Words>>();

/**
 * The facts in which each word stands, or one that is like it, the best first. Each of the different words there are is
 * compared once, however many facts it is in.
 */
export async function matchesLike(index: SearchIndex, words: readonly string[]): Promise<InexactMatch[]> {
  if (words.length === 0 || words.length > MOST_WORDS) return [];
  const known = WORDS.get(index) ?? knownWords(index);
  WORDS.set(index, known);
  const all = await known;
  const wanted = words.map((word) => [{ word, typos: 0 }, ...likeIn(all, word)]);
  return index.entries.flatMap((entry) => matchOf(entry, wanted) ?? []).sort(compareInexact);
}

/** Fewer typos first, then more words in the key, then the more exact ones. */
export function compareInexact(one: InexactMatch, other: InexactMatch): number {
  return one.typos - other.typos || other.inKey.length - one.inKey.length || other.grade - one.grade;
}

interface Like {
  readonly word: string;
  readonly typos: number;
}

/** The words that are like one, the most like it first. */
function likeIn(all: Words, word: string): Like[] {
  if (word.length < SHORTEST_LIKE) return [];
  return all
    .search(word, { fuzzy: typosIn(word) })
    .slice(0, MOST_LIKE)
    .map(({ id }) => ({ word: id, typos: distance(word, id) }))
    .sort((one, other) => one.typos - other.typos);
}

function matchOf(entry: Entry, wanted: readonly (readonly Like[])[]): InexactMatch | undefined {
  const inKey: string[] = [];
  const inValue: string[] = [];
  const sum = { typos: 0, grade: 0 };
  for (const likes of wanted) {
    const found = firstIn(entry, likes);
    if (!found) return undefined;
    (found.isKey ? inKey : inValue).push(found.word);
    sum.typos += found.typos;
    sum.grade += found.grade;
  }
  return { entry, inKey, inValue, ...sum };
}

/** The first of the words that is in a fact: as any part of it if it is as asked, otherwise as a word. */
function firstIn({ key, value }: Entry, likes: readonly Like[]) {
  for (const { word, typos } of likes) {
    const least = typos === 0 ? GRADE.within : GRADE.word;
    const inKey = gradeOf(key, word, true);
    if (inKey >= least) return { word, typos, isKey: true, grade: inKey };
    const inValue = gradeOf(value, word, false);
    if (inValue >= least) return { word, typos, isKey: false, grade: inValue };
  }
  return undefined;
}

async function knownWords({ entries }: SearchIndex): Promise<Words> {
  const { default: Index } = await import('minisearch');
  const known = new Set<string>();
  for (let at = 0; at < entries.length && known.size < MOST_KNOWN; at++) {
    const { key, value } = entries[at] as Entry;
    for (const word of wordsOf(key)) known.add(word);
    for (const word of wordsOf(value.slice(0, LONGEST_VALUE))) known.add(word);
    if (at % CHUNK === CHUNK - 1) await new Promise(setImmediate);
  }
  const words: Words = new Index({
    fields: ['id'],
    tokenize: (word) => [word],
    processTerm: (word) => word,
  });
  await words.addAllAsync(
    Array.from(known, (id) => ({ id })),
    { chunkSize: CHUNK },
  );
  return words;
}
