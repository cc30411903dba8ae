import { shrink } from '../../bound/data/shrink.ts';
import type { Gap, Words } from '../../bound/types.ts';
import type { Held } from '../../json/held.ts';
import { stringify } from '../../json/stringify.ts';
import { jsonCost } from './room.ts';

const WORDS: Words = {
  notice: () => '[Plimsoll: shortened to fit; select a part of it]',
  marker: brief,
  brief,
};

function brief({ unit, from, to, chars, of }: Gap): string {
  if (unit === 'chars') return `[… ${chars} characters left out …]`;
  return `[… ${unit} ${from} to ${to} of ${of} left out …]`;
}

/**
 * JSON of a value that takes at most `room` within a JSON string, shortened where it has to be, which it says then; 60
 * are always enough.
 */
export function fittedJson(value: Held, room: number): { json: string; isShortened: boolean } {
  const shorter = shrink(value, room, { words: WORDS, cost: jsonCost });
  if (!shorter) return { json: JSON.stringify('[… left out: no room …]'), isShortened: true };
  return { json: stringify(shorter.value), isShortened: shorter.gaps.length > 0 };
}

/** A list's items from one on, as many as there is room for; the first one is shortened if it has to be. */
export class Items {
  /** How many there are in all. */
  count = 0;
  isShortened = false;
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

  /** Whether the next item, which counts from then on, is shown if there is room. */
  wantsNext(): boolean {
    const index = this.count++;
    return index >= this.from && !this.#isFull && this.#shown.length < this.#most;
  }

  /** Takes an item that is wanted. */
  add(item: Held): void {
    const separator = jsonCost(',\n');
    const { json, isShortened } = fittedJson(item, this.#room - separator);
    this.#isFull = isShortened;
    if (isShortened && this.#shown.length > 0) return;
    this.isShortened = isShortened;
    this.#room -= jsonCost(json) + separator;
    this.#shown.push(json);
  }

  toString(): string {
    return this.#shown.length === 0 ? '[]' : `[\n${this.#shown.join(',\n')}\n]`;
  }
}
