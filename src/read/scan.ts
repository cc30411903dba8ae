import { setImmediate } from 'node:timers/promises';
import { startOf } from './page.ts';
import { type Passage, passageBefore, passageFrom } from './passage.ts';
import type { Match, Pattern } from './pattern.ts';
import { after, boundary, newlinesIn, type Place } from './place.ts';
import type { TextFile } from './text-file.ts';

/** Other work is let in after so long, in milliseconds. */
const TURN = 20;

/** How many code units before a match are there for the pattern to look at: a character. */
const BEFORE = 2;

/** As much before the first character is enough for that, also of JSON with escapes, in bytes. */
const BEFORE_FIRST = 64;

/** How long a search may take. */
export interface Timing {
  /** In milliseconds. */
  readonly time: number;
  /** Milliseconds since some time. */
  readonly clock: () => number;
}

/** A match of a pattern in a text. */
export interface Hit {
  /** Where it starts, in the file. */
  readonly place: Place;
  /** The line it is in as the file reads; they are counted on from the line in which the search begins. */
  readonly row: number;
  /** In UTF-16 code units, as the file reads. */
  readonly length: number;
}

/** What is known of an index in a stretch. */
interface Mark extends Pick<Hit, 'place' | 'row'> {
  readonly index: number;
  readonly rawIndex: number;
}

/**
 * The matches of a pattern in a file as it reads, in order, none overlapping. The file is searched stretch by stretch.
 */
export class Scan {
  /** Whether all of the text has been searched. */
  isDone = false;
  readonly #file: TextFile;
  readonly #pattern: Pattern;
  readonly #clock: () => number;
  readonly #deadline: number;
  #turn: number;
  #isStarted = false;
  /** The stretch, and where it starts in the file, in characters. */
  #passage: Passage;
  #start: number;
  /** Where to search on within the stretch. */
  #index: number;
  /** The match that was found last, or the start of the stretch. */
  #mark: Mark;

  private constructor(
    file: TextFile,
    pattern: Pattern,
    { time, clock }: Timing,
    start: { passage: Passage; place: Place; index: number },
  ) {
    this.#file = file;
    this.#pattern = pattern;
    this.#clock = clock;
    this.#turn = clock();
    this.#deadline = this.#turn + time;
    this.#passage = start.passage;
    this.#start = start.place.chars;
    this.#index = start.index;
    this.#mark = { index: 0, rawIndex: 0, place: start.place, row: start.place.lines };
  }

  /** Starts at the character `from`. Throws `BAD_USAGE` if the text ends before it. */
  static async begin(file: TextFile, pattern: Pattern, from: number, timing: Timing): Promise<Scan> {
    const first = await startOf(file, 'chars', from);
    const before = await passageBefore(file, first, BEFORE_FIRST);
    const place = await file.seek('chars', first.chars - before.raw.length);
    const passage = await passageFrom(file, place, pattern.stretch);
    return new Scan(file, pattern, timing, { passage, place, index: passage.index(before.raw.length) });
  }

  /** Up to where everything has been searched, in characters. */
  get position(): number {
    return this.#start + this.#passage.rawIndex(this.#index);
  }

  /** The next match; undefined at the end, and if the time is over, but never before a stretch has been searched. */
  async next(): Promise<Hit | undefined> {
    while (!this.isDone && !(this.#isStarted && this.#clock() >= this.#deadline)) {
      this.#isStarted = true;
      await this.#letOthersIn();
      const { text, isCut } = this.#passage;
      const match = this.#find();
      if (match && !this.#mayBeLonger(match)) return this.#take(match);
      if (isCut) await this.#goOn(match?.start ?? Math.max(this.#index, text.length - this.#pattern.reach));
      else this.isDone = true;
    }
    return undefined;
  }

  #find(): Match | undefined {
    const { text } = this.#passage;
    return this.#index > text.length ? undefined : this.#pattern.find(text, this.#index);
  }

  /** A match that ends where the stretch does is looked for again with more behind it, unless it is all of the stretch. */
  #mayBeLonger({ start, end }: Match): boolean {
    const { text, isCut } = this.#passage;
    return isCut && end === text.length && start > BEFORE;
  }

  #take({ start, end }: Match): Hit {
    this.#mark = this.#markAt(start);
    this.#index = end > start ? end : boundary(this.#passage.text, end + 1);
    const { place, row } = this.#mark;
    return { place, row, length: end - start };
  }

  #markAt(index: number): Mark {
    const { text, raw } = this.#passage;
    const last = this.#mark;
    const rawIndex = this.#passage.rawIndex(index);
    return {
      index,
      rawIndex,
      place: after(last.place, raw.slice(last.rawIndex, rawIndex)),
      row: last.row + newlinesIn(text.slice(last.index, index)),
    };
  }

  /** Loads the stretch in which `from` of this one is nearly the start. */
  async #goOn(from: number): Promise<void> {
    const { text } = this.#passage;
    const index = boundary(text, from);
    const start = this.#markAt(boundary(text, Math.max(0, index - BEFORE)));
    this.#passage = await passageFrom(this.#file, start.place, this.#pattern.stretch);
    this.#start = start.place.chars;
    this.#index = index - start.index;
    this.#mark = { ...start, index: 0, rawIndex: 0 };
  }

  async #letOthersIn(): Promise<void> {
    if (this.#clock() - this.#turn < TURN) return;
    await setImmediate();
    this.#turn = this.#clock();
  }
}
