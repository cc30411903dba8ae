import { PlimsollError } from '../errors.ts';
import { oneLine, shortLine } from './answers/frame.ts';
import { checkCount, checkFunction, checkObject, checkObjects, checkText } from './checks.ts';
import type { Document, Found } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { parseExistingKey, parseKey, shownKey, splitKey, writeKey } from './context/keys.ts';
import type { Repair } from './context/repair.ts';
import {
  addEntries,
  addEntry,
  diaryText,
  type Entry,
  mergeEntries,
  type Picked,
  type Picks,
  pickEntries,
  readEntries,
  strayLine,
  type WrittenEntry,
} from './diary/diary.ts';
import { type EntryPlan, missingEntries } from './diary/missing.ts';
import { EditMaker } from './journal/edits.ts';
import { concerns, isAsLeft } from './journal/history.ts';
import type { Change, Edit } from './journal/journal.ts';
import { lostFiles } from './lost.ts';
import { findProject, memoryAround, memoryOfMainTree, type Project, removedProject } from './projects.ts';
import { type Repaired, type RepairName, repairFacts, repairOf } from './repair.ts';
import { type Cause, type CopyState, jsonAt, Scope, type ScopeName } from './scope.ts';
import { nearestIn, type SearchAsked, type SearchResult, search } from './search/search.ts';
import { partsAt, type Reading, readTogether, type Source } from './sources.ts';
import { FILES, type Files } from './store/files.ts';
import { noChange, takeBack } from './undo.ts';
import { checkedValue, isSameOrNone, isSameValue } from './value.ts';

export * from './answers/answers.ts';
export type { Damage } from './context/damage.ts';
export type { Document, Fact, Found } from './context/document.ts';
export type { Remark } from './context/mend.ts';
export type { Mended, Missing, Proposal, Remarks, Repair } from './context/repair.ts';
export type { Entry, Picked, Picks, WrittenEntry } from './diary/diary.ts';
export type { EntryPlan } from './diary/missing.ts';
export type { Change, Edit } from './journal/journal.ts';
export type { Repaired, RepairName } from './repair.ts';
export type { CopyState, ScopeName } from './scope.ts';
export type { Hit, SearchAsked, SearchResult } from './search/search.ts';
export type { Part, Reading, Source } from './sources.ts';
export type { Files } from './store/files.ts';

/** How much of a value is shown in an error, in UTF-16 code units. */
const SHOWN = 80;

export interface MemoryOptions {
  /** Where `context.json` and `diary.md` are, absolute. It is made when something is written. */
  readonly folder: string;
  /** Where the user works; the memory of a project there is read together with the other one. */
  readonly workFolder?: string | undefined;
  /** Who writes, for the journal: the name of a client or a command. */
  readonly who: string;
  readonly now?: () => Date;
  readonly files?: Files;
}

/** Where something is or was written. */
export interface Where {
  readonly scope: ScopeName;
  /** The file, absolute. */
  readonly file: string;
}

/** A value or a section that was found. */
export interface Got extends Where {
  readonly found: Found;
  /** The key as it stands in the file, written as a user writes it. */
  readonly key: string;
  /** Whether another scope, which isn't as near, has something under the key as well. */
  readonly hides: boolean;
}

/** What setting or deleting came to. */
export interface Done extends Where {
  readonly key: string;
  readonly was: string | undefined;
  readonly now: string | undefined;
  /** What stood under a deleted key besides, since the file had it several times: as JSON, in its order. */
  readonly earlier?: readonly string[] | undefined;
  /** The number to undo it with; none if nothing changed. */
  readonly change: number | undefined;
  /** Whether a nearer scope has the key too, so that this one isn't seen. */
  readonly isHidden: boolean;
  /** The key of a value that a nearer scope has where this one has a section: together they are read without the section. */
  readonly behind?: string | undefined;
  /** Where this began new facts, since those read before are gone: what there is of their copy. */
  readonly begun?: CopyState | undefined;
  /** What is read at a deleted key since, from another scope. */
  readonly readNow?: (Where & { readonly json: string }) | undefined;
}

/** A value for a key, as JSON. */
export interface NewValue {
  readonly key: string;
  readonly json: string;
  /** What must stand there, as JSON; null if nothing may. Anything may unless told. */
  readonly was?: string | null | undefined;
}

/** What several edits come to. */
export interface Planned extends Where {
  readonly done: readonly Edit[];
  readonly refused: readonly { readonly key: string; readonly reason: string }[];
}

/** What several edits came to. */
export interface DoneMany extends Planned {
  readonly change: number | undefined;
}

/** A file that is damaged or gone, and what can be done about it. */
export interface Damaged extends Where {
  readonly repair: Repair;
}

/** A change, with where it is. */
export interface Logged extends Omit<Change, 'back'>, Where {}

export interface Changes {
  /** The newest first. */
  readonly changes: readonly Logged[];
  /** How many there are in all. */
  readonly total: number;
  /** How many lines of the journals can't be read. */
  readonly unreadable: number;
}

export interface History {
  readonly changes: readonly Logged[];
  /** What stands at the key now, and whether a person has put it there by hand since the last change. */
  readonly present: readonly (Where & { readonly json: string | undefined; readonly byHand: boolean })[];
}

export interface DiaryEntry extends Entry, Where {}

export interface Place {
  readonly scope: ScopeName;
  readonly folder: string;
  readonly context: string;
  readonly diary: string;
  /** Whether its facts were read before, and their file isn't there any more. */
  readonly isGone: boolean;
  /** Whether the diary was read or written before by this process, and its file isn't there any more. */
  readonly isDiaryGone: boolean;
  /** What there is of the copy of the facts, with which they can be repaired or brought back: `last-good.json` in the folder. */
  readonly copy: CopyState;
}

/** Where everything is. */
export interface Places {
  /** The nearest first. */
  readonly places: readonly Place[];
  /** A project's memory that is there and isn't read, since nobody asked for it. */
  readonly unwanted: string | undefined;
  /** The memory of the project in the main work tree of git, where another work tree has none of its own. */
  readonly inMainTree: string | undefined;
  /** The memory of a project around the repository, which has none of its own, and which isn't read. */
  readonly around: string | undefined;
  /** The folder of the project's memory that the user asked for, where it isn't there any more. */
  readonly removed: string | undefined;
  /** Why it isn't known which projects' memory is to be read. */
  readonly fault: string | undefined;
}

export interface ManyOptions extends WriteOptions {
  /** Arrays may hold objects and arrays, as in a file that a person wrote. */
  readonly anyArray?: boolean;
}

export interface WriteOptions {
  /** Where the key is already, or the global one, unless given. */
  readonly scope?: ScopeName | undefined;
  readonly why?: string | undefined;
}

/**
 * Facts under dot paths and a diary, in files that people and other processes read and change as well. What is wrong with
 * a file is told by what needs it, not by opening.
 */
export class Memory {
  readonly #who: string;
  readonly #now: () => Date;
  readonly #files: Files;
  /** The nearest first. */
  #scopes: readonly Scope[];
  #elsewhere: Omit<Places, 'places'>;
  #fault: PlimsollError | undefined;

  /** Throws `BAD_USAGE` for what a program without types gives in the place of these options. */
  constructor(options: MemoryOptions) {
    checkObject('options', options);
    const { folder, workFolder, who, now = () => new Date(), files = FILES } = options;
    checkText('folder', folder);
    if (workFolder !== undefined) checkText('workFolder', workFolder);
    checkFunction('now', now);
    const { project, fault, ...elsewhere } =
      workFolder === undefined ? NOWHERE : lookAround(workFolder, folder);
    this.#fault = fault;
    this.#who = who;
    this.#now = now;
    this.#files = files;
    this.#elsewhere = { ...elsewhere, fault: fault?.message };
    const folders: [ScopeName, string][] = [['global', folder]];
    if (project?.isWanted) folders.unshift(['project', project.folder]);
    this.#scopes = folders.map(([name, path]) => new Scope(name, path, now, files));
  }

  /** The same memory for another one who writes: what was read is not read, and not held, a second time. */
  as(who: string): Memory {
    const { folder } = this.#scopes.at(-1) as Scope;
    const memory = new Memory({ folder, who, now: this.#now, files: this.#files });
    memory.#scopes = this.#scopes;
    memory.#elsewhere = this.#elsewhere;
    memory.#fault = this.#fault;
    return memory;
  }

  /** Where everything is, and what is not read. Throws `BAD_USAGE` for a scope that isn't there. */
  where(scope?: ScopeName): Places {
    const scopes = scope === undefined ? this.#scopes : this.#asked(scope);
    const places = scopes.map((at) => ({
      scope: at.name,
      folder: at.folder,
      context: at.contextPath,
      diary: at.diaryPath,
      isGone: at.isGone(),
      isDiaryGone: at.isDiaryGone(),
      copy: at.copy(),
    }));
    return { places, ...this.#elsewhere };
  }

  /** The facts of each scope, the nearest first. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async documents(scope?: ScopeName): Promise<Source[]> {
    return Promise.all(
      this.#asked(scope).map(async (at) => {
        const document = await at.read();
        return { ...whereOf(at), document, isGone: at.isGone(), copy: at.copy() };
      }),
    );
  }

  /** What stands at a key in the nearest scope that has it. Throws `BAD_KEY`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async get(key: string, scope?: ScopeName): Promise<Got | undefined> {
    const segments = parseExistingKey(key);
    const all = (await this.documents(scope)).flatMap(({ document, ...where }) => {
      const found = document.find(segments, { literal: true });
      return found ? [{ ...where, found, key: writeKey(found.path) }] : [];
    });
    return all[0] && { ...all[0], hides: all.length > 1 };
  }

  /**
   * What all scopes have at a key, as one: of a section the facts of each, of the same fact the nearest; everything
   * without a key. Throws `BAD_KEY`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`.
   */
  async read(key?: string, scope?: ScopeName): Promise<Reading | undefined> {
    return readTogether(await this.documents(scope), key === undefined ? [] : parseExistingKey(key));
  }

  /** The keys that are most like one that isn't there, the most like it first. Throws `BAD_USAGE`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async nearest(key: string, scope?: ScopeName): Promise<string[]> {
    checkText('key', key);
    return nearestIn(await this.documents(scope), key);
  }

  /** Facts whose keys or values hold a query; see {@link search}. Throws `BAD_USAGE`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async search(
    query: string,
    options: SearchAsked & { readonly scope?: ScopeName | undefined } = {},
  ): Promise<SearchResult> {
    checkObject('options', options);
    const { scope, ...asked } = options;
    return search(await this.documents(scope), query, asked);
  }

  /**
   * Puts a value, given as JSON, at a key. Throws `BAD_KEY`, `BAD_VALUE`, `KEY_TAKEN` where a section and a value would
   * take each other's place, and what every writing throws: `BAD_USAGE`, `MEMORY_BUSY`, `MEMORY_DAMAGED`,
   * `MEMORY_UNWRITABLE`.
   */
  async set(key: string, json: string, options: WriteOptions = {}): Promise<Done> {
    const segments = parseKey(key);
    const value = checkedValue(json);
    return this.#edit(segments, options, (document) => {
      const path = document.resolve(segments);
      const draft = new Draft(document);
      const present = document.find(path, { literal: false })?.json();
      if (present !== undefined && isSameValue(present, value)) return { path, draft, after: present };
      draft.set(path, value);
      return { path, draft, after: value };
    });
  }

  /** Takes away a value or a whole section. Throws `KEY_NOT_FOUND`, and as {@link set} does. */
  async delete(key: string, options: WriteOptions = {}): Promise<Done> {
    const segments = parseExistingKey(key);
    const done = this.#edit(segments, options, (document) => {
      const found = document.find(segments, { literal: true });
      if (!found) throw notFound(key);
      const draft = new Draft(document);
      draft.remove(found.path);
      return { path: found.path, draft, after: undefined };
    });
    return done.then(
      async (one) => (one.isHidden ? one : { ...one, readNow: await this.#readNow(segments) }),
      async (error) => {
        const isMissing = error instanceof PlimsollError && error.code === 'KEY_NOT_FOUND';
        throw isMissing ? notFound(key, await this.nearest(key, options.scope)) : error;
      },
    );
  }

  /**
   * Sets many values in one change, which can be undone as one. A value that is refused doesn't stop the others. Throws
   * as {@link set} does for the file as a whole.
   */
  async setMany(values: readonly NewValue[], options: ManyOptions = {}): Promise<DoneMany> {
    checkObjects('values', values);
    checkObject('options', options);
    const scope = this.#target(options.scope);
    return scope.change(this.#cause(options), ({ document }) => {
      const { draft, ...plan } = draftOf(values, document, options);
      return {
        bytes: draft.finish(),
        edits: plan.done,
        answer: (change) => ({ ...whereOf(scope), ...plan, change }),
      };
    });
  }

  /** What {@link setMany} would come to. */
  async planMany(values: readonly NewValue[], options: ManyOptions = {}): Promise<Planned> {
    checkObjects('values', values);
    checkObject('options', options);
    const scope = this.#target(options.scope);
    const { done, refused } = draftOf(values, await scope.read(), options);
    return { ...whereOf(scope), done, refused };
  }

  /** Adds an entry to the diary. Throws `BAD_ENTRY`, `MEMORY_BUSY`, `MEMORY_DAMAGED`, `MEMORY_UNWRITABLE`. */
  async addDiary(
    text: string,
    options: { tag?: string | undefined; scope?: ScopeName | undefined } = {},
  ): Promise<DiaryEntry> {
    checkObject('options', options);
    const { tag, scope: name } = options;
    const scope = this.#target(name);
    const entry = await scope.changeDiary((diary) => {
      diaryText(diary, scope.diaryPath);
      const bytes = addEntry(diary, { text, tag, at: this.#now() });
      return { bytes, answer: lastEntry(bytes, diary?.length ?? 0) };
    });
    return { ...entry, scope: scope.name, file: scope.diaryPath };
  }

  /**
   * Adds entries of another diary at the end, as they are, but for those that are there already. Throws as
   * {@link addDiary} does.
   */
  async importDiary(entries: readonly WrittenEntry[], name?: ScopeName): Promise<EntryPlan> {
    const plan = await this.planDiary(entries, name);
    if (plan.added.length === 0) return plan;
    const scope = this.#target(name);
    return scope.changeDiary((diary) => {
      const answer = missingEntries(diaryText(diary, scope.diaryPath), entries);
      return { bytes: addEntries(diary, answer.added), answer };
    });
  }

  /** What {@link importDiary} would come to. */
  async planDiary(entries: readonly WrittenEntry[], name?: ScopeName): Promise<EntryPlan> {
    checkObjects('entries', entries);
    for (const { at, tag, text } of entries) {
      checkText('at', at, 'BAD_ENTRY');
      checkText('text', text, 'BAD_ENTRY');
      if (tag !== undefined) checkText('tag', tag, 'BAD_ENTRY');
    }
    const scope = this.#target(name);
    return missingEntries(diaryText(await scope.readDiary(), scope.diaryPath), entries);
  }

  /** Entries of the diaries, the newest last. Throws `BAD_ENTRY`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async readDiary(picks: Picks = {}, scope?: ScopeName): Promise<Picked<DiaryEntry>> {
    checkObject('picks', picks);
    const diaries = await Promise.all(
      this.#asked(scope).map(async (at) => {
        const text = diaryText(await at.readDiary(), at.diaryPath);
        return readEntries(text).map((entry) => ({
          ...entry,
          scope: at.name,
          file: at.diaryPath,
        }));
      }),
    );
    return pickEntries(diaries.length > 1 ? mergeEntries(diaries) : diaries.flat(), picks);
  }

  /** The diaries with something before their first header, which is in no entry. Throws as {@link readDiary} does. */
  async strayDiaries(scope?: ScopeName): Promise<Where[]> {
    const all = this.#asked(scope).map(async (at) => {
      const text = diaryText(await at.readDiary(), at.diaryPath);
      const isStray = strayLine(text, readEntries(text)) !== undefined;
      return isStray ? [{ scope: at.name, file: at.diaryPath }] : [];
    });
    return (await Promise.all(all)).flat();
  }

  /** The changes of facts, the newest first; all unless `last` says how many. Throws `BAD_USAGE`, `MEMORY_UNREADABLE`. */
  async changes(
    options: { readonly last?: number | undefined; readonly scope?: ScopeName | undefined } = {},
  ): Promise<Changes> {
    checkObject('options', options);
    const { last, scope } = options;
    if (last !== undefined) checkCount('last', last);
    const logs = await Promise.all(
      this.#asked(scope).map(async (at) => ({ ...(await at.log()), where: whereOf(at) })),
    );
    const changes = newestFirst(logs.map(({ changes, where }) => changes.map(loggedIn(where))));
    return {
      changes: changes.slice(0, last),
      total: changes.length,
      unreadable: logs.reduce((sum, { unreadable }) => sum + unreadable, 0),
    };
  }

  /**
   * Takes a change back, which is a change as well. Throws `CHANGE_NOT_FOUND`; `CHANGE_OUTDATED` if a key holds something
   * else by now; and as {@link set} does.
   */
  async undo(number: number, options: WriteOptions = {}): Promise<DoneMany> {
    checkCount('change', number);
    checkObject('options', options);
    const scope = this.#target(options.scope);
    return scope.change(this.#cause(options), (base) => {
      const later: Change[] = [];
      for (const change of base.journal.newest()) {
        if (change.change !== number) {
          later.push(change);
          continue;
        }
        if (change.void !== undefined) throw noChange(number, `it never came about: ${change.void}`);
        const { bytes, edits } = takeBack(change, base, later);
        const answer = (made: number | undefined) => ({
          ...whereOf(scope),
          done: edits,
          refused: [],
          change: made,
        });
        return { bytes, edits, undoes: number, answer };
      }
      throw noChange(number);
    });
  }

  /** What became of a key, of the section it is in and of what is in it, the newest first. Throws `BAD_KEY`, `MEMORY_UNREADABLE`. */
  async history(key: string, scope?: ScopeName): Promise<History> {
    const segments = parseExistingKey(key);
    const logs: Logged[][] = [];
    const present: (Where & { json: string | undefined; byHand: boolean })[] = [];
    for (const at of this.#asked(scope)) {
      const document = await at.read();
      const path = document.find(segments, { literal: true })?.path ?? document.resolve(segments);
      const known = writeKey(path);
      const own = (await at.log()).changes.filter((change) => concerns(change, known));
      const json = jsonAt(document, known);
      logs.push(own.map(loggedIn(whereOf(at))));
      if (json !== undefined || own.some(({ void: never }) => never === undefined)) {
        present.push({ ...whereOf(at), json, byHand: !isAsLeft(json, known, own) });
      }
    }
    const changes = newestFirst(logs);
    if (changes.length === 0 && present.length === 0) parseKey(key);
    return { changes, present };
  }

  /** The files of facts that are damaged or gone, the nearest first, and what can be done. Throws `MEMORY_UNREADABLE`. */
  async damage(scope?: ScopeName): Promise<Damaged[]> {
    const all = await Promise.all(
      this.#asked(scope).map(async (at) => ({ ...whereOf(at), repair: await repairOf(at, this.#files) })),
    );
    return all.flatMap(({ repair, ...where }) => (repair ? [{ ...where, repair }] : []));
  }

  /** The files that hold what was in facts that were gone, and wasn't brought back; see {@link lostFiles} for what it throws. */
  async lost(scope?: ScopeName): Promise<Where[]> {
    const all = this.#asked(scope).map(async (at) => {
      const paths = await lostFiles(at, this.#files);
      return paths.map((file) => ({ scope: at.name, file }));
    });
    return (await Promise.all(all)).flat();
  }

  /**
   * Puts another state in the place of facts that are damaged, and keeps these in a file of their own; or brings back those
   * that are gone. Throws `BAD_USAGE` if they are neither, `MEMORY_DAMAGED` if that state isn't there; `MEMORY_BUSY`,
   * `MEMORY_UNWRITABLE`.
   */
  async repair(which: RepairName, scope: ScopeName): Promise<Repaired & Where> {
    const at = this.#asked(scope)[0] as Scope;
    const options = { who: this.#who, now: this.#now, files: this.#files };
    return { ...whereOf(at), ...(await repairFacts(at, which, options)) };
  }

  /** The scopes that are meant, the nearest first. */
  #asked(name: ScopeName | undefined): readonly Scope[] {
    if (this.#fault && name !== 'global') throw this.#fault;
    const scopes = this.#scopes.filter((scope) => name === undefined || scope.name === name);
    if (scopes.length > 0) return scopes;
    throw new PlimsollError(
      'BAD_USAGE',
      'No memory of a project is read here. Make one with plimsoll memory init --project, in the project.',
    );
  }

  /** The scope that is written to, the global one unless told. */
  #target(name: ScopeName | undefined): Scope {
    if (this.#fault && name === undefined) throw this.#fault;
    return this.#asked(name ?? 'global')[0] as Scope;
  }

  async #edit(
    segments: readonly string[],
    options: WriteOptions,
    edit: (document: Document) => {
      readonly path: readonly string[];
      readonly draft: Draft;
      readonly after: string | undefined;
    },
  ): Promise<Done> {
    checkObject('options', options);
    const scope = await this.#homeOf(segments, options.scope);
    const hiding = await this.#hiding(segments, scope);
    const begun = scope.isGone() ? scope.copy() : undefined;
    return scope.change(this.#cause(options), ({ document }) => {
      const { path, draft, after } = edit(document);
      const key = writeKey(path);
      const made = new EditMaker(document).edit(path, after);
      const { before: was, earlier } = made;
      return {
        bytes: draft.finish(),
        edits: [made],
        answer: (change) => ({ ...whereOf(scope), key, was, now: after, earlier, change, begun, ...hiding }),
      };
    });
  }

  /** Where a key is, the nearest first; the global scope if it is nowhere. */
  async #homeOf(segments: readonly string[], asked: ScopeName | undefined): Promise<Scope> {
    if (asked !== undefined || this.#fault) return this.#target(asked);
    for (const scope of this.#scopes) {
      if (scope.name === 'global' || (await scope.read()).find(segments, { literal: true })) return scope;
    }
    return this.#scopes.at(-1) as Scope;
  }

  /** Whether nearer scopes have a key, or a value on the way to it; one that can't be read has nothing. */
  async #hiding(segments: readonly string[], scope: Scope): Promise<Pick<Done, 'isHidden' | 'behind'>> {
    const nearer = await sourcesOf(this.#scopes.slice(0, this.#scopes.indexOf(scope)));
    const on = segments.flatMap((_, length) => partsAt(nearer, segments.slice(0, length)));
    const behind = on.find(({ found }) => found.kind === 'value');
    return {
      isHidden: partsAt(nearer, segments).length > 0,
      behind: behind && writeKey(behind.found.path),
    };
  }

  async #readNow(segments: readonly string[]): Promise<Done['readNow']> {
    const [nearest] = partsAt(await sourcesOf(this.#scopes), segments);
    return nearest && { scope: nearest.source.scope, file: nearest.source.file, json: nearest.found.json() };
  }

  #cause({ why }: WriteOptions): Cause {
    checkText('who', this.#who);
    if (why !== undefined) checkText('why', why);
    return { who: this.#who, why };
  }
}

/** The facts of those scopes that can be read. */
async function sourcesOf(scopes: readonly Scope[]): Promise<Source[]> {
  const all = scopes.map((at) =>
    at.read().then(
      (document) => [{ ...whereOf(at), document }],
      () => [],
    ),
  );
  return (await Promise.all(all)).flat();
}

interface Around extends Pick<Places, 'unwanted' | 'inMainTree' | 'around' | 'removed'> {
  readonly project: Project | undefined;
  readonly fault: PlimsollError | undefined;
}

const NOWHERE: Around = {
  project: undefined,
  unwanted: undefined,
  inMainTree: undefined,
  around: undefined,
  removed: undefined,
  fault: undefined,
};

function lookAround(folder: string, data: string): Around {
  try {
    const project = findProject(folder, data);
    const unwanted = project?.isWanted === false ? project.folder : undefined;
    const inMainTree = project?.isWanted ? undefined : memoryOfMainTree(folder, data);
    const around = inMainTree === undefined ? memoryAround(folder, data) : undefined;
    const removed = removedProject(folder, data);
    return { project, unwanted, inMainTree, around, removed, fault: undefined };
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    return { ...NOWHERE, fault: error };
  }
}

function whereOf(scope: Scope): Where {
  return { scope: scope.name, file: scope.contextPath };
}

const NEWLINE = 0x0a;

/** The entry that was added to a diary of so many bytes. */
function lastEntry(diary: Buffer, length: number): Entry {
  const entry = readEntries(diary.toString('utf8', length)).at(-1) as Entry;
  let lines = 0;
  for (let at = 0; at < length; at++) if (diary[at] === NEWLINE) lines++;
  return { ...entry, line: lines + entry.line };
}

/** A change as it is told of. */
function loggedIn(where: Where): (change: Change) => Logged {
  return ({ back: _, ...change }) => ({ ...change, ...where });
}

/** Several journals as one; within each, what came later was later, whatever the clock said. */
function newestFirst(logs: readonly (readonly Logged[])[]): Logged[] {
  return logs.length === 1 ? [...(logs[0] as readonly Logged[])] : logs.flat().sort(byTime);
}

function byTime(one: Logged, other: Logged): number {
  return Date.parse(other.at) - Date.parse(one.at);
}

function draftOf(values: readonly NewValue[], document: Document, options: ManyOptions) {
  const draft = new Draft(document);
  const after = new Map<string, string>();
  const refused: { key: string; reason: string }[] = [];
  for (const { key, json, was } of values) {
    try {
      const path = document.resolve(parseKey(key));
      const value = checkedValue(json, options);
      if (was !== undefined && was !== null) checkText('was', was, 'BAD_VALUE');
      const known = writeKey(path);
      const present = after.get(known) ?? jsonAt(document, known);
      if (was !== undefined && !isSameOrNone(present, was ?? undefined)) throw outdated(known, present);
      if (present !== undefined && isSameValue(present, value)) continue;
      draft.set(path, value);
      after.set(known, value);
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      refused.push({ key, reason: error.message });
    }
  }
  const maker = new EditMaker(document);
  const done = [...after]
    .map(([key, value]) => maker.edit(splitKey(key), value))
    .filter(({ before, after: value }) => before !== value);
  return { draft, done, refused };
}

function outdated(key: string, present: string | undefined): PlimsollError {
  const now = present === undefined ? 'is gone' : `is ${shortLine(oneLine(present), SHOWN)} now`;
  return new PlimsollError('CHANGE_OUTDATED', `Changed since the plan was made: ${shownKey(key)} ${now}.`);
}

/** That a key isn't there, with keys that are like it. */
export function notFound(key: string, nearest: readonly string[] = []): PlimsollError {
  const like = nearest.length > 0 ? ` Like it: ${nearest.map(shownKey).join(', ')}.` : '';
  return new PlimsollError('KEY_NOT_FOUND', `There is no key ${shownKey(key)}.${like}`);
}
