import { setImmediate } from 'node:timers/promises';
import {
  type Entry,
  type Held,
  type HeldObject,
  isHeldObject,
  LongList,
  LongObject,
  LongText,
} from '../../json/held.ts';
import { pointerToken } from '../../json/pointer.ts';
import { lengthOf, stringify } from '../../json/stringify.ts';
import { NOTICE_KEY } from '../data/notice-key.ts';
import { linesIn, newlinesIn } from '../text/source.ts';
import type { Cost, Gap } from '../types.ts';

/** Where results keep what a model reads: tools' results, prompts and resources. */
const LISTS = ['content', 'messages', 'contents'] as const;

/** What else of a result is worth cutting: values that take more characters than this. */
const HEAVY = 1_000;

/** After so many blocks others have their turn. */
export const AT_ONCE = 1_000;

/** What says how a result is to be read, and is never cut. */
const NEVER_CUT = new Set(['type', 'role', 'uri', 'mimeType', 'isError', 'resultType', 'name']);

/** The kinds of block that MCP knows. */
const KINDS: ReadonlySet<Held> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

/** A value of a result that may be cut. */
export interface Site {
  /** Puts a value in its place. */
  readonly put: (value: Held) => void;
  readonly original: Held;
  /** If it is a block, the fields that stay as they are. */
  readonly keeps?: ReadonlySet<string> | undefined;
  /** A JSON pointer (RFC 6901). */
  readonly at: string;
  readonly kind: 'text' | 'data' | 'structured';
  /** The index of the block it is in; undefined outside of blocks. */
  readonly block: number | undefined;
  /** What the whole takes in the result, in characters. */
  readonly need: number;
  /** All of it, as a gap. */
  readonly whole: Gap;
}

/** The blocks of a result: all of them, or the first and the last. */
export interface Blocks {
  readonly key: (typeof LISTS)[number];
  readonly first: Held[];
  /** Empty if all are in `first`. */
  readonly last: Held[];
  readonly count: number;
  /** Whether the one block there is stands in the place of the list. */
  readonly isBare?: boolean | undefined;
}

/** The blocks of a result; what stands in the place of their list is one block, though MCP knows no such result. */
export function blocksOf(result: HeldObject): Blocks {
  for (const key of LISTS) {
    const list = result[key];
    if (Array.isArray(list)) return { key, first: list, last: [], count: list.length };
    if (list instanceof LongList)
      return { key, first: [...list.first], last: [...list.last], count: list.count };
  }
  for (const key of LISTS) {
    const block = result[key] ?? null;
    if (block !== null) return { key, first: [block], last: [], count: 1, isBare: true };
  }
  return { key: 'content', first: [], last: [], count: 0 };
}

/** A block as MCP means it: what a prompt's message holds, or the block itself. */
export function blockIn(item: Held, key: Blocks['key']): Held {
  return key === 'messages' && isHeldObject(item) && item.content !== undefined ? item.content : item;
}

/** What a text costs within JSON, in characters. */
export const escapedCost: Cost = (text) => JSON.stringify(text).length - 2;

/**
 * Everything in a result that may be cut, in the order in which it stands; of the objects in `spared` the field that it
 * names is never cut. Others have their turn meanwhile.
 */
export async function sitesOf(
  result: HeldObject,
  blocks: Blocks,
  spared: ReadonlyMap<Held, string>,
): Promise<Site[]> {
  const sites: Site[] = [];
  const addAll = async (items: Held[], offset: number) => {
    for (const [index, item] of items.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      const block = offset + index;
      const at = `/${blocks.key}${blocks.isBare ? '' : `/${block}`}`;
      const asOne =
        blockSite(items, index, blocks.key, { at, block }) ??
        bareSite(items, index, blocks.key, { at, block });
      if (asOne) sites.push(asOne);
      else if (isHeldObject(item)) addSites(sites, item, { at, block, spared });
    }
  };
  await addAll(blocks.first, 0);
  await addAll(blocks.last, blocks.count - blocks.last.length);
  for (const [key, value] of Object.entries(result)) {
    if (key === blocks.key) continue;
    const kind = key === 'structuredContent' ? 'structured' : 'data';
    const length = lengthOf(value);
    if (kind === 'structured' || isHeavy(value, length))
      sites.push(fieldSite(result, key, length, { at: '', kind, block: undefined }));
  }
  return sites;
}

/** A block of an unknown kind that is heavy though hardly one of its fields is: it is cut as one. */
function blockSite(
  items: Held[],
  index: number,
  list: Blocks['key'],
  at: Pick<Site, 'at' | 'block'>,
): Site | undefined {
  const item = items[index] ?? null;
  const original = blockIn(item, list);
  const fields = entriesOf(original);
  const type = fields.find(([key]) => key === 'type')?.[1];
  const isHeld = !(original instanceof LongObject);
  if (isHeld && (type === undefined ? list === 'contents' : KINDS.has(type))) return undefined;
  const light = fields.filter(([, value]) => !isHeavy(value, lengthOf(value)));
  const size = light.reduce((sum, [key, value]) => sum + key.length + lengthOf(value), 0);
  if (isHeld && size <= HEAVY) return undefined;
  const kept = light.filter(([key]) => NEVER_CUT.has(key) || key === 'annotations' || key === '_meta');
  const put = (value: Held) => {
    const block = isHeldObject(value) ? value : { ...Object.fromEntries(kept), [NOTICE_KEY]: value };
    if (original === item) items[index] = block;
    else if (isHeldObject(item)) item.content = block;
  };
  const place = original === item ? at.at : `${at.at}/content`;
  const keeps = new Set(kept.map(([key]) => key));
  const need = lengthOf(original);
  return { ...at, at: place, kind: 'data', put, original, keeps, need, whole: dataGap(original, need) };
}

/** What stands where a block should, and is no object: of a text a block is made. */
function bareSite(
  items: Held[],
  index: number,
  list: Blocks['key'],
  at: Pick<Site, 'at' | 'block'>,
): Site | undefined {
  const original = items[index] ?? null;
  const length = lengthOf(original);
  if (isHeldObject(original) || !(isText(original) || isHeavy(original, length))) return undefined;
  const put = (value: Held) => {
    items[index] = typeof value === 'string' ? textBlock(value, list) : value;
  };
  return siteOf(original, length, { ...at, put, kind: isText(original) ? 'text' : 'data' });
}

/** A text where the result has its blocks. */
export function textBlock(text: string, list: Blocks['key']): HeldObject {
  if (list === 'contents') return { uri: 'plimsoll://left-out', mimeType: 'text/plain', text };
  return list === 'messages' ? { role: 'user', content: { type: 'text', text } } : { type: 'text', text };
}

function entriesOf(value: Held): readonly Entry[] {
  if (value instanceof LongObject) return [...value.first, ...value.last];
  return isHeldObject(value) ? Object.entries(value) : [];
}

/** What may be cut of a block: its text, whatever its length, and whatever else of it is heavy. */
function addSites(
  sites: Site[],
  holder: HeldObject,
  { at, block, spared }: { at: string; block: number; spared: ReadonlyMap<Held, string> },
): void {
  for (const [key, value] of Object.entries(holder)) {
    if (isHeldObject(value) && (key === 'resource' || key === 'content')) {
      addSites(sites, value, { at: `${at}/${key}`, block, spared });
      continue;
    }
    if (spared.get(holder) === key) continue;
    const length = lengthOf(value);
    const kind = key === 'text' && isText(value) ? 'text' : 'data';
    if (kind === 'text' || (isHeavy(value, length) && !(NEVER_CUT.has(key) && isWhole(value))))
      sites.push(fieldSite(holder, key, length, { at, kind, block }));
  }
}

/** The field of an object that stands `at` a pointer; `length` is that of its JSON. */
function fieldSite(
  holder: HeldObject,
  key: string,
  length: number,
  { at, kind, block }: Pick<Site, 'at' | 'kind' | 'block'>,
): Site {
  const put = (value: Held) => {
    holder[key] = value;
  };
  return siteOf(holder[key] ?? null, length, { put, at: `${at}/${pointerToken(key)}`, kind, block });
}

/** A site of a value whose JSON has a length. */
function siteOf(original: Held, length: number, what: Pick<Site, 'put' | 'at' | 'kind' | 'block'>): Site {
  if (what.kind !== 'text' || !isText(original))
    return { ...what, original, need: length, whole: dataGap(original, length) };
  return { ...what, original, need: length - 2, whole: textGap(original) };
}

/** All of a text, as a gap. */
function textGap(text: string | LongText): Gap {
  const isLong = text instanceof LongText;
  const count = isLong ? text.lines : linesIn(text);
  const gap = isLong ? gapOf(text.chars, text.bytes) : gapOf(text.length, Buffer.byteLength(text));
  return { ...gap, lines: { from: 1, to: count + 1, count } };
}

/**
 * All of a value, as a gap: a text's characters, a list's items, an object's entries; of anything else, its JSON. Of what
 * isn't held whole the JSON is counted as it was written.
 */
function dataGap(value: Held, length: number): Gap {
  if (typeof value === 'string') return gapOf(value.length, Buffer.byteLength(value));
  if (value instanceof LongText) return gapOf(value.chars, value.bytes);
  if (value instanceof LongList) return membersGap('items', value.count, length, value.bytes);
  if (value instanceof LongObject) return membersGap('entries', value.count, length, value.bytes);
  const bytes = isWhole(value) ? Buffer.byteLength(stringify(value)) : length;
  if (Array.isArray(value)) return membersGap('items', value.length, length, bytes);
  if (isHeldObject(value)) return membersGap('entries', Object.keys(value).length, length, bytes);
  return gapOf(length, bytes);
}

function membersGap(unit: 'items' | 'entries', of: number, chars: number, bytes: number): Gap {
  return { unit, from: 0, to: of, of, chars, bytes };
}

function gapOf(chars: number, bytes: number): Gap {
  return { unit: 'chars', from: 0, to: chars, of: chars, chars, bytes };
}

/** Whether a value is worth cutting, or has to be cut. */
function isHeavy(value: Held, length: number): boolean {
  return length > HEAVY || !isWhole(value);
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

/** How many lines a value takes where lines are counted: a text one more than it has newlines, data those of its texts. */
export function linesTaken(value: Held): number {
  return newlinesOf(value) + (isText(value) ? 1 : 0);
}

/** The newlines in all texts of a value, as far as it is held. */
function newlinesOf(value: Held): number {
  if (typeof value === 'string') return newlinesIn(value);
  if (value instanceof LongText) return value.lines;
  if (value instanceof LongList) return sumOf([...value.first, ...value.last]);
  if (Array.isArray(value)) return sumOf(value);
  return sumOf(entriesOf(value).map(([, field]) => field));
}

function sumOf(values: readonly Held[]): number {
  return values.reduce<number>((sum, value) => sum + newlinesOf(value), 0);
}
