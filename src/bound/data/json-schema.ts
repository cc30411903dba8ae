/** A JSON Schema of any draft: an object, or true or false. */
export type Json = JsonObject | boolean;

export interface JsonObject {
  readonly [keyword: string]: unknown;
}

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is Json {
  return typeof value === 'boolean' || isRecord(value);
}

/** The schemas under a keyword that holds a list of them. */
export function schemasIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** The schemas under a keyword that holds them by name. */
export function schemasBy(value: unknown): [name: string, schema: Json][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Json] => isSchema(entry[1]));
}

/** A keyword's number, or what stands for it where it has none. */
export function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** A keyword's strings. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The types that a schema names; undefined if it names none. */
export function typesOf(schema: JsonObject): string[] | undefined {
  if (typeof schema.type === 'string') return [schema.type];
  return Array.isArray(schema.type) ? stringsIn(schema.type) : undefined;
}

/** What JSON Schema calls code points, which `minLength` and `maxLength` count. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) count--;
  }
  return count;
}
