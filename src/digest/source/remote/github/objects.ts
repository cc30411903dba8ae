import { NotFetched } from '../../../not-fetched.ts';
import type { CommitTree, Objects, TreeItem } from '../../objects.ts';
import { FOLDER } from '../../objects.ts';
import type { BlobStore } from './blob-store.ts';
import type { Fetcher } from './fetchers.ts';
import type { GitHubTree } from './tree.ts';

export interface GitHubObjectsOptions {
  readonly tree: GitHubTree;
  readonly store: BlobStore;
  /** Ways to fetch contents, the cheapest first: what doesn't come by one is asked of the next. Empty to fetch nothing. */
  readonly fetchers: readonly Fetcher[];
  /** How many of the first of these ways ask for nothing that GitHub counts. */
  readonly uncounted: number;
  readonly onFetched?: (fetched: Fetched) => void;
}

/** How many files have come of those that were wanted, and their bytes. */
export interface Fetched {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
}

/** GitHub has no larger files, but for those in Git LFS, and gives out none. */
const LARGEST = 100 * 1024 * 1024;

/** A commit on GitHub: its tree is known, contents are fetched when they are needed, and kept. */
export class GitHubObjects implements Objects {
  readonly #options: GitHubObjectsOptions;
  readonly #items = new Map<string, TreeItem>();
  readonly #byPath = new Map<string, TreeItem>();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #missing = new Map<string, string>();
  #total = 0;
  #done = 0;
  #bytes = 0;

  constructor(options: GitHubObjectsOptions) {
    this.#options = options;
    for (const item of options.tree.items) {
      this.#byPath.set(item.path, item);
      if (item.size !== undefined && !this.#items.has(item.id)) this.#items.set(item.id, item);
    }
  }

  async tree(folder: string): Promise<CommitTree> {
    const { items, incomplete } = this.#options.tree;
    const within = items
      .filter(({ path, mode }) => mode !== FOLDER && path.startsWith(folder))
      .map((item) => ({ ...item, path: item.path.slice(folder.length) }));
    return { items: within, ...(incomplete !== undefined && { incomplete }) };
  }

  async find(paths: readonly string[]): Promise<readonly TreeItem[]> {
    return paths.flatMap((path) => this.#byPath.get(path) ?? []);
  }

  async prefetch(ids: readonly string[]): Promise<void> {
    await this.#bring(ids).catch(() => {});
  }

  async survey(ids: readonly string[]): Promise<boolean> {
    const { store, fetchers, uncounted } = this.#options;
    const items = [...new Set(ids)].flatMap((id) => this.#items.get(id) ?? []);
    await this.#fetch(items, fetchers.slice(0, uncounted)).catch(() => {});
    for (const { id, size = 0 } of items) {
      if (!(await store.has(id, size))) return false;
      this.#missing.delete(id);
    }
    return true;
  }

  async read(id: string, limit: number): Promise<Buffer> {
    await this.#see(id);
    return this.#options.store.read(id, limit);
  }

  async *stream(id: string): AsyncGenerator<Buffer> {
    await this.#see(id);
    yield* this.#options.store.stream(id);
  }

  async close(): Promise<void> {}

  async #see(id: string): Promise<void> {
    await this.#bring([id]);
    const reason = this.#missing.get(id);
    if (reason !== undefined) throw new NotFetched(reason);
  }

  /** Sees to it that contents are here, or that it is known why they aren't. Each is asked for once. */
  async #bring(ids: readonly string[]): Promise<void> {
    const unasked = [...new Set(ids)].filter((id) => !this.#asked.has(id));
    if (unasked.length > 0) {
      const coming = this.#fetch(
        unasked.flatMap((id) => this.#items.get(id) ?? []),
        this.#options.fetchers,
      );
      for (const id of unasked) this.#asked.set(id, coming);
    }
    await Promise.all(ids.map((id) => this.#asked.get(id)));
  }

  async #fetch(items: readonly TreeItem[], fetchers: readonly Fetcher[]): Promise<void> {
    const { store } = this.#options;
    let wanted: TreeItem[] = [];
    for (const item of items) {
      if (await store.has(item.id, item.size ?? 0)) continue;
      if ((item.size ?? 0) > LARGEST)
        this.#missing.set(item.id, 'is larger than the 100 MB that GitHub gives out');
      else wanted.push(item);
    }
    for (const { id } of wanted) this.#missing.set(id, 'is not in the cache');
    this.#total += wanted.length;
    for (const fetch of fetchers) {
      if (wanted.length === 0) return;
      const missing = await fetch(wanted, { onBytes: this.#onBytes, onDone: this.#onDone });
      for (const { id } of wanted) this.#missing.delete(id);
      for (const [id, reason] of missing) this.#missing.set(id, reason);
      wanted = wanted.filter(({ id }) => missing.has(id));
    }
  }

  readonly #onBytes = (count: number): void => {
    this.#bytes += count;
    this.#report();
  };

  readonly #onDone = (): void => {
    this.#done++;
    this.#report();
  };

  #report(): void {
    this.#options.onFetched?.({ done: this.#done, total: this.#total, bytes: this.#bytes });
  }
}
