import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeAtExit, spareAtExit } from './at-exit.ts';
import { bytesBelow } from './bytes.ts';
import { ABOUT, CacheEntry, isInUse, USED } from './entry.ts';
import { SCRATCH, Store } from './store.ts';
import { newTemporaryPath, removeAbandonedTemporary } from './temporary.ts';

export type { CacheEntry } from './entry.ts';

/** How an entry's content was fetched, through GitHub's API or by git; or that it was found out about a folder here. */
export type CacheKind = 'github' | 'git' | 'folder';

/** What a cache holds of one repository, or of a folder. */
export interface CachedRepository {
  /** Without credentials; the name of the entry's folder where nothing else is known. */
  readonly address: string;
  readonly kind: CacheKind;
  readonly bytes: number;
  readonly used: Date;
}

const ADVICE = 'Use --no-cache or set PLIMSOLL_CACHE_DIR.';
const ADVICE_TEMPORARY = 'Set TMPDIR to a folder that can be written.';

const ENTRY_NAME = /^(github|git|folder)-[\da-f]{32}$/;

const TAG = 'CACHEDIR.TAG';
/** By the Cache Directory Tagging Specification, https://bford.info/cachedir/. */
const TAG_TEXT = `Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by plimsoll.
# For information about cache directory tags, see https://bford.info/cachedir/
`;

/**
 * What was fetched of repositories and found out about them and about folders, each in a folder of its own, for later runs and other processes. The
 * folder is made when it is first needed. Everything but the constructor throws `CACHE_UNWRITABLE` where it
 * can't be used: it can't be made, read or written, or belongs to another user.
 */
export class Cache {
  readonly #store: Store;
  readonly #limit: number;
  readonly #isTemporary: boolean;
  readonly #opened: CacheEntry[] = [];

  /** `limit` is in bytes; see `trim`. For a temporary cache see `temporary`. */
  constructor({ folder, limit }: { readonly folder: string; readonly limit: number }, isTemporary = false) {
    this.#store = new Store(resolve(folder), isTemporary ? ADVICE_TEMPORARY : ADVICE);
    this.#limit = limit;
    this.#isTemporary = isTemporary;
  }

  /** A cache for this process alone, in the system's folder for temporary files; `close` removes all of it. */
  static temporary(): Cache {
    removeAbandonedTemporary();
    const folder = newTemporaryPath();
    removeAtExit(folder);
    return new Cache({ folder, limit: Number.POSITIVE_INFINITY }, true);
  }

  /**
   * The entry of a repository, made if need be, and in use until `close` or the end of the process. `address` is
   * without credentials.
   */
  open(kind: CacheKind, address: string): Promise<CacheEntry> {
    return this.#store.attempt(async () => {
      await this.#make();
      const digest = createHash('sha256').update(keyOf(kind, address)).digest('hex');
      const entry = new CacheEntry(this.#store, `${kind}-${digest.slice(0, 32)}`, { kind, address });
      this.#opened.push(entry);
      await entry.use();
      return entry;
    });
  }

  /** A new empty folder on the entries' file system, for this process alone, until `close` or its end. */
  scratch(): Promise<string> {
    return this.#store.attempt(async () => {
      await this.#make();
      return await this.#store.scratch();
    });
  }

  /** What there is, most recently used first. */
  async list(): Promise<CachedRepository[]> {
    return (await this.#entries()).map(({ folder: _, ...repository }) => repository);
  }

  /** Deletes all entries, or those of one address, in use or not, and tells how much that was. */
  async clear(address?: string): Promise<{ entries: number; bytes: number }> {
    const entries = (await this.#entries()).filter(
      ({ kind, address: of }) => address === undefined || keyOf(kind, of) === keyOf(kind, address),
    );
    await this.#store.attempt(async () => {
      for (const { folder } of entries) await this.#store.discard(folder);
      await this.#store.removeAbandoned();
    });
    return { entries: entries.length, bytes: sizeOf(entries) };
  }

  /**
   * To be called when the work is done, after `close`: deletes the least recently used entries until the rest is
   * within the limit. Those that a process has open stay. Walks through the whole folder, unless nothing was written
   * by way of this object.
   */
  async trim(): Promise<void> {
    if (!this.#store.hasGrown) return;
    const entries = await this.#entries();
    await this.#store.attempt(async () => {
      await this.#store.removeAbandoned();
      let bytes = sizeOf(entries);
      for (const entry of entries.reverse()) {
        if (bytes <= this.#limit) break;
        if (await isInUse(entry.folder)) continue;
        await this.#store.discard(entry.folder);
        bytes -= entry.bytes;
      }
    });
  }

  /** Removes what was only for this process: marks of use, scratch, and entries that were opened for nothing. */
  close(): Promise<void> {
    return this.#store.attempt(async () => {
      for (const entry of this.#opened.splice(0)) await entry.close();
      await this.#store.close();
      if (!this.#isTemporary) return;
      await rm(this.#store.folder, { recursive: true, force: true });
      spareAtExit(this.#store.folder);
    });
  }

  /** Backups skip a folder that bears the tag: one that holds anything of the user's must not get it. */
  async #make(): Promise<void> {
    const { folder } = this.#store;
    await this.#store.make();
    const isOurs = (name: string) => name === SCRATCH || ENTRY_NAME.test(name);
    if ((await readdir(folder)).every(isOurs)) await this.#store.put(TAG_TEXT, join(folder, TAG));
  }

  /** Most recently used first. Nothing but what a cache makes is an entry, and no link is one. */
  #entries(): Promise<(CachedRepository & { readonly folder: string })[]> {
    return this.#store.attempt(async () => {
      if (!this.#store.exists()) return [];
      const found = [];
      for (const child of await readdir(this.#store.folder, { withFileTypes: true })) {
        const kind = ENTRY_NAME.exec(child.name)?.[1] as CacheKind | undefined;
        if (!kind || !child.isDirectory()) continue;
        const folder = join(this.#store.folder, child.name);
        const used = lastUse(folder);
        if (!used) continue;
        found.push({
          folder,
          address: addressOf(folder) ?? child.name,
          kind,
          bytes: await bytesBelow(folder),
          used,
        });
      }
      return found.sort((a, b) => b.used.getTime() - a.used.getTime() || (a.folder < b.folder ? -1 : 1));
    });
  }
}

/** What tells one entry of a kind from another: GitHub's names ignore case. */
function keyOf(kind: CacheKind, address: string): string {
  return kind === 'github' ? address.toLowerCase() : address;
}

/** `undefined` where the entry is gone. */
function lastUse(folder: string): Date | undefined {
  const quiet = { throwIfNoEntry: false } as const;
  return (statSync(join(folder, USED), quiet) ?? statSync(folder, quiet))?.mtime;
}

function addressOf(folder: string): string | undefined {
  try {
    const { address } = JSON.parse(readFileSync(join(folder, ABOUT), 'utf8'));
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}

function sizeOf(entries: readonly CachedRepository[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
