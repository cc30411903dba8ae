import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { Damage } from './context/damage.ts';
import { type Document, readDocument } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { parseExistingKey } from './context/keys.ts';
import { type Change, type Edit, Journal } from './journal/journal.ts';
import { clearCopies, keepCopy } from './store/copy.ts';
import { FILES, type Files } from './store/files.ts';
import { readFile, unusable, updateFile } from './store/update.ts';

export type ScopeName = 'global' | 'project';

/** What a change is made upon. */
export interface Base {
  readonly document: Document;
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
  /** How many bytes the diary had when it was seen last. */
  #diaryLength = 0;
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
  }

  /** The facts as they are. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async read(): Promise<Document> {
    const state = await this.#load();
    if (!this.#savedOver(state)) return state.document;
    try {
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
    for (;;) {
      const outcome = await this.#update(cause, plan);
      if (outcome !== 'put back') return outcome.answer;
    }
  }

  /**
   * Puts other facts in the place of a file that can't be read, `keep` having been called, and gives the number of the
   * change; `undefined` if the file holds something else by now. Throws what `keep` and `updateFile` throw.
   */
  async replace(
    damaged: Buffer,
    { bytes: made, edits }: Pick<Plan<never>, 'bytes' | 'edits'>,
    cause: Cause,
    keep: () => void,
  ): Promise<number | undefined> {
    const [from, to] = [hashOf(damaged), hashOf(made)];
    const attempt = new Attempt(this.journal);
    return updateFile<number | undefined>(
      this.contextPath,
      (bytes) => {
        attempt.withdraw();
        if (!bytes?.equals(damaged)) return { answer: undefined };
        keep();
        this.#voidUnfinished(from);
        attempt.announce({ at: this.#now().toISOString(), ...cause, edits, from, to });
        return { bytes: made, answer: attempt.number, outdated: () => attempt.withdraw() };
      },
      { files: this.#files },
    );
  }

  /**
   * All changes, newest first. One that was announced and is not what the file holds never came about. Throws
   * `MEMORY_UNREADABLE`.
   */
  async changes(): Promise<Change[]> {
    const options = { files: this.#files };
    const changes = this.#logged();
    const bytes = await readFile(this.contextPath, options);
    if (!this.#isLastUnfinished(changes, bytes)) return changes;
    // Somebody may just be making it, which is over for who has the lock.
    return await updateFile(this.contextPath, (now) => ({ answer: this.#settled(now) }), options).catch(() =>
      this.#settled(bytes),
    );
  }

  /** All changes, if nobody is making one. */
  #settled(bytes: Buffer | undefined): Change[] {
    const changes = this.#logged();
    if (this.#isLastUnfinished(changes, bytes)) changes[0] = { ...(changes[0] as Change), void: UNFINISHED };
    return changes;
  }

  #isLastUnfinished([last]: readonly Change[], bytes: Buffer | undefined): boolean {
    return last !== undefined && this.#isUnfinished(last, hashOf(bytes));
  }

  #logged(): Change[] {
    try {
      return [...this.journal.newest()];
    } catch (error) {
      throw unusable('read', this.journal.path, error);
    }
  }

  /** The diary as it is, `undefined` if there is none. Throws `MEMORY_UNREADABLE`. */
  async readDiary(): Promise<Buffer | undefined> {
    const diary = await readFile(this.diaryPath, { files: this.#files, isWhole: this.#isWholeDiary });
    this.#diaryLength = diary?.length ?? 0;
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
    this.#diaryLength = length;
    return answer;
  }

  async #update<T>(cause: Cause, plan: (base: Base) => Plan<T>): Promise<{ answer: T } | 'put back'> {
    const attempt = new Attempt(this.journal);
    const outdated = () => attempt.withdraw();
    let next: State | undefined;
    const outcome = await updateFile<{ answer: T } | 'put back'>(
      this.contextPath,
      (bytes) => {
        attempt.withdraw();
        const state = this.#stateOf(bytes);
        next = state;
        const make = (by: Cause, { bytes: made, edits, undoes }: Omit<Plan<T>, 'answer'>) => {
          if (state.bytes ? made.equals(state.bytes) : edits.length === 0) return undefined;
          next = this.#stateOf(made);
          const { hash: to } = next;
          const at = this.#now().toISOString();
          attempt.announce({ at, ...by, undoes, edits, from: state.hash, to });
          return made;
        };
        this.#voidUnfinished(state.hash);
        const lost = this.#savedOver(state);
        if (lost) return { bytes: make(PUT_BACK, lost), answer: 'put back', outdated };
        const planned = plan({ document: state.document, journal: this.journal });
        const made = make(cause, planned);
        return { bytes: made, answer: { answer: planned.answer(attempt.number) }, outdated };
      },
      { files: this.#files, isWhole: (bytes) => this.#isWhole(bytes) },
    );
    if (next) this.#take(next);
    return outcome;
  }

  async #load(): Promise<State> {
    const isWhole = (bytes: Buffer) => this.#isWhole(bytes);
    return this.#take(this.#stateOf(await readFile(this.contextPath, { files: this.#files, isWhole })));
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
  #voidUnfinished(hash: string): void {
    const last = newestOf(this.journal);
    if (last && this.#isUnfinished(last, hash)) this.journal.voidChange(last.change, UNFINISHED);
  }

  /** Whether a change was announced and never made: the file holds what it did before, and wasn't saved since. */
  #isUnfinished({ void: why, at, from, to }: Change, hash: string): boolean {
    if (why !== undefined || from !== hash || to === hash) return false;
    const placed = this.#stats()?.ctimeMs;
    return placed === undefined || Math.floor(placed) <= Date.parse(at);
  }

  #stats(): Stats | undefined {
    return this.#files.statSync(this.contextPath, { throwIfNoEntry: false });
  }

  /**
   * What puts back what changes of the last two seconds did, where the file, saved since, holds what it did before them:
   * whoever saved it had read it before, and meant to change something else. `undefined` if there is nothing to put back.
   */
  #savedOver(state: State): Omit<Plan<never>, 'answer'> | undefined {
    const stats = this.#stats();
    if (!stats || !state.bytes) return undefined;
    const newest = new Map<string, { readonly edit: Edit; readonly before: (string | undefined)[] }>();
    let count = 0;
    for (const change of this.journal.newest()) {
      const at = Date.parse(change.at);
      if (change.to === state.hash || stats.mtimeMs - at > STALE || ++count > RECENT) break;
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

/** A change that is in the journal already, and comes about or is withdrawn. */
class Attempt {
  /** None if there is nothing to change. */
  number: number | undefined;
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  announce(change: Omit<Change, 'change' | 'void'>): void {
    this.number = this.#journal.append(change);
  }

  withdraw(): void {
    if (this.number !== undefined) this.#journal.voidChange(this.number, 'somebody else changed the file');
    this.number = undefined;
  }
}

/** The JSON that stands at a key of the journal. */
export function jsonAt(document: Document, key: string): string | undefined {
  return document.find(parseExistingKey(key), { literal: false })?.json();
}

/** The rest of a key that is within another one, as it is written; empty for the same key, `undefined` for others. */
function within(outer: string, key: string): string | undefined {
  if (key === outer) return '';
  return key.startsWith(`${outer}.`) ? key.slice(outer.length + 1) : undefined;
}

/** The JSON that stands at a key within a section that is given as JSON; of an empty key all of it. */
function jsonIn(json: string | undefined, key: string): string | undefined {
  if (key === '' || !json?.startsWith('{')) return key === '' ? json : undefined;
  return jsonAt(readDocument(Buffer.from(json)), key);
}

/**
 * A document with what edits did to it. What can't be, because something else is in its place by now, is left out;
 * `undefined` if that is all.
 */
function restored(document: Document, edits: readonly Edit[]): Omit<Plan<never>, 'answer'> | undefined {
  const draft = new Draft(document);
  const made = edits.filter(({ key, after }) => {
    try {
      if (after === undefined) draft.remove(parseExistingKey(key));
      else draft.set(parseExistingKey(key), after);
      return true;
    } catch {
      return false;
    }
  });
  return made.length > 0 ? { bytes: draft.finish(), edits: made } : undefined;
}

function newestOf(journal: Journal): Change | undefined {
  for (const change of journal.newest()) return change;
  return undefined;
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

function hashOf(bytes: Buffer | undefined): string {
  return bytes ? createHash('sha256').update(bytes).digest('hex') : '';
}
