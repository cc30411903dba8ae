import { FILES, type Files } from '../store/files.ts';
import { LineFile } from './line-file.ts';
import { isSplice, type Splice } from './splice.ts';

/** What became of one key. */
export interface Edit {
  readonly key: string;
  /** The JSON that stood there, as it was written; none if nothing did. */
  readonly before?: string | undefined;
  /** The JSON that stands there since; none if nothing does. */
  readonly after?: string | undefined;
  /** Of a key that was taken away: the name before it in its section, null if it was the first. */
  readonly follows?: string | null | undefined;
  /** Of a key that was taken away and stood there several times: the JSON of those before the last, in their order. */
  readonly earlier?: readonly string[] | undefined;
  /** Of a key that was added: the outermost section that was made for it. */
  readonly made?: string | undefined;
}

/** One change of a file: all of it came about, or nothing. */
export interface Change {
  /** Its number, from 1. */
  readonly change: number;
  /** UTC, as ISO 8601 has it. */
  readonly at: string;
  readonly who: string;
  readonly why?: string | undefined;
  /** The change that this one takes back. */
  readonly undoes?: number | undefined;
  readonly edits: readonly Edit[];
  /** The SHA-256 of what the file held, in hex; empty if there was no file. */
  readonly from: string;
  /** The same of what it holds since. */
  readonly to: string;
  /** What leads from what the file holds since back to what it held, where the edits alone don't to the byte. */
  readonly back?: Splice | undefined;
  /** Why it never came about. */
  readonly void?: string | undefined;
}

/** A number from here on is none that was given: after it there would be too few whole numbers. */
const MOST = 2 ** 52;

/**
 * The changes of a file, one line of JSON each, oldest first. A line is written before the change that it tells of, so
 * that none is ever missing; of the last one it must be asked whether it came about. Lines that can't be read, such as
 * one that a killed process left unfinished, are passed over.
 *
 * All that writes must hold the lock of the file that the changes are of. All throw `MEMORY_UNREADABLE` or
 * `MEMORY_UNWRITABLE`; what writes, the system's `ENOENT` if the folder is gone.
 */
export class Journal {
  readonly path: string;
  readonly #lines: LineFile;

  constructor(path: string, files: Files = FILES) {
    this.path = path;
    this.#lines = new LineFile(path, files);
  }

  /** Adds a change with the next number. When this returns, it is on the disk. */
  append(change: Omit<Change, 'void'>): void {
    this.#write(change);
  }

  /** Says of a change that it never came about. */
  voidChange(change: number, why: string): void {
    this.#write({ change, void: why });
  }

  /** What there is now. */
  look(): Look {
    return new Look(this.#newestOrUnreadable());
  }

  /** The changes, newest first, those that never came about included. */
  *newest(): Generator<Change> {
    for (const change of this.#newestOrUnreadable()) if (change) yield change;
  }

  /** All changes, newest first, and how many lines can't be read. */
  read(): { readonly changes: Change[]; readonly unreadable: number } {
    const all = [...this.#newestOrUnreadable()];
    const changes = all.filter((change) => change !== undefined);
    return { changes, unreadable: all.length - changes.length };
  }

  /** The changes, newest first, and `undefined` for each line that can't be read. */
  *#newestOrUnreadable(): Generator<Change | undefined> {
    const voids = new Map<number, string>();
    for (const line of this.#lines.backwards()) {
      const record = parse(line);
      if (record && !('edits' in record)) voids.set(record.change, record.void);
      else yield record && { ...record, void: voids.get(record.change) };
    }
  }

  #write(record: object): void {
    this.#lines.append(JSON.stringify(record));
  }
}

/** The changes of a journal at one time. No line is read before it is asked for, and none twice. */
export class Look {
  readonly #lines: Iterator<Change | undefined>;
  readonly #seen: (Change | undefined)[] = [];

  constructor(lines: Iterator<Change | undefined>) {
    this.#lines = lines;
  }

  /** The changes, newest first, those that never came about included. */
  *newest(): Generator<Change> {
    for (const change of this.#newestOrUnreadable()) if (change) yield change;
  }

  /** The number of the next change: each line that can't be read may have been given one. */
  nextNumber(): number {
    let next = 1;
    for (const change of this.#newestOrUnreadable()) {
      if (change) return next + change.change;
      next++;
    }
    return next;
  }

  *#newestOrUnreadable(): Generator<Change | undefined> {
    for (let index = 0; ; index++) {
      if (index === this.#seen.length) {
        const { done, value } = this.#lines.next();
        if (done) return;
        this.#seen.push(value);
      }
      yield this.#seen[index];
    }
  }
}

type Record = Change | { readonly change: number; readonly void: string };

function parse(line: string): Record | undefined {
  try {
    const record = JSON.parse(line);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record {
  const {
    change,
    edits,
    void: reason,
    at,
    who,
    why,
    undoes,
    from,
    to,
    back,
  } = (value ?? {}) as Partial<Change>;
  if (!isNumber(change)) return false;
  if (edits === undefined) return typeof reason === 'string';
  return (
    Array.isArray(edits) &&
    edits.every(isEdit) &&
    [at, who, from, to].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(at as string)) &&
    isTextOrNone(why) &&
    (undoes === undefined || isNumber(undoes)) &&
    (back === undefined || isSplice(back))
  );
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) < MOST;
}

function isEdit(value: unknown): value is Edit {
  const { key, before, after, follows, earlier, made } = (value ?? {}) as Partial<Edit>;
  return (
    typeof key === 'string' &&
    [before, after, ...(Array.isArray(earlier) ? earlier : [earlier])].every(isJsonOrNone) &&
    isTextOrNone(made) &&
    isTextOrNone(follows ?? undefined)
  );
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isJsonOrNone(value: unknown): boolean {
  if (typeof value !== 'string') return value === undefined;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
