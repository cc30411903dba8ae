import { shrink } from '../bound/data/shrink.ts';
import type { Gap, Words } from '../bound/types.ts';
import type { Held } from '../json/held.ts';
import { stringify } from '../json/stringify.ts';
import { jsonCost } from './room.ts';

const WORDS: Words = {
  notice: () => '[Plimsoll: shortened to fit; select a part of it]',
  marker: brief,
  further: brief,
  brief,
};

function brief({ unit, from, to, chars, of }: Gap): string {
  if (unit === 'chars') return `[… ${chars} characters left out …]`;
  return `[… ${unit} ${from} to ${to - 1} of ${of} left out …]`;
}

/** What stands for a key that has no room. */
const SOME_KEY = `${JSON.stringify('…')}:`;

/** The least room in which a value can be shown. */
const LEAST = 60;

/** JSON of a value, and what is missing in it; undefined if it isn't shown at all. */
export interface Fitted {
  readonly json: string;
  readonly gaps: readonly Gap[] | undefined;
}

const NOTHING: Fitted = { json: JSON.stringify('[… left out: no room …]'), gaps: undefined };

/**
 * JSON of a value that takes at most `room` within a JSON string, shortened where it has to be, which it says then; 60
 * are always enough.
 */
export function fittedJson(value: Held, room: number): Fitted {
  const shorter = shrink(value, room, { words: WORDS, cost: jsonCost });
  return shorter ? { json: stringify(shorter.value), gaps: shorter.gaps } : NOTHING;
}

/** The members of a list or an object from one on, as many as there is room for; the first is shortened if it has to be. */
export class Items {
  /** How many there are in all. */
  count = 0;
  readonly from: number;
  readonly #most: number;
  #room: number;
  readonly #shown: string[] = [];
  #isFull = false;

  constructor(from: number, most: number, room: number) {
    this.from = from;
    this.#most = most;
    this.#room = room - jsonCost('[\n\n]');
  }

  get to(): number {
    return this.from + this.#shown.length;
  }

  get room(): number {
    return this.#room;
  }

  /** Whether the next member, which counts from then on, is shown if there is room. */
  wantsNext(): boolean {
    const index = this.count++;
    return index >= this.from && !this.#isFull && this.#shown.length < this.#most;
  }

  /** Takes a member that is wanted, and gives it as it is shown; undefined if it is whole, or not shown. */
  add(value: Held, key?: string): Fitted | undefined {
    const name = key === undefined ? '' : `${JSON.stringify(key)}:`;
    const room = this.#room - jsonCost(`,\n${name}`);
    const fitted = fittedJson(value, room);
    const isWhole = fitted.gaps?.length === 0;
    this.#isFull = !isWhole;
    if (!isWhole && this.#shown.length > 0) return undefined;
    const hasRoom = isWhole || room >= LEAST;
    this.#show(hasRoom ? name + fitted.json : SOME_KEY + NOTHING.json);
    if (isWhole) return undefined;
    return hasRoom ? fitted : NOTHING;
  }

  #show(json: string): void {
    this.#room -= jsonCost(`${json},\n`);
    this.#shown.push(json);
  }

  /** The members, in brackets of a list or of an object. */
  toString(brackets: '[]' | '{}' = '[]'): string {
    const [open, close] = brackets;
    return this.#shown.length === 0 ? brackets : `${open}\n${this.#shown.join(',\n')}\n${close}`;
  }
}
