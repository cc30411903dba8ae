import { lstatSync } from 'node:fs';
import { readdir, rename, rm, rmdir, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { removeAtExit, spareAtExit } from '../cache/at-exit.ts';
import { bytesBelow } from '../cache/bytes.ts';
import { newOwnName, removeAbandoned } from '../cache/owner.ts';
import { PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import { Draft, TOO_LARGE } from './draft.ts';
import {
  hasRoot,
  isOwnFolder,
  makeFolder,
  makeRoot,
  openNew,
  Refusal,
  reasonOf,
  withFile,
} from './folders.ts';
import { keptIn, MANIFEST, type Manifest, manifestOf, readManifest, shortOrigin } from './manifest.ts';
import { isName, newName } from './names.ts';
import type { Found, Listed, Origin } from './types.ts';

export type { Draft, PartWriter } from './draft.ts';

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

/** The root's folder for what isn't done yet, and for what is being deleted. */
const SCRATCH = 'tmp';
/** The root's folder for what is remembered of results that were deleted to keep the spool small. */
const EXPIRED = 'expired';
const EXPIRED_FILE = /^([a-z2-7]{16})\.json$/;

const LONGEST_MEMORY = 30 * DAY;
const MOST_REMEMBERED = 1000;

/** Within this time the spool is looked through once, unless it is known to be full. */
const PATIENCE = 10 * SECOND;

/** How often a session's folder is made anew because others took it away, being empty. */
const ATTEMPTS = 10;

export interface SpoolOptions {
  readonly folder: string;
  /** How long a result is kept after it was last read, in milliseconds. */
  readonly maxAge?: number;
  /** What all results may take, in bytes. */
  readonly maxBytes?: number;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** What `Spool.clear` deletes: all, or what all that is told applies to. */
export interface Clearing {
  readonly handle?: string | undefined;
  /** Milliseconds since it was last read or, if it never was, kept. */
  readonly olderThan?: number | undefined;
}

/** A kept result as its folder tells without its manifest being read. */
interface Entry {
  readonly folder: string;
  readonly handle: string;
  /** When it was last read or, if it never was, kept. */
  readonly used: number;
  readonly bytes: number;
}

/** A spool for one session. Nothing is touched before something is kept or looked for. */
export function openSpool(options: SpoolOptions): Spool {
  return new Spool(options);
}

/**
 * Keeps results on disk, each in a folder `<session>/<handle>` of its own, for this process and others. Who knows a
 * handle finds it, whatever the session, unless only what is of this one is looked for. What is too old, or least recently read of what is too much, is deleted, and
 * remembered for 30 days. Several processes may do all of that at once: what comes and goes does so by renaming.
 * Folders have mode 0700, files 0600. Nothing is synced: after a power failure a file may be shorter than it was written.
 */
export class Spool {
  readonly session = newName();
  readonly #root: string;
  readonly #maxAge: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** Of results that were seen before: they don't change. */
  #bytes = new Map<string, number>();
  /** What all results took when the spool was looked through, and what came since. */
  #known = 0;
  #lookedThrough: number | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor({ folder, maxAge = 7 * DAY, maxBytes = 1024 ** 3, now = Date.now }: SpoolOptions) {
    this.#root = resolve(folder);
    this.#maxAge = maxAge;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** Starts to keep a result. Never rejects: what goes wrong is told when it is published. */
  async begin(origin: Origin): Promise<Draft> {
    return new Draft(
      {
        limit: this.#maxBytes,
        now: this.#now,
        makeTemporary: () => this.#makeTemporary(),
        removeTemporary: (folder) => this.#removeTemporary(folder),
        keep: (temporary, handle) => this.#keep(temporary, handle),
      },
      shortOrigin(origin),
    );
  }

  /**
   * What a handle stands for, of this session or of any; `undefined` for one that never was or is forgotten, and where
   * the spool can't be used. What is found counts as read now.
   */
  async find(handle: string, scope: 'session' | 'all' = 'all'): Promise<Found | undefined> {
    if (!isName(handle)) return undefined;
    return await this.#look(() => this.#find(handle, scope), undefined);
  }

  /** What there is, newest first; nothing where the spool can't be used. */
  async list(scope: 'session' | 'all'): Promise<Listed[]> {
    await this.sweep();
    return await this.#look(() => this.#list(scope), []);
  }

  /**
   * Deletes results of all sessions, and tells how many that were and what they took. What is deleted so is not
   * remembered. Throws `SPOOL_UNWRITABLE` where the system refuses.
   */
  async clear({ handle, olderThan }: Clearing = {}): Promise<{ results: number; bytes: number }> {
    try {
      if (!hasRoot(this.#root)) return { results: 0, bytes: 0 };
      const now = this.#now();
      const entries = (await this.#entries()).filter(
        (entry) =>
          (handle === undefined || entry.handle === handle) &&
          (olderThan === undefined || now - entry.used > olderThan),
      );
      for (const { folder } of entries) await this.#discard(folder);
      await this.#forget((name, used) =>
        handle === undefined
          ? olderThan === undefined || now - used > olderThan
          : name === handle && olderThan === undefined,
      );
      await this.#removeEmpty();
      this.#lookedThrough = undefined;
      return { results: entries.length, bytes: sumOf(entries) };
    } catch (error) {
      const where = visibleName(this.#root);
      const message = `Cannot use the spool folder '${where}': ${reasonOf(error)}. Set PLIMSOLL_SPOOL_DIR.`;
      throw new PlimsollError('SPOOL_UNWRITABLE', message, { cause: error });
    }
  }

  /**
   * Deletes what is too old, then what was not read for the longest time until the rest is no more than may be, and what
   * processes that were killed have left behind. Never rejects for what the system refuses: others may do it later.
   */
  sweep(): Promise<void> {
    return this.#sweepFor(0);
  }

  /** Reads in the spool, unless that can't be: then there is nothing. */
  async #look<T>(read: () => Promise<T>, nothing: T): Promise<T> {
    try {
      return hasRoot(this.#root) ? await read() : nothing;
    } catch (error) {
      reasonOf(error);
      return nothing;
    }
  }

  async #find(handle: string, scope: 'session' | 'all'): Promise<Found | undefined> {
    if (this.#isDue()) await this.sweep();
    const isMeant = (session: string | undefined) => scope === 'all' || session === this.session;
    for (const session of (await this.#sessions()).filter(isMeant)) {
      const folder = join(this.#root, session, handle);
      const used = usedAt(folder);
      const manifest = used !== undefined && (await readManifest(join(folder, MANIFEST)));
      if (!manifest) continue;
      const { origin, at } = manifest;
      if (this.#isTooOld(used)) {
        await this.#bury(folder, handle).catch(reasonOf);
        return { expired: origin, at };
      }
      await utimes(join(folder, MANIFEST), this.#now() / 1000, this.#now() / 1000).catch(reasonOf);
      return { kept: keptIn(folder, manifest), origin, at };
    }
    const remembered = await readManifest(join(this.#root, EXPIRED, `${handle}.json`));
    if (!remembered || !isMeant(remembered.session)) return undefined;
    return { expired: remembered.origin, at: remembered.at };
  }

  async #list(scope: 'session' | 'all'): Promise<Listed[]> {
    const listed: Listed[] = [];
    for (const { folder, bytes } of await this.#entries(scope === 'all' ? undefined : this.session)) {
      const manifest = await readManifest(join(folder, MANIFEST));
      if (!manifest) continue;
      listed.push({ kept: keptIn(folder, manifest), origin: manifest.origin, at: manifest.at, bytes });
    }
    return listed.sort((a, b) => b.at - a.at || (a.kept.handle < b.kept.handle ? -1 : 1));
  }

  /** Sweeps such that so many bytes more find room. */
  #sweepFor(bytes: number): Promise<void> {
    this.#sweeping = this.#sweeping.then(async () => {
      try {
        if (hasRoot(this.#root)) await this.#sweep(bytes);
      } catch (error) {
        reasonOf(error);
      }
    });
    return this.#sweeping;
  }

  async #sweep(needed: number): Promise<void> {
    await removeAbandoned(join(this.#root, SCRATCH)).catch(reasonOf);
    const entries = await this.#entries();
    const young = entries.filter(({ used }) => !this.#isTooOld(used));
    for (const { folder, handle, used } of entries) {
      if (this.#isTooOld(used)) await this.#bury(folder, handle).catch(reasonOf);
    }
    let bytes = sumOf(young);
    for (const entry of young.sort((a, b) => a.used - b.used || (a.handle < b.handle ? -1 : 1))) {
      if (bytes + needed <= this.#maxBytes) break;
      await this.#bury(entry.folder, entry.handle).catch(reasonOf);
      bytes -= entry.bytes;
    }
    this.#known = bytes;
    this.#lookedThrough = this.#now();
    await this.#forget((_, used, rank) => this.#now() - used > LONGEST_MEMORY || rank >= MOST_REMEMBERED);
    await this.#removeEmpty();
  }

  /** Removes sessions without results. One that is wanted again is made again. */
  async #removeEmpty(): Promise<void> {
    for (const session of await this.#sessions()) await rmdir(join(this.#root, session)).catch(reasonOf);
  }

  #isDue(needed = 0): boolean {
    if (this.#lookedThrough === undefined || this.#known + needed > this.#maxBytes) return true;
    return Math.abs(this.#now() - this.#lookedThrough) > PATIENCE;
  }

  /** A time to come is as good as now: the clock was set back. */
  #isTooOld(used: number): boolean {
    return this.#now() - used > this.#maxAge;
  }

  /** No link is one, nor a folder of another user's. */
  async #sessions(): Promise<string[]> {
    return (await namesIn(this.#root)).filter((name) => isName(name) && isOwnFolder(join(this.#root, name)));
  }

  /** What there is, in one session or in all. Nothing is a result that has no manifest. */
  async #entries(only?: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const session of await this.#sessions()) {
      if (only !== undefined && session !== only) continue;
      const folder = join(this.#root, session);
      for (const handle of (await namesIn(folder)).filter(isName)) {
        const entry = await this.#entry(join(folder, handle), handle);
        if (entry) entries.push(entry);
      }
    }
    if (only === undefined) this.#bytes = new Map(entries.map(({ handle, bytes }) => [handle, bytes]));
    return entries;
  }

  async #entry(folder: string, handle: string): Promise<Entry | undefined> {
    const used = usedAt(folder);
    if (used === undefined) return undefined;
    return { folder, handle, used, bytes: this.#bytes.get(handle) ?? (await bytesBelow(folder)) };
  }

  async #makeTemporary(): Promise<string> {
    await makeRoot(this.#root);
    const folder = await this.#newScratch();
    try {
      await makeFolder(folder);
      return folder;
    } catch (error) {
      await this.#removeTemporary(folder);
      throw error;
    }
  }

  /** A path among the root's scratch. */
  async #newScratch(): Promise<string> {
    await makeFolder(join(this.#root, SCRATCH));
    const path = join(this.#root, SCRATCH, newOwnName());
    removeAtExit(path);
    return path;
  }

  async #removeTemporary(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true }).catch(reasonOf);
    spareAtExit(path);
  }

  async #keep(temporary: string, handle: string): Promise<string> {
    const bytes = await bytesBelow(temporary);
    if (bytes > this.#maxBytes) throw new Refusal(TOO_LARGE);
    if (this.#isDue(bytes)) await this.#sweepFor(bytes);
    const session = join(this.#root, this.session);
    for (let attempt = 1; ; attempt++) {
      try {
        await makeFolder(session);
        await rename(temporary, join(session, handle));
        break;
      } catch (error) {
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT' && isOwnFolder(temporary);
        if (!isGone || attempt === ATTEMPTS) throw error;
      }
    }
    spareAtExit(temporary);
    this.#known += bytes;
    return join(session, handle);
  }

  /** Deletes a result, and remembers what it was. */
  async #bury(folder: string, handle: string): Promise<void> {
    const manifest = await readManifest(join(folder, MANIFEST));
    const session = basename(dirname(folder));
    if (manifest) await this.#remember({ ...manifest, session }, handle).catch(reasonOf);
    await this.#discard(folder);
  }

  async #remember({ at, origin, session }: Manifest, handle: string): Promise<void> {
    await makeFolder(join(this.#root, EXPIRED));
    const staged = await this.#newScratch();
    const now = this.#now() / 1000;
    try {
      await withFile(openNew(staged), async (file) => {
        await file.writeFile(JSON.stringify({ ...manifestOf(at, origin, []), session }));
        await file.utimes(now, now);
      });
      await rename(staged, join(this.#root, EXPIRED, `${handle}.json`));
    } finally {
      await this.#removeTemporary(staged);
    }
  }

  /** Deletes a folder such that nobody sees half of it. */
  async #discard(folder: string): Promise<void> {
    const moved = await this.#newScratch();
    try {
      await rename(folder, moved);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    } finally {
      await this.#removeTemporary(moved);
    }
  }

  /** Forgets deleted results; `rank` counts from the one that was deleted last. */
  async #forget(which: (handle: string, deleted: number, rank: number) => boolean): Promise<void> {
    const folder = join(this.#root, EXPIRED);
    if (!isOwnFolder(folder)) return;
    const remembered = (await namesIn(folder))
      .flatMap((file) => EXPIRED_FILE.exec(file)?.[1] ?? [])
      .map((handle) => ({ handle, file: join(folder, `${handle}.json`) }))
      .map(({ handle, file }) => ({ handle, file, deleted: modifiedAt(file) ?? 0 }))
      .sort((a, b) => b.deleted - a.deleted || (a.handle < b.handle ? -1 : 1));
    for (const [rank, { handle, file, deleted }] of remembered.entries()) {
      if (which(handle, deleted, rank)) await rm(file, { force: true });
    }
  }
}

function usedAt(folder: string): number | undefined {
  return isOwnFolder(folder) ? modifiedAt(join(folder, MANIFEST)) : undefined;
}

/** `undefined` where there is no such file. */
function modifiedAt(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.mtimeMs : undefined;
}

/** Nothing where the folder is gone meanwhile. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    reasonOf(error);
    return [];
  }
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
