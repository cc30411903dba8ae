import { cutHead } from '../text/cut.ts';
import { type Bounding, boundJson, boundTaken, take } from './bounding.ts';
import {
  bytesOf,
  type Edit,
  joined,
  type Path,
  type Place,
  piecesOf,
  placesIn,
  placesOf,
  type Source,
} from './places.ts';
import { fieldOf, textOf } from './requests.ts';

/** What a model may read of an error, or of what tells of a task, beside the task's result. */
export interface Notes {
  /** The error, or what tells of the task. */
  readonly whole: Place;
  readonly isError: boolean;
  /** Its long texts and data, and the text that says what there is to say, however short. */
  readonly notes: readonly Note[];
  readonly result: Place | undefined;
  /** Where a text is put in that says what there is to say, if there is none. */
  readonly holder: Place;
}

interface Note extends Place {
  /** Where it stands in the whole, for those who read it. */
  readonly name: string;
}

/** Texts and data up to this size are never cut, in bytes. */
const SHORT = 240;

/** Notes up to this size are put together in memory, in bytes. */
const SMALL = 512 * 1024;

/** How long a note's name may be, in characters. */
const LONGEST_NAME = 200;

/** Of a task, what a client has to have as it is, however long it is. */
const PROTOCOL: ReadonlySet<unknown> = new Set([
  'resultType',
  'taskId',
  'status',
  'createdAt',
  'lastUpdatedAt',
  'inputRequests',
  'requestState',
  'nextCursor',
]);

/**
 * Errors whose data clients act on: an address is to be visited (2025-11-25), a capability is missing, a version is not
 * supported (2026-07-28).
 */
const WITH_PROTOCOL_DATA: ReadonlySet<unknown> = new Set([-32042, -32021, -32022]);

/** What tells of a task is looked into so deep: into these objects, and into each task of a list. */
const DEPTHS: ReadonlyMap<unknown, number> = new Map([
  ['task', 2],
  ['error', 2],
  ['_meta', 2],
  ['tasks', 3],
]);

/** The texts that say what there is to say. */
const VOICES = ['message', 'statusMessage', 'task.statusMessage', 'error.message'];

/** What is looked for however short it is. */
const SIGNS: ReadonlySet<string> = new Set(['', 'code', 'resultType', 'result', 'task', ...VOICES]);

/**
 * Finds what a model may read of an error, or of what tells of a task, at a path in a message of any size. Undefined if
 * no such thing is there, or one of a result type that nobody knows.
 */
export async function notesIn(
  message: Source,
  path: readonly string[],
  isError: boolean,
): Promise<Notes | undefined> {
  const kindAt = (at: Path) => kindOf(at.slice(path.length), isError);
  const found = await placesOf(
    message,
    (at, size) =>
      at.length <= path.length + 3 &&
      path.every((key, index) => key === at[index]) &&
      kindAt(at) !== undefined &&
      (size > SHORT || SIGNS.has(nameOf(at.slice(path.length)))),
  );
  const places = found.map((place) => ({ ...place, name: nameOf(place.path.slice(path.length)) }));
  const find = (name: string) => places.findLast((place) => place.name === name);
  const whole = find('');
  const type = await read(message, find('resultType'));
  if (whole?.type !== 'object' || !(type === undefined || type === 'complete' || type === 'task'))
    return undefined;
  const keepsData = isError && WITH_PROTOCOL_DATA.has(await read(message, find('code')));
  const notes = places.filter(({ path: at, name, type }) => {
    if (keepsData && name === 'data') return false;
    return kindAt(at) === 'note' || (kindAt(at) === 'opened' && type === 'text');
  });
  const task = find('task');
  return {
    whole,
    isError,
    notes,
    result: isError ? undefined : find('result'),
    holder: task?.type === 'object' ? task : whole,
  };
}

/** What a value is whose keys lead on from an error, or from what tells of a task; undefined if it's within another. */
function kindOf(keys: Path, isError: boolean): 'whole' | 'opened' | 'kept' | 'note' | undefined {
  const [key] = keys;
  if (key === undefined) return 'whole';
  const depth = (!isError && DEPTHS.get(key)) || 1;
  if (keys.length !== depth) return keys.length < depth ? 'opened' : undefined;
  const isKept = isError ? key === 'code' : key === 'result' || PROTOCOL.has(keys.at(-1));
  return isKept ? 'kept' : 'note';
}

function nameOf(keys: Path): string {
  return cutHead(keys.join('.'), LONGEST_NAME);
}

/** A short value of a message. */
async function read(message: Source, place: Place | undefined): Promise<unknown> {
  if (!place || place.to - place.from > SHORT) return undefined;
  return JSON.parse((await bytesOf(message, place.from, place.to)).toString());
}

/**
 * Bounds notes: as a tool's result that has their texts for its blocks and their data for its structured content, so
 * that they are cut, kept and told of as results are. Gives none if they are within the limit.
 */
export async function boundNotes(
  message: Source,
  notes: Notes,
  bounding: Bounding,
): Promise<readonly Edit[]> {
  if (!notes.notes.some(({ from, to }) => to - from > SHORT)) return [];
  const how = { ...bounding.how, mode: 'bound', joinBlocks: false, links: false } as const;
  const json = await boundResult(resultOf(message, notes), sizeOf(notes.notes), {
    ...bounding,
    how,
    findSchema: async () => undefined,
  });
  return json === undefined ? [] : editsFrom(json, notes);
}

/** How many bytes values take. */
export function sizeOf(places: readonly Place[]): number {
  return places.reduce((sum, { from, to }) => sum + to - from, 0);
}

async function boundResult(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
  bounding: Bounding,
): Promise<string | undefined> {
  if (size > SMALL) {
    const taken = await take(pieces, [], bounding);
    return taken && boundTaken(taken.takenIn, bounding);
  }
  const json = await joined(pieces);
  return boundJson(json, JSON.parse(json.toString()), bounding);
}

/** The JSON of the result that has the notes' texts and data. */
async function* resultOf(message: Source, { notes, isError }: Notes): AsyncGenerator<Uint8Array> {
  const texts = notes.filter(({ type }) => type === 'text');
  const data = notes.filter(({ type }) => type !== 'text');
  yield Buffer.from(`{"isError":${isError},"content":[`);
  for (const [index, { name, from, to }] of texts.entries()) {
    yield Buffer.from(`${index > 0 ? ',' : ''}{"type":"text","name":${JSON.stringify(name)},"text":`);
    yield* piecesOf(message, from, to);
    yield Buffer.from('}');
  }
  yield Buffer.from(']');
  for (const [index, { name, from, to }] of data.entries()) {
    yield Buffer.from(`${index > 0 ? ',' : ',"structuredContent":{'}${JSON.stringify(name)}:`);
    yield* piecesOf(message, from, to);
  }
  yield Buffer.from(data.length > 0 ? '}}' : '}');
}

/**
 * Puts texts and data back where they came from. What the result says of all of them together goes where the first text
 * was that it left out or, if none was, to a place of its own.
 */
function editsFrom(json: string, { notes, isError, holder }: Notes): readonly Edit[] {
  const bytes = Buffer.from(json);
  const data = placesIn(bytes, (path) => path.length === 2 && path[0] === 'structuredContent');
  const values = new Map<unknown, string>(
    data.map(({ path, from, to }) => [path[1], bytes.toString('utf8', from, to)]),
  );
  const said: string[] = [];
  for (const block of JSON.parse(json).content) {
    const text = textOf(fieldOf(block, 'text')) ?? '';
    const name = fieldOf(block, 'name');
    if (name === undefined) said.push(text);
    else values.set(name, JSON.stringify(text));
  }
  const edits: Edit[] = [];
  for (const { name, type, from, to } of notes) {
    const isLeftOut = type === 'text' && !values.has(name);
    const text = isLeftOut ? JSON.stringify(said.splice(0).join(' ')) : (values.get(name) ?? 'null');
    edits.push({ from, to, text });
  }
  if (said.length === 0) return edits;
  const entry = `"${isError ? 'message' : 'statusMessage'}":${JSON.stringify(said.join(' '))},`;
  return [...edits, { from: holder.from + 1, to: holder.from + 1, text: entry }];
}
