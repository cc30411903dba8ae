import { compileSchema } from '../bound/data/schema.ts';
import { META_KEY } from '../bound/facts.ts';
import { type TakenIn, takeIn } from '../bound/intake.ts';
import { keep } from '../bound/keep.ts';
import { joinBlocks } from '../bound/result/join.ts';
import { discountOf, excessOf } from '../bound/result/measure.ts';
import { boundKept } from '../bound/result/result.ts';
import type { Readers } from '../bound/words.ts';
import { type Held, type HeldObject, isHeldObject } from '../json/held.ts';
import { stringify } from '../json/stringify.ts';
import { LEAST_LIMIT, type Limit, windowsFor } from '../measure/limit.ts';
import { PAGE_KEY } from '../read/answer.ts';
import type { Spool } from '../spool/spool.ts';
import type { Origin } from '../spool/types.ts';
import type { Taking } from './frame.ts';
import { edited, type Place, placesIn } from './places.ts';
import type { Frame } from './types.ts';

/** Methods whose results are bounded. */
export type BoundedMethod =
  | 'tools/call'
  | 'resources/read'
  | 'prompts/get'
  | 'tasks/result'
  | 'tasks/get'
  | 'notifications/tasks';

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

/** A page is kept already: whoever gets it cut asks for a smaller one. */
const IS_A_PAGE = { reason: 'it is a page of something that is kept; ask for a smaller one, with "count"' };

/** How much of a call's arguments is remembered, in characters. */
const ARGUMENTS = 2_000;

const KINDS = {
  'tools/call': 'tool',
  'tasks/result': 'tool',
  'tasks/get': 'tool',
  'notifications/tasks': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
} as const;

/**
 * The whole frame with its result bounded; undefined if it may pass as it is: if the result is within the limit, or if
 * all of it is to pass. `taken` is the result of a large frame. A schema is looked for only where `structuredContent`
 * is to be cut.
 */
export async function boundAnswer(
  frame: Frame,
  asked: Asked,
  how: How,
  findSchema: FindSchema,
  taken?: TakenIn,
): Promise<Buffer | undefined> {
  if (!taken) return boundSmall(frame, asked, how, findSchema);
  const within = pathTo(asked).length > 1 ? lessRoom(how, frame.size - taken.bytes) : how;
  return boundLarge(frame, taken, within, findSchema);
}

/** How the result of a large frame that answers this is taken in. */
export async function takingOf(asked: Asked, how: How): Promise<Taking> {
  const draft = await how.spool.begin(originOf(asked, how));
  return { draft, limits: windowsFor(how.limit), path: pathTo(asked) };
}

/** Bounds a result that was parsed with its frame; of the frame, all else stays byte for byte. */
async function boundSmall(
  frame: Frame,
  asked: Asked,
  how: How,
  findSchema: FindSchema,
): Promise<Buffer | undefined> {
  const { limit, mode } = how;
  const { chars, bytes = chars, tokens = chars, lines = chars } = limit;
  if (mode !== 'spool' && !how.joinBlocks && frame.size <= Math.min(chars, bytes, tokens, lines))
    return undefined;
  const path = pathTo(asked);
  const result = path.reduce<unknown>(
    (value, key) => (isHeldObject(value) ? value[key] : undefined),
    frame.message,
  );
  if (!isHeldObject(result)) return undefined;
  const json = frame.bytes() as Buffer;
  const place = placeOf(json, path);
  if (!place) return undefined;
  const around = path.length === 1 ? 0 : frame.size - (place.to - place.from);
  const within = lessRoom(how, around);
  const joined = how.joinBlocks ? joinedResult(result) : undefined;
  const passing = joined ?? result;
  const isWithin = (await excessOf(JSON.stringify(passing), passing, within.limit, how.base64IsText)) <= 1;
  if (passes(result, isWithin, mode)) {
    return joined && edited(json, [{ ...place, text: stringify(joined) }]);
  }
  const draft = isPage(result) ? undefined : await how.spool.begin(originOf(asked, how));
  const taken = takeIn(json.subarray(place.from, place.to), draft, windowsFor(within.limit));
  return edited(json, [{ ...place, text: await boundJson(taken, within, findSchema) }]);
}

/** What may pass of a result that other things stand around, so that all of it is within the limit. */
function lessRoom(how: How, around: number): How {
  const { chars, bytes, tokens, lines } = how.limit;
  const less = (limit: number) => Math.max(LEAST_LIMIT, limit - around);
  return {
    ...how,
    limit: {
      chars: less(chars),
      ...(bytes !== undefined && { bytes: less(bytes) }),
      ...(tokens !== undefined && { tokens: less(tokens) }),
      ...(lines !== undefined && { lines }),
    },
  };
}

/** Bounds a result that was taken in while its frame was read. */
async function boundLarge(
  frame: Frame,
  taken: TakenIn,
  how: How,
  findSchema: FindSchema,
): Promise<Buffer | undefined> {
  const { held } = taken;
  const isWithin = await isLargeWithin(taken, how);
  if (!isHeldObject(held) || passes(held, isWithin, how.mode)) {
    await taken.draft?.discard();
    const joined = how.joinBlocks && isWithin && isHeldObject(held) ? joinedResult(held) : undefined;
    return joined && frame.withTaken(stringify(joined));
  }
  return frame.withTaken(await boundJson(taken, how, findSchema));
}

/** A large result is within the limit if media are what makes it large, or if the limit is large. */
async function isLargeWithin({ held, chars }: TakenIn, { limit, base64IsText }: How): Promise<boolean> {
  const discount = base64IsText ? 0 : discountOf(held);
  if (chars - discount > limit.chars) return false;
  try {
    return (await excessOf(stringify(held), held, limit, base64IsText)) <= 1;
  } catch {
    return false;
  }
}

function passes(result: HeldObject, isWithin: boolean, mode: How['mode']): boolean {
  if (mode === 'inline') return true;
  return isWithin && (mode === 'bound' || META_KEY in metaOf(result));
}

async function boundJson(taken: TakenIn, how: How, findSchema: FindSchema): Promise<string> {
  const { held } = taken;
  const kept = isPage(held) ? { ...taken, kept: IS_A_PAGE } : await keep(taken);
  const isStructured = isHeldObject(held) && held.structuredContent !== undefined;
  const raw = isStructured ? await findSchema() : undefined;
  const schema = raw === undefined ? undefined : await compileSchema(raw);
  const { json } = await boundKept(kept, { ...how, schema, showsNothing: how.mode === 'spool' });
  return json;
}

/** A tool's result with all its texts in one block; undefined if there is nothing to join. */
function joinedResult(result: HeldObject): HeldObject | undefined {
  if (!Array.isArray(result.content)) return undefined;
  const content = joinBlocks(result.content);
  return content === result.content ? undefined : { ...result, content: [...content] };
}

function placeOf(json: Buffer, path: readonly string[]): Place | undefined {
  return placesIn(
    json,
    (other) => other.length === path.length && path.every((key, index) => key === other[index]),
  ).at(-1);
}

/** Where the result stands in a frame: that of a task of the extension is within the task. */
function pathTo({ method }: Asked): readonly string[] {
  if (method === 'notifications/tasks') return ['params', 'result'];
  return method === 'tasks/get' ? ['result', 'result'] : ['result'];
}

function originOf({ method, name, arguments: given }: Asked, { server }: How): Origin {
  const json = given === undefined ? undefined : typeof given === 'string' ? given : JSON.stringify(given);
  return { kind: KINDS[method], server, name, arguments: json?.slice(0, ARGUMENTS) };
}

function isPage(result: Held): boolean {
  return PAGE_KEY in metaOf(result);
}

function metaOf(result: Held): HeldObject {
  return isHeldObject(result) && isHeldObject(result._meta) ? result._meta : {};
}
