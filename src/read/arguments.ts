import { PlimsollError } from '../errors.ts';
import { shortened } from './parts.ts';

/** What is needed of JSON Schema for the arguments of the tools. */
export interface ArgumentSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  /** Of a list: texts. */
  readonly items?: { readonly type: 'string' };
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/**
 * Checks the arguments of a tool and gives them; a whole number or a boolean may come as a text, either where a text is
 * wanted, and a text for a list of one. One that may be left out is so if it comes as null, as programs send what they
 * weren't given. Throws `BAD_USAGE`.
 */
export function checkArguments(
  tool: string,
  { properties, required = [] }: ArgumentsSchema,
  given: unknown,
): Record<string, unknown> {
  const values = given ?? {};
  if (typeof values !== 'object' || Array.isArray(values)) throw badUsage(`${tool} takes an object.`);
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) {
      const known = Object.keys(properties).join(', ');
      throw badUsage(`${tool} takes no '${shortened(name)}'; it takes ${known}.`);
    }
    if (value === null && !required.includes(name)) continue;
    checked[name] = read(value, schema);
    if (checked[name] === undefined) throw badUsage(`${tool}: '${name}' has to be ${formOf(schema)}.`);
  }
  const missing = required.find((name) => checked[name] === undefined);
  if (missing !== undefined) throw badUsage(`${tool} needs '${missing}'.`);
  return checked;
}

const BOOLEANS = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
]);

/** `undefined` for what isn't allowed. */
function read(
  value: unknown,
  { type, minimum = -Infinity, maximum = Infinity, ...schema }: ArgumentSchema,
): unknown {
  if (type === 'boolean') return BOOLEANS.get(value);
  if (type === 'array') {
    const list: unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [undefined];
    return list.every((item) => typeof item === 'string') ? list : undefined;
  }
  if (type === 'string') {
    const text = isPlain(value) ? String(value) : value;
    return typeof text === 'string' && (schema.enum?.includes(text) ?? true) ? text : undefined;
  }
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= minimum && (number as number) <= maximum
    ? number
    : undefined;
}

/** Whether a value that isn't a text has one text that it is written as. */
function isPlain(value: unknown): boolean {
  const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));
  return isExact || typeof value === 'boolean';
}

function formOf({ type, enum: values, minimum, maximum }: ArgumentSchema): string {
  if (values) return `one of ${values.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return 'a text';
  if (type === 'array') return 'a list of texts';
  return `a whole number from ${minimum}${maximum === undefined ? ' on' : ` to ${maximum}`}`;
}

function badUsage(message: string): PlimsollError {
  return new PlimsollError('BAD_USAGE', message);
}
