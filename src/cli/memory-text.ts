import { oneLine, shortLine } from '../memory/answers/frame.ts';
import { shownKey, writeKey } from '../memory/context/keys.ts';
import type { Change, Edit } from '../memory/journal/journal.ts';
import type {
  Changes,
  DiaryEntry,
  Done,
  History,
  Logged,
  Memory,
  Part,
  Place,
  Places,
  Reading,
  ScopeName,
} from '../memory/memory.ts';
import type { SearchResult } from '../memory/search/search.ts';
import { visible, visibleName } from '../text/visible.ts';

/** What is shown of a value, in UTF-16 code units; on a narrow terminal less, but not less than the least. */
const WIDTH = 120;
const LEAST_WIDTH = 30;

/** What is shown of who changed something, when and why. */
const HEAD_WIDTH = 300;

/** How many keys are named of those that are of one memory. */
const MOST_KEYS = 5;

/** How many keys of a change are shown. */
const MOST_EDITS = 10;

/** A path as a user writes it, on one line. */
export function nameOf(path: readonly string[]): string {
  return shownKey(writeKey(path));
}

/** JSON on one line, shortened such that on a terminal so many fit beside what takes so much of the line. */
export function shown(json: string, beside = 0, count = 1): string {
  const { columns = Number.POSITIVE_INFINITY } = process.stdout;
  const room = Math.floor((columns - beside) / count);
  return shortLine(oneLine(json), Math.min(WIDTH, Math.max(LEAST_WIDTH, room)));
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
export function doneLines(
  verb: string,
  { key, scope, was, earlier, change, isHidden, behind, readNow }: Done,
): string {
  if (change === undefined) return `${shownKey(key)} is that already; nothing was changed.\n`;
  const before = was === undefined ? [] : [`It was ${shown(was)}.`];
  const others = earlier ? [`The file had the key ${earlier.length + 1} times; this was the last.`] : [];
  const hidden = [
    ...(isHidden ? ["The project's memory has the key too, and that is what is read here."] : []),
    ...(behind === undefined
      ? []
      : [
          `The project's memory has a value at ${shownKey(behind)}: this is read by its own key alone, and get of all and export leave it out.`,
        ]),
    ...(readNow
      ? [`In the ${readNow.scope} memory it is ${shown(readNow.json)}, and that is what is read now.`]
      : []),
  ];
  const words = [
    `${verb} ${shownKey(key)} in the ${scope} memory.`,
    ...before,
    ...others,
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
    const start = `${shownKey(key)}: `;
    return `${start}${shown(json, start.length + where.length)}${where}`;
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

/** What is not read here though it is there, and why. */
export function notReadLines({ unwanted, inMainTree, around, fault }: Places): string[] {
  const lines: [string | undefined, string][] = [
    [
      unwanted,
      ' is not read: nobody here asked for it. plimsoll memory init --project, in the folder that it is in, has it read',
    ],
    [
      inMainTree,
      ' is not read: it is of the main work tree of git, and each has its own. plimsoll memory init --project makes one here',
    ],
    [
      around,
      ' is not read: it is of a project around this repository, and each has its own. plimsoll memory init --project makes one here',
    ],
    [fault, ''],
  ];
  return lines.flatMap(([what, why]) => (what === undefined ? [] : [what + why]));
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

/** The changes, each with what it did to which keys, and how many there are in all. */
export function logLines(
  { changes, total }: Pick<Changes, 'changes' | 'total'>,
  places: readonly Place[],
): string {
  if (total === 0) return 'No changes.\n';
  const rest = changes.length < total ? [`${changes.length} of ${counted(total, 'change')}`, ''] : [];
  return [...changeLines(changes, places.length > 1), ...rest].join('\n');
}

function changeLines(changes: readonly Logged[], isMixed: boolean): string[] {
  return changes.flatMap((change) => [headOf(change, isMixed), ...editLines(change.edits), '']);
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
  return shortLine(facts.join(', '), HEAD_WIDTH);
}

/** What a change did to its first keys, a line each, and how many more there are. */
export function editLines(edits: readonly Edit[], most = MOST_EDITS): string[] {
  const lines = edits.slice(0, most).map(editLine);
  return edits.length > most ? [...lines, `  and ${edits.length - most} more`] : lines;
}

/** `  people.maria.role: "CTO", was "CEO"`. */
export function editLine({ key, before, after }: Edit): string {
  const start = `  ${shownKey(key)}: `;
  const was = before === undefined ? '' : ', was ';
  const values = [before, after].filter((json) => json !== undefined).length;
  const now = after === undefined ? 'deleted' : shown(after, start.length + was.length, values);
  const line = `${start}${now}${was}`;
  return before === undefined ? line : line + shown(before, line.length);
}

/** What a key is now, and the changes that led to it. */
export function historyLines({ changes, present }: History, places: readonly Place[]): string {
  const isMixed = places.length > 1;
  const now = present.map(({ scope, json, byHand }) => {
    const start = `now${isMixed ? `, ${scope}` : ''}: `;
    const end = byHand ? ', by hand' : '';
    const what = json === undefined ? 'not there' : shown(json, start.length + end.length);
    return `${start}${what}${end}`;
  });
  const log = changes.length > 0 ? changeLines(changes, isMixed) : ['No changes.', ''];
  return [...now, ...log].join('\n');
}

/** What was read as JSON, with where each key of it is from. */
export function readingJson(reading: Reading): string {
  const { key, kind, json, parts, hidden } = reading;
  const from = parts.map((part) => ({
    scope: part.source.scope,
    file: part.source.file,
    keys: keysOf(part, reading),
  }));
  const members = { key, kind, value: undefined, from, hidden };
  const texts = Object.entries(members).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${name === 'value' ? json : JSON.stringify(value)}`,
  );
  return `{\n${texts.join(',\n')}\n}`;
}

/** Which memory it is of that was read, and what another one has there. */
export function originLines(reading: Reading): string[] {
  const { parts, hidden } = reading;
  const origins = parts.map((part) => {
    const { scope } = part.source;
    return parts.length === 1
      ? `this is of the ${scope} memory`
      : `of the ${scope} memory: ${namesOf(keysOf(part, reading))}`;
  });
  const further = [...new Set(hidden.map(({ scope }) => scope))];
  const others = further.map((scope) => {
    const keys = hidden.filter((one) => one.scope === scope).map(({ key }) => key);
    return `left out of the ${scope} memory (--scope ${scope}), since a nearer one is read instead: ${namesOf(keys)}`;
  });
  return [...origins, ...others];
}

/** The keys of the values that what was read has of one of its parts. */
function keysOf({ source, found }: Part, { hidden }: Reading): string[] {
  const others = new Set(hidden.filter(({ scope }) => scope === source.scope).map(({ key }) => key));
  return Array.from(found.facts(), ({ key }) => key).filter((key) => !others.has(key));
}

function namesOf(keys: readonly string[]): string {
  if (keys.length === 0) return 'nothing';
  const more = keys.length > MOST_KEYS ? ` and ${keys.length - MOST_KEYS} more` : '';
  return keys.slice(0, MOST_KEYS).map(shownKey).join(', ') + more;
}
