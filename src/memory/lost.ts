import { type Document, readDocument } from './context/document.ts';
import type { Change } from './journal/journal.ts';
import { isWhole, type Scope } from './scope.ts';
import type { Files } from './store/files.ts';
import { readFile } from './store/update.ts';
import { isSameValue } from './value.ts';

/**
 * The files, absolute, that hold what was in facts that were gone when new ones were begun, but for those of which all has
 * been brought back since; also those that can't be read. Throws `MEMORY_DAMAGED`, `MEMORY_UNREADABLE`.
 */
export async function lostFiles(scope: Scope, files: Files): Promise<string[]> {
  const paths = scope.lost();
  if (paths.length === 0) return [];
  const present = await scope.read();
  const values = valuesSince((await scope.log()).changes);
  const isBack = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path, { files }).catch(() => undefined);
      return bytes !== undefined && isWhole(bytes) && isAllBack(readDocument(bytes), present, values);
    }),
  );
  return paths.filter((_, at) => !isBack[at]);
}

function isAllBack(
  lost: Document,
  present: Document,
  values: ReadonlyMap<string, readonly string[]>,
): boolean {
  for (const { path, key, json } of lost.facts()) {
    const now = present.find(path, { literal: false })?.json();
    const all = [...(now === undefined ? [] : [now]), ...(values.get(key) ?? [])];
    if (!all.some((one) => isSameValue(one, json))) return false;
  }
  return true;
}

/** What keys have been set to since the file was begun, by changes of which the newest comes first. */
function valuesSince(changes: readonly Change[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { edits, from, void: never } of changes) {
    if (never !== undefined) continue;
    for (const { key, after } of edits) {
      if (after === undefined) continue;
      const known = values.get(key) ?? [];
      values.set(key, known);
      known.push(after);
    }
    if (from === '') break;
  }
  return values;
}
