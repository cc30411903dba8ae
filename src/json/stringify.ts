import { type Held, LongList, LongObject, LongText, RawNumber } from './held.ts';

/** What JSON strings escape. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * The JSON of a value, as `JSON.stringify` writes it, but numbers that JavaScript writes in another way as they came.
 * `indent` is what a level is indented by: a number of spaces, or a text; what is within `depth` lists and objects or
 * more stands in one line.
 *
 * Throws for what isn't held whole.
 */
export function stringify(
  value: Held,
  indent: number | string = 0,
  depth = Number.POSITIVE_INFINITY,
): string {
  const step = typeof indent === 'number' ? ' '.repeat(indent) : indent;
  return written(value, step, step === '' ? '' : '\n', depth);
}

function written(value: Held, step: string, newline: string, depth: number): string {
  if (depth <= 0 && step !== '') return written(value, '', '', depth);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof RawNumber) return value.raw;
  if (value instanceof LongText || value instanceof LongList || value instanceof LongObject) {
    throw new Error('a value that is not held whole has no JSON');
  }
  const inner = newline + step;
  if (Array.isArray(value)) {
    return enclosed(
      '[',
      ']',
      value.map((item) => written(item, step, inner, depth - 1)),
      inner,
      newline,
    );
  }
  const colon = step === '' ? ':' : ': ';
  const entries = Object.entries(value).map(
    ([key, item]) => JSON.stringify(key) + colon + written(item, step, inner, depth - 1),
  );
  return enclosed('{', '}', entries, inner, newline);
}

function enclosed(
  open: string,
  close: string,
  items: readonly string[],
  inner: string,
  newline: string,
): string {
  return items.length === 0 ? open + close : open + inner + items.join(`,${inner}`) + newline + close;
}

/**
 * How long `stringify(value)` is, in UTF-16 code units. What isn't held whole counts as its whole: a text exactly, a
 * list or an object with the bytes it had as it was written.
 */
export function lengthOf(value: Held): number {
  if (typeof value === 'string') return quotedLength(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value).length;
  if (value instanceof RawNumber) return value.raw.length;
  if (value instanceof LongText) return value.escapedChars;
  if (value instanceof LongList || value instanceof LongObject) return value.chars;
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) length += lengthOf(item) + 1;
    return value.length === 0 ? length : length - 1;
  }
  for (const [key, item] of Object.entries(value)) length += quotedLength(key) + lengthOf(item) + 2;
  return length === 2 ? length : length - 1;
}

function quotedLength(text: string): number {
  return ESCAPED.test(text) ? JSON.stringify(text).length : text.length + 2;
}
