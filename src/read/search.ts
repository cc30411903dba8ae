import type { Kept } from '../spool/types.ts';
import { cutHead, cutTail } from '../text/cut.ts';
import { textPartOf } from './parts.ts';
import { type Passage, passageBefore, passageFrom } from './passage.ts';
import { compilePattern, type PatternAsked } from './pattern.ts';
import { newlinesIn } from './place.ts';
import { jsonCost } from './room.ts';
import { type Hit, Scan, type Timing } from './scan.ts';
import { TextFile } from './text-file.ts';

export const DEFAULT_CONTEXT = 2;
export const MOST_CONTEXT = 20;
export const DEFAULT_MOST = 100;

/** How much is shown of a long line on either side of what was found, and of a line of the context. */
const SIDE = 200;

const TIMING: Timing = { time: 5000, clock: () => performance.now() };

export interface SearchAsked extends PatternAsked {
  /** The name of a part; the first one if none is given. */
  readonly part?: string | undefined;
  /** The character to start at, from 0. */
  readonly from?: number | undefined;
  /** Lines shown before and after a line with a match; 2 if it isn't given. */
  readonly context?: number | undefined;
  /** The most places shown; 100 if it isn't given. */
  readonly most?: number | undefined;
}

/** What a search found. */
export interface Found {
  /** The part's name. */
  readonly part: string;
  /**
   * The places, each a line `LINE @CHARACTER: TEXT` with its context, lines `LINE- TEXT`; `--` where lines are left
   * out between. What is left out of a line is `…`.
   */
  readonly text: string;
  /** Where the matches shown are, each for itself or the first of several that one line shows. */
  readonly places: readonly { readonly line: number; readonly char: number }[];
  /** All matches from `from` on, up to `to`. */
  readonly matches: number;
  readonly from: number;
  /** Up to where was searched, in characters. */
  readonly to: number;
  readonly of: number;
  /** Where to search on; absent at the end. */
  readonly next?: number;
  /** Whether the search ended since it took too long. */
  readonly isOutOfTime: boolean;
}

/**
 * Searches a kept text, in bounded memory and time; JSON as it reads, with what the escapes in its strings stand for,
 * while lines and characters are counted as it is written. What it shows takes at most `room` within a JSON string, of which
 * 60 are enough for a place. A match of a regular expression is surely found if it has at most 2,000 characters and
 * depends on no more than that before it.
 *
 * Throws `NOT_IN_SPOOL`, `BAD_PATTERN`, and `BAD_USAGE` for a medium and for a start behind the end.
 */
export async function searchPart(
  kept: Kept,
  asked: SearchAsked,
  room: number,
  timing: Timing = TIMING,
): Promise<Found> {
  const pattern = await compilePattern(asked);
  const from = asked.from ?? 0;
  const file = await TextFile.open(kept, textPartOf(kept, asked.part));
  try {
    const scan = await Scan.begin(file, pattern, from, timing);
    const report = new Report(file, asked.context ?? DEFAULT_CONTEXT, asked.most ?? DEFAULT_MOST, room);
    let hit = await scan.next();
    while (hit && (await report.add(hit))) hit = await scan.next();
    const next = hit ? hit.place.chars : scan.isDone ? undefined : scan.position;
    return {
      part: file.part.name,
      ...report.finish(),
      from,
      to: next ?? file.count('chars'),
      of: file.count('chars'),
      ...(next !== undefined && { next }),
      isOutOfTime: !hit && !scan.isDone,
    };
  } finally {
    await file.close();
  }
}

/** A line of a text as it is shown. */
interface Shown {
  /** As `Hit` has it. */
  readonly row: number;
  readonly line: number;
  readonly text: string;
}

/** The lines that are shown, as far as there is room. */
class Report {
  readonly #file: TextFile;
  readonly #context: number;
  readonly #most: number;
  #room: number;
  readonly #lines: string[] = [];
  readonly #places: { line: number; char: number }[] = [];
  #matches = 0;
  /** The line that was shown last, and up to which character of the file. */
  #shown = { row: Number.NEGATIVE_INFINITY, to: 0 };
  /** The context behind it, which is shown once it is known where the next place is. */
  #behind: readonly Shown[] = [];

  constructor(file: TextFile, context: number, most: number, room: number) {
    this.#file = file;
    this.#context = context;
    this.#most = most;
    this.#room = room;
  }

  /** Whether the match is shown: by itself, or by what is shown already. The first one always is. */
  async add(hit: Hit): Promise<boolean> {
    const { lines: line, chars: char } = hit.place;
    const isShown = char < this.#shown.to;
    if (!isShown && !(await this.#show(hit))) return false;
    if (!isShown) this.#places.push({ line, char });
    this.#matches += 1;
    return true;
  }

  finish(): Pick<Found, 'text' | 'places' | 'matches'> {
    for (const shown of this.#behind) {
      if (!this.#append([asContext(shown)])) break;
    }
    return { text: this.#lines.join('\n'), places: this.#places, matches: this.#matches };
  }

  async #show(hit: Hit): Promise<boolean> {
    if (this.#places.length >= this.#most) return false;
    const around = await linesAround(this.#file, hit, this.#context);
    const { row, place } = hit;
    const ways = this.#places.length === 0 ? FIRST_WAYS : USUAL_WAY;
    return ways.some(({ side, hasContext }) => {
      const { text, behind } = excerptOf(around, hit, side);
      const context = hasContext ? this.#between(row, around.before) : [];
      if (!this.#append([...context, `${place.lines} @${place.chars}: ${text}`])) return false;
      this.#shown = { row, to: place.chars + around.rest.rawIndex(behind) };
      this.#behind = hasContext ? around.behind : [];
      return true;
    });
  }

  /** What is shown between the last place and the next, which is in line `row`. */
  #between(row: number, before: readonly Shown[]): string[] {
    const behind = this.#behind.filter((shown) => shown.row < row);
    const last = behind.at(-1)?.row ?? this.#shown.row;
    const ahead = before.filter((shown) => shown.row > last);
    const isGap = this.#lines.length > 0 && (ahead[0]?.row ?? row) > last + 1;
    return [...behind.map(asContext), ...(isGap ? ['--'] : []), ...ahead.map(asContext)];
  }

  /** Whether there was room for them. */
  #append(lines: readonly string[]): boolean {
    const cost = lines.reduce((sum, line) => sum + jsonCost(line) + 2, 0);
    if (cost > this.#room) return false;
    this.#room -= cost;
    this.#lines.push(...lines);
    return true;
  }
}

/** How a place is shown: so much on either side of a match in a long line, and with the lines around it or without. */
interface Way {
  readonly side: number;
  readonly hasContext: boolean;
}

const USUAL_WAY: readonly Way[] = [{ side: SIDE, hasContext: true }];
const FIRST_WAYS: readonly Way[] = [
  ...USUAL_WAY,
  { side: SIDE, hasContext: false },
  { side: SIDE / 8, hasContext: false },
  { side: 0, hasContext: false },
];

/** The line of a match, and those around it. */
interface Around {
  readonly before: readonly Shown[];
  /** The line up to the match, and from there on; either may lack its far end. */
  readonly head: string;
  readonly tail: string;
  readonly behind: readonly Shown[];
  /** What begins with the match. */
  readonly rest: Passage;
}

async function linesAround(file: TextFile, { place, row }: Hit, context: number): Promise<Around> {
  // A character has four bytes at most.
  const length = 2 * SIDE * 4 * (context + 1);
  const ahead = await passageBefore(file, place, length);
  const rest = await passageFrom(file, place, length);
  const first = { row: row - newlinesIn(ahead.text), line: place.lines - newlinesIn(ahead.raw) };
  const before = linesIn(ahead, first);
  const behind = linesIn(rest, { row, line: place.lines });
  const head = before.pop()?.text ?? '';
  const tail = behind.shift()?.text ?? '';
  if (!rest.isCut && behind.at(-1)?.text === '') behind.pop();
  const cutAhead = ahead.isCut ? before[0] : undefined;
  const cutBehind = rest.isCut ? behind.at(-1) : undefined;
  return {
    before: before.slice(Math.max(0, before.length - context)).map((shown) => ({
      ...shown,
      text: shown === cutAhead ? `…${cutTail(shown.text, SIDE)}` : shortLine(shown.text),
    })),
    head,
    tail: tail.replace(/\r$/, ''),
    behind: behind
      .slice(0, context)
      .map((shown) => ({ ...shown, text: shortLine(shown.text, shown === cutBehind) })),
    rest,
  };
}

/** The lines of a passage as it reads. In the file, one that ends in an escape is the start of a longer line. */
function linesIn(passage: Passage, first: { row: number; line: number }): Shown[] {
  let { row, line } = first;
  let end = -1;
  return passage.text.split('\n').map((text) => {
    const shown = { row, line, text };
    end += text.length + 1;
    row += 1;
    if (passage.raw[passage.rawIndex(end)] === '\n') line += 1;
    return shown;
  });
}

function shortLine(text: string, isCut = false): string {
  const line = text.replace(/\r$/, '');
  const shown = cutHead(line, SIDE);
  return isCut || shown.length < line.length ? `${shown}…` : shown;
}

function asContext({ line, text }: Shown): string {
  return `${line}- ${text}`;
}

/** A match in its line, and how many characters of the line are shown from the match on. */
function excerptOf({ head, tail }: Around, { length }: Hit, side: number): { text: string; behind: number } {
  const shownHead = cutTail(head, side);
  const shownTail = cutHead(tail, Math.min(length, side) + side);
  const start = shownHead.length < head.length ? '…' : '';
  const end = shownTail.length < tail.length ? '…' : '';
  return { text: start + shownHead + shownTail + end, behind: shownTail.length };
}
