import { FILES, type Files, unless, writeWhole } from '../store/files.ts';

/** What became of one key. */
export interface Edit {
  readonly key: string;
  /** The JSON that stood there, as it was written; none if nothing did. */
  readonly before?: string | undefined;
  /** The JSON that stands there since; none if nothing does. */
  readonly after?: string | undefined;
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
  /** Why it never came about. */
  readonly void?: string | undefined;
}

/** How much is read at a time, in bytes. */
const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The changes of a file, one line of JSON each, oldest first. A line is written before the change that it tells of, so
 * that none is ever missing; of the last one it must be asked whether it came about. Lines that can't be read, such as
 * one that a killed process left unfinished, are passed over.
 *
 * All that writes must hold the lock of the file that the changes are of.
 */
export class Journal {
  readonly path: string;
  readonly #files: Files;

  constructor(path: string, files: Files = FILES) {
    this.path = path;
    this.#files = files;
  }

  /** Adds a change, and gives its number. When this returns, it is on the disk. Throws the system's errors. */
  append(change: Omit<Change, 'change' | 'void'>): number {
    const number = (this.#newestNumber() ?? 0) + 1;
    this.#write({ change: number, ...change });
    return number;
  }

  /** Says of a change that it never came about. */
  voidChange(change: number, why: string): void {
    this.#write({ change, void: why });
  }

  /** The changes, newest first, those that never came about included. Throws the system's errors. */
  *newest(): Generator<Change> {
    const voids = new Map<number, string>();
    for (const line of this.#linesBackwards()) {
      const record = parse(line);
      if (!record) continue;
      if ('edits' in record) yield { ...record, void: voids.get(record.change) };
      else voids.set(record.change, record.void);
    }
  }

  #newestNumber(): number | undefined {
    for (const line of this.#linesBackwards()) {
      const record = parse(line);
      if (record) return record.change;
    }
    return undefined;
  }

  #write(record: object): void {
    const fd = this.#files.openSync(this.path, 'a+', 0o600);
    try {
      const line = `${this.#endsInLine(fd) ? '' : '\n'}${JSON.stringify(record)}\n`;
      writeWhole(fd, Buffer.from(line), this.#files);
      this.#files.fsyncSync(fd);
    } finally {
      this.#files.closeSync(fd);
    }
  }

  #endsInLine(fd: number): boolean {
    const { size } = this.#files.fstatSync(fd);
    if (size === 0) return true;
    const last = Buffer.alloc(1);
    this.#files.readSync(fd, last, 0, 1, size - 1);
    return last[0] === NEWLINE;
  }

  *#linesBackwards(): Generator<string> {
    const fd = unless(['ENOENT'], () => this.#files.openSync(this.path, 'r'));
    if (fd === undefined) return;
    try {
      let later: Buffer[] = [];
      for (let end = this.#files.fstatSync(fd).size; end > 0; end -= BLOCK) {
        const start = Math.max(0, end - BLOCK);
        const block = Buffer.alloc(end - start);
        this.#files.readSync(fd, block, 0, block.length, start);
        let to = block.length;
        for (
          let feed = block.lastIndexOf(NEWLINE);
          feed >= 0;
          feed = feed && block.lastIndexOf(NEWLINE, feed - 1)
        ) {
          yield Buffer.concat([block.subarray(feed + 1, to), ...later]).toString();
          later = [];
          to = feed;
          if (feed === 0) break;
        }
        later.unshift(block.subarray(0, to));
      }
      yield Buffer.concat(later).toString();
    } finally {
      this.#files.closeSync(fd);
    }
  }
}

type Record = Change | { readonly change: number; readonly void: string };

function parse(line: string): Record | undefined {
  if (line === '') return undefined;
  try {
    const record = JSON.parse(line);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record {
  const { change, edits, void: why, at, who, from, to } = (value ?? {}) as Partial<Change>;
  if (!Number.isSafeInteger(change)) return false;
  if (edits === undefined) return typeof why === 'string';
  return (
    Array.isArray(edits) &&
    edits.every(isEdit) &&
    [at, who, from, to].every((text) => typeof text === 'string')
  );
}

function isEdit(value: unknown): value is Edit {
  const { key, before, after } = (value ?? {}) as Partial<Edit>;
  return (
    typeof key === 'string' && [before, after].every((json) => json === undefined || typeof json === 'string')
  );
}
