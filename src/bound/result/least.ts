import type { Held, HeldObject } from '../../json/held.ts';
import { lengthOf, stringify } from '../../json/stringify.ts';
import { shrink } from '../data/shrink.ts';
import { factsOf, META_KEY } from '../facts.ts';
import { noticeOf, shortNoticeOf } from '../words.ts';
import { costWithin, wordsOf } from './cut.ts';
import { linesOf } from './measure.ts';
import { isFrugal, LEAST_ROOM, type Plan } from './plan.ts';
import { textBlock } from './sites.ts';
import { type BoundedResult, placedGaps, totalOf } from './write.ts';

/** What of a result's other fields the smallest answer still has, in characters. */
const SMALL = 120;
/** A notice that is longer, since paths are, has no room in each limit. */
const LONGEST_NOTICE = 600;

/** The smallest truthful form: one short text, the facts, and what small fields there were. */
export function least(plan: Plan): BoundedResult {
  const { result, blocks, kept, options } = plan;
  const whole = new Map(plan.sites.map((site) => [site, { value: undefined, gaps: [site.whole] }]));
  const all = { from: 0, to: blocks.count };
  const total = totalOf(plan, all, whole);
  const facts = factsOf(total, placedGaps(plan, all, whole), kept, {
    limit: options.limit,
    paths: false,
    isShort: true,
  });
  const notice = noticeOf(total, kept, options.readers);
  const isShort = isFrugal(plan) || notice.length > LONGEST_NOTICE;
  const text = textBlock(isShort ? shortNoticeOf(total, kept, options.readers) : notice, blocks.key);
  const write = (others: HeldObject) => {
    const value = { ...others, [blocks.key]: [text], _meta: { [META_KEY]: facts as unknown as HeldObject } };
    return { value, json: stringify(value), facts };
  };
  const small: HeldObject = Object.create(null);
  for (const [key, held] of Object.entries(result)) {
    if (key === blocks.key || key === '_meta' || key === 'structuredContent') continue;
    if (lengthOf(held) <= SMALL) small[key] = held;
  }
  const bare = write(small);
  const structured = leastStructured(plan, bare);
  if (structured !== undefined) return write({ ...small, structuredContent: structured });
  const { chars, lines = Number.POSITIVE_INFINITY } = options.limit;
  if (bare.json.length <= chars && linesOf(bare.value) <= lines) return bare;
  return write(result.isError === undefined ? {} : { isError: result.isError });
}

/** `structuredContent` in the room beside the rest, or in as little as it takes if nothing is to be shown. */
function leastStructured(plan: Plan, rest: Pick<BoundedResult, 'value' | 'json'>): Held | undefined {
  const { structured: site, options } = plan;
  if (!site) return undefined;
  const all = options.limit.chars - rest.json.length - '"structuredContent":,'.length;
  const words = wordsOf(plan, site);
  const { lines: most } = options.limit;
  const lines = most === undefined ? undefined : Math.max(1, most - linesOf(rest.value));
  for (let room = options.showsNothing ? LEAST_ROOM : all; ; room = Math.min(all, room * 2)) {
    const some = Math.min(all, room);
    const cost = costWithin(site.original, some, lines);
    const cut = shrink(site.original, some, { words, cost, schema: options.schema });
    if (cut || room >= all) return cut?.value;
  }
}
