import { formatKind } from './formats.ts';
import {
  isRecord,
  type Json,
  type JsonObject,
  numberOr,
  schemasBy,
  schemasIn,
  typesOf,
} from './json-schema.ts';
import { References } from './references.ts';
import { ARRAY, isAbout, isOpen, KEYWORDS, OBJECT, STRING } from './room.ts';
import { isEndless, Steps } from './steps.ts';

/** What words about what is missing take, in characters. */
const WORDS = 100;
/** Lists of no more items are taken to stay whole. */
const FEW_ITEMS = 50;
/** So many steps are taken to look through a schema, at most. */
const MOST_STEPS = 100_000;

/**
 * Whether values that a schema allows may be large, and what is left of one that was shrunk can't say so wherever: no
 * object in it takes a further text, and no text in it takes words, as in lists of numbers.
 */
export function isMute(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  try {
    const parts = partsOf(schema);
    return !parts.some(takesWords) && parts.some(mayBeLarge);
  } catch (error) {
    if (isEndless(error)) return false;
    throw error;
  }
}

/** All schemas that a value, or what is in it, may be subject to. */
function partsOf(root: JsonObject): Json[] {
  const references = new References(root);
  const steps = new Steps(MOST_STEPS);
  const found = new Set<Json>([root]);
  for (const part of found) {
    steps.take();
    if (typeof part === 'boolean') continue;
    for (const each of references.of(part)) if (each !== undefined) found.add(each);
    for (const keyword of [...LISTS, ...SINGLE]) {
      const value = part[keyword];
      for (const each of [...schemasIn(value), ...(isSchemaOrTrue(value) ? [value] : [])]) found.add(each);
    }
    for (const keyword of MAPS) for (const [, each] of schemasBy(part[keyword])) found.add(each);
  }
  return [...found];
}

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLE = [
  'then',
  'else',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

function isSchemaOrTrue(value: unknown): value is Json {
  return value === true || isRecord(value);
}

function takesWords(schema: Json): boolean {
  if (typeof schema === 'boolean') return schema;
  if ('const' in schema || Array.isArray(schema.enum)) return false;
  if (isOf('object', OBJECT, schema) && isOpen(schema)) return true;
  if (isOf('string', STRING, schema)) return isProse(schema);
  return typesOf(schema) === undefined && !isAbout(schema, KEYWORDS);
}

function isProse({ pattern, format, contentEncoding, maxLength }: JsonObject): boolean {
  const isFree = pattern === undefined && contentEncoding === undefined && formatKind(format) === 'free';
  return isFree && numberOr(maxLength, WORDS) >= WORDS;
}

function mayBeLarge(schema: Json): boolean {
  if (typeof schema === 'boolean') return schema;
  if (isOf('array', ARRAY, schema)) return numberOr(schema.maxItems, Number.POSITIVE_INFINITY) > FEW_ITEMS;
  return isRecord(schema.additionalProperties) || schemasBy(schema.patternProperties).length > 0;
}

/** Whether a schema is about values of a type, by the types that it names or, if it names none, by its keywords. */
function isOf(type: string, keywords: readonly string[], schema: JsonObject): boolean {
  return typesOf(schema)?.includes(type) ?? isAbout(schema, keywords);
}
