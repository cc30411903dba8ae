import { PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import type { Document, Found } from './context/document.ts';
import { Draft } from './context/edit.ts';
import { parseExistingKey, parseKey, writeKey } from './context/keys.ts';
import type { Repair } from './context/repair.ts';
import { addEntry, type Entry, type Picked, type Picks, pickEntries, readEntries } from './diary/diary.ts';
import type { Change, Edit } from './journal/journal.ts';
import { findProject } from './projects.ts';
import { type Repaired, type RepairName, repairFacts, repairOf } from './repair.ts';
import { type Cause, jsonAt, Scope, type ScopeName } from './scope.ts';
import { nearestIn, type SearchAsked, type SearchResult, search } from './search/search.ts';
import type { Source } from './sources.ts';
import { FILES, type Files } from './store/files.ts';
import { checkedValue, isSameValue } from './value.ts';

export type { Missing, Proposal, Repair } from './context/repair.ts';
export type { Edit } from './journal/journal.ts';
export type { Repaired, RepairName } from './repair.ts';
export type { ScopeName } from './scope.ts';

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
  /** The number to undo it with; none if nothing changed. */
  readonly change: number | undefined;
  /** Whether a nearer scope has the key too, so that this one isn't seen. */
  readonly isHidden: boolean;
}

/** A value for a key, as JSON. */
export interface NewValue {
  readonly key: string;
  readonly json: string;
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

/** A damaged file, and what can be done about it. */
export interface Damaged extends Where {
  readonly repair: Repair;
}

/** A change, with where it is. */
export interface Logged extends Change, Where {}

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
}

interface ManyOptions extends WriteOptions {
  /** Arrays may hold objects and arrays, as in a file that a person wrote. */
  readonly anyArray?: boolean;
}

interface WriteOptions {
  /** Where the key is already, or the global one, unless given. */
  readonly scope?: ScopeName | undefined;
  readonly why?: string | undefined;
}

/**
 * Facts under dot paths and a diary, in files that people and other processes read and change as well. Opening reads
 * nothing and can't fail; what is wrong with a file is told by what needs it.
 */
export class Memory {
  readonly #who: string;
  readonly #now: () => Date;
  readonly #files: Files;
  /** The nearest first. */
  readonly #scopes: readonly Scope[];
  readonly #unwanted: string | undefined;

  constructor({ folder, workFolder, who, now = () => new Date(), files = FILES }: MemoryOptions) {
    const project = workFolder === undefined ? undefined : findProject(workFolder, folder);
    this.#who = who;
    this.#now = now;
    this.#files = files;
    this.#unwanted = project?.isWanted === false ? project.folder : undefined;
    const folders: [ScopeName, string][] = [['global', folder]];
    if (project?.isWanted) folders.unshift(['project', project.folder]);
    this.#scopes = folders.map(([name, path]) => new Scope(name, path, now, files));
  }

  /** Where everything is, the nearest first; and a project's memory that is there and isn't read, since nobody asked for it. */
  where(): { readonly places: readonly Place[]; readonly unwanted: string | undefined } {
    const places = this.#scopes.map(({ name, folder, contextPath, diaryPath }) => ({
      scope: name,
      folder,
      context: contextPath,
      diary: diaryPath,
    }));
    return { places, unwanted: this.#unwanted };
  }

  /** The facts of each scope, the nearest first. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async documents(scope?: ScopeName): Promise<Source[]> {
    return Promise.all(this.#asked(scope).map(async (at) => ({ ...whereOf(at), document: await at.read() })));
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

  /** The keys that are most like one that isn't there, the most like it first. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async nearest(key: string, scope?: ScopeName): Promise<string[]> {
    return nearestIn(await this.documents(scope), key);
  }

  /** Facts whose keys or values hold a query; see {@link search}. Throws `BAD_USAGE`, `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async search(
    query: string,
    { scope, ...asked }: SearchAsked & { readonly scope?: ScopeName | undefined } = {},
  ): Promise<SearchResult> {
    return search(await this.documents(scope), query, asked);
  }

  /**
   * Puts a value, given as JSON, at a key. Throws `BAD_KEY`, `BAD_VALUE`, `KEY_TAKEN` where a section and a value would
   * take each other's place, and what every writing throws: `MEMORY_BUSY`, `MEMORY_DAMAGED`, `MEMORY_UNWRITABLE`.
   */
  async set(key: string, json: string, options: WriteOptions = {}): Promise<Done> {
    const segments = parseKey(key);
    const value = checkedValue(json);
    return this.#edit(segments, options, (document) => {
      const path = document.resolve(segments);
      const draft = new Draft(document);
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
    return done.catch(async (error) => {
      const isMissing = error instanceof PlimsollError && error.code === 'KEY_NOT_FOUND';
      throw isMissing ? notFound(key, await this.nearest(key, options.scope)) : error;
    });
  }

  /**
   * Sets many values in one change, which can be undone as one. A value that is refused doesn't stop the others. Throws
   * as {@link set} does for the file as a whole.
   */
  async setMany(values: readonly NewValue[], options: ManyOptions = {}): Promise<DoneMany> {
    const scope = this.#asked(options.scope ?? 'global')[0] as Scope;
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
    const scope = this.#asked(options.scope ?? 'global')[0] as Scope;
    const { done, refused } = draftOf(values, await scope.read(), options);
    return { ...whereOf(scope), done, refused };
  }

  /** Adds an entry to the diary. Throws `BAD_ENTRY`, `MEMORY_BUSY`, `MEMORY_UNWRITABLE`. */
  async addDiary(
    text: string,
    { tag, scope: name = 'global' }: { tag?: string | undefined; scope?: ScopeName | undefined } = {},
  ): Promise<DiaryEntry> {
    const scope = this.#asked(name)[0] as Scope;
    const entry = await scope.changeDiary((diary) => {
      const bytes = addEntry(diary, { text, tag, at: this.#now() });
      return { bytes, answer: lastEntry(bytes, diary?.length ?? 0) };
    });
    return { ...entry, scope: scope.name, file: scope.diaryPath };
  }

  /** Entries of the diaries, the newest last. Throws `BAD_ENTRY`, `MEMORY_UNREADABLE`. */
  async readDiary(picks: Picks = {}, scope?: ScopeName): Promise<Picked<DiaryEntry>> {
    const diaries = await Promise.all(
      this.#asked(scope).map(async (at) => {
        const bytes = await at.readDiary();
        return readEntries(bytes?.toString() ?? '').map((entry) => ({
          ...entry,
          scope: at.name,
          file: at.diaryPath,
        }));
      }),
    );
    const entries =
      diaries.length > 1 ? diaries.flat().sort((one, other) => one.time - other.time) : diaries.flat();
    return pickEntries(entries, picks);
  }

  /** The changes of facts, the newest first, at most `last`. Throws `MEMORY_UNREADABLE`. */
  async changes({
    last,
    scope,
  }: {
    readonly last: number;
    readonly scope?: ScopeName | undefined;
  }): Promise<Logged[]> {
    const logs = await Promise.all(
      this.#asked(scope).map(async (at) =>
        (await at.changes()).map((change) => ({ ...change, ...whereOf(at) })),
      ),
    );
    return newestFirst(logs).slice(0, last);
  }

  /**
   * Takes a change back, which is a change as well. Throws `CHANGE_NOT_FOUND`; `CHANGE_OUTDATED` if a key holds something
   * else by now; and as {@link set} does.
   */
  async undo(number: number, options: WriteOptions = {}): Promise<DoneMany> {
    const scope = this.#asked(options.scope ?? 'global')[0] as Scope;
    return scope.change(this.#cause(options), ({ document, journal }) => {
      const later: Change[] = [];
      for (const change of journal.newest()) {
        if (change.change !== number) {
          later.push(change);
          continue;
        }
        if (change.void !== undefined) throw notFoundChange(number, `it never came about: ${change.void}`);
        return { ...takenBack(change, document, later, scope), undoes: number };
      }
      throw notFoundChange(number, 'plimsoll memory log lists them');
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
      const own = (await at.changes()).filter(({ edits }) => edits.some((edit) => concerns(edit.key, path)));
      const json = jsonAt(document, writeKey(path));
      const last = own
        .filter((change) => change.void === undefined)
        .flatMap(({ edits }) => edits)
        .find((edit) => edit.key === writeKey(path));
      logs.push(own.map((change) => ({ ...change, ...whereOf(at) })));
      if (json !== undefined || last) present.push({ ...whereOf(at), json, byHand: json !== last?.after });
    }
    return { changes: newestFirst(logs), present };
  }

  /** The files of facts that are damaged, the nearest first, and what can be done. Throws `MEMORY_UNREADABLE`. */
  async damage(scope?: ScopeName): Promise<Damaged[]> {
    const all = await Promise.all(
      this.#asked(scope).map(async (at) => ({ ...whereOf(at), repair: await repairOf(at, this.#files) })),
    );
    return all.flatMap(({ repair, ...where }) => (repair ? [{ ...where, repair }] : []));
  }

  /**
   * Puts another state in the place of facts that are damaged, and keeps these in a file of their own. Throws `BAD_USAGE`
   * if they are not damaged, or that state isn't there; `MEMORY_BUSY`, `MEMORY_UNWRITABLE`.
   */
  async repair(which: RepairName, scope: ScopeName): Promise<Repaired & Where> {
    const at = this.#asked(scope)[0] as Scope;
    const options = { who: this.#who, now: this.#now, files: this.#files };
    return { ...whereOf(at), ...(await repairFacts(at, which, options)) };
  }

  /** The scopes that are meant, the nearest first. */
  #asked(name: ScopeName | undefined): readonly Scope[] {
    const scopes = this.#scopes.filter((scope) => name === undefined || scope.name === name);
    if (scopes.length > 0) return scopes;
    throw new PlimsollError(
      'BAD_USAGE',
      'No memory of a project is read here. Make one with plimsoll memory init --project, in the project.',
    );
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
    const scope = await this.#homeOf(segments, options.scope);
    const isHidden = await this.#isHidden(segments, scope);
    return scope.change(this.#cause(options), ({ document }) => {
      const { path, draft, after } = edit(document);
      const key = writeKey(path);
      const before = jsonAt(document, key);
      return {
        bytes: draft.finish(),
        edits: [{ key, before, after }],
        answer: (change) => ({ ...whereOf(scope), key, was: before, now: after, change, isHidden }),
      };
    });
  }

  /** Where a key is, the nearest first; the global scope if it is nowhere. */
  async #homeOf(segments: readonly string[], asked: ScopeName | undefined): Promise<Scope> {
    if (asked !== undefined) return this.#asked(asked)[0] as Scope;
    for (const scope of this.#scopes) {
      if (scope.name === 'global' || (await scope.read()).find(segments, { literal: true })) return scope;
    }
    return this.#scopes.at(-1) as Scope;
  }

  async #isHidden(segments: readonly string[], scope: Scope): Promise<boolean> {
    const nearer = this.#scopes.slice(0, this.#scopes.indexOf(scope));
    const documents = await Promise.all(nearer.map((at) => at.read()));
    return documents.some((document) => document.find(segments, { literal: true }) !== undefined);
  }

  #cause({ why }: WriteOptions): Cause {
    return { who: this.#who, why };
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

/** Several journals as one; within each, what came later was later, whatever the clock said. */
function newestFirst(logs: readonly (readonly Logged[])[]): Logged[] {
  return logs.length === 1 ? [...(logs[0] as readonly Logged[])] : logs.flat().sort(byTime);
}

function byTime(one: Logged, other: Logged): number {
  return Date.parse(other.at) - Date.parse(one.at);
}

/** Whether a key of the journal is the path itself, around it or within it. */
function concerns(key: string, path: readonly string[]): boolean {
  const other = parseExistingKey(key);
  const length = Math.min(other.length, path.length);
  return other.slice(0, length).every((segment, index) => segment === path[index]);
}

function draftOf(values: readonly NewValue[], document: Document, options: ManyOptions) {
  const draft = new Draft(document);
  const after = new Map<string, string>();
  const refused: { key: string; reason: string }[] = [];
  for (const { key, json } of values) {
    try {
      const path = document.resolve(parseKey(key));
      const value = checkedValue(json, options);
      const known = writeKey(path);
      const present = after.get(known) ?? jsonAt(document, known);
      if (present !== undefined && isSameValue(present, value)) continue;
      draft.set(path, value);
      after.set(known, value);
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      refused.push({ key, reason: error.message });
    }
  }
  const done = [...after]
    .map(([key, value]) => ({ key, before: jsonAt(document, key), after: value }))
    .filter(({ before, after: value }) => before !== value);
  return { draft, done, refused };
}

function takenBack(change: Change, document: Document, later: readonly Change[], scope: Scope) {
  const draft = new Draft(document);
  const done = change.edits.map(({ key, before, after }) => {
    const present = jsonAt(document, key);
    if (present !== after) throw outdated(change.change, key, present, later);
    const path = parseExistingKey(key);
    if (before === undefined) draft.remove(path);
    else draft.set(path, before);
    return { key, before: present, after: before };
  });
  return {
    bytes: draft.finish(),
    edits: done,
    answer: (number: number | undefined): DoneMany => ({
      ...whereOf(scope),
      done,
      refused: [],
      change: number,
    }),
  };
}

function outdated(
  number: number,
  key: string,
  present: string | undefined,
  later: readonly Change[],
): PlimsollError {
  const by = later.find(
    ({ edits, void: never }) => never === undefined && edits.some((edit) => edit.key === key),
  );
  const isByHand = by?.edits.find((edit) => edit.key === key)?.after !== present;
  const how = by && !isByHand ? `by change ${by.change}` : 'by hand';
  const now =
    present === undefined
      ? `${visibleName(key)} was deleted`
      : `${visibleName(key)} is ${shown(present)} now`;
  return new PlimsollError(
    'CHANGE_OUTDATED',
    `Change ${number} can't be taken back: ${now}, ${how}. Nothing was changed; set what you want with plimsoll memory set.`,
  );
}

function shown(json: string): string {
  return visibleName(json.length > 80 ? `${json.slice(0, 80)}…` : json);
}

/** That a key isn't there, with keys that are like it. */
export function notFound(key: string, nearest: readonly string[] = []): PlimsollError {
  const like = nearest.length > 0 ? ` Like it: ${nearest.map(visibleName).join(', ')}.` : '';
  return new PlimsollError('KEY_NOT_FOUND', `There is no key ${visibleName(key)}.${like}`);
}

function notFoundChange(number: number, why: string): PlimsollError {
  return new PlimsollError('CHANGE_NOT_FOUND', `There is no change ${number} to take back: ${why}.`);
}
