import { type Command, Option } from 'commander';
import { PlimsollError } from '../errors.ts';
import type { Damaged, Missing, Proposal, RepairName, ScopeName } from '../memory/memory.ts';
import { visibleName } from '../text/visible.ts';
import { openMemory, type ScopeFlags, scopeOption } from './memory-options.ts';
import { counted, undoHint } from './memory-text.ts';
import { writeStdout } from './output.ts';

interface RepairFlags extends ScopeFlags {
  readonly apply?: RepairName;
}

/** Adds `plimsoll memory repair`. */
export function defineRepair(memory: Command): void {
  memory
    .command('repair')
    .description('show what can be done about a damaged file of facts; with --apply, do it')
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
  const memory = openMemory();
  const damaged = await memory.damage(scope);
  if (damaged.length === 0) return writeStdout('Nothing is damaged.\n');
  if (apply === undefined) return writeStdout(damaged.map(proposalLines).join('\n'));
  const [one, other] = damaged;
  if (!one || other) {
    throw new PlimsollError(
      'BAD_USAGE',
      'Two memories are damaged: say which with --scope global or --scope project.',
    );
  }
  const { file, keys, kept, change } = await memory.repair(apply, one.scope);
  await writeStdout(
    `${visibleName(file)} is sound again, with ${counted(keys, 'key')}. The damaged file is ${visibleName(kept)}. Change ${change}: ${undoHint(change, one.scope)} where the two states differ.\n`,
  );
}

function proposalLines({ scope, file, repair: { damage, mended, lastGood } }: Damaged): string {
  const command = (name: RepairName) => `plimsoll memory repair --apply ${name}${optionFor(scope)}`;
  return [
    `${visibleName(file)} is damaged at ${damage.message}.`,
    '',
    mended
      ? `${command('mended')}\n  everything that can be made out: ${facts(mended, lastGood)}`
      : 'Nothing can be made out in it.',
    lastGood
      ? `${command('last-good')}\n  as it was when it was last read: ${facts(lastGood, mended)}`
      : 'No state from before the damage is known.',
    '',
    'Either keeps the damaged file beside it. You can also mend it in an editor.',
    '',
  ].join('\n');
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
