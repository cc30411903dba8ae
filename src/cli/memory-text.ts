import { oneLine, shortLine } from '../memory/answers/frame.ts';
import { writeKey } from '../memory/context/keys.ts';
import type { Change, Edit } from '../memory/journal/journal.ts';
import type { DiaryEntry, Done, History, Logged, Memory, Place, ScopeName } from '../memory/memory.ts';
import type { SearchResult } from '../memory/search/search.ts';
import { visible, visibleName } from '../text/visible.ts';

/** What is shown of a value, in UTF-16 code units. */
const WIDTH = 120;

/** How many keys of a change are shown. */
const MOST_EDITS = 10;

/** A path as a user writes it, on one line. */
export function nameOf(path: readonly string[]): string {
  return visibleName(writeKey(path));
}

/** JSON on one line, shortened. */
export function shown(json: string): string {
  return shortLine(oneLine(json), WIDTH);
}

/** `1 key`, `2 keys`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How a change is taken back. */
export function undoHint(change: number, scope: ScopeName): string {
  return `plimsoll memory undo ${change}${scope === 'global' ? '' : ` --scope ${scope}`} takes it back`;
}

/** What setting or deleting came to. */
export function doneLines(verb: string, { key, scope, was, change, isHidden }: Done): string {
  if (change === undefined) return `${visibleName(key)} is that already; nothing was changed.\n`;
  const before = was === undefined ? [] : [`It was ${shown(was)}.`];
  const hidden = isHidden ? ["The project's memory has the key too, and that is what is read here."] : [];
  const words = [
    `${verb} ${visibleName(key)} in the ${scope} memory.`,
    ...before,
    ...hidden,
    `Change ${change}: ${undoHint(change, scope)}.`,
  ];
  return `${words.join(' ')}\n`;
}

/** A line for each hit, and how many there are in all. */
export function hitLines(result: SearchResult, places: readonly Place[]): string {
  const { hits, total, isExact, nearest } = result;
  const lines = hits.map(({ key, json, scope, isHidden }) => {
    const where = places.length > 1 ? ` (${scope}${isHidden ? ', hidden by a nearer one' : ''})` : '';
    return `${visibleName(key)}: ${shown(json)}${where}`;
  });
  if (!isExact) {
    const like = nearest.map((key) => visibleName(key)).join(', ');
    const end = like === '' ? '' : ` Keys like it: ${like}.`;
    if (total === 0) return `No match.${end}\n`;
    return [...lines, `No match; ${counted(total, 'fact')} with words like these.${end}`, ''].join('\n');
  }
  const rest =
    hits.length < total
      ? `${hits.length} of ${counted(total, 'match', 'matches')}`
      : counted(total, 'match', 'matches');
  return [...lines, rest, ''].join('\n');
}

/** The files of each memory. */
export function whereLines({ places }: ReturnType<Memory['where']>): string {
  const lines = places.flatMap(({ scope, context, diary }) => [
    scope,
    `  facts  ${visibleName(context)}`,
    `  diary  ${visibleName(diary)}`,
  ]);
  return [...lines, ''].join('\n');
}

/** The entries, each with its text indented, so that no text can pass for a header. */
export function diaryLines(entries: readonly DiaryEntry[], total: number, places: readonly Place[]): string {
  if (total === 0) return 'No entries.\n';
  const blocks = entries.map(({ at, tag, text, scope }) => {
    const label = tag === undefined ? '' : ` [${visibleName(tag)}]`;
    const where = places.length > 1 ? ` (${scope})` : '';
    const lines = visible(text).split(/\r?\n/);
    return [`${at}${label}${where}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), ''].join('\n');
  });
  const rest = entries.length < total ? [`${entries.length} of ${counted(total, 'entry', 'entries')}`] : [];
  return [...blocks, ...rest, ''].join('\n');
}

/** The changes, each with what it did to which keys. */
export function logLines(changes: readonly Logged[], places: readonly Place[]): string {
  if (changes.length === 0) return 'No changes.\n';
  const isMixed = places.length > 1;
  return changes.flatMap((change) => [headOf(change, isMixed), ...editLines(change.edits), '']).join('\n');
}

function headOf(
  { change, at, who, why, undoes, scope, void: never }: Change & { readonly scope: ScopeName },
  isMixed: boolean,
): string {
  const facts = [
    `change ${change}`,
    ...(isMixed ? [scope] : []),
    at,
    `by ${who}`,
    ...(undoes === undefined ? [] : [`takes back change ${undoes}`]),
    ...(why === undefined ? [] : [why]),
    ...(never === undefined ? [] : [`never came about: ${never}`]),
  ];
  return visibleName(facts.join(', '));
}

function editLines(edits: readonly Edit[]): string[] {
  const lines = edits.slice(0, MOST_EDITS).map((edit) => `  ${editLine(edit)}`);
  return edits.length > MOST_EDITS ? [...lines, `  and ${edits.length - MOST_EDITS} more`] : lines;
}

/** `people.maria.role: "CTO", was "CEO"`. */
export function editLine({ key, before, after }: Edit): string {
  const now = after === undefined ? 'deleted' : shown(after);
  return `${visibleName(key)}: ${now}${before === undefined ? '' : `, was ${shown(before)}`}`;
}

/** What a key is now, and the changes that led to it. */
export function historyLines({ changes, present }: History, places: readonly Place[]): string {
  const now = present.map(({ scope, json, byHand }) => {
    const what = json === undefined ? 'not there' : shown(json);
    return `now${places.length > 1 ? `, ${scope}` : ''}: ${what}${byHand ? ', by hand' : ''}\n`;
  });
  return now.join('') + logLines(changes, places);
}
