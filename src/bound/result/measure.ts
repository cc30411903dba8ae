import { type Held, isHeldObject } from '../../json/held.ts';
import type { Limit } from '../../measure/limit.ts';
import { measureOf } from '../../measure/measure.ts';
import { type Media, mediaOf, mediaThatCount } from './media.ts';
import { blockIn, blocksOf, linesTaken } from './sites.ts';

/**
 * How many times over its limit a result is, in the unit in which it is most: at most 1 if it is within the limit.
 * `json` is the result as it is sent; media are counted by what they cost, or as text.
 */
export async function excessOf(
  json: string,
  result: Held,
  limit: Limit,
  base64IsText = false,
): Promise<number> {
  const media = base64IsText ? [] : mediaIn(result);
  const discount = discountFor(media);
  const chars = json.length - discount;
  let excess = chars / limit.chars;
  if (limit.bytes !== undefined)
    excess = Math.max(excess, (Buffer.byteLength(json) - discount) / limit.bytes);
  if (limit.lines !== undefined) excess = Math.max(excess, linesOf(result) / limit.lines);
  // No token is shorter than a byte of UTF-8, so what is short enough needs no counting.
  if (limit.tokens !== undefined && chars * 3 > limit.tokens && excess <= 1) {
    excess = Math.max(excess, (await tokensOf(json, media)) / limit.tokens);
  }
  return excess;
}

/** What the media of a result cost less than they are long, in characters. */
export function discountOf(result: Held): number {
  return discountFor(mediaIn(result));
}

function discountFor(media: readonly Media[]): number {
  return media.reduce((sum, { length, charge }) => sum + length - charge, 0);
}

/** The tokens of a result's JSON without its media, and what these cost at four characters a token. */
async function tokensOf(json: string, media: readonly Media[]): Promise<number> {
  const count = await measureOf('tokens');
  const words = media.reduce((text, { base64 }) => text.replace(String(base64), ''), json);
  return count(words) + media.reduce((sum, { charge }) => sum + charge / 4, 0);
}

/** The lines of all texts of a result: of blocks each starts a line, of data they stand in one but for their newlines. */
export function linesOf(result: Held): number {
  if (!isHeldObject(result)) return linesTaken(result);
  const { first, last, key } = blocksOf(result);
  const texts = [...first, ...last].filter((item) => typeof textIn(blockIn(item, key)) === 'string');
  return texts.length + linesTaken(result);
}

function textIn(block: Held): Held | undefined {
  if (!isHeldObject(block)) return block;
  return block.text ?? (isHeldObject(block.resource) ? block.resource.text : undefined);
}

function mediaIn(result: Held): readonly Media[] {
  if (!isHeldObject(result)) return [];
  const blocks = blocksOf(result);
  return mediaThatCount(
    [...blocks.first, ...blocks.last]
      .map((item) => mediaOf(blockIn(item, blocks.key)))
      .filter((one) => one !== undefined),
  );
}
