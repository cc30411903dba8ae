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
/** How far short of where a try over the limit points the next one is laid, as a share; twice as far each time in a row. */
const SHORT = 0.004;

/**
 * Looks for the number of characters whose document comes closest to `limit` tokens without passing it.
 * Tokens grow nearly in step with characters, so a try is laid where the last one points; where that is known to be
 * too few or too many, half-way between what fits and what doesn't.
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
  let overs = 0;
  for (let tries = 0; tries < TRIES && chars < high; tries++) {
    const { tokens, more } = await attempt(chars);
    if (tokens <= limit && (!more || tokens >= limit * GOOD)) return;
    overs = tokens > limit ? overs + 1 : 0;
    if (overs > 0) high = chars;
    else low = chars;
    const short = overs > 0 ? SHORT * 2 ** (overs - 1) : 0;
    const aimed = Math.floor((chars * limit * (1 - short)) / tokens);
    const middle = high === Number.POSITIVE_INFINITY ? low * 2 : Math.floor((low + high) / 2);
    chars = aimed > low && aimed < high ? aimed : middle;
    if (chars <= low) return;
  }
}
