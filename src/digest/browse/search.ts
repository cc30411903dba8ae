import { PlimsollError } from '../../errors.ts';
import { compilePattern, type Pattern, type PatternAsked } from '../../read/pattern.ts';
import { jsonCost } from '../../read/room.ts';
import { visibleName } from '../../text/visible.ts';
import { load } from '../content/content.ts';
import { sift } from '../sieve/sift.ts';
import { throwIfAborted } from '../source/pace.ts';
import type { Entry, OmitReason } from '../types.ts';
import { type LineFound, LineSearch } from './lines.ts';
import type { Opened } from './open.ts';
import { MOST_BYTES } from './read.ts';

export interface SearchAsked extends PatternAsked {
  /** Where an earlier search said that it goes on: `PATH:LINE`. */
  readonly from?: string | undefined;
  /** Whether secrets are replaced before lines are shown. */
  readonly redact: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told how many files have been searched, and of how many. */
  readonly onSearched?: (done: number, total: number) => void;
}

export interface Timing {
  /** How long a search may take once files are here, in milliseconds; and until when more are brought. */
  readonly time: number;
  readonly clock: () => number;
}

const TIMING: Timing = { time: 10_000, clock: () => performance.now() };

/** So many files are brought near at once. Clients wait a minute at the most, so it is few enough for a slow network. */
const BATCH = 1000;
/** Other work has its turn so often, in milliseconds. */
const TURN = 20;
/** With as much room as this all lines that are found are kept, until they are shown. */
const PLACE = 8;

/** A line that was found, in its file. */
export interface Hit extends LineFound {
  /** By its path from the repository's root. */
  readonly path: string;
}

/** What a search found, from its start to where it stopped. */
export interface Found {
  readonly hits: readonly Hit[];
  /** Where to search on, `PATH:LINE`; absent where all was searched. */
  readonly next?: string;
  /** Files that were searched. */
  readonly searched: number;
  /** Files that were not, by reason; those of a kind that a digest leaves out are counted whether they were reached or not. */
  readonly unsearched: ReadonlyMap<OmitReason | 'large', number>;
  /** Lines of which only the start was searched. */
  readonly cut: number;
  readonly isOutOfTime: boolean;
}

/**
 * Searches the files that a digest would consider, or the one that is looked at, line by line, one file in memory at a
 * time, until about `room` in a JSON string is filled or the time is over. Lines are those of a file as `readLines` gives it,
 * secrets replaced. Throws `BAD_PATTERN`, `ABORTED`, and `BAD_USAGE` for a place to go on that is none.
 */
export async function searchFiles(
  opened: Opened,
  asked: SearchAsked,
  room: number,
  timing: Timing = TIMING,
): Promise<Found> {
  const pattern = await compilePattern(asked);
  const { files, unsearched } = await filesIn(opened);
  const start = asked.from === undefined ? undefined : placeIn(asked.from);
  const first = start === undefined ? 0 : files.findIndex((file) => shownPath(opened, file) >= start.path);
  return new Search(opened, asked, pattern, timing, unsearched).run(
    first < 0 ? [] : files.slice(first),
    start,
    room,
  );
}

interface Start {
  readonly path: string;
  readonly line: number;
}

function placeIn(from: string): Start {
  const [, path, line] = /^(.+):(\d{1,9})$/s.exec(from) ?? [];
  if (path !== undefined) return { path, line: Number(line) };
  throw new PlimsollError(
    'BAD_USAGE',
    `from: '${visibleName(from.slice(0, 100))}' is no place like PATH:LINE.`,
  );
}

function shownPath({ prefix }: Opened, entry: Entry): string {
  return visibleName(prefix + entry.path);
}

/** What is to be searched, and what isn't, by reason. */
async function filesIn(
  opened: Opened,
): Promise<{ files: Entry[]; unsearched: Map<OmitReason | 'large', number> }> {
  const { source, listing, selection, at, entry: asked } = opened;
  const unsearched = new Map<OmitReason | 'large', number>();
  const count = (reason: OmitReason | 'large'): void => {
    unsearched.set(reason, (unsearched.get(reason) ?? 0) + 1);
  };
  const files: Entry[] = [];
  const isBelow = ({ path }: Entry): boolean => at === '' || path === at || path.startsWith(`${at}/`);
  const { candidates, omitted } = await sift(source, listing, selection);
  for (const { entry, binaryName } of candidates) {
    if (!isBelow(entry)) continue;
    if (entry.size > MOST_BYTES) count('large');
    else if (binaryName && entry !== asked) count('binary');
    else files.push(entry);
  }
  for (const [entry, reason] of omitted) {
    if (!isBelow(entry) || reason === 'empty') continue;
    if (entry === asked && isAskable(entry, reason)) files.push(entry);
    else count(reason);
  }
  return { files, unsearched };
}

/** Whether a file may be searched since it is asked for by its name, whatever kind it is of. */
function isAskable({ kind, size }: Entry, reason: OmitReason): boolean {
  return kind === 'file' && size <= MOST_BYTES && !NEVER.has(reason);
}

const NEVER: ReadonlySet<OmitReason> = new Set<OmitReason>([
  'excluded',
  'ignored',
  'unreadable',
  'lfs-pointer',
]);

class Search {
  readonly #opened: Opened;
  readonly #asked: SearchAsked;
  readonly #pattern: Pattern;
  readonly #timing: Timing;
  readonly #unsearched: Map<OmitReason | 'large', number>;
  readonly #hits: Hit[] = [];
  readonly #start: number;
  #end: number;
  #turn = 0;
  #cut = 0;
  #searched = 0;

  constructor(
    opened: Opened,
    asked: SearchAsked,
    pattern: Pattern,
    timing: Timing,
    unsearched: Map<OmitReason | 'large', number>,
  ) {
    this.#opened = opened;
    this.#asked = asked;
    this.#pattern = pattern;
    this.#timing = timing;
    this.#unsearched = unsearched;
    this.#start = timing.clock();
    this.#end = this.#start + timing.time;
  }

  async run(files: readonly Entry[], start: Start | undefined, room: number): Promise<Found> {
    let left = room;
    for (const [index, file] of files.entries()) {
      const path = shownPath(this.#opened, file);
      const from = start?.path === path ? start.line : 1;
      if (index % BATCH === 0) {
        if (index > 0 && this.#isSlow()) return this.#found(`${path}:${from}`, true);
        await this.#bring(files.slice(index, index + BATCH));
      }
      this.#asked.onSearched?.(index, files.length);
      if (this.#isLate()) return this.#found(`${path}:${from}`, true);
      for await (const hit of this.#searchFile(file, path)) {
        if (hit.line < from) continue;
        if (left <= 0) return this.#found(`${path}:${hit.line}`, false);
        this.#hits.push(hit);
        left -= jsonCost(hit.shown) + PLACE;
      }
    }
    return this.#found(undefined, false);
  }

  #found(next: string | undefined, isOutOfTime: boolean): Found {
    return {
      hits: this.#hits,
      ...(next !== undefined && { next }),
      searched: this.#searched,
      unsearched: this.#unsearched,
      cut: this.#cut,
      isOutOfTime,
    };
  }

  /** What that takes is not part of the search's time, so that each search gets on. */
  async #bring(files: readonly Entry[]): Promise<void> {
    const before = this.#timing.clock();
    await this.#opened.source.prefetch(files);
    this.#end += this.#timing.clock() - before;
    throwIfAborted(this.#asked.signal);
  }

  /** What is found is looked for again where secrets are replaced, so that nothing tells of them. */
  async *#searchFile(file: Entry, path: string): AsyncGenerator<Hit> {
    const plain = await this.#textOf(file, false);
    await this.#rest();
    if (plain === undefined) return;
    this.#searched += 1;
    const search = new LineSearch(plain, this.#pattern, () => this.#rest());
    if (!this.#asked.redact) {
      for await (const line of search.find()) yield { path, ...line };
      this.#cut += search.cut;
      return;
    }
    const first = await search.find().next();
    this.#cut += search.cut;
    if (first.done) return;
    const text = await this.#textOf(file, true);
    if (text === undefined) return;
    for await (const line of new LineSearch(text, this.#pattern, () => this.#rest()).find())
      yield { path, ...line };
  }

  async #textOf(file: Entry, redact: boolean): Promise<string | undefined> {
    const { source, listing, entry } = this.#opened;
    const options = { redact, most: MOST_BYTES, named: file === entry };
    const content = await load(source, file, listing.attributesOf(file.path), options);
    if ('text' in content) return content.text;
    this.#unsearched.set(content.omit, (this.#unsearched.get(content.omit) ?? 0) + 1);
    return undefined;
  }

  async #rest(): Promise<void> {
    const now = this.#timing.clock();
    if (now < this.#turn) return;
    await new Promise((resolve) => setImmediate(resolve));
    throwIfAborted(this.#asked.signal);
    this.#turn = this.#timing.clock() + TURN;
  }

  /** Whether so much time has gone into bringing files that others are left to another search. */
  #isSlow(): boolean {
    return this.#timing.clock() > this.#start + this.#timing.time;
  }

  #isLate(): boolean {
    return this.#timing.clock() > this.#end;
  }
}
