import { type HeldObject, isHeldObject } from '../../json/held.ts';
import { lengthOf, stringify } from '../../json/stringify.ts';
import { shrink } from '../data/shrink.ts';
import { factsOf, META_KEY } from '../facts.ts';
import { noticeOf, shortNoticeOf } from '../words.ts';
import { type Cut, costWithin, wordsOf } from './cut.ts';
import { linesOf } from './measure.ts';
import { isFrugal, type Plan, type ResultOptions } from './plan.ts';
import { type Site, textBlock } from './sites.ts';
import { type BoundedResult, placedGaps, totalOf } from './write.ts';

/** What of a result's other fields the smallest answer still has, in characters. */
const SMALL = 120;
/** The same of the fields of `_meta`, where there is room. */
const LARGER = 1000;
/** A notice that is longer, since paths are, has no room in each limit. */
const LONGEST_NOTICE = 600;

/** The smallest truthful form: one short text, the facts, and what small fields there were. */
export function least(plan: Plan): BoundedResult {
  const { result, blocks, options } = plan;
  const gone = new Map<Site, Cut>(plan.sites.map((site) => [site, { value: undefined, gaps: [site.whole] }]));
  const meta = isHeldObject(result._meta) ? result._meta : {};
  const small = smallOf(result, SMALL, [blocks.key, '_meta', 'structuredContent']);
  const { isError } = result;
  const bare = [smallOf(meta, LARGER), smallOf(meta, SMALL), {}].map((told) => ({
    told,
    answer: write(plan, gone, small, told),
  }));
  for (const { told, answer } of bare) {
    const structured = leastStructured(plan, answer);
    if (structured) return write(plan, new Map([...gone, structured]), small, told);
  }
  const within = bare.find(({ answer }) => isWithin(answer, options));
  return within?.answer ?? write(plan, gone, isError === undefined ? {} : { isError }, {});
}

function write(
  plan: Plan,
  cuts: ReadonlyMap<Site, Cut>,
  others: HeldObject,
  meta: HeldObject,
): BoundedResult {
  const { blocks, kept, options } = plan;
  const all = { from: 0, to: blocks.count };
  const total = totalOf(plan, all, cuts);
  const facts = factsOf(total, placedGaps(plan, all, cuts), kept, {
    limit: options.limit,
    paths: false,
    isShort: true,
  });
  const notice = noticeOf(total, kept, options.readers);
  const isShort = isFrugal(plan) || notice.length > LONGEST_NOTICE;
  const text = textBlock(isShort ? shortNoticeOf(total, kept, options.readers) : notice, blocks.key);
  const structuredContent = plan.structured && cuts.get(plan.structured)?.value;
  const value: HeldObject = {
    ...others,
    ...(structuredContent !== undefined && { structuredContent }),
    [blocks.key]: [text],
    _meta: { ...meta, [META_KEY]: facts as unknown as HeldObject },
  };
  return { value, json: stringify(value), facts };
}

/** The fields that take at most so much, but for some. */
function smallOf(fields: HeldObject, most: number, but: readonly string[] = []): HeldObject {
  const small: HeldObject = Object.create(null);
  for (const [key, held] of Object.entries(fields)) {
    if (!but.includes(key) && lengthOf(held) <= most) small[key] = held;
  }
  return small;
}

function isWithin({ json, value }: BoundedResult, { limit }: ResultOptions): boolean {
  const { chars, lines = Number.POSITIVE_INFINITY } = limit;
  return json.length <= chars && linesOf(value) <= lines;
}

/** `structuredContent` in the room beside the rest, or in as little as it takes if nothing is to be shown. */
function leastStructured(plan: Plan, rest: BoundedResult): readonly [Site, Cut] | undefined {
  const { structured: site, options } = plan;
  if (!site) return undefined;
  const all = options.limit.chars - rest.json.length - '"structuredContent":,'.length;
  const words = wordsOf(plan, site);
  const { lines: most } = options.limit;
  const lines = most === undefined ? undefined : Math.max(1, most - linesOf(rest.value));
  for (let room = options.showsNothing ? 1 : all; ; room = Math.min(all, room * 2)) {
    const some = Math.min(all, room);
    const cost = costWithin(site.original, some, lines);
    const cut = shrink(site.original, some, { words, cost, schema: options.schema });
    if (cut) return [site, cut];
    if (room >= all) return undefined;
  }
}
