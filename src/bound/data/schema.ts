import type { Held } from '../../json/held.ts';
import { type Check, checkOf } from './check.ts';
import type { Json } from './json-schema.ts';
import { Patterns } from './pattern.ts';
import { Places } from './place.ts';
import { Steps } from './steps.ts';

export { leavesNoRoom, tellsLoss } from './room.ts';

/** A JSON Schema, compiled for one result: how many steps may be taken to follow it is limited in all. */
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
 * those that can't be, with lookarounds or back-references, are taken to match. Once all steps are taken nothing is
 * valid, and what is asked of `places` throws `OutOfSteps`.
 */
export async function compileSchema(raw: unknown, steps = new Steps()): Promise<Schema> {
  const compiled = await knownOr(raw);
  if (!compiled) return { raw, places: undefined, validate: () => false, validateButFormats: () => false };
  const { patterns, check } = compiled;
  return {
    raw,
    places: new Places(raw as Json, patterns, steps, (schema, value) => check(schema, value, steps)),
    validate: (value) => check('whole', value, steps),
    validateButFormats: (value) => check('butFormats', value, steps),
  };
}

/** What of a schema is the same for all results. */
interface Compiled {
  readonly patterns: Patterns;
  readonly check: Check;
}

/** A tool's schema is compiled once, however many results it has. */
const COMPILED = new WeakMap<object, Promise<Compiled | undefined>>();

function knownOr(raw: unknown): Promise<Compiled | undefined> {
  if (typeof raw !== 'object' || raw === null) return compiled(raw);
  const known = COMPILED.get(raw) ?? compiled(raw);
  COMPILED.set(raw, known);
  return known;
}

async function compiled(raw: unknown): Promise<Compiled | undefined> {
  try {
    const { RE2JS } = await import('re2js');
    const patterns = new Patterns(RE2JS);
    return { patterns, check: await checkOf(raw, patterns) };
  } catch {
    return undefined;
  }
}
