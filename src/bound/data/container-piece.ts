import type { Held, HeldObject } from '../../json/held.ts';
import type { Gap } from '../types.ts';
import { noticeKey } from './notice-key.ts';
import { type Job, type Piece, pointerTo, type Spot, shares, type Written } from './piece.ts';
import type { Rules } from './place.ts';

/**
 * The part of the room that an item gets before others are left out for it: many small items whole rather than more
 * of them in fragments. An object has fields rather than items, and keeps its shape longer.
 */
const ITEM_SHARE = 1 / 8;
/** Items that cost less aren't cut while there is room for a few of them. */
const SHORT_ITEM = 200;
const ENTRY_SHARE = 1 / 64;

/** How often a choice is made again where its words came out longer than they were thought to be. */
const TRIES = 4;

/** An item of a list, or an entry of an object. */
export interface Member {
  /** Of an entry. */
  readonly key?: string | undefined;
  readonly piece: Piece;
  /** What its key costs; zero for an item. */
  readonly keyCost: number;
  /** Of its key with the colon, as compact JSON. */
  readonly keyChars: number;
  readonly keyBytes: number;
}

export interface Contents {
  readonly original: Held;
  readonly isObject: boolean;
  readonly depth: number;
  /** Those that are held: the first ones, and, where some aren't held, the last ones. */
  readonly members: readonly Member[];
  readonly firsts: number;
  /** How many there are in all. */
  readonly count: number;
  /** Of its JSON as it was written, where it isn't held whole. */
  readonly written: Written | undefined;
  readonly rules: Rules | undefined;
  readonly spot: Spot | undefined;
  /** What is missing here is told elsewhere, by a notice. */
  readonly isTold: boolean;
}

/** A stretch of what is left out: indices of the whole. */
interface Run {
  from: number;
  to: number;
}

/** A list or an object: all members smaller, or some of them left out between the first and the last. */
export class ContainerPiece implements Piece {
  readonly asIs: number;
  readonly full: number;
  readonly chars: number;
  readonly bytes: number;
  readonly #job: Job;
  readonly #contents: Contents;
  readonly #hidden: number;
  readonly #frame: number;
  readonly #between: number;
  #noticeKey: string | undefined;
  #sums: Sums | undefined;
  #fewest: { kept: ReadonlySet<number>; cost: number } | undefined;

  constructor(job: Job, contents: Contents) {
    const { members, count, depth } = contents;
    this.#job = job;
    this.#contents = contents;
    this.#hidden = count - members.length;
    this.#frame = job.cost(contents.isObject ? '{}' : '[]');
    this.#between = job.cost(',') + job.lineEnd(depth + 1);
    let asIs = 0;
    let full = 0;
    let chars = 0;
    let bytes = 0;
    for (const { piece, keyCost, keyChars, keyBytes } of members) {
      asIs += piece.asIs + keyCost;
      full += piece.full + keyCost;
      chars += piece.chars + keyChars;
      bytes += piece.bytes + keyBytes;
    }
    const signs = 2 + Math.max(0, members.length - 1);
    const isWhole = this.#hidden === 0;
    const frame = this.#frameOf(members.length);
    this.asIs = isWhole ? asIs + frame : Number.POSITIVE_INFINITY;
    this.full = isWhole ? full + frame : Number.POSITIVE_INFINITY;
    this.chars = contents.written?.chars ?? chars + signs;
    this.bytes = contents.written?.bytes ?? bytes + signs;
  }

  get least(): number {
    return Math.min(this.full, this.#least().cost);
  }

  to(room: number, gaps: Gap[]): Held {
    if (this.asIs <= room && this.asIs === this.full) return this.#contents.original;
    if (this.full <= room || this.#fitsWhole(room))
      return this.#write(all(this.#contents.members), room, gaps);
    let words = this.#tellCost(this.#told(this.#runs(new Set())));
    for (let tries = 0; tries < TRIES; tries++) {
      const kept = this.#choose(room - words - this.#between);
      const cost = this.#tellCost(this.#told(this.#runs(kept)));
      if (cost <= words) return this.#write(kept, room, gaps);
      words = cost;
    }
    return this.#write(this.#least().kept, room, gaps);
  }

  /** What the brackets, commas and line ends of so many members cost. */
  #frameOf(count: number): number {
    if (count === 0) return this.#frame;
    return (
      this.#frame + count * this.#between - this.#job.cost(',') + this.#job.lineEnd(this.#contents.depth)
    );
  }

  /** Whether all members may stay, each with a decent share of the room or whole. */
  #fitsWhole(room: number): boolean {
    const { members } = this.#contents;
    if (this.#hidden > 0) return false;
    let left = room - this.#frameOf(members.length);
    const needs = this.#mayLeaveOut ? (member: Member) => this.#need(member, room) : leastOf;
    for (const member of members) {
      left -= needs(member);
      if (left < 0) return false;
    }
    return true;
  }

  get #mayLeaveOut(): boolean {
    const { rules } = this.#contents;
    return !this.#job.isCareful && !rules?.keepsItems;
  }

  /** What a member costs at least where there is so much room. */
  #need({ piece, keyCost }: Member, room: number): number {
    const decent = this.#contents.isObject
      ? Math.floor(room * ENTRY_SHARE)
      : Math.floor(Math.max(room * ITEM_SHARE, Math.min(SHORT_ITEM, room / 3)));
    return keyCost + (piece.full <= decent ? piece.full : Math.max(decent, piece.least));
  }

  /** Which members stay where there is so much room besides what is said of the others. */
  #choose(room: number): ReadonlySet<number> {
    const needs = (kept: Iterable<number>, need: (member: Member) => number) => {
      let sum = 0;
      for (const index of kept) sum += this.#between + need(this.#member(index));
      return sum;
    };
    const least = this.#least().kept;
    const space = room - this.#frameOf(0) - this.#job.lineEnd(this.#contents.depth);
    const known = this.#musts('declared');
    const base = needs(known, leastOf) <= space ? known : least;
    const kept = new Set(base);
    let left = space - needs(base, (member) => this.#need(member, room));
    const picks = new Picks(kept, this.#contents, this.#job.tailShare);
    while (left > 0) {
      const next = picks.next((index) => this.#between + this.#need(this.#member(index), room) <= left);
      if (next === undefined) break;
      left -= this.#between + this.#need(this.#member(next), room);
      kept.add(next);
    }
    return kept;
  }

  /** The fewest members that have to stay, and what they cost with what is said of the others. */
  #least(): { kept: ReadonlySet<number>; cost: number } {
    if (!this.#fewest) {
      const kept = this.#musts('required');
      const told = this.#told(this.#runs(kept));
      let cost = this.#tellCost(told) + this.#frameOf(kept.size + (told === undefined ? 0 : 1));
      for (const index of kept) cost += leastOf(this.#member(index));
      if (this.#hidden > 0 && !this.#mayLeaveOut) cost = Number.POSITIVE_INFINITY;
      this.#fewest = { kept, cost };
    }
    return this.#fewest;
  }

  /** Which members have to stay: those that a schema requires, or knows by name; the first of a tuple; a number of them. */
  #musts(level: 'required' | 'declared'): Set<number> {
    const { members, rules, isObject } = this.#contents;
    if (!this.#mayLeaveOut) return all(members);
    const kept = new Set<number>();
    if (!rules) return kept;
    for (const [index, { key }] of members.entries()) {
      const stays = isObject
        ? rules.requires(key as string) || (level === 'declared' && rules.declares(key as string))
        : index < rules.firstItems;
      if (stays) kept.add(index);
    }
    const picks = new Picks(kept, this.#contents, this.#job.tailShare);
    while (kept.size < (isObject ? rules.minProperties : rules.minItems)) {
      const next = picks.next(() => true);
      if (next === undefined) break;
      kept.add(next);
    }
    return kept;
  }

  #member(index: number): Member {
    return this.#contents.members[index] as Member;
  }

  #write(kept: ReadonlySet<number>, room: number, gaps: Gap[]): Held {
    const { isObject, firsts } = this.#contents;
    const order = [...kept].sort((one, other) => one - other);
    const runs = this.#runs(kept);
    const told = this.#told(runs);
    const members = order.map((index) => this.#member(index));
    const keys = members.reduce((sum, { keyCost }) => sum + keyCost, 0);
    const frame = this.#frameOf(order.length + (told === undefined ? 0 : 1));
    const space = room - frame - this.#tellCost(told) - keys;
    const rooms = shares(
      members.map(({ piece }) => piece),
      space,
    );
    let spare = space - rooms.reduce((sum, share) => sum + share, 0);
    const own = this.#gapsOf(runs);
    const entries: [string | undefined, Held][] = [];
    const tell = (before: number) => {
      for (let gap = own[0]; gap && gap.from < before; gap = own[0]) {
        if (told !== undefined && gap.from === runs[0]?.from) entries.push([this.#tellKey, told]);
        gaps.push(gap);
        own.shift();
      }
    };
    for (const [at, index] of order.entries()) {
      tell(index < firsts ? index : index + this.#hidden);
      const { piece, key } = members[at] as Member;
      const share = rooms[at] as number;
      const value = piece.to(share + (piece.full > share ? spare : 0), gaps);
      entries.push([key, value]);
      spare = 0;
    }
    tell(Number.POSITIVE_INFINITY);
    if (!isObject) return entries.map(([, value]) => value);
    const object: HeldObject = Object.create(null);
    for (const [key, value] of entries) object[key as string] = value;
    return object;
  }

  /** What is left out, as stretches of the whole. */
  #runs(kept: ReadonlySet<number>): Run[] {
    const { members, firsts, count } = this.#contents;
    const runs: Run[] = [];
    const add = (from: number, to: number) => {
      const last = runs.at(-1);
      if (last?.to === from) last.to = to;
      else if (to > from) runs.push({ from, to });
    };
    for (let index = 0; index < members.length; index++) {
      if (index === firsts) add(firsts, firsts + this.#hidden);
      const at = index < firsts ? index : index + this.#hidden;
      if (!kept.has(index)) add(at, at + 1);
    }
    if (members.length === firsts) add(firsts, count);
    return runs;
  }

  /** What stands here for what is left out; undefined if nothing is, or nothing may stand. */
  #told(runs: readonly Run[]): string | undefined {
    const { isTold, isObject, rules } = this.#contents;
    if (isTold || runs.length === 0) return undefined;
    const text = this.#gapsOf(runs)
      .map((gap) => this.#job.words.brief(gap))
      .join(' ');
    if (!rules) return text;
    const from = (runs[0] as Run).from;
    const takes = isObject
      ? rules.takesProperty(this.#tellKey, text)
      : from >= rules.firstItems && rules.item(from).takes(text);
    return takes ? text : undefined;
  }

  #tellCost(told: string | undefined): number {
    if (told === undefined) return 0;
    const key = this.#contents.isObject ? this.#job.cost(JSON.stringify(this.#tellKey)) + this.#job.colon : 0;
    return key + this.#job.cost(JSON.stringify(told));
  }

  get #tellKey(): string {
    this.#noticeKey ??= noticeKey(this.#contents.members.map(({ key }) => key as string));
    return this.#noticeKey;
  }

  #gapsOf(runs: readonly Run[]): Gap[] {
    return runs.map((run) => this.#gap(run));
  }

  #gap({ from, to }: Run): Gap {
    const { members, firsts, isObject, count, written } = this.#contents;
    const isHeld = this.#hidden === 0 || to <= firsts || from >= firsts + this.#hidden;
    const start = from <= firsts ? from : Math.max(firsts, from - this.#hidden);
    const end = to <= firsts ? to : Math.max(firsts, to - this.#hidden);
    this.#sums ??= sumsOf(members);
    const { chars, bytes } = this.#sums;
    const missing = (before: readonly number[]) => (before[end] as number) - (before[start] as number);
    const commas = to - from - 1;
    /** Of what isn't held: what was written less what is shown, with its brackets and commas. */
    const unheld = (before: readonly number[], all: number) =>
      Math.max(0, all - 2 - ((before.at(-1) as number) - missing(before)) - (members.length - end + start));
    return {
      part: this.#job.part,
      at: pointerTo(this.#contents.spot),
      unit: isObject ? 'entries' : 'items',
      from,
      to,
      of: count,
      chars: isHeld ? missing(chars) + commas : unheld(chars, written?.chars ?? 0),
      bytes: isHeld ? missing(bytes) + commas : unheld(bytes, written?.bytes ?? 0),
    };
  }
}

/** The order in which members are chosen: the first, the last, and on from both ends. */
class Picks {
  readonly #taken: ReadonlySet<number>;
  readonly #share: number;
  #first = 0;
  #last: number;
  #heads = 0;
  #tails = 0;
  readonly #headEnd: number;
  readonly #tailStart: number;

  constructor(taken: ReadonlySet<number>, { members, firsts }: Contents, tailShare: number) {
    this.#taken = taken;
    this.#share = tailShare;
    this.#last = members.length - 1;
    this.#headEnd = firsts;
    this.#tailStart = firsts < members.length ? firsts : 0;
  }

  /** The next one that fits, from the end whose turn it is, or else from the other; undefined if there is none. */
  next(fits: (index: number) => boolean): number | undefined {
    while (this.#first < this.#headEnd && this.#taken.has(this.#first)) this.#first++;
    while (this.#last >= this.#tailStart && this.#taken.has(this.#last)) this.#last--;
    const head = this.#first < this.#headEnd && fits(this.#first) ? this.#first : undefined;
    const tail = this.#last >= this.#tailStart && fits(this.#last) ? this.#last : undefined;
    const isTail = head === undefined || (tail !== undefined && this.#isTailsTurn());
    if (isTail && tail !== undefined) this.#tails++;
    if (!isTail) this.#heads++;
    return isTail ? tail : head;
  }

  #isTailsTurn(): boolean {
    return (
      this.#heads > 0 && (this.#tails === 0 || this.#tails < this.#share * (this.#heads + this.#tails + 1))
    );
  }
}

/** What the members before each one take, and at last all of them, as compact JSON without commas. */
interface Sums {
  readonly chars: readonly number[];
  readonly bytes: readonly number[];
}

function sumsOf(members: readonly Member[]): Sums {
  const sums = { chars: [0], bytes: [0] };
  let chars = 0;
  let bytes = 0;
  for (const { piece, keyChars, keyBytes } of members) {
    chars += piece.chars + keyChars;
    bytes += piece.bytes + keyBytes;
    sums.chars.push(chars);
    sums.bytes.push(bytes);
  }
  return sums;
}

function all(members: readonly Member[]): Set<number> {
  return new Set(members.keys());
}

function leastOf({ piece, keyCost }: Member): number {
  return keyCost + piece.least;
}
