import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';
import { shortLine } from '../memory/answers/frame.ts';
import { noChange } from '../memory/undo.ts';
import { Digests } from '../transcript/merge/digests.ts';
import { why } from '../transcript/merge/why.ts';
import {
  type JsonFlags,
  openMemory,
  parseNumber,
  scopeOption,
  type WriteFlags,
  whyOption,
  writeJson,
} from './memory-options.ts';
import { counted, editLines, historyLines, logLines, undoHint } from './memory-text.ts';
import { writeStdout } from './output.ts';
import { whyText } from './transcript-text.ts';
import { warn } from './warn.ts';

/** How many changes are shown unless the user says so. */
const USUAL = 20;

/** How many keys are shown of those that were taken back. */
const MOST_UNDONE = 20;

/** How many digits are shown of a number that no change has. */
const MOST_DIGITS = 80;

/** Adds `plimsoll memory log`, `undo`, `history` and `why`. */
export function defineLog(memory: Command): void {
  memory
    .command('log')
    .description('print the changes of facts, the newest first')
    .option('--last <N>', `how many (${USUAL})`, parseNumber)
    .option('--json', 'as JSON, values as texts of JSON')
    .addOption(scopeOption())
    .action(printLog);
  memory
    .command('undo')
    .description('take a change back, as a change of its own')
    .argument('<CHANGE>', 'its number, as the log has it', parseChange)
    .option('--json', 'print what it came to as JSON')
    .addOption(whyOption())
    .addOption(scopeOption())
    .action(undo);
  memory
    .command('history')
    .description('print what became of a key, and of the sections around it')
    .argument('<KEY>')
    .option('--json', 'as JSON, values as texts of JSON')
    .addOption(scopeOption())
    .action(printHistory);
  memory
    .command('why')
    .description('print where a fact is from: the transcript, line, time, speaker and words')
    .argument('<KEY>')
    .option('--json', 'as JSON')
    .addOption(scopeOption())
    .action(printWhy);
}

/** The number of a change. Throws `BAD_USAGE`, and `CHANGE_NOT_FOUND` for one that is too large for a number. */
function parseChange(value: string): number {
  const number = parseNumber(value);
  if (Number.isSafeInteger(Number(value))) return number;
  throw noChange(shortLine(value, MOST_DIGITS));
}

async function printLog({
  json,
  scope,
  last = USUAL,
}: JsonFlags & { readonly last?: number }): Promise<void> {
  const memory = openMemory();
  const log = await memory.changes({ last, scope });
  if (json) return writeJson(JSON.stringify(log, null, 2));
  await writeStdout(logLines(log, memory.where().places));
  if (log.unreadable > 0) {
    warn([`${counted(log.unreadable, 'line')} of the journal can't be read; what stood there is not known`]);
  }
}

async function undo(number: number, { json, why, scope: asked }: WriteFlags): Promise<void> {
  const undone = await openMemory().undo(number, { scope: asked, why });
  const { done, change, scope } = undone;
  if (change === undefined) {
    throw new PlimsollError(
      'CHANGE_NOT_FOUND',
      `Change ${number} did nothing to any key that could be taken back.`,
    );
  }
  if (json) return writeJson(JSON.stringify(undone, null, 2));
  const lines = editLines(done, MOST_UNDONE).map((line) => `${line}\n`);
  await writeStdout(
    `Took change ${number} of the ${scope} memory back: ${counted(done.length, 'key')}. Change ${change}: ${undoHint(change, scope)}.\n${lines.join('')}`,
  );
}

async function printHistory(key: string, { json, scope }: JsonFlags): Promise<void> {
  const memory = openMemory();
  const history = await memory.history(key, scope);
  await (json
    ? writeJson(JSON.stringify(history, null, 2))
    : writeStdout(historyLines(history, memory.where().places)));
}

async function printWhy(key: string, { json, scope }: JsonFlags): Promise<void> {
  const memory = openMemory();
  const nearest = scope ?? (await memory.get(key))?.scope;
  const reasons = await why(key, new Digests(memory, nearest));
  await (json ? writeJson(JSON.stringify(reasons, null, 2)) : writeStdout(whyText(reasons)));
}
