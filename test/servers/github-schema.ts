import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** A JSON schema, or OpenAPI 3.0's own kind of it. */
type Schema = Readonly<Record<string, unknown>>;

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** What GitHub answers where the description says nothing of a status. */
const ANY_ERROR: Schema = { $ref: '#/components/schemas/basic-error' };

const FILE = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
const ajv = new Ajv({ strict: false, logger: false, allErrors: true });
formats.default(ajv);

let description: Description | undefined;
const compiled = new Map<string, ValidateFunction>();

/**
 * Compares a JSON answer with GitHub's OpenAPI description of its REST API. `path` is the description's own,
 * with its parameters in braces. Gives what is wrong, or nothing.
 */
export function schemaViolation(path: string, status: number, body: unknown): string | undefined {
  const answer = `GET ${path} ${status}`;
  let validate = compiled.get(answer);
  if (!validate) {
    const schema = schemaOf(path, status);
    if (!schema) return `${answer}: the description has no such answer`;
    validate = ajv.compile(selfContained(schema));
    compiled.set(answer, validate);
  }
  return validate(body) ? undefined : `${answer}: ${ajv.errorsText(validate.errors, { dataVar: 'body' })}`;
}

function described(): Description {
  description ??= JSON.parse(readFileSync(FILE, 'utf8')) as Description;
  return description;
}

function schemaOf(path: string, status: number): Schema | undefined {
  const { paths, components } = described();
  const found = paths[path]?.get?.responses[status];
  const response = found && '$ref' in found ? components.responses[nameIn(found.$ref)] : found;
  return response?.content?.['application/json']?.schema ?? (status >= 300 ? ANY_ERROR : undefined);
}

/** The schema with all it refers to. */
function selfContained(schema: Schema): Schema {
  const definitions: Record<string, unknown> = {};
  const add = (name: string) => {
    if (name in definitions) return;
    definitions[name] = {}; // a schema may refer to itself
    definitions[name] = toJsonSchema(described().components.schemas[name] as Schema, add);
  };
  return { ...toJsonSchema(schema, add), definitions };
}

/**
 * A schema of OpenAPI 3.0 as a JSON schema: a value that is `nullable` may also be null, and nothing counts
 * beside a `$ref`. Calls `refer` with the name of each schema that is referred to.
 */
function toJsonSchema(schema: Schema, refer: (name: string) => void): Schema {
  if (typeof schema.$ref === 'string') {
    const name = nameIn(schema.$ref);
    refer(name);
    return { $ref: `#/definitions/${name}` };
  }
  const { nullable, ...rest } = schema;
  const translated = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, translatedValue(keyword, value, refer)]),
  );
  return nullable === true ? { anyOf: [{ type: 'null' }, translated] } : translated;
}

function translatedValue(keyword: string, value: unknown, refer: (name: string) => void): unknown {
  const translate = (each: unknown) => toJsonSchema(each as Schema, refer);
  if (keyword === 'properties') {
    return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, translate(each)]));
  }
  if (['allOf', 'anyOf', 'oneOf'].includes(keyword)) return (value as unknown[]).map(translate);
  if (['items', 'not', 'additionalProperties'].includes(keyword) && typeof value === 'object') {
    return translate(value);
  }
  return value;
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
