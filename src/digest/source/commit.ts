import type { Changes, Entry, History, Listing, Source, SourceFacts, Warning } from '../types.ts';
import { failure } from './disk.ts';
import type { RunningHistory } from './history.ts';
import { byPath, finishListing, MOST_TARGETS, TOO_LARGE, Troubles } from './listing.ts';
import { decodeName } from './names.ts';
import { type Objects, SUBMODULE, SYMLINK, type TreeItem } from './objects.ts';
import { foldersAround, isRuleFile, RULE_FILES, RULES_LIMIT, Rules } from './rules.ts';

export interface CommitOptions {
  readonly facts: SourceFacts;
  readonly kept: Source['kept'];
  /** The commit and its repository, for messages. */
  readonly name: string;
  /** The folder asked for in the repository, with a slash at its end; empty where it is all of it. */
  readonly prefix: string;
  readonly objects: Objects;
  /** The file asked for, by its path below `prefix`. */
  readonly askedFor?: string | undefined;
  /** What there is to say of the way to it. More may be added while files are read. */
  readonly notes?: readonly Warning[] | undefined;
  readonly history?: RunningHistory | undefined;
  /** Finds out what changed since an earlier commit. */
  readonly changes?: (() => Promise<Changes>) | undefined;
}

/** No system has links that are longer. */
const LINK_LIMIT = 4096;

/** What a commit holds, wherever it is. */
export class CommitSource implements Source {
  readonly facts: SourceFacts;
  readonly kept: Source['kept'];
  readonly askedFor: string | undefined;
  readonly #options: CommitOptions;
  readonly #objects: Objects;
  readonly #ids = new Map<string, string>();
  #listing: Promise<Listing> | undefined;

  constructor(options: CommitOptions) {
    this.facts = options.facts;
    this.kept = options.kept;
    this.askedFor = options.askedFor;
    this.#options = options;
    this.#objects = options.objects;
  }

  get notes(): readonly Warning[] {
    return this.#options.notes ?? [];
  }

  list(): Promise<Listing> {
    this.#listing ??= this.#list();
    return this.#listing;
  }

  contentId(entry: Entry): string | undefined {
    return this.#ids.get(entry.path);
  }

  prefetch(entries: readonly Entry[]): Promise<void> {
    return this.#objects.prefetch(entries.map((entry) => this.#idOf(entry)));
  }

  survey(entries: readonly Entry[]): Promise<boolean> {
    return this.#objects.survey(entries.map((entry) => this.#idOf(entry)));
  }

  async read(entry: Entry, limit: number): Promise<Buffer> {
    return this.#objects.read(this.#idOf(entry), limit);
  }

  stream(entry: Entry): AsyncIterable<Buffer> {
    return this.#objects.stream(this.#idOf(entry));
  }

  async history(): Promise<History | undefined> {
    return this.#options.history?.history;
  }

  async changes(): Promise<Changes | undefined> {
    return this.#options.changes?.();
  }

  async close(): Promise<void> {
    this.#options.history?.stop();
    await this.#objects.close();
  }

  async #list(): Promise<Listing> {
    const { name, prefix } = this.#options;
    const troubles = new Troubles([]);
    const { items, incomplete } = await this.#objects.tree(prefix);
    if (incomplete !== undefined) {
      troubles.complete = false;
      troubles.add('INCOMPLETE_TREE', incomplete);
    }
    const entries = items.flatMap((item) => this.#entryOf(item) ?? []);
    reportMissing(entries, troubles);
    const ruleFiles = await this.#ruleFiles(items);
    entries.sort(byPath);
    const links = entries.filter(hasTarget).slice(0, MOST_TARGETS);
    const wanted = [
      ...ruleFiles.filter(isReadable).map(({ id }) => id),
      ...links.map((link) => this.#idOf(link)),
    ];
    await this.#objects.prefetch(wanted);
    await this.#addTargets(entries, links);
    return finishListing(name, entries, await this.#rules(ruleFiles, troubles), troubles);
  }

  #idOf(entry: Entry): string {
    const id = this.#ids.get(entry.path);
    if (id === undefined) throw failure('ENOENT', 'the commit does not have the file', entry.path);
    return id;
  }

  /** A tree made by hand may name a path twice: the first counts. */
  #entryOf({ path, mode, id, size }: TreeItem): Entry | undefined {
    if (this.#ids.has(path)) return undefined;
    this.#ids.set(path, id);
    if (mode === SUBMODULE) return { path, kind: 'repository', size: 0, target: id };
    const kind = mode === SYMLINK ? 'symlink' : 'file';
    return size === undefined ? { path, kind, size: 0, omit: 'unreadable' } : { path, kind, size };
  }

  async #addTargets(entries: Entry[], links: readonly Entry[]): Promise<void> {
    const targets = await Promise.all(links.map((link) => this.#contentOf(this.#idOf(link), LINK_LIMIT)));
    const known = new Map(links.map((link, index) => [link, targets[index]]));
    entries.forEach((entry, index) => {
      const target = known.get(entry);
      if (target) entries[index] = { ...entry, target: decodeName(target) };
    });
  }

  /** By their paths from the repository's root; those in the folders around the one asked for are among them. */
  async #ruleFiles(items: readonly TreeItem[]): Promise<TreeItem[]> {
    const { prefix } = this.#options;
    const around = foldersAround(prefix).flatMap((folder) => RULE_FILES.map((name) => folder + name));
    const found = around.length === 0 ? [] : await this.#objects.find(around);
    const own = items.filter(({ path, size }) => isRuleFile(path) && size !== undefined);
    return [...found, ...own.map((item) => ({ ...item, path: prefix + item.path }))].filter(isFile);
  }

  async #rules(files: readonly TreeItem[], troubles: Troubles): Promise<Rules> {
    const rules = new Rules(this.#options.prefix);
    const contents = await Promise.all(
      files.map((file) => (isReadable(file) ? this.#contentOf(file.id, RULES_LIMIT) : undefined)),
    );
    files.forEach((file, index) => {
      const content = contents[index];
      if (content) rules.add(file.path, content);
      else troubles.unreadableRules(file.path, isReadable(file) ? 'it is not in the repository' : TOO_LARGE);
    });
    return rules;
  }

  async #contentOf(id: string, limit: number): Promise<Buffer | undefined> {
    try {
      return await this.#objects.read(id, limit);
    } catch {
      return undefined;
    }
  }
}

function hasTarget({ kind, omit, size }: Entry): boolean {
  return kind === 'symlink' && !omit && size <= LINK_LIMIT;
}

function isFile({ mode }: TreeItem): boolean {
  return mode.startsWith('100');
}

function isReadable({ size = 0 }: TreeItem): boolean {
  return size <= RULES_LIMIT;
}

function reportMissing(entries: readonly Entry[], troubles: Troubles): void {
  const missing = entries.filter(({ omit }) => omit).length;
  if (missing === 0) return;
  const what = missing === 1 ? 'The contents of one file are' : `The contents of ${missing} files are`;
  const why = 'which is a partial clone or damaged';
  troubles.add(
    'MISSING_OBJECTS',
    `${what} not in the repository, ${why}: check the commit out, or clone anew.`,
  );
}
