import type { RawNumber } from '../json/held.ts';
import type { JsonEvents, Place } from '../json/walk.ts';
import { isMany, type Step } from './path.ts';

/** How many keys an error names. */
const MOST_KEYS = 20;

/** Hears one value, and that it is over. */
export interface Taker extends JsonEvents {
  done(): void;
}

/** What stands where a path leads no further. */
export interface DeadEnd {
  /** How many steps lead there. */
  readonly depth: number;
  readonly kind: 'object' | 'list' | 'value';
  /** Items or entries. */
  readonly count: number;
  /** The first of them. */
  readonly keys: readonly string[];
}

export interface PathWalkOptions {
  /** For a step that counts from the end of lists: how long each list is that it is about, in order. */
  readonly lengths: ReadonlyMap<number, readonly number[]>;
  /** Whether a list or an object at the path's end is taken as its members. */
  readonly opensEnd: boolean;
  /** Asked for each value that the path leads to; one without a taker is passed over. */
  readonly take: (kind: Kind) => Taker | undefined;
}

/** A list or an object on the path. */
interface Level {
  readonly isList: boolean;
  /** Which members the path leads on to. */
  readonly members: Members;
  /** How many members it has so far. */
  count: number;
  readonly keys: string[];
  key: string;
  /** Where its last member ended, or it began, in characters. */
  end: number;
}

export type Kind = 'object' | 'list' | 'text' | 'value';

type Members = { readonly name: string } | { readonly from: number; readonly to: number };

const ALL: Members = { from: 0, to: Number.POSITIVE_INFINITY };
const NONE: Members = { from: 0, to: 0 };

/**
 * Follows a path through a walk, and hands over each value that it leads to. Of keys that stand twice in an object
 * the first counts where there can be one value only.
 */
export class PathWalk implements JsonEvents {
  /** Whether nothing more can come. */
  isDone = false;
  /** Whether the path leads to several values: by a step, or since it ends at a list or an object that is opened. */
  isMany: boolean;
  /** Whether the path leads to a value, or to what is opened. */
  isFound = false;
  /** What is opened at the path's end. */
  opened: 'object' | 'list' | undefined;
  /** The deepest place the path leads to without reaching its end, the first of several. */
  deadEnd: DeadEnd | undefined;
  readonly #steps: readonly Step[];
  readonly #options: PathWalkOptions;
  readonly #levels: Level[] = [];
  /** How many values each step has been about. */
  readonly #passed: number[] = [];
  #taker: Taker | undefined;
  /** Whether what is open is passed over. */
  #isOff = false;
  /** How many containers and texts are open of what is taken. */
  #open = 0;

  constructor(steps: readonly Step[], options: PathWalkOptions) {
    this.#steps = steps;
    this.#options = options;
    this.isMany = steps.some(isMany);
  }

  /** The steps that lead to the value at hand. */
  get place(): Step[] {
    return this.#levels.map(({ isList, count, key }) =>
      isList ? { kind: 'item', index: count - 1 } : { kind: 'name', name: key },
    );
  }

  /** Where the value at hand begins with its key and what else is before it, in characters. */
  get start(): number {
    return this.#levels.at(-1)?.end ?? 0;
  }

  /** The key of the value at hand, if what is opened at the path's end is an object. */
  get entryKey(): string | undefined {
    return this.opened === 'object' ? this.#levels.at(-1)?.key : undefined;
  }

  openObject(at: Place): void {
    if (this.#enter(at, 'object')) this.#taker?.openObject(at);
  }

  openArray(at: Place): void {
    if (this.#enter(at, 'list')) this.#taker?.openArray(at);
  }

  closeObject(at: Place): void {
    this.#taker?.closeObject(at);
    this.#leave(at);
  }

  closeArray(at: Place): void {
    this.#taker?.closeArray(at);
    this.#leave(at);
  }

  key(key: string, at: Place): void {
    if (this.#taker) {
      this.#taker.key(key, at);
      return;
    }
    const level = this.#levels.at(-1);
    if (!level) return;
    level.key = key;
    if (level.keys.length < MOST_KEYS) level.keys.push(key);
  }

  value(value: null | boolean | number | RawNumber, at: Place): void {
    if (this.#enter(at, 'value')) {
      this.#taker?.value(value, at);
      if (this.#taker && this.#open === 0) this.#finish(this.#taker);
    }
    this.#endMember(at);
  }

  openText(at: Place): void {
    if (this.#enter(at, 'text')) this.#taker?.openText(at);
  }

  text(piece: string, at: Place): void {
    this.#taker?.text(piece, at);
  }

  closeText(at: Place): void {
    this.#taker?.closeText(at);
    this.#leave(at);
  }

  /** Whether the value is taken, or within what is taken. */
  #enter(at: Place, kind: Kind): boolean {
    const isOpening = kind !== 'value';
    if (!this.#taker) {
      if (this.isDone || !this.#isOnPath()) return this.#passOver(at, isOpening);
      if (this.#goesOn(kind)) return this.#goIn(at, kind);
      this.isFound = true;
      this.#taker = this.#options.take(kind);
      if (!this.#taker) return this.#passOver(at, isOpening);
    }
    if (isOpening) this.#open += 1;
    return true;
  }

  /** Whether the path leads from the innermost level to the value that comes. */
  #isOnPath(): boolean {
    const level = this.#levels.at(-1);
    if (!level) return true;
    const index = level.count++;
    const { members } = level;
    if ('name' in members) return level.key === members.name;
    return index >= members.from && index < members.to;
  }

  /** Whether the path doesn't end at the value that comes. */
  #goesOn(kind: Kind): boolean {
    const depth = this.#levels.length;
    if (depth < this.#steps.length) return true;
    const isContainer = kind === 'list' || kind === 'object';
    return depth === this.#steps.length && isContainer && !this.isMany && this.#options.opensEnd;
  }

  #goIn(at: Place, kind: Kind): false {
    const depth = this.#levels.length;
    const rank = this.#passed[depth] ?? 0;
    this.#passed[depth] = rank + 1;
    if (kind === 'object' || kind === 'list') {
      const isList = kind === 'list';
      if (depth === this.#steps.length) {
        this.isFound = true;
        this.isMany = true;
        this.opened = kind;
      }
      const length = this.#options.lengths.get(depth)?.[rank] ?? 0;
      this.#levels.push({
        isList,
        members: membersOf(this.#steps[depth], isList, length),
        count: 0,
        keys: [],
        key: '',
        end: at.chars,
      });
      return false;
    }
    this.#noteDeadEnd({ depth, kind: 'value', count: 0, keys: [] });
    return this.#passOver(at, kind === 'text');
  }

  #passOver(at: Place, isOpening: boolean): false {
    this.#isOff = isOpening;
    if (isOpening) at.skip();
    return false;
  }

  #leave(at: Place): void {
    if (this.#isOff) {
      this.#isOff = false;
    } else if (this.#taker) {
      this.#open -= 1;
      if (this.#open === 0) this.#finish(this.#taker);
    } else {
      this.#leaveLevel();
    }
    this.#endMember(at);
  }

  /** A value has ended; it is a member of the innermost level unless it is within one that is taken. */
  #endMember(at: Place): void {
    const level = this.#levels.at(-1);
    if (level && !this.#taker) level.end = at.chars;
  }

  #leaveLevel(): void {
    const level = this.#levels.pop();
    const depth = this.#levels.length;
    if (depth === this.#steps.length) this.isDone = true;
    else if (level) this.#noteDeadEnd({ depth, kind: level.isList ? 'list' : 'object', ...level });
  }

  #noteDeadEnd(end: DeadEnd): void {
    if (end.depth > (this.deadEnd?.depth ?? -1)) this.deadEnd = end;
  }

  #finish(taker: Taker): void {
    taker.done();
    this.#taker = undefined;
    this.isDone = !this.isMany;
  }
}

function membersOf(step: Step | undefined, isList: boolean, length: number): Members {
  if (step === undefined || step.kind === 'each') return ALL;
  if (step.kind === 'name') {
    if (!isList) return { name: step.name };
    return /^(?:0|[1-9]\d{0,14})$/.test(step.name) ? one(Number(step.name)) : NONE;
  }
  if (!isList) return NONE;
  const fromEnd = (index: number) => (index < 0 ? length + index : index);
  if (step.kind === 'item') return one(fromEnd(step.index));
  return { from: fromEnd(step.from), to: fromEnd(step.to) };
}

function one(index: number): Members {
  return { from: index, to: index + 1 };
}
