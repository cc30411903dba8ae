import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import { Memory, type ScopeName } from '../memory/memory.ts';
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

/** The option `--scope`. */
export function scopeOption(): Option {
  return new Option('--scope <SCOPE>', 'which memory, where the project has one').choices([
    'global',
    'project',
  ]);
}

/** The memory that the settings name, and that of the project in the current folder. */
export function openMemory(): Memory {
  return new Memory({ folder: dataFolder(), workFolder: currentFolder(), who: 'cli' });
}

/** The data folder that the settings name. */
export function dataFolder(): string {
  const { values, warnings } = loadSettings(['data'], {}, currentFolder(), process.env);
  warn(warnings);
  return values.data.folder;
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
