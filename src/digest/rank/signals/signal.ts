import { plural } from '../../../text/words.ts';
import type { Focus } from '../../focus/focus.ts';
import type { ImportGraph } from '../../graph/graph.ts';
import type { Change, FileHistory } from '../../types.ts';
import type { Candidate } from '../candidate.ts';
import { WEIGHTS } from '../weights.ts';

/** What the signals know of the repository as a whole. */
export interface RankContext {
  /** The name of the language most of the project's own code is written in. */
  readonly primaryLanguage: string | undefined;
  /** Whether a folder's lower-cased name is the project's: the repository's or its manifests'. */
  readonly isProjectName: (folder: string) => boolean;
  readonly pointers: ReadonlyMap<string, Pointer>;
  /** How many manifests, and how many READMEs, stand as many folders down. */
  readonly manifestsAt: readonly number[];
  readonly readmesAt: readonly number[];
  /** The original of a document that is its copy in another language. */
  readonly originalOf: (path: string) => string | undefined;
  /** The reader's question, where there is one. */
  readonly focus: Focus | undefined;
  /** What became of a file since the commit that the reader names, where it changed. */
  readonly changeOf: (file: Candidate) => PlacedChange | undefined;
  /** Whether it is asked what changed. */
  readonly hasChanges: boolean;
  /** The place of a file, from 0, among those that the reader has in hand. */
  readonly handPlaceOf: (file: Candidate) => number | undefined;
  /** The path of the file that the source's address names. */
  readonly askedFor: string | undefined;
  readonly historyOf: (path: string) => FileHistory | undefined;
  readonly hasHistory: boolean;
  /** Who imports whom, where that is known. */
  readonly graph: ImportGraph | undefined;
}

/** A file's change, and its place among all of them, from 0. */
export interface PlacedChange extends Change {
  readonly place: number;
}

/** A path that another file names. */
export interface Pointer {
  readonly from: 'manifest' | 'readme';
  readonly why: string;
}

/** What one signal adds to a file's score, and why. */
export interface Contribution {
  /** For the place in the order of files. */
  readonly points: number;
  /** For the room that the file is given, where that differs: what a reader should see first needs not be long. */
  readonly worth?: number;
  readonly why: string;
}

/** A pure function: the same file and context give the same contribution. */
export type Signal = (file: Candidate, context: RankContext) => Contribution | undefined;

/**
 * What is left of a name's points as many folders down, where it shares the depth with `others` of its kind:
 * of thirty packages' manifests each says less than the only one would.
 */
export function byPosition(points: number, folders: number, others = 1): number {
  return (points * WEIGHTS.perFolder ** folders) / Math.sqrt(others);
}

/** Keeps the answers to questions about names of folders, which repeat. */
export function remembering(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = ask(name);
      answers.set(name, answer);
    }
    return answer;
  };
}

/** `at the root`, `1 folder down`. */
export function whereabouts(folders: number): string {
  return folders === 0 ? 'at the root' : plural(folders, 'folder down', 'folders down');
}
