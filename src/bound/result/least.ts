import type { HeldObject } from '../../json/held.ts';
import { lengthOf, stringify } from '../../json/stringify.ts';
import { shrink } from '../data/shrink.ts';
import { factsOf, META_KEY } from '../facts.ts';
import { shortNoticeOf } from '../words.ts';
import { wholeGap, wordsOf } from './cut.ts';
import type { Plan } from './plan.ts';
import { type BoundedResult, textBlock, totalOf } from './write.ts';

/** What of a result's other fields the smallest answer still has, in characters. */
const SMALL = 120;

/** The smallest truthful form: one short text, the facts, and what small fields there were. */
export function least(plan: Plan): BoundedResult {
  const { result, blocks, kept, options } = plan;
  const whole = new Map(plan.sites.map((site) => [site, { value: undefined, gaps: [wholeGap(site)] }]));
  const total = { ...totalOf(plan, undefined, whole), blocks: blocks.count };
  const facts = factsOf(total, [], kept, { limit: options.limit, paths: false });
  const text = textBlock(shortNoticeOf(total, kept, options.readers), blocks.key);
  const write = (others: HeldObject) => {
    const value = { ...others, [blocks.key]: [text], _meta: { [META_KEY]: facts as unknown as HeldObject } };
    return { value, json: stringify(value), facts };
  };
  const small: HeldObject = Object.create(null);
  for (const [key, held] of Object.entries(result)) {
    if (key === blocks.key || key === '_meta' || key === 'structuredContent') continue;
    if (lengthOf(held) <= SMALL) small[key] = held;
  }
  const { structured } = plan;
  const bare = write(small);
  if (structured) {
    const room = options.limit.chars - bare.json.length - '"structuredContent":,'.length;
    const cut = shrink(structured.original, room, {
      words: wordsOf(plan, structured),
      schema: options.schema,
    });
    if (cut) return write({ ...small, structuredContent: cut.value });
  }
  if (bare.json.length <= options.limit.chars) return bare;
  return write(result.isError === undefined ? {} : { isError: result.isError });
}
