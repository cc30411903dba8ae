import { isHeldObject, LongText } from '../json/held.ts';
import { mirrors } from './data/mirror.ts';
import type { TakenIn } from './intake.ts';
import type { KeptResult } from './result/plan.ts';
import { blockIn, blocksOf } from './result/sites.ts';

/** Publishes what was taken in. What a text and `structuredContent` both say is kept once. */
export async function keep({ held, draft, partAt }: TakenIn): Promise<KeptResult> {
  if (!draft) return { held, kept: { reason: 'keeping is switched off' }, partAt };
  const structured = partAt('/structuredContent');
  const mirror = structured === undefined ? undefined : mirrorPart({ held, partAt });
  if (structured !== undefined && mirror !== undefined) draft.alias(structured, mirror);
  return { held, kept: await draft.publish(), partAt };
}

/** The part with the text that is the JSON of `structuredContent`. */
function mirrorPart({ held, partAt }: Pick<TakenIn, 'held' | 'partAt'>): string | undefined {
  if (!isHeldObject(held) || held.structuredContent === undefined) return undefined;
  const blocks = blocksOf(held);
  for (const [index, item] of blocks.first.entries()) {
    const block = blockIn(item, blocks.key);
    const text = isHeldObject(block) ? block.text : undefined;
    const part = partAt(`/${blocks.key}/${index}/text`);
    if (part === undefined || !(typeof text === 'string' || text instanceof LongText)) continue;
    if (mirrors(text, held.structuredContent) === 'json') return part;
  }
  return undefined;
}
