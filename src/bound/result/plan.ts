import { setImmediate } from 'node:timers/promises';
import { type Held, type HeldObject, isHeldObject, type LongText } from '../../json/held.ts';
import { lengthOf } from '../../json/stringify.ts';
import type { Limit } from '../../measure/limit.ts';
import type { Kept, NotKept } from '../../spool/types.ts';
import { type Form, mirrors } from '../data/mirror.ts';
import type { Schema } from '../data/schema.ts';
import { earlierCut } from '../facts.ts';
import type { Readers, Total } from '../words.ts';
import { type Media, mediaOf, mediaThatStay } from './media.ts';
import { withoutMedia } from './replace-media.ts';
import { AT_ONCE, type Blocks, blockIn, blocksOf, type Site, sitesOf } from './sites.ts';

/** How a result is bounded, and for whom. */
export interface ResultOptions {
  readonly limit: Limit;
  readonly readers: Readers;
  /** The tool's `outputSchema`, if it is told to the reader. */
  readonly schema?: Schema | undefined;
  /** Whether the reader knows `resource_link` blocks, which came with revision 2025-06-18. */
  readonly links: boolean;
  /** Whether the reader counts base64 as text. */
  readonly base64IsText?: boolean | undefined;
  /** Whether only one text block reaches the reader's model, so that all must be one. */
  readonly joinBlocks?: boolean | undefined;
  /** Whether nothing of it is shown but where it is. */
  readonly showsNothing?: boolean | undefined;
}

/** What is bounded: a result in bounded memory, where it is kept, and which of its values are parts of their own. */
export interface KeptResult {
  readonly held: Held;
  readonly kept: Kept | NotKept;
  partAt(pointer: string): string | undefined;
}

/** The share of its room that the end of a text gets; of an error the end says more than the start. */
const TAIL = 0.4;
const ERROR_TAIL = 0.7;

/** Below this limit, in characters, what is missing is told in the shortest way. */
const FRUGAL = 3_000;

/** Everything about a result that stays the same however little room there is. */
export interface Plan extends KeptResult {
  readonly result: HeldObject;
  readonly blocks: Blocks;
  readonly sites: readonly Site[];
  /** The first and the last text, and those of blocks that are texts: some clients hand on nothing else. */
  readonly ends: ReadonlySet<Site>;
  /** Whether the first and the last block say what is missing in all, if they stay. */
  readonly speaks: { readonly first: boolean; readonly last: boolean };
  /** What is annotated to be for the user only: a model need not read it. */
  readonly forUser: ReadonlySet<Site>;
  readonly structured: Site | undefined;
  readonly mirror: { readonly site: Site; readonly form: Form } | undefined;
  /** What the media that stay cost less than they are long, by the object they are in, and in all. */
  readonly discounts: ReadonlyMap<Held, number>;
  readonly discount: number;
  /** What each block that is held takes at least, in characters. */
  readonly leasts: readonly number[];
  /** Base64, by the index of its block, and what of it can't stay. */
  readonly media: ReadonlyMap<number, Media>;
  readonly gone: ReadonlySet<Media>;
  /** The indices of the blocks that are texts of ours, in the place of base64. */
  readonly ourTexts: ReadonlySet<number>;
  /** What an earlier cut of the result left out. */
  readonly earlier: Total | undefined;
  readonly tailShare: number;
  readonly options: ResultOptions;
}

/**
 * What a value that is cut gets at least, in characters; where it can't have it, whole blocks are left out.
 */
export const LEAST_ROOM = 240;

/** Whether there is so little room that what is missing is told in the shortest way. */
export function isFrugal({ options }: Plan): boolean {
  return options.limit.chars < FRUGAL;
}

/** What is to be bounded, looked through once. Others have their turn meanwhile. */
export async function planOf(what: KeptResult, options: ResultOptions): Promise<Plan> {
  const result = isHeldObject(what.held) ? unshared(what.held) : { value: what.held };
  const all = blocksOf(result);
  const media = mediaIn(all);
  const stay = mediaThatStay([...media.values()], options.limit.chars, options.base64IsText === true);
  const gone = new Set([...media.values()].filter((one) => !stay.has(one)));
  const { blocks, ours, ourTexts } = withoutMedia(all, gone, what, options);
  const staying = [...stay].map(({ holder, key }) => [holder, key] as const);
  const sites = await sitesOf(result, blocks, new Map<Held, string>([...ours, ...staying]));
  const texts = sites.filter(({ kind }) => kind === 'text');
  const ownTexts = texts.filter(({ at }) => !at.endsWith('/resource/text'));
  const structured = sites.find(({ kind }) => kind === 'structured');
  const discounts = new Map<Held, number>();
  for (const { holder, length, charge } of options.base64IsText ? [] : stay)
    discounts.set(holder, length - charge);
  return {
    ...what,
    result,
    blocks,
    sites,
    ends: new Set([texts, ownTexts].flatMap((some) => [...some.slice(0, 1), ...some.slice(-1)])),
    speaks: {
      first: ourTexts.has(0) || speaks(texts[0], 0, blocks),
      last: ourTexts.has(blocks.count - 1) || speaks(texts.at(-1), blocks.count - 1, blocks),
    },
    forUser: new Set(sites.filter(({ block }) => isForUser(blocks, block))),
    structured,
    mirror: structured && mirrorOf(structured, texts),
    discounts,
    discount: [...discounts.values()].reduce((sum, discount) => sum + discount, 0),
    leasts: await leastsOf(blocks, sites, discounts),
    media,
    gone,
    ourTexts,
    earlier: earlierCut(result._meta),
    tailShare: result.isError === true ? ERROR_TAIL : TAIL,
    options,
  };
}

/** The base64 of blocks, by their index. */
function mediaIn(blocks: Blocks): Map<number, Media> {
  const { first, last, count } = blocks;
  const media = new Map<number, Media>();
  for (const [index, item] of [...first, ...last].entries()) {
    const one = mediaOf(blockIn(item, blocks.key));
    if (one) media.set(index < first.length ? index : index + count - first.length - last.length, one);
  }
  return media;
}

/** Whether a block says what is missing: with its text, or since it's a link to what it was. */
function speaks(text: Site | undefined, index: number, blocks: Blocks): boolean {
  if (text?.block === index) return true;
  const block = blockIn(blockAt(blocks, index), blocks.key);
  return isHeldObject(block) && typeof block.uri === 'string' && block.uri.startsWith('plimsoll:');
}

function blockAt({ first, last, count }: Blocks, index: number): Held {
  return first[index] ?? last[index - count + last.length] ?? null;
}

/** Whether a block's annotations name nobody else than the user as its audience. */
function isForUser(blocks: Blocks, index: number | undefined): boolean {
  if (index === undefined) return false;
  const block = blockIn(blockAt(blocks, index), blocks.key);
  const annotations = isHeldObject(block) ? block.annotations : undefined;
  const audience = isHeldObject(annotations) ? annotations.audience : undefined;
  return Array.isArray(audience) && audience.length > 0 && audience.every((role) => role === 'user');
}

/** What is cut names a handle that is its reader's own: no cache may hand it to others (MCP 2026-07-28, caching). */
function unshared(result: HeldObject): HeldObject {
  return result.cacheScope === 'public' ? { ...result, cacheScope: 'private' } : result;
}

/** The text that says the same as `structuredContent`, as MCP asks for. */
function mirrorOf(structured: Site, texts: readonly Site[]): Plan['mirror'] {
  for (const site of texts) {
    const form = mirrors(site.original as string | LongText, structured.original);
    if (form) return { site, form };
  }
  return undefined;
}

async function leastsOf(
  blocks: Blocks,
  sites: readonly Site[],
  discounts: Plan['discounts'],
): Promise<number[]> {
  const saved = new Map<number | undefined, number>();
  for (const { block, need } of sites) {
    saved.set(block, (saved.get(block) ?? 0) + Math.max(0, need - LEAST_ROOM));
  }
  const skipped = blocks.count - blocks.first.length - blocks.last.length;
  const leasts: number[] = [];
  for (const [index, item] of [...blocks.first, ...blocks.last].entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const block = blockIn(item, blocks.key);
    const resource = isHeldObject(block) ? (block.resource ?? null) : null;
    const discount = discounts.get(block) ?? discounts.get(resource) ?? 0;
    const at = index < blocks.first.length ? index : index + skipped;
    leasts.push(lengthOf(item) - discount - (saved.get(at) ?? 0) + 1);
  }
  return leasts;
}
