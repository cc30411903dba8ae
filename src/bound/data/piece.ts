import type { Held, LongList } from '../../json/held.ts';
import { pointerToken } from '../../json/pointer.ts';
import type { Cost, Gap, Words } from '../types.ts';

/** What a container takes as it was written, of which not all is held. */
export type Written = Pick<LongList, 'bytes' | 'chars'>;

/** A value on its way to being shrunk. All sizes are costs, but for those of the value's compact JSON. */
export interface Piece {
  /** What it costs as it is; infinite if it isn't held whole. */
  readonly asIs: number;
  /** What it costs with nothing missing but what is never cut, like base64, which is replaced. */
  readonly full: number;
  /** What it costs when it is as small as it can be. */
  readonly least: number;
  /** What it costs when long strings, lists and maps in it are cut to a few words, but all else is there. */
  readonly useful: number;
  /** What it costs at least when there is more of it than words about what is missing. */
  readonly some: number;
  /** Of its compact JSON, in characters and bytes; of what isn't held whole, of its JSON as it was written. */
  readonly chars: number;
  readonly bytes: number;
  /** The value at a cost of at most `room`, which is at least `least`; what is missing goes into `gaps`, in order. */
  to(room: number, gaps: Gap[]): Made;
}

/** A value as it was made, and what it costs. */
export interface Made {
  readonly value: Held;
  readonly cost: number;
}

/** What all pieces of a value share. */
export interface Job {
  readonly cost: Cost;
  readonly words: Words;
  readonly part: string | undefined;
  readonly tailShare: number;
  /** The address of the whole. */
  readonly uri: string | undefined;
  /** Fields of the root that stay as they are. */
  readonly keeps: ReadonlySet<string>;
  /** Whether a schema is to be kept to. */
  readonly isBound: boolean;
  /** Whether a list or an object within so many others stands in one line. */
  isFlat(depth: number): boolean;
  /** What a line end costs with the indentation of a depth. */
  lineEnd(depth: number): number;
  /** What a colon costs, with what follows it, in an object within so many others. */
  colon(depth: number): number;
  /** The gaps of which nothing is said in the value. */
  readonly silent: Set<Gap>;
  /** Nothing is done that a schema might mind unforeseen: entries and items stay, and nothing is added. */
  readonly isCareful: boolean;
}

/** Where a piece stands. Its JSON pointer (RFC 6901) is written when it is needed. */
export interface Spot {
  readonly parent: Spot | undefined;
  readonly key: string | number;
  pointer?: string;
}

export function pointerTo(spot: Spot | undefined): string {
  if (!spot) return '';
  spot.pointer ??= `${pointerTo(spot.parent)}/${pointerToken(String(spot.key))}`;
  return spot.pointer;
}

/** What is said of gaps of one list or object. */
export function briefOf(words: Words, gaps: readonly Gap[]): string {
  if (words.briefs && gaps.length > 1) return words.briefs(gaps);
  return gaps.map((gap) => words.brief(gap)).join(' ');
}

/** How a room is shared by pieces: each gets what it costs whole, or else an equal share, but no less than its floor. */
export function shares(pieces: readonly Piece[], floors: readonly number[], room: number): number[] {
  const shareOf = ({ full }: Piece, index: number, level: number) =>
    Math.max(Math.min(full, level), floors[index] as number);
  const within = (level: number) =>
    pieces.reduce((sum, piece, index) => sum + shareOf(piece, index, level), 0) <= room;
  let level = 0;
  for (let step = 2 ** Math.ceil(Math.log2(room + 1)); step >= 1; step /= 2) {
    if (within(level + step)) level += step;
  }
  return pieces.map((piece, index) => shareOf(piece, index, level));
}
