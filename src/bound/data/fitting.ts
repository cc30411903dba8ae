import { formatKind } from './formats.ts';
import {
  codePoints,
  isSchema,
  type Json,
  type JsonObject,
  numberOr,
  schemasIn,
  typesOf,
} from './json-schema.ts';
import { DEPTH, type Document } from './matching.ts';

/** How a text may be changed. */
export interface Change {
  /** The text is what it was: what can't be checked is taken to hold. */
  readonly isSame: boolean;
  /** The address that may stand for another one. */
  readonly uri?: string | undefined;
}

/** Tells which schemas a text fits. */
export class Fitting {
  readonly #document: Document;
  readonly #text: string;
  readonly #change: Change;
  /** What is asked again while it isn't answered doesn't fit. */
  readonly #known = new Map<JsonObject, boolean>();

  constructor(document: Document, text: string, change: Change) {
    this.#document = document;
    this.#text = text;
    this.#change = change;
  }

  fits(schema: Json, depth = DEPTH): boolean {
    this.#document.steps.take();
    if (typeof schema === 'boolean' || depth === 0) return schema === true;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    this.#known.set(schema, false);
    const answer = this.#fits(schema, (part) => this.fits(part, depth - 1));
    this.#known.set(schema, answer);
    return answer;
  }

  #fits(schema: JsonObject, fits: (part: Json) => boolean): boolean {
    const { not, if: condition } = schema;
    return (
      this.#fitsItself(schema) &&
      this.#document.referred(schema).every(fits) &&
      schemasIn(schema.allOf).every(fits) &&
      (schema.anyOf === undefined || schemasIn(schema.anyOf).some(fits)) &&
      (schema.oneOf === undefined || schemasIn(schema.oneOf).filter(fits).length === 1) &&
      (!isSchema(not) || !fits(not)) &&
      (!isSchema(condition) || fitsBranch(schema[fits(condition) ? 'then' : 'else'], fits))
    );
  }

  #fitsItself(schema: JsonObject): boolean {
    const [text, { isSame, uri }] = [this.#text, this.#change];
    const types = typesOf(schema);
    if (types && !types.includes('string')) return false;
    if ('const' in schema && schema.const !== text) return false;
    if (Array.isArray(schema.enum) && !schema.enum.includes(text)) return false;
    if (!isSame && !mayBecome(text, schema.format, uri)) return false;
    const { pattern, minLength, maxLength } = schema;
    if (typeof pattern === 'string' && !(this.#document.matches(pattern, text) ?? isSame)) return false;
    if (minLength === undefined && maxLength === undefined) return true;
    const length = codePoints(text);
    return length >= numberOr(minLength, 0) && length <= numberOr(maxLength, length);
  }
}

function fitsBranch(branch: unknown, fits: (schema: Json) => boolean): boolean {
  return !isSchema(branch) || fits(branch);
}

/** Whether a string of a format may become another text. */
function mayBecome(text: string, format: unknown, uri: string | undefined): boolean {
  const kind = formatKind(format);
  return kind === 'free' || (kind === 'address' && text === uri) || (kind === 'base64' && text === '');
}
