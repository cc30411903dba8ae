import { type Held, type HeldObject, isHeldObject, LongList, LongObject, LongText } from '../../json/held.ts';
import { pointerToken } from '../../json/pointer.ts';
import { lengthOf } from '../../json/stringify.ts';
import type { Cost } from '../types.ts';

/** Where results keep what a model reads: tools' results, prompts and resources. */
const LISTS = ['content', 'messages', 'contents'] as const;

/** What else of a result is worth cutting: values that take more characters than this. */
const HEAVY = 1_000;

/** What says how a result is to be read, and is never cut. */
const NEVER_CUT = new Set(['type', 'role', 'uri', 'mimeType', 'isError', 'resultType', 'name']);

/** A value of a result that may be cut. */
export interface Site {
  readonly holder: HeldObject;
  readonly key: string;
  readonly original: Held;
  /** A JSON pointer (RFC 6901). */
  readonly at: string;
  readonly kind: 'text' | 'data' | 'structured';
  /** The index of the block it is in; undefined outside of blocks. */
  readonly block: number | undefined;
  /** What the whole takes in the result, in characters. */
  readonly need: number;
}

/** The blocks of a result: all of them, or the first and the last. */
export interface Blocks {
  readonly key: (typeof LISTS)[number];
  readonly first: readonly Held[];
  /** Empty if all are in `first`. */
  readonly last: readonly Held[];
  readonly count: number;
}

/** The blocks of a result; none for what has no list of them. */
export function blocksOf(result: HeldObject): Blocks {
  for (const key of LISTS) {
    const list = result[key];
    if (Array.isArray(list)) return { key, first: list, last: [], count: list.length };
    if (list instanceof LongList) return { key, first: list.first, last: list.last, count: list.count };
  }
  return { key: 'content', first: [], last: [], count: 0 };
}

/** A block as MCP means it: what a prompt's message holds, or the block itself. */
export function blockIn(item: Held, key: Blocks['key']): Held {
  return key === 'messages' && isHeldObject(item) && item.content !== undefined ? item.content : item;
}

/** What a text costs within JSON, in characters. */
export const escapedCost: Cost = (text) => JSON.stringify(text).length - 2;

/** Everything in a result that may be cut, in the order in which it stands; what `whole` holds stays as it is. */
export function sitesOf(result: HeldObject, blocks: Blocks, whole: ReadonlySet<Held>): Site[] {
  const sites: Site[] = [];
  const firstOfLast = blocks.count - blocks.last.length;
  for (const [index, item] of [...blocks.first, ...blocks.last].entries()) {
    const block = index < blocks.first.length ? index : firstOfLast + index - blocks.first.length;
    if (isHeldObject(item) && !whole.has(item)) addSites(sites, item, `/${blocks.key}/${block}`, block);
  }
  for (const [key, value] of Object.entries(result)) {
    if (key === blocks.key) continue;
    const kind = key === 'structuredContent' ? 'structured' : 'data';
    if (kind === 'structured' || needOf(value) > HEAVY || !isWhole(value)) {
      addSite(sites, result, key, '', kind, undefined);
    }
  }
  return sites;
}

/** What may be cut of a block: its text, whatever its length, and whatever else of it is heavy. */
function addSites(sites: Site[], holder: HeldObject, at: string, block: number): void {
  for (const [key, value] of Object.entries(holder)) {
    const isNested = isHeldObject(value) && (key === 'resource' || key === 'content');
    if (isNested) addSites(sites, value, `${at}/${key}`, block);
    else if (key === 'text' && isText(value)) addSite(sites, holder, key, at, 'text', block);
    else if ((!NEVER_CUT.has(key) && needOf(value) > HEAVY) || !isWhole(value)) {
      addSite(sites, holder, key, at, 'data', block);
    }
  }
}

function addSite(
  sites: Site[],
  holder: HeldObject,
  key: string,
  at: string,
  kind: Site['kind'],
  block: number | undefined,
): void {
  const original = holder[key] ?? null;
  const pointer = `${at}/${pointerToken(key)}`;
  const need = kind === 'text' ? needOf(original) - 2 : needOf(original);
  sites.push({ holder, key, original, at: pointer, kind, block, need });
}

function needOf(value: Held): number {
  if (value instanceof LongText) return value.escapedChars;
  if (value instanceof LongList || value instanceof LongObject) return value.chars;
  return lengthOf(value);
}

/** Whether all of a value is held, so that it can be written. */
function isWhole(value: Held): boolean {
  if (value instanceof LongText || value instanceof LongList || value instanceof LongObject) return false;
  if (Array.isArray(value)) return value.every(isWhole);
  return !isHeldObject(value) || Object.values(value).every(isWhole);
}

function isText(value: Held): value is string | LongText {
  return typeof value === 'string' || value instanceof LongText;
}

/** The lines of a text; of what is no text, one. */
export function linesIn(value: Held): number {
  if (value instanceof LongText) return value.lines + 1;
  return typeof value === 'string' ? value.split('\n').length : 1;
}
