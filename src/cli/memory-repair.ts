import { type Command, Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import type { Damaged, Missing, Proposal, Remarks, RepairName, ScopeName, Where } from '../memory/memory.ts';
import { shellQuoted } from '../text/shell.ts';
import { visibleName } from '../text/visible.ts';
import { memoryToRepair, type ScopeFlags, scopeOption } from './memory-options.ts';
import { counted, undoHint } from './memory-text.ts';
import { writeStdout } from './output.ts';

interface RepairFlags extends ScopeFlags {
  readonly apply?: RepairName;
}

/** Adds `plimsoll memory repair`. */
export function defineRepair(memory: Command): void {
  memory
    .command('repair')
    .description('show what can be done about a file of facts that is damaged or gone; with --apply, do it')
    .addOption(
      new Option(
        '--apply <STATE>',
        'the file as it can be mended, or as it was when it was last read',
      ).choices(['mended', 'last-good']),
    )
    .addOption(scopeOption())
    .action(repair);
}

async function repair({ apply, scope }: RepairFlags): Promise<void> {
  const memory = memoryToRepair();
  const damaged = await memory.damage(scope);
  if (damaged.length === 0) {
    if (apply !== undefined) await memory.repair(apply, scope ?? 'global');
    const lost = await memory.lost(scope);
    return writeStdout(['Nothing is damaged.', ...lost.map(lostLine), ''].join('\n'));
  }
  if (apply === undefined) return writeStdout(damaged.map(proposalLines).join('\n'));
  const [one, other] = damaged;
  if (!one || other) {
    throw new PlimsollError(
      'BAD_USAGE',
      'Two memories are to be repaired: say which with --scope global or --scope project.',
    );
  }
  const { file, keys, kept, change, canUndo } = await memory.repair(apply, one.scope);
  const name = visibleName(file);
  const outcome =
    kept === undefined
      ? `${name} is there again, with ${counted(keys, 'key')}.`
      : `${name} is sound again, with ${counted(keys, 'key')}. The damaged file is ${visibleName(kept)}.`;
  const extent = kept === undefined ? '' : ' where the two states differ';
  const undo = canUndo
    ? `Change ${change}: ${undoHint(change, one.scope)}${extent}.`
    : `This is change ${change}.`;
  await writeStdout(`${outcome} ${undo}\n`);
}

function proposalLines({ scope, file, repair: { damage, mended, lastGood } }: Damaged): string {
  const command = (name: RepairName) => `plimsoll memory repair --apply ${name}${optionFor(scope)}`;
  const good = lastGood && [
    command('last-good'),
    `  as it was when it was last read: ${facts(lastGood, mended)}`,
  ];
  if (!damage) {
    const begin = 'A new file is begun by what you set next; what was in this one is kept aside then.';
    return [`${visibleName(file)} is gone.`, '', ...(good ?? []), '', begin, ''].join('\n');
  }
  const made = mended && [
    command('mended'),
    `  everything that can be made out: ${facts(mended, lastGood)}`,
    ...remarkLines('left out', mended.dropped),
    ...remarkLines('guessed', mended.guessed),
    ...remarkLines('replaced by \ufffd', mended.replaced),
  ];
  return [
    `${visibleName(file)} is damaged at ${visibleName(damage.message)}.`,
    '',
    ...(made ?? ['Nothing can be made out in it.']),
    ...(good ?? ['No state from before the damage is known.']),
    '',
    `${keeping(mended, lastGood)}You can ${mended || lastGood ? 'also ' : ''}mend it in an editor.`,
    '',
  ].join('\n');
}

function lostLine({ scope, file }: Where): string {
  const command = `plimsoll memory import ${shellQuoted(file)}${optionFor(scope)}`;
  return `${visibleName(file)} has what was in facts that were gone. ${command} shows it, and brings it back with --apply.`;
}

function keeping(...proposals: readonly (Proposal | undefined)[]): string {
  const [one, other] = proposals.filter((proposal) => proposal !== undefined);
  if (!one) return '';
  return `${other ? 'Either keeps' : 'This keeps'} the damaged file beside it. `;
}

function remarkLines(label: string, { count, first }: Remarks): string[] {
  if (count === 0) return [];
  const lines = first.map(
    ({ line, column, what }) => `    line ${line}, column ${column}: ${visibleName(what)}`,
  );
  const more = count > first.length ? [`    and ${count - first.length} more`] : [];
  return [`  ${label}:`, ...lines, ...more];
}

function facts({ keys, missing }: Proposal, other: Proposal | undefined): string {
  return `${counted(keys, 'key')}${other ? `; ${lacks(missing)}` : ''}`;
}

function lacks({ count, first }: Missing): string {
  if (count === 0) return 'it has all that the other has';
  const rest = count > first.length ? ` and ${count - first.length} more` : '';
  return `of what the other has it lacks ${first.map((key) => visibleName(key)).join(', ')}${rest}`;
}

function optionFor(scope: ScopeName): string {
  return scope === 'global' ? '' : ` --scope ${scope}`;
}
