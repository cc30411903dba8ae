import { visibleName } from '../../text/visible.ts';
import type { Changes, Entry, History, Listing, Source, SourceFacts, Warning } from '../types.ts';
import { Disk } from './disk.ts';
import type { GitExit, GitRecords } from './git-command.ts';
import type { RunningHistory } from './history.ts';
import { finishListing, readRuleFile, type Troubles } from './listing.ts';
import { Pace } from './pace.ts';
import { foldersAround, isRuleFile, RULE_FILES, Rules, topOf } from './rules.ts';
import type { Survey } from './survey.ts';

export interface WorkTreeOptions {
  /** The folder asked for, absolute and without symbolic links. */
  readonly root: string;
  /** Where it is below the repository's topmost folder, with a slash at its end; empty where it is that. */
  readonly prefix: string;
  readonly facts: SourceFacts;
  readonly warnings: readonly Warning[];
  /** What the survey looks at. */
  readonly disk: Disk;
  /** Has taken in all that git tracks. */
  readonly survey: Survey;
  /** `git ls-files --others`. */
  readonly others: Promise<GitRecords>;
  readonly history: RunningHistory | undefined;
  /** Finds out what changed since a commit, in what git tracks. */
  readonly changes: (() => Promise<Changes>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const UNREADABLE = /^warning: could not open directory '(.*?)\/?': (.*)$/;

/** What git tracks in a folder, and what it doesn't but wouldn't ignore, as it stands on the disk. */
export class WorkTreeSource implements Source {
  readonly facts: SourceFacts;
  readonly kept: Source['kept'];
  readonly #options: WorkTreeOptions;
  readonly #disk: Disk;
  #listing: Promise<Listing> | undefined;

  constructor(options: WorkTreeOptions) {
    this.facts = options.facts;
    this.#options = options;
    this.kept = { kind: 'folder', address: options.root };
    this.#disk = options.disk;
  }

  list(): Promise<Listing> {
    this.#listing ??= this.#list();
    return this.#listing;
  }

  contentId(entry: Entry): string | undefined {
    return this.#disk.contentId(entry.path);
  }

  async prefetch(): Promise<void> {}

  async survey(): Promise<boolean> {
    return true;
  }

  async read(entry: Entry, limit: number): Promise<Buffer> {
    return this.#disk.read(entry.path, limit);
  }

  stream(entry: Entry): AsyncIterable<Buffer> {
    return this.#disk.stream(entry.path);
  }

  async history(): Promise<History | undefined> {
    return this.#options.history?.history;
  }

  /** Untracked files are new; where the commit has them, they are what became of its. */
  async changes(): Promise<Changes | undefined> {
    const changes = await this.#options.changes?.();
    if (!changes) return undefined;
    const files = new Map(changes.files);
    for (const path of (await this.#options.others).records) {
      if (path.endsWith('/')) continue;
      files.set(path, { kind: files.has(path) ? 'modified' : 'added' });
    }
    return { ...changes, files };
  }

  async close(): Promise<void> {
    this.#options.history?.stop();
  }

  async #list(): Promise<Listing> {
    const { root, warnings, survey, others, signal } = this.#options;
    const { entries, troubles } = survey;
    for (const { code, message } of warnings) troubles.add(code, message);
    const pace = new Pace(signal);
    const untracked = await others;
    await pace.turn();
    for (const path of untracked.records) {
      survey.takeOther(path);
      if (pace.isDue(1)) await pace.turn();
    }
    reportOthers(untracked, troubles);
    return finishListing(visibleName(root), entries, this.#rules(entries, troubles), troubles);
  }

  /** Those of the folder itself and of the folders around it count even where git ignores them. */
  #rules(entries: readonly Entry[], troubles: Troubles): Rules {
    const { root, prefix } = this.#options;
    const top = prefix === '' ? this.#disk : new Disk(topOf(root, prefix));
    const paths = new Set(
      [...foldersAround(prefix), prefix].flatMap((folder) => RULE_FILES.map((name) => folder + name)),
    );
    for (const { path, kind } of entries) {
      if (kind === 'file' && isRuleFile(path)) paths.add(prefix + path);
    }
    const rules = new Rules(prefix);
    for (const path of paths) {
      const content = readRuleFile(top, path, troubles);
      if (content) rules.add(path, content);
    }
    return rules;
  }
}

/** git leaves out what it can't read, and says so on stderr. */
function reportOthers(exit: GitExit, troubles: Troubles): void {
  for (const line of exit.stderr.split('\n')) {
    const [, folder, cause] = UNREADABLE.exec(line) ?? [];
    if (folder !== undefined) {
      troubles.unreadableFolder(folder, cause === 'Permission denied' ? { code: 'EACCES' } : cause);
    }
  }
  if (exit.code === 0) return;
  troubles.complete = false;
  troubles.add('GIT_FAILED', `git could not list untracked files: ${visibleName(exit.stderr.trim())}`);
}
