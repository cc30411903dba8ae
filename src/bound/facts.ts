import { type Held, isHeldObject } from '../json/held.ts';
import type { Limit } from '../measure/limit.ts';
import { isName } from '../spool/names.ts';
import type { Kept, NotKept } from '../spool/types.ts';
import type { Gap } from './types.ts';
import type { Total } from './words.ts';

/** Where the facts of a cut stand in a result's `_meta`: MCP asks for a prefix of one's own, a reversed domain name. */
export const META_KEY = 'dev.plimsoll/bound';

/** How many gaps are listed at most; how many there are is told. */
const MOST_GAPS = 12;

/** What is told to programs of a cut: the same as the words tell to readers. */
export interface Facts {
  /** The key to the whole, and the folder it is in; or why it wasn't kept. */
  readonly handle?: string;
  readonly folder?: string;
  readonly notKept?: string;
  /** The key to what there was before an earlier cut: who cut first kept the whole. */
  readonly original?: string;
  readonly limit: Limit;
  /** What is missing. */
  readonly left: {
    readonly chars: number;
    readonly bytes: number;
    readonly lines: number;
    readonly blocks: number;
  };
  /** Of how much. */
  readonly of: { readonly chars: number; readonly blocks: number };
  readonly gapCount: number;
  /** The first of the gaps. */
  readonly gaps: readonly PlacedGap[];
}

/** A gap with the JSON pointer of what it is in, from the root of the whole result on; empty for a text that is no result. */
export type PlacedGap = Gap & { readonly at: string };

/** A gap of what stands `at` a pointer: of data, or of a text, in which only a pointer of its own leads on. */
export function placed(gap: Gap, at: string, isData: boolean): PlacedGap {
  return isData ? { ...gap, at: at + (gap.at ?? '') } : { ...gap, at, within: gap.at };
}

/** The facts of a cut. With `isShort` its gaps are counted only, since there is no room for them. */
export function factsOf(
  total: Total,
  gaps: readonly PlacedGap[],
  kept: Kept | NotKept,
  { limit, paths, isShort = false }: { limit: Limit; paths: boolean; isShort?: boolean },
): Facts {
  const { of, original, ...left } = total;
  return {
    ...('reason' in kept
      ? { notKept: kept.reason }
      : { handle: kept.handle, ...(paths && { folder: kept.folder }) }),
    ...(original !== undefined && { original }),
    limit: withoutUndefined(limit),
    left,
    of,
    gapCount: gaps.length,
    gaps: gaps.slice(0, isShort ? 0 : MOST_GAPS).map(withoutUndefined),
  };
}

/** What an earlier cut of a result left out, by the result's `_meta`; undefined if there was none. */
export function earlierCut(meta: Held | undefined): Total | undefined {
  const facts = isHeldObject(meta) ? meta[META_KEY] : undefined;
  if (!isHeldObject(facts)) return undefined;
  const { left, of, handle, original = handle } = facts;
  const [chars, bytes, lines, blocks] = countsIn(left, ['chars', 'bytes', 'lines', 'blocks']);
  const [allChars, allBlocks] = countsIn(of, ['chars', 'blocks']);
  if (!chars || !allChars) return undefined;
  return {
    chars,
    bytes: bytes ?? 0,
    lines: lines ?? 0,
    blocks: blocks ?? 0,
    of: { chars: allChars, blocks: allBlocks ?? 0 },
    ...(typeof original === 'string' && isName(original) && { original }),
  };
}

function countsIn(value: Held | undefined, keys: readonly string[]): (number | undefined)[] {
  return keys.map((key) => {
    const count = isHeldObject(value) ? value[key] : undefined;
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  });
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
