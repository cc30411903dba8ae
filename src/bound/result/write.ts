import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';
import { stringify } from '../../json/stringify.ts';
import type { Kept } from '../../spool/types.ts';
import { type Facts, factsOf, META_KEY, type PlacedGap, placed } from '../facts.ts';
import { linesMissing } from '../lines-missing.ts';
import { addressOf, foldWords, noticeOf, shortNoticeOf, type Total } from '../words.ts';
import type { Cut } from './cut.ts';
import { type Fold, isFolded } from './fold.ts';
import { joinBlocks } from './join.ts';
import { isFrugal, type Plan } from './plan.ts';
import { type Site, textBlock } from './sites.ts';
import { objectWithNotice, withNotice } from './tell.ts';

/** From which limit on, in characters, a link to the whole is added. */
const ROOM_FOR_LINK = 4_000;

/** A result that was cut. */
export interface BoundedResult {
  readonly value: HeldObject;
  readonly json: string;
  readonly facts: Facts;
}

/** The result with its values cut, notices, facts and all. */
export function write(plan: Plan, fold: Fold | undefined, cuts: ReadonlyMap<Site, Cut>): BoundedResult {
  const { result, blocks, kept, options } = plan;
  const { readers } = options;
  const total = totalOf(plan, fold, cuts);
  const frugal = isFrugal(plan);
  const notice = (frugal ? shortNoticeOf : noticeOf)(total, kept, readers);
  for (const [site, { value }] of cuts)
    place(plan, site, value, value === site.original ? notice : undefined);
  const list = shownBlocks(plan, fold, cuts, notice);
  const facts = factsOf(total, placedGaps(plan, fold, cuts), kept, {
    limit: options.limit,
    paths: readers.paths && !frugal,
    isShort: frugal,
  });
  const value: HeldObject = Object.create(null);
  for (const [key, held] of Object.entries(result)) value[key] = key === blocks.key ? list : held;
  if (!(blocks.key in value) && list.length > 0) value[blocks.key] = list;
  const structured = plan.structured && cuts.get(plan.structured);
  if (structured && structured.value === undefined) delete value.structuredContent;
  const meta = isHeldObject(result._meta) ? result._meta : undefined;
  value._meta = { ...meta, [META_KEY]: facts as unknown as HeldObject };
  return { value, json: stringify(value), facts };
}

/** Puts a cut value where it belongs, with a notice if the value is whole but may be all that a reader gets. */
function place(plan: Plan, site: Site, value: Held | undefined, notice: string | undefined): void {
  if (value === undefined) return;
  if (notice !== undefined && plan.ends.has(site) && typeof value === 'string') {
    site.put(withNotice(value, notice));
  } else if (notice !== undefined && site === plan.structured && isHeldObject(value)) {
    const told = objectWithNotice(value, notice);
    site.put(plan.options.schema?.validate(told) === false ? value : told);
  } else {
    site.put(value);
  }
}

/**
 * The blocks that stay and what stands for others. In a tool's result the last one says that something is missing, and,
 * where blocks are left out so that their places change anyway, the first one.
 */
function shownBlocks(
  plan: Plan,
  fold: Fold | undefined,
  cuts: ReadonlyMap<Site, Cut>,
  notice: string,
): Held[] {
  const { blocks, kept, options, speaks, ends } = plan;
  const all = [...blocks.first, ...blocks.last];
  const list = fold
    ? [
        ...all.slice(0, fold.from),
        foldBlock(plan, fold, cuts),
        ...all.slice(all.length - (blocks.count - fold.to)),
      ]
    : all;
  if (blocks.key !== 'content') return list;
  const said = textBlock(notice, blocks.key);
  const start = !fold || fold.from === 0 || speaks.first ? [] : [said];
  const hasText = fold !== undefined || ends.size > 0;
  if (options.joinBlocks) return [...joinBlocks([...start, ...list, ...(hasText ? [] : [said])])];
  const hasLink = options.links && options.limit.chars >= ROOM_FOR_LINK && !('reason' in kept);
  const isTold = hasLink ? hasText : speaks.last || fold?.to === blocks.count;
  return [...start, ...list, ...(isTold ? [] : [said]), ...(hasLink ? [linkTo(plan, kept, notice)] : [])];
}

/** What stands for blocks that are left out. */
function foldBlock(plan: Plan, fold: Fold, cuts: ReadonlyMap<Site, Cut>): HeldObject {
  const { blocks, kept, options, earlier, structured, mirror } = plan;
  const gaps = (structured && isFolded(fold, mirror?.site.block) && cuts.get(structured)?.gaps) || [];
  const words = foldWords(
    {
      ...fold,
      of: blocks.count,
      list: blocks.key,
      original: earlier?.original,
      structured: structured && gaps.length > 0 ? { gaps, part: plan.partAt(structured.at) } : undefined,
    },
    kept,
    options.readers,
  );
  return textBlock(words, blocks.key);
}

/** A link to the whole: to the part with the one text that there is, or to all as JSON. */
function linkTo({ blocks, structured, mirror }: Plan, kept: Kept, notice: string): HeldObject {
  const texts = kept.parts.filter(({ name, kind }) => name !== 'result' && kind !== 'media');
  const isAlone = blocks.count === 1 && (mirror !== undefined || structured === undefined);
  const part = isAlone && texts.length === 1 ? texts[0] : undefined;
  return {
    type: 'resource_link',
    uri: addressOf(kept, part?.name ?? 'result'),
    name: 'the whole result',
    description: notice,
    mimeType: part?.mimeType ?? (part?.kind === 'text' ? 'text/plain' : 'application/json'),
    ...(part && { size: part.bytes }),
  };
}

/** What is missing, and where in the whole: the blocks that are left out before what is missing of others. */
export function placedGaps(plan: Plan, fold: Fold | undefined, cuts: ReadonlyMap<Site, Cut>): PlacedGap[] {
  const shown = [...cuts].filter(([{ block }]) => !isFolded(fold, block));
  const gaps = shown.flatMap(([{ at, kind }, { gaps }]) =>
    gaps.map((gap) => placed(gap, at, kind !== 'text')),
  );
  return fold && fold.from < fold.to ? [foldGap(plan, fold), ...gaps] : gaps;
}

/** Blocks that are left out, as a gap of their list. */
function foldGap({ sites, blocks, media }: Plan, fold: Fold): PlacedGap {
  let [chars, bytes] = [0, 0];
  for (const { block, whole } of sites) {
    if (!isFolded(fold, block)) continue;
    chars += whole.chars;
    bytes += whole.bytes;
  }
  for (const [block, one] of media) {
    if (!isFolded(fold, block)) continue;
    chars += one.length;
    bytes += one.bytes;
  }
  return { at: `/${blocks.key}`, unit: 'items', ...fold, of: blocks.count, chars, bytes };
}

/** What is missing in all, with what was before; what a text and `structuredContent` both say counts once. */
export function totalOf(
  { sites, blocks, mirror, media, gone, earlier }: Plan,
  fold: Fold | undefined,
  cuts: ReadonlyMap<Site, Cut>,
): Total {
  let [chars, bytes, lines, of] = [0, 0, 0, 0];
  for (const [block, one] of media) {
    of += one.length;
    if (!gone.has(one) && !isFolded(fold, block)) continue;
    chars += one.length;
    bytes += one.bytes;
  }
  for (const site of sites) {
    if (site === mirror?.site) continue;
    const isSame = mirror?.form === 'text' && site.kind === 'structured';
    const { whole } = isSame ? mirror.site : site;
    of += whole.chars;
    const cut = cuts.get(site);
    const isGone = isFolded(fold, site.block) || (cut && cut.value === undefined);
    const gaps = isGone ? [whole] : (cut?.gaps ?? []);
    for (const gap of gaps) {
      chars += gap.chars;
      bytes += gap.bytes;
    }
    lines += linesMissing(gaps);
  }
  const missing = fold ? fold.to - fold.from : 0;
  const own = { chars, bytes, lines, blocks: missing, of: { chars: of, blocks: blocks.count } };
  return earlier ? sumOf(own, earlier) : own;
}

/** What is missing after two cuts. The later one may have left out words of the earlier one. */
function sumOf(own: Total, earlier: Total): Total {
  return {
    ...earlier,
    chars: Math.min(earlier.of.chars, own.chars + earlier.chars),
    bytes: own.bytes + earlier.bytes,
    lines: own.lines + earlier.lines,
    blocks: Math.min(earlier.of.blocks, own.blocks + earlier.blocks),
  };
}
