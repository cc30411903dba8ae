import { unescaped } from '../../json/escapes.ts';
import type { Document, Fact } from '../context/document.ts';
import { fold } from './fold.ts';
import { GRADE, gradeOf } from './grade.ts';
import type { Query } from './query.ts';

/** A fact, or a section that holds none, and its texts as they are compared. */
export interface Entry {
  readonly fact: Fact;
  readonly key: string;
  readonly value: string;
}

/** Where a query was found, and how well. */
export interface Match {
  readonly entry: Entry;
  readonly inKey: readonly string[];
  readonly inValue: readonly string[];
  /** What counts first. */
  readonly tier: number;
  readonly grade: number;
  /** How many characters of the key and the value, where something was found in them, are more than that. */
  readonly rest: number;
  /** How many words are spelled as in the query: twice as many where case counts as well as accents. */
  readonly spelled: number;
}

const TIER = { wholeInKey: 4, formInValue: 3, allInKey: 2, wholeInValue: 1, words: 0 } as const;

const INDEXES = new WeakMap<Document, SearchIndex>();

/** The facts and the empty sections of a document, ready to be searched. */
export class SearchIndex {
  /** In the order of the file. */
  readonly entries: readonly Entry[];

  private constructor(document: Document) {
    const entries: Entry[] = [];
    let section: Fact['section'] | undefined;
    let prefix = '';
    for (const fact of document.root.facts({ empty: true })) {
      if (fact.section !== section) {
        section = fact.section;
        prefix = section.path.map((segment) => `${fold(segment)}.`).join('');
      }
      const { json } = fact;
      const value = json.startsWith('{') ? '' : fold(textOf(json));
      entries.push({ fact, key: prefix + fold(fact.name), value });
    }
    this.entries = entries;
  }

  /** The index of a document; it is made once. */
  static of(document: Document): SearchIndex {
    const index = INDEXES.get(document) ?? new SearchIndex(document);
    INDEXES.set(document, index);
    return index;
  }

  /** The facts that hold every word of a query, in the order of the file. */
  matches(query: Query): Match[] {
    return this.entries.flatMap((entry) => matchOf(entry, query) ?? []);
  }
}

/**
 * Better matches first: the whole query in the key; in the value, if it is more than words; all its words in the key; the
 * whole in the value; the more words in the key. Among these the more exact ones, then those with less beside what was found,
 * and then those with more words spelled as asked.
 */
export function compareMatches(one: Match, other: Match): number {
  return (
    other.tier - one.tier ||
    other.inKey.length - one.inKey.length ||
    other.grade - one.grade ||
    one.rest - other.rest ||
    other.spelled - one.spelled
  );
}

/** A value as it reads: its JSON without quotes around it and with its escapes resolved. */
export function textOf(json: string): string {
  const text = json.startsWith('"') ? json.slice(1, -1) : json;
  return text.includes('\\') ? unescaped(text, () => {}) : text;
}

function matchOf(entry: Entry, query: Query): Match | undefined {
  const { key, value } = entry;
  if (!query.words.every((word) => key.includes(word) || value.includes(word))) return undefined;
  const wholeInKey = gradeOf(key, query.wholeKey, true);
  const wholeInValue = wholeInKey === GRADE.none ? gradeOf(value, query.whole, false) : GRADE.none;
  const isWhole = wholeInKey + wholeInValue > GRADE.none;
  if (query.words.length === 0 && !isWhole) return undefined;
  const inKey: string[] = [];
  const inValue: string[] = [];
  let grade: number = wholeInKey + wholeInValue;
  let found = 0;
  for (const word of query.words.length > 0 ? query.words : [query.whole]) {
    const keyGrade = gradeOf(key, word, true);
    (keyGrade > GRADE.none ? inKey : inValue).push(word);
    grade += keyGrade || gradeOf(value, word, false);
    found += word.length;
  }
  const length = (inKey.length > 0 ? key.length : 0) + (inValue.length > 0 ? value.length : 0);
  const tier = tierOf(query, wholeInKey > GRADE.none, inValue.length === 0, wholeInValue > GRADE.none);
  return { entry, inKey, inValue, tier, grade, rest: length - found, spelled: spelledIn(entry, query) };
}

function spelledIn({ fact }: Entry, { spelled }: Query): number {
  const text = `${fact.key}\n${textOf(fact.json)}`.normalize();
  const lower = text.toLowerCase();
  let count = 0;
  for (const word of spelled) {
    if (text.includes(word)) count++;
    if (lower.includes(word.toLowerCase())) count++;
  }
  return count;
}

function tierOf(query: Query, isWholeInKey: boolean, isAllInKey: boolean, isWholeInValue: boolean): number {
  if (isWholeInKey) return TIER.wholeInKey;
  if (isWholeInValue && query.isForm) return TIER.formInValue;
  if (isAllInKey) return TIER.allInKey;
  return isWholeInValue ? TIER.wholeInValue : TIER.words;
}
