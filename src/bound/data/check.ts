import type { Held } from '../../json/held.ts';
import { pointerToken } from '../../json/pointer.ts';
import { stringify } from '../../json/stringify.ts';
import { dialectOf } from './dialect.ts';
import { isRecord, isSchema, type Json, type JsonObject, schemasBy } from './json-schema.ts';
import type { Patterns } from './pattern.ts';
import { Steps } from './steps.ts';

/**
 * Whether a value is valid by a schema document: by the `whole` of it, by all but its formats, or by a schema within it.
 * What can't be found out in the steps that are left is not.
 */
export type Check = (by: 'whole' | 'butFormats' | JsonObject, value: Held, steps: Steps) => boolean;

/** Compiles a schema document with ajv. Throws for what can't be checked. */
export async function checkOf(raw: unknown, patterns: Patterns): Promise<Check> {
  if (!isSchema(raw)) throw new TypeError('not a schema');
  refuseUnknownKeys(raw, patterns);
  let left = new Steps();
  const engineWith = await enginesOf(raw, patterns, () => left.take());
  const ajv = engineWith({ validateFormats: true });
  const whole = ajv.compile(raw);
  let butFormats: typeof whole | undefined;
  const parts = new Map<JsonObject, ReturnType<typeof ajv.getSchema>>();
  const partOf = (schema: JsonObject) => {
    if (!parts.has(schema)) {
      if (parts.size === 0) ajv.addSchema(raw, ROOT);
      parts.set(schema, ajv.getSchema(`${ROOT}#${pointerIn(raw, schema)}`));
    }
    return parts.get(schema);
  };
  const validatorFor = (by: Parameters<Check>[0]) => {
    if (by === 'whole') return whole;
    if (by !== 'butFormats') return partOf(by);
    butFormats ??= engineWith({ validateFormats: false }).compile(raw);
    return butFormats;
  };
  return (by, value, steps) => {
    left = steps;
    try {
      return validatorFor(by)?.(JSON.parse(stringify(value))) === true;
    } catch {
      return false;
    }
  };
}

/** What makes engines for a schema's dialect, which take a `step` wherever they follow a reference. */
async function enginesOf(raw: Json, patterns: Patterns, step: () => void) {
  const [{ default: addFormats }, { _: code }] = await Promise.all([import('ajv-formats'), import('ajv')]);
  const Engine = await engineOf(raw);
  const regExp = (source: string) => {
    const pattern = patterns.compile(source);
    // ajv tells patterns apart by what they are as a string.
    return { test: (text: string) => pattern.matches(text) ?? true, toString: () => source };
  };
  return (options: { readonly validateFormats: boolean }) => {
    const ajv = new Engine({
      ...options,
      strict: false,
      validateSchema: false,
      logger: false,
      code: { regExp: Object.assign(regExp, { code: '' }) },
    });
    addFormats.default(ajv);
    for (const keyword of REFERENCES) {
      const known = ajv.getKeyword(keyword);
      if (typeof known !== 'object' || !('code' in known)) continue;
      ajv.removeKeyword(keyword).addKeyword({
        ...known,
        code(context, type) {
          const name = context.gen.scopeValue('func', { ref: step });
          context.gen.code(code`${name}()`);
          known.code(context, type);
        },
      });
    }
    return ajv;
  };
}

/** Only by these does a check take more steps than a schema has parts, for each value. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

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
