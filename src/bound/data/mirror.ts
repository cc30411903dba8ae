import { fingerprintOf } from '../../json/fingerprint.ts';
import { type Held, isHeldObject, LongList, LongObject, LongText } from '../../json/held.ts';
import { Sketch } from '../../json/sketch.ts';
import { JsonError, JsonWalk } from '../../json/walk.ts';

/** How a text says the same as `structuredContent`: as its JSON, or as the JSON or the text of its one property. */
export type Form = 'json' | 'wrapped' | 'text';

/** How JSON may start. */
const START = /^\ufeff?[ \t\r\n]*(?:[[{"\d-]|true|false|null)/;

/**
 * How a text mirrors `structuredContent`, if it does. White space and ways to write strings and numbers make no
 * difference, nor does the order of keys in what is held whole.
 */
export function mirrors(text: string | LongText, structured: Held): Form | undefined {
  const only = onlyProperty(structured);
  if (only !== undefined && isSame(only, text)) return 'text';
  const json = text instanceof LongText ? text.json : jsonOf(text);
  if (json === undefined) return undefined;
  if (isSame(json, structured)) return 'json';
  return only !== undefined && isSame(json, only) ? 'wrapped' : undefined;
}

function onlyProperty(value: Held): Held | undefined {
  if (!isHeldObject(value)) return undefined;
  const values = Object.values(value);
  return values.length === 1 ? values[0] : undefined;
}

function jsonOf(text: string): Held | undefined {
  if (!START.test(text)) return undefined;
  const sketch = Sketch.within({ textChars: text.length, listBytes: text.length });
  const walk = new JsonWalk(sketch, { mayHaveMark: true });
  try {
    walk.write(Buffer.from(text));
    walk.finish();
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
  return sketch.finish();
}

/** Fingerprints take as long as values are large: they are compared last. */
function isSame(one: Held, other: Held): boolean {
  const [kind, size] = shapeOf(one);
  const [otherKind, otherSize] = shapeOf(other);
  if (kind !== otherKind || size !== otherSize) return false;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.every((item, index) => isSame(item, other[index] as Held));
  }
  if (isHeldObject(one) && isHeldObject(other)) {
    return Object.keys(one).every(
      (key) => Object.hasOwn(other, key) && isSame(one[key] as Held, other[key] as Held),
    );
  }
  return one === other || fingerprintOf(one) === fingerprintOf(other);
}

/** What a value is, and how many characters, items or entries it has. */
function shapeOf(value: Held): [kind: 'text' | 'list' | 'object' | 'scalar', size: number] {
  if (typeof value === 'string') return ['text', value.length];
  if (value instanceof LongText) return ['text', value.chars];
  if (Array.isArray(value)) return ['list', value.length];
  if (value instanceof LongList) return ['list', value.count];
  if (value instanceof LongObject) return ['object', value.count];
  return isHeldObject(value) ? ['object', Object.keys(value).length] : ['scalar', 0];
}
