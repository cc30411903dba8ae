import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';
import type { Picks } from '../memory/diary/diary.ts';
import {
  type JsonFlags,
  openMemory,
  parseNumber,
  scopeOption,
  textFrom,
  writeJson,
} from './memory-options.ts';
import { diaryLines } from './memory-text.ts';
import { writeStdout } from './output.ts';

/** How many entries are shown unless the user says so. */
const USUAL = 10;

/** Adds `plimsoll memory diary`. */
export function defineDiary(memory: Command): void {
  const diary = memory
    .command('diary')
    .description('print the newest entries of the diary, the newest last, or add one')
    .option('--last <N>', `how many (${USUAL})`, parseNumber)
    .option('--tag <TAG>', 'only those with that tag')
    .option('--since <DATE>', 'only those from then on: 2026-12-01, or with a time')
    .option('--until <DATE>', 'only those up to then')
    .option('--text <WORDS>', 'only those with all of these words')
    .option('--json', 'as JSON')
    .addOption(scopeOption())
    .action(printEntries);
  // Its options are those of `diary` too, which takes them wherever they stand, with those that are for printing alone.
  diary
    .command('add')
    .description('add an entry')
    .argument('<TEXT>', '- reads it from stdin')
    .option('--tag <TAG>', 'what it is about, in a word or a few')
    .addOption(scopeOption())
    .action((text: string, _: unknown, command: Command) => add(text, command.optsWithGlobals()));
}

async function printEntries({ json, scope, last = USUAL, ...picks }: Picks & JsonFlags): Promise<void> {
  const memory = openMemory();
  const picked = await memory.readDiary({ ...picks, last }, scope);
  await (json
    ? writeJson(JSON.stringify(picked, null, 2))
    : writeStdout(diaryLines(picked.entries, picked.total, memory.where().places)));
}

async function add(text: string, { tag, scope, ...others }: Picks & JsonFlags): Promise<void> {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new PlimsollError(
      'BAD_USAGE',
      `--${other} is for printing entries; plimsoll memory diary add takes --tag and --scope.`,
    );
  }
  const entry = await openMemory().addDiary(await textFrom(text), { tag, scope });
  await writeStdout(`Added to the ${entry.scope} diary: ${entry.at}.\n`);
}
