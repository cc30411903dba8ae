import type { BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PlimsollError } from '../../errors.ts';
import { Refusal, reasonOf } from '../../spool/folders.ts';
import { visibleName } from '../../text/visible.ts';
import {
  FILES,
  type Files,
  isSystemError,
  makeFolders,
  READING,
  readWhole,
  realPlace,
  remove,
  syncFolder,
  tryRemove,
  unless,
  writeWhole,
} from './files.ts';
import { type Lock, withLock } from './lock.ts';

export interface Change<T> {
  /** What the file holds from now on; as it is, if there are none. */
  readonly bytes?: Buffer | undefined;
  readonly answer: T;
  /** Is called when the new bytes are on the disk, right before they take the file's name. */
  readonly announce?: (() => void) | undefined;
  /**
   * Is called, while the others still wait, if the change was not made, since others have changed the file. Where they did
   * so after it was made, only `change` is called, with what they have saved: that may hold the change.
   */
  readonly outdated?: () => void;
}

export interface FileOptions {
  readonly files?: Files;
  /**
   * Whether bytes are what somebody wanted to save, and not what an editor has written so far. A file that was emptied
   * is never whole. Unless told, every other is.
   */
  readonly isWhole?: (bytes: Buffer) => boolean;
  /**
   * Whether there was a file, where none is: an editor may have given the old one another name, and be about to put the
   * new one in its place. Unless told, there was none.
   */
  readonly wasThere?: () => boolean;
}

const UNTOLD: Required<FileOptions> = { files: FILES, isWhole: () => true, wasThere: () => false };

/** How long an editor may take from its first write to its last, in milliseconds. */
const SAVING = 1000;

/** After this time in milliseconds without a change, what is whole is what somebody wanted to save. */
const CALM = 30;

/** How long to wait, in milliseconds, before looking again at a file that is being saved. */
const LOOK = 10;

/** How long to try, in milliseconds, to replace a file that another program holds. */
const HELD = 2000;

/**
 * How replacing a file fails on Windows while a virus scanner, an indexer or a sync client has it open, and on what is
 * mounted from there. The folder may be written to: the new file is in it already.
 */
const BY_HOLDER = ['EPERM', 'EACCES', 'EBUSY'];

/** How often a change is made anew because others have changed the file, or deleted its folder, meanwhile. */
const ATTEMPTS = 200;

/** A file as it was read. It stays open: what is written into it later can be seen even when it has no name any more. */
interface Snapshot {
  readonly fd: number;
  readonly stats: BigIntStats;
  readonly bytes: Buffer;
}

/**
 * Changes a file whose readers and other writers see what it held before or what it holds then, and nothing between,
 * also after the process was killed or the machine has lost its power. `change` gets the file's bytes, `undefined` if
 * there is none, and says what to put in their place. It is called anew, with other bytes, when somebody else has
 * changed the file meanwhile; only its last answer counts. If it throws, nothing is written.
 *
 * Processes that use this function wait for each other. Editors don't know of that: what they save before the new file
 * takes the old one's name is seen, and so is what they still write into the old one until the new one is on the disk.
 * What is lost is a file that an editor puts into the place in the instant between the last look and the renaming,
 * two system calls in a row, since Node has no call that exchanges two files; what is written into the old file in that
 * instant, if this process is killed before it has put it in the place, or others read the new file before and save that;
 * and what is written into the old file, which has no name any more, later by a program that keeps it open.
 *
 * A link stays a link; mode and owner stay, access lists and extended attributes don't. A new file is for the user
 * alone, and so are the folders that are made for it.
 *
 * Throws `MEMORY_BUSY` if others change the file all the time or one of them doesn't come to an end,
 * `MEMORY_UNWRITABLE` if the file is read-only, its owner can't be kept, another program holds it for 2 seconds, or the
 * system refuses something.
 */
export async function updateFile<T>(
  path: string,
  change: (bytes: Buffer | undefined) => Change<T>,
  options: FileOptions = {},
): Promise<T> {
  const all = { ...UNTOLD, ...options };
  const { files } = all;
  for (let attempt = 0; ; attempt++) {
    try {
      makeFolders(dirname(path), files);
      const real = realPlace(path, files);
      const mayWait = attempt * LOOK < SAVING;
      const outcome = await withLock(real, (lock) => new Update(real, lock, all).make(change, mayWait), {
        files,
      });
      if (typeof outcome === 'object') return outcome.answer;
      if (attempt === ATTEMPTS) throw restless(path);
      if (outcome === 'unfinished') await pause(LOOK);
    } catch (error) {
      // Somebody has deleted the folder, or what was written in it.
      if (!isSystemError(error, 'ENOENT') || attempt === ATTEMPTS) throw unusable('write', path, error);
    }
  }
}

/**
 * A file's bytes, `undefined` if there is none. Where somebody is saving it this moment, waits until it is whole, at most
 * for a second. Throws `MEMORY_UNREADABLE`.
 */
export async function readFile(path: string, options: FileOptions = {}): Promise<Buffer | undefined> {
  const { files, isWhole, wasThere } = { ...UNTOLD, ...options };
  try {
    for (let waited = 0; ; waited += LOOK) {
      const snapshot = open(path, files);
      if (snapshot) files.closeSync(snapshot.fd);
      const isSaving = snapshot ? isBeingSaved(snapshot, isWhole) : wasThere() && isNewlyGone(path, files);
      if (waited >= SAVING || !isSaving) return snapshot?.bytes;
      await pause(LOOK);
    }
  } catch (error) {
    throw unusable('read', path, error);
  }
}

/** One attempt to change a file, under its lock. */
class Update {
  readonly #real: string;
  readonly #lock: Lock;
  readonly #files: Files;
  readonly #isWhole: (bytes: Buffer) => boolean;
  readonly #wasThere: () => boolean;

  constructor(real: string, lock: Lock, { files, isWhole, wasThere }: Required<FileOptions>) {
    this.#real = real;
    this.#lock = lock;
    this.#files = files;
    this.#isWhole = isWhole;
    this.#wasThere = wasThere;
  }

  /**
   * The change that was made; or why it has to be made anew: the file is being saved, or others have changed it, before the
   * change was made or right after it.
   */
  async make<T>(
    change: (bytes: Buffer | undefined) => Change<T>,
    mayWait: boolean,
  ): Promise<Change<T> | 'unfinished' | 'outdated'> {
    this.#sweep();
    const old = open(this.#real, this.#files);
    try {
      const isSaving = () => (old ? isBeingSaved(old, this.#isWhole) : this.#wasThere());
      if (mayWait && isSaving()) return 'unfinished';
      const made = change(old?.bytes);
      if (!made.bytes || old?.bytes.equals(made.bytes)) return made;
      return await this.#put(made, made.bytes, old, change);
    } finally {
      if (old) this.#files.closeSync(old.fd);
    }
  }

  async #put<T>(
    made: Change<T>,
    bytes: Buffer,
    old: Snapshot | undefined,
    change: (bytes: Buffer) => Change<T>,
  ): Promise<Change<T> | 'outdated'> {
    if (!(await this.#replace(old, bytes, made.announce))) {
      made.outdated?.();
      return 'outdated';
    }
    const saved = old && (await this.#savedInto(old));
    return saved ? this.#changeAgain(bytes, saved, change) : made;
  }

  /**
   * Removes the temporary files of those that had the lock before and were killed. One that was only stopped can't put
   * its file in the place any more, so whatever is there is seen before it is changed.
   */
  #sweep(): void {
    const [before, after] = [`.${basename(this.#real)}.`, '.tmp'];
    const folder = dirname(this.#real);
    for (const name of this.#files.readdirSync(folder)) {
      if (!name.startsWith(before) || !name.endsWith(after)) continue;
      const nonce = name.slice(before.length, -after.length);
      if (/^[\da-f]{32}$/.test(nonce)) remove(join(folder, name), this.#files);
    }
  }

  /** Puts bytes in the place of what was read, unless there is something else now. */
  async #replace(old: Snapshot | undefined, bytes: Buffer, announce?: () => void): Promise<boolean> {
    const folder = dirname(this.#real);
    const temporary = join(folder, `.${basename(this.#real)}.${this.#lock.nonce}.tmp`);
    let isReplaced = false;
    try {
      this.#write(temporary, bytes, old?.stats);
      if (announce && !this.#mayReplace(old)) return false;
      announce?.();
      isReplaced = await this.#rename(temporary, old);
    } finally {
      if (!isReplaced) tryRemove(temporary, this.#files);
    }
    if (isReplaced) syncFolder(folder, this.#files);
    return isReplaced;
  }

  /** Gives a new file its name, unless there is something else now. Tries again while another program holds the old one. */
  async #rename(temporary: string, old: Snapshot | undefined): Promise<boolean> {
    let heldSince: number | undefined;
    for (let wait = LOOK; this.#mayReplace(old); wait *= 2) {
      try {
        this.#files.renameSync(temporary, this.#real);
        return true;
      } catch (error) {
        if (!isSystemError(error, ...BY_HOLDER)) throw error;
        heldSince ??= performance.now();
        if (performance.now() - heldSince > HELD) throw held(error);
      }
      await pause(wait);
    }
    return false;
  }

  #write(path: string, bytes: Buffer, like: BigIntStats | undefined): void {
    const files = this.#files;
    const mode = like ? Number(like.mode) & 0o7777 : 0o600;
    if ((mode & 0o222) === 0) throw new Refusal("it is read-only. Make it writable if it's meant to change");
    const fd = files.openSync(path, 'wx', 0o600);
    try {
      if (like) this.#keepOwner(fd, like);
      files.fchmodSync(fd, mode);
      writeWhole(fd, bytes, files);
      files.fsyncSync(fd);
    } finally {
      files.closeSync(fd);
    }
  }

  #keepOwner(fd: number, { uid, gid }: BigIntStats): void {
    const own = this.#files.fstatSync(fd, { bigint: true });
    if (own.uid === uid && own.gid === gid) return;
    try {
      this.#files.fchownSync(fd, Number(uid), Number(gid));
    } catch (error) {
      if (!isSystemError(error, 'EPERM')) throw error;
      throw new Refusal(
        `it belongs to user ${uid} and group ${gid}, and it wouldn't any more. Make it your own, or do this as its owner`,
      );
    }
  }

  #mayReplace(old: Snapshot | undefined): boolean {
    return this.#lock.isOurs() && this.#isStill(old);
  }

  /** Whether what was read is still there, as it was; without anything read, whether there is still nothing. */
  #isStill(old: Snapshot | undefined): boolean {
    if (old && !readWhole(old.fd, this.#files).equals(old.bytes)) return false;
    const now = this.#files.lstatSync(this.#real, { bigint: true, throwIfNoEntry: false });
    return now?.ino === old?.stats.ino && now?.dev === old?.stats.dev;
  }

  /** What an editor has saved into a file that was read and has lost its name since, if any did. */
  async #savedInto({ fd, bytes }: Snapshot): Promise<Buffer | undefined> {
    let now = readWhole(fd, this.#files);
    if (now.equals(bytes)) return undefined;
    for (let waited = 0; waited < SAVING; waited += CALM) {
      const before = now;
      await pause(CALM);
      now = readWhole(fd, this.#files);
      if (now.equals(before) && now.length > 0 && this.#isWhole(now)) break;
    }
    return now.length > 0 ? now : undefined;
  }

  /**
   * Makes the change anew, after it was made, on top of what somebody has saved meanwhile, where it was lost: what they
   * have saved is there then in any case. If they have saved again since, that counts.
   */
  async #changeAgain<T>(
    made: Buffer,
    saved: Buffer,
    change: (bytes: Buffer) => Change<T>,
  ): Promise<Change<T> | 'outdated'> {
    const now = open(this.#real, this.#files);
    if (!now) return 'outdated';
    try {
      if (!now.bytes.equals(made)) return 'outdated';
      let again: Change<T>;
      try {
        again = change(saved);
      } catch (error) {
        await this.#replace(now, saved);
        throw error;
      }
      return await this.#put(again, again.bytes ?? saved, now, change);
    } finally {
      this.#files.closeSync(now.fd);
    }
  }
}

/** Reads a file that stays open; `undefined` if there is none. A pipe isn't waited for. */
function open(path: string, files: Files): Snapshot | undefined {
  const fd = unless(['ENOENT'], () => files.openSync(path, READING));
  if (fd === undefined) return undefined;
  try {
    const stats = files.fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw new Refusal('it is not a file. Put something else in its place');
    return { fd, stats, bytes: readWhole(fd, files) };
  } catch (error) {
    files.closeSync(fd);
    throw error;
  }
}

/** Whether somebody seems to be in the middle of saving: it isn't whole, and was changed a moment ago. */
function isBeingSaved({ bytes, stats }: Snapshot, isWhole: (bytes: Buffer) => boolean): boolean {
  return isRecent(Number(stats.mtimeMs)) && (bytes.length === 0 || !isWhole(bytes));
}

/** Whether a file that isn't there may have been there a moment ago: its folder was changed since. */
function isNewlyGone(path: string, files: Files): boolean {
  const folder = dirname(realPlace(path, files));
  return isRecent(files.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Whether a time, in milliseconds since 1970, is no more than a moment away, whatever the clock was set to. */
function isRecent(at: number): boolean {
  return Math.abs(Date.now() - at) < SAVING;
}

function held(error: unknown): Refusal {
  return new Refusal(
    `it can't be replaced, and is as it was: ${reasonOf(error)}. Have the programs that hold it let it go, such as virus scanners and sync clients, and try again`,
  );
}

function restless(path: string): PlimsollError {
  return new PlimsollError(
    'MEMORY_BUSY',
    `Cannot change '${visibleName(path)}': something else changes it all the time. Stop that and try again.`,
  );
}

/** The error for what the system refuses to do with the file at `path`; others as they are. */
export function unusable(verb: 'read' | 'write', path: string, error: unknown): unknown {
  const { errno } = error as NodeJS.ErrnoException;
  if (errno === undefined && !(error instanceof Refusal)) return error;
  const reason = error instanceof Refusal ? error.message : `${reasonOf(error)}. ${adviceFor(error)}`;
  return new PlimsollError(
    verb === 'read' ? 'MEMORY_UNREADABLE' : 'MEMORY_UNWRITABLE',
    `Cannot ${verb} '${visibleName(path)}': ${reason}.`,
    { cause: error },
  );
}

function adviceFor(error: unknown): string {
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) return 'Make room and try again';
  return 'Mend that, or set PLIMSOLL_DATA_DIR to another folder';
}
