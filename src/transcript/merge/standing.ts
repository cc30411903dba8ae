import type { Document } from '../../memory/context/document.ts';
import { splitKey, writeKey } from '../../memory/context/keys.ts';
import { isAsLeft, jsonIn, within } from '../../memory/journal/history.ts';
import type { Edit, Logged } from '../../memory/memory.ts';
import { jsonAt } from '../../memory/scope.ts';

/** What stands at a key, and who put it there. */
export interface Standing {
  /** As JSON; none if nothing does. */
  readonly present: string | undefined;
  /** The change that set it last, or that took it away; none if no change did. */
  readonly last: Logged | undefined;
  /** Whether it isn't what changes left: a person has edited the file. */
  readonly isByHand: boolean;
}

/** Changes that were taken back, and by which change. `changes` has the newest first. */
export function takenBackIn(changes: readonly Logged[]): Map<number, number> {
  const takenBack = new Map<number, number>();
  for (const { change, undoes, void: never } of changes) {
    if (undoes === undefined || never !== undefined || takenBack.has(change)) continue;
    takenBack.set(undoes, change);
  }
  return takenBack;
}

/** What stands at each of the keys, which are as they stand in the document. `changes` has the newest first. */
export function standingsOf(
  document: Document,
  changes: readonly Logged[],
  keys: Iterable<string>,
): Map<string, Standing> {
  const concerning = changesByKey(changes, keys);
  return new Map(
    Array.from(concerning, ([key, own]) => {
      const present = jsonAt(document, key);
      const isLast = present === undefined ? takesAway : sets;
      const last = own.find(({ edits }) => edits.some((edit) => isLast(edit, key)));
      return [key, { present, last, isByHand: !isAsLeft(present, key, own) }];
    }),
  );
}

function sets({ key: outer }: Edit, key: string): boolean {
  return within(outer, key) !== undefined;
}

function takesAway({ key: outer, before, after }: Edit, key: string): boolean {
  const rest = within(outer, key);
  return rest !== undefined && jsonIn(before, rest) !== undefined && jsonIn(after, rest) === undefined;
}

/** The changes, of those that came about, that are of a key, of a section around it or of something in it. */
function changesByKey(changes: readonly Logged[], keys: Iterable<string>): Map<string, Logged[]> {
  const byKey = new Map<string, Logged[]>(Array.from(keys, (key) => [key, []]));
  const inside = new Map<string, string[]>();
  for (const key of byKey.keys()) {
    for (const outer of around(key)) inside.set(outer, [...(inside.get(outer) ?? []), key]);
  }
  for (const change of changes) {
    if (change.void !== undefined) continue;
    const concerned = new Set<string>();
    for (const { key } of change.edits) {
      for (const outer of [key, ...around(key)]) if (byKey.has(outer)) concerned.add(outer);
      for (const inner of inside.get(key) ?? []) concerned.add(inner);
    }
    for (const key of concerned) byKey.get(key)?.push(change);
  }
  return byKey;
}

/** The keys of the sections around a key. */
function around(key: string): string[] {
  const segments = splitKey(key);
  return segments.slice(1).map((_, index) => writeKey(segments.slice(0, index + 1)));
}
