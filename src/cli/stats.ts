import { join } from 'node:path';
import type { Command } from 'commander';
import { loadSettings } from '../settings/load.ts';
import { size } from '../text/size.ts';
import { visibleName } from '../text/visible.ts';
import {
  readRecords,
  type Spread,
  type Summary,
  summarise,
  type ToolSummary,
} from '../wrap/stats/summary.ts';
import { currentFolder } from './current-folder.ts';
import { writeStdout } from './output.ts';
import { warn } from './warn.ts';

const HELP = `
Calls of wrapped servers are recorded on this machine alone: when, which tool, how large
its result was before and after; nothing of arguments or results. Records are kept for
30 days in the folder 'stats' of the data folder (PLIMSOLL_DATA_DIR).`;

const COLUMNS = ['server', 'tool', 'calls', 'cut', 'before', 'after', 'read back', 'tokens saved'];

/** The first of the columns with numbers, which stand to the right. */
const FIRST_NUMBER = 2;

/** Adds the options and the help of `plimsoll stats`. */
export function defineStats(command: Command): void {
  command.option('--json', 'as JSON').addHelpText('after', HELP).action(printStats);
}

async function printStats({ json }: { readonly json?: true }): Promise<void> {
  const { values, warnings } = loadSettings(['data'], {}, currentFolder(), process.env);
  warn(warnings);
  const folder = join(values.data.folder, 'stats');
  const summary = summarise(await readRecords(folder));
  await writeStdout(json ? `${JSON.stringify({ folder, ...summary }, null, 2)}\n` : summaryAsText(summary));
}

/** A line for each tool, one for all, and what the columns mean. */
export function summaryAsText({ tools, calls, tokensSaved, since }: Summary): string {
  if (since === undefined) return 'No calls are recorded.\n';
  const rows = [COLUMNS, ...tools.map(rowOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < FIRST_NUMBER ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  '),
  );
  const total = `${calls} ${calls === 1 ? 'call' : 'calls'} since ${since.slice(0, 10)}, about ${count(tokensSaved)} tokens saved`;
  const legend =
    'before, after: median / 95th percentile / largest; tokens are estimated: of text, 4 bytes each, less what was read back';
  return [...lines, total, legend, ''].join('\n');
}

function rowOf({
  server,
  tool,
  calls,
  bounded,
  before,
  after,
  readBack,
  tokensSaved,
}: ToolSummary): string[] {
  const read = readBack.calls === 0 ? '-' : `${readBack.calls}: ${size(readBack.bytes)}`;
  return [
    visibleName(server),
    visibleName(tool),
    String(calls),
    String(bounded),
    spread(before),
    spread(after),
    read,
    count(tokensSaved),
  ];
}

function spread({ median, p95, largest }: Spread): string {
  return [median, p95, largest].map(size).join(' / ');
}

/** A number with its thousands apart. */
function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
