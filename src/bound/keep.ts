import { isHeldObject, LongText } from '../json/held.ts';
import { markOf } from '../json/mark.ts';
import type { Alias } from '../spool/draft.ts';
import { mirrors } from './data/mirror.ts';
import type { TakenIn } from './intake.ts';
import type { KeptResult } from './result/plan.ts';
import { blockIn, blocksOf } from './result/sites.ts';

/** Publishes what was taken in. What a text and `structuredContent` both say is kept once. */
export async function keep({ held, draft, partAt }: TakenIn): Promise<KeptResult> {
  if (!draft) return { held, kept: { reason: 'keeping is switched off' }, partAt };
  const structured = partAt('/structuredContent');
  const mirror = structured === undefined ? undefined : mirrorOf({ held, partAt });
  if (structured !== undefined && mirror) draft.alias(structured, mirror);
  return { held, kept: await draft.publish(), partAt };
}

/** The part with the text that says the same as `structuredContent`, and could stand for it: without a byte order mark. */
function mirrorOf({ held, partAt }: Pick<TakenIn, 'held' | 'partAt'>): Alias | undefined {
  const structured = isHeldObject(held) ? held.structuredContent : undefined;
  if (!isHeldObject(held) || structured === undefined) return undefined;
  const [key] = isHeldObject(structured) ? Object.keys(structured) : [];
  const blocks = blocksOf(held);
  for (const [index, item] of blocks.first.entries()) {
    const block = blockIn(item, blocks.key);
    const text = isHeldObject(block) ? block.text : undefined;
    const of = partAt(`/${blocks.key}/${index}/text`);
    if (of === undefined || !(typeof text === 'string' || text instanceof LongText)) continue;
    const form = mirrors(text, structured);
    if (form !== 'text' && markOf(typeof text === 'string' ? text : text.head) !== '') continue;
    if (form === 'json') return { of, kind: 'json' };
    if (form) return { of, kind: form === 'text' ? 'text' : 'json', key };
  }
  return undefined;
}
