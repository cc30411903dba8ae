import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import type { Listing } from '../types.ts';
import { type Selection, select } from './select.ts';

/**
 * The paths of the files that the reader names by globs, in the order of these, and of each by path.
 *
 * @throws PlimsollError `NOTHING_MATCHES` for one that no file matches
 */
export function handOf({ entries }: Listing, globs: readonly string[]): string[] {
  const found = new Set<string>();
  for (const glob of globs) {
    const { wanted } = select([glob], []);
    const own = entries.filter(({ kind, path }) => kind === 'file' && wanted(path));
    if (own.length === 0) {
      const what = `No file matches --focus-path ${visibleName(glob)}`;
      throw new PlimsollError(
        'NOTHING_MATCHES',
        `${what}: give a path as the digest's tree has it, or a glob.`,
      );
    }
    for (const { path } of own) found.add(path);
  }
  return [...found];
}

/** The same selection, where files of these globs were asked for by their names as well. */
export function alsoNamed(selection: Selection, globs: readonly string[]): Selection {
  const { named } = select(globs, []);
  return { wanted: selection.wanted, named: (path) => selection.named(path) || named(path) };
}
