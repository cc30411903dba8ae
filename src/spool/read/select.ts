import { PlimsollError } from '../../errors.ts';
import type { Held } from '../../json/held.ts';
import { JsonError, JsonWalk } from '../../json/walk.ts';
import type { Kept, Part } from '../types.ts';
import { fittedJson, Items } from './items.ts';
import { readPage } from './page.ts';
import { partOf, shortened, textPartOf } from './parts.ts';
import { isMany, type Path, parsePath, pathOf, type Step } from './path.ts';
import { type DeadEnd, type Kind, PathWalk, type Taker } from './path-walk.ts';
import { fitted } from './room.ts';
import { holding, Keys, Length, Stretch } from './takers.ts';
import { TextFile } from './text-file.ts';

/** What is read at once, in bytes. */
const CHUNK = 64 * 1024;

/** The fields of an MCP result: a path that starts with one leads into the result, others into its data. */
const RESULT_FIELDS = ['content', 'structuredContent', 'contents', 'messages', 'isError', '_meta'];

export interface SelectAsked {
  /** The name of a part. Without one, a path that starts with a result's field is for the result, another for its data. */
  readonly part?: string | undefined;
  /** As `parsePath` reads it. */
  readonly path: string;
  /** The first item of a list or of several values, or the first character of a string, from 0. */
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
  /** Which items, characters or (one and all) value is shown. */
  readonly unit: 'items' | 'chars' | 'value';
  readonly from: number;
  /** Not included. */
  readonly to: number;
  readonly of: number;
  /** Where to go on; absent at the end. */
  readonly next?: number;
  /** Whether a value is not shown whole. */
  readonly isShortened: boolean;
}

/**
 * What a path leads to in kept JSON of any size, in bounded memory: as JSON, of a list an item a line and as many
 * items as there is room for; of a string its characters. A value that is too large is shortened, and says so. What is
 * shown takes at most `room` within a JSON string, of which 80 are always enough.
 *
 * Throws `BAD_PATH` for what is no path or leads nowhere, `NOT_IN_SPOOL`, and `BAD_USAGE` for what is no JSON.
 */
export async function selectIn(kept: Kept, asked: SelectAsked, room: number): Promise<Selected> {
  const { part, path, isString } = targetOf(kept, asked.part, parsePath(asked.path));
  if (isString) return selectText(kept, part, asked, room);
  const file = await TextFile.open(part);
  try {
    return await new Selection(file, path, asked, room).run();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new PlimsollError('BAD_USAGE', `Part ${part.name} is not JSON: ${error.message}.`, {
      cause: error,
    });
  } finally {
    await file.close();
  }
}

interface Target {
  readonly part: Part;
  readonly path: Path;
  /** Whether the whole part is a string of the result. */
  readonly isString: boolean;
}

/** The part that a path is about, and the path within it. */
function targetOf(kept: Kept, name: string | undefined, path: Path): Target {
  const [first] = path.steps;
  const isForResult = first?.kind === 'name' && RESULT_FIELDS.includes(first.name);
  if (name !== undefined || !isForResult) {
    const part = textPartOf(kept, name, ({ kind }) => kind === 'json');
    return { part, path, isString: false };
  }
  for (const { name: inner, at, of, kind } of kept.parts) {
    const depth = at.split('/').length - 1;
    if (depth === 0 || pointerOf(path.steps.slice(0, depth)) !== at) continue;
    const part = textPartOf(kept, inner);
    const steps = path.steps.slice(depth);
    const isText = of === undefined ? at !== '/structuredContent' : kind === 'text';
    return { part, path: { ...path, steps }, isString: steps.length === 0 && isText };
  }
  return { part: partOf(kept, 'result'), path, isString: false };
}

/** A JSON pointer; undefined if a step is none of a pointer's. */
function pointerOf(steps: readonly Step[]): string | undefined {
  const tokens = steps.map((step) => {
    if (step.kind === 'name') return step.name.replaceAll('~', '~0').replaceAll('/', '~1');
    return step.kind === 'item' ? String(step.index) : undefined;
  });
  return tokens.includes(undefined) ? undefined : tokens.map((token) => `/${token}`).join('');
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
    isShortened: false,
  };
}

class Selection {
  readonly #file: TextFile;
  readonly #path: Path;
  readonly #from: number;
  readonly #count: number;
  readonly #room: number;
  readonly #items: Items;
  #text: Stretch | undefined;
  #value: Held | undefined;

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
      opensList: last === undefined,
      take: (kind) => this.#take(walk, kind),
    });
    await this.#walk(walk);
    if (!walk.isFound) this.#checkDeadEnd(walk.deadEnd);
    return { part: this.#file.part.name, path: pathOf(steps), ...this.#shown() };
  }

  #take(walk: PathWalk, kind: Kind): Taker | undefined {
    const { steps, last } = this.#path;
    if (last === 'length') return new Length((length) => this.#setValue(length));
    if (last === 'keys') {
      if (kind !== 'object') throw badPath(`There are no keys: ${pathOf(steps)} is no object.`);
      return new Keys((key) => this.#items.wantsNext() && this.#items.add(key));
    }
    if (walk.isMany) {
      return this.#items.wantsNext() ? holding(this.#items.room, (item) => this.#items.add(item)) : undefined;
    }
    if (kind !== 'text') return holding(this.#room, (value) => this.#setValue(value));
    this.#text = new Stretch(this.#from, Math.min(this.#count, this.#room));
    return this.#text;
  }

  #setValue(value: Held): void {
    this.#value = value;
  }

  /** How long the lists are that a step counts from the end of: by a walk for each such step. */
  async #lengths(): Promise<ReadonlyMap<number, readonly number[]>> {
    const lengths = new Map<number, number[]>();
    const { steps } = this.#path;
    for (const [depth, step] of steps.entries()) {
      if (!isFromEnd(step)) continue;
      const found: number[] = [];
      const take = () => new Length((length) => found.push(length));
      await this.#walk(new PathWalk(steps.slice(0, depth), { lengths, opensList: false, take }));
      lengths.set(depth, found);
    }
    return lengths;
  }

  async #walk(walk: PathWalk): Promise<void> {
    const json = new JsonWalk(walk);
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

  #shown(): Omit<Selected, 'part' | 'path'> {
    if (this.#text) return this.#shownText(this.#text);
    if (this.#value !== undefined) return this.#shownValue(this.#value);
    const { from, to, count: of, isShortened } = this.#items;
    this.#checkStart(of, 'items');
    const next = to < of ? { next: to } : {};
    return { text: String(this.#items), unit: 'items', from, to, of, ...next, isShortened };
  }

  #shownText({ kept, from, length: of }: Stretch): Omit<Selected, 'part' | 'path'> {
    this.#checkStart(of, 'characters');
    const wanted = kept.slice(0, this.#count);
    const text = fitted(wanted.isWellFormed() ? wanted : kept.slice(0, this.#count + 1), this.#room);
    const to = from + text.length;
    const next = to < of ? { next: to } : {};
    return { text, unit: 'chars', from, to, of, ...next, isShortened: false };
  }

  #shownValue(value: Held): Omit<Selected, 'part' | 'path'> {
    this.#checkStart(0, 'items');
    const { json, isShortened } = fittedJson(value, this.#room);
    return { text: json, unit: 'value', from: 0, to: 1, of: 1, isShortened };
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

function isFromEnd(step: Step): boolean {
  if (step.kind === 'slice') return step.from < 0 || step.to < 0;
  return step.kind === 'item' && step.index < 0;
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
