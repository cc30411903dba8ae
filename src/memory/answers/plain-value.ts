import { visible } from '../../text/visible.ts';

/** Lists and sections in each other are told as data so deep. */
const DEEPEST = 64;

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const NAME = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:/g;

/** A value as data: what cannot be said so without a loss is text. */
export interface PlainValue {
  readonly value: unknown;
}

/**
 * JSON as the value that it stands for, in which nothing deceives; undefined for what would change on the way: numbers that
 * JavaScript writes otherwise, names that stand twice, and what is nested too deep for readers.
 */
export function plainValue(json: string): PlainValue | undefined {
  const signs = json.replace(STRING, '""');
  if (!isShallow(signs) || !areNumbersKept(signs)) return undefined;
  const plain = JSON.stringify(JSON.parse(json));
  return namesIn(plain) === namesIn(json) ? { value: JSON.parse(visible(plain)) } : undefined;
}

function isShallow(signs: string): boolean {
  let depth = 0;
  for (const [sign] of signs.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1;
    if (depth > DEEPEST) return false;
  }
  return true;
}

function areNumbersKept(signs: string): boolean {
  return (signs.match(/[-\d][-+.\deE]*/g) ?? []).every((number) => String(Number(number)) === number);
}

function namesIn(json: string): number {
  return json.match(NAME)?.length ?? 0;
}
