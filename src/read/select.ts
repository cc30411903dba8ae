import { PlimsollError } from '../errors.ts';
import type { Held } from '../json/held.ts';
import { JsonError, JsonWalk } from '../json/walk.ts';
import { ENVELOPE } from '../spool/envelope.ts';
import type { Kept, Part } from '../spool/types.ts';
import { type Fitted, fittedJson, Items } from './items.ts';
import { readPage } from './page.ts';
import { ownParts, shortened, standsAsText, textPartOf } from './parts.ts';
import { isFromEnd, isMany, type Path, parsePath, pathOf, pointerOf } from './path.ts';
import { type DeadEnd, type Kind, PathWalk, type Taker } from './path-walk.ts';
import { fitted } from './room.ts';
import { holding, Keys, Length, Stretch } from './takers.ts';
import { TextFile } from './text-file.ts';

/** What is read at once, in bytes. */
const CHUNK = 64 * 1024;

/** The fields of an MCP result: a path that starts with one leads into the result, others into its data. */
const RESULT_FIELDS = ['content', 'structuredContent', 'contents', 'messages', 'isError', '_meta'];

/** What stands around the result of a task. */
const TASK_RESULT = 'result';

export interface SelectAsked {
  /**
   * The name of a part. Without one, a path that starts with a result's field is for the result, another for its data,
   * which is the first part that is JSON; the empty path is for the result if it has several parts.
   */
  readonly part?: string | undefined;
  /** As `parsePath` reads it. */
  readonly path: string;
  /** The first item of a list or of several values, entry of an object, or character of a string, from 0. */
  readonly from?: number | undefined;
  /** At most so many of them. */
  readonly count?: number | undefined;
}

export interface Selected {
  /** The part's name. */
  readonly part: string;
  /** The path within the part. */
  readonly path: string;
  /** JSON; or, in characters, what a string says. */
  readonly text: string;
  /** Which items, entries, characters or (one and all) value is shown. */
  readonly unit: 'items' | 'entries' | 'chars' | 'value';
  readonly from: number;
  /** Not included. */
  readonly to: number;
  readonly of: number;
  /** Where to go on; absent at the end. */
  readonly next?: number;
  /** Where the rest is of what is not shown whole: the one value, item or entry. */
  readonly rest?: Rest;
}

/** Where what was shortened is found. */
export interface Rest {
  /** The part's name. */
  readonly part: string;
  /** The JSON pointer within the part, of what can be selected. */
  readonly path?: string;
  /** From which character, item or entry of it on there is something missing. */
  readonly from?: number;
  /** The character of the part from which on it can be read instead; none for a medium, which is a part. */
  readonly start?: number;
}

/**
 * What a path leads to in kept JSON of any size, in bounded memory: as JSON, of a list or an object a member a line and
 * as many members as there is room for; of a string its characters. A member that has no room is shortened, shown
 * alone, and told where the rest of it is. What is shown takes at most `room` within a JSON string, of which 80 are
 * always enough.
 *
 * Throws `BAD_PATH` for what is no path or leads nowhere, `NOT_IN_SPOOL`, and `BAD_USAGE` for what is no JSON.
 */
export async function selectIn(kept: Kept, asked: SelectAsked, room: number): Promise<Selected> {
  const { part, path, isString } = targetOf(kept, asked.part, parsePath(asked.path));
  if (isString) return selectText(kept, part, asked, room);
  const file = await TextFile.open(kept, part);
  try {
    const { rest, ...selected } = await new Selection(file, path, asked, room).run();
    return { ...selected, ...(rest && { rest: mediumAt(kept, rest) ?? rest }) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new PlimsollError('BAD_USAGE', `Part ${part.name} is not JSON: ${error.message}.`, {
      cause: error,
    });
  } finally {
    await file.close();
  }
}

/** The medium that stands where something was shortened in the result. */
function mediumAt(kept: Kept, { part, path }: Rest): Rest | undefined {
  if (part !== ENVELOPE) return undefined;
  const medium = kept.parts.find(({ kind, at }) => kind === 'media' && at === path);
  return medium && { part: medium.name };
}

interface Target {
  readonly part: Part;
  readonly path: Path;
  /** Whether the whole part is a string of the result. */
  readonly isString: boolean;
}

/** The part that a path is about, and the path within it. */
function targetOf(kept: Kept, name: string | undefined, path: Path): Target {
  const envelope = kept.parts.find((part) => part.name === ENVELOPE);
  const isForResult = name === ENVELOPE || (name === undefined && leadsIntoResult(kept, path));
  if (!envelope || !isForResult) {
    return { part: textPartOf(kept, name, ({ kind }) => kind === 'json'), path, isString: false };
  }
  for (const part of kept.parts) {
    const depth = part.at.split('/').length - 1;
    if (part.kind === 'media' || depth === 0 || pointerOf(path.steps.slice(0, depth)) !== part.at) continue;
    const steps = path.steps.slice(depth);
    const isString = steps.length === 0 && path.last === undefined && standsAsText(part);
    if (isString || part.kind === 'json') return { part, path: { ...path, steps }, isString };
  }
  return { part: envelope, path, isString: false };
}

function leadsIntoResult(kept: Kept, { steps }: Path): boolean {
  const own = ownParts(kept);
  if (steps.length === 0) return own.length > 1 || own.every(({ kind }) => kind !== 'json');
  const [first, second] = steps.map((step) => (step.kind === 'name' ? step.name : ''));
  const field = first === TASK_RESULT ? second : first;
  return field !== undefined && RESULT_FIELDS.includes(field);
}

async function selectText(
  kept: Kept,
  part: Part,
  { from, count }: SelectAsked,
  room: number,
): Promise<Selected> {
  const page = await readPage(kept, { part: part.name, from, count }, room);
  const { text, to, of, next } = page;
  return {
    part: part.name,
    path: '.',
    text,
    unit: 'chars',
    from: page.from,
    to,
    of,
    ...(next !== undefined && { next }),
  };
}

type Shown = Omit<Selected, 'part' | 'path' | 'rest'>;

class Selection {
  readonly #file: TextFile;
  readonly #path: Path;
  readonly #from: number;
  readonly #count: number;
  readonly #room: number;
  readonly #items: Items;
  #text: Stretch | undefined;
  #value: Held | undefined;
  #rest: Rest | undefined;

  constructor(
    file: TextFile,
    path: Path,
    { from = 0, count = Number.POSITIVE_INFINITY }: SelectAsked,
    room: number,
  ) {
    this.#file = file;
    this.#path = path;
    this.#from = from;
    this.#count = count;
    this.#room = room;
    this.#items = new Items(from, count, room);
  }

  async run(): Promise<Selected> {
    const { steps, last } = this.#path;
    const walk: PathWalk = new PathWalk(steps, {
      lengths: await this.#lengths(),
      opensEnd: last === undefined,
      take: (kind) => this.#take(walk, kind),
    });
    await this.#walk(walk);
    if (!walk.isFound) this.#checkDeadEnd(walk.deadEnd);
    const shown = this.#shown(walk.opened);
    const rest = this.#rest && { rest: this.#rest };
    return { part: this.#file.part.name, path: pathOf(steps), ...shown, ...rest };
  }

  #take(walk: PathWalk, kind: Kind): Taker | undefined {
    const { steps, last } = this.#path;
    const { start, entryKey, place } = walk;
    if (last === 'length') return new Length((length) => this.#setValue(length));
    if (last === 'keys') {
      if (kind !== 'object') throw badPath(`There are no keys: ${pathOf(steps)} is no object.`);
      return new Keys(
        (key) => this.#items.wantsNext() && this.#add(key, undefined, { path: undefined, start }),
      );
    }
    if (!walk.isMany) {
      if (kind !== 'text') return holding(this.#room, (value) => this.#setValue(value, start));
      this.#text = new Stretch(this.#from, Math.min(this.#count, this.#room));
      return this.#text;
    }
    if (!this.#items.wantsNext()) return undefined;
    const path = kind === 'value' ? undefined : pointerOf(place);
    return holding(this.#items.room, (value) => this.#add(value, entryKey, { path, start }));
  }

  /** Takes a member, which can be selected by a JSON pointer unless that is undefined. */
  #add(value: Held, key: string | undefined, at: { path: string | undefined; start: number }): void {
    const shown = this.#items.add(value, key);
    if (shown) this.#rest = this.#restOf(shown, at);
  }

  #setValue(value: Held, start = 0): void {
    this.#value = value;
    this.#rest = { part: this.#file.part.name, start };
  }

  #restOf({ gaps = [] }: Fitted, { path, start }: { path: string | undefined; start: number }): Rest {
    const part = this.#file.part.name;
    const [gap, ...others] = gaps;
    if (path === undefined) return { part, start };
    if (!gap || others.length > 0) return { part, path, start };
    return { part, path: path + (gap.at ?? ''), from: gap.from, start };
  }

  /** How long the lists are that a step counts from the end of: by a walk for each such step. */
  async #lengths(): Promise<ReadonlyMap<number, readonly number[]>> {
    const lengths = new Map<number, number[]>();
    const { steps } = this.#path;
    for (const [depth, step] of steps.entries()) {
      if (!isFromEnd(step)) continue;
      const found: number[] = [];
      const take = () => new Length((length) => found.push(length));
      await this.#walk(new PathWalk(steps.slice(0, depth), { lengths, opensEnd: false, take }));
      lengths.set(depth, found);
    }
    return lengths;
  }

  async #walk(walk: PathWalk): Promise<void> {
    const json = new JsonWalk(walk, { mayHaveMark: true });
    for (let at = 0; !walk.isDone; ) {
      const bytes = await this.#file.read(at, CHUNK);
      if (bytes.length === 0) {
        json.finish();
        return;
      }
      json.write(bytes);
      at += bytes.length;
    }
  }

  #shown(opened: 'object' | 'list' | undefined): Shown {
    if (this.#text) return this.#shownText(this.#text);
    if (this.#value !== undefined) return this.#shownValue(this.#value);
    const { from, to, count: of } = this.#items;
    const isObject = opened === 'object';
    const unit = isObject ? 'entries' : 'items';
    this.#checkStart(of, unit);
    const next = to < of ? { next: to } : {};
    return { text: this.#items.toString(isObject ? '{}' : '[]'), unit, from, to, of, ...next };
  }

  #shownText({ kept, from, length: of }: Stretch): Shown {
    this.#checkStart(of, 'characters');
    const wanted = kept.slice(0, this.#count);
    const text = fitted(wanted.isWellFormed() ? wanted : kept.slice(0, this.#count + 1), this.#room);
    const to = from + text.length;
    const next = to < of ? { next: to } : {};
    return { text, unit: 'chars', from, to, of, ...next };
  }

  #shownValue(value: Held): Shown {
    this.#checkStart(0, 'items');
    const { json, gaps } = fittedJson(value, this.#room);
    if (gaps?.length === 0) this.#rest = undefined;
    return { text: json, unit: 'value', from: 0, to: 1, of: 1 };
  }

  #checkStart(of: number, noun: string): void {
    if (this.#from <= of) return;
    const path = pathOf(this.#path.steps);
    throw new PlimsollError(
      'BAD_USAGE',
      `There is nothing from ${this.#from} on: ${path} has ${of} ${noun}.`,
    );
  }

  /** Throws `BAD_PATH`, but for a list that has none of the items that the path leads on to. */
  #checkDeadEnd(end: DeadEnd | undefined): void {
    const { steps } = this.#path;
    const depth = end?.depth ?? 0;
    const step = steps[depth];
    if (end?.kind === 'list' && step && isMany(step)) return;
    throw badPath(
      `There is no ${pathOf(steps.slice(0, depth + 1))}: ${pathOf(steps.slice(0, depth))} ${inWords(end)}.`,
    );
  }
}

function inWords(end: DeadEnd | undefined): string {
  if (end?.kind === 'list') return `is a list of ${end.count} items`;
  if (end?.kind !== 'object') return 'is neither a list nor an object';
  const keys = end.keys.map((key) => JSON.stringify(shortened(key)));
  const more = end.count > keys.length ? ` and ${end.count - keys.length} more` : '';
  return keys.length === 0 ? 'is an object without keys' : `has the keys ${keys.join(', ')}${more}`;
}

function badPath(message: string): PlimsollError {
  return new PlimsollError('BAD_PATH', message);
}
