import { readDocument } from '../context/document.ts';
import { Draft } from '../context/edit.ts';
import { splitKey, writeKey } from '../context/keys.ts';
import { isSameValue } from '../value.ts';
import type { Change, Edit } from './journal.ts';

/** Whether a change is of a key, of a section around it or of something in it. */
export function concerns({ edits }: Change, key: string): boolean {
  return edits.some((edit) => within(edit.key, key) !== undefined || within(key, edit.key) !== undefined);
}

/** The rest of a key that is within another one, as it is written; empty for the same key, `undefined` for others. */
export function within(outer: string, key: string): string | undefined {
  if (key === outer) return '';
  return key.startsWith(`${outer}.`) ? key.slice(outer.length + 1) : undefined;
}

/** The JSON that stands at a key within a section that is given as JSON; of an empty key all of it. */
export function jsonIn(json: string | undefined, key: string): string | undefined {
  if (key === '' || !json?.startsWith('{')) return key === '' ? json : undefined;
  return readDocument(Buffer.from(json)).find(splitKey(key), { literal: false })?.json();
}

/**
 * Whether a key holds the values, given as JSON, that changes left there, the newest first. Before the first of them it
 * held `before`.
 */
export function isAsLeft(
  present: string | undefined,
  key: string,
  changes: readonly Change[],
  before?: string,
): boolean {
  const edits = changes.filter(({ void: never }) => never === undefined).flatMap((change) => change.edits);
  const last = edits.findIndex((edit) => within(edit.key, key) !== undefined);
  const around = edits[last];
  const start = around ? jsonIn(around.after, within(around.key, key) as string) : before;
  const inner = around ? edits.slice(0, last) : edits;
  try {
    return isSame(valuesAfter(start, key, inner), valuesAfter(present, key, []));
  } catch {
    // Something was edited within what the changes left as a value.
    return false;
  }
}

/** The values at a key, by their paths within it, that edits in it lead to, the newest first. */
function valuesAfter(start: string | undefined, key: string, edits: readonly Edit[]): Map<string, string> {
  const draft = new Draft(readDocument(Buffer.from(start === undefined ? '{}' : `{"":${start}}`)));
  for (const [rest, after] of [...newestWithin(key, edits)].reverse()) {
    const path = ['', ...splitKey(rest)];
    if (after === undefined) draft.remove(path);
    else draft.restore(path, { json: after });
  }
  const facts = readDocument(draft.finish()).facts();
  return new Map(Array.from(facts, (fact) => [fact.key, fact.json]));
}

/** What the edits of a key's inner keys lead to, by these; those that a newer one makes void are left out. */
function newestWithin(key: string, edits: readonly Edit[]): Map<string, string | undefined> {
  const newest = new Map<string, string | undefined>();
  for (const edit of edits) {
    const rest = within(key, edit.key);
    if (rest === undefined) continue;
    const path = splitKey(rest);
    const isOverlaid = path.some((_, index) => newest.has(writeKey(path.slice(0, index + 1))));
    if (!isOverlaid) newest.set(rest, edit.after);
  }
  return newest;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([key, json]) => {
    const there = other.get(key);
    return there !== undefined && isSameValue(there, json);
  });
}
