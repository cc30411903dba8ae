import type { Gap } from './types.ts';

/** How many lines are missing in gaps, in their order; a line that several gaps of a text lie in counts once. */
export function linesMissing(gaps: readonly Gap[]): number {
  const ends = new Map<string, number>();
  let sum = 0;
  for (const { lines, at = '', within = '' } of gaps) {
    if (!lines) continue;
    const text = JSON.stringify([at, within]);
    const shared = Math.max(0, (ends.get(text) ?? lines.from) - lines.from);
    sum += Math.max(0, lines.count - shared);
    ends.set(text, Math.max(lines.to, ends.get(text) ?? 0));
  }
  return sum;
}
