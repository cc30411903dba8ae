import { isObject } from '../read/lines.ts';
import type { JsonObject } from './format.ts';

/** A text in an object that may hold anything; `undefined` if there is none under the key. */
export function textAt(object: unknown, key: string): string | undefined {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function objectAt(object: unknown, key: string): JsonObject | undefined {
  const value = valueAt(object, key);
  return isObject(value) ? value : undefined;
}

export function listAt(object: unknown, key: string): readonly unknown[] | undefined {
  const value = valueAt(object, key);
  return Array.isArray(value) ? value : undefined;
}

/** Only what an object has of its own counts: a transcript may have any key. */
export function valueAt(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * A time as turns have it, of a text in ISO 8601, or of a number of seconds or milliseconds since 1970; `undefined` for what
 * is none. A text without a zone is taken for local time.
 */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const isSeconds = typeof value === 'number' && Math.abs(value) < MOST_SECONDS;
  const time = new Date(isSeconds ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Larger numbers are milliseconds: as seconds they would be after the year 5000. */
const MOST_SECONDS = 1e11;

/** Texts as one, with an empty line between them; white space at the ends goes. */
export function joined(texts: readonly (string | undefined)[]): string {
  return texts
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '')
    .join('\n\n')
    .toWellFormed();
}
