import type { Fact, Refused } from './fact.ts';

/** What rules or a model found in turns. */
export interface Extraction {
  /** In the order of the transcript. */
  readonly facts: readonly Fact[];
  readonly refused: readonly Refused[];
  /** Fingerprints of the turns that were read, which needn't be again. */
  readonly read: readonly string[];
  readonly unread: readonly Unread[];
  readonly chunks: number;
  /** As the server counts; `undefined` if it doesn't tell. */
  readonly tokensIn: number | undefined;
  readonly tokensOut: number | undefined;
  /** Facts that were refused since they hold a secret. */
  readonly secrets: number;
}

/** Turns that could not be read. */
export interface Unread {
  readonly reason: string;
  readonly count: number;
  /** Of the first one. */
  readonly line: number;
}
