import { cutHead } from '../../text/cut.ts';
import type { Edit } from '../journal/journal.ts';
import type { Changes, CopyState, Done, DoneMany, History, Logged, Place } from '../memory.ts';
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

/** Lines are wider, in UTF-16 code units, only where no fewer changes fit so; and none is cut to less than the least. */
const WIDTH = 300;
const LEAST_WIDTH = 40;
/** An edit takes that much if it doesn't fit in less. */
const LEAST_EDIT = 80;
/** So many edits of a change are told at most. */
const MOST_EDITS = 4;
/** How much is shown of who made a change, and of why at least. */
const LONGEST_WHO = 100;
const LEAST_WHY = 40;

/** How much is told of a key with its values of before and now: who set a value knows it, and undoing gives the other. */
const MOST_TOLD = 4000;

const HOW_WHOLE = 'read_context, or plimsoll memory log --json, gives what is cut.';
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
  if (from > 0 && from >= changes.length) throw beyond(from, `Changes in all: ${changes.length}`);
  const contexts = contextsOf(places);
  const headFor = (next: number, isCut: boolean) => {
    if (changes.length === 0) return recalledHead(contexts, [`${what}: there are none.`], asked);
    const which = `${what}, the newest first: ${from + 1} to ${next} of ${changes.length}.`;
    const more = next < changes.length ? [`For older ones, ask the same with from: ${next}.`] : [];
    return recalledHead(contexts, [which, ...(isCut ? [HOW_WHOLE] : []), ...more], asked);
  };
  const now = from === 0 ? present : [];
  const items = [...now, ...changes.slice(from)];
  const pageBeside = (isCut: boolean) =>
    pageOf(items, now.length + 1, roomBeside(headFor(changes.length - 1, isCut), asked), places.length > 1);
  const whole = pageBeside(false);
  const { text, count, isCut } = whole.isCut ? pageBeside(true) : whole;
  return answerOf(headFor(from + count - now.length, isCut), text, asked);
}

type Present = History['present'][number];

/** As many of the items as fit in lines of the usual width, and at least so many, in lines as wide as these allow. */
function pageOf(items: readonly (Present | Logged)[], least: number, room: number, isMixed: boolean) {
  const within = (width: number, edits: number) => {
    const lines = new Lines(width, edits, isMixed);
    return linesWithin(blocksOf(items, lines), room);
  };
  const wanted = Math.max(within(WIDTH, MOST_EDITS).count, Math.min(least, items.length));
  const fits = (width: number, edits: number) => {
    const { text, count } = within(width, edits);
    return count >= wanted && text.length <= room;
  };
  let edits = MOST_EDITS;
  while (edits > 0 && !fits(LEAST_WIDTH, edits)) edits--;
  let [width, tooWide] = [LEAST_WIDTH, room + 1];
  while (tooWide - width > 1) {
    const middle = (width + tooWide) >> 1;
    if (fits(middle, edits)) width = middle;
    else tooWide = middle;
  }
  const count = Math.max(wanted, within(width, edits).count);
  const lines = new Lines(width, edits, isMixed);
  const text = [...blocksOf(items.slice(0, count), lines)].join('\n');
  return { text, count, isCut: lines.isCut };
}

function* blocksOf(items: readonly (Present | Logged)[], lines: Lines): Generator<string> {
  for (const item of items) yield 'change' in item ? lines.change(item) : lines.present(item);
}

/** Makes lines of a width, but for what is never cut. */
class Lines {
  /** Whether anything was cut. */
  isCut = false;
  readonly #width: number;
  readonly #mostEdits: number;
  readonly #isMixed: boolean;

  constructor(width: number, mostEdits = MOST_EDITS, isMixed = false) {
    this.#width = width;
    this.#mostEdits = mostEdits;
    this.#isMixed = isMixed;
  }

  present({ scope, json, byHand }: Present): string {
    const label = `now${this.#isMixed ? ` (${scope})` : ''}${byHand ? ', by hand' : ''}: `;
    return label + this.#json(json, this.#width - label.length);
  }

  change({ change: number, at, who, why, undoes, void: never, scope, edits }: Logged): string {
    const facts = [
      `change ${number}`,
      ...(this.#isMixed ? [scope] : []),
      at,
      `by ${shortLine(who, LONGEST_WHO)}`,
    ];
    const others = [
      ...(undoes === undefined ? [] : [`takes back ${undoes}`]),
      ...(never === undefined ? [] : [`never came about: ${never}`]),
      ...(why === undefined ? [] : [`why: ${why}`]),
    ].join(', ');
    const head = facts.join(', ');
    const rest = others && `, ${this.#text(others, Math.max(LEAST_WHY, this.#width - head.length - 2))}`;
    const told = edits
      .slice(0, this.#mostEdits)
      .map((edit) => `  ${this.edit(edit, Math.max(LEAST_EDIT, this.#width - 2))}`);
    if (edits.length > told.length) {
      told.push(told.length > 0 ? `  and ${edits.length - told.length} more` : `  keys: ${edits.length}`);
      this.isCut = true;
    }
    return [head + rest, ...told].join('\n');
  }

  /** `key: "before" → "after"`. */
  edit({ key, before, after }: Edit, width = this.#width): string {
    const room = width - ':  → '.length;
    const own = this.#text(key, Math.max(room - sizeOf(before) - sizeOf(after), Math.floor(room / 2)));
    const [was, now] = this.pair(before, after, room - own.length);
    return `${own}: ${was} → ${now}`;
  }

  /** Two values that share a room. */
  pair(one: string | undefined, other: string | undefined, room: number): readonly [string, string] {
    const first = this.#json(one, Math.max(room - sizeOf(other), Math.floor(room / 2)));
    return [first, this.#json(other, room - first.length)];
  }

  /** JSON on one line; where it is cut, with its length, or that alone where there is no room for more. */
  #json(json: string | undefined, most: number): string {
    if (json === undefined) return NOTHING;
    const line = shortLine(oneLine(json.slice(0, Math.max(0, most) + 1)), Number.POSITIVE_INFINITY);
    if (line.length <= most && json.length <= most) return line;
    this.isCut = true;
    const size = `(${json.length} characters)`;
    const room = most - size.length - '… '.length;
    return room > 0 ? `${cutHead(line, room)}… ${size}` : size;
  }

  #text(text: string, most: number): string {
    const line = shortLine(text, most);
    this.isCut ||= line.length < text.length;
    return line;
  }
}

function sizeOf(json: string | undefined): number {
  return (json ?? NOTHING).length;
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
    ...done.map((edit) => new Lines(width).edit(edit)),
  ];
  return answerOf(head, withRest(lines, room), options);
}

function doneAnswer(what: string, done: Done, options: AnswerOptions): string {
  const { key, was, now, earlier, isHidden, behind, readNow, begun } = done;
  const head = changedHead([
    `${what} (${placeOf(done, options.limit)}).`,
    ...undoNote(done),
    ...(begun === undefined ? [] : [begunNote(begun)]),
    ...(earlier
      ? [`The file had this key ${earlier.length + 1} times; what it was is the last of them.`]
      : []),
    ...(isHidden ? ['A nearer memory has this key too, and that one is read.'] : []),
    ...(behind === undefined
      ? []
      : [`A nearer memory has a value at ${shortLine(behind, 80)}; this is read by its own key alone.`]),
    ...(readNow ? [`The ${readNow.scope} memory has this key too, and that one is read now.`] : []),
  ]);
  const room = Math.min(roomBeside(head, options), MOST_TOLD) - 'key: \nwas: \nnow: '.length;
  const own = shortLine(key, Math.max(room - sizeOf(was) - sizeOf(now), Math.floor(room / 3)));
  const [before, after] = new Lines(room).pair(was, now, room - own.length);
  return answerOf(head, `key: ${own}\nwas: ${before}\nnow: ${after}`, options);
}

/** That a write began new facts in place of those that were there. */
function begunNote(copy: CopyState): string {
  const old =
    copy === 'kept' ? 'plimsoll memory repair names the file that keeps them' : 'there is no copy of them';
  return `The facts that were there are gone, and this begins new ones; ${old}.`;
}

/** Each scope counts its own changes. */
function undoNote({ change, scope }: Pick<DoneMany, 'change' | 'scope'>): string[] {
  if (change === undefined) return [];
  const where = scope === 'global' ? '' : ` --scope ${scope}`;
  return [`This is change ${change}; plimsoll memory undo ${change}${where} takes it back.`];
}

function withRest(lines: readonly string[], room: number): string {
  const whole = linesWithin(lines, room);
  if (whole.count === lines.length) return whole.text;
  const note = `and ${lines.length} more`;
  const { text, count } = linesWithin(lines, room - note.length - 1);
  return `${text}\nand ${lines.length - count} more`;
}
