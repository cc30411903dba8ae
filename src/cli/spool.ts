import { accessSync, constants } from 'node:fs';
import { type Command, Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import type { Found } from '../read/search.ts';
import type { Rest } from '../read/select.ts';
import type { StretchAsked } from '../read/stretch.ts';
import { AGE_FORM, readAge } from '../settings/age.ts';
import { loadSettings } from '../settings/load.ts';
import type { SpoolSettings } from '../settings/settings.ts';
import { readPath } from '../settings/values.ts';
import { ENVELOPE } from '../spool/envelope.ts';
import { hasRoot, reasonOf } from '../spool/folders.ts';
import { Spool } from '../spool/spool.ts';
import type { Kept, Listed, Part } from '../spool/types.ts';
import { shellQuoted } from '../text/shell.ts';
import { size } from '../text/size.ts';
import { visible, visibleName } from '../text/visible.ts';
import { currentFolder } from './current-folder.ts';
import { writeStdout } from './output.ts';
import { refuseOthers } from './subcommands.ts';
import { warn } from './warn.ts';

const HELP = `
Settings: --spool; the environment (PLIMSOLL_SPOOL_DIR, PLIMSOLL_SPOOL_MAX_AGE, PLIMSOLL_SPOOL_LIMIT).

Examples:
  plimsoll spool list
  plimsoll spool read 3xk2v7qhw5a4ncde --lines 100-200
  plimsoll spool read 3xk2v7qhw5a4ncde --part 2 --raw > picture.png
  plimsoll spool search 3xk2v7qhw5a4ncde 'timeout|refused' --regex
  plimsoll spool select 3xk2v7qhw5a4ncde '.items[10:20].name'`;

const EMPTY = 'The spool is empty.\n';
const HEADING = 'handle            kept (UTC)              size  result';

/** What one answer of a search or a selection may take, in characters. Of a value, several times as much is held. */
const ROOM = 1_000_000;

interface SpoolFlags {
  /** The spool's folder, if it isn't the user's own. */
  readonly spool?: string;
}

interface ListFlags extends SpoolFlags {
  readonly json?: true;
}

interface ClearFlags extends SpoolFlags {
  readonly olderThan?: number;
}

interface PartFlags extends SpoolFlags {
  readonly part?: string;
  readonly from?: number;
  readonly count?: number;
}

interface ReadFlags extends PartFlags {
  readonly lines?: Range;
  readonly bytes?: Range;
  readonly raw?: true;
}

interface SearchFlags extends Omit<PartFlags, 'count'> {
  readonly regex?: true;
  readonly ignoreCase?: true;
  readonly context?: number;
}

/** From a number on, up to another one, which is included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Adds the commands and the help of `plimsoll spool`. */
export function defineSpool(command: Command): void {
  command
    .command('list')
    .description('list what is kept, newest first')
    .option('--json', 'as JSON')
    .addOption(spoolOption())
    .action(printList);
  command
    .command('read')
    .description('print a part of a result, or a range of it')
    .argument('<HANDLE>', 'as the list or the notice of a cut result names it')
    .option('--part <NAME>', 'which part; the first one otherwise; result is the whole result, as JSON')
    .option('--from <N>', 'the first character, from 0', parseNumber)
    .option('--count <N>', 'how many characters', parseCount)
    .option('--lines <A-B>', 'lines, from 1, instead of characters', parseRange)
    .option('--bytes <A-B>', 'bytes, from 0, instead of characters', parseRange)
    .option('--raw', 'the exact bytes, with nothing made visible')
    .addOption(spoolOption())
    .action(printPart);
  command
    .command('search')
    .description('search a part of a result')
    .argument('<HANDLE>')
    .argument('<PATTERN>', 'plain text')
    .option('--part <NAME>', 'which part; the first one otherwise')
    .option('-E, --regex', "the pattern is a regular expression in RE2's syntax")
    .option('-i, --ignore-case', 'upper and lower case are alike')
    .option('-C, --context <N>', 'lines before and after (2)', parseNumber)
    .option('--from <N>', 'the character to start at, from 0', parseNumber)
    .addOption(spoolOption())
    .action(printMatches);
  command
    .command('select')
    .description('print a value out of JSON')
    .argument('<HANDLE>')
    .argument('<PATH>', 'a JSON pointer, or a path like .items[3].name')
    .option('--part <NAME>', 'which part; the first that is JSON otherwise')
    .option(
      '--from <N>',
      'the first item of a list, entry of an object, or character of a text, from 0',
      parseNumber,
    )
    .option('--count <N>', 'how many', parseCount)
    .addOption(spoolOption())
    .action(printValue);
  command
    .command('clear')
    .description('delete all results, or one')
    .argument('[HANDLE]')
    .option('--older-than <AGE>', 'only what has not been read for so long: 7 (days), 12h', parseAge)
    .addOption(spoolOption())
    .action(clear);
  command.addHelpText('after', HELP);
  refuseOthers(command, 'list, read, search, select or clear');
}

function spoolOption(): Option {
  return new Option('--spool <DIR>', 'the folder with the results, as the notice names it').argParser(
    parseFolder,
  );
}

async function printList({ json, spool: folder }: ListFlags): Promise<void> {
  const { spool, settings } = openSpool(folder);
  const results = await spool.list('all');
  await writeStdout(json ? listAsJson(results, settings) : listAsText(results, settings.maxBytes));
}

async function printPart(handle: string, { part: name, raw, spool, ...flags }: ReadFlags): Promise<void> {
  const [{ mediaFacts, partOf }, { bytesOf, textOf }] = await Promise.all([
    import('../read/parts.ts'),
    import('../read/stretch.ts'),
  ]);
  const kept = await find(handle, spool);
  const part = partOf(kept, name);
  if (part.kind === 'media' && (!raw || Object.keys(flags).length > 0)) {
    throw new PlimsollError(
      'BAD_USAGE',
      `${mediaFacts(part)} It is at ${part.path}; --raw alone prints its bytes.`,
    );
  }
  const asked = stretchAsked(flags);
  const others = name === undefined ? await othersOf(kept, part) : undefined;
  if (others !== undefined) warn([others]);
  for await (const piece of raw ? bytesOf(kept, part, asked) : textOf(kept, part, asked)) {
    await writeStdout(typeof piece === 'string' ? visible(piece) : piece);
    if (process.stdout.destroyed) return;
  }
}

/** What there is besides the part that is printed; undefined if that is all. */
async function othersOf(kept: Kept, part: Part): Promise<string | undefined> {
  const [{ nextPart }, { ownParts }] = await Promise.all([
    import('../read/next-part.ts'),
    import('../read/parts.ts'),
  ]);
  const next = await nextPart(kept, part);
  if (next === undefined) return undefined;
  const names = ownParts(kept).map(({ name }) => name);
  const hasWhole = kept.parts.some(({ name }) => name === ENVELOPE);
  const others = next === ENVELOPE ? [] : [`go on with --part ${next}`];
  const whole = hasWhole ? [`--part ${ENVELOPE} is the whole result, as JSON`] : [];
  return `this is part ${part.name} of ${names.join(', ')}: ${[...others, ...whole].join('; ')}`;
}

/** Throws `BAD_USAGE` for more than one kind of range. */
function stretchAsked({ from, count, lines, bytes }: ReadFlags): StretchAsked {
  const kinds = [from ?? count, lines, bytes].filter((kind) => kind !== undefined);
  if (kinds.length > 1) {
    throw new PlimsollError('BAD_USAGE', 'Give one of --from and --count, --lines, --bytes.');
  }
  if (lines)
    return { unit: 'lines', from: Math.max(1, lines.from), count: lines.to - Math.max(1, lines.from) + 1 };
  if (bytes) return { unit: 'bytes', from: bytes.from, count: bytes.to - bytes.from + 1 };
  return { unit: 'chars', from: from ?? 0, count };
}

async function printMatches(
  handle: string,
  pattern: string,
  { spool, ...flags }: SearchFlags,
): Promise<void> {
  const { searchPart } = await import('../read/search.ts');
  const kept = await find(handle, spool);
  let matches = 0;
  for (let from: number | undefined = flags.from ?? 0; from !== undefined; ) {
    const found: Found = await searchPart(kept, { ...flags, pattern, from }, ROOM);
    if (found.text !== '') await writeStdout(`${matches > 0 ? '--\n' : ''}${visible(found.text)}\n`);
    matches += found.matches;
    from = process.stdout.destroyed ? undefined : found.next;
  }
  if (matches === 0) await writeStdout('No match.\n');
}

async function printValue(handle: string, path: string, { spool, ...flags }: PartFlags): Promise<void> {
  const { selectIn } = await import('../read/select.ts');
  const kept = await find(handle, spool);
  const { text, unit, from, to, of, next, rest } = await selectIn(kept, { ...flags, path }, ROOM);
  await writeStdout(`${visible(text)}\n`);
  if (rest)
    warn([`the value is shortened to fit; the rest of it: ${restCommand(handle, rest)}${optionFor(spool)}`]);
  if (next !== undefined)
    warn([`these are ${unit} ${from} to ${to - 1} of ${of}; go on with --from ${next}`]);
}

function restCommand(handle: string, { part, path, from, start }: Rest): string {
  const first = path === undefined ? start : from;
  const [command, what] = path === undefined ? ['read', ''] : ['select', ` ${shellQuoted(path)}`];
  return `plimsoll spool ${command} ${handle}${what} --part ${part}${first === undefined ? '' : ` --from ${first}`}`;
}

function optionFor(folder: string | undefined): string {
  return folder === undefined ? '' : ` --spool ${shellQuoted(folder)}`;
}

async function clear(handle: string | undefined, { olderThan, spool: folder }: ClearFlags): Promise<void> {
  const { results, bytes } = await openSpool(folder).spool.clear({ handle, olderThan });
  if (results > 0) await writeStdout(`Deleted ${counted(results)}, ${size(bytes)}.\n`);
  else if (olderThan !== undefined) await writeStdout('Nothing is that old.\n');
  else if (handle === undefined) await writeStdout(EMPTY);
  else
    throw new PlimsollError(
      'NOT_IN_SPOOL',
      `There is no result '${handle}' in the spool. ${hintFor(folder)}`,
    );
}

async function find(handle: string, folder: string | undefined): Promise<Kept> {
  const { keptBy } = await import('../read/kept.ts');
  return keptBy(openSpool(folder).spool, handle, hintFor(folder));
}

function hintFor(folder: string | undefined): string {
  return `See plimsoll spool list${optionFor(folder)}.`;
}

/**
 * In a folder, or where the user's own spool is. Throws `NOT_IN_SPOOL` if the folder that is given isn't there, and
 * `SPOOL_UNREADABLE` for one that can't be used.
 */
function openSpool(folder: string | undefined): { spool: Spool; settings: SpoolSettings } {
  const flags = { spool: folder === undefined ? {} : { folder } };
  const { values, warnings } = loadSettings(['spool'], flags, currentFolder(), process.env);
  warn(warnings);
  if (!isThere(values.spool.folder) && folder !== undefined)
    throw new PlimsollError(
      'NOT_IN_SPOOL',
      `There is no folder '${folder}'. Without --spool, your own spool is used.`,
    );
  return { spool: new Spool(values.spool), settings: values.spool };
}

/** Whether a spool's folder is there. Until something is kept, the user's own may not be. */
function isThere(folder: string): boolean {
  try {
    if (!hasRoot(folder)) return false;
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch (cause) {
    const message = `Cannot use the spool folder '${folder}': ${reasonOf(cause)}.`;
    throw new PlimsollError('SPOOL_UNREADABLE', message, { cause });
  }
}

function listAsJson(results: readonly Listed[], { folder, maxBytes, maxAge }: SpoolSettings): string {
  const list = results.map(({ kept, origin, at, bytes }) => ({
    handle: kept.handle,
    at: new Date(at).toISOString(),
    origin,
    bytes,
    folder: kept.folder,
    parts: kept.parts.map(({ checkpoints: _, ...part }) => part),
  }));
  return `${JSON.stringify({ folder, maxBytes, maxAge, bytes: totalOf(results), results: list }, null, 2)}\n`;
}

/** A line for each result and one for the total; `limit` is in bytes. */
export function listAsText(results: readonly Listed[], limit: number): string {
  if (results.length === 0) return EMPTY;
  const total = `${counted(results.length)}, ${size(totalOf(results))} of at most ${size(limit)}`;
  return [HEADING, ...results.map(row), total, ''].join('\n');
}

function row({ kept, origin, at, bytes }: Listed): string {
  const minute = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const server = origin.server === undefined ? '' : ` of ${origin.server}`;
  const what = visibleName(`${origin.kind} ${origin.name ?? ''}`.trimEnd() + server);
  return `${kept.handle}  ${minute}  ${size(bytes).padStart(10)}  ${what}: ${kept.parts.map(partInWords).join(', ')}`;
}

function partInWords({ name, kind, mimeType, bytes }: Part): string {
  return `${name} (${kind === 'media' ? visibleName(mimeType ?? 'file') : kind}, ${size(bytes)})`;
}

function counted(results: number): string {
  return `${results} ${results === 1 ? 'result' : 'results'}`;
}

function totalOf(results: readonly Listed[]): number {
  return results.reduce((sum, { bytes }) => sum + bytes, 0);
}

function parseFolder(value: string): string {
  const folder = readPath(value, currentFolder());
  if (folder !== undefined) return folder;
  throw new PlimsollError('BAD_USAGE', `Not a folder: '${value}'.`);
}

function parseNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new PlimsollError('BAD_USAGE', `Not a whole number: '${value}'.`);
}

function parseCount(value: string): number {
  const count = parseNumber(value);
  if (count > 0) return count;
  throw new PlimsollError('BAD_USAGE', `Not a count: '${value}'. Give 1 or more.`);
}

function parseRange(value: string): Range {
  const [, from, to] = /^(\d{1,15})(?:-(\d{1,15})?)?$/.exec(value) ?? [];
  const end = value.endsWith('-') ? Number.POSITIVE_INFINITY : Number(to ?? from);
  if (from !== undefined && Number(from) <= end) return { from: Number(from), to: end };
  throw new PlimsollError(
    'BAD_USAGE',
    `Not a range: '${value}'. Give two whole numbers like 10-20, or 10- for the rest.`,
  );
}

function parseAge(value: string): number {
  const age = readAge(value);
  if (age !== undefined) return age;
  throw new PlimsollError('BAD_USAGE', `Not an age: '${value}'. Give ${AGE_FORM}.`);
}
