import { PlimsollError } from '../errors.ts';
import { checkText } from './checks.ts';

/** The longest value, in UTF-16 code units of its JSON. */
export const LONGEST_VALUE = 16 * 1024 * 1024;

/** The JSON of a text that is to be a value. Lone surrogates become U+FFFD. Throws `BAD_VALUE` if it is too long. */
export function textValue(text: string): string {
  return withinLength(JSON.stringify(text.toWellFormed()));
}

/**
 * Checks that JSON is a value: a string, a number, a boolean, null, or an array of these, spelled in any way; with
 * `anyArray`, an array of anything. Throws `BAD_VALUE` for anything else.
 */
export function checkedValue(
  json: string,
  { anyArray = false }: { readonly anyArray?: boolean } = {},
): string {
  checkText('json', json, 'BAD_VALUE');
  let value: unknown;
  try {
    value = JSON.parse(withinLength(json));
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
    throw bad('The value is not JSON. A text in JSON stands in double quotes; without --json it needs none.');
  }
  if (anyArray && Array.isArray(value)) return json.trim();
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'object' || item === null) continue;
    const what = Array.isArray(value)
      ? 'An array that is a value holds texts, numbers, booleans and null, no objects or arrays'
      : 'A value is a text, a number, true, false, null or an array of these, no object';
    throw bad(`${what}. Set the keys of an object one by one, or import it.`);
  }
  return json.trim();
}

/** Whether two values or sections in JSON are the same, however they are spelled; numbers are if they have the same digits. */
export function isSameValue(one: string, other: string): boolean {
  if (one === other) return true;
  if (one.startsWith('"') && other.startsWith('"')) return JSON.parse(one) === JSON.parse(other);
  return one.charAt(0) === other.charAt(0) && /^[[{]/.test(one) && spelled(one) === spelled(other);
}

/** Whether two keys hold the same, or neither holds anything. */
export function isSameOrNone(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined ? one === other : isSameValue(one, other);
}

/** JSON in the one spelling that `JSON.stringify` has, but for its numbers. */
function spelled(json: string): string {
  return json.replace(TEXT_OR_SPACE, (match) =>
    match.startsWith('"') ? JSON.stringify(JSON.parse(match)) : '',
  );
}

const TEXT_OR_SPACE = /"[^"\\]*(?:\\.[^"\\]*)*"|[ \t\r\n]+/g;

function withinLength(json: string): string {
  if (json.length <= LONGEST_VALUE) return json;
  throw bad(`A value has at most ${LONGEST_VALUE} characters; this one has ${json.length}.`);
}

function bad(message: string): PlimsollError {
  return new PlimsollError('BAD_VALUE', message);
}
