import { type Held, type HeldObject, LongText } from '../../json/held.ts';
import type { Gap } from '../types.ts';
import { costOfWords, takesWords, withWords } from './further-words.ts';
import { noticeKey } from './notice-key.ts';
import { Picks } from './picks.ts';
import {
  briefOf,
  type Job,
  type Made,
  type Piece,
  pointerTo,
  type Spot,
  shares,
  type Written,
} from './piece.ts';
import type { Place, Rules } from './place.ts';

/** What an item costs at which it is still worth its place, in characters: larger ones are cut down to it if so all stay. */
const SMALL_ITEM = 200;
/** Where items are left out all the same, the others are cut to no less than this. */
const DECENT_ITEM = 400;
/** No item or field is cut to less than this to make room for another one: it would be a marker and not much more. */
const SCRAP = 120;
/** The least parts of a room that these are taken to be: of what is small, more is left out than in a large room. */
const ITEM_SHARE = 1 / 3;
const FIELD_SHARE = 1 / 5;

/** Objects with more entries are maps, which are cut like lists; the fields of smaller ones tell what a record is. */
const MOST_FIELDS = 64;
/** Fields that cost no more are the last to be left out of a record, but for addresses, which tell least. */
const SMALL_FIELD = 100;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

/** How often a choice is made again where its words came out longer than they were thought to be. */
const TRIES = 8;

/** An item of a list, or an entry of an object. */
export interface Member {
  /** Of an entry. */
  readonly key?: string | undefined;
  readonly value: Held;
  readonly piece: Piece;
  /** It is never left out. */
  readonly stays: boolean;
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

/** What stands for what is left out: an item or an entry of its own, or further words in a member. */
interface Told {
  readonly text: string;
  readonly cost: number;
  /** How many members it adds. */
  readonly adds: 0 | 1;
  /** The member with the words. */
  readonly within: number | undefined;
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
  readonly #isFlat: boolean;
  readonly #between: number;
  #noticeKey: string | undefined;
  #sums: Sums | undefined;
  #fewest: { kept: ReadonlySet<number>; cost: number } | undefined;
  #useful: number | undefined;
  #some: number | undefined;
  #contained: { readonly indices: ReadonlySet<number> | undefined } | undefined;

  constructor(job: Job, contents: Contents) {
    const { members, count, depth } = contents;
    this.#job = job;
    this.#contents = contents;
    this.#hidden = count - members.length;
    this.#frame = job.cost(contents.isObject ? '{}' : '[]');
    this.#isFlat = job.isFlat(depth);
    this.#between = job.cost(',') + (this.#isFlat ? 0 : job.lineEnd(depth + 1));
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

  get useful(): number {
    if (this.full <= SMALL_ITEM) return this.full;
    if (this.#useful === undefined) {
      const most = this.#isRecord ? Number.POSITIVE_INFINITY : SMALL_ITEM;
      let sum = this.#frameOf(this.#contents.members.length);
      for (const { piece, keyCost } of this.#contents.members) {
        if (sum >= most) break;
        sum += keyCost + piece.useful;
      }
      this.#useful = Math.min(this.full, Math.max(this.least, Math.min(sum, most)));
    }
    return this.#useful;
  }

  get some(): number {
    this.#some ??= Math.min(this.full, Math.max(this.least, this.#costOfSome()));
    return this.#some;
  }

  #costOfSome(): number {
    const { kept, cost } = this.#least();
    return kept.size > 0 || this.#contents.members.length === 0 ? cost : this.#costOf(new Set([0]));
  }

  get #isRecord(): boolean {
    const { isObject, count } = this.#contents;
    return isObject && count <= MOST_FIELDS;
  }

  to(room: number, gaps: Gap[]): Made {
    const { members, original } = this.#contents;
    if (this.asIs <= room && this.asIs === this.full) return { value: original, cost: this.asIs };
    const most = this.#decency(SMALL_ITEM, room);
    if (this.full <= room || this.#fitsWhole(room, (member) => this.#need(member, most)))
      return this.#write(all(members), room, most, gaps);
    const decency = this.#decency(DECENT_ITEM, room);
    const kept = this.#chooseWithWords(room, decency);
    if (kept && (kept.size > 0 || this.#told(kept))) return this.#write(kept, room, decency, gaps);
    const isLast = members.some(({ value }) => isText(value));
    if (isLast && this.#fitsWhole(room, leastOf)) return this.#write(all(members), room, 0, gaps);
    return this.#write(this.#chooseWithWords(room, 0) ?? this.#least().kept, room, 0, gaps);
  }

  /** Which members stay where what is said of the others has to have room too; undefined if that isn't found. */
  #chooseWithWords(room: number, decency: number): ReadonlySet<number> | undefined {
    let words = 0;
    for (let tries = 0; tries < TRIES; tries++) {
      const kept = this.#choose(room - words - this.#between, decency);
      const cost = this.#told(kept)?.cost ?? 0;
      if (cost <= words) return kept;
      words = cost;
    }
    return undefined;
  }

  /** What a member that is cut costs at least in such a room, if others may be left out instead. */
  #decency(most: number, room: number): number {
    const share = this.#contents.isObject ? FIELD_SHARE : ITEM_SHARE;
    return Math.max(Math.min(SCRAP, Math.floor(room / 2)), Math.min(most, Math.floor(room * share)));
  }

  /** What the brackets, commas and line ends of so many members cost. */
  #frameOf(count: number): number {
    if (count === 0) return this.#frame;
    return this.#frame + count * this.#between - this.#job.cost(',') + this.#lastLineEnd;
  }

  /** What the line end before the last bracket costs. */
  get #lastLineEnd(): number {
    return this.#isFlat ? 0 : this.#job.lineEnd(this.#contents.depth);
  }

  /** Whether all members may stay, each with what it needs or, if none may be left out, with its least. */
  #fitsWhole(room: number, need: (member: Member) => number): boolean {
    const { members } = this.#contents;
    if (this.#hidden > 0) return false;
    let left = room - this.#frameOf(members.length);
    const needs = this.#mayLeaveOut ? need : leastOf;
    for (const member of members) {
      left -= needs(member);
      if (left < 0) return false;
    }
    return true;
  }

  get #mayLeaveOut(): boolean {
    return !this.#job.isCareful && this.#containedItems() !== undefined;
  }

  /** The items that a schema has a list contain; undefined if they aren't found. */
  #containedItems(): ReadonlySet<number> | undefined {
    const { members, rules, isObject } = this.#contents;
    if (!rules || isObject) return NONE;
    this.#contained ??= { indices: rules.contained(members.map(({ value }) => value)) };
    return this.#contained.indices;
  }

  /** What a member costs at least: what makes it useful, but if that is much or a text, what is decent. */
  #need({ value, piece, keyCost }: Member, decency: number): number {
    const { useful, full } = piece;
    const isProse = isText(value) && useful < full;
    if (useful <= (isProse ? decency : 2 * decency)) return keyCost + useful;
    return keyCost + Math.min(useful, Math.max(decency, decency > 0 ? piece.some : piece.least));
  }

  /** Which members stay where there is so much room besides what is said of the others. */
  #choose(room: number, decency: number): ReadonlySet<number> {
    const needs = (kept: Iterable<number>, need: (member: Member) => number) => {
      let sum = 0;
      for (const index of kept) sum += this.#between + need(this.#member(index));
      return sum;
    };
    const least = this.#least().kept;
    const space = room - this.#frameOf(0) - this.#lastLineEnd;
    const known = this.#musts('declared');
    const base = needs(known, leastOf) <= space ? known : least;
    const kept = new Set(base);
    const costOf = (index: number) => this.#between + this.#need(this.#member(index), decency);
    let left = space - needs(base, (member) => this.#need(member, decency));
    const take = (index: number | undefined) => {
      if (index === undefined) return false;
      left -= costOf(index);
      kept.add(index);
      return true;
    };
    const fits = (index: number) => costOf(index) <= left;
    if (this.#isRecord)
      for (const index of this.#fieldsByWorth()) if (!kept.has(index) && fits(index)) take(index);
    const picks = new Picks(kept, this.#contents, this.#job.tailShare);
    while (take(picks.next(fits)));
    return kept;
  }

  /**
   * The fields of a record, those first that tell most: small ones, then texts that can be cut, as prose can, then the
   * others, the smallest first.
   */
  #fieldsByWorth(): number[] {
    const worth = ({ value, piece }: Member) => {
      const isAddress = typeof value === 'string' && ADDRESS.test(value);
      if (piece.full <= SMALL_FIELD && !isAddress) return 2;
      return isText(value) && piece.useful < piece.full ? 1 : -piece.useful;
    };
    const worths = this.#contents.members.map(worth);
    return [...worths.keys()].sort((one, other) => (worths[other] as number) - (worths[one] as number));
  }

  /** The fewest members that have to stay, and what they cost with what is said of the others. */
  #least(): { kept: ReadonlySet<number>; cost: number } {
    if (!this.#fewest) {
      const kept = this.#musts('required');
      const isImpossible = this.#hidden > 0 && !this.#mayLeaveOut;
      this.#fewest = { kept, cost: isImpossible ? Number.POSITIVE_INFINITY : this.#costOf(kept) };
    }
    return this.#fewest;
  }

  /** What some members cost, each with its least, with what is said of the others. */
  #costOf(kept: ReadonlySet<number>): number {
    const told = this.#told(kept);
    let cost = (told?.cost ?? 0) + this.#frameOf(kept.size + (told?.adds ?? 0));
    for (const index of kept) cost += leastOf(this.#member(index));
    return cost;
  }

  /** Which members have to stay: those that a schema requires, or knows by name; the first of a tuple; a number of them. */
  #musts(level: 'required' | 'declared'): Set<number> {
    const { members, rules, isObject } = this.#contents;
    if (!this.#mayLeaveOut) return all(members);
    const kept = new Set(this.#containedItems());
    for (const [index, { stays }] of members.entries()) if (stays) kept.add(index);
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

  #write(kept: ReadonlySet<number>, room: number, decency: number, gaps: Gap[]): Made {
    const { isObject, firsts } = this.#contents;
    const order = [...kept].sort((one, other) => one - other);
    const told = this.#told(kept);
    const members = order.map((index) => this.#member(index));
    const keys = members.reduce((sum, { keyCost }) => sum + keyCost, 0);
    const around = this.#frameOf(order.length + (told?.adds ?? 0)) + (told?.cost ?? 0) + keys;
    const space = room - around;
    const rooms = this.#roomsOf(members, space, decency);
    let spare = space - rooms.reduce((sum, share) => sum + share, 0);
    const missing = this.#gapsOf(this.#runs(kept));
    const own = [...missing];
    let isSaid = told?.adds === 1;
    const first = own[0]?.from;
    const entries: [string | undefined, Held][] = [];
    const tell = (before: number) => {
      for (let gap = own[0]; gap && gap.from < before; gap = own[0]) {
        if (told?.adds && gap.from === first) entries.push([this.#tellKey, told.text]);
        gaps.push(gap);
        own.shift();
      }
    };
    for (const [at, index] of order.entries()) {
      tell(index < firsts ? index : index + this.#hidden);
      const { piece, key, value: original } = members[at] as Member;
      const share = rooms[at] as number;
      const { value, cost } = piece.to(share + (piece.full > share ? spare : 0), gaps);
      const place = told?.within === index ? this.#placeOf(index) : undefined;
      const longer = told && place && withWords(value, original, place, told.text);
      isSaid ||= longer !== undefined;
      entries.push([key, longer ?? value]);
      spare += share - cost;
    }
    tell(Number.POSITIVE_INFINITY);
    if (!isSaid) for (const gap of missing) this.#job.silent.add(gap);
    const cost = room - spare;
    if (!isObject) return { value: entries.map(([, value]) => value), cost };
    const object: HeldObject = Object.create(null);
    for (const [key, value] of entries) object[key as string] = value;
    return { value: object, cost };
  }

  /** The room of each member: what it needs, if there is so much, and of what is left an equal share. */
  #roomsOf(members: readonly Member[], space: number, decency: number): number[] {
    const pieces = members.map(({ piece }) => piece);
    const floors = decency > 0 ? members.map((member) => this.#need(member, decency) - member.keyCost) : [];
    const isEnough = decency > 0 && floors.reduce((sum, floor) => sum + floor, 0) <= space;
    return shares(pieces, isEnough ? floors : pieces.map(({ least }) => least), space);
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
  #told(kept: ReadonlySet<number>): Told | undefined {
    const { isTold, isObject, rules, depth } = this.#contents;
    const [first, ...others] = this.#runs(kept);
    if (isTold || !first) return undefined;
    const text = briefOf(this.#job.words, this.#gapsOf([first, ...others]));
    const cost = this.#job.cost(JSON.stringify(text));
    const key = isObject ? this.#job.cost(JSON.stringify(this.#tellKey)) + this.#job.colon(depth) : 0;
    const takes =
      !rules ||
      (isObject
        ? rules.takesProperty(this.#tellKey, text)
        : first.from >= rules.firstItems && rules.item(first.from).takes(text));
    if (takes) return { text, cost: key + cost, adds: 1, within: undefined };
    const within = rules.isSet ? undefined : this.#neighbour(kept, first.from, text);
    if (within === undefined) return undefined;
    return { text, cost: costOfWords(text, this.#job.cost), adds: 0, within };
  }

  /** A member that is kept near a gap, before it if possible, that takes further words. */
  #neighbour(kept: ReadonlySet<number>, gap: number, text: string): number | undefined {
    const { firsts } = this.#contents;
    const order = [...kept].sort((one, other) => one - other);
    const at = (index: number) => (index < firsts ? index : index + this.#hidden);
    const before = order.filter((index) => at(index) < gap).slice(-1);
    const behind = order.filter((index) => at(index) >= gap).slice(0, 1);
    return [...before, ...behind].find((index) => {
      const place = this.#placeOf(index);
      return place && takesWords(this.#member(index).value, place, text);
    });
  }

  #placeOf(index: number): Place | undefined {
    const { rules } = this.#contents;
    const { key } = this.#member(index);
    return key === undefined ? rules?.item(index) : rules?.property(key);
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

function isText(value: Held): value is string | LongText {
  return typeof value === 'string' || value instanceof LongText;
}

const NONE: ReadonlySet<number> = new Set();

function all(members: readonly Member[]): Set<number> {
  return new Set(members.keys());
}

function leastOf({ piece, keyCost }: Member): number {
  return keyCost + piece.least;
}
