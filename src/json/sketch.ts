import { Fingerprint, fingerprintOf, fingerprintOfEntry } from './fingerprint.ts';
import { type Entry, type Held, type HeldObject, LongList, LongObject, LongText, RawNumber } from './held.ts';
import { type SketchLimits, TextGatherer } from './long-text.ts';
import type { JsonEvents, Place } from './walk.ts';

export type { SketchLimits } from './long-text.ts';

/** Containers within so many others are told by their size alone. */
const DEEPEST = 200;

/** Lists within fewer containers are held as long as there is room: a result's blocks, or the list that its data is about. */
const HIGH = 3;

/** Objects are mostly records, whose entries all count; they are held up to so many times what lists are. */
const RECORD = 8;

/** Everything that is held at a time is at most so many times `listBytes`; of a text's JSON, so many. */
const MOST_HELD = 48;
const MOST_HELD_WITHIN = 16;

/** A container takes at most so much of what may still be held, at either end. */
const SHARE = 1 / 4;

/** A list that is high takes so much at either end: both ends fit into the half that an end of the top object has. */
const HIGH_SHARE = 1 / 5;

/** However many texts came before, a text's ends are at least this share of what the first text's are. */
const LEAST_END = 1 / 32;

/** What containers and entries take beyond their JSON. */
const LIST_COST = 16;
const OBJECT_COST = 40;
const ITEM_COST = 2;
const LONG_TEXT_COST = 200;

/**
 * Makes a value out of a walk and holds it in bounded memory. Texts are held at their ends (`textChars`, the less the
 * more text came before, since they share one room in the end), lists by their first and last items, as many as take
 * up `listBytes` at either end, and objects likewise with eight times as much. Lists within fewer than three others
 * get a fifth of all that may be held at either end, the top object half. That is 48 times `listBytes`, and every other
 * container gets at most a quarter of what is left, so that the whole stays within it however the JSON is nested; so do single items that are larger. Containers
 * more than 200 levels deep are told by their size.
 *
 * For keys that stand twice in an object the last value counts, as for `JSON.parse`.
 */
export class Sketch implements JsonEvents {
  readonly #limits: SketchLimits;
  #mostHeld = MOST_HELD;
  #readsJson = true;
  readonly #open: (OpenList | OpenObject)[] = [];
  /** What all open containers hold. */
  #held = 0;
  /** Long texts so far; a shorter one counts as a share of one. */
  #texts = 0;
  #text: TextGatherer | undefined;
  /** Whether the text at hand is held beside what else may be. */
  #isBeside = false;
  /** Where a container starts that is too deep. */
  #tooDeep: Start | undefined;
  #root: Held | undefined;

  constructor(limits: SketchLimits) {
    this.#limits = limits;
  }

  /** A sketch of a text's JSON: smaller, and a text within it isn't read as JSON again. */
  static within(limits: SketchLimits): Sketch {
    const sketch = new Sketch(limits);
    sketch.#mostHeld = MOST_HELD_WITHIN;
    sketch.#readsJson = false;
    return sketch;
  }

  openObject(at: Place): void {
    this.#enter(at, false);
  }

  openArray(at: Place): void {
    this.#enter(at, true);
  }

  closeObject(at: Place): void {
    this.#leave(at);
  }

  closeArray(at: Place): void {
    this.#leave(at);
  }

  key(key: string): void {
    const open = this.#open.at(-1);
    if (open) open.key = key;
  }

  value(value: null | boolean | number | RawNumber): void {
    this.#add(value, costOf(value));
  }

  openText(): void {
    const { textChars, listBytes } = this.#limits;
    const share = Math.max(LEAST_END, 1 / (1 + this.#texts));
    const limits = { textChars: Math.floor(textChars * share), listBytes: Math.floor(listBytes * share) };
    this.#text = new TextGatherer(limits, this.#readsJson);
    this.#isBeside = false;
  }

  /** A text opens that is held whole up to so many characters, beside what else may be held. */
  openTextBeside(chars: number): void {
    const textChars = Math.max(Math.ceil(chars / 2), this.#limits.textChars);
    this.#text = new TextGatherer({ ...this.#limits, textChars }, false);
    this.#isBeside = true;
  }

  text(piece: string): void {
    this.#text?.write(piece);
  }

  /** The text that was closed, as it is held. */
  closeText(): string | LongText {
    const text = this.#text?.finish() ?? '';
    const chars = typeof text === 'string' ? text.length : text.chars;
    if (!this.#isBeside) this.#texts += Math.min(1, chars / this.#limits.textChars);
    this.#add(text, this.#isBeside ? LONG_TEXT_COST : costOf(text));
    return text;
  }

  /** The value. To be called when the walk has finished. */
  finish(): Held {
    if (this.#root === undefined) throw new Error('the walk has not finished');
    return this.#root;
  }

  #enter(at: Place, isList: boolean): void {
    if (this.#open.length > DEEPEST) {
      this.#tooDeep = startOf(at);
      at.skip();
      return;
    }
    const limit = this.#open.length === DEEPEST ? -1 : this.#limit(isList);
    const open = isList ? new OpenList(startOf(at), limit) : new OpenObject(startOf(at), limit);
    this.#open.push(open);
    this.#held += open.held;
  }

  /** What a container that opens now may hold at either end. */
  #limit(isList: boolean): number {
    const { listBytes } = this.#limits;
    const most = this.#mostHeld * listBytes;
    if (!isList && this.#open.length === 0) return most / 2;
    const left = most - this.#held;
    if (isList && this.#open.length < HIGH) return left * HIGH_SHARE;
    return Math.min(isList ? listBytes : RECORD * listBytes, left * SHARE);
  }

  #leave(at: Place): void {
    if (this.#tooDeep !== undefined) {
      const size = sizeSince(this.#tooDeep, at);
      this.#tooDeep = undefined;
      this.#add(new LongList([], [], 0, size, unlikeAny()), LIST_COST);
      return;
    }
    const open = this.#open.pop();
    if (!open) return;
    this.#held -= open.held;
    this.#add(open.finish(at), open.held);
  }

  #add(value: Held, cost: number): void {
    const open = this.#open.at(-1);
    if (!open) {
      this.#root = value;
      return;
    }
    const before = open.held;
    const fits = this.#held + cost + open.key.length <= this.#mostHeld * this.#limits.listBytes;
    open.add(value, cost, fits);
    this.#held += open.held - before;
  }
}

/** Where a container starts, in bytes and in UTF-16 code units. */
interface Start {
  readonly bytes: number;
  readonly chars: number;
}

function startOf({ start, end, chars }: Place): Start {
  return { bytes: start, chars: chars - (end - start) };
}

function sizeSince(start: Start, { end, chars }: Place): { bytes: number; chars: number } {
  return { bytes: end - start.bytes, chars: chars - start.chars };
}

/** A list that isn't closed yet. */
class OpenList {
  readonly #start: Start;
  readonly #items: Ends<Held>;
  key = '';

  constructor(start: Start, limit: number) {
    this.#start = start;
    this.#items = new Ends('[', limit, fingerprintOf);
  }

  get held(): number {
    return LIST_COST + this.#items.held;
  }

  add(value: Held, cost: number, fits: boolean): void {
    this.#items.add(value, cost + ITEM_COST, fits);
  }

  finish(at: Place): Held {
    const { first, last, count } = this.#items;
    const fingerprint = this.#items.fingerprint(']');
    if (fingerprint === undefined) return [...first, ...last];
    return new LongList(first, last, count, sizeSince(this.#start, at), fingerprint);
  }
}

/** An object that isn't closed yet, and the key whose value comes next. */
class OpenObject {
  readonly #start: Start;
  readonly #entries: Ends<Entry>;
  key = '';

  constructor(start: Start, limit: number) {
    this.#start = start;
    this.#entries = new Ends('{', limit, ([key, value]) => fingerprintOfEntry(key, value));
  }

  get held(): number {
    return OBJECT_COST + this.#entries.held;
  }

  add(value: Held, cost: number, fits: boolean): void {
    this.#entries.add([this.key, value], cost + this.key.length + 2 * ITEM_COST, fits);
  }

  finish(at: Place): Held {
    const { first, last, count } = this.#entries;
    const fingerprint = this.#entries.fingerprint('}');
    if (fingerprint !== undefined)
      return new LongObject(first, last, count, sizeSince(this.#start, at), fingerprint);
    const object: HeldObject = Object.create(null);
    for (const [key, value] of [...first, ...last]) object[key] = value;
    return object;
  }
}

/** The first and the last of many items, within a limit at either end. */
class Ends<Item> {
  readonly first: Item[] = [];
  count = 0;
  /** What the items that are held cost. */
  held = 0;
  readonly #bracket: string;
  readonly #limit: number;
  readonly #printOf: (item: Item) => string;
  #isFilling = true;
  #last: (Item | undefined)[] = [];
  /** Costs of the last items. */
  #costs: number[] = [];
  #lastHeld = 0;
  /** How many of the last items have been let go. */
  #gone = 0;
  #fingerprint: Fingerprint | undefined;

  constructor(bracket: string, limit: number, printOf: (item: Item) => string) {
    this.#bracket = bracket;
    this.#limit = limit;
    this.#printOf = printOf;
  }

  get last(): Item[] {
    return this.#last.slice(this.#gone) as Item[];
  }

  /** Adds an item. One that passes the limit stays if it is alone at its end and `fits`. */
  add(item: Item, cost: number, fits: boolean): void {
    const mayBeAlone = fits && this.#limit >= 0;
    this.#fingerprint?.add(`,${this.#printOf(item)}`);
    this.count++;
    this.held += cost;
    if (this.#isFilling) {
      this.#isFilling = this.held <= this.#limit || (this.count === 1 && mayBeAlone);
      if (this.#isFilling) {
        this.first.push(item);
        return;
      }
    }
    this.#last.push(item);
    this.#costs.push(cost);
    this.#lastHeld += cost;
    const least = mayBeAlone ? 1 : 0;
    while (this.#lastHeld > this.#limit && this.#last.length - this.#gone > least) this.#letGo();
  }

  /** The fingerprint of all items, up to the bracket that closes; undefined if all are held. */
  fingerprint(close: string): string | undefined {
    if (!this.#fingerprint) return undefined;
    this.#fingerprint.add(close);
    return this.#fingerprint.finish();
  }

  #letGo(): void {
    this.#fingerprint ??= this.#startFingerprint();
    this.held -= this.#costs[this.#gone] as number;
    this.#lastHeld -= this.#costs[this.#gone] as number;
    this.#last[this.#gone++] = undefined;
    if (this.#gone < this.#last.length / 2) return;
    this.#last = this.#last.slice(this.#gone);
    this.#costs = this.#costs.slice(this.#gone);
    this.#gone = 0;
  }

  #startFingerprint(): Fingerprint {
    const fingerprint = new Fingerprint();
    let before = this.#bracket;
    for (const item of [...this.first, ...this.last]) {
      fingerprint.add(before + this.#printOf(item));
      before = ',';
    }
    return fingerprint;
  }
}

let unknowns = 0;

/** A fingerprint of what nobody has looked at. */
function unlikeAny(): string {
  return `?${unknowns++}`;
}

/** About how many characters of JSON a value takes, or as much memory in their place. */
function costOf(value: Held): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return Number.isInteger(value) ? String(value).length : 16;
  if (value === null || typeof value === 'boolean') return 4;
  if (value instanceof RawNumber) return value.raw.length + 8;
  if (value instanceof LongText) return costOfLongText(value);
  if (Array.isArray(value)) return LIST_COST + costOfItems(value);
  if (value instanceof LongList) return LIST_COST + costOfItems(value.first) + costOfItems(value.last);
  if (value instanceof LongObject)
    return OBJECT_COST + costOfEntries(value.first) + costOfEntries(value.last);
  return OBJECT_COST + costOfEntries(Object.entries(value));
}

function costOfItems(items: readonly Held[]): number {
  let cost = 0;
  for (const item of items) cost += costOf(item) + ITEM_COST;
  return cost;
}

function costOfEntries(entries: readonly Entry[]): number {
  let cost = 0;
  for (const [key, value] of entries) cost += costOf(value) + key.length + 2 * ITEM_COST;
  return cost;
}

function costOfLongText({ head, tail, notable, json }: LongText): number {
  let cost = head.length + tail.length + LONG_TEXT_COST + (json === undefined ? 0 : costOf(json));
  for (const { text } of notable) cost += text.length + ITEM_COST;
  return cost;
}
