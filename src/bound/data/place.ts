import {
  type Held,
  type HeldObject,
  isHeldObject,
  LongList,
  LongObject,
  LongText,
  RawNumber,
} from '../../json/held.ts';
import { formatKind } from './formats.ts';
import {
  codePoints,
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
import type { Patterns } from './pattern.ts';
import { References } from './references.ts';

/** Keywords that allow everything, or that only say something about other keywords or to people. */
const SILENT = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  '$anchor',
  '$dynamicAnchor',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'type',
]);

/** How deep a schema is looked into to tell whether it applies; recursive schemas have no end. */
const DEPTH = 24;
/** How deep in a value what tells one alternative from another is looked for. */
const TELLING = 3;

/** Whether a text fits, and how it may be changed. */
interface Change {
  /** The text is what it was: what can't be checked is taken to hold. */
  readonly isSame: boolean;
  /** The address that may stand for another one. */
  readonly uri?: string | undefined;
}

/** A schema document, asked about what stands where in a value. */
export class Places {
  readonly #references: References;
  readonly #patterns: Patterns;
  readonly #places = new Map<string, Place>();
  readonly #rules = new Map<string, Rules>();
  readonly #ids = new WeakMap<JsonObject, number>();
  #count = 0;
  readonly isValid: (schema: JsonObject, value: Held) => boolean;
  readonly root: Place;

  /** `isValid` tells whether a schema of the document is known to allow a value. */
  constructor(root: Json, patterns: Patterns, isValid: Places['isValid']) {
    this.#references = new References(root);
    this.#patterns = patterns;
    this.isValid = isValid;
    this.root = this.place([root]);
  }

  place(schemas: readonly Json[]): Place {
    return interned(this.#places, this.#name(schemas), () => new Place(this, schemas));
  }

  rules(schemas: readonly Json[]): Rules {
    return interned(this.#rules, this.#name(schemas), () => new Rules(this, schemas));
  }

  /** The schemas a schema refers to; false for one that isn't in the document. */
  referred(schema: JsonObject): Json[] {
    return this.#references.of(schema).map((found) => found ?? false);
  }

  matches(pattern: string, text: string): boolean | undefined {
    return this.#patterns.compile(pattern).matches(text);
  }

  #name(schemas: readonly Json[]): string {
    return schemas
      .map((schema) => (typeof schema === 'boolean' ? String(schema) : this.#id(schema)))
      .join(' ');
  }

  #id(schema: JsonObject): number {
    let id = this.#ids.get(schema);
    if (id === undefined) {
      id = this.#count++;
      this.#ids.set(schema, id);
    }
    return id;
  }
}

function interned<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  let value = map.get(name);
  if (value === undefined) {
    value = make();
    map.set(name, value);
  }
  return value;
}

/** Where a value stands: the schemas that may apply to it. */
export class Place {
  readonly #places: Places;
  readonly #schemas: readonly Json[];
  /** If they are the same for every value. */
  #same: Rules | undefined;

  constructor(places: Places, schemas: readonly Json[]) {
    this.#places = places;
    this.#schemas = schemas;
  }

  /** What holds for a value here: every schema that may be one of those that make it valid. */
  rulesFor(value: Held): Rules {
    if (this.#same) return this.#same;
    const found = new Set<Json>();
    let isSame = true;
    const visit = (schema: Json): void => {
      if (found.has(schema)) return;
      const applies = this.mayMatch(schema, value);
      isSame &&= applies && !hasAlternatives(schema);
      if (!applies) return;
      found.add(schema);
      if (typeof schema === 'boolean') return;
      for (const part of this.#places.referred(schema)) visit(part);
      for (const part of schemasIn(schema.allOf)) visit(part);
      for (const part of alternativesIn(schema, value)) visit(part);
    };
    for (const schema of this.#schemas) visit(schema);
    const rules = this.#places.rules([...found]);
    if (isSame) this.#same = rules;
    return rules;
  }

  /** Whether a text may stand here, in the place of `original` if there is one. */
  takes(text: string, original?: string | LongText, uri?: string): boolean {
    const change: Change = { isSame: false, uri };
    return this.#schemas.every(
      (schema) =>
        this.#fits(schema, text, change, DEPTH) ||
        (original !== undefined && !this.mayMatch(schema, original)) ||
        (typeof original === 'string' && !this.#fits(schema, original, { isSame: true }, DEPTH)),
    );
  }

  /** Whether a schema may hold for a value, by what is quickly told. */
  mayMatch(schema: Json, value: Held, depth = DEPTH, telling = TELLING): boolean {
    if (typeof schema === 'boolean' || depth === 0) return schema !== false;
    const types = typesOf(schema);
    if (types && !types.some((type) => isOfType(value, type))) return false;
    if ('const' in schema && !mayBe(value, [schema.const])) return false;
    if (Array.isArray(schema.enum) && !mayBe(value, schema.enum)) return false;
    if (isHeldObject(value) && !this.#mayHaveFields(schema, value, depth, telling)) return false;
    const all = [...this.#places.referred(schema), ...schemasIn(schema.allOf)];
    return all.every((part) => this.mayMatch(part, value, depth - 1, telling));
  }

  #mayHaveFields(schema: JsonObject, value: HeldObject, depth: number, telling: number): boolean {
    if (!stringsIn(schema.required).every((key) => Object.hasOwn(value, key))) return false;
    if (schema.additionalProperties === false && schema.patternProperties === undefined) {
      const { properties } = schema;
      const isKnown = (key: string) => isRecord(properties) && Object.hasOwn(properties, key);
      if (!Object.keys(value).every(isKnown)) return false;
    }
    if (telling === 0) return true;
    return schemasBy(schema.properties).every(([key, property]) => {
      const field = Object.hasOwn(value, key) ? value[key] : undefined;
      return field === undefined || this.mayMatch(property, field, depth - 1, telling - 1);
    });
  }

  #fits(schema: Json, text: string, change: Change, depth: number): boolean {
    if (typeof schema === 'boolean' || depth === 0) return schema === true;
    const fits = (part: Json) => this.#fits(part, text, change, depth - 1);
    const { not, if: condition } = schema;
    return (
      this.#fitsItself(schema, text, change) &&
      this.#places.referred(schema).every(fits) &&
      schemasIn(schema.allOf).every(fits) &&
      (schema.anyOf === undefined || schemasIn(schema.anyOf).some(fits)) &&
      (schema.oneOf === undefined || schemasIn(schema.oneOf).filter(fits).length === 1) &&
      (!isSchema(not) || !fits(not)) &&
      (!isSchema(condition) || fitsBranch(schema[fits(condition) ? 'then' : 'else'], fits))
    );
  }

  #fitsItself(schema: JsonObject, text: string, { isSame, uri }: Change): boolean {
    const types = typesOf(schema);
    if (types && !types.includes('string')) return false;
    if ('const' in schema && schema.const !== text) return false;
    if (Array.isArray(schema.enum) && !schema.enum.includes(text)) return false;
    if (!isSame && !mayBecome(text, schema.format, uri)) return false;
    if (typeof schema.pattern === 'string' && !(this.#places.matches(schema.pattern, text) ?? isSame))
      return false;
    const { minLength, maxLength } = schema;
    if (minLength === undefined && maxLength === undefined) return true;
    const length = codePoints(text);
    return length >= numberOr(minLength, 0) && length <= numberOr(maxLength, length);
  }
}

/** Everything that holds for a value at a place, taken together. */
export class Rules {
  readonly #places: Places;
  readonly #schemas: readonly JsonObject[];
  readonly #items = new Map<number, Place>();
  readonly #properties = new Map<string, Place>();
  /** Nothing is said about a value but its type. */
  readonly isFree: boolean;
  readonly isBase64: boolean;
  /** How many items a list keeps at least, and how many of those at its start stay whatever their number. */
  readonly minItems: number;
  readonly firstItems: number;
  /** What some items have to be, so many of them. */
  readonly #contained: readonly { readonly schema: JsonObject; readonly least: number }[];
  /** Items may not become like each other. */
  readonly isSet: boolean;
  readonly minProperties: number;
  readonly #required: ReadonlySet<string>;
  readonly #isFull: boolean;

  constructor(places: Places, schemas: readonly Json[]) {
    this.#places = places;
    const objects = schemas.filter(isRecord);
    this.#schemas = objects;
    const most = (keyword: string) => Math.max(0, ...objects.map((schema) => numberOr(schema[keyword], 0)));
    this.isFree = objects.every((schema) => Object.keys(schema).every((keyword) => SILENT.has(keyword)));
    this.isBase64 = objects.some(
      ({ contentEncoding, format }) => contentEncoding === 'base64' || format === 'byte',
    );
    this.firstItems = Math.max(0, ...objects.map((schema) => tupleOf(schema).length));
    this.#contained = objects.flatMap(({ contains, minContains }) =>
      isRecord(contains) ? [{ schema: contains, least: numberOr(minContains, 1) }] : [],
    );
    this.minItems = Math.max(most('minItems'), this.firstItems);
    this.isSet = objects.some((schema) => schema.uniqueItems === true);
    this.minProperties = most('minProperties');
    this.#required = new Set(objects.flatMap(requiredIn));
    this.#isFull = objects.some(
      (schema) =>
        schema.maxProperties !== undefined ||
        schema.propertyNames !== undefined ||
        schema.unevaluatedProperties !== undefined,
    );
  }

  requires(key: string): boolean {
    return this.#required.has(key);
  }

  /** Whether a property is one that a schema knows by its name. */
  declares(key: string): boolean {
    return this.#schemas.some(({ properties }) => isRecord(properties) && Object.hasOwn(properties, key));
  }

  /** The indices of items that have to stay because of what they are; undefined if these aren't all found. */
  contained(items: readonly Held[]): ReadonlySet<number> | undefined {
    const found = new Set<number>();
    for (const { schema, least } of this.#contained) {
      let count = 0;
      for (let index = 0; index < items.length && count < least; index++) {
        if (!this.#places.isValid(schema, items[index] as Held)) continue;
        found.add(index);
        count++;
      }
      if (count < least) return undefined;
    }
    return found;
  }

  item(index: number): Place {
    const at = Math.min(index, this.firstItems);
    let place = this.#items.get(at);
    if (!place) {
      place = this.#places.place(this.#schemas.flatMap((schema) => itemSchemas(schema, at)));
      this.#items.set(at, place);
    }
    return place;
  }

  property(key: string): Place {
    let place = this.#properties.get(key);
    if (!place) {
      place = this.#places.place(this.#schemas.flatMap((schema) => this.#propertySchemas(schema, key)));
      if (this.declares(key)) this.#properties.set(key, place);
    }
    return place;
  }

  /** Whether an object may have one more property, with a text. */
  takesProperty(key: string, text: string): boolean {
    return !this.#isFull && this.property(key).takes(text);
  }

  #propertySchemas(schema: JsonObject, key: string): Json[] {
    const found: Json[] = [];
    const { properties, additionalProperties, unevaluatedProperties } = schema;
    const own = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (isSchema(own)) found.push(own);
    for (const [pattern, property] of schemasBy(schema.patternProperties)) {
      if (this.#places.matches(pattern, key) ?? true) found.push(property);
    }
    if (found.length === 0) found.push(...[additionalProperties, unevaluatedProperties].filter(isSchema));
    return found;
  }
}

/** Keywords with schemas that apply to some values only. */
const ALTERNATIVES = ['anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies'];

function hasAlternatives(schema: Json): boolean {
  return isRecord(schema) && ALTERNATIVES.some((keyword) => keyword in schema);
}

/** Schemas that apply to a value only if it is so or so. */
function alternativesIn(schema: JsonObject, value: Held): Json[] {
  const has = (key: string) =>
    value instanceof LongObject || (isHeldObject(value) && Object.hasOwn(value, key));
  const dependent = [...schemasBy(schema.dependentSchemas), ...schemasBy(schema.dependencies)];
  return [
    ...schemasIn(schema.anyOf),
    ...schemasIn(schema.oneOf),
    ...[schema.if, schema.then, schema.else].filter(isSchema),
    ...dependent.filter(([key]) => has(key)).map(([, part]) => part),
  ];
}

function requiredIn({ required, dependentRequired, dependencies }: JsonObject): string[] {
  const dependent = [dependentRequired, dependencies].flatMap((lists) =>
    isRecord(lists) ? Object.values(lists).flatMap(stringsIn) : [],
  );
  return [...stringsIn(required), ...dependent];
}

/** The schemas of the first items, each of its own; drafts before 2020-12 have them under `items`. */
export function tupleOf(schema: JsonObject): Json[] {
  return schemasIn(schema.prefixItems ?? schema.items);
}

function itemSchemas(schema: JsonObject, index: number): Json[] {
  const own = tupleOf(schema)[index];
  const rest = [schema.items, schema.additionalItems, schema.unevaluatedItems].filter(isSchema);
  const contained = isSchema(schema.contains) ? [schema.contains] : [];
  return [...(own === undefined ? rest : [own]), ...contained];
}

function fitsBranch(branch: unknown, fits: (schema: Json) => boolean): boolean {
  return !isSchema(branch) || fits(branch);
}

/** Whether a string of a format may become another text. */
function mayBecome(text: string, format: unknown, uri: string | undefined): boolean {
  const kind = formatKind(format);
  return kind === 'free' || (kind === 'address' && text === uri) || (kind === 'base64' && text === '');
}

function isOfType(value: Held, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' || value instanceof LongText;
    case 'array':
      return Array.isArray(value) || value instanceof LongList;
    case 'object':
      return value instanceof LongObject || isHeldObject(value);
    case 'integer':
      return Number.isInteger(numeric(value));
    default:
      return type !== 'number' || numeric(value) !== undefined;
  }
}

function numeric(value: Held): number | undefined {
  if (value instanceof RawNumber) return Number(value.raw);
  return typeof value === 'number' ? value : undefined;
}

/** Whether a value may be one of some; of lists and objects that isn't looked at. */
function mayBe(value: Held, values: readonly unknown[]): boolean {
  if (value instanceof LongText)
    return values.some((other) => typeof other === 'string' && other.length === value.chars);
  const own = value instanceof RawNumber ? Number(value.raw) : value;
  return typeof own === 'object' && own !== null ? true : values.includes(own);
}
