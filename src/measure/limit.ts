import { inspect } from 'node:util';
import { PlimsollError } from '../errors.ts';
import type { SketchLimits } from '../json/long-text.ts';

/**
 * How much may pass. Every unit that is given holds; characters (UTF-16 code units) are always given. A result is
 * measured as the JSON that is sent, media by what they cost a model.
 */
export interface Limit {
  readonly chars: number;
  /** In UTF-8. */
  readonly bytes?: number | undefined;
  /** Counted with `o200k_base`. */
  readonly tokens?: number | undefined;
  /** Lines of all texts together. */
  readonly lines?: number | undefined;
}

/** What may pass unless somebody says otherwise. */
export const DEFAULT_LIMIT: Limit = { chars: 100_000 };

/** The least limit, in characters, bytes and tokens: room for the smallest answer that says what is missing and where it is. */
export const LEAST_LIMIT = 1_000;

/** The least limit in lines. */
export const LEAST_LINES = 20;

/** V8 holds no string longer than 2^29 - 24 code units; a limit stays below it. */
const LARGEST = 500_000_000;

/** What a limit may look like, for messages and help. */
export const LIMIT_FORM = `a whole number from ${LEAST_LIMIT} to ${LARGEST} of characters, like 100000, of tokens, like 25000tok, or of bytes, like 51200bytes, or from ${LEAST_LINES} on of lines, like 2000lines; several joined by commas all hold`;

const UNITS = { '': 'chars', tok: 'tokens', bytes: 'bytes', lines: 'lines' } as const;

/** The most that is shown of what is no limit, in characters. */
const LONGEST_SHOWN = 40;

/**
 * Reads a limit: `100000` characters, `25000tok` tokens, `51200bytes`, `2000lines`, or several joined by commas, all
 * of which hold. Throws `BAD_LIMIT` for anything else, and for a limit below the least or above the largest there is.
 */
export function parseLimit(value: string): Limit {
  const limit: { -readonly [Unit in keyof Limit]: Limit[Unit] } = { chars: LARGEST };
  const seen = new Set<string>();
  const terms = value.split(',');
  for (const term of terms) {
    const [, digits, suffix = ''] = /^(\d+)(tok|bytes|lines)?$/.exec(term) ?? [];
    if (digits === undefined)
      throw badLimit(`'${shown(value)}'`, terms.length > 1 && `'${shown(term)}' is none`);
    const unit = UNITS[suffix as keyof typeof UNITS];
    const problem = seen.has(unit) ? `${unit} are given twice` : problemWith(unit, Number(digits));
    if (problem) throw badLimit(`'${shown(value)}'`, problem);
    seen.add(unit);
    limit[unit] = Number(digits);
  }
  if (!seen.has('chars')) limit.chars = charsAtMost(limit);
  return limit;
}

/**
 * The limit that is meant by a number of characters, by a text as {@link parseLimit} reads it, or by a limit.
 * Throws `BAD_LIMIT` for what is none.
 */
export function limitOf(value: number | string | Limit): Limit {
  if (typeof value === 'string') return parseLimit(value);
  const limit = typeof value === 'number' ? { chars: value } : value;
  const given: Partial<Limit> = limit;
  for (const [unit, count] of Object.entries({ chars: undefined, ...given })) {
    const isLeftOut = count === undefined && unit !== 'chars';
    const problem = isLeftOut ? undefined : problemWith(unit, count);
    if (problem) throw badLimit(shown(inspect(value, { breakLength: Number.POSITIVE_INFINITY })), problem);
  }
  return limit;
}

/** How much of either end of a long text is held however little may pass: enough to tell what it is. */
const LEAST_TEXT = 8000;

/** How much of a value over the limit is held in memory: more than may pass of it. */
export function windowsFor({ chars }: Limit): SketchLimits {
  const textChars = Math.max(chars, LEAST_TEXT);
  return { textChars, listBytes: textChars * 2 };
}

/**
 * How many characters can be within the other units of a limit: none is shorter than a byte, and text with more than
 * eight to a token is rare. Lines alone don't bound anything.
 */
function charsAtMost({ bytes = LARGEST, tokens = LARGEST }: Partial<Limit>): number {
  const chars = Math.min(bytes, tokens * 8);
  return chars < LARGEST ? chars : DEFAULT_LIMIT.chars;
}

/** What is wrong with a number of some unit, in words; undefined if nothing is. */
function problemWith(unit: string, count: unknown): string | undefined {
  if (!Object.values<string>(UNITS).includes(unit)) return `there is no unit '${shown(unit)}'`;
  if (!Number.isInteger(count)) return `${unit} must be a whole number`;
  const least = unit === 'lines' ? LEAST_LINES : LEAST_LIMIT;
  if (Number(count) < least) return `${count} ${unit} are less than the least, ${least}`;
  return Number(count) > LARGEST ? `${count} ${unit} are more than the most, ${LARGEST}` : undefined;
}

function badLimit(what: string, problem: string | false): PlimsollError {
  const reason = problem === false ? '' : `: ${problem}`;
  return new PlimsollError('BAD_LIMIT', `Not a limit: ${what}${reason}. Give ${LIMIT_FORM}.`);
}

function shown(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
