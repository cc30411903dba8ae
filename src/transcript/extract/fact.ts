import type { Role } from '../turn.ts';

/** What a rule or a model says is worth keeping. */
export interface Candidate {
  /** What it is about; empty if nobody said. */
  readonly subject: string;
  readonly attribute: string;
  readonly value: string | number | boolean;
  /** The line of the turn it is said in, from 1. */
  readonly line?: number | undefined;
  readonly quote?: string | undefined;
}

/** Where a fact comes from. */
export interface Evidence {
  /** In which line of the file the turn begins, from 1. */
  readonly line: number;
  readonly id?: string | undefined;
  readonly time?: string | undefined;
  readonly role: Role;
  readonly speaker?: string | undefined;
  /** Which conversation of the file it is said in, where that holds several. */
  readonly conversation?: string | undefined;
  /** As the turn has it, if it stands there; else as it was given. */
  readonly quote: string;
  /** Whether the quote stands in the turn. */
  readonly isVerified: boolean;
}

export interface Fact {
  /** A dot path that `parseKey` accepts. */
  readonly key: string;
  readonly value: string;
  readonly evidence: Evidence;
}

/** A candidate that becomes no fact. */
export interface Refused {
  readonly candidate: unknown;
  /** One line that names the key. */
  readonly reason: string;
}
