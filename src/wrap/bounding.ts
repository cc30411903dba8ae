import { compileSchema } from '../bound/data/schema.ts';
import { META_KEY } from '../bound/facts.ts';
import { type TakenIn, takeIn } from '../bound/intake.ts';
import { keep } from '../bound/keep.ts';
import { joinBlocks } from '../bound/result/join.ts';
import { discountOf, excessOf } from '../bound/result/measure.ts';
import { boundKept } from '../bound/result/result.ts';
import { type Held, type HeldObject, isHeldObject } from '../json/held.ts';
import { stringify } from '../json/stringify.ts';
import { type Limit, windowsFor } from '../measure/limit.ts';
import { PAGE_KEY } from '../read/answer.ts';
import type { Origin } from '../spool/types.ts';
import type { Asked, FindSchema, How } from './answer.ts';
import { type Taken, takeInOf } from './taking.ts';

/** What a result answers, and how it is bounded. */
export interface Bounding {
  readonly asked: Asked;
  readonly how: How;
  readonly findSchema: FindSchema;
}

/** What the JSON of a page takes besides what it shows, about, in characters. */
const WRAPPING = 600;

/** How much of a call's arguments is remembered, in characters. */
const ARGUMENTS = 2_000;

/** The JSON of a result in memory, bounded; undefined if it may pass as it is. */
export async function boundJson(
  json: Buffer,
  result: HeldObject,
  bounding: Bounding,
): Promise<string | undefined> {
  const { how } = bounding;
  const joined = how.joinBlocks ? joinedResult(result) : undefined;
  const passing = joined ?? result;
  const isWithin = await isSmallWithin(passing, how);
  if (passes(result, isWithin, how.mode)) return joined && stringify(joined);
  const draft = isPage(result) ? undefined : await beginDraft(bounding);
  return cut(await takeIn(json, draft, windowsFor(how.limit)), bounding);
}

/**
 * Takes in the result that stands at a path in JSON that comes in pieces; undefined if there is none. Throws a
 * `JsonError` if nobody can say which it is.
 */
export async function take(
  pieces: AsyncIterable<Uint8Array>,
  path: readonly string[],
  bounding: Bounding,
): Promise<Taken | undefined> {
  return takeInOf(pieces, path, await beginDraft(bounding), windowsFor(bounding.how.limit));
}

/** The JSON of a result that was taken in, bounded; undefined if it may pass as it is. Its draft is used up. */
export async function boundTaken(taken: TakenIn, bounding: Bounding): Promise<string | undefined> {
  const { held } = taken;
  const { how } = bounding;
  const isWithin = await isLargeWithin(taken, how);
  if (isHeldObject(held) && !passes(held, isWithin, how.mode)) return cut(taken, bounding);
  await taken.draft?.discard();
  const joined = how.joinBlocks && isWithin && isHeldObject(held) ? joinedResult(held) : undefined;
  return joined && stringify(joined);
}

/** Whether a message of so many bytes passes, whatever is in it. */
export function passesAnyway(size: number, { limit, mode, joinBlocks: isJoined }: How): boolean {
  return mode !== 'spool' && !isJoined && size <= leastOf(limit);
}

/** How many bytes are within a limit, whatever they say. */
export function leastOf({ chars, bytes = chars, tokens = chars, lines = chars }: Limit): number {
  return Math.min(chars, bytes, tokens, lines);
}

/** What is nested too deep to be written anew can't be measured, and doesn't count as within the limit. */
async function isSmallWithin(result: HeldObject, { limit, base64IsText }: How): Promise<boolean> {
  try {
    return (await excessOf(JSON.stringify(result), result, limit, base64IsText)) <= 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
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

async function cut(taken: TakenIn, { how, findSchema }: Bounding): Promise<string> {
  const { held } = taken;
  const kept = isPage(held) ? { ...taken, kept: { reason: pageWords(taken, how.limit) } } : await keep(taken);
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

function beginDraft({ asked, how }: Bounding) {
  return how.spool.begin(originOf(asked, how));
}

function originOf({ method, name, arguments: given }: Asked, { server }: How): Origin {
  const kind = method === 'resources/read' ? 'resource' : method === 'prompts/get' ? 'prompt' : 'tool';
  const json = given === undefined ? undefined : typeof given === 'string' ? given : JSON.stringify(given);
  return { kind, server, name, arguments: json?.slice(0, ARGUMENTS) };
}

function isPage(result: Held): boolean {
  return PAGE_KEY in metaOf(result);
}

/**
 * Why a page isn't kept: it is already, and whoever gets it cut asks for a smaller one. It is as small as the limit in
 * characters; a page that is over in another unit only is halved.
 */
function pageWords({ held, chars }: TakenIn, limit: Limit): string {
  const facts = metaOf(held)[PAGE_KEY];
  const { from, to } = isHeldObject(facts) ? facts : {};
  const shown = Number(to) - Number(from);
  const count = Math.floor(shown * Math.min(0.5, (limit.chars - WRAPPING) / chars));
  const smaller = count >= 1 ? `"count":${count}` : '"count"';
  return `it is a page of something that is kept; ask for a smaller one, with ${smaller}`;
}

function metaOf(result: Held): HeldObject {
  return isHeldObject(result) && isHeldObject(result._meta) ? result._meta : {};
}
