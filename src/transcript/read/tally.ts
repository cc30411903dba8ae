import { visibleName } from '../../text/visible.ts';

/** Why something in a transcript is not read for facts: it is no turn, there was no room for it, or the model failed on it. */
export type Reason =
  | 'unreadable'
  | 'unfinished'
  | 'unknown'
  | 'other'
  | 'hidden'
  | 'injected'
  | 'copy'
  | 'empty'
  | 'too long'
  | 'no room'
  | 'failed';

const LOST: ReadonlySet<Reason> = new Set([
  'failed',
  'no room',
  'unreadable',
  'unfinished',
  'too long',
  'unknown',
]);

/** Whether what was left out may have had facts, other than what is passed over on purpose. */
export function isLost(reason: Reason): boolean {
  return LOST.has(reason);
}

/** So much was left out for one reason. */
export interface LeftOut {
  readonly reason: Reason;
  /** What it is, in the format's own words: the type of a record, for example. */
  readonly what: string;
  readonly count: number;
  /** The line of the first one, from 1. */
  readonly line: number;
}

/** So many kinds of things are told apart; what comes after them is counted as one. */
const MOST_KINDS = 50;
const LONGEST_NAME = 40;

/** Counts what in a transcript doesn't become a turn, so that nothing goes without a word. */
export class Tally {
  readonly #counts = new Map<string, { reason: Reason; what: string; count: number; line: number }>();

  /** Something was left out; `what` names its kind. */
  add(reason: Reason, what: string, line: number): void {
    const name = visibleName(what.slice(0, LONGEST_NAME));
    const known = this.#counts.get(`${reason} ${name}`);
    const isOne = known !== undefined || this.#counts.size < MOST_KINDS;
    const key = isOne ? `${reason} ${name}` : reason;
    const count = known ?? this.#counts.get(key);
    if (count) count.count++;
    else this.#counts.set(key, { reason, what: isOne ? name : '…', count: 1, line });
  }

  /** The most frequent first. */
  all(): LeftOut[] {
    return [...this.#counts.values()].sort((one, other) => other.count - one.count || one.line - other.line);
  }
}
