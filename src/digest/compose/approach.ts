/** What came of a try: its tokens, and whether more characters could add anything. */
export interface Attempt {
  readonly tokens: number;
  readonly more: boolean;
}

/** Tries at the most; each drafts the document anew from files that are already read. */
const TRIES = 12;
/** Close enough to the limit to stop, as a share of it. */
const GOOD = 0.99;
/** Characters a token, to start from; between what prose and dense code have. */
const FIRST_GUESS = 3.6;

/**
 * Looks for the number of characters whose document comes closest to `limit` tokens without passing it.
 * Tokens grow nearly in step with characters, so a try is laid where the last one points; where that misses on
 * the same side twice, half-way to the other.
 *
 * @param least characters of which it is known that they fit
 */
export async function approach(
  least: number,
  limit: number,
  attempt: (chars: number) => Promise<Attempt>,
): Promise<void> {
  let low = least;
  let high = Number.POSITIVE_INFINITY;
  let chars = Math.max(Math.ceil(limit * FIRST_GUESS), least);
  let wasOver: boolean | undefined;
  for (let tries = 0; tries < TRIES && chars < high; tries++) {
    const { tokens, more } = await attempt(chars);
    const isOver = tokens > limit;
    if (!isOver && (!more || tokens >= limit * GOOD)) return;
    if (isOver) high = chars;
    else low = chars;
    const aimed = Math.floor((chars * limit) / tokens);
    const closesIn = isOver !== wasOver || high === Number.POSITIVE_INFINITY;
    chars = closesIn && aimed > low && aimed < high ? aimed : Math.floor((low + Math.min(high, low * 2)) / 2);
    if (chars <= low) return;
    wasOver = isOver;
  }
}
