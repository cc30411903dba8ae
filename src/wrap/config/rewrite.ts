import { access, constants, mkdir, open, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { PlimsollError } from '../../errors.ts';
import { unifiedDiff } from './diff.ts';
import { type ChangedServer, readDocument, unreadable } from './document.ts';
import { type Launcher, unwrapEntry, wrapEntry } from './entry.ts';

/** A change of a client's configuration that is not made yet. */
export interface Rewriting {
  /** The file itself, if a link leads to it. */
  readonly file: string;
  /** None if there is no file, or if there is to be none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What is shown of the change, without secrets; empty if there is none. */
  readonly diff: string;
  /** A line for each server that stays as it is, and for each that may not work any more. */
  readonly notes: readonly string[];
}

/** What the name of a copy ends in, with a number after it. */
export const BACKUP = '.plimsoll-backup-';

/** Why a file can't be read, in words that say more than the system's. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; give the file in it',
  EACCES: 'it may not be read',
};

/**
 * Works out a client's configuration with all servers wrapped, or with `undo` with none wrapped. Nothing is written.
 * Throws `CONFIG_UNREADABLE` if there is no file, or if it is no configuration with servers.
 */
export async function planRewriting(file: string, undo: boolean, launcher: Launcher): Promise<Rewriting> {
  const { real, text } = await readConfig(file);
  const document = readDocument(file, text);
  const changed: ChangedServer[] = [];
  const notes: string[] = [];
  for (const server of document.servers) {
    const { name, entry } = server;
    const result = undo ? unwrapEntry(entry, launcher) : wrapEntry(name, entry, launcher);
    if ('left' in result) notes.push(`'${name}' stays as it is: ${result.left}`);
    else changed.push({ ...server, ...result });
    if (!undo && 'entry' in result && !('command' in entry)) {
      notes.push(
        `'${name}' is at an address: if the client signs in there itself, that ends with the wrapping`,
      );
    }
  }
  const after = changed.length === 0 ? text : document.with(changed);
  return {
    file: real,
    before: text,
    after,
    diff: unifiedDiff(file, document.shown(), readDocument(file, after).shown()),
    notes,
  };
}

/**
 * Makes the change, in one step, and gives the path of a copy of the file as it was; none of one that comes or goes. A link stays a
 * link; owner and permissions stay. Throws `CONFIG_CHANGED` if somebody else has changed the file meanwhile,
 * `OUTPUT_UNWRITABLE` if it can't be written, or is read-only. The copy stays only if the change was made.
 */
export async function rewrite({ file, before, after }: Rewriting): Promise<string | undefined> {
  try {
    if (before === undefined) {
      await create(file, after ?? '');
      return undefined;
    }
    if (((await stat(file)).mode & 0o222) === 0) throw new Error('it is read-only');
    await access(file, constants.W_OK);
    if (after === undefined) {
      await refuseOther(file, before);
      await rm(file);
      return undefined;
    }
    const backup = await backUp(file, before);
    try {
      await replace(file, before, after);
      return backup;
    } catch (error) {
      await rm(backup, { force: true });
      throw error;
    }
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
    const { message } = error as Error;
    throw new PlimsollError('OUTPUT_UNWRITABLE', `Cannot write '${file}': ${message}.`, { cause: error });
  }
}

/** Makes a file that only its owner can read, and the folders to it. */
async function create(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? changed(file) : error;
  }
}

async function replace(file: string, before: string, after: string): Promise<void> {
  await refuseOther(file, before);
  await writeFileAtomic(file, after);
}

async function refuseOther(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8')) !== text) throw changed(file);
}

function changed(file: string): PlimsollError {
  return new PlimsollError(
    'CONFIG_CHANGED',
    `'${file}' has changed meanwhile. Nothing is written; try again.`,
  );
}

/** The file itself and its text. Throws `CONFIG_UNREADABLE`. */
export async function readConfig(file: string): Promise<{ real: string; text: string }> {
  try {
    const real = await realpath(file);
    const kind = await stat(real);
    if (!kind.isFile() && !kind.isDirectory()) throw new Error('it is no regular file');
    const bytes = await readFile(real);
    const text = bytes.toString();
    if (Buffer.from(text).equals(bytes)) return { real, text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw unreadable(file, REASONS[code ?? ''] ?? message);
  }
  throw unreadable(file, 'it is not UTF-8');
}

/** Copies what stood in the file to a new file beside it that only its owner can read. */
async function backUp(file: string, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const backup = `${file}${BACKUP}${number}`;
    try {
      const handle = await open(backup, 'wx', 0o600);
      await handle.writeFile(text).finally(() => handle.close());
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
