import type { Role, Turn } from '../turn.ts';

/** A turn that is read for facts: without control characters, long ones without their middle, secrets masked. */
export interface Taken extends Turn {
  /**
   * What the turn is known by to later digests: 12 characters of base64url of a SHA-256 over its id, role, time, speaker and
   * text as read, and, without an id and a time, how many equal turns come before it.
   */
  readonly fingerprint: string;
}

/** What was taken of a transcript, and what wasn't. */
export interface Taking {
  /** In the order of the file. */
  readonly turns: readonly Taken[];
  readonly counts: TakingCounts;
  /** Turns left out for want of room, by role; later digests take them. */
  readonly leftOut: readonly NoRoom[];
  /** The line of the first injected turn; 0 if there is none. */
  readonly injectedLine: number;
}

export interface TakingCounts {
  /** All turns of the transcript: those taken, those left out, those known and those injected. */
  readonly read: number;
  /** Turns that were digested before. */
  readonly known: number;
  /** Turns that are only what clients put in, or only what memory recalled: these are never taken. */
  readonly injected: number;
  /** Taken turns without their middle. */
  readonly cut: number;
  /** Secrets masked in taken turns. */
  readonly secrets: number;
}

export interface NoRoom {
  readonly role: Role;
  readonly count: number;
  /** Of the first one. */
  readonly line: number;
}
