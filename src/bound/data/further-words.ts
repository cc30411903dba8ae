import { type Held, type HeldObject, isHeldObject, LongList, LongText } from '../../json/held.ts';
import { mediaOf } from './base64.ts';
import type { Place } from './place.ts';

/** A text in a value, as it was and as it is now. */
interface TextIn {
  /** The fields and items it is in, from the value on. */
  readonly path: readonly (string | number)[];
  readonly place: Place;
  readonly original: string | LongText;
  readonly text: string;
}

/** How deep in a value a text is looked for, and of how many texts one is chosen. */
const DEEPEST = 4;
const MOST_TEXTS = 100;

/** A text of so many words is prose: one of fewer may be a name or a title, which is none any more with others in it. */
const PROSE = /^(?:\s*\S{1,40}\s){7}\s*\S/;

/** Whether a value at a place has a text that further words may be added to: it is one, or there is one in it. */
export function takesWords(value: Held, place: Place, words: string): boolean {
  for (const text of textsIn(value, value, place)) if (mayTake(text, words)) return true;
  return false;
}

/**
 * A value with words at the end of a text in it, which is prose or was cut: of those that take them one that was cut,
 * else one that is least deep, else the longest. Undefined if there is none.
 */
export function withWords(value: Held, original: Held, place: Place, words: string): Held | undefined {
  const texts: TextIn[] = [];
  for (const text of textsIn(value, original, place)) {
    if (mayTake(text, words)) texts.push(text);
    if (texts.length === MOST_TEXTS) break;
  }
  const [best] = texts.sort(
    (one, other) =>
      Number(other.text !== other.original) - Number(one.text !== one.original) ||
      one.path.length - other.path.length ||
      other.text.length - one.text.length,
  );
  return best && replaced(value, best.path, `${best.text} ${words}`);
}

/** Base64 never takes words, nor what may be a name. */
function mayTake({ place, original, text }: TextIn, words: string): boolean {
  const isOpen = text !== original || PROSE.test(text);
  return isOpen && !mediaOf(original) && place.takes(`${text} ${words}`, original);
}

/** The texts in a value, but of lists only those in the first item. */
function* textsIn(
  value: Held,
  original: Held,
  place: Place,
  path: readonly (string | number)[] = [],
): Generator<TextIn> {
  if (isText(original)) {
    if (isText(value)) yield { path, place, original, text: startOf(value) };
    return;
  }
  if (path.length >= DEEPEST) return;
  const rules = place.rulesFor(original);
  const [item, before] = [firstOf(value), firstOf(original)];
  if (item !== undefined && before !== undefined && !rules.isSet) {
    yield* textsIn(item, before, rules.item(0), [...path, 0]);
  }
  if (!isHeldObject(original) || !isHeldObject(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (Object.hasOwn(original, key))
      yield* textsIn(field, original[key] ?? null, rules.property(key), [...path, key]);
  }
}

/** A value with another text at a path. */
function replaced(value: Held, [key, ...path]: readonly (string | number)[], text: string): Held {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)] ?? null, path, text));
  const object = value as HeldObject;
  return Object.assign(Object.create(null), object, { [key]: replaced(object[key] ?? null, path, text) });
}

function firstOf(value: Held): Held | undefined {
  if (value instanceof LongList) return value.first[0];
  return Array.isArray(value) ? value[0] : undefined;
}

function startOf(text: string | LongText): string {
  return text instanceof LongText ? text.head : text;
}

function isText(value: Held): value is string | LongText {
  return typeof value === 'string' || value instanceof LongText;
}
