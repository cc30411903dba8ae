import { join } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import { readDocument } from './context/document.ts';
import { proposeRepair, type Repair } from './context/repair.ts';
import { editsBetween } from './journal/edits.ts';
import { isWhole, type Scope } from './scope.ts';
import { type Files, tryRemove, writeWhole } from './store/files.ts';
import { readFile } from './store/update.ts';

/** What can take the place of a file that is damaged or gone: what can be made out of it, or what it was when it was last read. */
export type RepairName = 'mended' | 'last-good';

/** What a repair came to. */
export interface Repaired {
  /** How many keys the file has now. */
  readonly keys: number;
  /** Where the damaged file is kept, absolute; none if there was no file. */
  readonly kept: string | undefined;
  /** Its number. */
  readonly change: number;
  /** Whether it can be undone: whether it sets or deletes a key of the other state. */
  readonly canUndo: boolean;
}

interface RepairOptions {
  readonly who: string;
  readonly now: () => Date;
  readonly files: Files;
}

/** What can be done about a scope's facts; `undefined` if they are neither damaged nor gone. Throws `MEMORY_UNREADABLE`. */
export async function repairOf(scope: Scope, files: Files): Promise<Repair | undefined> {
  return (await look(scope, files)).repair;
}

/**
 * Puts one of the two states in the place of a scope's damaged facts, and keeps these in a file of their own; or brings
 * back what was in a file that is gone. It is a change: from what the other state has, if there is one, so that undoing
 * it leads there. Throws `BAD_USAGE` if nothing is wrong, `MEMORY_DAMAGED` if the state isn't there, `MEMORY_BUSY` if
 * somebody else changes the file this moment, and what every writing throws.
 */
export async function repairFacts(
  scope: Scope,
  which: RepairName,
  { who, now, files }: RepairOptions,
): Promise<Repaired> {
  const { bytes, repair } = await look(scope, files);
  const name = visibleName(scope.contextPath);
  if (!repair) throw new PlimsollError('BAD_USAGE', `${name} is not damaged.`);
  const [chosen, other] =
    which === 'mended' ? [repair.mended, repair.lastGood] : [repair.lastGood, repair.mended];
  if (!chosen) throw missing(scope, which);
  const before = other?.bytes ?? (bytes ? chosen.bytes : undefined);
  const edits = editsBetween(readDocument(before), readDocument(chosen.bytes));
  const stamp = now().toISOString().replaceAll(':', '-');
  const kept = bytes && join(scope.folder, `context.damaged-${stamp}.json`);
  const change = await scope.replace(
    bytes,
    { bytes: chosen.bytes, edits },
    { who, why: `repair of a ${bytes ? 'damaged' : 'lost'} file: ${which}` },
    () => kept && keep(kept, bytes, files),
  );
  if (change === undefined) {
    throw new PlimsollError(
      'MEMORY_BUSY',
      `${name} was changed this moment, and is left alone. plimsoll memory repair shows what can be done.`,
    );
  }
  return { keys: chosen.keys, kept, change, canUndo: edits.length > 0 };
}

async function look(
  scope: Scope,
  files: Files,
): Promise<{ readonly bytes?: Buffer | undefined; readonly repair?: Repair | undefined }> {
  const bytes = await readFile(scope.contextPath, { files, isWhole });
  const lastGood = await readFile(scope.lastGoodPath, { files }).catch(() => undefined);
  return { bytes, repair: await proposeRepair(bytes, lastGood) };
}

/** Has a file hold a copy of what was damaged, on the disk. */
function keep(path: string, bytes: Buffer, files: Files): void {
  const fd = files.openSync(path, 'w', 0o600);
  try {
    writeWhole(fd, bytes, files);
    files.fsyncSync(fd);
  } catch (error) {
    tryRemove(path, files);
    throw error;
  } finally {
    files.closeSync(fd);
  }
}

function missing({ contextPath, lastGoodPath }: Scope, which: RepairName): PlimsollError {
  const fact =
    which === 'mended'
      ? `Nothing can be made out in ${visibleName(contextPath)}`
      : `There is no last good state in ${visibleName(lastGoodPath)}`;
  return new PlimsollError('MEMORY_DAMAGED', `${fact}. plimsoll memory repair shows what can be done.`);
}
