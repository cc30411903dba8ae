import type { Entry } from '../types.ts';
import type { Disk } from './disk.ts';
import { type GitExit, type GitRun, recordsOf } from './git-command.ts';
import { type Troubles, unreadableEntry } from './listing.ts';
import { parentOf } from './nested.ts';

const SUBMODULE = '160000 ';

/** Looks at each path that git names, links not followed, as it stands on the disk. */
export class Survey {
  readonly entries: Entry[] = [];
  readonly troubles: Troubles;
  readonly #disk: Disk;
  readonly #folders = new Map<string, FolderState>([['', 'real']]);
  #lastPath = '';
  #lastFolder = '';
  #lastState: FolderState = 'real';

  constructor(disk: Disk, troubles: Troubles) {
    this.#disk = disk;
    this.troubles = troubles;
  }

  /** Takes in the output of `git ls-files -z --stage`, and gives how it ended. */
  async takeTracked(run: GitRun): Promise<GitExit> {
    for await (const records of recordsOf(run.stdout)) {
      for (const record of records) this.#takeRecord(record);
    }
    return run.exit;
  }

  /** Takes in a path of `git ls-files -z --others`, with a slash at its end where it is a repository of its own. */
  takeOther(path: string): void {
    if (path === '') return;
    if (path.endsWith('/')) {
      this.entries.push({ path: path.slice(0, -1), kind: 'repository', size: 0 });
      return;
    }
    const found = this.#look(path);
    if (typeof found === 'object') this.entries.push(found);
  }

  /** `<mode> <id> <stage>\t<path>`; an unmerged path comes once for each of its stages. */
  #takeRecord(record: string): void {
    const tab = record.indexOf('\t');
    const path = record.slice(tab + 1);
    if (tab < 0 || path === this.#lastPath) return;
    this.#lastPath = path;
    const state = this.#stateOf(parentOf(path));
    if (state === 'gone') return;
    const isSubmodule = record.startsWith(SUBMODULE);
    if (state !== 'real') {
      this.troubles.unreadableFolder(state.blockedBy, state.cause);
      this.entries.push({ path, kind: isSubmodule ? 'repository' : 'file', size: 0, omit: 'unreadable' });
      return;
    }
    const found = this.#look(path);
    if (found !== 'folder') {
      if (found) this.entries.push(found);
    } else if (isSubmodule) {
      const target = record.slice(SUBMODULE.length, record.indexOf(' ', SUBMODULE.length));
      this.entries.push({ path, kind: 'repository', size: 0, target });
    }
  }

  #look(path: string): Entry | 'folder' | undefined {
    try {
      return this.#disk.look(path);
    } catch (error) {
      return unreadableEntry(path, 'file', error, this.troubles);
    }
  }

  #stateOf(folder: string): FolderState {
    if (folder === this.#lastFolder) return this.#lastState;
    this.#lastFolder = folder;
    this.#lastState = this.#findState(folder);
    return this.#lastState;
  }

  #findState(folder: string): FolderState {
    let state = this.#folders.get(folder);
    if (state !== undefined) return state;
    const parent = parentOf(folder);
    state = this.#findState(parent);
    if (state === 'real') {
      try {
        if (this.#disk.look(folder) !== 'folder') state = 'gone';
      } catch (cause) {
        state = { blockedBy: parent, cause };
      }
    }
    this.#folders.set(folder, state);
    return state;
  }
}

/** A folder may have become a link or a file since git saw it, or be out of reach because of another one. */
type FolderState = 'real' | 'gone' | { readonly blockedBy: string; readonly cause: unknown };
