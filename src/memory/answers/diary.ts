import { cutHead } from '../../text/cut.ts';
import { visible, visibleName } from '../../text/visible.ts';
import { plural } from '../../text/words.ts';
import type { Picked } from '../diary/diary.ts';
import type { DiaryEntry, Place } from '../memory.ts';
import {
  type AnswerOptions,
  answerOf,
  beyond,
  changedHead,
  diariesOf,
  type PageOptions,
  placeOf,
  recalledHead,
  roomBeside,
  startOf,
} from './frame.ts';

/** Entries of the diary, as data. */
export interface DiaryData {
  /** Where they are from, how many there are, and how to go on. */
  readonly note: string;
  /** How many match. */
  readonly total: number;
  /** In the order of the diary; a piece of an entry is a text alone. */
  readonly entries: readonly (Partial<Pick<DiaryEntry, 'at' | 'tag' | 'scope'>> & {
    readonly text: string;
  })[];
  /** Where what is before them begins, or the rest of a piece. */
  readonly next?: number;
}

interface Page {
  /** In the order of the diary. */
  readonly entries: readonly string[];
  /** Where the next page begins; none if this is the last. */
  readonly next: number | undefined;
  readonly isPiece: boolean;
  /** How many entries were passed over before them, the newest first. */
  readonly before: number;
}

const GAP = '\n\n';

/** How a line of an entry begins that could pass for the header of another one, here or in a diary. */
const HEADER_LIKE = /^\\*## \d{4}-\d\d-\d\d /gm;

/**
 * Entries of the diaries in the places, in the order of the diary. Where not all fit, the newest are shown, with how to go
 * on to older ones; an entry that doesn't fit alone comes in pieces. Throws `BAD_USAGE` for a `from` beyond the end.
 */
export function diaryAnswer(
  places: readonly Place[],
  picked: Picked<DiaryEntry>,
  asked: PageOptions,
): string {
  const { head, page } = show(places, picked, asked);
  return answerOf(head, page.entries.join(GAP), asked);
}

/** The same as data; `limit` is what its texts take. */
export function diaryData(
  places: readonly Place[],
  picked: Picked<DiaryEntry>,
  asked: PageOptions,
): DiaryData {
  const { head: note, page } = show(places, picked, asked);
  const { next, isPiece, before } = page;
  const end = picked.entries.length - before;
  const shown = picked.entries.slice(end - page.entries.length, end);
  const isMixed = places.length > 1;
  const entries = isPiece
    ? page.entries.map((text) => ({ text }))
    : shown.map(({ at, tag, scope, text }) => ({
        at,
        ...(tag !== undefined && { tag: visibleName(tag) }),
        ...(isMixed && { scope }),
        text: visible(text),
      }));
  return { note, total: picked.total, entries, ...(next !== undefined && { next }) };
}

function show(places: readonly Place[], { entries, total }: Picked<DiaryEntry>, asked: PageOptions) {
  const diaries = diariesOf(places);
  const headFor = (page: Page) => recalledHead(diaries, [noteOf(page, entries.length, total)], asked);
  const longest = headFor({ entries: [''], next: Number.MAX_SAFE_INTEGER, isPiece: true, before: 0 });
  const blocks = entries.map((entry) => blockOf(entry, diaries.length > 1));
  const page = pageOf(blocks.toReversed(), startOf(asked), roomBeside(longest, asked));
  return { head: headFor(page), page };
}

/** That an entry was written. */
export function loggedAnswer(entry: DiaryEntry, options: AnswerOptions): string {
  const head = changedHead([`Written into the diary (${placeOf(entry, options.limit)}).`]);
  return answerOf(head, headerOf(entry, false), options);
}

function noteOf({ entries, next, isPiece }: Page, asked: number, total: number): string {
  if (total === 0) return 'The diary has no such entries.';
  if (asked === 0) return `${plural(total, 'entry matches', 'entries match')}.`;
  const many = entries.length === 1 ? '1 entry' : `${entries.length} entries, the newest last`;
  const shown = isPiece ? 'A piece of an entry' : many;
  const more =
    next === undefined ? '' : ` For what is before it, or its rest, ask the same with from: ${next}.`;
  const older = next === undefined && asked < total ? ' A larger last_n gives older ones.' : '';
  return `${shown}; ${total === 1 ? '1 matches' : `${total} match`}.${more}${older}`;
}

function blockOf(entry: DiaryEntry, isMixed: boolean): string {
  return `${headerOf(entry, isMixed)}${GAP}${visible(entry.text.replace(HEADER_LIKE, '\\$&'))}`;
}

function headerOf({ at, tag, scope }: DiaryEntry, isMixed: boolean): string {
  const label = tag === undefined ? '' : ` [${visibleName(tag)}]`;
  return `## ${at}${label}${isMixed ? ` (${scope})` : ''}`;
}

/**
 * What fits of the blocks from a place on, which is counted in characters of the blocks before it: whole blocks, or a piece
 * of one alone.
 */
function pageOf(blocks: readonly string[], from: number, room: number): Page {
  const taken: string[] = [];
  let start = 0;
  let left = room;
  for (const [index, block] of blocks.entries()) {
    const skipped = Math.max(0, from - start);
    const end = start + block.length;
    if (skipped < block.length) {
      const isFitting = block.length - skipped <= left;
      const before = index - taken.length;
      if (!isFitting && taken.length > 0) {
        return { entries: taken.toReversed(), next: start, isPiece: false, before };
      }
      if (!isFitting || skipped > 0) {
        const piece = cutHead(block.slice(skipped, skipped + left + 1), left);
        const reached = start + skipped + piece.length;
        const next = reached < end || index + 1 < blocks.length ? reached : undefined;
        return { entries: [piece.toWellFormed()], next, isPiece: true, before };
      }
      taken.push(block);
      left -= block.length + GAP.length;
    }
    start = end;
  }
  if (from > 0 && taken.length === 0) {
    throw beyond(from, `There are ${start} characters of entries`);
  }
  return {
    entries: taken.toReversed(),
    next: undefined,
    isPiece: false,
    before: blocks.length - taken.length,
  };
}
