import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { checkLength, isAround, namesBetween, realOf } from '../paths/between.ts';
import { visibleName } from '../text/visible.ts';
import type { Call } from './tools/tool.ts';

/** Which folders of this machine a client may look into. */
export interface FoldersAllowed {
  /** What the client says it works in. */
  readonly roots: readonly string[];
  /** What the user allows with `--root`. */
  readonly folders: readonly string[];
  /** Where the server was started, unless that is no place to work in. */
  readonly work: string | undefined;
  /** Whether more roots would be allowed as well. */
  readonly areRootsTrusted: boolean;
}

/** So many folders are named in a refusal, and so much of each. */
const MOST_NAMED = 5;

/** What a call may look into. Roots count only where the client is on this machine, as the user who started the server. */
export async function foldersFor({
  roots = [],
  services,
}: Pick<Call, 'roots' | 'services'>): Promise<FoldersAllowed> {
  const { folders, workFolder, areRootsTrusted } = services.settings;
  return {
    roots: areRootsTrusted ? roots : [],
    folders,
    areRootsTrusted,
    work: workFolder !== undefined && (await isWorkplace(workFolder)) ? workFolder : undefined,
  };
}

/** Clients start servers anywhere: in the file system's root, in the home, or around it nobody has a project. */
async function isWorkplace(folder: string): Promise<boolean> {
  const [real, home] = await Promise.all([realOf(folder), realOf(homedir())]);
  return real !== home && !isAround(real, home);
}

/**
 * The real path of a folder that may be looked into: one of those allowed, or one in them, once all symbolic links are
 * resolved on both sides. A relative path starts at the first of them. Throws `SOURCE_NOT_ALLOWED`, whether there is such a
 * folder or not, and `BAD_PATH` for a path that is too long.
 */
export async function allowedFolder(path: string, allowed: FoldersAllowed): Promise<string> {
  checkLength(path);
  const { roots, folders, work, areRootsTrusted } = allowed;
  const all = [...roots, ...(work === undefined ? [] : [work]), ...folders];
  const base = all[0];
  const asked = resolve(base ?? '/', path.replace(/^~(?=[\\/]|$)/, homedir));
  if (path.includes('\0') || isElsewhere(asked, all)) throw notAllowed(path, all, areRootsTrusted);
  const real = await realOf(asked);
  const reals = await Promise.all(all.map(realOf));
  const isAllowed = reals.some((folder) => real === folder || namesBetween(folder, real) !== undefined);
  if (!isAllowed) throw notAllowed(path, all, areRootsTrusted);
  return real;
}

/** Whether a path names another machine, which even to ask for would show who asks. */
function isElsewhere(path: string, wanted: readonly string[]): boolean {
  if (process.platform !== 'win32' || !/^[\\/]{2}/.test(path)) return false;
  return !wanted.some((folder) => folder === path || namesBetween(folder, path) !== undefined);
}

function notAllowed(path: string, all: readonly string[], areRootsTrusted: boolean): PlimsollError {
  const named = all.slice(0, MOST_NAMED).map((folder) => visibleName(folder));
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  const where =
    all.length === 0
      ? 'No folder is allowed yet: one is'
      : `Allowed is what is in ${named.join(', ')}${more}. Others are allowed`;
  const root = areRootsTrusted ? 'as a root of the client, or ' : '';
  return new PlimsollError(
    'SOURCE_NOT_ALLOWED',
    `${visibleName(path)} may not be looked into. ${where} ${root}with plimsoll serve --root FOLDER.`,
  );
}
