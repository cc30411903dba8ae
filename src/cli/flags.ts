import { PlimsollError } from '../errors.ts';
import { readSeconds, SECONDS_FORM } from '../settings/values.ts';
import { visibleName } from '../text/visible.ts';

/** A time in seconds. Throws `BAD_USAGE`. */
export function parseSeconds(value: string): number {
  const seconds = readSeconds(value);
  if (seconds !== undefined) return seconds;
  throw new PlimsollError('BAD_USAGE', `Not a time: '${visibleName(value)}'. Give ${SECONDS_FORM}.`);
}

/** Values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
