import { type ErrorCode, PlimsollError } from '../errors.ts';

/** Throws `BAD_USAGE` for what can't be how many are wanted. */
export function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 0) return;
  throw new PlimsollError('BAD_USAGE', `${name} is a whole number from 0; ${String(count)} is none.`);
}

/** Throws `BAD_USAGE`, or another code, for what a program without types gives in the place of a text. */
export function checkText(name: string, value: unknown, code: ErrorCode = 'BAD_USAGE'): void {
  if (typeof value === 'string') return;
  throw new PlimsollError(code, `${name} is a text; ${given(value)}.`);
}

/** Throws `BAD_USAGE` for what a program without types gives in the place of a function. */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new PlimsollError('BAD_USAGE', `${name} is a function; ${given(value)}.`);
}

/** Throws `BAD_USAGE` for what a program without types gives in the place of an object. */
export function checkObject(name: string, value: unknown): void {
  if (isObject(value)) return;
  throw new PlimsollError('BAD_USAGE', `${name} is an object; ${given(value)}.`);
}

/** Throws `BAD_USAGE` for what a program without types gives in the place of an array of objects. */
export function checkObjects(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw new PlimsollError('BAD_USAGE', `${name} is an array; ${given(value)}.`);
  for (const [at, one] of value.entries()) checkObject(`${name}[${at}]`, one);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function given(value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return `what was given is of the type ${kind}`;
}
