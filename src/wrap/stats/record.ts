import { lstatSync, readdirSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { META_KEY } from '../../bound/facts.ts';
import { makeRoot, openNew, reasonOf } from '../../spool/folders.ts';
import { isName, newName } from '../../spool/names.ts';
import type { Asked } from '../answer.ts';

/** What is known of a call whose result passed. Nothing of its arguments or of its result. */
export interface Call {
  /** When its result came, as ISO 8601. */
  readonly time: string;
  readonly server: string;
  /** The tool's name; for others than tools, the method's. */
  readonly tool: string;
  /** Bytes of the message with the result as the server sent it. */
  readonly before: number;
  /** Bytes of the message that the client got. */
  readonly after: number;
  /** About how many bytes of what was left out were files in base64: pictures, sounds. Not there if none were. */
  readonly files?: number | undefined;
  /** The key to what was left out, if it was kept. */
  readonly handle?: string | undefined;
}

/** What is known of a call of a tool of ours. */
export interface Reading {
  readonly time: string;
  readonly server: string;
  /** The tool's own name. */
  readonly reader: string;
  /** Bytes of the message that the client got. */
  readonly after: number;
  /** What was read, if it was something that is kept. */
  readonly handle?: string | undefined;
}

export interface RecorderOptions {
  /** Where records are: absolute. */
  readonly folder: string;
  /** What the user calls the server. */
  readonly name?: string | undefined;
  /** What the server is called if neither the user nor the server itself says it. */
  readonly command: string;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
  readonly now?: () => number;
}

/** A record's file is called so. */
export const RECORD = /^[a-z2-7]{16}\.ndjson$/;

/** How long records are kept, in milliseconds, and how many bytes of them. */
const LONGEST = 30 * 24 * 60 * 60 * 1000;
const MOST_BYTES = 10_000_000;

/** Lines are written after this time, in milliseconds, or when there are this many. */
const PAUSE = 1000;
const MOST_LINES = 500;

/** Longer names are of no use to people. */
const LONGEST_NAME = 200;

const FACTS_START = Buffer.from(`"${META_KEY}":{`);

/** As far as the facts of a cut that are looked at reach, in bytes. */
const FACTS_LENGTH = 6000;

/**
 * Writes down the calls of a session, in a file of its own that nobody else can read. It never holds anything up, and
 * what goes wrong is said once and ends the record.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #now: () => number;
  #server: string;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #file: FileHandle | undefined;
  #room = MOST_BYTES;
  #isOver = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#server = options.name ?? options.command;
  }

  /** The server says what it is called, in `serverInfo.name`. */
  met(name: unknown): void {
    const { name: given } = this.#options;
    if (given === undefined && typeof name === 'string' && name !== '') this.#server = name;
  }

  /** A result passed. `before` is the size of its message, `answer` the message that took its place if it was changed. */
  answered({ method, name }: Asked, before: number, answer: Buffer | undefined): void {
    const isTool = method !== 'resources/read' && method !== 'prompts/get';
    this.#note({
      tool: (isTool && name) || method,
      before,
      after: answer?.length ?? before,
      ...(answer && factsIn(answer)),
    });
  }

  /** A tool of ours, by its own name, answered with `size` bytes. */
  read(reader: string, handle: unknown, size: number): void {
    const isKept = typeof handle === 'string' && isName(handle);
    this.#note({ reader, after: size, handle: isKept ? handle : undefined });
  }

  /** Writes what waits, and lets go of the file. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
    this.#isOver = true;
    await this.#file?.close();
    this.#file = undefined;
  }

  #note(what: Omit<Call, 'time' | 'server'> | Omit<Reading, 'time' | 'server'>): void {
    if (this.#isOver) return;
    const time = new Date(this.#now()).toISOString();
    this.#lines.push(
      `${JSON.stringify({ time, server: this.#server, ...what }, (_, value) =>
        typeof value === 'string' ? value.slice(0, LONGEST_NAME) : value,
      )}\n`,
    );
    if (this.#lines.length >= MOST_LINES) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), PAUSE).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) this.#writing = this.#writing.then(() => this.#write(lines.join('')));
  }

  async #write(text: string): Promise<void> {
    if (this.#isOver) return;
    try {
      this.#file ??= await this.#open();
      this.#room -= Buffer.byteLength(text);
      if (this.#room < 0) this.#end('there have been too many in this session');
      else await this.#file.appendFile(text);
    } catch (error) {
      this.#end(reasonOf(error));
    }
  }

  async #open(): Promise<FileHandle> {
    const { folder } = this.#options;
    await makeRoot(folder);
    removeOld(folder, this.#now());
    return await openNew(join(folder, `${newName()}.ndjson`));
  }

  #end(reason: string): void {
    this.#isOver = true;
    this.#options.log(`calls are not recorded: ${reason}`);
  }
}

/** What an answer of ours says of what it leaves out. */
function factsIn(answer: Buffer): Pick<Call, 'files' | 'handle'> {
  const at = answer.lastIndexOf(FACTS_START);
  if (at < 0) return {};
  const facts = answer.toString('latin1', at + FACTS_START.length, at + FACTS_LENGTH);
  const [, handle = ''] = /^"handle":"([^"]*)"/.exec(facts) ?? [];
  const [, chars, bytes] = /"left":\{"chars":(\d+),"bytes":(\d+)/.exec(facts) ?? [];
  const files = filesIn(Number(chars ?? 0), Number(bytes ?? 0));
  return { ...(isName(handle) && { handle }), ...(files > 0 && { files }) };
}

/**
 * How many of the characters that are left out are base64. Of a text there are as many bytes as characters, or more; of
 * a file, whose characters are those of its base64 and whose bytes are its own, three quarters.
 */
function filesIn(chars: number, bytes: number): number {
  return Math.max(0, Math.min(chars, (chars - bytes) * 4));
}

/** Removes records that are too old, and the oldest as long as there are too many. */
function removeOld(folder: string, now: number): void {
  const records = recordsIn(folder).sort((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const { path, size, mtimeMs } of records) {
    bytes += size;
    if (bytes > MOST_BYTES || now - mtimeMs > LONGEST) rmSync(path, { force: true });
  }
}

/** The files with records in a folder; none if it isn't there. Throws what the file system says. */
export function recordsIn(folder: string): { path: string; size: number; mtimeMs: number }[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = RECORD.test(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    return stats?.isFile() ? [{ path, size: stats.size, mtimeMs: stats.mtimeMs }] : [];
  });
}
