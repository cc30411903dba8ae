/**
 * A JSON value as it can be held in bounded memory: plain, but that a text, a list or an object too large to hold is
 * told by its ends and its size. Objects have no prototype, so that every key is a key.
 */
export type Held =
  | null
  | boolean
  | number
  | string
  | RawNumber
  | LongText
  | Held[]
  | LongList
  | HeldObject
  | LongObject;

export interface HeldObject {
  [key: string]: Held;
}

/** A number that JavaScript can't write as it was written (`1.0`, 20 digits): its text. */
export class RawNumber {
  readonly raw: string;

  constructor(raw: string) {
    this.raw = raw;
  }
}

/** A line of a long text that a reader looks for first: an error, a failure, an exception; or of its stack trace. */
export interface NotableLine {
  /** From 1. */
  readonly line: number;
  /** Where the line starts, in characters and in bytes of UTF-8, from 0. */
  readonly at: number;
  readonly byte: number;
  /** Without its end, shortened if it is very long. */
  readonly text: string;
  /**
   * How soon it is to be shown, the least first: 0 for what ends a program, 1 for an error, 2 and 3 for those that
   * differ from one before in numbers only. Of a stack trace the place in which its lines are to be shown.
   */
  readonly rank: number;
  /** Of a stack trace the number of the line that it belongs to. */
  readonly of?: number;
}

/** A string of which only the ends are held. */
export class LongText {
  /** In UTF-16 code units. */
  readonly chars: number;
  /** In UTF-8; a lone surrogate counts three. */
  readonly bytes: number;
  /** Lines: newlines, and one more if the text doesn't end in one. */
  readonly lines: number;
  /** The first and the last characters; they don't overlap, and neither splits a surrogate pair. */
  readonly head: string;
  readonly tail: string;
  /** What the string would take as a JSON string literal, quotes included, in UTF-16 code units. */
  readonly escapedChars: number;
  /** Whether every character is of base64's alphabet (RFC 4648, section 4), padding and length right. */
  readonly isBase64: boolean;
  /** Whether every character is of base64url's alphabet (section 5), the length right; padding may be missing. */
  readonly isBase64Url: boolean;
  /** The text as JSON, if the whole of it is an object, an array or a string. */
  readonly json: Held | undefined;
  /** Some of the first and the last notable lines of each rank, and of their stack traces, in order. */
  readonly notable: readonly NotableLine[];
  /** The same for the same JSON, however it is written and however much of it is held; see `fingerprintOf`. */
  readonly fingerprint: string;
  /** The name of the part that keeps the whole, once it is kept. */
  part: string | undefined;

  constructor(facts: Omit<LongText, 'part'> & { part?: string | undefined }) {
    this.chars = facts.chars;
    this.bytes = facts.bytes;
    this.lines = facts.lines;
    this.head = facts.head;
    this.tail = facts.tail;
    this.escapedChars = facts.escapedChars;
    this.isBase64 = facts.isBase64;
    this.isBase64Url = facts.isBase64Url;
    this.json = facts.json;
    this.notable = facts.notable;
    this.fingerprint = facts.fingerprint;
    this.part = facts.part;
  }
}

/** A container of which only the ends are held. */
class Long<Member> {
  readonly first: readonly Member[];
  readonly last: readonly Member[];
  /** How many members there are in all: of an object entries, each time a key stands there. */
  readonly count: number;
  /** What the whole takes as JSON as it was written, in bytes and in UTF-16 code units. */
  readonly bytes: number;
  readonly chars: number;
  /** The same for the same JSON, however it is written and however much of it is held; see `fingerprintOf`. */
  readonly fingerprint: string;

  constructor(
    first: readonly Member[],
    last: readonly Member[],
    count: number,
    size: { readonly bytes: number; readonly chars: number },
    fingerprint: string,
  ) {
    this.first = first;
    this.last = last;
    this.count = count;
    this.bytes = size.bytes;
    this.chars = size.chars;
    this.fingerprint = fingerprint;
  }
}

/** An array of which only the ends are held. */
export class LongList extends Long<Held> {}

/** An object of which only the first and the last entries are held. */
export class LongObject extends Long<Entry> {}

export type Entry = readonly [key: string, value: Held];

/** Whether a value is an object that is held whole. */
export function isHeldObject(value: unknown): value is HeldObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LongText) &&
    !(value instanceof Long) &&
    !(value instanceof RawNumber)
  );
}
