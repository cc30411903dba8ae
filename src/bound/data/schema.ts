import type { Held } from '../../json/held.ts';
import { pointerToken } from '../../json/pointer.ts';
import { stringify } from '../../json/stringify.ts';
import { dialectOf } from './dialect.ts';
import { isRecord, isSchema, type Json, type JsonObject, schemasBy } from './json-schema.ts';
import { Patterns } from './pattern.ts';
import { Places } from './place.ts';

export { leavesNoRoom, tellsLoss } from './room.ts';

/** A JSON Schema, compiled. */
export interface Schema {
  readonly raw: unknown;
  /** What holds where; undefined for what is no schema that can be checked: nothing is valid then. */
  readonly places: Places | undefined;
  validate(value: Held): boolean;
  /** Whether all is valid but formats: servers send dates and addresses that not every client's check lets pass. */
  validateButFormats(value: Held): boolean;
}

/**
 * Compiles a schema of 2020-12 (as a schema is that names no dialect), 2019-09, draft-07 or draft-06, as the MCP SDKs
 * do: with ajv, formats checked, unknown keywords ignored. Nothing is fetched. Patterns are matched in linear time;
 * those that can't be, with lookarounds or back-references, are taken to match.
 */
export function compileSchema(raw: unknown): Promise<Schema> {
  if (typeof raw !== 'object' || raw === null) return compiled(raw);
  const known = SCHEMAS.get(raw) ?? compiled(raw);
  SCHEMAS.set(raw, known);
  return known;
}

/** A tool's schema is compiled once, however many results it has. */
const SCHEMAS = new WeakMap<object, Promise<Schema>>();

async function compiled(raw: unknown): Promise<Schema> {
  try {
    const { RE2JS } = await import('re2js');
    const patterns = new Patterns(RE2JS);
    const { isValid, ...checks } = await validatorOf(raw, patterns);
    return { raw, places: new Places(raw as Json, patterns, isValid), ...checks };
  } catch {
    return { raw, places: undefined, validate: () => false, validateButFormats: () => false };
  }
}

interface Validator extends Pick<Schema, 'validate' | 'validateButFormats'> {
  /** Whether a schema within the document is known to allow a value. */
  isValid(schema: JsonObject, value: Held): boolean;
}

/** Throws for what can't be checked. */
async function validatorOf(raw: unknown, patterns: Patterns): Promise<Validator> {
  if (!isSchema(raw)) throw new TypeError('not a schema');
  const { default: addFormats } = await import('ajv-formats');
  const regExp = (source: string) => {
    const pattern = patterns.compile(source);
    // ajv tells patterns apart by what they are as a string.
    return { test: (text: string) => pattern.matches(text) ?? true, toString: () => source };
  };
  const options = {
    strict: false,
    validateSchema: false,
    logger: false,
    code: { regExp: Object.assign(regExp, { code: '' }) },
  } as const;
  const Engine = await engineOf(raw);
  const ajv = new Engine(options);
  addFormats.default(ajv);
  refuseUnknownKeys(raw, patterns);
  const validate = ajv.compile(raw);
  let withoutFormats: typeof validate | undefined;
  const parts = new Map<JsonObject, ReturnType<typeof ajv.getSchema>>();
  const partOf = (schema: JsonObject) => {
    if (!parts.has(schema)) {
      if (parts.size === 0) ajv.addSchema(raw, ROOT);
      parts.set(schema, ajv.getSchema(`${ROOT}#${pointerIn(raw, schema)}`));
    }
    return parts.get(schema);
  };
  return {
    validate: (value) => validate(JSON.parse(stringify(value))) === true,
    validateButFormats(value) {
      withoutFormats ??= new Engine({ ...options, validateFormats: false }).compile(raw);
      return withoutFormats(JSON.parse(stringify(value))) === true;
    },
    isValid(schema, value) {
      try {
        return partOf(schema)?.(JSON.parse(stringify(value))) === true;
      } catch {
        return false;
      }
    },
  };
}

/** What a document is called, to refer to what is in it. */
const ROOT = 'plimsoll:schema';

/** The place of a schema within a document, as a URI fragment (RFC 6901, section 6). */
function pointerIn(document: unknown, schema: JsonObject): string | undefined {
  if (document === schema) return '';
  if (typeof document !== 'object' || document === null) return undefined;
  for (const [key, part] of Object.entries(document)) {
    const pointer = pointerIn(part, schema);
    const token = encodeURIComponent(pointerToken(key));
    if (pointer !== undefined) return `/${token}${pointer}`;
  }
  return undefined;
}

async function engineOf(raw: Json) {
  switch (dialectOf(raw)) {
    case '2020-12':
      return (await import('ajv/dist/2020.js')).Ajv2020;
    case '2019-09':
      return (await import('ajv/dist/2019.js')).Ajv2019;
    case 'draft-07':
      return (await import('ajv')).Ajv;
    default:
      throw new TypeError('an unknown dialect');
  }
}

/** Throws where a pattern decides about what applies, and can't be matched: nothing could be said of such keys. */
function refuseUnknownKeys(schema: unknown, patterns: Patterns): void {
  if (Array.isArray(schema)) for (const part of schema) refuseUnknownKeys(part, patterns);
  if (!isRecord(schema)) return;
  for (const [pattern] of schemasBy(schema.patternProperties)) {
    if (patterns.compile(pattern).matches('') === undefined) throw new TypeError('a pattern for keys');
  }
  for (const part of Object.values(schema)) refuseUnknownKeys(part, patterns);
}
