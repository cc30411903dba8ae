import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { Damage } from './context/damage.ts';
import { type Document, readDocument } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { splitKey } from './context/keys.ts';
import { EditMaker } from './journal/edits.ts';
import { jsonIn, within } from './journal/history.ts';
import { type Change, type Edit, Journal, type Look } from './journal/journal.ts';
import { spliceBetween } from './journal/splice.ts';
import { clearCopies, keepCopy, readCopy } from './store/copy.ts';
import { FILES, type Files, unless } from './store/files.ts';
import { type FileOptions, readFile, updateFile } from './store/update.ts';
import { isSameOrNone } from './value.ts';

export type ScopeName = 'global' | 'project';

/** What is in the place of `last-good.json`, the copy of the facts. */
export type CopyState = 'kept' | 'none' | 'not a file';

/** What a change is made upon. */
export interface Base {
  readonly document: Document;
  /** The SHA-256 of the file, in hex; empty if there is none. */
  readonly hash: string;
  readonly journal: Journal;
}

/** What a change does. */
export interface Plan<T> {
  /** What the file holds then. */
  readonly bytes: Buffer;
  readonly edits: readonly Edit[];
  readonly undoes?: number | undefined;
  /** Gets the number of the change; none if the file holds that already. */
  answer(change: number | undefined): T;
}

/** Who changes something, and why. */
export interface Cause {
  readonly who: string;
  readonly why?: string | undefined;
}

/** All changes of facts, the newest first. */
export interface Log {
  readonly changes: readonly Change[];
  /** How many lines of the journal can't be read. */
  readonly unreadable: number;
}

/** A file's content that could be read. */
interface State {
  /** None if there is no file. */
  readonly bytes: Buffer | undefined;
  readonly document: Document;
  /** The SHA-256 in hex; empty if there is no file. */
  readonly hash: string;
}

const PUT_BACK: Cause = { who: 'plimsoll', why: 'an older copy of the file was saved over it' };

const UNFINISHED = 'the file is as it was before';

const LOST = /^context\.lost-[\da-f]{12}\.json$/;

/** How long after a change an editor may save a copy that is older than it, in milliseconds. */
const STALE = 2000;

/** How far a file's time may be behind the clock, in milliseconds. */
const SLACK = 10;

/** How many changes are looked at for what was saved over. */
const RECENT = 1000;

/** Facts and a diary in one folder. */
export class Scope {
  readonly name: ScopeName;
  readonly folder: string;
  readonly contextPath: string;
  readonly diaryPath: string;
  readonly lastGoodPath: string;
  readonly journal: Journal;
  readonly #files: Files;
  readonly #now: () => Date;
  /** What was read last, so that it isn't read again while the file is the same. */
  #state: State | undefined;
  /** How the file of the facts is read and changed. */
  readonly #factsOptions: FileOptions;
  /** How many bytes the diary had when it was seen last. */
  #diaryLength = 0;
  /** Whether there was a diary when it was read or written to. */
  #hadDiary = false;
  /** Diaries grow: one that is shorter than it was is perhaps not all that an editor is saving. */
  readonly #isWholeDiary = (diary: Buffer): boolean => diary.length >= this.#diaryLength;
  /** What `last-good.json` holds, as far as is known. */
  #kept: State | undefined;

  constructor(name: ScopeName, folder: string, now: () => Date, files: Files = FILES) {
    this.name = name;
    this.folder = folder;
    this.contextPath = join(folder, 'context.json');
    this.diaryPath = join(folder, 'diary.md');
    this.lastGoodPath = join(folder, 'last-good.json');
    this.journal = new Journal(join(folder, 'changes.jsonl'), files);
    this.#now = now;
    this.#files = files;
    this.#factsOptions = {
      files,
      isWhole: (bytes) => this.#isWhole(bytes),
      wasThere: () => isThere(this.lastGoodPath, files),
    };
  }

  /** Whether the facts were read before, by this process or another, and their file isn't there any more. */
  isGone(): boolean {
    const wasThere = this.#kept !== undefined || this.copy() === 'kept';
    return wasThere && !isThere(this.contextPath, this.#files);
  }

  /** Whether this process has read or written the diary, and its file isn't there any more. */
  isDiaryGone(): boolean {
    return this.#hadDiary && !isThere(this.diaryPath, this.#files);
  }

  /** What is in the place of the copy; one that can't be looked at may be one. */
  copy(): CopyState {
    try {
      const stats = this.#files.statSync(this.lastGoodPath, { throwIfNoEntry: false });
      if (!stats) return 'none';
      return stats.isFile() ? 'kept' : 'not a file';
    } catch {
      return 'kept';
    }
  }

  /** The files, absolute, that hold what was in facts that were gone when new ones were begun. */
  lost(): string[] {
    const names = unless(['ENOENT', 'ENOTDIR'], () => this.#files.readdirSync(this.folder)) ?? [];
    return names.filter((name) => LOST.test(name)).map((name) => join(this.folder, name));
  }

  /** The facts as they are. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async read(): Promise<Document> {
    const state = await this.#load();
    try {
      if (!this.#savedOver(state, this.journal.look())) return state.document;
      await this.change(PUT_BACK, ({ document }) => ({
        bytes: document.bytes,
        edits: [],
        answer: () => undefined,
      }));
      return (await this.#load()).document;
    } catch {
      return state.document;
    }
  }

  /**
   * Changes the facts. What `plan` throws is thrown, and nothing changed; it is called again, with another base, if
   * somebody else changed the file meanwhile. Throws `MEMORY_DAMAGED` and what `updateFile` throws.
   */
  async change<T>(cause: Cause, plan: (base: Base) => Plan<T>): Promise<T> {
    const attempt = new Attempt<{ answer: T }>(this.journal, this.#now);
    for (;;) {
      const outcome = await this.#update(attempt, cause, plan);
      if (outcome !== 'put back') return outcome.answer;
    }
  }

  /**
   * Puts other facts in the place of a file that can't be read or is gone, `keep` having been called, and gives the number
   * of the change; `undefined` if the file holds something else by now. Throws what `keep` and `updateFile` throw.
   */
  async replace(
    damaged: Buffer | undefined,
    { bytes: made, edits }: Pick<Plan<never>, 'bytes' | 'edits'>,
    cause: Cause,
    keep: () => void,
  ): Promise<number | undefined> {
    const [from, to] = [hashOf(damaged), hashOf(made)];
    const attempt = new Attempt(this.journal, this.#now);
    return updateFile<number | undefined>(
      this.contextPath,
      (bytes) => {
        attempt.withdraw();
        if (!isSame(bytes, damaged)) return { answer: undefined };
        keep();
        const look = this.journal.look();
        this.#voidUnfinished(look, from);
        attempt.plan(look, { ...cause, edits, from, to });
        return { bytes: made, answer: attempt.number, ...attempt.steps };
      },
      { files: this.#files },
    );
  }

  /**
   * All changes. Of the newest it is told that it never came about, if the facts can be read and are as they were before
   * it. Throws `MEMORY_UNREADABLE`.
   */
  async log(): Promise<Log> {
    const options = { files: this.#files };
    const log = this.journal.read();
    const facts = await readFile(this.contextPath, options).then(
      (bytes) => ({ bytes }),
      () => undefined,
    );
    if (!facts || !this.#isLastUnfinished(log, facts.bytes)) return log;
    // Somebody may just be making it, which is over for who has the lock.
    return await updateFile(this.contextPath, (now) => ({ answer: this.#settled(now) }), options).catch(() =>
      this.#settled(facts.bytes),
    );
  }

  /** All changes, if nobody is making one. */
  #settled(bytes: Buffer | undefined): Log {
    const log = this.journal.read();
    const [last, ...earlier] = log.changes;
    if (!last || !this.#isLastUnfinished(log, bytes)) return log;
    return { ...log, changes: [{ ...last, void: UNFINISHED }, ...earlier] };
  }

  #isLastUnfinished({ changes: [last] }: Log, bytes: Buffer | undefined): boolean {
    return last !== undefined && this.#isUnfinished(last, hashOf(bytes));
  }

  /** The diary as it is, `undefined` if there is none. Throws `MEMORY_UNREADABLE`. */
  async readDiary(): Promise<Buffer | undefined> {
    const diary = await readFile(this.diaryPath, { files: this.#files, isWhole: this.#isWholeDiary });
    this.#sawDiary(diary?.length);
    return diary;
  }

  /** Changes the diary, as `updateFile` changes a file, and throws what that throws. */
  async changeDiary<T>(
    change: (diary: Buffer | undefined) => { readonly bytes: Buffer; readonly answer: T },
  ): Promise<T> {
    let length = 0;
    const answer = await updateFile(
      this.diaryPath,
      (diary) => {
        const made = change(diary);
        length = made.bytes.length;
        return made;
      },
      { files: this.#files, isWhole: this.#isWholeDiary },
    );
    this.#sawDiary(length);
    return answer;
  }

  #sawDiary(length: number | undefined): void {
    this.#diaryLength = length ?? 0;
    this.#hadDiary ||= length !== undefined;
  }

  async #update<T>(
    attempt: Attempt<{ answer: T }>,
    cause: Cause,
    plan: (base: Base) => Plan<T>,
  ): Promise<{ answer: T } | 'put back'> {
    let next: State | undefined;
    const outcome = await updateFile<{ answer: T } | 'put back'>(
      this.contextPath,
      (bytes) => {
        const state = this.#stateOf(bytes);
        next = state;
        const done = attempt.doneIn(state.document);
        if (done) return { answer: done };
        const look = this.journal.look();
        const make = (one: Attempt<unknown>, by: Cause, planned: Omit<Plan<unknown>, 'answer'>) => {
          const { bytes: made, edits, undoes } = planned;
          if (state.bytes ? made.equals(state.bytes) : edits.length === 0) return undefined;
          const gone = state.bytes ? undefined : this.#keepLost();
          next = this.#stateOf(made);
          const all = gone ? edits.map((edit) => replacing(edit, gone)) : edits;
          const isPlain = gone !== undefined || all.every(isReplacement);
          const back = isPlain ? undefined : spliceBetween(made, state.document.bytes);
          one.plan(look, { ...by, undoes, edits: all, from: state.hash, to: next.hash, back });
          return made;
        };
        this.#voidUnfinished(look, state.hash);
        const lost = this.#savedOver(state, look);
        if (lost) {
          const back = new Attempt(this.journal, this.#now);
          return { bytes: make(back, PUT_BACK, lost), answer: 'put back', ...back.steps };
        }
        attempt.withdraw();
        const planned = plan({ document: state.document, hash: state.hash, journal: this.journal });
        const made = make(attempt, cause, planned);
        const answer = { answer: planned.answer(attempt.number) };
        attempt.outcome = answer;
        return { bytes: made, answer, ...attempt.steps };
      },
      this.#factsOptions,
    );
    if (next) this.#take(next);
    return outcome;
  }

  /** Keeps what was in a file that is gone, and gives it: the new one is the last good state from now on. */
  #keepLost(): Document | undefined {
    const lost = readCopy(this.lastGoodPath, this.#files);
    if (!lost) return undefined;
    keepCopy(join(this.folder, `context.lost-${hashOf(lost).slice(0, 12)}.json`), lost, this.#files);
    return isWhole(lost) ? readDocument(lost) : undefined;
  }

  async #load(): Promise<State> {
    return this.#take(this.#stateOf(await readFile(this.contextPath, this.#factsOptions)));
  }

  #take(state: State): State {
    if (state.bytes && this.#kept !== state) {
      if (!this.#kept) clearCopies(this.lastGoodPath, this.#files);
      keepCopy(this.lastGoodPath, state.bytes, this.#files);
      this.#kept = state;
    }
    return state;
  }

  #stateOf(bytes: Buffer | undefined): State {
    if (this.#state && isSame(this.#state.bytes, bytes)) return this.#state;
    try {
      this.#state = { bytes, document: readDocument(bytes), hash: hashOf(bytes) };
      return this.#state;
    } catch (error) {
      throw error instanceof Damage ? error.in(this.contextPath) : error;
    }
  }

  #isWhole(bytes: Buffer): boolean {
    try {
      return this.#stateOf(bytes) !== undefined;
    } catch {
      return false;
    }
  }

  /** A last change that a process was killed before making gets a word about that. */
  #voidUnfinished(look: Look, hash: string): void {
    const [last] = look.newest();
    if (last && this.#isUnfinished(last, hash)) this.journal.voidChange(last.change, UNFINISHED);
  }

  /**
   * Whether a change was announced and never made: the file holds what it did before, and wasn't saved since. Where there
   * is no file, somebody may have taken it away since, if there is a copy of one.
   */
  #isUnfinished({ void: why, at, from, to }: Change, hash: string): boolean {
    if (why !== undefined || from !== hash || to === hash) return false;
    const placed = this.#stats()?.ctimeMs;
    if (placed === undefined) return !isThere(this.lastGoodPath, this.#files);
    return Math.floor(placed) <= Date.parse(at);
  }

  #stats(): Stats | undefined {
    return this.#files.statSync(this.contextPath, { throwIfNoEntry: false });
  }

  /**
   * What puts back what changes of the last two seconds did, where the file, saved since, holds what it did before them:
   * whoever saved it had read it before, and meant to change something else. `undefined` if there is nothing to put back.
   */
  #savedOver(state: State, look: Look): Omit<Plan<never>, 'answer'> | undefined {
    const stats = this.#stats();
    if (!stats || !state.bytes) return undefined;
    // A backup that is put back bears the time at which it was made; what was done to its file counts.
    const saved = Math.max(stats.mtimeMs, stats.ctimeMs);
    const newest = new Map<string, { readonly edit: Edit; readonly before: (string | undefined)[] }>();
    let count = 0;
    for (const change of look.newest()) {
      const at = Date.parse(change.at);
      if (change.to === state.hash || saved - at > STALE || ++count > RECENT) break;
      // An editor may have written a file before the change, and have given it its name afterwards.
      if (change.void !== undefined || stats.ctimeMs - at < -SLACK) continue;
      for (const edit of change.edits) {
        let isOverlaid = false;
        for (const [key, { before }] of newest) {
          const rest = within(edit.key, key);
          if (rest !== undefined) before.push(jsonIn(edit.before, rest));
          isOverlaid ||= rest !== undefined || within(key, edit.key) !== undefined;
        }
        if (!isOverlaid) newest.set(edit.key, { edit, before: [edit.before] });
      }
    }
    const lost = [...newest.values()].flatMap(({ edit, before }) => {
      const present = jsonAt(state.document, edit.key);
      return present !== edit.after && before.includes(present) ? [{ ...edit, before: present }] : [];
    });
    return lost.length > 0 ? restored(state.document, lost) : undefined;
  }
}

/** A change that is planned, written into the journal before it is made, and comes about or is withdrawn. */
class Attempt<T> {
  /** None if there is nothing to change. */
  number: number | undefined;
  /** What it comes to. */
  outcome: T | undefined;
  /** When the change is made, for `updateFile`. */
  readonly steps = { announce: () => this.#announce(), outdated: () => this.withdraw() };
  readonly #journal: Journal;
  readonly #now: () => Date;
  #planned: Change | undefined;
  #edits: readonly Edit[] = [];

  constructor(journal: Journal, now: () => Date) {
    this.#journal = journal;
    this.#now = now;
  }

  plan(look: Look, change: Omit<Change, 'change' | 'at' | 'void'>): void {
    this.number = look.nextNumber();
    this.#edits = change.edits;
    this.#planned = { change: this.number, at: this.#now().toISOString(), ...change };
  }

  /** What the change came to, if it was made, and what somebody has saved since holds it. */
  doneIn(document: Document): T | undefined {
    const isIn = ({ key, after }: Edit) => isSameOrNone(jsonAt(document, key), after);
    return this.#isAnnounced() && this.#edits.every(isIn) ? this.outcome : undefined;
  }

  withdraw(): void {
    if (this.#isAnnounced())
      this.#journal.voidChange(this.number as number, 'somebody else changed the file');
    this.number = undefined;
    this.#planned = undefined;
  }

  #isAnnounced(): boolean {
    return this.number !== undefined && !this.#planned;
  }

  #announce(): void {
    if (this.#planned) this.#journal.append(this.#planned);
    this.#planned = undefined;
  }
}

/** The JSON that stands at a key of the journal. */
export function jsonAt(document: Document, key: string): string | undefined {
  return document.find(splitKey(key), { literal: false })?.json();
}

/**
 * A document with what edits did to it. What can't be, because something else is in its place by now, is left out;
 * `undefined` if that is all.
 */
function restored(document: Document, edits: readonly Edit[]): Omit<Plan<never>, 'answer'> | undefined {
  const draft = new Draft(document);
  const maker = new EditMaker(document);
  const made = edits.flatMap(({ key, after }) => {
    const path = splitKey(key);
    try {
      if (after === undefined) draft.remove(path);
      else draft.set(path, after);
      return [maker.edit(path, after)];
    } catch {
      return [];
    }
  });
  return made.length > 0 ? { bytes: draft.finish(), edits: made } : undefined;
}

/** An edit of a file that is gone, told as one of what was in it: that may be put back where it was. */
function replacing(edit: Edit, gone: Document): Edit {
  const before = edit.before ?? jsonAt(gone, edit.key);
  return before === undefined ? edit : { ...edit, before, made: undefined };
}

function isReplacement({ before, after }: Edit): boolean {
  return before !== undefined && after !== undefined;
}

/** Whether there is anything, also what can't be looked at. */
function isThere(path: string, files: Files): boolean {
  try {
    return files.statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one && other ? one.equals(other) : one === other;
}

/** Whether bytes are facts that can be read. */
export function isWhole(bytes: Buffer): boolean {
  try {
    readDocument(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The SHA-256 of bytes, in hex; empty if there are none. */
export function hashOf(bytes: Buffer | undefined): string {
  return bytes ? createHash('sha256').update(bytes).digest('hex') : '';
}
