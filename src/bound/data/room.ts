import { dialectOf } from './dialect.ts';
import { formatKind } from './formats.ts';
import {
  isRecord,
  isSchema,
  type Json,
  type JsonObject,
  numberOr,
  schemasBy,
  schemasIn,
  stringsIn,
  typesOf,
} from './json-schema.ts';
import { prefixThatMatches } from './pattern-size.ts';
import { tupleOf } from './place.ts';
import { References } from './references.ts';
import { isEndless, Steps } from './steps.ts';

/** What a list or an object takes that has no more in it than the words for what is missing, in characters. */
const TOLD = 160;
/** What a string takes of which only such words are left. */
const TEXT = 64;
/** What an address takes that stands for a long one. */
const ADDRESS = 160;
/** What a string takes whose format is short. */
const SHORT = 100;
const NUMBER = 24;
/** What the key of an entry takes that a schema doesn't name. */
const KEY = 64;
/** What a character of a string takes that has to stay: some are escaped. */
const ESCAPED = 2;

/** So many steps are taken to look through a schema, at most. */
const MOST_STEPS = 1_000_000;
/** Where more schemas apply to one value, a check takes too long. */
const MOST_APPLIED = 10_000;

/**
 * Whether some value that a schema allows can't be shrunk within it to a limit in characters: because of patterns
 * that a shortened text may not match, of values that are given, of numbers of items, properties or characters that
 * have to be, of alternatives that a shrunk value may confuse, or because the schema can't be checked.
 */
export function leavesNoRoom(schema: unknown, limitChars: number): boolean {
  if (!isSchema(schema) || dialectOf(schema) === undefined) return true;
  try {
    return new Room(schema).least(schema) > limitChars;
  } catch (error) {
    if (isEndless(error)) return true;
    throw error;
  }
}

/** Whether an object that was shrunk within a schema can always say so in itself: whether it takes a further text. */
export function tellsLoss(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  try {
    const parts = new Room(schema).everyPart(schema);
    return parts.every((part) => isOpen(part)) && parts.some((part) => typesOf(part)?.join() === 'object');
  } catch (error) {
    if (isEndless(error)) return false;
    throw error;
  }
}

/** Whether an object may have a further property with a text, as far as a schema's own keywords say. */
function isOpen(schema: JsonObject): boolean {
  const { additionalProperties: others = true, patternProperties = {} } = schema;
  const names = [
    'const',
    'enum',
    'maxProperties',
    'propertyNames',
    'unevaluatedProperties',
    'not',
    '$dynamicRef',
    '$recursiveRef',
  ];
  const takesText =
    others === true ||
    (isRecord(others) &&
      Object.keys(others).every((key) => key === 'type' || key === 'description') &&
      (typesOf(others)?.includes('string') ?? true));
  return (
    takesText &&
    Object.keys(patternProperties as object).length === 0 &&
    names.every((name) => !(name in schema))
  );
}

/** A value on which several parts of a schema may bear. */
interface Whole {
  /** The properties that are required of it: they may be described in another part of its schema than require them. */
  readonly required: ReadonlySet<string>;
  /** What each part takes at most; infinite while that isn't known yet, as what needs itself is. */
  readonly known: Map<JsonObject, number>;
}

/** How small the values of a schema can always be made. */
class Room {
  readonly #references: References;
  readonly #steps = new Steps(MOST_STEPS);
  readonly #known = new Map<JsonObject, number>();
  readonly #facts = new Map<JsonObject, Facts>();
  readonly #counts = new Map<JsonObject, number>();

  constructor(root: Json) {
    this.#references = new References(root);
  }

  /** What the smallest form of a value takes at most, in characters; infinite if that isn't bounded. */
  least(schema: Json): number {
    if (typeof schema === 'boolean') return schema ? TOLD : 0;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    this.#known.set(schema, Number.POSITIVE_INFINITY);
    if (this.#applied(schema) > MOST_APPLIED) return Number.POSITIVE_INFINITY;
    const required = new Set(this.everyPart(schema).flatMap(requiredIn));
    const least = this.#leastOf(schema, { required, known: new Map() });
    this.#known.set(schema, least);
    return least;
  }

  /** A schema and all that may apply to the same value. */
  everyPart(schema: Json): JsonObject[] {
    const found = new Set<JsonObject>();
    const open: (Json | undefined)[] = [schema];
    while (open.length > 0) {
      const part = open.pop();
      if (!isRecord(part) || found.has(part)) continue;
      this.#steps.take();
      found.add(part);
      open.push(...this.#partsOf(part));
    }
    return [...found];
  }

  /** The schemas that a schema has apply to the same value, always or if it is so or so. */
  #partsOf(schema: JsonObject): (Json | undefined)[] {
    const dependent = [...schemasBy(schema.dependentSchemas), ...schemasBy(schema.dependencies)];
    return [
      ...this.#references.of(schema),
      ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasIn(schema[keyword])),
      ...[schema.if, schema.then, schema.else].filter(isSchema),
      ...dependent.map(([, part]) => part),
    ];
  }

  /** How many schemas a check applies to one value: each as often as others refer to it. Infinite for those without end. */
  #applied(schema: JsonObject): number {
    const known = this.#counts.get(schema);
    if (known !== undefined) return known;
    this.#counts.set(schema, Number.POSITIVE_INFINITY);
    let count = 1;
    for (const part of [...this.#partsOf(schema), schema.not])
      if (isRecord(part)) count += this.#applied(part);
    this.#counts.set(schema, count);
    return count;
  }

  #leastOf(schema: Json, whole: Whole): number {
    this.#steps.take();
    if (typeof schema === 'boolean') return schema ? TOLD : 0;
    const known = whole.known.get(schema);
    if (known !== undefined) return known;
    whole.known.set(schema, Number.POSITIVE_INFINITY);
    const least = this.#leastOfParts(schema, whole);
    whole.known.set(schema, least);
    return least;
  }

  #leastOfParts(schema: JsonObject, whole: Whole): number {
    const of = (part: Json | undefined) =>
      part === undefined ? Number.POSITIVE_INFINITY : this.#leastOf(part, whole);
    const most = (parts: readonly Json[]) => Math.max(0, ...parts.map(of));
    const sum = (parts: readonly (Json | undefined)[]) =>
      parts.reduce((total: number, part) => total + of(part), 0);
    const dependent = [...schemasBy(schema.dependentSchemas), ...schemasBy(schema.dependencies)];
    const doubts =
      [schema.not, schema.if].filter(isSchema).every(isSteady) && this.#areApart(schemasIn(schema.oneOf));
    if (!doubts) return Number.POSITIVE_INFINITY;
    return (
      this.#own(schema, whole.required) +
      sum(this.#references.of(schema)) +
      sum(schemasIn(schema.allOf)) +
      most(schemasIn(schema.anyOf)) +
      most(schemasIn(schema.oneOf)) +
      most([schema.then, schema.else].filter(isSchema)) +
      sum(dependent.map(([, part]) => part))
    );
  }

  /** What a schema's own keywords ask for, whatever the type they are about. */
  #own(schema: JsonObject, required: ReadonlySet<string>): number {
    if ('const' in schema) return lengthOf(schema.const);
    if (Array.isArray(schema.enum)) return Math.max(0, ...schema.enum.map(lengthOf));
    const types = typesOf(schema) ?? [];
    const sizes: number[] = [];
    if (types.includes('string') || isAbout(schema, STRING)) sizes.push(textLeast(schema));
    if (types.includes('array') || isAbout(schema, ARRAY)) sizes.push(this.#listLeast(schema));
    if (types.includes('object') || isAbout(schema, OBJECT)) sizes.push(this.#objectLeast(schema, required));
    if (types.length > sizes.length) sizes.push(NUMBER);
    if (sizes.length > 0) return Math.max(...sizes);
    return isAbout(schema, APPLIED) ? 0 : TOLD;
  }

  #listLeast(schema: JsonObject): number {
    const { minItems, maxItems, contains, minContains, uniqueItems, items } = schema;
    const tuple = tupleOf(schema);
    const keepsItems = contains !== undefined && minContains !== 0;
    const count = keepsItems ? numberOr(maxItems, Number.POSITIVE_INFINITY) : numberOr(minItems, 0);
    const others = Math.max(0, count - tuple.length);
    let least = TOLD + tuple.reduce((sum: number, item) => sum + 1 + this.least(item), 0);
    if (others > 0) {
      const item = isSchema(items) ? items : true;
      least += others * (1 + (uniqueItems === true ? this.#rigid(item) : this.least(item)));
    }
    return least;
  }

  /** What an item takes that isn't shrunk. */
  #rigid(schema: Json): number {
    if (typeof schema === 'boolean') return Number.POSITIVE_INFINITY;
    if (Array.isArray(schema.enum) || 'const' in schema) return this.#own(schema, new Set());
    const types = typesOf(schema) ?? ['object'];
    const isScalar = types.every((type) => ['number', 'integer', 'boolean', 'null', 'string'].includes(type));
    if (!isScalar) return Number.POSITIVE_INFINITY;
    return types.includes('string') ? numberOr(schema.maxLength, Number.POSITIVE_INFINITY) * ESCAPED : NUMBER;
  }

  #objectLeast(schema: JsonObject, required: ReadonlySet<string>): number {
    const { properties, additionalProperties, unevaluatedProperties, minProperties } = schema;
    const named = isRecord(properties) ? properties : {};
    const others = [
      ...schemasBy(schema.patternProperties).map(([, part]) => part),
      ...[additionalProperties, unevaluatedProperties].filter(isSchema),
    ];
    let least = TOLD;
    const own = new Set(requiredIn(schema));
    for (const key of required) {
      const known = Object.hasOwn(named, key) ? named[key] : undefined;
      if (isSchema(known)) least += key.length + 4 + this.least(known);
      else if (own.has(key)) least += key.length + 4 + Math.max(0, ...others.map((part) => this.least(part)));
    }
    const more = numberOr(minProperties, 0) - required.size;
    if (more > 0) {
      const parts = [...others, ...schemasBy(properties).map(([, part]) => part)];
      least += more * (KEY + Math.max(TOLD, ...parts.map((part) => this.least(part))));
    }
    return least;
  }

  /** Whether a value of one alternative can't become one of another by being shrunk. */
  #areApart(alternatives: readonly Json[]): boolean {
    return alternatives.every((one, index) =>
      alternatives.slice(index + 1).every((other) => this.#isApart(one, other)),
    );
  }

  #isApart(one: Json, other: Json, depth = 4): boolean {
    this.#steps.take();
    if (one === false || other === false) return true;
    if (one === true || other === true || depth === 0) return false;
    const [a, b] = [this.#factsOf(one), this.#factsOf(other)];
    if (a.types && b.types && !a.types.some((type) => b.types?.includes(type))) return true;
    if (a.values && b.values && !a.values.some((value) => b.values?.includes(value))) return true;
    const lacks = (keys: ReadonlySet<string>, { closed }: Facts) =>
      closed !== undefined && [...keys].some((key) => !closed.has(key));
    if (lacks(a.required, b) || lacks(b.required, a)) return true;
    return [...a.required].some(
      (key) =>
        b.required.has(key) &&
        this.#isApart(a.properties.get(key) ?? true, b.properties.get(key) ?? true, depth - 1),
    );
  }

  /** What tells the values of a schema from others, and stays so. */
  #factsOf(schema: JsonObject): Facts {
    const known = this.#facts.get(schema);
    if (known) return known;
    const facts: Facts = {
      types: undefined,
      values: undefined,
      closed: undefined,
      required: new Set(),
      properties: new Map(),
    };
    this.#facts.set(schema, facts);
    for (const part of this.#conjuncts(schema)) {
      facts.types ??= typesOf(part)?.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]));
      facts.values ??= valuesOf(part);
      for (const key of stringsIn(part.required)) facts.required.add(key);
      for (const [key, property] of schemasBy(part.properties)) facts.properties.set(key, property);
      if (part.additionalProperties === false && part.patternProperties === undefined) {
        facts.closed ??= new Set(schemasBy(part.properties).map(([key]) => key));
      }
    }
    return facts;
  }

  /** A schema and all that apply to whatever it applies to, itself first. */
  #conjuncts(schema: JsonObject): Set<JsonObject> {
    const found = new Set([schema]);
    for (const part of found) {
      this.#steps.take();
      for (const each of [...this.#references.of(part), ...schemasIn(part.allOf)])
        if (isRecord(each)) found.add(each);
    }
    return found;
  }
}

interface Facts {
  types: string[] | undefined;
  values: string[] | undefined;
  /** The only properties there may be. */
  closed: ReadonlySet<string> | undefined;
  readonly required: Set<string>;
  readonly properties: Map<string, Json>;
}

const STRING = ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding'];
const ARRAY = ['items', 'prefixItems', 'minItems', 'maxItems', 'contains', 'uniqueItems', 'unevaluatedItems'];
const OBJECT = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'unevaluatedProperties',
];
const APPLIED = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'not',
  'dependentSchemas',
];

/** Keywords whose answer doesn't change when a value shrinks. */
const STEADY = new Set([
  'type',
  'const',
  'enum',
  'required',
  'properties',
  'title',
  'description',
  'allOf',
  'anyOf',
]);

function isSteady(schema: Json): boolean {
  if (typeof schema === 'boolean') return true;
  return (
    Object.keys(schema).every((keyword) => STEADY.has(keyword)) &&
    [
      ...schemasBy(schema.properties).map(([, part]) => part),
      ...schemasIn(schema.allOf),
      ...schemasIn(schema.anyOf),
    ].every(isSteady)
  );
}

function isAbout(schema: JsonObject, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => keyword in schema);
}

function valuesOf(schema: JsonObject): string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : undefined;
}

function requiredIn({ required, dependentRequired, dependencies }: JsonObject): string[] {
  const dependent = [dependentRequired, dependencies].flatMap((lists) =>
    isRecord(lists) ? Object.values(lists).flatMap(stringsIn) : [],
  );
  return [...stringsIn(required), ...dependent];
}

function textLeast({ format, pattern, minLength, maxLength }: JsonObject): number {
  const longest = numberOr(maxLength, Number.POSITIVE_INFINITY) * ESCAPED;
  const kind = formatKind(format);
  if (kind === 'short') return Math.min(longest, SHORT);
  if (kind === 'rigid') return longest;
  if (typeof pattern !== 'string') {
    return Math.min(longest, kind === 'address' ? ADDRESS : TEXT) + ESCAPED * numberOr(minLength, 0) * 2;
  }
  if (kind === 'address') return longest;
  const prefix = Math.max(prefixThatMatches(pattern), numberOr(minLength, 0));
  return Math.min(longest, TEXT + 2 * ESCAPED * prefix);
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
