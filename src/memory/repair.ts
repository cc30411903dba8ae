import { join } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { visibleName } from '../text/visible.ts';
import { type Document, readDocument } from './context/document.ts';
import { LONGEST_KEY } from './context/keys.ts';
import { proposeRepair, type Repair } from './context/repair.ts';
import type { Edit } from './journal/journal.ts';
import { isWhole, type Scope } from './scope.ts';
import { type Files, tryRemove, writeWhole } from './store/files.ts';
import { readFile } from './store/update.ts';

/** What can take a damaged file's place: what can be made out of it, or what it was when it was last read. */
export type RepairName = 'mended' | 'last-good';

/** What a repair came to. */
export interface Repaired {
  /** How many keys the file has now. */
  readonly keys: number;
  /** Where the damaged file is kept, absolute. */
  readonly kept: string;
  /** The number to undo it with. */
  readonly change: number;
}

interface RepairOptions {
  readonly who: string;
  readonly now: () => Date;
  readonly files: Files;
}

/** What can be done about a scope's facts; `undefined` if nothing is damaged. Throws `MEMORY_UNREADABLE`. */
export async function repairOf(scope: Scope, files: Files): Promise<Repair | undefined> {
  return (await look(scope, files)).repair;
}

/**
 * Puts one of the two states in the place of a scope's damaged facts, and keeps these in a file of their own. It is a
 * change: from what the other state has, if there is one, so that undoing it leads there. Throws `BAD_USAGE` if nothing
 * is damaged, the state isn't there or somebody else changes the file this moment, and what every writing throws.
 */
export async function repairFacts(
  scope: Scope,
  which: RepairName,
  { who, now, files }: RepairOptions,
): Promise<Repaired> {
  const { bytes, repair } = await look(scope, files);
  if (!bytes || !repair) throw bad(`${visibleName(scope.contextPath)} is not damaged`);
  const [chosen, other] =
    which === 'mended' ? [repair.mended, repair.lastGood] : [repair.lastGood, repair.mended];
  if (!chosen) throw bad(missing(scope, which));
  const edits = other ? editsBetween(readDocument(other.bytes), readDocument(chosen.bytes)) : [];
  const kept = join(scope.folder, `context.damaged-${now().toISOString().replaceAll(':', '-')}.json`);
  const change = await scope.replace(
    bytes,
    { bytes: chosen.bytes, edits },
    { who, why: `repair of a damaged file: ${which}` },
    () => keep(kept, bytes, files),
  );
  if (change === undefined) throw bad(`${visibleName(scope.contextPath)} was changed this moment`);
  return { keys: chosen.keys, kept, change };
}

async function look(
  scope: Scope,
  files: Files,
): Promise<{ readonly bytes?: Buffer | undefined; readonly repair?: Repair | undefined }> {
  const bytes = await readFile(scope.contextPath, { files, isWhole });
  if (!bytes) return {};
  const lastGood = await readFile(scope.lastGoodPath, { files }).catch(() => undefined);
  return { bytes, repair: await proposeRepair(bytes, lastGood) };
}

/** What must be done to a document so that it has the values of another one. */
function editsBetween(one: Document, other: Document): Edit[] {
  const [before, after] = [valuesOf(one), valuesOf(other)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
    .filter((edit) => edit.before !== edit.after && edit.key.length <= LONGEST_KEY);
}

function valuesOf(document: Document): Map<string, string> {
  return new Map(Array.from(document.facts(), ({ key, json }) => [key, json]));
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

function missing({ contextPath, lastGoodPath }: Scope, which: RepairName): string {
  return which === 'mended'
    ? `Nothing can be made out in ${visibleName(contextPath)}`
    : `There is no last good state in ${visibleName(lastGoodPath)}`;
}

function bad(fact: string): PlimsollError {
  return new PlimsollError('BAD_USAGE', `${fact}. plimsoll memory repair shows what can be done.`);
}
