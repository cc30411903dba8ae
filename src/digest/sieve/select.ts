import picomatch from 'picomatch';
import { PlimsollError } from '../../errors.ts';

/** Which files the user asked for by name. */
export interface Selection {
  /** Whether a path is wanted at all. */
  readonly wanted: (path: string) => boolean;
  /** Whether a file was asked for by its own name or path, without a wildcard: then the sieve doesn't hold it back. */
  readonly named: (path: string) => boolean;
}

/**
 * Reads `--include` and `--exclude`. A pattern without a slash matches a file's or folder's name at any
 * depth; one with a slash, if only a leading one, is anchored at the root; a folder that matches stands for
 * all that is in it.
 * A path that is literally equal to a pattern matches too, whatever wildcards its name holds.
 *
 * @throws PlimsollError `BAD_GLOB` for an empty or unbalanced pattern
 */
export function select(include: readonly string[], exclude: readonly string[]): Selection {
  const included = include.map((pattern) => matcher(pattern));
  const excluded = exclude.map((pattern) => matcher(pattern));
  const literal = include.filter((pattern) => !picomatch.scan(pattern).isGlob);
  const names = new Set(literal.filter((pattern) => !pattern.includes('/')));
  const paths = new Set(literal.map(trim));
  return {
    wanted: (path) =>
      (included.length === 0 || included.some((matches) => matches(path))) &&
      !excluded.some((matches) => matches(path)),
    named: (path) => paths.has(path) || names.has(path.slice(path.lastIndexOf('/') + 1)),
  };
}

function covers(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function trim(pattern: string): string {
  return pattern.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
}

function matcher(pattern: string): (path: string) => boolean {
  const glob = trim(pattern);
  if (glob === '')
    throw new PlimsollError('BAD_GLOB', `An empty pattern matches nothing: give a path or a glob.`);
  let matches: (path: string) => boolean;
  try {
    matches = picomatch(glob, { dot: true, strictBrackets: true, nonegate: true });
  } catch {
    throw new PlimsollError(
      'BAD_GLOB',
      `Bad pattern '${pattern}': its brackets, braces or parentheses are not balanced.`,
    );
  }
  const anchored = glob.includes('/') || /^\.?\//.test(pattern);
  return (path) => {
    if (covers(glob, path)) return true;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (matches(tail(path.slice(0, slash), anchored))) return true;
    }
    return matches(tail(path, anchored));
  };
}

function tail(path: string, anchored: boolean): string {
  return anchored ? path : path.slice(path.lastIndexOf('/') + 1);
}
