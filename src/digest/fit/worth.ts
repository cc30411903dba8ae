/** An outline that carries this share of its file is worth half of the file to a reader; the rest is worth the other half. */
export const OUTLINE_SHARE = 0.15;
/** What it is worth to a reader that a file is there at all with so many characters of it, beside what it carries. */
const PRESENCE = 0.06;
const PRESENT = 200;

/**
 * What a view of a file is worth to a reader, from 0 to 1 + `PRESENCE`: the share of the file that it carries, or, in
 * outline, half of it for the first `OUTLINE_SHARE` and half for the rest; and something for the file's being there.
 *
 * @param chars characters carried of the file's `size`
 */
export function worthOf(mode: 'full' | 'head' | 'outline', chars: number, size: number): number {
  const share = Math.min(1, chars / Math.max(1, size));
  const present = PRESENCE * Math.min(1, chars / Math.min(PRESENT, Math.max(1, size)));
  if (mode !== 'outline') return present + share;
  const rest = Math.max(0, share - OUTLINE_SHARE) / (1 - OUTLINE_SHARE);
  return present + 0.5 * Math.min(1, share / OUTLINE_SHARE) + 0.5 * rest;
}
