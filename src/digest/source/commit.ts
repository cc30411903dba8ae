import { PlimsollError } from '../../errors.ts';
import type { Entry, EntryKind, History, Listing, Source, SourceFacts } from '../types.ts';
import { Blobs } from './blobs.ts';
import { failure } from './disk.ts';
import { recordsOf, runGit, startGit } from './git-command.ts';
import type { RunningHistory } from './history.ts';
import { finishListing, TOO_LARGE, Troubles } from './listing.ts';
import { decodeName, visibleName } from './names.ts';
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
    const { root, prefix, commit, signal } = this.#options;
    const tree = prefix === '' ? commit : `${commit}:${prefix.slice(0, -1)}`;
    const run = startGit(root, ['ls-tree', '-r', '-z', '-l', '--full-tree', tree], { signal });
    const entries: Entry[] = [];
    const pace = new Pace(signal);
    let missing = 0;
    for await (const records of recordsOf(run.stdout)) {
      for (const record of records) {
        const entry = this.#parse(record);
        if (!entry) continue;
        entries.push(entry);
        if (entry.omit) missing += 1;
      }
      if (pace.isDue(records.length)) await pace.turn();
    }
    const { code, stderr } = await run.exit;
    await pace.turn();
    if (code !== 0) {
      const cause = visibleName(stderr.trim());
      if (entries.length === 0)
        throw new PlimsollError('GIT_FAILED', `git can't read ${this.#name}: ${cause}.`);
      troubles.complete = false;
      troubles.add('GIT_FAILED', `git could not list all of the commit: ${cause}.`);
    }
    if (missing > 0) {
      const what = missing === 1 ? 'The contents of one file are' : `The contents of ${missing} files are`;
      troubles.add(
        'MISSING_OBJECTS',
        `${what} not in the repository, as in a partial clone: run \`git fetch\`.`,
      );
    }
    return entries;
  }

  /** `<mode> <type> <id> <size>\t<path>`. A tree made by hand may name a path twice. */
  #parse(record: string): Entry | undefined {
    const [tab, idAt] = [record.indexOf('\t'), record.indexOf(' ', 7) + 1];
    const idEnd = record.indexOf(' ', idAt);
    const path = record.slice(tab + 1);
    if (tab < 0 || this.#ids.has(path)) return undefined;
    const id = record.slice(idAt, idEnd);
    this.#ids.set(path, id);
    const kind = kindOf(record);
    if (kind === 'repository') return { path, kind, size: 0, target: id };
    const size = Number(record.slice(idEnd, tab));
    return Number.isNaN(size) ? { path, kind, size: 0, omit: 'unreadable' } : { path, kind, size };
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

function kindOf(record: string): EntryKind {
  if (record.startsWith('160000')) return 'repository';
  return record.startsWith('120000') ? 'symlink' : 'file';
}
