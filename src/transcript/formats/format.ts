import type { Source } from '../read/source.ts';
import type { Tally } from '../read/tally.ts';
import type { Turn } from '../turn.ts';

/** How one client, service or tool writes conversations down. */
export interface Format {
  /** As a user reads it: `Claude Code`. */
  readonly name: string;
  /** Whether a file that begins so is in this format. */
  recognises(sample: Sample): boolean;
  /**
   * The turns of a file, in their order; what is none is counted. Nothing in a file makes it throw but what the system says
   * of reading.
   */
  turns(source: Source, tally: Tally): AsyncIterable<Turn>;
}

/** The beginning of a file, and what can be seen in it. */
export interface Sample {
  /** At most 256 KB of the file, decoded. */
  readonly text: string;
  /** The first JSON objects that stand in lines of their own, at most 50; none if the first line isn't one. */
  readonly records: readonly JsonObject[];
  /** The keys of a JSON document: of the object that it is, or of the first one in the list. */
  readonly keys: ReadonlySet<string>;
  /** Whether the document is a list. */
  readonly isList: boolean;
}

export type JsonObject = Readonly<Record<string, unknown>>;
