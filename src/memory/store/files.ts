import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The system calls that a write is made of. Tests put others in their place, that fail or stop. */
export type Files = Pick<
  typeof fs,
  | 'chmodSync'
  | 'closeSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'readSync'
  | 'realpathSync'
  | 'renameSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
>;

/** The system's own. */
export const FILES: Files = fs;

/** Opens a file to read it, and waits for no pipe, where the system has such. */
export const READING = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** Whether an error of the system's has one of these codes. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** What `call` gives, or `undefined` if it fails with one of these codes. */
export function unless<T>(codes: readonly string[], call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isSystemError(error, ...codes)) return undefined;
    throw error;
  }
}

/** All bytes of an open file, at most `most`, from its start, wherever it was read before. */
export function readWhole(fd: number, files: Files, most = Number.POSITIVE_INFINITY): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(files.fstatSync(fd).size + 1, most));
  for (let length = 0; ; ) {
    const read = files.readSync(fd, bytes, length, bytes.length - length, length);
    length += read;
    if (read === 0 || length === most) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * length, most));
  }
}

/** Writes all bytes at the end of what was written before. */
export function writeWhole(fd: number, bytes: Buffer, files: Files): void {
  for (let written = 0; written < bytes.length; ) {
    written += files.writeSync(fd, bytes, written, bytes.length - written);
  }
}

/** Removes a file, unless there is none. */
export function remove(path: string, files: Files): void {
  unless(['ENOENT'], () => files.unlinkSync(path));
}

/** Removes a file after something else has failed, if it can be removed. */
export function tryRemove(path: string, files: Files): void {
  try {
    files.unlinkSync(path);
  } catch {}
}

/**
 * The place of the file itself where `path` is a link, also of one that isn't there. Throws the system's `ENOENT` if
 * the folder isn't there, `ELOOP` for links in a circle.
 */
export function realPlace(path: string, files: Files): string {
  const real = unless(['ENOENT'], () => files.realpathSync(path));
  if (real !== undefined) return real;
  const folder = files.realpathSync(dirname(path));
  const target = unless(['ENOENT', 'EINVAL'], () => files.readlinkSync(path));
  return target === undefined ? join(folder, basename(path)) : realPlace(resolve(folder, target), files);
}

/** Makes a folder and those it stands in, unless they are there, for the user alone. */
export function makeFolders(folder: string, files: Files): void {
  if (files.statSync(folder, { throwIfNoEntry: false })) return;
  makeFolders(dirname(folder), files);
  try {
    files.mkdirSync(folder, 0o700);
    files.chmodSync(folder, 0o700);
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
  syncFolder(dirname(folder), files);
}

/** Has the names in a folder survive a power failure, where the file system can do that; Windows has no such call. */
export function syncFolder(folder: string, files: Files): void {
  if (process.platform === 'win32') return;
  const fd = files.openSync(folder, 'r');
  try {
    unless(['EINVAL', 'ENOTSUP'], () => files.fsyncSync(fd));
  } finally {
    files.closeSync(fd);
  }
}
