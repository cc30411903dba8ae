import { devNull } from 'node:os';
import type { FileHistory, History } from '../types.ts';
import { type GitRun, recordsOf, startGit } from './git-command.ts';

/** Commits that a history is made of, at most. */
const COMMIT_LIMIT = 1000;

/** Commits looked through, at most, for those that touch a subfolder. */
const WALK_LIMIT = 5000;

/** A commit that touches more files is a bulk move, an import or a reformat, and says nothing of any one. */
const BULK_LIMIT = 60;

const HALF_LIFE_SECONDS = 90 * 24 * 60 * 60;

/** Before each commit an empty record, which no name can be, then its date in seconds. */
const FORMAT = '--format=tformat:%x00%ct';

/** A first commit, and the last one of a shallow clone, touches all there is: no news of any one file. */
const NO_ROOT = ['-c', 'log.showRoot=false'];

export interface RunningHistory {
  /** Never rejects. */
  readonly history: Promise<History | undefined>;
  stop(): void;
}

/**
 * Starts reading how files fared in the 1,000 latest commits, merges aside, in the background. Where objects
 * are missing it is as much as there is; `undefined` is nothing at all.
 *
 * `folder` is where git runs and `commit` where the history starts. With `isSubfolder` it is the commits that
 * touch what is in `folder`, sought among the latest 5,000, and paths are relative to it.
 */
export function startHistory(
  folder: string,
  commit: string,
  isSubfolder: boolean,
  signal?: AbortSignal,
): RunningHistory {
  const form = [
    '-z',
    '--name-only',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-merges',
    `-O${devNull}`,
    FORMAT,
  ];
  const limits = isSubfolder
    ? [`--max-count=${WALK_LIMIT}`, '--sparse', '--relative']
    : [`--max-count=${COMMIT_LIMIT}`];
  const place = ['--end-of-options', commit, '--', ...(isSubfolder ? ['.'] : [])];
  const run = startGit(folder, [...NO_ROOT, 'log', ...form, ...limits, ...place], { signal });
  return { history: readHistory(run), stop: run.stop };
}

async function readHistory(run: GitRun): Promise<History | undefined> {
  const tally = new Tally();
  for await (const records of recordsOf(run.stdout)) {
    tally.take(records);
    if (tally.commits >= COMMIT_LIMIT) break;
  }
  return tally.finish();
}

/** Counts up commits out of the records of `git log`. */
class Tally {
  commits = 0;
  readonly #files = new Map<string, { recentChanges: number; commits: number }>();
  #names: string[] = [];
  #touched = 0;
  #date = 0;
  #newest: number | undefined;
  #atDate = false;

  take(records: readonly string[]): void {
    for (const record of records) {
      if (record === '') {
        this.#endCommit();
        this.#atDate = true;
      } else if (this.#atDate) {
        this.#date = Number(record);
        this.#atDate = false;
      } else {
        this.#touched += 1;
        // git sets a line end between a commit's date and its first name.
        if (this.#touched <= BULK_LIMIT) this.#names.push(this.#touched === 1 ? record.slice(1) : record);
      }
    }
  }

  /** Git gives a commit's names at once, so that those of the last one are all there, however it ended. */
  finish(): History | undefined {
    this.#endCommit();
    if (this.commits === 0) return undefined;
    return { commits: this.commits, files: this.#files satisfies ReadonlyMap<string, FileHistory> };
  }

  #endCommit(): void {
    if (this.#touched > 0) this.#newest ??= this.#date;
    if (this.#touched > 0 && this.#touched <= BULK_LIMIT && this.commits < COMMIT_LIMIT) this.#count();
    this.#names = [];
    this.#touched = 0;
  }

  #count(): void {
    this.commits += 1;
    const age = Math.max(0, (this.#newest as number) - this.#date);
    const weight = 2 ** (-age / HALF_LIFE_SECONDS);
    for (const name of this.#names) {
      const file = this.#files.get(name);
      if (file) {
        file.recentChanges += weight;
        file.commits += 1;
      } else {
        this.#files.set(name, { recentChanges: weight, commits: 1 });
      }
    }
  }
}
