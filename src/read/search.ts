import type { Kept } from '../spool/types.ts';
import { cutHead, cutTail } from '../text/cut.ts';
import { textPartOf } from './parts.ts';
import { compilePattern, type PatternAsked } from './pattern.ts';
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
 * Searches a kept text, in bounded memory and time. What it shows takes at most `room` within a JSON string, of which
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
  /** The line that was shown last, and up to which character. */
  #shown = { line: 0, to: 0 };
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
    const isShown = line === this.#shown.line && char < this.#shown.to;
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
    const { lines: line, chars } = hit.place;
    const ways = this.#places.length === 0 ? FIRST_WAYS : USUAL_WAY;
    return ways.some(({ side, hasContext }) => {
      const { text, behind } = excerptOf(around, hit, side);
      const context = hasContext ? this.#between(line, around.before) : [];
      if (!this.#append([...context, `${line} @${chars}: ${text}`])) return false;
      this.#shown = { line, to: chars + behind };
      this.#behind = hasContext ? around.behind : [];
      return true;
    });
  }

  /** What is shown between the last place and the next, which is in `line`. */
  #between(line: number, before: readonly Shown[]): string[] {
    const behind = this.#behind.filter((shown) => shown.line < line);
    const last = behind.at(-1)?.line ?? this.#shown.line;
    const ahead = before.filter((shown) => shown.line > last);
    const isGap = this.#lines.length > 0 && (ahead[0]?.line ?? line) > last + 1;
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
}

async function linesAround(file: TextFile, { place }: Hit, context: number): Promise<Around> {
  // A character has four bytes at most.
  const length = 2 * SIDE * 4 * (context + 1);
  const ahead = (await file.readBefore(place.bytes, length)).toString().split('\n');
  const rest = (await file.read(place.bytes, length)).toString().split('\n');
  const head = ahead.pop() as string;
  const tail = rest.shift() as string;
  const isCutAhead = place.bytes > length;
  const isCutBehind = place.bytes + length < file.count('bytes');
  if (!isCutBehind && rest.at(-1) === '') rest.pop();
  const first = place.lines - ahead.length;
  const before = ahead.map((text, index) => ({
    line: first + index,
    text: isCutAhead && index === 0 ? `…${cutTail(text, SIDE)}` : shortLine(text),
  }));
  const behind = rest.map((text, index) => ({
    line: place.lines + 1 + index,
    text: shortLine(text, isCutBehind && index === rest.length - 1),
  }));
  return {
    before: before.slice(Math.max(0, before.length - context)),
    head,
    tail: tail.replace(/\r$/, ''),
    behind: behind.slice(0, context),
  };
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
