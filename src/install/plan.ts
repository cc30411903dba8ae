import { readdirSync } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PlimsollError } from '../errors.ts';
import { unifiedDiff } from '../wrap/config/diff.ts';
import { type Place, readPlace, unreadable } from '../wrap/config/document.ts';
import type { Entry, Launcher } from '../wrap/config/entry.ts';
import { BACKUP, type Rewriting, readConfig } from '../wrap/config/rewrite.ts';
import { type Client, type Machine, packagesFolder } from './clients.ts';
import { NAME, servedBy } from './entry.ts';

/** The machine this program runs on. */
export function thisMachine(): Machine {
  const machine = { platform: process.platform, home: homedir(), env: process.env };
  return { ...machine, packages: namesIn(packagesFolder(machine)) };
}

/** A client's configuration as it stands. */
export interface Configuration {
  readonly file: string;
  /** None if there is no file. */
  readonly text: string | undefined;
  readonly place: Place;
}

/** The client's own file, or its file in a project's folder. */
export async function fileOf(client: Client, machine: Machine, project?: string): Promise<string> {
  if (project !== undefined) {
    if (client.projectFile !== undefined) return join(project, client.projectFile);
    throw new PlimsollError('BAD_USAGE', `${client.name} has no configuration for a project.`);
  }
  const files = client.files(machine);
  for (const file of files) if (await isThere(file)) return file;
  return files[0] as string;
}

/** Whether there is a sign of the client on this machine: its file, or the folder of that. */
export async function isClientHere(client: Client, machine: Machine): Promise<boolean> {
  for (const file of client.files(machine)) {
    const folder = dirname(file);
    if ((await isThere(file)) || (folder !== machine.home && (await isThere(folder)))) return true;
  }
  return false;
}

/** Reads a client's configuration. Throws `CONFIG_UNREADABLE`, with the line and column of what is wrong. */
export async function readConfiguration(client: Client, file: string): Promise<Configuration> {
  const found = (await isThere(file)) ? await readConfig(file) : undefined;
  const place = readPlace(file, found?.text ?? '', client.places);
  return { file: found?.real ?? file, text: found?.text, place };
}

/** Our server in a configuration: its name there, and its entry. */
export function ownServer({ place }: Configuration, launcher: Launcher): [string, Entry] | undefined {
  const entries = Object.entries(place.servers) as [string, Entry][];
  return entries.find(([, entry]) => servedBy(entry, launcher) !== undefined);
}

/** What is put into a client's configuration: a text of its own, with nothing else in it. */
export function snippetFor(client: Client, file: string, launcher: Launcher): string {
  return readPlace(file, '', client.places).with(NAME, client.entryOf(serving(launcher)));
}

/**
 * Works out a client's configuration with our server in it; one that is there already is brought up to date, and keeps
 * its name, its options and what else was added. Nothing is written. Throws `CONFIG_UNREADABLE`, and `BAD_USAGE` if
 * another server has our name.
 */
export async function planInstall(client: Client, file: string, launcher: Launcher): Promise<Rewriting> {
  const configuration = await readConfiguration(client, file);
  const own = ownServer(configuration, launcher);
  if (!own && Object.hasOwn(configuration.place.servers, NAME)) {
    throw new PlimsollError(
      'BAD_USAGE',
      `'${file}' has a server '${NAME}' that runs something else. Give it another name, and try again.`,
    );
  }
  const [name, entry] = own ?? [NAME, {}];
  const served = own && servedBy(entry, launcher);
  if (served?.isWrapped) return rewritingTo(configuration, client, launcher, configuration.text);
  const current = client.entryOf(serving(launcher, served?.options));
  const wanted = { ...entry, ...current };
  const after = isDeepStrictEqual(wanted, entry)
    ? configuration.text
    : configuration.place.with(name, wanted);
  return rewritingTo(configuration, client, launcher, after);
}

/**
 * Works out a client's configuration without our server: byte for byte as it was before it was put in, if a copy of
 * that is beside the file and nothing else has changed since; no file if there was none. Nothing is written. Throws
 * `CONFIG_UNREADABLE`.
 */
export async function planRemoval(client: Client, file: string, launcher: Launcher): Promise<Rewriting> {
  const configuration = await readConfiguration(client, file);
  const own = ownServer(configuration, launcher);
  if (!own || configuration.text === undefined) {
    return rewritingTo(configuration, client, launcher, configuration.text);
  }
  const [name, entry] = own;
  const isMadeByUs = readPlace(file, '', client.places).with(name, entry) === configuration.text;
  const before = await copyBefore(configuration, client, own, launcher);
  const after = before ?? (isMadeByUs ? undefined : configuration.place.with(name, undefined));
  return rewritingTo(configuration, client, launcher, after);
}

/** Of the copies beside a file the newest without our server that becomes the file by putting it in. */
async function copyBefore(
  { file, text }: Configuration,
  client: Client,
  [name, entry]: [string, Entry],
  launcher: Launcher,
): Promise<string | undefined> {
  const start = basename(file) + BACKUP;
  const numbers = namesIn(dirname(file))
    .filter((copy) => copy.startsWith(start) && /^\d+$/.test(copy.slice(start.length)))
    .map((copy) => Number(copy.slice(start.length)));
  for (const number of numbers.sort((a, b) => b - a)) {
    try {
      const copy = await readFile(`${file}${BACKUP}${number}`, 'utf8');
      const place = readPlace(file, copy, client.places);
      const isWithout = !ownServer({ file, text: copy, place }, launcher);
      if (isWithout && place.with(name, entry) === text) return copy;
    } catch {}
  }
  return undefined;
}

/** A change of a configuration to another text, or to no file. */
function rewritingTo(
  { file, text, place }: Configuration,
  client: Client,
  launcher: Launcher,
  after: string | undefined,
): Rewriting {
  const shown = (from: Place) =>
    from.shown((name) => servedBy((from.servers[name] ?? {}) as Entry, launcher) !== undefined);
  const [old, fresh] = [
    text === undefined ? '' : shown(place),
    after === undefined ? '' : shown(readPlace(file, after, client.places)),
  ];
  return { file, before: text, after, diff: unifiedDiff(file, old, fresh), notes: [] };
}

function serving({ command, args }: Launcher, options: readonly string[] = []): Launcher {
  return { command, args: [...args, 'serve', ...options] };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && (await isLink(path))) throw unreadable(path, 'it is a link that leads nowhere');
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw unreadable(path, message);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
