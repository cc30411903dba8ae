import { lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { PlimsollError } from '../../errors.ts';
import { isSystemError } from '../../memory/store/files.ts';
import { checkLength, isAround, namesBetween, realOf } from '../../paths/between.ts';
import { visibleName } from '../../text/visible.ts';
import { AIDER_HISTORY, type Machine, type Store, transcriptStores } from './clients.ts';
import { fitsPath } from './pattern.ts';

export interface Allowance extends Machine {
  /** Folders that the user allows besides, absolute. */
  readonly folders: readonly string[];
}

/** Folders whose files are for no one but their program, wherever they are. */
const PRIVATE_FOLDER = /^\.(?:ssh|gnupg|aws|azure|kube|docker|password-store)$/i;

/** Folders of a home that hold programs' data, though they aren't named as hidden ones are. */
const PROGRAM_DATA: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Library', win32: 'AppData' };

/** Names of files that hold keys or passwords, and of copies of such. */
const KEY_FILE = new RegExp(
  [
    '^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:$|[^a-z])',
    String.raw`\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx?|gpg|asc|ovpn|tfvars|env)(?:$|[.~])`,
    String.raw`^(?:credentials?|secrets?|passwords?|service[-_]account.*)(?:\.(?:json|ya?ml|toml|ini|txt|csv))?$`,
    '^(?:g?shadow|passwd|htpasswd|authorized_keys|known_hosts|environ|wallet[.]dat)(?:$|[-.~])',
  ].join('|'),
  'i',
);

/**
 * The real path of a transcript that may be read: one where a known client keeps its own, one in the current folder, or
 * one in a folder that the user allows. Symbolic links are resolved on both sides. A relative path starts at the current
 * folder, and `~` is the home. What is to be read is what has this path then, no link in its place.
 *
 * Hidden files and folders, and files with names that keys have, aren't for a model to choose, so below the current
 * folder and the allowed ones they may not be read. Where the current folder is one in which a client happened to start
 * a server (the file system's root, or one around the home), only what lies in it directly may.
 *
 * Throws `TRANSCRIPT_NOT_ALLOWED`, whether there is such a file or not, and `TRANSCRIPT_UNREADABLE` for what may be read
 * but is no regular file; `BAD_PATH` for a path that is too long.
 */
export async function allowedPath(path: string, allowance: Allowance): Promise<string> {
  checkLength(path);
  const { home, workFolder, folders, platform } = allowance;
  const asked = resolve(
    workFolder,
    path.replace(/^~(?=[\\/]|$)/, () => home || '~'),
  );
  if (asked.includes('\0') || isElsewhere(path, platform, [workFolder, ...folders])) {
    throw REFUSALS.elsewhere(nameOf(path), allowance);
  }
  const real = await realOf(asked);
  if (!(await isInStore(real, allowance))) {
    const reach = await reachOf(allowance);
    const refusal = refusalOf(real, reach);
    if (refusal) throw REFUSALS[refusal](nameOfLink(path, asked, real, reach), allowance);
  }
  await checkKind(path, real);
  return real;
}

/** Whether a path names another machine, which even to ask for would show who asks; not if its folder is wanted. */
function isElsewhere(path: string, platform: NodeJS.Platform, wanted: readonly string[]): boolean {
  if (platform !== 'win32' || !/^[\\/]{2}/.test(path)) return false;
  return !wanted.some((folder) => namesBetween(folder, resolve(path)));
}

async function isInStore(real: string, machine: Machine): Promise<boolean> {
  const checked = await Promise.all(
    transcriptStores(machine).map(async ({ folder, patterns }: Store) => {
      const names = namesBetween(await realOf(folder), real);
      return names !== undefined && fitsPath(patterns, names);
    }),
  );
  return checked.includes(true);
}

/** A folder that is open to the user's model. */
interface Open {
  /** As it is given, and its real path. */
  readonly folder: string;
  readonly real: string;
  /** Whether only what lies in it directly is open. */
  readonly isShallow: boolean;
}

interface Reach {
  readonly open: readonly Open[];
  /** Where programs keep their data, if that isn't hidden. */
  readonly data: string | undefined;
}

async function reachOf({ home, workFolder, folders, platform }: Allowance): Promise<Reach> {
  const realHome = home === '' ? undefined : await realOf(home);
  const programs = PROGRAM_DATA[platform];
  const work = await realOf(workFolder);
  const open = [workFolder, ...folders].map(async (folder) => {
    const real = await realOf(folder);
    return { folder, real, isShallow: real === work && isAround(work, realHome) };
  });
  return {
    open: await Promise.all(open),
    data: realHome === undefined || programs === undefined ? undefined : join(realHome, programs),
  };
}

/** Why a real path is not open to the user's model by any of the folders; `undefined` if it is. */
function refusalOf(real: string, { open, data }: Reach): keyof typeof REFUSALS | undefined {
  if (open.some(({ real: folder }) => folder === real)) return undefined;
  const around = open.flatMap(({ real: folder, isShallow }) => {
    const names = namesBetween(folder, real);
    return names && (!isShallow || names.length === 1) ? [{ folder, names }] : [];
  });
  if (around.length === 0) return 'elsewhere';
  const isForAll = !isKeyFile(real) && around.some(({ folder, names }) => isOpen(folder, names, real, data));
  return isForAll ? undefined : 'hidden';
}

/** What was asked for. Where it leads is told only of links that lie where may be read. */
function nameOfLink(path: string, asked: string, real: string, reach: Reach): string {
  const isLink = reach.open.some(({ folder, real: realFolder }) => {
    const names = namesBetween(folder, asked);
    const place = names && join(realFolder, ...names);
    return place !== undefined && place !== real && refusalOf(place, reach) === undefined;
  });
  return isLink ? `${nameOf(path)}, which leads to ${nameOf(real)},` : nameOf(path);
}

function isKeyFile(real: string): boolean {
  return KEY_FILE.test(basename(real)) || dirname(real).split(sep).some(isPrivateFolder);
}

function isPrivateFolder(name: string): boolean {
  return PRIVATE_FOLDER.test(name);
}

/** Whether nothing on the way from a folder to a file is hidden, or another program's data. */
function isOpen(folder: string, names: readonly string[], real: string, data: string | undefined): boolean {
  if (names.some((name) => name.startsWith('.') && name !== AIDER_HISTORY)) return false;
  return data === undefined || !isIn(data, real) || folder === data || isIn(data, folder);
}

function isIn(folder: string, path: string): boolean {
  return namesBetween(folder, path) !== undefined;
}

async function checkKind(path: string, real: string): Promise<void> {
  let isFolder: boolean;
  try {
    const found = await lstat(real);
    if (found.isFile()) return;
    isFolder = found.isDirectory();
  } catch (cause) {
    const reason = isSystemError(cause, 'ENOENT', 'ENOTDIR')
      ? 'there is no such file'
      : 'the system refuses it';
    throw new PlimsollError('TRANSCRIPT_UNREADABLE', `Cannot read ${nameOf(path)}: ${reason}.`, {
      cause,
    });
  }
  const kind = isFolder ? 'a folder: give a file in it' : 'no regular file';
  throw new PlimsollError('TRANSCRIPT_UNREADABLE', `Cannot read ${nameOf(path)}: it is ${kind}.`);
}

function nameOf(path: string): string {
  return `'${visibleName(path)}'`;
}

const REFUSALS = {
  elsewhere: (name: string, { folders }: Allowance) => {
    const where = ['the current folder', ...folders.map(nameOf), 'where known clients keep transcripts'];
    return new PlimsollError(
      'TRANSCRIPT_NOT_ALLOWED',
      `${name} may not be read: transcripts are read from ${where.join(', ')}. Allow another folder with --allow FOLDER, or in PLIMSOLL_TRANSCRIPT_FOLDERS.`,
    );
  },
  hidden: (name: string, _: Allowance) =>
    new PlimsollError(
      'TRANSCRIPT_NOT_ALLOWED',
      `${name} may not be read: it is hidden, or named as files with keys are. If it is a transcript, put a copy of another name in the current folder, or allow the hidden folder that it is in with --allow FOLDER.`,
    ),
};
