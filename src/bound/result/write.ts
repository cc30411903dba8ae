import { type Held, type HeldObject, isHeldObject } from '../../json/held.ts';
import { stringify } from '../../json/stringify.ts';
import type { Kept } from '../../spool/types.ts';
import { type Facts, factsOf, META_KEY, type PlacedGap, placed } from '../facts.ts';
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
  const list = shownBlocks(plan, fold, notice);
  const facts = factsOf(total, placedGaps(cuts), kept, {
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
  if (notice !== undefined && plan.ends.has(site) && typeof value === 'string' && value !== '') {
    site.put(withNotice(value, notice));
  } else if (notice !== undefined && site === plan.structured && isHeldObject(value)) {
    const told = objectWithNotice(value, notice);
    site.put(plan.options.schema?.validate(told) === false ? value : told);
  } else {
    site.put(value);
  }
}

function shownBlocks(plan: Plan, fold: Fold | undefined, notice: string): Held[] {
  const { blocks, kept, options, sites, earlier } = plan;
  const all = [...blocks.first, ...blocks.last];
  const list = fold
    ? [
        ...all.slice(0, fold.from),
        textBlock(
          foldWords(
            { ...fold, of: blocks.count, list: blocks.key, original: earlier?.original },
            kept,
            options.readers,
          ),
          blocks.key,
        ),
        ...all.slice(all.length - (blocks.count - fold.to)),
      ]
    : all;
  if (blocks.key !== 'content') return list;
  const hasText = fold !== undefined || sites.some(({ kind }) => kind === 'text');
  const told = hasText ? list : [...list, textBlock(notice, blocks.key)];
  if (options.joinBlocks) return [...joinBlocks(told)];
  const isRoomy = options.limit.chars >= ROOM_FOR_LINK;
  return options.links && isRoomy && !('reason' in kept) ? [...told, linkTo(kept, notice)] : told;
}

/** A link to the whole: the one part that is cut, or all. */
function linkTo(kept: Kept, notice: string): HeldObject {
  const parts = kept.parts.filter(({ name }) => name !== 'result' && !name.startsWith('file'));
  const part = parts.length === 1 ? parts[0] : undefined;
  return {
    type: 'resource_link',
    uri: addressOf(kept, part?.name ?? 'result'),
    name: 'the whole result',
    description: notice,
    mimeType: part?.mimeType ?? (part?.kind === 'text' ? 'text/plain' : 'application/json'),
    ...(part && { size: part.bytes }),
  };
}

export function placedGaps(cuts: ReadonlyMap<Site, Cut>): PlacedGap[] {
  return [...cuts].flatMap(([{ at, kind }, { gaps }]) => gaps.map((gap) => placed(gap, at, kind !== 'text')));
}

/** What is missing in all, with what was before; what a text and `structuredContent` both say counts once. */
export function totalOf(
  { sites, blocks, mirror, gone, earlier }: Plan,
  fold: Fold | undefined,
  cuts: ReadonlyMap<Site, Cut>,
): Total {
  let { chars, bytes } = gone;
  let [lines, of] = [0, chars];
  for (const site of sites) {
    if (site === mirror?.site) continue;
    const isSame = mirror?.form === 'text' && site.kind === 'structured';
    const { whole } = isSame ? mirror.site : site;
    of += whole.chars;
    for (const gap of isFolded(fold, site.block) ? [whole] : (cuts.get(site)?.gaps ?? [])) {
      chars += gap.chars;
      bytes += gap.bytes;
      lines += gap.lines?.count ?? 0;
    }
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
