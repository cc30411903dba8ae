import { constants, lstatSync, type Stats, statSync } from 'node:fs';
import { chmod, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMap } from 'node:util';

const QUIET = { throwIfNoEntry: false } as const;

/** Windows has no `O_NOFOLLOW`; with `O_EXCL` a link is refused all the same (POSIX, `open`). */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** What the system's own words would tell too little of. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EISDIR: 'it is a folder',
};

/** Why a folder is not used, in words that fit into a sentence. */
export class Refusal extends Error {}

/** Why something was not kept, out of an error of the system's or a `Refusal`. Throws what is a fault of our own. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const { code, errno } = error as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ''] ?? (errno !== undefined && getSystemErrorMap().get(errno)?.[1]);
  if (!reason) throw error;
  return reason;
}

/**
 * Makes the spool's root, unless it is there. It may be a link if both the link and the folder it leads to are the
 * user's own: then nobody else chose where it leads. Throws a `Refusal` for what is no folder or somebody else's.
 */
export async function makeRoot(root: string): Promise<void> {
  if (!statSync(root, QUIET)) await makeFolders(root);
  checkRoot(root);
}

/** Whether the root is there. Throws as `makeRoot` does. */
export function hasRoot(root: string): boolean {
  if (!lstatSync(root, QUIET)) return false;
  checkRoot(root);
  return true;
}

/** Makes a folder in one that is there, unless it is there too. Throws a `Refusal` for a link or somebody else's. */
export async function makeFolder(folder: string): Promise<void> {
  if (!lstatSync(folder, QUIET)) await makeOne(folder);
  check(lstatSync(folder, QUIET));
}

/** Whether there is a folder of the user's own, and no link. */
export function isOwnFolder(folder: string): boolean {
  try {
    return check(lstatSync(folder, QUIET));
  } catch {
    return false;
  }
}

/** Opens a new file for writing that nobody else can read, whatever the umask. */
export async function openNew(path: string): Promise<FileHandle> {
  const file = await open(path, NEW_FILE, 0o600);
  try {
    await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Runs `work` with a file, which is closed afterwards. */
export async function withFile<T>(
  opening: Promise<FileHandle>,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await opening;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

function checkRoot(root: string): void {
  const entry = lstatSync(root, QUIET);
  if (entry?.isSymbolicLink()) checkOwner(entry);
  check(statSync(root, QUIET));
}

function check(stats: Stats | undefined): boolean {
  if (!stats) return false;
  if (!stats.isDirectory()) throw new Refusal('its place is not a folder');
  checkOwner(stats);
  return true;
}

function checkOwner({ uid }: Stats): void {
  const user = process.geteuid?.() ?? uid;
  if (uid !== user) throw new Refusal('its folder belongs to another user');
}

/**
 * Makes a folder and those it stands in, unless they are there. `recursive` would never come to an end where the
 * system makes nothing and says that the parent is missing, as in `/proc`.
 */
async function makeFolders(folder: string): Promise<void> {
  if (statSync(folder, QUIET)) return;
  await makeFolders(dirname(folder));
  await makeOne(folder);
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await chmod(folder, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
