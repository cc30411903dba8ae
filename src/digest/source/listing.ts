import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import type { Entry, Listing, Warning } from '../types.ts';
import type { Disk } from './disk.ts';
import { parentOf } from './nested.ts';
import { RULES_LIMIT, type Rules } from './rules.ts';

/** What went wrong while a source was listed, a folder or file named once each. */
export class Troubles {
  readonly warnings: Warning[];
  complete = true;
  readonly #named = new Set<string>();

  constructor(warnings: readonly Warning[]) {
    this.warnings = [...warnings];
  }

  /** A folder whose contents could not be listed, in full or in part. */
  unreadableFolder(path: string, cause: unknown): void {
    this.complete = false;
    if (this.#named.has(path)) return;
    this.#named.add(path);
    const name = path === '' ? 'The folder itself' : `Folder \`${visibleName(path)}\``;
    this.add('UNREADABLE_FOLDER', `${name} could not be read (${reason(cause)}): what is in it is missing.`);
  }

  /** A rule file that does not count because it could not be read. */
  unreadableRules(path: string, cause: string): void {
    this.add(
      'UNREADABLE_RULES',
      `\`${visibleName(path)}\` could not be read (${cause}): its rules don't count.`,
    );
  }

  add(code: string, message: string): void {
    this.warnings.push({ code, message });
  }
}

/**
 * The content of a rule file; `undefined` where there is none, and, with a warning, where it can't be read,
 * is a symbolic link or is too large.
 */
export function readRuleFile(disk: Disk, path: string, troubles: Troubles): Buffer | undefined {
  try {
    const content = disk.read(path, RULES_LIMIT + 1);
    if (content.length <= RULES_LIMIT) return content;
    troubles.unreadableRules(path, TOO_LARGE);
  } catch (error) {
    if (!ABSENT.has(codeOf(error))) troubles.unreadableRules(path, reason(error));
  }
  return undefined;
}

/** Why a rule file larger than `RULES_LIMIT` is not read. */
export const TOO_LARGE = `larger than ${RULES_LIMIT / 1024 / 1024} MB`;

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EINVAL']);

/** A file, link or pipe that is known to be there and can't be looked at. */
export function unreadableEntry(
  path: string,
  kind: Entry['kind'],
  cause: unknown,
  troubles: Troubles,
): Entry {
  troubles.unreadableFolder(parentOf(path), cause);
  return { path, kind, size: 0, omit: 'unreadable' };
}

/** The finished listing. Throws `SOURCE_EMPTY` or, where all that is there can't be read, `SOURCE_UNREADABLE`. */
export function finishListing(name: string, entries: Entry[], rules: Rules, troubles: Troubles): Listing {
  const { complete, warnings } = troubles;
  if (entries.length === 0) {
    if (!complete) {
      throw new PlimsollError('SOURCE_UNREADABLE', `Nothing in ${name} can be read: check its permissions.`);
    }
    throw new PlimsollError(
      'SOURCE_EMPTY',
      `${name} holds no files, or only ignored ones: nothing to digest.`,
    );
  }
  entries.sort(byPath);
  return {
    entries: rules.apply(withFewTargets(entries)),
    complete,
    warnings,
    attributesOf: rules.attributesOf,
  };
}

/** Of so many symbolic links it is told where they point, the same for every kind of source: elsewhere each is a request. */
export const MOST_TARGETS = 250;

function withFewTargets(entries: readonly Entry[]): readonly Entry[] {
  let links = 0;
  return entries.map((entry) => {
    if (entry.kind !== 'symlink' || ++links <= MOST_TARGETS) return entry;
    const { target: _, ...link } = entry;
    return link;
  });
}

/** Compares by code unit. */
export function byPath(a: Entry, b: Entry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** An error's cause in a few words. */
export function reason(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? (code || visibleName(String(error)));
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'it is a symbolic link',
  ENAMETOOLONG: 'its path is too long',
  EIO: 'the disk fails',
};
