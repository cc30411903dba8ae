import {
  type Held,
  type HeldObject,
  isHeldObject,
  LongList,
  LongObject,
  LongText,
  RawNumber,
} from '../../json/held.ts';
import {
  isRecord,
  isSchema,
  type Json,
  type JsonObject,
  schemasIn,
  stringsIn,
  typesOf,
} from './json-schema.ts';
import type { Steps } from './steps.ts';

/** What has to be known of a schema's document. */
export interface Document {
  /** The schemas a schema refers to; false for one that isn't in the document. */
  referred(schema: JsonObject): Json[];
  matches(pattern: string, text: string): boolean | undefined;
  readonly steps: Steps;
}

/** How deep a schema is looked into to tell whether it applies: as deep as the stack surely is. */
export const DEPTH = 64;
/** How deep in a value what tells one alternative from another is looked for. */
const TELLING = 3;

/** Tells of a value, and of what is in it, which schemas may hold for it, by what is quickly told. */
export class Matching {
  readonly #document: Document;
  /** What is asked again while it isn't answered may hold. */
  readonly #known = new Map<JsonObject, Map<Held, boolean>>();

  constructor(document: Document) {
    this.#document = document;
  }

  mayMatch(schema: Json, value: Held, depth = DEPTH, telling = TELLING): boolean {
    this.#document.steps.take();
    if (typeof schema === 'boolean' || depth === 0) return schema !== false;
    const answers = this.#known.get(schema) ?? new Map<Held, boolean>();
    this.#known.set(schema, answers);
    const known = answers.get(value);
    if (known !== undefined) return known;
    answers.set(value, true);
    const answer = this.#mayHold(schema, value, depth, telling);
    answers.set(value, answer);
    return answer;
  }

  #mayHold(schema: JsonObject, value: Held, depth: number, telling: number): boolean {
    const types = typesOf(schema);
    if (types && !types.some((type) => isOfType(value, type))) return false;
    if ('const' in schema && !mayBe(value, [schema.const])) return false;
    if (Array.isArray(schema.enum) && !mayBe(value, schema.enum)) return false;
    if (isHeldObject(value) && !this.#mayHaveFields(schema, value, depth, telling)) return false;
    const all = [...this.#document.referred(schema), ...schemasIn(schema.allOf)];
    return all.every((part) => this.mayMatch(part, value, depth - 1, telling));
  }

  #mayHaveFields(schema: JsonObject, value: HeldObject, depth: number, telling: number): boolean {
    if (!stringsIn(schema.required).every((key) => Object.hasOwn(value, key))) return false;
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const isClosed = schema.additionalProperties === false && schema.patternProperties === undefined;
    if (isClosed && !Object.keys(value).every((key) => Object.hasOwn(properties, key))) return false;
    if (telling === 0) return true;
    return Object.keys(properties).every((key) => {
      const [property, field] = [properties[key], Object.hasOwn(value, key) ? value[key] : undefined];
      if (field === undefined || !isSchema(property)) return true;
      return this.mayMatch(property, field, depth - 1, telling - 1);
    });
  }
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
