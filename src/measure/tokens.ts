import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX as PIECE } from 'gpt-tokenizer/encodingParams/constants';

/** For pieces the tokenizer takes the square of the time; those that are longer than this, in UTF-16 code units, it needn't see. */
const LONG = 256;
/** What a piece that is much longer has in it. */
const LONG_RUN = new RegExp(`\\S{${LONG}}|\\s{${LONG}}`);

const AS_PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

/** How many tokens of `o200k_base` a text is. */
export function tokensIn(text: string): number {
  if (!LONG_RUN.test(text)) return countTokens(text, AS_PLAIN_TEXT);
  let count = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    count += piece.length <= LONG ? countTokens(piece, AS_PLAIN_TEXT) : tokensInPiece(piece);
  }
  return count;
}

/**
 * The tokens that byte pairs of a piece are merged to, of lowest rank first, of equal ones the leftmost: what the tokenizer
 * does, with a heap for the pairs.
 */
function tokensInPiece(piece: string): number {
  const bytes = Buffer.from(piece);
  const ends = Array.from(bytes, (_, at) => at + 1);
  const starts = Array.from(bytes, (_, at) => at - 1);
  const pairs = new Heap();
  const rankAt = new Float64Array(bytes.length).fill(Number.POSITIVE_INFINITY);
  const rank = (at: number) => {
    const middle = ends[at] as number;
    const end = ends[middle];
    const found = end === undefined ? undefined : rankOf(bytes.toString('latin1', at, end));
    rankAt[at] = found ?? Number.POSITIVE_INFINITY;
    if (found !== undefined) pairs.push(found * PLACES + at);
  };
  for (let at = 0; at < bytes.length; at++) rank(at);
  let count = bytes.length;
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const at = pair % PLACES;
    if (rankAt[at] !== (pair - at) / PLACES) continue;
    const middle = ends[at] as number;
    const end = ends[middle] as number;
    rankAt[middle] = Number.POSITIVE_INFINITY;
    ends[at] = end;
    starts[end] = at;
    count--;
    rank(at);
    if (at > 0) rank(starts[at] as number);
  }
  return count;
}

/** More than a text has bytes; times the number of ranks it is a safe integer. */
const PLACES = 2 ** 32;

let known: Map<string, number> | undefined;

/** The rank of a token, whose bytes are given as characters. */
function rankOf(token: string): number | undefined {
  if (!known) {
    known = new Map();
    for (const [rank, one] of ranks.entries()) if (one) known.set(Buffer.from(one).toString('latin1'), rank);
  }
  return known.get(token);
}

/** Numbers, of which the least comes first. */
class Heap {
  readonly #numbers: number[] = [];

  push(number: number): void {
    const numbers = this.#numbers;
    let at = numbers.push(number) - 1;
    for (let above = (at - 1) >> 1; at > 0 && (numbers[above] as number) > number; above = (at - 1) >> 1) {
      numbers[at] = numbers[above] as number;
      at = above;
    }
    numbers[at] = number;
  }

  pop(): number | undefined {
    const numbers = this.#numbers;
    const least = numbers[0];
    const last = numbers.pop();
    if (last === undefined || numbers.length === 0) return least;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below + 1 < numbers.length && (numbers[below + 1] as number) < (numbers[below] as number)) below++;
      if (below >= numbers.length || (numbers[below] as number) >= last) break;
      numbers[at] = numbers[below] as number;
      at = below;
    }
    numbers[at] = last;
    return least;
  }
}
