import { type Held, isHeldObject, LongText } from '../../json/held.ts';
import { mediaOf } from './base64.ts';
import type { Place } from './place.ts';

/** A text in a value, as it was and as it is now. */
interface TextIn {
  /** The field it is in; undefined if it is the value. */
  readonly key: string | undefined;
  readonly place: Place;
  readonly original: string | LongText;
  readonly text: string;
}

/** Whether a value at a place has a text that further words may be added to: it is one, or has a field with one. */
export function takesWords(value: Held, place: Place, words: string): boolean {
  return textsIn(value, value, place).some((text) => mayTake(text, words));
}

/** A value with words at the end of a text in it: one that was cut, else one with spaces, else the longest. */
export function withWords(value: Held, original: Held, place: Place, words: string): Held {
  const texts = textsIn(value, original, place).filter((text) => mayTake(text, words));
  const [best] = texts.sort(
    (one, other) =>
      Number(other.text !== other.original) - Number(one.text !== one.original) ||
      Number(other.text.includes(' ')) - Number(one.text.includes(' ')) ||
      other.text.length - one.text.length,
  );
  if (!best) return value;
  const longer = `${best.text} ${words}`;
  if (best.key === undefined) return longer;
  return Object.assign(Object.create(null), value, { [best.key]: longer });
}

/** Base64 never takes words. */
function mayTake({ place, original, text }: TextIn, words: string): boolean {
  return !mediaOf(original) && place.takes(`${text} ${words}`, original);
}

function textsIn(value: Held, original: Held, place: Place): TextIn[] {
  if (isText(original))
    return isText(value) ? [{ key: undefined, place, original, text: startOf(value) }] : [];
  if (!isHeldObject(original) || !isHeldObject(value)) return [];
  const rules = place.rulesFor(original);
  return Object.entries(value).flatMap(([key, text]) => {
    const before = original[key] ?? null;
    return isText(text) && isText(before)
      ? [{ key, place: rules.property(key), original: before, text: startOf(text) }]
      : [];
  });
}

function startOf(text: string | LongText): string {
  return text instanceof LongText ? text.head : text;
}

function isText(value: Held): value is string | LongText {
  return typeof value === 'string' || value instanceof LongText;
}
