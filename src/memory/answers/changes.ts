import { cutHead } from '../../text/cut.ts';
import type { Edit } from '../journal/journal.ts';
import type { Changes, Done, DoneMany, History, Logged, Place } from '../memory.ts';
import {
  type AnswerOptions,
  answerOf,
  beyond,
  changedHead,
  contextsOf,
  linesWithin,
  oneLine,
  type PageOptions,
  placeOf,
  recalledHead,
  roomBeside,
  shortLine,
  startOf,
} from './frame.ts';

export interface HistoryAsked extends PageOptions {
  /** The key whose history it is. */
  readonly key: string;
}

/** A line is no longer, in UTF-16 code units. */
const WIDTH = 300;
/** So many lines a change takes at most: one of its own, the edits, and one for those that are left out. */
const MOST_LINES = 6;

const NOTHING = 'nothing';

/**
 * Changes in the places, the newest first, as many as fit, and how to go on. Throws `BAD_USAGE` for a `from` beyond the
 * last one.
 */
export function changesAnswer(
  places: readonly Place[],
  { changes, unreadable }: Changes,
  asked: PageOptions,
): string {
  const lines = unreadable === 1 ? '1 line' : `${unreadable} lines`;
  const what = unreadable === 0 ? 'Changes' : `${lines} of the journal can't be read. Changes`;
  return listAnswer(what, places, { changes, present: [] }, asked);
}

/**
 * What stands at a key in the places, and the changes that led to it, the newest first, as many as fit, and how to go on.
 * Throws `BAD_USAGE` for a `from` beyond the last change.
 */
export function historyAnswer(places: readonly Place[], history: History, asked: HistoryAsked): string {
  return listAnswer(`Changes of ${shortLine(asked.key, 80)}`, places, history, asked);
}

/** `what` names the changes. */
function listAnswer(
  what: string,
  places: readonly Place[],
  { changes, present }: History,
  asked: PageOptions,
): string {
  const from = startOf(asked);
  if (from > 0 && from >= changes.length) throw beyond(from, `There are ${changes.length} changes`);
  const contexts = contextsOf(places);
  const headFor = (next: number) => {
    if (changes.length === 0) return recalledHead(contexts, [`${what}: there are none.`], asked);
    const more = next < changes.length ? ` For older ones, ask the same with from: ${next}.` : '';
    const which = `${from + 1} to ${next} of ${changes.length}`;
    return recalledHead(contexts, [`${what}, the newest first: ${which}.${more}`], asked);
  };
  const room = roomBeside(headFor(changes.length - 1), asked);
  const width = Math.min(WIDTH, Math.floor(room / (MOST_LINES + present.length)) - 1);
  const isMixed = places.length > 1;
  const now = from === 0 ? present.map((one) => presentLine(one, isMixed, width)) : [];
  const blocks = changes.slice(from).map((change) => blockOf(change, isMixed, width));
  const { text, count } = linesWithin([...now, ...blocks], room);
  return answerOf(headFor(from + count - now.length), text, asked);
}

function presentLine(
  { scope, json, byHand }: History['present'][number],
  isMixed: boolean,
  width: number,
): string {
  const label = `now${isMixed ? ` (${scope})` : ''}${byHand ? ', by hand' : ''}: `;
  return label + jsonOf(json, Math.max(2, width - label.length));
}

/** What setting a value came to. */
export function setAnswer(done: Done, options: AnswerOptions): string {
  const what = done.change === undefined ? 'That is stored already; nothing was changed' : 'Stored';
  return doneAnswer(what, done, options);
}

/** What deleting came to. */
export function deleteAnswer(done: Done, options: AnswerOptions): string {
  return doneAnswer('Deleted', done, options);
}

/** What several edits came to: those of a change that was taken back, or of many values that were set. */
export function manyAnswer(many: DoneMany, options: AnswerOptions): string {
  const { done, refused } = many;
  const head = changedHead([
    `${done.length} ${done.length === 1 ? 'key' : 'keys'} changed in memory (${placeOf(many, options.limit)}).`,
    ...undoNote(many),
    ...(refused.length > 0 ? [`${refused.length} refused.`] : []),
  ]);
  const room = roomBeside(head, options);
  const width = Math.min(WIDTH, room);
  const lines = [
    ...refused.map(({ key, reason }) => shortLine(`refused ${key}: ${reason}`, width)),
    ...done.map((edit) => editLine(edit, width)),
  ];
  return answerOf(head, withRest(lines, room), options);
}

function doneAnswer(what: string, done: Done, options: AnswerOptions): string {
  const { key, was, now, earlier, isHidden, behind, readNow } = done;
  const head = changedHead([
    `${what} (${placeOf(done, options.limit)}).`,
    ...undoNote(done),
    ...(earlier
      ? [`The file had this key ${earlier.length + 1} times; what it was is the last of them.`]
      : []),
    ...(isHidden ? ['A nearer memory has this key too, and that one is read.'] : []),
    ...(behind === undefined
      ? []
      : [`A nearer memory has a value at ${shortLine(behind, 80)}; this is read by its own key alone.`]),
    ...(readNow ? [`The ${readNow.scope} memory has this key too, and that one is read now.`] : []),
  ]);
  const width = Math.floor(roomBeside(head, options) / 3) - 1;
  const value = width - 'was: '.length;
  const lines = [shortLine(`key: ${key}`, width), `was: ${jsonOf(was, value)}`, `now: ${jsonOf(now, value)}`];
  return answerOf(head, lines.join('\n'), options);
}

/** Each scope counts its own changes. */
function undoNote({ change, scope }: Pick<DoneMany, 'change' | 'scope'>): string[] {
  if (change === undefined) return [];
  const where = scope === 'global' ? '' : ` --scope ${scope}`;
  return [`This is change ${change}; plimsoll memory undo ${change}${where} takes it back.`];
}

function blockOf(change: Logged, isMixed: boolean, width: number): string {
  const { change: number, at, who, why, undoes, void: never, scope, edits } = change;
  const facts = [
    `change ${number}`,
    ...(isMixed ? [scope] : []),
    at,
    `by ${who}`,
    ...(undoes === undefined ? [] : [`takes back ${undoes}`]),
    ...(never === undefined ? [] : [`never came about: ${never}`]),
    ...(why === undefined ? [] : [`why: ${why}`]),
  ];
  const most = MOST_LINES - 2;
  const lines = edits.slice(0, most).map((edit) => `  ${editLine(edit, width - 2)}`);
  if (edits.length > most) lines.push(`  and ${edits.length - most} more`);
  return [shortLine(facts.join(', '), width), ...lines].join('\n');
}

/** `key: "before" → "after"`. */
function editLine({ key, before, after }: Edit, width: number): string {
  const own = shortLine(key, Math.max(1, Math.floor(width / 2)));
  const room = width - own.length - 5;
  const was = jsonOf(before, Math.max(2, Math.floor(room / 2)));
  return shortLine(`${own}: ${was} → ${jsonOf(after, Math.max(2, room - was.length))}`, width);
}

/** JSON on one line of at most `most` UTF-16 code units; where it is cut, with its length. */
function jsonOf(json: string | undefined, most: number): string {
  if (json === undefined) return NOTHING;
  const line = shortLine(oneLine(json.slice(0, most + 1)), Number.POSITIVE_INFINITY);
  if (line.length <= most && json.length <= most) return line;
  const size = `… (${json.length} characters)`;
  return size.length < most / 2 ? `${cutHead(line, most - size.length)}${size}` : shortLine(line, most);
}

function withRest(lines: readonly string[], room: number): string {
  const whole = linesWithin(lines, room);
  if (whole.count === lines.length) return whole.text;
  const note = `and ${lines.length} more`;
  const { text, count } = linesWithin(lines, room - note.length - 1);
  return `${text}\nand ${lines.length - count} more`;
}
