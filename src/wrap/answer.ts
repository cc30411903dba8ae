import { excessOf } from '../bound/result/measure.ts';
import type { Readers } from '../bound/words.ts';
import { type Held, isHeldObject } from '../json/held.ts';
import type { Limit } from '../measure/limit.ts';
import type { Spool } from '../spool/spool.ts';
import { type Bounding, boundJson, boundTaken, leastOf, passesAnyway, take } from './bounding.ts';
import { type BoundedMethod, isComplete, pathToTask, taskMadeBy } from './kinds.ts';
import { boundNotes, type Notes, notesIn, sizeOf } from './notes.ts';
import { type Edit, editedOf, type Path, piecesOf, placesIn } from './places.ts';
import { fieldOf } from './requests.ts';
import type { Taken } from './taking.ts';
import type { Frame } from './types.ts';

/** What a result answers. */
export interface Asked {
  readonly method: BoundedMethod;
  /** The tool's or the prompt's name, or the resource's address; of a task's result, of the tool that made the task. */
  readonly name?: string | undefined;
  /** As they were given; a text with the start of their JSON if they are long. */
  readonly arguments?: unknown;
}

/** Finds out the schema that the client has for structured results of the tool; undefined if it has none. */
export type FindSchema = () => Promise<unknown>;

/** How results are bounded, and for whom. */
export interface How {
  readonly limit: Limit;
  readonly mode: 'bound' | 'inline' | 'spool';
  readonly spool: Spool;
  readonly server?: string | undefined;
  readonly readers: Readers;
  /** Whether only one text block reaches the client's model. */
  readonly joinBlocks: boolean;
  /** Whether the client knows `resource_link` blocks. */
  readonly links: boolean;
  /** Whether the client counts base64 as text. */
  readonly base64IsText?: boolean | undefined;
}

/** What has to be known of, or told to, others. */
export interface Surroundings {
  readonly findSchema: FindSchema;
  /** Is told the id of the task that an answer says was made. */
  readonly becameTask: (task: string) => void;
}

interface Job extends Bounding, Surroundings {}

/** Why a result is not bounded that is none in any revision of MCP: clients that are strict refuse it. */
const NO_OBJECT = 'it is no object';

/** Of what tells of a task that has a result, all but the result gets at most so much of the limit. */
const NOTES_SHARE = 1 / 4;

/**
 * The whole message with what a model reads of it bounded, whatever its size; undefined if it may pass as it is: if it
 * is within the limit, or if all of it is to pass. That is a complete result, the texts and data of an error, and those
 * of what tells of a task, with the result in it; all else stays byte for byte. A schema is looked for only where
 * `structuredContent` is to be cut.
 *
 * Throws a `JsonError` if nobody can say what the message says, an error if its result may be over the limit and is no
 * object, and what the system says where it can't be read.
 */
export async function boundAnswer(
  frame: Frame,
  asked: Asked,
  how: How,
  surroundings: Surroundings,
): Promise<Buffer | undefined> {
  const isLarge = frame.message === undefined;
  if (isLarge && how.mode === 'inline') return undefined;
  const edits = await editsFor(frame, { asked, how, ...surroundings });
  return edits.length === 0 ? undefined : editedOf(frame, edits);
}

function editsFor(frame: Frame, job: Job): Promise<readonly Edit[]> {
  if (frame.answers === 'error') return boundError(frame, job);
  const path = pathToTask(job.asked.method);
  return path ? boundState(frame, path, job) : boundResult(frame, job);
}

async function boundResult(frame: Frame, job: Job): Promise<readonly Edit[]> {
  const isLarge = frame.message === undefined;
  const taken = isLarge ? await take(piecesOf(frame), ['result'], job) : undefined;
  const result = isLarge ? taken?.takenIn.held : (fieldOf(frame.message, 'result') as Held | undefined);
  const task = job.asked.method === 'tools/call' ? taskMadeBy(result) : undefined;
  if (task !== undefined) job.becameTask(task);
  if (task === undefined && isComplete(result)) {
    return taken ? boundTakenAt(taken, job) : boundSmall(frame, ['result'], job);
  }
  await taken?.takenIn.draft?.discard();
  return task === undefined ? [] : boundState(frame, ['result'], job);
}

async function boundError(frame: Frame, job: Job): Promise<readonly Edit[]> {
  const { how } = job;
  if (how.mode === 'inline') return [];
  const notes = await notesIn(frame, ['error'], true);
  return notes && !(await isWithin(frame, notes, how))
    ? boundNotes(frame, notes, { ...job, how: lessRoom(how, around(notes)) })
    : [];
}

/** Bounds what tells of a task: its texts and data, and its result, if it has one. */
async function boundState(frame: Frame, path: readonly string[], job: Job): Promise<readonly Edit[]> {
  const { how } = job;
  if (passesAnyway(frame.size, how)) return [];
  const notes = await notesIn(frame, path, false);
  if (!notes) return [];
  const { whole, result } = notes;
  const isWhole = how.mode === 'inline' || (await isWithin(frame, notes, how));
  const room = result ? shareOf(how, NOTES_SHARE) : lessRoom(how, around(notes));
  const edits = isWhole ? [] : await boundNotes(frame, notes, { ...job, how: room });
  if (!result) return edits;
  const others = sizeOf([whole]) - sizeOf([result]) - gainOf(edits);
  const rest = { ...job, how: lessRoom(how, others) };
  return [...edits, ...(await boundWithin(frame, [...path, 'result'], rest))];
}

/** Whether an error, or what tells of a task, is within the limit as it is. */
async function isWithin(frame: Frame, { whole }: Notes, { limit }: How): Promise<boolean> {
  if (sizeOf([whole]) <= leastOf(limit)) return true;
  const value = whole.path.reduce<unknown>((outer, key) => fieldOf(outer, String(key)), frame.message);
  return value !== undefined && (await excessOf(JSON.stringify(value), value as Held, limit)) <= 1;
}

/** How many bytes stand around notes and a task's result. */
function around({ whole, notes, result }: Notes): number {
  return sizeOf([whole]) - sizeOf(notes) - sizeOf(result ? [result] : []);
}

/** By how many bytes edits make a message smaller. */
function gainOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { from, to, text }) => sum + to - from - Buffer.byteLength(text), 0);
}

/** Bounds the result at a path. */
async function boundWithin(
  frame: Frame,
  path: readonly string[],
  bounding: Bounding,
): Promise<readonly Edit[]> {
  if (frame.message !== undefined) return boundSmall(frame, path, bounding);
  const taken = await take(piecesOf(frame), path, bounding);
  return taken ? boundTakenAt(taken, bounding) : [];
}

/** Bounds a result that was parsed with its frame. */
async function boundSmall(
  frame: Frame,
  path: readonly string[],
  bounding: Bounding,
): Promise<readonly Edit[]> {
  if (passesAnyway(frame.size, bounding.how)) return [];
  const result = path.reduce<unknown>(fieldOf, frame.message);
  if (!isHeldObject(result)) {
    if (bounding.how.mode === 'inline') return [];
    throw new Error(NO_OBJECT);
  }
  const json = frame.bytes() as Buffer;
  const place = placesIn(json, (other) => isSame(other, path)).at(-1);
  if (!place) return [];
  const text = await boundJson(json.subarray(place.from, place.to), result, bounding);
  return text === undefined ? [] : [{ ...place, text }];
}

async function boundTakenAt({ takenIn, from, to }: Taken, bounding: Bounding): Promise<readonly Edit[]> {
  if (!isHeldObject(takenIn.held)) {
    await takenIn.draft?.discard();
    throw new Error(NO_OBJECT);
  }
  const text = await boundTaken(takenIn, bounding);
  return text === undefined ? [] : [{ from, to, text }];
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

/** What may pass of what other things stand around, so that all of it is within the limit. */
function lessRoom(how: How, around: number): How {
  return withLimits(how, (limit) => limit - around);
}

function shareOf(how: How, share: number): How {
  return withLimits(how, (limit) => limit * share);
}

function withLimits(how: How, change: (limit: number) => number): How {
  const { chars, bytes, tokens, lines } = how.limit;
  const changed = (limit: number) => Math.max(1, Math.floor(change(limit)));
  return {
    ...how,
    limit: {
      chars: changed(chars),
      ...(bytes !== undefined && { bytes: changed(bytes) }),
      ...(tokens !== undefined && { tokens: changed(tokens) }),
      ...(lines !== undefined && { lines }),
    },
  };
}
