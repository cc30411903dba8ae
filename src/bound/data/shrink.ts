import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';
import type { Cost, Gap, Words } from '../types.ts';
import { pieceOf } from './build.ts';
import { costOfWords, withWords } from './further-words.ts';
import { noticeKey } from './notice-key.ts';
import { briefOf, type Job, type Piece } from './piece.ts';
import type { Place } from './place.ts';
import type { Schema } from './schema.ts';
import { isEndless } from './steps.ts';
import { ROOM_FOR_CALL } from './text-piece.ts';

export interface ShrinkOptions {
  readonly words: Words;
  /** The part that keeps the whole, for the gaps. */
  readonly part?: string | undefined;
  /** The share of the room that ends get, of strings and of lists. */
  readonly tailShare?: number | undefined;
  /** What a piece of JSON costs where it will stand; its length by default. No character costs less than one. */
  readonly cost?: Cost | undefined;
  /** As `JSON.stringify` takes it. */
  readonly indent?: number | string | undefined;
  /** What is within so many lists and objects stands in one line; there is no such depth by default. */
  readonly indentDepth?: number | undefined;
  /** What the value has to keep to. */
  readonly schema?: Schema | undefined;
  /** The address of the whole, which may stand for an address too long to stay. */
  readonly uri?: string | undefined;
  /** Whether the root says what is missing in all; true by default. */
  readonly notice?: boolean | undefined;
  /** Fields of the root that stay as they are. */
  readonly keeps?: ReadonlySet<string> | undefined;
}

export interface Shrunk {
  /** Held whole. */
  readonly value: Held;
  /** In the order of the value; none if it is as it was. */
  readonly gaps: readonly Gap[];
  /** Whether the root says what is missing in all. */
  readonly hasNotice?: boolean | undefined;
}

const TAIL_SHARE = 0.4;
/** How often a notice is written again because it came out longer than it was thought to be. */
const TRIES = 6;

/**
 * Makes a value smaller until its JSON costs at most `room`; undefined if it can't be. What fits is the same value.
 *
 * Every value within a list or an object gets an equal share of the room, or what it takes whole; long strings keep a
 * head and a tail, lists and objects their first and last members. Base64 is replaced whole. What is missing is said in
 * place (a text between, an item, a field `_plimsoll`) and, by a notice, at the start of the root: an object's first
 * field; of a list the item that stands for what is missing, or the first one.
 *
 * Within a schema the result validates, but for formats that the value itself breaks, and strings, numbers, members change only as the schema allows; what is missing
 * is said where it takes a text.
 */
export function shrink(value: Held, room: number, options: ShrinkOptions): Shrunk | undefined {
  try {
    return shrunk(value, room, options);
  } catch (error) {
    if (isEndless(error)) return undefined;
    throw error;
  }
}

/** Makes a value as small as it can be without a schema; what is missing is said in place, at the root too. */
export function smallest(value: Held, options: Omit<ShrinkOptions, 'schema' | 'notice'>): Shrunk {
  const root = pieceOf(jobOf(options, false), value, {
    depth: 0,
    spot: undefined,
    place: undefined,
    isTold: false,
  });
  const gaps: Gap[] = [];
  return { value: root.to(root.least, gaps).value, gaps };
}

function shrunk(value: Held, room: number, options: ShrinkOptions): Shrunk | undefined {
  const { schema, notice = true } = options;
  if (schema && !schema.places) return undefined;
  const strict = [
    ...(notice ? [{ isCareful: false, hasNotice: true }] : []),
    { isCareful: false, hasNotice: false },
    ...(schema ? [{ isCareful: true, hasNotice: false }] : []),
  ].map((plan) => ({ ...plan, mayBreakFormats: false }));
  // Strings with a format stay as they are, so what breaks one did so before.
  const loose = schema ? strict.map((plan) => ({ ...plan, mayBreakFormats: true })) : [];
  for (const { isCareful, hasNotice, mayBreakFormats } of [...strict, ...loose]) {
    const job = jobOf(options, isCareful);
    const root = pieceOf(job, value, {
      depth: 0,
      spot: undefined,
      place: schema?.places?.root,
      isTold: hasNotice,
    });
    if (root.asIs <= room) return { value, gaps: [] };
    const made = hasNotice
      ? withNotice(root, value, room, job, schema)
      : isCareful || !schema?.places
        ? plain(root, room)
        : withWordsSomewhere(root, value, room, job, schema.places.root);
    if (made && (!schema || isValid(schema, made.value, mayBreakFormats))) return made;
  }
  return undefined;
}

function isValid(schema: Schema, value: Held, mayBreakFormats: boolean): boolean {
  return mayBreakFormats ? schema.validateButFormats(value) : schema.validate(value);
}

function jobOf(
  {
    cost = lengthOf,
    indent,
    indentDepth = Number.POSITIVE_INFINITY,
    words,
    part,
    tailShare,
    uri,
    schema,
    keeps = new Set(),
  }: ShrinkOptions,
  isCareful: boolean,
): Job {
  const step = typeof indent === 'number' ? ' '.repeat(Math.min(10, indent)) : (indent ?? '').slice(0, 10);
  const ends: number[] = [];
  const isFlat = (depth: number) => step === '' || depth >= indentDepth;
  const colons = [cost(':'), cost(': ')] as const;
  return {
    cost,
    words,
    part,
    isBound: schema !== undefined,
    tailShare: tailShare ?? TAIL_SHARE,
    uri,
    keeps,
    isFlat,
    colon: (depth) => colons[isFlat(depth) ? 0 : 1],
    lineEnd(depth) {
      ends[depth] ??= cost(`\n${step.repeat(depth)}`);
      return ends[depth];
    },
    isCareful,
    silent: new Set(),
  };
}

function lengthOf(text: string): number {
  return text.length;
}

function plain(root: Piece, room: number): Shrunk | undefined {
  if (root.least > room) return undefined;
  const gaps: Gap[] = [];
  return { value: root.to(room, gaps).value, gaps };
}

/** A value in which a text or a field tells, if one may, what is missing where nothing could be said of it. */
function withWordsSomewhere(
  root: Piece,
  original: Held,
  room: number,
  job: Job,
  place: Place,
): Shrunk | undefined {
  const best = plain(root, room);
  let shrunk = best;
  let reserved = 0;
  for (let tries = 0; shrunk && tries < TRIES; tries++) {
    const silent = shrunk.gaps.filter((gap) => job.silent.has(gap));
    const [first] = silent;
    if (!first) return shrunk;
    const text = room < ROOM_FOR_CALL ? job.words.brief(first) : job.words.notice(silent);
    const cost = costOfWords(text, job.cost);
    const value = withWords(shrunk.value, original, place, text);
    if (value === undefined) break;
    if (cost <= reserved) return { value, gaps: shrunk.gaps };
    reserved = cost;
    shrunk = plain(root, room - reserved);
  }
  return best;
}

/** The root with a notice in it, if it is a list or an object and, under a schema, takes one. */
function withNotice(
  root: Piece,
  original: Held,
  room: number,
  job: Job,
  schema: Schema | undefined,
): Shrunk | undefined {
  let reserved = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const shrunk = plain(root, room - reserved);
    if (!shrunk) return undefined;
    const { value, gaps } = shrunk;
    const own = gaps.filter(({ at, unit }) => at === '' && unit !== 'chars');
    const text = [job.words.notice(gaps), briefOf(job.words, own)].filter((part) => part !== '').join(' ');
    const told = tell(value, text, own[0]?.from ?? 0, schema && { schema, original });
    if (!told) return undefined;
    const cost = costOfNotice(value, text, job);
    if (cost <= reserved) return { value: told, gaps, hasNotice: true };
    reserved = cost;
  }
  return undefined;
}

function costOfNotice(value: Held, text: string, job: Job): number {
  const key = isHeldObject(value)
    ? job.cost(JSON.stringify(noticeKey(Object.keys(value)))) + job.colon(0)
    : 0;
  const lineEnds = job.isFlat(0) ? 0 : job.lineEnd(1) + job.lineEnd(0);
  return key + job.cost(JSON.stringify(text)) + job.cost(',') + lineEnds;
}

/** The root with a text as its first field, or as an item before that at `index`. */
function tell(
  value: Held,
  text: string,
  index: number,
  within: { schema: Schema; original: Held } | undefined,
): Held | undefined {
  const rules = within?.schema.places?.root.rulesFor(within.original);
  if (Array.isArray(value)) {
    const takes = !rules || (index >= rules.firstItems && rules.item(index).takes(text));
    return takes ? value.toSpliced(index, 0, text) : undefined;
  }
  if (!isHeldObject(value)) return undefined;
  const key = noticeKey(Object.keys(value));
  if (rules && !rules.takesProperty(key, text)) return undefined;
  const told: HeldObject = Object.assign(Object.create(null), { [key]: text });
  for (const [name, field] of Object.entries(value)) told[name] = field;
  return told;
}
