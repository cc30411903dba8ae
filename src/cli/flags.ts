import { PlimsollError } from '../errors.ts';
import { type Limit, parseLimit } from '../measure/limit.ts';
import { readSeconds, SECONDS_FORM } from '../settings/values.ts';
import { readLimit, type Warn } from '../settings/wrap.ts';
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

/** A port, or 0 for any free one. Throws `BAD_USAGE`. */
export function parsePort(value: string): number {
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port < 65_536) return port;
  throw new PlimsollError('BAD_USAGE', `Not a port: '${value}'. Give a number from 0 to 65535.`);
}

/** A limit; `warn` takes what is wrong with one that is too small. Throws `BAD_LIMIT` for what is none. */
export function limitIn(text: string, warn: Warn): Limit {
  return readLimit(text, '', warn) ?? parseLimit(text.trim());
}
