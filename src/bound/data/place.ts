import { type Held, isHeldObject, LongObject, type LongText } from '../../json/held.ts';
import { Fitting } from './fitting.ts';
import {
  isRecord,
  isSchema,
  type Json,
  type JsonObject,
  numberOr,
  schemasBy,
  schemasIn,
  stringsIn,
} from './json-schema.ts';
import { Matching } from './matching.ts';
import type { Patterns } from './pattern.ts';
import { References } from './references.ts';
import type { Steps } from './steps.ts';

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

/** A schema document, asked about what stands where in a value. */
export class Places {
  readonly #references: References;
  readonly #patterns: Patterns;
  readonly #places = new Map<string, Place>();
  readonly #rules = new Map<string, Rules>();
  readonly #ids = new WeakMap<JsonObject, number>();
  #count = 0;
  readonly steps: Steps;
  readonly isValid: (schema: JsonObject, value: Held) => boolean;
  readonly root: Place;

  /** `isValid` tells whether a schema of the document is known to allow a value. */
  constructor(root: Json, patterns: Patterns, steps: Steps, isValid: Places['isValid']) {
    this.steps = steps;
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
  /** Of lists and objects that were asked about. */
  readonly #known = new WeakMap<object, Rules>();

  constructor(places: Places, schemas: readonly Json[]) {
    this.#places = places;
    this.#schemas = schemas;
  }

  /** What holds for a value here: every schema that may be one of those that make it valid. */
  rulesFor(value: Held): Rules {
    if (this.#same) return this.#same;
    if (typeof value !== 'object' || value === null) return this.#rulesFor(value);
    const rules = this.#known.get(value) ?? this.#rulesFor(value);
    this.#known.set(value, rules);
    return rules;
  }

  #rulesFor(value: Held): Rules {
    const found = new Set<Json>();
    const matching = new Matching(this.#places);
    let isSame = true;
    const open = [...this.#schemas];
    for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
      if (found.has(schema)) continue;
      const applies = matching.mayMatch(schema, value);
      isSame &&= applies && !hasAlternatives(schema);
      if (!applies) continue;
      found.add(schema);
      if (typeof schema === 'boolean') continue;
      open.push(
        ...this.#places.referred(schema),
        ...schemasIn(schema.allOf),
        ...alternativesIn(schema, value),
      );
    }
    const rules = this.#places.rules([...found]);
    if (isSame) this.#same = rules;
    return rules;
  }

  /** Whether a text may stand here, in the place of `original` if there is one; of addresses only `uri`. */
  takes(text: string, original?: string | LongText, uri?: string): boolean {
    const changed = new Fitting(this.#places, text, { isSame: false, uri });
    const same =
      typeof original === 'string' ? new Fitting(this.#places, original, { isSame: true }) : undefined;
    const matching = new Matching(this.#places);
    return this.#schemas.every(
      (schema) =>
        changed.fits(schema) ||
        (original !== undefined && !matching.mayMatch(schema, original)) ||
        (same !== undefined && !same.fits(schema)),
    );
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
    this.#places.steps.take();
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
