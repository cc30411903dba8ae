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
export const LIMIT_FORM = `a whole number of characters from ${LEAST_LIMIT} to ${LARGEST}, like 100000, of tokens, like 25000tok, of bytes, like 51200bytes, or of lines, like 2000lines (${LEAST_LINES} or more); several joined by commas all hold`;

const UNITS = { '': 'chars', tok: 'tokens', bytes: 'bytes', lines: 'lines' } as const;

/**
 * Reads a limit: `100000` characters, `25000tok` tokens, `51200bytes`, `2000lines`, or several joined by commas, all
 * of which hold. Throws `BAD_LIMIT` for anything else, and for a limit below the least or above the largest there is.
 */
export function parseLimit(value: string): Limit {
  const limit: { -readonly [Unit in keyof Limit]: Limit[Unit] } = { chars: LARGEST };
  const seen = new Set<string>();
  for (const term of value.split(',')) {
    const [, digits = '', suffix = ''] = /^(\d+)(tok|bytes|lines)?$/.exec(term) ?? [];
    const unit = UNITS[suffix as keyof typeof UNITS];
    if (!isAllowed(unit, Number(digits)) || seen.has(unit)) throw badLimit(value);
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
  const units = Object.entries(limit).filter(([, count]) => count !== undefined);
  if (!units.every(([unit, count]) => isAllowed(unit, count)) || limit.chars === undefined) {
    throw badLimit(JSON.stringify(value) ?? String(value));
  }
  return limit;
}

/** How much of a value over the limit is held in memory: more than may pass of it. */
export function windowsFor({ chars }: Limit): SketchLimits {
  return { textChars: chars, listBytes: chars * 2 };
}

/**
 * How many characters can be within the other units of a limit: none is shorter than a byte, and text with more than
 * eight to a token is rare. Lines alone don't bound anything.
 */
function charsAtMost({ bytes = LARGEST, tokens = LARGEST }: Partial<Limit>): number {
  const chars = Math.min(bytes, tokens * 8);
  return chars < LARGEST ? chars : DEFAULT_LIMIT.chars;
}

function isAllowed(unit: string, count: number): boolean {
  if (!Object.values<string>(UNITS).includes(unit)) return false;
  return (
    Number.isInteger(count) && count >= (unit === 'lines' ? LEAST_LINES : LEAST_LIMIT) && count <= LARGEST
  );
}

function badLimit(value: string): PlimsollError {
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  return new PlimsollError('BAD_LIMIT', `Not a limit: '${shown}'. Give ${LIMIT_FORM}.`);
}
