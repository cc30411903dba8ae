import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { jsonProblem } from '../json/problem.ts';
import { visibleName } from '../text/visible.ts';
import { isSystemError } from './store/files.ts';
import { unusable, updateFile } from './store/update.ts';

/** The folder of a project's memory. */
const NAME = '.plimsoll';

/** What is of no use to others who work on the project. */
const IGNORED = `# The facts and the diary may be shared; the rest is of this machine.
changes.jsonl
transcripts/
last-good.json*
context.damaged-*.json
context.lost-*.json
.*.lock*
.*.tmp
`;

/** A project's memory, as seen from a folder. */
export interface Project {
  /** The folder that holds it, absolute. */
  readonly folder: string;
  /** Whether the user said that it may be read; what a repository brings along is data of strangers. */
  readonly isWanted: boolean;
}

/**
 * The memory of the project that a folder is in, if it has one: the nearest `.plimsoll` upwards, up to the root of the
 * repository, work tree or submodule. Throws what reading the list of projects throws: `MEMORY_DAMAGED`,
 * `MEMORY_UNREADABLE`.
 */
export function findProject(from: string, data: string): Project | undefined {
  const place = foldersOfProject(from).find((folder) => hasMemory(folder, data));
  if (place === undefined) return undefined;
  const real = realpathSync(join(place, NAME));
  return { folder: real, isWanted: wanted(data).includes(real) };
}

/**
 * In a work tree of git beside the main one: the memory of the project in the main one that the user asked for. It isn't
 * read here, since each work tree has its own. Throws as {@link findProject} does.
 */
export function memoryOfMainTree(from: string, data: string): string | undefined {
  const root = repositoryRoot(from);
  if (root === undefined || within(from, root).some((folder) => hasMemory(folder, data))) return undefined;
  const main = mainTreeOf(root);
  if (main === undefined || !hasMemory(main, data)) return undefined;
  const real = realpathSync(join(main, NAME));
  return wanted(data).includes(real) ? real : undefined;
}

/**
 * Of a repository without a memory: the nearest one further up that the user asked for. It isn't read here, since it is of
 * another project. Throws as {@link findProject} does.
 */
export function memoryAround(from: string, data: string): string | undefined {
  const root = repositoryRoot(from);
  if (root === undefined || within(from, root).some((folder) => hasMemory(folder, data))) return undefined;
  const places = upwards(dirname(root)).filter((folder) => hasMemory(folder, data));
  const listed = places.length > 0 ? wanted(data) : [];
  return places.map((folder) => realpathSync(join(folder, NAME))).find((place) => listed.includes(place));
}

/** The memory of the project that the user asked for, where its folder isn't there any more. */
export function removedProject(from: string, data: string): string | undefined {
  const listed = listedIn(data);
  const nearest = foldersOfProject(realOrSame(from))
    .map((folder) => realOrSame(join(folder, NAME)))
    .find((place) => listed.includes(place));
  return nearest === undefined || existsSync(nearest) ? undefined : nearest;
}

/**
 * Makes a memory for the project that a folder is in, and has it read from now on; one that is there already, in the
 * folder or up to the project's root, is taken as it is. The root is that of the repository; without one it is the
 * folder. Gives the memory's place. Throws `BAD_USAGE` if the new memory would hide another one that is read there,
 * `MEMORY_UNWRITABLE`, and as {@link findProject} does.
 */
export async function initProject(folder: string, data: string): Promise<string> {
  const root = repositoryRoot(folder) ?? folder;
  const home = within(folder, root).find((one) => hasMemory(one, data));
  if (home === undefined) refuseHiding(root, data);
  const place = join(home ?? root, NAME);
  make(place);
  const real = realpathSync(place);
  const path = listPath(data);
  await updateFile(path, (bytes) => {
    const projects = bytes ? parse(bytes, path) : [];
    if (projects.includes(real)) return { answer: undefined };
    return { bytes: Buffer.from(`${JSON.stringify([...projects, real], null, 2)}\n`), answer: undefined };
  });
  return real;
}

function refuseHiding(root: string, data: string): void {
  const around = findProject(root, data);
  if (!around?.isWanted) return;
  throw new PlimsollError(
    'BAD_USAGE',
    `The memory of a project is read here already: '${visibleName(around.folder)}'. A second one would hide it in '${visibleName(root)}'; to have that, make the folder '${visibleName(join(root, NAME))}' yourself and do this again.`,
  );
}

function make(place: string): void {
  try {
    mkdirSync(place, { mode: 0o700, recursive: true });
    writeFileSync(join(place, '.gitignore'), IGNORED, { flag: 'wx' });
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw unusable('write', place, error);
    if (isFolder(place)) return;
    throw new PlimsollError(
      'MEMORY_UNWRITABLE',
      `Cannot make the folder '${visibleName(place)}': something else has that name. Move it away and try again.`,
      { cause: error },
    );
  }
}

/** The nearest folder upwards that has a `.git`: a folder, or the file of a work tree or a submodule. */
function repositoryRoot(from: string): string | undefined {
  return upwards(from).find((folder) => existsSync(join(folder, '.git')));
}

/** The main work tree, as the files of git tell of another one (gitrepository-layout, `commondir`). */
function mainTreeOf(root: string): string | undefined {
  try {
    const [, own = ''] = /^gitdir: (.*)$/m.exec(readFileSync(join(root, '.git'), 'utf8')) ?? [];
    const folder = resolve(root, own);
    const common = resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim());
    return basename(common) === '.git' ? dirname(common) : undefined;
  } catch {
    return undefined;
  }
}

function hasMemory(folder: string, data: string): boolean {
  const place = join(folder, NAME);
  return isFolder(place) && realpathSync(place) !== realOrSame(data);
}

/** The folder and those that it is in, up to the root of its repository; all of them without one. */
function foldersOfProject(folder: string): readonly string[] {
  const root = repositoryRoot(folder);
  return root === undefined ? upwards(folder) : within(folder, root);
}

/** The folder and those that it is in, up to a root. */
function within(folder: string, root: string): readonly string[] {
  const all = upwards(folder);
  return all.slice(0, all.indexOf(root) + 1);
}

/** The folder and all that it is in. */
function upwards(from: string): readonly string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...upwards(above)];
}

function wanted(data: string): readonly string[] {
  const path = listPath(data);
  try {
    return parse(readFileSync(path), path);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw unusable('read', path, error);
  }
}

/** The projects that the user asked for, none where that can't be read. */
function listedIn(data: string): readonly string[] {
  try {
    return wanted(data);
  } catch {
    return [];
  }
}

function parse(bytes: Buffer, path: string): readonly string[] {
  const problem = jsonProblem(bytes);
  if (problem) throw damaged(path, `at line ${problem.line}, column ${problem.column}: ${problem.problem}`);
  const list: unknown = JSON.parse(bytes.toString());
  if (Array.isArray(list) && list.every((entry) => typeof entry === 'string')) return list;
  throw damaged(path, 'at line 1, column 1: it must be a list of folders, ["…", "…"]');
}

function damaged(path: string, what: string): PlimsollError {
  return new PlimsollError(
    'MEMORY_DAMAGED',
    `${visibleName(path)} is damaged ${what}. It names the projects whose memory is read; mend it, or remove it and do plimsoll memory init --project in each of them.`,
  );
}

function listPath(data: string): string {
  return join(data, 'projects.json');
}

/** Whether it is a folder that can be looked at. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
