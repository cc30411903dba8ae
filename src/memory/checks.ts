import { type ErrorCode, PlimsollError } from '../errors.ts';

/** Throws `BAD_USAGE` for what can't be how many are wanted. */
export function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 0) return;
  throw new PlimsollError('BAD_USAGE', `${name} is a whole number from 0; ${count} is none.`);
}

/** Throws `BAD_USAGE`, or another code, for what a program without types gives in the place of a text. */
export function checkText(name: string, value: unknown, code: ErrorCode = 'BAD_USAGE'): void {
  if (typeof value === 'string') return;
  throw new PlimsollError(code, `${name} is a text; what was given is of the type ${typeof value}.`);
}
