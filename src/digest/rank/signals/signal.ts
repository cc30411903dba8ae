import { plural } from '../../content/words.ts';
import type { Language } from '../../language/language.ts';
import type { FileHistory } from '../../types.ts';
import { WEIGHTS } from '../weights.ts';

/** A file as the signals see it: nothing here needs its contents. */
export interface RankInput {
  readonly path: string;
  /** Lower-cased file name. */
  readonly name: string;
  /** Lower-cased names of the folders above it, outermost first. */
  readonly folders: readonly string[];
  readonly language: Language | undefined;
  readonly vendored: boolean;
}

/** What the signals know of the repository as a whole. */
export interface RankContext {
  /** The name of the language most of the project's own code is written in. */
  readonly primaryLanguage: string | undefined;
  /** Lower-cased names of the project: the repository's and its manifests'. */
  readonly projectNames: ReadonlySet<string>;
  readonly pointers: ReadonlyMap<string, Pointer>;
  /** How many manifests, and how many READMEs, stand as many folders down. */
  readonly manifestsAt: readonly number[];
  readonly readmesAt: readonly number[];
  /** The original of a document that is its copy in another language. */
  readonly originalOf: (path: string) => string | undefined;
  readonly historyOf: (path: string) => FileHistory | undefined;
  /** The highest `recentChanges` of any file; 0 without history. */
  readonly mostChanges: number;
}

/** A path that another file names. */
export interface Pointer {
  readonly from: 'manifest' | 'readme';
  readonly why: string;
}

/** What one signal adds to a file's score, and why. */
export interface Contribution {
  readonly points: number;
  readonly why: string;
}

/** A pure function: the same file and context give the same contribution. */
export type Signal = (file: RankInput, context: RankContext) => Contribution | undefined;

/**
 * What is left of a name's points as many folders down, where it shares the depth with `others` of its kind:
 * of thirty packages' manifests each says less than the only one would.
 */
export function byPosition(points: number, folders: number, others = 1): number {
  return (points * WEIGHTS.perFolder ** folders) / Math.sqrt(others);
}

/** `at the root`, `1 folder down`. */
export function whereabouts(folders: number): string {
  return folders === 0 ? 'at the root' : plural(folders, 'folder down', 'folders down');
}
