import { type Held, isHeldObject, LongList, LongObject } from '../../json/held.ts';
import { type Media, mediaOf } from './base64.ts';
import { pointerTo, type Spot } from './piece.ts';

/** Shorter strings aren't worth a file. */
const LEAST = 1_000;
/** In values within more others than this nothing is looked for. */
const DEEPEST = 200;

/** A string of data that is a file as base64. */
export interface MediaString {
  /** A JSON pointer (RFC 6901) from the value that was looked through. */
  readonly at: string;
  readonly text: string;
  readonly media: Media;
}

/** The strings of at least 1,000 characters within a list or an object that hold media, in order; of those that are held whole. */
export function* mediaStringsIn(value: Held): Generator<MediaString> {
  if (typeof value !== 'string') yield* stringsIn(value, undefined, false, 0);
}

function* stringsIn(
  value: Held,
  spot: Spot | undefined,
  isSaid: boolean,
  depth: number,
): Generator<MediaString> {
  if (typeof value === 'string') {
    const media = value.length < LEAST ? undefined : mediaOf(value, false, isSaid);
    if (media) yield { at: pointerTo(spot), text: value, media };
    return;
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  const entries = entriesOf(value);
  const saysSo = saysBase64(entries);
  for (const [key, item] of entries) yield* stringsIn(item, { parent: spot, key }, saysSo, depth + 1);
}

function entriesOf(value: Held & object): readonly (readonly [key: string | number, value: Held])[] {
  if (Array.isArray(value)) return [...value.entries()];
  if (value instanceof LongList) {
    const { first, last, count } = value;
    return [...first.entries(), ...last.map((item, index) => [count - last.length + index, item] as const)];
  }
  if (value instanceof LongObject) return [...value.first, ...value.last];
  return isHeldObject(value) ? Object.entries(value) : [];
}

/** Whether a field of an object says that others are base64, as in what APIs give of files. */
export function saysBase64(fields: readonly (readonly [key: string | number, value: Held])[]): boolean {
  return fields.some(([key, value]) => key === 'encoding' && value === 'base64');
}
