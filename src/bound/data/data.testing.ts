import fc from 'fast-check';
import { expect } from 'vitest';
import type { Held } from '../../json/held.ts';
import type { Gap, Words } from '../types.ts';

export const WORDS: Words = {
  notice: (gaps) => `[cut in ${gaps.length} places]`,
  marker: ({ from, to, unit }) => `[… ${to - from} ${unit} left out from ${from} on; read them by a call …]`,
  further: ({ from, to, unit }) => `[… ${to - from} ${unit} left out from ${from} on …]`,
  brief: ({ from, to, unit }) => `[… ${to - from} ${unit} left out from ${from} on …]`,
};

/** A plain value as it is held. */
export function held(value: unknown): Held {
  return value as Held;
}

/** JSON with strings long enough to be cut, and base64. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    text(),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 12 }),
  ),
})).value;

function text(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: 'grapheme', minLength: 60, maxLength: 400, size: 'max' }),
    fc.constantFrom(base64(300), `data:image/png;base64,${base64(600)}`),
  );
}

/** Base64 of bytes that look like a picture. */
export function base64(bytes: number): string {
  const picture = Buffer.alloc(bytes, 7);
  Buffer.from('89504e470d0a1a0a', 'hex').copy(picture);
  return picture.toString('base64');
}

/** Fails unless a value is the original with just what the gaps tell taken away. */
export function expectAccounted(original: unknown, shrunk: unknown, gaps: readonly Gap[]): void {
  const open = new Map<string, Gap[]>();
  for (const gap of gaps) open.set(gap.at ?? '', [...(open.get(gap.at ?? '') ?? []), gap]);
  compare(original, shrunk, '', open);
  expect([...open.keys()]).toEqual([]);
}

function compare(original: unknown, shrunk: unknown, at: string, open: Map<string, Gap[]>): void {
  const gaps = open.get(at) ?? [];
  open.delete(at);
  if (typeof original === 'string' && gaps.length > 0) {
    compareText(original, shrunk as string, gaps);
    return;
  }
  if (typeof original !== 'object' || original === null) {
    expect(typeof shrunk === 'string' ? withoutWords(shrunk) : shrunk).toEqual(original);
    return;
  }
  const isMissing = (index: number) => gaps.some(({ from, to }) => index >= from && index < to);
  const entries = Object.entries(original);
  const kept = entries.filter((_, index) => !isMissing(index));
  const left = Object.entries(shrunk as object);
  const missing = entries.filter((_, index) => isMissing(index));
  expectSizes(original, missing, gaps);
  const isAdded = Array.isArray(original)
    ? left.length > kept.length
    : left.some(([key]) => !Object.hasOwn(original, key));
  if (isAdded) {
    const added = Array.isArray(original)
      ? Math.min(
          ...gaps.map(({ from }) => from),
          at === '' && gaps.length === 0 ? 0 : Number.POSITIVE_INFINITY,
        )
      : left.findIndex(([key]) => !Object.hasOwn(original, key));
    expect(left[added]?.[1]).toBeTypeOf('string');
    left.splice(added, 1);
  }
  if (!Array.isArray(original)) expect(left.map(([key]) => key)).toEqual(kept.map(([key]) => key));
  expect(left.length).toBe(kept.length);
  for (const [index, [key, value]] of kept.entries()) {
    const token = key.replaceAll('~', '~0').replaceAll('/', '~1');
    compare(value, left[index]?.[1], `${at}/${token}`, open);
  }
}

function compareText(original: string, shrunk: string, [gap, ...others]: readonly Gap[]): void {
  if (!gap) return;
  const { from, to, chars, bytes, of } = gap;
  expect(others).toEqual([]);
  expect(of).toBe(original.length);
  expect(chars).toBe(to - from);
  expect(bytes).toBe(Buffer.byteLength(original.slice(from, to)));
  expect(shrunk.startsWith(original.slice(0, from))).toBe(true);
  expect(withoutWords(shrunk).endsWith(original.slice(to))).toBe(true);
}

/** A text without the words for what is missing elsewhere. */
function withoutWords(text: string): string {
  return text.replace(/(?: \[… \d+ \w+ left out from \d+ on …\]| \[cut in \d+ places\])+$/, '');
}

function expectSizes(original: object, missing: readonly [string, unknown][], gaps: readonly Gap[]): void {
  const json = Array.isArray(original)
    ? JSON.stringify(missing.map(([, value]) => value))
    : JSON.stringify(Object.fromEntries(missing));
  const separators = Math.max(0, gaps.length - 1);
  const sum = (of: (gap: Gap) => number) => gaps.reduce((total, gap) => total + of(gap), 0);
  expect(sum(({ from, to }) => to - from)).toBe(missing.length);
  if (gaps.length === 0) return;
  expect(sum(({ chars }) => chars)).toBe(json.length - 2 - separators);
  expect(sum(({ bytes }) => bytes)).toBe(Buffer.byteLength(json) - 2 - separators);
}
