import fc from 'fast-check';
import type { Held } from './held.ts';
import { Sketch, type SketchLimits } from './sketch.ts';
import { JsonWalk } from './walk.ts';

/** Texts with everything that JSON, UTF-8 and UTF-16 make difficult. */
export const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\r', 'é', '漢', '😀', '\ud83d', '\ude00', '\u0000', 'u'),
  }),
);

export const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

/** Splits bytes at the given places. */
export function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((to, index) => bytes.subarray(at[index] as number, to));
}

/** JSON in which every character of every string is escaped, or every string that has such a character is. */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function sketchOf(
  bytes: Uint8Array | string,
  limits: SketchLimits,
  cuts: readonly number[] = [],
): Held {
  const sketch = new Sketch(limits);
  const walk = new JsonWalk(sketch);
  for (const chunk of chunksOf(Buffer.from(bytes), cuts)) walk.write(chunk);
  walk.finish();
  return sketch.finish();
}
