import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import type { Planned } from '../memory/memory.ts';
import { FORMATS, type Format, formatOf, readFacts, writeFacts } from '../memory/transfer/transfer.ts';
import { reasonOf } from '../spool/folders.ts';
import { visibleJson, visibleName } from '../text/visible.ts';
import { type JsonFlags, openMemory, type ScopeFlags, scopeOption, writeJson } from './memory-options.ts';
import { counted, shown, undoHint } from './memory-text.ts';
import { checkOutput, writeOutput, writeStdout } from './output.ts';
import { warn } from './warn.ts';

interface ExportFlags extends ScopeFlags {
  readonly format?: Format;
  readonly output?: string;
  readonly diary?: true;
}

interface ImportFlags extends JsonFlags {
  readonly format?: Format;
  readonly apply?: true;
}

/** Adds `plimsoll memory export` and `import`. */
export function defineTransfer(memory: Command): void {
  memory
    .command('export')
    .description('write all facts as JSON, Markdown, or JSON Lines for the MCP reference memory server')
    .addOption(formatOption('json, unless the name of the output tells'))
    .option('-o, --output <FILE>', 'to a file instead of stdout')
    .option('--diary', 'the diary too, in JSON')
    .addOption(scopeOption())
    .action(exportFacts);
  memory
    .command('import')
    .description('show what importing facts from a file would change; with --apply, change it')
    .argument('<FILE>', '- for stdin')
    .addOption(formatOption('if the name of the file does not tell'))
    .option('--apply', 'do it, as one change')
    .option('--json', 'the plan as JSON, values as texts of JSON')
    .addOption(scopeOption())
    .action(importFacts);
}

function formatOption(unless: string): Option {
  return new Option('--format <FORMAT>', unless).choices(FORMATS);
}

async function exportFacts({ format: asked, output, diary, scope = 'global' }: ExportFlags): Promise<void> {
  const format = asked ?? (output === undefined ? undefined : formatOf(output)) ?? 'json';
  if (diary && format !== 'json') {
    throw new PlimsollError(
      'BAD_USAGE',
      '--diary goes with JSON alone; the diary is a file of Markdown already.',
    );
  }
  const memory = openMemory();
  if (output !== undefined) await checkOutput(output);
  const [source] = await memory.documents(scope);
  const entries = diary && (await memory.readDiary({}, scope)).entries;
  if (!source) return;
  const text = writeFacts(source.document, format, entries);
  if (output === undefined) return writeStdout(process.stdout.isTTY ? visibleJson(text) : text);
  await writeOutput(output, text);
  const what = counted(source.document.root.count(), 'fact');
  await writeStdout(
    `Wrote ${what}${entries ? ` and ${counted(entries.length, 'entry', 'entries')}` : ''} of the ${scope} memory to ${visibleName(output)}.\n`,
  );
}

async function importFacts(
  file: string,
  { format: asked, apply, json, scope = 'global' }: ImportFlags,
): Promise<void> {
  const format = asked ?? formatOf(file);
  if (format === undefined) {
    throw new PlimsollError(
      'BAD_USAGE',
      `What is in ${visibleName(file)}? Give --format ${FORMATS.join(', ')}.`,
    );
  }
  const bytes = file === '-' ? await buffer(process.stdin) : await read(file);
  const values = readFacts(bytes, format, file);
  const memory = openMemory();
  const options = { scope, anyArray: true };
  const plan: Planned & { readonly change?: number | undefined } = apply
    ? await memory.setMany(values, { ...options, why: `import of ${file === '-' ? 'stdin' : file}` })
    : await memory.planMany(values, options);
  const { done, refused, change } = plan;
  const unchanged = values.length - done.length - refused.length;
  if (json) await writeJson(JSON.stringify({ ...plan, unchanged, applied: apply === true }, null, 2));
  else await writeStdout(planLines(plan, unchanged));
  if (json) return;
  if (change !== undefined) await writeStdout(`Imported. Change ${change}: ${undoHint(change, scope)}.\n`);
  else if (!apply && done.length > 0) warn(['this is only the plan, nothing was changed; --apply does it']);
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(file));
  } catch (error) {
    throw new PlimsollError('BAD_IMPORT', `Cannot read '${visibleName(file)}': ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

function planLines({ done, refused, scope }: Planned, unchanged: number): string {
  const added = done.filter(({ before }) => before === undefined);
  const replaced = done.filter(({ before }) => before !== undefined);
  return [
    ...added.map(({ key, after = '' }) => `add      ${visibleName(key)}: ${shown(after)}`),
    ...replaced.map(
      ({ key, before = '', after = '' }) =>
        `replace  ${visibleName(key)}: ${shown(before)} by ${shown(after)}`,
    ),
    ...refused.map(({ key, reason }) => `refuse   ${visibleName(key)}: ${visibleName(reason)}`),
    `To the ${scope} memory: ${added.length} to add, ${replaced.length} to replace, ${refused.length} refused, ${unchanged} there already.`,
    '',
  ].join('\n');
}
