import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type Files, READING, readWhole, tryRemove, writeWhole } from './files.ts';

/** After this time in milliseconds nobody is writing a copy any more. */
const WRITING = 10_000;

/**
 * Has a file hold these bytes, whole or not at all, for the user alone. It is a copy that others can do without: that it
 * can't be written is no fault, and it isn't waited for until it is on the disk.
 */
export function keepCopy(path: string, bytes: Buffer, files: Files): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    if (holds(path, bytes, files)) return;
    const fd = files.openSync(temporary, 'wx', 0o600);
    try {
      writeWhole(fd, bytes, files);
    } finally {
      files.closeSync(fd);
    }
    files.renameSync(temporary, path);
  } catch {
    tryRemove(temporary, files);
  }
}

/** Removes what processes that were killed while they wrote a copy have left. */
export function clearCopies(path: string, files: Files): void {
  try {
    for (const name of files.readdirSync(dirname(path))) {
      if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.tmp')) continue;
      const temporary = join(dirname(path), name);
      const stats = files.statSync(temporary, { throwIfNoEntry: false });
      if (stats && Date.now() - stats.mtimeMs > WRITING) tryRemove(temporary, files);
    }
  } catch {}
}

/** What a copy holds, if it can be read. */
export function readCopy(path: string, files: Files): Buffer | undefined {
  try {
    const fd = files.openSync(path, READING);
    try {
      return files.fstatSync(fd).isFile() ? readWhole(fd, files) : undefined;
    } finally {
      files.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function holds(path: string, bytes: Buffer, files: Files): boolean {
  const stats = files.statSync(path, { throwIfNoEntry: false });
  return stats?.size === bytes.length && readCopy(path, files)?.equals(bytes) === true;
}
