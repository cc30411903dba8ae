import { randomUUID } from 'node:crypto';
import { type Files, readWhole, tryRemove, writeWhole } from './files.ts';

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

function holds(path: string, bytes: Buffer, files: Files): boolean {
  const stats = files.statSync(path, { throwIfNoEntry: false });
  if (stats?.size !== bytes.length) return false;
  const fd = files.openSync(path, 'r');
  try {
    return readWhole(fd, files).equals(bytes);
  } finally {
    files.closeSync(fd);
  }
}
