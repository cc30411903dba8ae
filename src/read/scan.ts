import { setImmediate } from 'node:timers/promises';
import { startOf } from './page.ts';
import type { Match, Pattern } from './pattern.ts';
import { after, boundary, type Place } from './place.ts';
import type { TextFile } from './text-file.ts';

/** Other work is let in after so long, in milliseconds. */
const TURN = 20;

/** How many code units before a match are there for the pattern to look at: a character. */
const BEFORE = 2;

/** How long a search may take. */
export interface Timing {
  /** In milliseconds. */
  readonly time: number;
  /** Milliseconds since some time. */
  readonly clock: () => number;
}

/** A match of a pattern in a text. */
export interface Hit {
  /** Where it starts. */
  readonly place: Place;
  /** In UTF-16 code units. */
  readonly length: number;
}

/** The matches of a pattern in a file, in order, none overlapping. The text is searched stretch by stretch. */
export class Scan {
  /** Whether all of the text has been searched. */
  isDone = false;
  readonly #file: TextFile;
  readonly #pattern: Pattern;
  readonly #clock: () => number;
  readonly #deadline: number;
  #turn: number;
  #isStarted = false;
  /** The stretch, where it starts, and whether it ends the text. */
  #text = '';
  #start: Place;
  #isLast = false;
  /** Where to search on within the stretch. */
  #index = 0;
  /** The place of the match that was found last. */
  #mark: { readonly index: number; readonly place: Place };

  private constructor(file: TextFile, pattern: Pattern, start: Place, { time, clock }: Timing) {
    this.#file = file;
    this.#pattern = pattern;
    this.#clock = clock;
    this.#turn = clock();
    this.#deadline = this.#turn + time;
    this.#start = start;
    this.#mark = { index: 0, place: start };
  }

  /** Starts at the character `from`. Throws `BAD_USAGE` if the text ends before it. */
  static async begin(file: TextFile, pattern: Pattern, from: number, timing: Timing): Promise<Scan> {
    const first = await startOf(file, 'chars', from);
    const start = await file.seek('chars', Math.max(0, first.chars - BEFORE));
    const scan = new Scan(file, pattern, start, timing);
    await scan.#load(start, first.chars - start.chars);
    return scan;
  }

  /** Up to where everything has been searched, in characters. */
  get position(): number {
    return this.#start.chars + this.#index;
  }

  /** The next match; undefined at the end, and if the time is over, but never before a stretch has been searched. */
  async next(): Promise<Hit | undefined> {
    while (!this.isDone && !(this.#isStarted && this.#clock() >= this.#deadline)) {
      this.#isStarted = true;
      await this.#letOthersIn();
      const match = this.#find();
      if (match && !this.#mayBeLonger(match)) return this.#take(match);
      if (this.#isLast) this.isDone = true;
      else await this.#goOn(match?.start ?? Math.max(this.#index, this.#text.length - this.#pattern.reach));
    }
    return undefined;
  }

  #find(): Match | undefined {
    return this.#index > this.#text.length ? undefined : this.#pattern.find(this.#text, this.#index);
  }

  /** A match that ends where the stretch does is looked for again with more behind it, unless it is all of the stretch. */
  #mayBeLonger({ start, end }: Match): boolean {
    return !this.#isLast && end === this.#text.length && start > BEFORE;
  }

  #take({ start, end }: Match): Hit {
    const passed = this.#text.slice(this.#mark.index, start);
    this.#mark = { index: start, place: after(this.#mark.place, passed) };
    this.#index = end > start ? end : boundary(this.#text, end + 1);
    return { place: this.#mark.place, length: end - start };
  }

  /** Loads the stretch in which `from` of this one is nearly the start. */
  async #goOn(from: number): Promise<void> {
    const index = boundary(this.#text, from);
    const start = boundary(this.#text, Math.max(0, index - BEFORE));
    const passed = this.#text.slice(this.#mark.index, start);
    await this.#load(after(this.#mark.place, passed), index - start);
  }

  async #load(start: Place, index: number): Promise<void> {
    const bytes = await this.#file.read(start.bytes, this.#pattern.stretch);
    this.#text = bytes.toString();
    this.#start = start;
    this.#isLast = bytes.length === 0 || start.bytes + bytes.length >= this.#file.count('bytes');
    this.#index = index;
    this.#mark = { index: 0, place: start };
  }

  async #letOthersIn(): Promise<void> {
    if (this.#clock() - this.#turn < TURN) return;
    await setImmediate();
    this.#turn = this.#clock();
  }
}
