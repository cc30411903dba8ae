import { PlimsollError } from '../errors.ts';

/** Throws `BAD_USAGE` for what can't be how many are wanted. */
export function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 0) return;
  throw new PlimsollError('BAD_USAGE', `${name} is a whole number from 0; ${count} is none.`);
}
