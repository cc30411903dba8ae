import { Sketch } from '../json/sketch.ts';
import { JsonWalk } from '../json/walk.ts';
import { Target } from './target.ts';
import type { Frame } from './types.ts';

/** How much is held of the params of a large message: names and metadata are short. */
const LIMITS = { textChars: 2_000, listBytes: 4_000 };

/**
 * The `params` of a message that is too large to be held: what is short in them is there as it is, long texts and
 * lists are not. Undefined if there are none.
 */
export async function paramsOf(frame: Pick<Frame, 'bytes'>): Promise<unknown> {
  const sketch = new Sketch(LIMITS);
  const target = new Target(['params'], sketch);
  const walk = new JsonWalk(target);
  const bytes = frame.bytes();
  for await (const piece of Buffer.isBuffer(bytes) ? [bytes] : bytes) walk.write(piece);
  walk.finish();
  return target.to > 0 ? sketch.finish() : undefined;
}
