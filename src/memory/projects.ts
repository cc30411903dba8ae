import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import { updateFile } from './store/update.ts';

/** The folder of a project's memory. */
const NAME = '.plimsoll';

/** What is of no use to others who work on the project. */
const IGNORED = `# The facts and the diary may be shared; the rest is of this machine.
changes.jsonl
last-good.json*
context.damaged-*.json
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

/** The memory of the project that a folder is in, if it has one: the nearest `.plimsoll` upwards. */
export function findProject(from: string, data: string): Project | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, NAME);
    if (isFolder(place)) {
      const real = realpathSync(place);
      return real === realOrSame(data) ? undefined : { folder: real, isWanted: wanted(data).includes(real) };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Makes a memory for the project in a folder, unless there is one, and has it read from now on. Gives its place. Throws
 * `MEMORY_UNWRITABLE`.
 */
export async function initProject(folder: string, data: string): Promise<string> {
  const place = join(folder, NAME);
  try {
    mkdirSync(place, { mode: 0o700, recursive: true });
    writeFileSync(join(place, '.gitignore'), IGNORED, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(place)) {
      throw new PlimsollError(
        'MEMORY_UNWRITABLE',
        `Cannot make '${visibleName(place)}': ${(error as Error).message.split(',')[0]}.`,
        { cause: error },
      );
    }
  }
  const real = realpathSync(place);
  await updateFile(listPath(data), (bytes) => {
    const projects = parse(bytes?.toString());
    if (projects.includes(real)) return { answer: undefined };
    return { bytes: Buffer.from(`${JSON.stringify([...projects, real], null, 2)}\n`), answer: undefined };
  });
  return real;
}

function wanted(data: string): readonly string[] {
  try {
    return parse(readFileSync(listPath(data), 'utf8'));
  } catch {
    return [];
  }
}

/** What is no list of paths names no project. */
function parse(text: string | undefined): readonly string[] {
  try {
    const list = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

function listPath(data: string): string {
  return join(data, 'projects.json');
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
