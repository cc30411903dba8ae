import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';
import { type Done, notFound } from '../memory/memory.ts';
import { initProject } from '../memory/projects.ts';
import { checkedValue, textValue } from '../memory/value.ts';
import { visible, visibleName } from '../text/visible.ts';
import { currentFolder } from './current-folder.ts';
import { defineDiary } from './memory-diary.ts';
import { defineLog } from './memory-log.ts';
import {
  dataFolder,
  type JsonFlags,
  openMemory,
  parseNumber,
  scopeOption,
  textFrom,
  type WriteFlags,
  whyOption,
  writeJson,
} from './memory-options.ts';
import { defineRepair } from './memory-repair.ts';
import {
  doneLines,
  hitLines,
  nameOf,
  notReadLines,
  originLines,
  readingJson,
  whereLines,
} from './memory-text.ts';
import { defineTransfer } from './memory-transfer.ts';
import { writeStdout } from './output.ts';
import { refuseOthers } from './subcommands.ts';
import { note, warn } from './warn.ts';

const HELP = `
A key is a path with dots: people.maria.role. A dot in a name is written "\\.".
Values are texts; with --json they are JSON. What begins with - goes behind --:
plimsoll memory set balance -- -5. A value or an entry of - is read from stdin.

The files are in the data folder (PLIMSOLL_DATA_DIR, or GOPHER_DATA_DIR); plimsoll
memory where names them. You may edit them by hand at any time.

Examples:
  plimsoll memory set people.maria.role CTO
  plimsoll memory get people.maria
  plimsoll memory search maria
  plimsoll memory diary add 'Moved to the new office' --tag work
  plimsoll memory log`;

interface SearchFlags extends JsonFlags {
  readonly limit?: number;
}

/** Adds the commands and the help of `plimsoll memory`. */
export function defineMemory(command: Command): void {
  command
    .command('get')
    .description('print a value as it is, or a section as JSON; without KEY everything')
    .argument('[KEY]')
    .option('--json', 'as JSON, with where it is from')
    .addOption(scopeOption())
    .action(printValue);
  command
    .command('set')
    .description('set a value')
    .argument('<KEY>')
    .argument('<VALUE>', 'a text; - reads it from stdin, without the line end at its end')
    .option(
      '--json',
      'the value is JSON (a number, true, false, null, a text, an array of these), and so is what is printed',
    )
    .addOption(whyOption())
    .addOption(scopeOption())
    .action(set);
  command
    .command('delete')
    .description('delete a value or a section')
    .argument('<KEY>')
    .option('--json', 'print what it came to as JSON')
    .addOption(whyOption())
    .addOption(scopeOption())
    .action(remove);
  command
    .command('search')
    .description('list facts whose keys or values have all words of a query, the best first')
    .argument('<QUERY>')
    .option('--limit <N>', 'how many (20)', parseNumber)
    .option('--json', 'as JSON')
    .addOption(scopeOption())
    .action(printHits);
  defineDiary(command);
  defineLog(command);
  command
    .command('where')
    .description('print where the files are')
    .option('--json', 'as JSON')
    .addOption(scopeOption())
    .action(printWhere);
  command
    .command('init')
    .description('make a memory for the project the current folder is in, or have one that is there read')
    .option('--project', 'of the project')
    .action(init);
  defineRepair(command);
  defineTransfer(command);
  command.addHelpText('after', HELP);
  refuseOthers(
    command,
    'get, set, delete, search, diary, log, undo, history, why, where, init, repair, export or import',
  );
}

async function printValue(key: string | undefined, { json, scope }: JsonFlags): Promise<void> {
  const memory = openMemory();
  const reading = await memory.read(key, scope);
  if (!reading) {
    warn(notReadLines(memory.where()));
    throw notFound(key ?? '', await memory.nearest(key ?? '', scope));
  }
  if (json) await writeJson(readingJson(reading));
  else if (!reading.json.startsWith('"')) await writeJson(reading.json);
  else {
    const value = JSON.parse(reading.json) as string;
    await writeStdout(`${process.stdout.isTTY ? visible(value) : value}\n`);
  }
  const [nearest] = reading.parts;
  if (nearest?.found.alsoLiteral) {
    const [one, other] = [nearest.found.path, nearest.found.alsoLiteral].map(nameOf);
    warn([`this is ${one}; there is ${other} as well`]);
  }
  if (scope === undefined && memory.where().places.length > 1) note(originLines(reading));
}

async function set(key: string, argument: string, { json, why, scope }: WriteFlags): Promise<void> {
  const text = await textFrom(argument);
  const value = json ? checkedValue(text) : textValue(text);
  await printDone('Set', await openMemory().set(key, value, { scope, why }), json);
}

async function remove(key: string, { json, why, scope }: WriteFlags): Promise<void> {
  await printDone('Deleted', await openMemory().delete(key, { scope, why }), json);
}

async function printDone(verb: string, done: Done, json: true | undefined): Promise<void> {
  await (json ? writeJson(JSON.stringify(done, null, 2)) : writeStdout(doneLines(verb, done)));
}

async function printHits(query: string, { json, ...asked }: SearchFlags): Promise<void> {
  const memory = openMemory();
  const result = await memory.search(query, asked);
  await (json
    ? writeJson(JSON.stringify(result, null, 2))
    : writeStdout(hitLines(result, memory.where().places)));
}

async function printWhere({ json, scope }: JsonFlags): Promise<void> {
  const where = openMemory().where(scope);
  await (json ? writeJson(JSON.stringify(where, null, 2)) : writeStdout(whereLines(where)));
  warn(notReadLines(where));
}

async function init({ project }: { readonly project?: true }): Promise<void> {
  if (!project) {
    throw new PlimsollError(
      'BAD_USAGE',
      'Give --project to make a memory for the project in the current folder; the global one needs no making.',
    );
  }
  const folder = await initProject(currentFolder(), dataFolder());
  await writeStdout(
    `The memory of this project is ${visibleName(folder)}. It is read in the folders below too; plimsoll memory set --scope project writes to it.\n`,
  );
}
