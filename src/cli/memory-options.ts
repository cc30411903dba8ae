import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import { Memory, type Place, type ScopeName } from '../memory/memory.ts';
import { loadSettings } from '../settings/load.ts';
import { visibleJson, visibleName } from '../text/visible.ts';
import { currentFolder } from './current-folder.ts';
import { writeStdout } from './output.ts';
import { warn } from './warn.ts';

export interface ScopeFlags {
  readonly scope?: ScopeName;
}

export interface JsonFlags extends ScopeFlags {
  readonly json?: true;
}

export interface WriteFlags extends JsonFlags {
  readonly why?: string;
}

/** The option `--scope`. */
export function scopeOption(): Option {
  return new Option('--scope <SCOPE>', 'which memory, where the project has one').choices([
    'global',
    'project',
  ]);
}

/** The option `--why`. */
export function whyOption(): Option {
  return new Option('--why <TEXT>', 'the reason, for the journal');
}

/** As {@link memoryToRepair}; warns of facts that are gone, too. */
export function openMemory(): Memory {
  const memory = memoryToRepair();
  warn(
    memory
      .where()
      .places.filter(({ isGone }) => isGone)
      .map(goneLine),
  );
  return memory;
}

/**
 * The memory that the settings name, and that of the project in the current folder, for what tells of facts that are gone
 * itself. Warns of copies that can't be kept.
 */
export function memoryToRepair(): Memory {
  const memory = new Memory({ folder: dataFolder(), workFolder: workFolder(), who: 'cli' });
  const { places, removed } = memory.where();
  const other = places.find(({ scope }) => scope === 'project');
  const instead = other ? `; meanwhile ${other.folder} is the project's` : '';
  if (removed !== undefined) {
    warn([
      `${removed}, the memory of this project, is gone: put it back, or begin a new one with plimsoll memory init --project${instead}`,
    ]);
  }
  warn(places.filter(({ copy }) => copy === 'not a file').map(copyLine));
  return memory;
}

function copyLine({ folder, scope }: Place): string {
  const path = visibleName(join(folder, 'last-good.json'));
  return `${path} is not a file: there is no copy to repair the ${scope} facts with. Move it away`;
}

function goneLine({ context, scope }: Place): string {
  const option = scope === 'global' ? '' : ` --scope ${scope}`;
  return `${visibleName(context)} is gone: plimsoll memory repair${option} shows how to bring back what was in it`;
}

/** The data folder that the settings name. Throws `BAD_USAGE` for a relative one where the current folder was removed. */
export function dataFolder(): string {
  try {
    const { values, warnings } = loadSettings(['data'], {}, workFolder() ?? '', process.env);
    warn(warnings);
    return values.data.folder;
  } catch (error) {
    if (!(error instanceof PlimsollError)) currentFolder();
    throw error;
  }
}

/** The current folder, `undefined` where it was removed: the global memory needs none. */
function workFolder(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}

/** A text that is an argument, or all of stdin without the line end at its end if that is `-`. Throws `BAD_USAGE`. */
export async function textFrom(argument: string): Promise<string> {
  if (argument !== '-') return argument;
  const bytes = await buffer(process.stdin);
  if (!isUtf8(bytes)) throw new PlimsollError('BAD_USAGE', 'What comes from stdin is not UTF-8.');
  return bytes.toString().replace(/\r?\n$/, '');
}

/** A whole number from 0; one that is too large for a number is the largest. Throws `BAD_USAGE`. */
export function parseNumber(value: string): number {
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  throw new PlimsollError('BAD_USAGE', `Not a whole number from 0: '${visibleName(value)}'.`);
}

/** Prints a value as JSON for programs; on a terminal, with all escaped that could act on it. */
export async function writeJson(json: string): Promise<void> {
  await writeStdout(`${process.stdout.isTTY ? visibleJson(json) : json}\n`);
}
