import { PlimsollError } from '../errors.ts';

/** How much a document may hold, and what is counted. */
export interface Budget {
  /** `chars` are UTF-16 code units, JavaScript's `length`. */
  readonly unit: 'chars' | 'tokens';
  readonly limit: number;
}

export const DEFAULT_BUDGET: Budget = { unit: 'chars', limit: 40_000 };

/** V8 holds no string longer than 2^29 - 24 code units; a budget stays below it. */
const LARGEST = 500_000_000;

/** What a budget may look like, for messages and help. */
export const BUDGET_FORM = `a whole number of characters from 1 to ${LARGEST}, like 40000, or of tokens, like 10000tok`;

const FORM = /^(\d+)(tok)?$/;

/**
 * Reads a budget: digits count characters (`40000`), digits and `tok` count tokens (`10000tok`).
 * Throws `BAD_BUDGET` for anything else, and for less than 1 or more than 500,000,000.
 */
export function parseBudget(value: string): Budget {
  const [, digits, tokens] = FORM.exec(value) ?? [];
  const limit = Number(digits);
  if (limit >= 1 && limit <= LARGEST) return { unit: tokens ? 'tokens' : 'chars', limit };
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  throw new PlimsollError('BAD_BUDGET', `Not a budget: '${shown}'. Give ${BUDGET_FORM}.`);
}
