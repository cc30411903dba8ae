import { PlimsollError } from '../errors.ts';

/** How much a document may hold, and what is counted. */
export interface Budget {
  /** `chars` are UTF-16 code units, JavaScript's `length`. */
  readonly unit: 'chars' | 'tokens';
  readonly limit: number;
}

/** What a digest may hold unless the user says otherwise. */
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
  const budget: Budget = { unit: tokens ? 'tokens' : 'chars', limit: Number(digits) };
  if (isBudget(budget)) return budget;
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  throw new PlimsollError('BAD_BUDGET', `Not a budget: '${shown}'. Give ${BUDGET_FORM}.`);
}

/** Throws `BAD_BUDGET` for a unit there is none of, or a limit that is no whole number from 1 to 500,000,000. */
export function checkBudget(budget: Budget): void {
  if (isBudget(budget)) return;
  throw new PlimsollError(
    'BAD_BUDGET',
    `Not a budget: ${JSON.stringify(budget)}. Its unit is 'chars' or 'tokens', its limit a whole number from 1 to ${LARGEST}.`,
  );
}

function isBudget({ unit, limit }: Budget): boolean {
  return (unit === 'chars' || unit === 'tokens') && Number.isInteger(limit) && limit >= 1 && limit <= LARGEST;
}
