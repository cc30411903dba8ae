import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PlimsollError } from '../../errors.ts';
import { Refusal } from '../../spool/folders.ts';
import { visibleName } from '../../text/visible.ts';
import {
  FILES,
  type Files,
  isSystemError,
  READING,
  readWhole,
  remove,
  tryRemove,
  unless,
  writeWhole,
} from './files.ts';
import { newOwner, type Owner, parseOwner, stateOf } from './owner.ts';

export interface Lock {
  /** Different for every lock that was ever taken; fit for the name of a file. */
  readonly nonce: string;
  /** Whether nobody has taken it over meanwhile. */
  isOurs(): boolean;
}

export interface LockOptions {
  readonly files?: Files;
  /** How long to wait for others, in milliseconds: 10 seconds unless told. */
  readonly wait?: number;
}

const WAIT = 10_000;

/** After this time in milliseconds a lock whose owner can't be seen from here is taken over. */
const GRACE = 5000;

/** The same for a lock that doesn't tell its owner: who makes one writes that into it at once. */
const GRACE_OF_NOBODY = 1000;

/** The longest pause between two tries, in milliseconds. */
const LONGEST_PAUSE = 16;

/** How a lock file ends that somebody waits for. */
const WANTED = '\n\n';

/** A lock file is shorter. What stands in its place may be anything. */
const MOST_BYTES = 1024;

const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** How opening a link fails, on FreeBSD too, and a socket. */
const NO_FILE = ['ELOOP', 'EMLINK', 'ENXIO'];

/** Who of this process waits for a file. */
interface Queue {
  /** Settles when the last of them is done. */
  last: Promise<unknown>;
  /** When one of them last had the lock, by `performance.now()`. */
  heldAt: number;
}

const queues = new Map<string, Queue>();

/**
 * Runs `work` while this thread alone, of all processes that do the same, changes the file at `path`, which is no link.
 * The lock is the file `.<name>.lock` beside it. Those of one process get it in the order of their calls. `work` should
 * take milliseconds: others wait as long.
 *
 * The lock of a process that has ended is taken over at once; one whose owner can't be seen from here, on another host
 * for instance, when it hasn't changed for 5 seconds. An owner that was only stopped finds that out by `isOurs`.
 *
 * Throws `MEMORY_BUSY` if the lock can't be had for `wait` milliseconds, a `Refusal` if something that is no file is in
 * its place, and what the system refuses as it is.
 */
export async function withLock<T>(
  path: string,
  work: (lock: Lock) => T | Promise<T>,
  { files = FILES, wait = WAIT }: LockOptions = {},
): Promise<T> {
  const queue = queues.get(path) ?? { last: Promise.resolve(), heldAt: 0 };
  const asked = performance.now();
  let isWanted = false;
  const turn = queue.last.then(async () => {
    const isTooLate = () => performance.now() - Math.max(asked, queue.heldAt) > wait;
    const lock = await acquire(path, files, isTooLate);
    try {
      clearTakeOver(lock.file, files);
      return await work(lock);
    } finally {
      queue.heldAt = performance.now();
      isWanted = lock.release();
    }
  });
  // One that took the lock again at once would have it nearly all the time: others pause between their tries.
  const letOthers = () => (isWanted ? pause(LONGEST_PAUSE) : undefined);
  const done = turn.then(letOthers, letOthers);
  queue.last = done;
  queues.set(path, queue);
  void done.then(() => {
    if (queue.last === done) queues.delete(path);
  });
  return await turn;
}

async function acquire(path: string, files: Files, isTooLate: () => boolean): Promise<HeldLock> {
  const file = join(dirname(path), `.${basename(path)}.lock`);
  let seen: { readonly text: string; readonly at: number } | undefined;
  for (let longest = 1; ; longest = Math.min(2 * longest, LONGEST_PAUSE)) {
    const owner = take(file, files);
    if (owner) return new HeldLock(file, owner, files);
    const text = read(file, files);
    const now = performance.now();
    if (text !== seen?.text) seen = text === undefined ? undefined : { text, at: now };
    if (seen && isAbandoned(seen.text, now - seen.at) && takeOver(file, seen.text, files)) continue;
    if (isTooLate()) throw busy(path, file, parseOwner(seen?.text ?? ''));
    if (text && !text.endsWith(WANTED)) ask(file, text, files);
    await pause(Math.random() * longest);
  }
}

class HeldLock implements Lock {
  readonly nonce: string;
  readonly file: string;
  readonly #text: string;
  readonly #files: Files;

  constructor(file: string, owner: Owner, files: Files) {
    this.nonce = owner.nonce;
    this.file = file;
    this.#text = textOf(owner);
    this.#files = files;
  }

  isOurs(): boolean {
    return this.#read().startsWith(this.#text);
  }

  /**
   * A lock that can't be removed is taken over by whoever wants it: by this process at once. Gives whether another one
   * waits for it.
   */
  release(): boolean {
    try {
      const text = this.#read();
      if (text.startsWith(this.#text)) this.#files.unlinkSync(this.file);
      return text.endsWith(WANTED);
    } catch {
      return false;
    }
  }

  #read(): string {
    return read(this.file, this.#files) ?? '';
  }
}

/** Makes a lock file, unless there is one. */
function take(file: string, files: Files): Owner | undefined {
  const fd = unless(['EEXIST'], () => files.openSync(file, 'wx', 0o600));
  if (fd === undefined) return undefined;
  const owner = newOwner();
  try {
    writeWhole(fd, Buffer.from(textOf(owner)), files);
  } catch (error) {
    tryRemove(file, files);
    throw error;
  } finally {
    files.closeSync(fd);
  }
  return owner;
}

function textOf(owner: Owner): string {
  return `${JSON.stringify(owner)}\n`;
}

/**
 * What is in a lock file, nothing if it may not be read; `undefined` if there is none. Throws a `Refusal` for what is no
 * file, or a link: nobody who locks makes one, so waiting for it to go would be in vain.
 */
function read(file: string, files: Files): string | undefined {
  let fd: number;
  try {
    fd = files.openSync(file, READING | NO_LINK);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    if (isSystemError(error, 'EACCES')) return '';
    throw isSystemError(error, ...NO_FILE) ? noFile(file) : error;
  }
  try {
    if (!files.fstatSync(fd).isFile()) throw noFile(file);
    return readWhole(fd, files, MOST_BYTES).toString();
  } finally {
    files.closeSync(fd);
  }
}

/** Has the owner of a lock know that somebody waits for it. */
function ask(file: string, text: string, files: Files): void {
  if (!parseOwner(text)) return;
  try {
    const fd = files.openSync(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      files.writeSync(fd, '\n');
    } finally {
      files.closeSync(fd);
    }
  } catch {}
}

/** `unchanged` is how long the lock has been as it is, in milliseconds, by this process's own clock. */
function isAbandoned(text: string, unchanged: number): boolean {
  const owner = parseOwner(text);
  if (!owner) return unchanged > GRACE_OF_NOBODY;
  const state = stateOf(owner);
  return state === 'gone' || (state === 'unknown' && unchanged > GRACE);
}

/**
 * Removes an abandoned lock, unless it isn't the same any more. Only one process at a time does so, by a lock of the
 * lock: two that had seen the same one would else remove it twice, the second time when it is somebody's.
 */
function takeOver(file: string, abandoned: string, files: Files): boolean {
  const own = `${file}.steal`;
  if (!take(own, files)) {
    clearTakeOver(file, files);
    return false;
  }
  try {
    if (read(file, files) !== abandoned) return false;
    remove(file, files);
    return true;
  } finally {
    tryRemove(own, files);
  }
}

/** Removes what a process has left that was killed while it took a lock over. */
function clearTakeOver(file: string, files: Files): void {
  const own = `${file}.steal`;
  const text = read(own, files);
  if (text === undefined) return;
  const age = Date.now() - (files.statSync(own, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (isAbandoned(text, Math.abs(age))) remove(own, files);
}

function noFile(file: string): Refusal {
  return new Refusal(`its lock, '${visibleName(file)}', is not a file. Delete that and try again`);
}

function busy(path: string, file: string, owner: Owner | undefined): PlimsollError {
  const who = owner ? `process ${owner.pid} on ${visibleName(owner.host)}` : 'another process';
  return new PlimsollError(
    'MEMORY_BUSY',
    `Cannot change '${visibleName(path)}': ${who} is changing it and doesn't come to an end. Try again, end that process, or delete '${visibleName(file)}' if there is none.`,
  );
}
