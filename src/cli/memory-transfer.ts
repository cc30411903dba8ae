import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import { type Document, readDocument } from '../memory/context/document.ts';
import { reasonAgainst, shownKey } from '../memory/context/keys.ts';
import type { EntryPlan, Planned, Reading, ScopeName } from '../memory/memory.ts';
import {
  FORMATS,
  type Format,
  formatOf,
  holdsDiary,
  readTransfer,
  writeTransfer,
} from '../memory/transfer/transfer.ts';
import { reasonOf } from '../spool/folders.ts';
import { visibleJson, visibleName } from '../text/visible.ts';
import {
  openMemory,
  type ScopeFlags,
  scopeOption,
  type WriteFlags,
  whyOption,
  writeJson,
} from './memory-options.ts';
import { counted, shown, undoHint } from './memory-text.ts';
import { checkOutput, writeOutput, writeStdout } from './output.ts';
import { note, warn } from './warn.ts';

interface ExportFlags extends ScopeFlags {
  readonly format?: Format;
  readonly output?: string;
  readonly diary?: true;
}

interface ImportFlags extends WriteFlags {
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
    .option('--diary', 'the diary too, in JSON and Markdown')
    .addOption(scopeOption())
    .action(exportFacts);
  memory
    .command('import')
    .description('show what importing facts and a diary from a file would change; with --apply, change it')
    .argument('<FILE>', '- for stdin')
    .addOption(formatOption('if the name of the file does not tell'))
    .option('--apply', 'do it, as one change')
    .option('--json', 'the plan as JSON, values as texts of JSON')
    .addOption(whyOption())
    .addOption(scopeOption())
    .action(importFacts);
}

function formatOption(unless: string): Option {
  return new Option('--format <FORMAT>', unless).choices(FORMATS);
}

async function exportFacts({ format: asked, output, diary, scope }: ExportFlags): Promise<void> {
  const format = asked ?? (output === undefined ? undefined : formatOf(output)) ?? 'json';
  if (diary && !holdsDiary(format)) {
    throw new PlimsollError(
      'BAD_USAGE',
      '--diary goes with JSON and Markdown; this format has no place for it.',
    );
  }
  const memory = openMemory();
  const [gone] = memory.where(scope).places.filter(({ isGone }) => isGone);
  if (gone)
    throw new PlimsollError('MEMORY_DAMAGED', `Nothing was exported: the ${gone.scope} facts are gone.`);
  if (output !== undefined) await checkOutput(output);
  const reading = await memory.read(undefined, scope);
  const entries = diary && (await memory.readDiary({}, scope)).entries;
  if (!reading) return;
  const document = documentOf(reading);
  const stray = diary ? await memory.strayDiaries(scope) : [];
  warn([
    ...lostLines(document),
    ...stray.map(({ file }) => `what stands before the first header of ${visibleName(file)} is left out`),
  ]);
  const text = writeTransfer(document, format, entries);
  if (output === undefined) {
    await writeStdout(process.stdout.isTTY ? visibleJson(text) : text);
  } else {
    await writeOutput(output, text);
    const what = `${counted(document.root.count(), 'fact')}${entries ? ` and ${counted(entries.length, 'entry', 'entries')}` : ''}`;
    const of = reading.parts.map(({ source }) => source.scope).join(' and the ');
    await writeStdout(`Wrote ${what} of the ${of} memory to ${visibleName(output)}.\n`);
  }
  if (reading.parts.length > 1) {
    note([
      'these are the facts of the project and of the global memory, the project before the global one; --scope gives one alone',
    ]);
  }
}

/** What importing won't take again, whatever the format: keys that are refused for new ones, and empty sections. */
function lostLines({ root }: Document): string[] {
  return Array.from(root.facts({ empty: true })).flatMap(({ path, key, json }) => {
    const refused = reasonAgainst(path);
    if (refused !== undefined) return [`import will not take ${shownKey(key)} again: ${refused}`];
    return json.startsWith('{')
      ? [`import will not take ${shownKey(key)} again: it is an empty section`]
      : [];
  });
}

/** The facts that were read, as they stand in their file if they are of one. */
function documentOf({ json, parts }: Reading): Document {
  const [one, other] = parts.filter(({ found }) => found.count() > 0);
  return one && !other ? one.source.document : readDocument(Buffer.from(json));
}

async function importFacts(
  file: string,
  { format: asked, apply, json, why, scope }: ImportFlags,
): Promise<void> {
  const format = asked ?? formatOf(file);
  if (format === undefined) {
    throw new PlimsollError(
      'BAD_USAGE',
      `What is in ${visibleName(file)}? Give --format ${FORMATS.join(', ')}.`,
    );
  }
  const bytes = file === '-' ? await buffer(process.stdin) : await read(file);
  const { values, repeated, entries } = readTransfer(bytes, format, file);
  const memory = openMemory();
  const options = { scope, anyArray: true };
  const reason = why ?? `import of ${file === '-' ? 'stdin' : file}`;
  const wanted = await memory.planDiary(entries, scope);
  const facts: Planned & { readonly change?: number | undefined } = apply
    ? await memory.setMany(values, { ...options, why: reason })
    : await memory.planMany(values, options);
  const diary = apply ? await memory.importDiary(entries, scope) : wanted;
  const unchanged = values.length - facts.done.length - facts.refused.length;
  if (json) {
    const plan = { ...facts, unchanged, repeated, diary, applied: apply === true };
    await writeJson(JSON.stringify(plan, null, 2));
  } else {
    await writeStdout(
      planLines(facts, unchanged) + (entries.length > 0 ? diaryPlanLines(diary, facts.scope) : ''),
    );
    if (repeated.length > 0)
      warn(repeated.map((key) => `${key} stands in the file with another value as well; the last counts`));
  }
  const count = facts.done.length + diary.added.length;
  const refused = facts.refused.length + diary.refused.length;
  if (apply && count === 0 && refused > 0) {
    throw new PlimsollError('BAD_IMPORT', `Nothing was imported: ${refused} refused.`);
  }
  if (json) return;
  if (apply && count > 0) await writeStdout(importedLine(facts.change, diary, facts.scope));
  else if (!apply && count > 0) warn(['this is only the plan, nothing was changed; --apply does it']);
}

function importedLine(change: number | undefined, { added }: EntryPlan, scope: ScopeName): string {
  const undo = change === undefined ? '' : ` Change ${change}: ${undoHint(change, scope)}.`;
  const diary = added.length === 0 ? '' : ` The diary has ${counted(added.length, 'entry', 'entries')} more.`;
  return `Imported.${undo}${diary}\n`;
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
    ...added.map(({ key, after = '' }) => {
      const start = `add      ${shownKey(key)}: `;
      return start + shown(after, start.length);
    }),
    ...replaced.map(({ key, before = '', after = '' }) => {
      const start = `replace  ${shownKey(key)}: `;
      const old = `${start}${shown(before, start.length + ' by '.length, 2)} by `;
      return old + shown(after, old.length);
    }),
    ...refused.map(({ key, reason }) => `refuse   ${shownKey(key)}: ${visibleName(reason)}`),
    `To the ${scope} memory: ${added.length} to add, ${replaced.length} to replace, ${refused.length} refused, ${unchanged} there already.`,
    '',
  ].join('\n');
}

function diaryPlanLines({ added, refused, there }: EntryPlan, scope: ScopeName): string {
  return [
    ...added.map(({ at, tag, text }) => {
      const start = `add      ${at}${tag === undefined ? '' : ` [${visibleName(tag)}]`}: `;
      return `${start}${shown(JSON.stringify(text), start.length)}`;
    }),
    ...refused.map(({ at, reason }) => `refuse   ${visibleName(at)}: ${visibleName(reason)}`),
    `To the ${scope} diary: ${added.length} to add, ${refused.length} refused, ${there} there already.`,
    '',
  ].join('\n');
}
