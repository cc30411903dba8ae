import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { PlimsollError } from '../errors.ts';

/** In UTF-16 code units. Linux takes no longer ones. */
const LONGEST_PATH = 4096;

/**
 * Throws `BAD_PATH` for a path that is longer than any that is taken: what has so many names would be looked for name by
 * name.
 */
export function checkLength(path: string): void {
  if (path.length <= LONGEST_PATH) return;
  throw new PlimsollError(
    'BAD_PATH',
    `A path has at most ${LONGEST_PATH} characters; this one has ${path.length}.`,
  );
}

/** The names from a folder to what is in it; `undefined` for what isn't. */
export function namesBetween(folder: string, path: string): readonly string[] | undefined {
  const between = relative(folder, path);
  const names = between.split(sep);
  return between === '' || names[0] === '..' || isAbsolute(between) ? undefined : names;
}

/** Whether nobody works in a folder: the file system's root, or a folder that the home is in. */
export function isAround(folder: string, home: string | undefined): boolean {
  return folder === dirname(folder) || (home !== undefined && namesBetween(folder, home) !== undefined);
}

/** The real path, of what isn't there as well: then as far as there is one. */
export async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path === dirname(path) ? path : join(await realOf(dirname(path)), basename(path));
  }
}
