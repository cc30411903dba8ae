import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Cache, type CachedRepository } from '../cache/cache.ts';
import { parseAddress } from '../digest/source/remote/address/address.ts';
import { originOf } from '../digest/source/remote/github/hosts.ts';
import { PlimsollError } from '../errors.ts';
import { loadSettings } from '../settings/load.ts';
import type { Job, Settings } from '../settings/settings.ts';
import { withoutCredentials } from '../text/credentials.ts';
import { size } from '../text/size.ts';
import { visibleName } from '../text/visible.ts';
import { currentFolder } from './current-folder.ts';
import { writeStdout } from './output.ts';
import { refuseOthers } from './subcommands.ts';
import { warn } from './warn.ts';

const HELP = `
Settings: the environment (PLIMSOLL_CACHE_DIR, PLIMSOLL_CACHE_SIZE); .env and
plimsoll.config.json, found upwards from the current folder.

Examples:
  plimsoll cache list
  plimsoll cache clear owner/repo`;

const EMPTY = 'The cache is empty.\n';
const HEADING = '      size  last used (UTC)   kind    address';

/** Adds the commands and the help of `plimsoll cache`. */
export function defineCache(command: Command): void {
  command.command('path').description('print the folder of the cache').action(printPath);
  command
    .command('list')
    .description('list what is in the cache, most recently used first')
    .option('--json', 'as JSON')
    .action(printList);
  command
    .command('clear')
    .description('delete all of it, or what it keeps of one repository or folder')
    .argument('[ADDRESS]', 'a repository or folder, as in the list or as it is given to digest')
    .action(clear);
  command.addHelpText('after', HELP);
  refuseOthers(command, 'path, list or clear');
}

async function printPath(): Promise<void> {
  await writeStdout(`${settingsOf('cache').cache.folder}\n`);
}

async function printList({ json }: { readonly json?: true }): Promise<void> {
  const { folder, limit } = settingsOf('cache').cache;
  const repositories = (await new Cache({ folder, limit }).list()).map((repository) => ({
    ...repository,
    address: visibleName(repository.address),
  }));
  await writeStdout(json ? listAsJson(folder, repositories, limit) : listAsText(repositories, limit));
}

async function clear(address: string | undefined): Promise<void> {
  const { entries, bytes } = await (address === undefined ? clearAll() : clearAddress(address));
  await writeStdout(entries === 0 ? EMPTY : `Deleted ${count(entries)}, ${size(bytes)}.\n`);
}

function clearAll(): Promise<{ entries: number; bytes: number }> {
  return new Cache(settingsOf('cache').cache).clear();
}

async function clearAddress(text: string): Promise<{ entries: number; bytes: number }> {
  const settings = settingsOf('cache', 'github');
  const cache = new Cache(settings.cache);
  const total = { entries: 0, bytes: 0 };
  for (const name of namesOf(text, originOf(settings.github.api))) {
    const { entries, bytes } = await cache.clear(name);
    total.entries += entries;
    total.bytes += bytes;
  }
  if (total.entries > 0) return total;
  throw new PlimsollError(
    'NOT_IN_CACHE',
    `Not in the cache: '${withoutCredentials(text)}'. See plimsoll cache list.`,
  );
}

/** What the cache may have a repository or folder under: as it was given, for documents, and for git. */
function namesOf(text: string, githubOrigin: string | undefined): Set<string> {
  const githubOrigins = githubOrigin === undefined ? [] : [githubOrigin];
  const address = parseAddress(text, { githubOrigins, exists: () => false });
  if (address.kind === 'path') return new Set([text, realFolder(address.path)]);
  return new Set([text, realFolder(text), address.url, withoutCredentials(address.cloneUrl)]);
}

/** A folder as it is kept; as it was given where it is there no more. */
function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function settingsOf<Asked extends Job>(...jobs: Asked[]): Pick<Settings, Asked> {
  const { values, warnings } = loadSettings(jobs, {}, currentFolder(), process.env);
  warn(warnings);
  return values;
}

function listAsJson(folder: string, repositories: readonly CachedRepository[], limit: number): string {
  return `${JSON.stringify({ folder, limit, bytes: bytesOf(repositories), repositories }, null, 2)}\n`;
}

/** A line for each repository or folder and one for the total; `limit` is in bytes. */
export function listAsText(repositories: readonly CachedRepository[], limit: number): string {
  if (repositories.length === 0) return EMPTY;
  const total = `${count(repositories.length)}, ${size(bytesOf(repositories))} of at most ${size(limit)}`;
  return [HEADING, ...repositories.map(row), total, ''].join('\n');
}

function row({ address, kind, bytes, used }: CachedRepository): string {
  const minute = used.toISOString().slice(0, 16).replace('T', ' ');
  return `${size(bytes).padStart(10)}  ${minute}  ${kind.padEnd(6)}  ${address}`;
}

function count(entries: number): string {
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
}

function bytesOf(repositories: readonly CachedRepository[]): number {
  return repositories.reduce((sum, { bytes }) => sum + bytes, 0);
}
