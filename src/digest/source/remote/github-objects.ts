import type { Cache, CacheEntry } from '../../../cache/cache.ts';
import { PlimsollError } from '../../../errors.ts';
import { visibleName } from '../../content/visible.ts';
import type { CommitTree, Objects, TreeItem } from '../objects.ts';
import { NotFetched } from '../objects.ts';
import { BlobStore } from './blob-store.ts';
import { FOLDER, type GitHubTree } from './github-tree.ts';

/** Gives a blob's bytes. Throws a `PlimsollError` where they can't be had. */
export type BlobFetcher = (item: TreeItem) => Promise<AsyncIterable<Uint8Array>>;

export interface GitHubObjectsOptions {
  readonly tree: GitHubTree;
  readonly cache: Cache;
  readonly entry: CacheEntry;
  /** Ways to fetch a blob, the cheapest first; where one fails, the next is tried. Empty to fetch nothing. */
  readonly fetchers: readonly BlobFetcher[];
  /** All objects by another way, for when the requests that the host allows are used up. */
  readonly fallBack: (cause: PlimsollError) => Promise<Objects>;
  readonly onFetched?: (fetched: {
    readonly done: number;
    readonly total: number;
    readonly bytes: number;
  }) => void;
}

/** So many files are fetched side by side. */
const SIDE_BY_SIDE = 12;
/** GitHub has no larger files, but for those in Git LFS, and its API gives out none. */
const LARGEST = 100 * 1024 * 1024;

/** A commit on GitHub: its tree is known, contents are fetched when they are needed and kept. */
export class GitHubObjects implements Objects {
  readonly #options: GitHubObjectsOptions;
  readonly #store: BlobStore;
  readonly #items = new Map<string, TreeItem>();
  readonly #byPath = new Map<string, TreeItem>();
  readonly #fetching = new Map<string, Promise<void>>();
  #other: Promise<Objects> | undefined;
  #wanted = 0;
  #done = 0;
  #bytes = 0;

  constructor(options: GitHubObjectsOptions) {
    this.#options = options;
    this.#store = new BlobStore(options.cache, options.entry);
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
    const waiting = new Set(ids.filter((id) => !this.#fetching.has(id)));
    this.#wanted += waiting.size;
    const queue = waiting.values();
    const work = async (): Promise<void> => {
      for (const id of queue) {
        await this.#bring(id).catch(() => {});
        this.#done++;
        this.#report();
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }

  async read(id: string, limit: number): Promise<Buffer> {
    await this.#bring(id);
    return (await this.#from(id)).read(id, limit);
  }

  async *stream(id: string): AsyncGenerator<Buffer> {
    await this.#bring(id);
    yield* (await this.#from(id)).stream(id);
  }

  async close(): Promise<void> {
    await (await this.#other?.catch(() => undefined))?.close();
  }

  async #from(id: string): Promise<Pick<Objects, 'read' | 'stream'>> {
    const { size } = this.#itemOf(id);
    return this.#other && !(await this.#store.has(id, size as number)) ? this.#other : this.#store;
  }

  /** Sees to it that a blob is here. Rejects with `NotFetched` where it can't be had. */
  #bring(id: string): Promise<void> {
    let fetching = this.#fetching.get(id);
    if (!fetching) {
      fetching = this.#fetch(this.#itemOf(id));
      this.#fetching.set(id, fetching);
    }
    return fetching;
  }

  #itemOf(id: string): TreeItem {
    const item = this.#items.get(id);
    if (!item) throw new NotFetched('is not in the commit');
    return item;
  }

  async #fetch(item: TreeItem): Promise<void> {
    const { id, size = 0 } = item;
    if (await this.#store.has(id, size)) return;
    if (this.#other) return void (await this.#other);
    if (size > LARGEST) throw new NotFetched('is larger than the 100 MB that GitHub gives out');
    let reason = 'is not in the cache';
    const ways = [...this.#options.fetchers];
    const last = ways.at(-1);
    for (const fetcher of ways) {
      try {
        if (await this.#store.put(id, size, this.#counted(await fetcher(item)))) return;
        reason = 'came damaged';
      } catch (error) {
        if (!(error instanceof PlimsollError)) {
          reason = 'came only in part';
          if (last && ways.length === this.#options.fetchers.length && fetcher === last) ways.push(last);
          continue;
        }
        if (error.code === 'ABORTED' || error.code === 'CACHE_UNWRITABLE') throw error;
        reason = `could not be fetched (${visibleName(error.message)})`;
        if (error.code === 'RATE_LIMITED' && fetcher === last) {
          this.#other ??= this.#options.fallBack(error).catch(() => Promise.reject(new NotFetched(reason)));
          await this.#other;
          return;
        }
      }
    }
    throw new NotFetched(reason);
  }

  async *#counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#bytes += chunk.length;
      this.#report();
      yield chunk;
    }
  }

  #report(): void {
    this.#options.onFetched?.({ done: this.#done, total: this.#wanted, bytes: this.#bytes });
  }
}
