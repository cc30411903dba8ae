import { readFile } from 'node:fs/promises';
import { ENVELOPE, standInKey } from '../spool/envelope.ts';
import type { Kept, Part } from '../spool/types.ts';
import { goneError, ownParts } from './parts.ts';

/** An envelope of more bytes is taken to say something. */
const SMALL = 4000;

/**
 * The part that is to be read after another, so that all of the result is: the next one with a file of its own, and
 * after the last one the whole result, if it says more than they do.
 */
export async function nextPart(kept: Kept, part: Part): Promise<string | undefined> {
  const own = ownParts(kept);
  const index = own.findIndex(({ name }) => name === part.name);
  if (index < 0) return undefined;
  const next = own[index + 1];
  if (next) return next.name;
  const envelope = kept.parts.find(({ name }) => name === ENVELOPE);
  return envelope && (await saysMore(envelope, kept.handle)) ? ENVELOPE : undefined;
}

/** Whether there is more in an envelope than what stands for parts, the blocks' types and whether it is an error. */
async function saysMore(envelope: Part, handle: string): Promise<boolean> {
  if (envelope.bytes > SMALL) return true;
  const json = await readFile(envelope.path, 'utf8').catch((error) => {
    throw goneError(envelope, error);
  });
  const known = [standInKey(handle), 'type', 'isError'];
  let isMore = false;
  JSON.parse(json, (key, value) => {
    if (typeof value !== 'object' && !known.includes(key)) isMore = true;
    return value;
  });
  return isMore;
}
