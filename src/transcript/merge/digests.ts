import { join } from 'node:path';
import type { Document } from '../../memory/context/document.ts';
import { LineFile } from '../../memory/journal/line-file.ts';
import type { Edit, Logged, Memory, ScopeName, Source } from '../../memory/memory.ts';
import { jsonAt } from '../../memory/scope.ts';
import { FILES, type Files, makeFolders } from '../../memory/store/files.ts';
import { withLock } from '../../memory/store/lock.ts';
import { unusable } from '../../memory/store/update.ts';
import { listAt, textAt, valueAt } from '../formats/parts.ts';
import { parsed } from '../read/lines.ts';
import { isSameText } from './backing.ts';
import { type Digest, isDigest, isDigestId, isObstacle, isStored, type PlannedFact } from './digest.ts';
import { type Obstacle, obstacleAt } from './obstacle.ts';

/** What became of a digest in the log: it may be underway, it is in memory, or it never came about. */
export type DigestState = 'begun' | 'done' | 'void';

export interface LoggedDigest extends Digest {
  readonly state: DigestState;
  /** The change of memory that it is; none if there was nothing to change. */
  readonly change?: number | undefined;
  /** The change that took it back, where `readWholeLog` gives it. */
  readonly takenBack?: number | undefined;
  /** Why it never came about. */
  readonly why?: string | undefined;
}

export interface DigestLog {
  /** The newest first. */
  readonly digests: readonly LoggedDigest[];
  /** How many lines can't be read. */
  readonly unreadable: number;
}

/** A fact that memory refused when the digest was stored. */
export interface NotStored {
  readonly key: string;
  /** In one line. */
  readonly reason: string;
  /** What was in its way. */
  readonly obstacle?: Obstacle | undefined;
}

/** What became of facts that were to be stored and that a change doesn't have. */
export interface Unstored {
  readonly refused: readonly NotStored[];
  /** The keys that held the value by then. */
  readonly same: readonly string[];
}

interface End extends Pick<LoggedDigest, 'state' | 'change' | 'why'>, Unstored {}

/** How long whoever only reads waits for who makes a digest, in milliseconds. */
const BRIEFLY = 100;

const ALL_STORED: Unstored = { refused: [], same: [] };

const UNENDED: End = { state: 'begun', change: undefined, why: undefined, ...ALL_STORED };

const CHANGED = 'what stands there has changed since the plan was made';

const UNFINISHED = 'it was broken off, and memory is as it was before';

/** What the journal of memory says a digest's change was made for. */
export function causeOf(id: string): string {
  return `transcript ${id}`;
}

/** The digest that a change was made for, by what the journal says of it. */
export function digestIdIn(why: string | undefined): string | undefined {
  return /^transcript ([\da-f]{8})$/.exec(why ?? '')?.[1];
}

/**
 * The log of all digests of a scope, `transcripts/digests.jsonl` beside its facts: a line when one is begun, before memory
 * is touched, and one for how it ended. Of one without an end the journal of memory tells whether it came about; that is
 * settled before the next is begun. Lines that can't be read are passed over.
 */
export class Digests {
  readonly memory: Memory;
  readonly scope: ScopeName;
  /** Where the log is, and what else is kept of transcripts, absolute. */
  readonly folder: string;
  readonly #files: Files;
  readonly #lines: LineFile;

  /** Throws `BAD_USAGE` for a scope that isn't there. */
  constructor(memory: Memory, scope: ScopeName = 'global', files: Files = FILES) {
    this.memory = memory;
    this.scope = scope;
    this.folder = join(memory.where(scope).places[0]?.folder ?? '', 'transcripts');
    this.#files = files;
    this.#lines = new LineFile(join(this.folder, 'digests.jsonl'), files);
  }

  /**
   * The digests, those that never came about included; all unless `last` says how many. What is still without an end is
   * settled, if nobody is just making it. Throws `MEMORY_UNREADABLE`.
   */
  async read(last?: number): Promise<DigestLog> {
    const log = this.#read(last);
    if (log.digests.every(({ state }) => state !== 'begun')) return log;
    await this.#locked(() => this.settle(), BRIEFLY).catch(() => {});
    return this.#read(last);
  }

  /**
   * Runs `work` on all digests while nobody else makes one, those that were begun being settled. Throws `MEMORY_BUSY`,
   * `MEMORY_UNREADABLE`, `MEMORY_UNWRITABLE`, and what `work` throws.
   */
  async alone<T>(work: (digests: readonly LoggedDigest[]) => Promise<T>): Promise<T> {
    return this.#locked(async () => {
      await this.settle();
      return work(this.#read().digests);
    });
  }

  /** Of those who are {@link alone}: says that a digest is begun. When this returns, that is on the disk. */
  begin(digest: Digest): void {
    this.#lines.append(JSON.stringify({ ...digest, state: 'begun' }));
  }

  /** The same: says that a digest is in memory, as this change, but for facts that weren't stored. */
  finish(id: string, change: number | undefined, { refused, same }: Unstored = ALL_STORED): void {
    const unstored = { ...(refused.length > 0 && { refused }), ...(same.length > 0 && { same }) };
    this.#lines.append(JSON.stringify({ id, state: 'done', change, ...unstored }));
  }

  /** The same: says of digests without an end how they ended, by the journal of memory. */
  async settle(): Promise<void> {
    const open = this.#read().digests.filter(({ state }) => state === 'begun');
    if (open.length === 0) return;
    // Reading makes a change anew that looks as if an older copy of the file had been saved over it.
    const document = await this.document();
    const { changes } = await this.memory.changes({ scope: this.scope });
    for (const { id, facts } of open) {
      const made = madeOf(id, changes);
      if (made) this.finish(id, made.change, unstoredOf(notStored(facts, made.edits), facts, document));
      else this.#lines.append(JSON.stringify({ id, state: 'void', why: UNFINISHED }));
    }
  }

  /** The facts of the scope. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`. */
  async document(): Promise<Document> {
    const [source] = (await this.memory.documents(this.scope)) as [Source];
    return source.document;
  }

  async #locked<T>(work: () => Promise<T>, wait?: number): Promise<T> {
    try {
      makeFolders(this.folder, this.#files);
      return await withLock(this.#lines.path, work, { files: this.#files, ...(wait && { wait }) });
    } catch (error) {
      throw unusable('write', this.#lines.path, error);
    }
  }

  #read(last = Number.POSITIVE_INFINITY): DigestLog {
    const digests: LoggedDigest[] = [];
    let unreadable = 0;
    if (last === 0) return { digests, unreadable };
    for (const digest of this.#newest()) {
      if (digest) digests.push(digest);
      else unreadable++;
      if (digests.length === last) break;
    }
    return { digests, unreadable };
  }

  /** The digests, newest first, and `undefined` for each line that can't be read. Of one that was begun anew, the last counts. */
  *#newest(): Generator<LoggedDigest | undefined> {
    const ends = new Map<string, End>();
    const seen = new Set<string>();
    for (const line of this.#lines.backwards()) {
      const record = parsed(line);
      const id = textAt(record, 'id') ?? '';
      const ending = endIn(record);
      if (ending && !ends.has(id)) ends.set(id, ending);
      if (ending || seen.has(id)) continue;
      if (!isDigest(record)) {
        yield undefined;
        continue;
      }
      seen.add(id);
      const { refused, same, ...end } = ends.get(id) ?? UNENDED;
      yield { ...withUnstored(record, { refused, same }), ...end };
    }
  }
}

/** The change that brought a digest about: its own, or another one that made all its edits after it was broken off. */
function madeOf(id: string, changes: readonly Logged[]): Logged | undefined {
  const own = changes.find(({ why }) => why === causeOf(id));
  if (!own || own.void === undefined) return own;
  const isMadeIn = (later: Logged) =>
    own.edits.every(({ key, after }) => later.edits.some((edit) => edit.key === key && edit.after === after));
  return changes.find((one) => one.change > own.change && one.void === undefined && isMadeIn(one));
}

function endIn(record: unknown): End | undefined {
  if (!isDigestId(textAt(record, 'id') ?? '')) return undefined;
  const state = valueAt(record, 'state');
  const change = valueAt(record, 'change');
  if (state === 'void') return { state, change: undefined, why: textAt(record, 'why'), ...ALL_STORED };
  if (state !== 'done') return undefined;
  const number = Number.isSafeInteger(change) ? (change as number) : undefined;
  const refused = (listAt(record, 'refused') ?? []).filter(isNotStored);
  const same = (listAt(record, 'same') ?? []).filter((key) => typeof key === 'string');
  return { state, change: number, why: undefined, refused, same };
}

function isNotStored(value: unknown): value is NotStored {
  const obstacle = valueAt(value, 'obstacle');
  return (
    ['key', 'reason'].every((name) => textAt(value, name) !== undefined) &&
    (obstacle === undefined || isObstacle(obstacle))
  );
}

/** The facts that were to be stored and that a change doesn't have. */
function notStored(facts: readonly PlannedFact[], edits: readonly Edit[]): NotStored[] {
  const stored = new Set(edits.map(({ key }) => key));
  return facts.flatMap((fact) =>
    isStored(fact) && !stored.has(fact.key) ? [{ key: fact.key, reason: CHANGED }] : [],
  );
}

/** What became of facts that weren't stored, by what stands in memory since. */
export function unstoredOf(
  refused: readonly NotStored[],
  facts: readonly PlannedFact[],
  document: Document,
): Unstored {
  const values = new Map(facts.filter(isStored).map(({ key, value }) => [key, value]));
  const isSame = ({ key }: NotStored) => {
    const present = jsonAt(document, key);
    return present !== undefined && isSameText(present, values.get(key) as string);
  };
  return {
    refused: refused
      .filter((one) => !isSame(one))
      .map((one) => ({ ...one, obstacle: obstacleAt(one.key, document) })),
    same: refused.filter(isSame).map(({ key }) => key),
  };
}

/** A digest with what became of facts that were to be stored: those that memory refused are doubts. */
export function withUnstored(digest: Digest, { refused, same }: Unstored): Digest {
  const doubts = new Map(refused.map(({ key, reason, obstacle }) => [key, { reason, obstacle }]));
  const held = new Set(same);
  const facts = digest.facts.map((fact): PlannedFact => {
    if (!isStored(fact)) return fact;
    if (held.has(fact.key)) return { ...fact, outcome: 'same' };
    const doubt = doubts.get(fact.key);
    return doubt ? { ...fact, outcome: 'doubt', ...doubt } : fact;
  });
  return { ...digest, facts };
}
