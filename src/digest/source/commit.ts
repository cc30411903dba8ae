import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../content/visible.ts';
import type { Entry, History, Listing, Source, SourceFacts } from '../types.ts';
import { Blobs } from './blobs.ts';
import { failure } from './disk.ts';
import { type GitExit, recordsOf, runGit, startGit } from './git-command.ts';
import type { RunningHistory } from './history.ts';
import { finishListing, TOO_LARGE, Troubles } from './listing.ts';
import { decodeName } from './names.ts';
import { Pace } from './pace.ts';
import { foldersAround, isRuleFile, RULE_FILES, RULES_LIMIT, Rules } from './rules.ts';

export interface CommitOptions {
  /** The folder asked for: where git runs. */
  readonly root: string;
  /** Where it is in the repository, with a slash at its end; empty where it is all of it. */
  readonly prefix: string;
  /** The full id. */
  readonly commit: string;
  readonly facts: SourceFacts;
  readonly history: RunningHistory;
  readonly signal?: AbortSignal | undefined;
}

/** No system has links that are longer. */
const LINK_LIMIT = 4096;

const LINE_END = 10;

/** What a commit holds, work tree and index untouched. */
export class CommitSource implements Source {
  readonly facts: SourceFacts;
  readonly #options: CommitOptions;
  readonly #blobs: Blobs;
  readonly #ids = new Map<string, string>();
  #listing: Promise<Listing> | undefined;

  constructor(options: CommitOptions) {
    this.facts = options.facts;
    this.#options = options;
    this.#blobs = new Blobs(options.root);
  }

  list(): Promise<Listing> {
    this.#listing ??= this.#list();
    return this.#listing;
  }

  /** Throws `ENOENT` also where the repository, a partial clone for example, lacks the contents. */
  async read(entry: Entry, limit: number): Promise<Buffer> {
    return this.#blobs.read(this.#idOf(entry), limit);
  }

  stream(entry: Entry): AsyncIterable<Buffer> {
    return this.#blobs.stream(this.#idOf(entry));
  }

  history(): Promise<History | undefined> {
    return this.#options.history.history;
  }

  async close(): Promise<void> {
    this.#options.history.stop();
    this.#blobs.close();
  }

  async #list(): Promise<Listing> {
    const troubles = new Troubles([]);
    const entries = await this.#entries(troubles);
    await this.#addTargets(entries);
    const rules = await this.#rules(entries, troubles);
    return finishListing(this.#name, entries, rules, troubles);
  }

  get #name(): string {
    const { root, commit } = this.#options;
    return `${visibleName(root)} at ${commit}`;
  }

  #idOf(entry: Entry): string {
    const id = this.#ids.get(entry.path);
    if (id === undefined) throw failure('ENOENT', 'the commit does not have the file', entry.path);
    return id;
  }

  async #entries(troubles: Troubles): Promise<Entry[]> {
    let { entries, exit } = await this.#walk(true);
    if (exit.code !== 0) {
      ({ entries, exit } = await this.#walk(false));
      await this.#addSizes(entries);
    }
    if (exit.code !== 0) {
      const cause = visibleName(exit.stderr.trim());
      if (entries.length === 0)
        throw new PlimsollError('GIT_FAILED', `git can't read ${this.#name}: ${cause}.`);
      troubles.complete = false;
      troubles.add('GIT_FAILED', `git could not list all of the commit: ${cause}.`);
    }
    const missing = entries.filter(({ omit }) => omit).length;
    if (missing > 0) {
      const what = missing === 1 ? 'The contents of one file are' : `The contents of ${missing} files are`;
      const why = 'which is a partial clone or damaged';
      troubles.add(
        'MISSING_OBJECTS',
        `${what} not in the repository, ${why}: check the commit out, or clone anew.`,
      );
    }
    return entries;
  }

  /** Git gives up on sizes where it would have to fetch an object to know its own. */
  async #walk(withSizes: boolean): Promise<{ entries: Entry[]; exit: GitExit }> {
    const { root, prefix, commit, signal } = this.#options;
    const tree = prefix === '' ? commit : `${commit}:${prefix.slice(0, -1)}`;
    const form = ['-r', '-z', '--full-tree', ...(withSizes ? ['-l'] : [])];
    const run = startGit(root, ['ls-tree', ...form, tree], { signal });
    const entries: Entry[] = [];
    const pace = new Pace(signal);
    this.#ids.clear();
    for await (const records of recordsOf(run.stdout)) {
      for (const record of records) {
        const entry = this.#parse(record);
        if (entry) entries.push(entry);
      }
      if (pace.isDue(records.length)) await pace.turn();
    }
    const exit = await run.exit;
    await pace.turn();
    return { entries, exit };
  }

  /** Takes sizes from a list of all objects that the repository has: slow, but it asks for none it lacks. */
  async #addSizes(entries: Entry[]): Promise<void> {
    const { root, signal } = this.#options;
    const sizes = new Map<string, number>([...this.#ids.values()].map((id) => [id, Number.NaN]));
    const list = [
      'cat-file',
      '--batch-all-objects',
      '--unordered',
      '--batch-check=%(objectname) %(objectsize)',
    ];
    const run = startGit(root, list, { signal });
    for await (const lines of recordsOf(run.stdout, LINE_END)) {
      for (const line of lines) {
        const [id, size] = line.split(' ');
        if (id && sizes.has(id)) sizes.set(id, Number(size));
      }
    }
    entries.forEach((entry, index) => {
      const size = sizes.get(this.#idOf(entry)) ?? Number.NaN;
      if (entry.kind !== 'repository' && !Number.isNaN(size))
        entries[index] = { path: entry.path, kind: entry.kind, size };
    });
  }

  /** `<mode> <type> <id>[ <size>]\t<path>`. A tree made by hand may name a path twice. */
  #parse(record: string): Entry | undefined {
    const tab = record.indexOf('\t');
    const path = record.slice(tab + 1);
    if (tab < 0 || this.#ids.has(path)) return undefined;
    const [mode, , id, ...size] = record.slice(0, tab).split(' ');
    this.#ids.set(path, id as string);
    if (mode === '160000') return { path, kind: 'repository', size: 0, target: id as string };
    const kind = mode === '120000' ? 'symlink' : 'file';
    const bytes = size.length > 0 ? Number(size.at(-1)) : Number.NaN;
    return Number.isNaN(bytes) ? { path, kind, size: 0, omit: 'unreadable' } : { path, kind, size: bytes };
  }

  async #addTargets(entries: Entry[]): Promise<void> {
    const links = [...entries.entries()].filter(
      ([, { kind, omit, size }]) => kind === 'symlink' && !omit && size <= LINK_LIMIT,
    );
    const targets = await Promise.all(links.map(([, link]) => this.#contentOf(this.#idOf(link), LINK_LIMIT)));
    links.forEach(([index, link], at) => {
      const target = targets[at];
      if (target) entries[index] = { ...link, target: decodeName(target) };
    });
  }

  async #rules(entries: readonly Entry[], troubles: Troubles): Promise<Rules> {
    const rules = new Rules(this.#options.prefix);
    const files = await this.#rulesAround();
    for (const { path, kind, size, omit } of entries) {
      if (kind === 'file' && !omit && isRuleFile(path)) {
        files.push({ path: this.#options.prefix + path, id: this.#ids.get(path) as string, size });
      }
    }
    const contents = await Promise.all(
      files.map(({ id, size }) => (size > RULES_LIMIT ? undefined : this.#contentOf(id, size))),
    );
    files.forEach(({ path, size }, index) => {
      const content = contents[index];
      if (content) rules.add(path, content);
      else troubles.unreadableRules(path, size > RULES_LIMIT ? TOO_LARGE : 'it is not in the repository');
    });
    return rules;
  }

  /** The rule files in the folders around the one asked for. */
  async #rulesAround(): Promise<RuleBlob[]> {
    const { root, prefix, commit, signal } = this.#options;
    if (prefix === '') return [];
    const paths = foldersAround(prefix).flatMap((folder) => RULE_FILES.map((name) => folder + name));
    const { stdout } = await runGit(root, ['ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths], {
      signal,
    });
    const found: RuleBlob[] = [];
    for (const record of stdout.split('\0')) {
      const [, id, size, path] = RULE_RECORD.exec(record) ?? [];
      if (id && path) found.push({ path, id, size: Number(size) });
    }
    return found;
  }

  async #contentOf(id: string, limit: number): Promise<Buffer | undefined> {
    try {
      return await this.#blobs.read(id, limit);
    } catch {
      return undefined;
    }
  }
}

interface RuleBlob {
  readonly path: string;
  readonly id: string;
  readonly size: number;
}

const RULE_RECORD = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s;
