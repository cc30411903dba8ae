/** A stretch that was left out of a text or a list, in the units a reader may ask for it. */
export interface Gap {
  /** The part that keeps the whole of it. */
  readonly part?: string | undefined;
  /** In data: the JSON pointer (RFC 6901) of the string, the list or the object that it is in, from the data on. */
  readonly at?: string | undefined;
  /** Where the string there is JSON itself: the pointer from the root of that JSON on. */
  readonly within?: string | undefined;
  /** The first that is missing, in `unit`, from 0. */
  readonly from: number;
  /** The first that is shown again: the end isn't included. */
  readonly to: number;
  readonly unit: 'chars' | 'items' | 'entries';
  /** What is missing; zero where it isn't known. */
  readonly chars: number;
  readonly bytes: number;
  /** Lines that are missing whole or in part, and where, from 1, `to` not included; undefined for lists. */
  readonly lines?: { readonly from: number; readonly to: number; readonly count: number } | undefined;
  /** How many there are in all, in `unit`. */
  readonly of: number;
}

/** What is said where something is missing. The same gap always gives the same words. */
export interface Words {
  /** One line for the very start of what was cut: what is missing in all, and where the whole is. Ends in no newline. */
  notice(gaps: readonly Gap[]): string;
  /** What stands in a gap of a text, on lines of its own: what is missing there, and the call that reads on. No newlines. */
  marker(gap: Gap): string;
  /** The same in little more than a call: for gaps after the first, and in strings of data. No newlines. */
  further(gap: Gap): string;
  /** What stands in a gap inside of data: the shortest that tells the truth. */
  brief(gap: Gap): string;
  /** The same for several gaps of one list or object; the briefs of all of them unless given. */
  briefs?(gaps: readonly Gap[]): string;
  /** What stands for a file that is kept of its own, found `at` a JSON pointer in data; undefined if none is there. */
  media?(at: string, media: MediaFacts): MediaWords | undefined;
}

/** What a base64 string holds: its type, and its size decoded, in bytes. */
export interface MediaFacts {
  readonly mimeType: string;
  readonly bytes: number;
}

export interface MediaWords {
  /** Where the file is, with its type and size. */
  readonly text: string;
  /** Its address alone, for where a schema takes nothing else. */
  readonly uri: string;
}

/** What a text costs where it will stand. Costs add up: `cost(a + b)` is `cost(a) + cost(b)` unless a pair is split. */
export type Cost = (text: string) => number;
