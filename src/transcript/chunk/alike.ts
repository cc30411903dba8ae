import type { Measure } from '../../measure/measure.ts';
import { fold, wordsOf } from '../../memory/search/fold.ts';
import { visibleName } from '../../text/visible.ts';
import { isInstruction } from '../extract/instruction.ts';
import { withoutMarks } from './render.ts';

/** Longer keys aren't shown to a model; in UTF-16 code units. */
const LONGEST_KEY = 100;

/** How many keys are shown at most. */
const MOST_KEYS = 60;

/** Finds the keys that are most like a text. */
export class AlikeKeys {
  readonly #keys: readonly { readonly key: string; readonly words: readonly string[] }[];

  /** @param keys Those that memory has. */
  constructor(keys: Iterable<string>) {
    this.#keys = [...keys].filter(isPlain).map((key) => ({ key, words: wordsIn(key) }));
  }

  /** As many keys as have room, in their own order: all, or those that share the most words with the text. */
  of(text: string, room: number, measure: Measure): string[] {
    if (this.#keys.length === 0) return [];
    const words = new Set(wordsOf(fold(text)));
    const ranked = this.#keys
      .map(({ key, words: own }, at) => ({
        key,
        at,
        share: own.filter((word) => words.has(word)).length / own.length,
      }))
      .sort((one, other) => other.share - one.share || one.at - other.at);
    let left = room;
    const taken = ranked.slice(0, MOST_KEYS).filter(({ key }) => {
      left -= measure(`${key}\n`);
      return left >= 0;
    });
    return taken.sort((one, other) => one.at - other.at).map(({ key }) => key);
  }
}

function isPlain(key: string): boolean {
  return (
    key.length <= LONGEST_KEY &&
    visibleName(key) === key &&
    withoutMarks(key) === key &&
    !isInstruction(key) &&
    wordsIn(key).length > 0
  );
}

function wordsIn(key: string): string[] {
  return wordsOf(fold(key).replaceAll('_', ' '));
}
