import { fingerprintOf } from '../../json/fingerprint.ts';
import { type Held, isHeldObject, LongText } from '../../json/held.ts';
import { Sketch } from '../../json/sketch.ts';
import { JsonError, JsonWalk } from '../../json/walk.ts';

/** How a text says the same as `structuredContent`: as its JSON, or as the JSON or the text of its one property. */
export type Form = 'json' | 'wrapped' | 'text';

/**
 * How a text mirrors `structuredContent`, if it does. White space and ways to write strings and numbers make no
 * difference, nor does the order of keys in what is held whole.
 */
export function mirrors(text: string | LongText, structured: Held): Form | undefined {
  const only = onlyProperty(structured);
  const isText = typeof only === 'string' || only instanceof LongText;
  if (isText && fingerprintOf(only) === fingerprintOf(text)) return 'text';
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
  const sketch = Sketch.within({ textChars: text.length, listBytes: text.length });
  const walk = new JsonWalk(sketch);
  try {
    walk.write(Buffer.from(text));
    walk.finish();
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
  return sketch.finish();
}

function isSame(one: Held, other: Held): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index] as Held));
  }
  if (isHeldObject(one) && isHeldObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSame(one[key] as Held, other[key] as Held))
    );
  }
  return fingerprintOf(one) === fingerprintOf(other);
}
