import { type Held, type HeldObject, isHeldObject, LongList, LongText } from '../../json/held.ts';
import type { Cost } from '../types.ts';
import { mediaOf } from './base64.ts';
import { NOTICE_KEY, noticeKey } from './notice-key.ts';
import type { Place, Rules } from './place.ts';

/** A text in a value, as it was and as it is now. */
interface TextIn {
  /** The fields and items it is in, from the value on. */
  readonly path: readonly (string | number)[];
  readonly place: Place;
  readonly original: string | LongText;
  readonly text: string;
}

/** An object in a value, as it was and as it is now. */
interface ObjectIn {
  readonly path: TextIn['path'];
  readonly rules: Rules;
  readonly original: HeldObject;
  readonly object: HeldObject;
}

/** How deep in a value a text or an object is looked for, and of how many one is chosen. */
const DEEPEST = 4;
const MOST_TEXTS = 100;

/** A text of so many words is prose: one of fewer may be a name or a title, which is none any more with others in it. */
const PROSE = /^(?:\s*\S{1,40}\s){7}\s*\S/;

/** Whether further words may be added to a value at a place: to a text, which it is or has in it, or as a field. */
export function takesWords(value: Held, place: Place, words: string): boolean {
  for (const found of membersIn(value, value, place)) if (mayTake(found, words)) return true;
  return false;
}

/** What words cost at most where they are added to a value. */
export function costOfWords(words: string, cost: Cost): number {
  return cost(`,${JSON.stringify(NOTICE_KEY)}:${JSON.stringify(words)}`);
}

/**
 * A value with words at the end of a text in it, which is prose or was cut: of those that take them one that was cut,
 * else one that is least deep, else the longest. If there is none, with the words as a further field of an object in it,
 * the least deep one that takes it; undefined if there is none either.
 */
export function withWords(value: Held, original: Held, place: Place, words: string): Held | undefined {
  const found: (TextIn | ObjectIn)[] = [];
  for (const member of membersIn(value, original, place)) {
    if (mayTake(member, words)) found.push(member);
    if (found.length === MOST_TEXTS) break;
  }
  const texts = found.filter((member) => 'text' in member);
  const [best] = texts.sort(
    (one, other) =>
      Number(other.text !== other.original) - Number(one.text !== one.original) ||
      one.path.length - other.path.length ||
      other.text.length - one.text.length,
  );
  if (best) return replaced(value, best.path, `${best.text} ${words}`);
  const [outer] = found
    .filter((member) => 'object' in member)
    .sort((one, other) => one.path.length - other.path.length);
  if (!outer) return undefined;
  const { key, text } = fieldWith(outer, words);
  return replaced(value, outer.path, Object.assign(Object.create(null), outer.object, { [key]: text }));
}

/** The field of an object in which words stand, after those that stand there already. */
function fieldWith({ original, object }: ObjectIn, words: string): { key: string; text: string } {
  const key = noticeKey(Object.keys(original));
  const said = object[key];
  return { key, text: typeof said === 'string' ? `${said} ${words}` : words };
}

/** Base64 never takes words, nor what may be a name; an object does if its schema lets further fields in. */
function mayTake(member: TextIn | ObjectIn, words: string): boolean {
  if ('object' in member) {
    const { key, text } = fieldWith(member, words);
    return member.rules.takesProperty(key, text);
  }
  const { place, original, text } = member;
  const isOpen = text !== original || PROSE.test(text);
  return isOpen && !mediaOf(original) && place.takes(`${text} ${words}`, original);
}

/** The texts and objects in a value, but of lists only those in the first item. */
function* membersIn(
  value: Held,
  original: Held,
  place: Place,
  path: readonly (string | number)[] = [],
): Generator<TextIn | ObjectIn> {
  if (isText(original)) {
    if (isText(value)) yield { path, place, original, text: startOf(value) };
    return;
  }
  if (path.length >= DEEPEST) return;
  const rules = place.rulesFor(original);
  const [item, before] = [firstOf(value), firstOf(original)];
  if (item !== undefined && before !== undefined && !rules.isSet) {
    yield* membersIn(item, before, rules.item(0), [...path, 0]);
  }
  if (!isHeldObject(original) || !isHeldObject(value)) return;
  yield { path, rules, original, object: value };
  for (const [key, field] of Object.entries(value)) {
    if (Object.hasOwn(original, key))
      yield* membersIn(field, original[key] ?? null, rules.property(key), [...path, key]);
  }
}

/** A value with another part at a path. */
function replaced(value: Held, [key, ...path]: readonly (string | number)[], part: Held): Held {
  if (key === undefined) return part;
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)] ?? null, path, part));
  const object = value as HeldObject;
  return Object.assign(Object.create(null), object, { [key]: replaced(object[key] ?? null, path, part) });
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
