import { isRecord, type Json, type JsonObject } from './json-schema.ts';

/** Where a schema without an `$id` is said to be; nothing is ever fetched. */
const NOWHERE = 'schema:/';

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** Resolves the references of one schema document, within the document only. */
export class References {
  readonly #bases = new WeakMap<JsonObject, string>();
  readonly #places = new Map<string, Json>();
  readonly #dynamic = new Map<string, JsonObject[]>();
  readonly #known = new WeakMap<JsonObject, readonly (Json | undefined)[]>();

  constructor(root: Json) {
    this.#places.set(NOWHERE, root);
    this.#visit(root, NOWHERE);
  }

  /**
   * The schemas that a schema's `$ref`, `$dynamicRef` and `$recursiveRef` may mean, and undefined for each that isn't
   * in the document.
   */
  of(schema: JsonObject): readonly (Json | undefined)[] {
    const found = this.#known.get(schema) ?? this.#of(schema);
    this.#known.set(schema, found);
    return found;
  }

  #of(schema: JsonObject): (Json | undefined)[] {
    const found: (Json | undefined)[] = [];
    if (typeof schema.$ref === 'string') found.push(this.#resolve(schema, schema.$ref));
    if (typeof schema.$dynamicRef === 'string') {
      const anchor = schema.$dynamicRef.split('#')[1] ?? '';
      found.push(this.#resolve(schema, schema.$dynamicRef), ...(this.#dynamic.get(anchor) ?? []));
    }
    if (typeof schema.$recursiveRef === 'string') {
      found.push(this.#resolve(schema, schema.$recursiveRef), ...(this.#dynamic.get('') ?? []));
    }
    return found;
  }

  #visit(value: unknown, base: string): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#visit(item, base);
      return;
    }
    if (!isRecord(value)) return;
    const own = this.#enter(value, base);
    this.#bases.set(value, own);
    for (const [key, child] of Object.entries(value)) {
      if (!VALUES.has(key)) this.#visit(child, own);
    }
  }

  /** Notes what a schema is called, and tells the base of the references in it. */
  #enter(schema: JsonObject, base: string): string {
    let own = base;
    const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema;
    if (typeof $id === 'string') {
      const [address = '', anchor = ''] = (resolved($id, base) ?? base).split('#');
      own = address;
      this.#places.set(anchor === '' ? own : `${own}#${anchor}`, schema);
    }
    if (typeof $anchor === 'string') this.#places.set(`${own}#${$anchor}`, schema);
    if (typeof $dynamicAnchor === 'string') {
      this.#places.set(`${own}#${$dynamicAnchor}`, schema);
      this.#note($dynamicAnchor, schema);
    }
    if ($recursiveAnchor === true) this.#note('', schema);
    return own;
  }

  #note(anchor: string, schema: JsonObject): void {
    this.#dynamic.set(anchor, [...(this.#dynamic.get(anchor) ?? []), schema]);
  }

  #resolve(schema: JsonObject, reference: string): Json | undefined {
    const address = resolved(reference, this.#bases.get(schema) ?? NOWHERE);
    if (address === undefined) return undefined;
    const hash = address.indexOf('#');
    const fragment = hash < 0 ? '' : address.slice(hash + 1);
    const resource = hash < 0 ? address : address.slice(0, hash);
    if (fragment !== '' && !fragment.startsWith('/')) return this.#places.get(`${resource}#${fragment}`);
    return pointed(this.#places.get(resource), fragment);
  }
}

function resolved(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

/** What a JSON pointer in a fragment (RFC 6901, section 6) points to. */
function pointed(root: Json | undefined, fragment: string): Json | undefined {
  let value: unknown = root;
  try {
    for (const token of fragment.split('/').slice(1)) {
      const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as JsonObject)[key];
    }
  } catch {
    return undefined;
  }
  return typeof value === 'boolean' || isRecord(value) ? value : undefined;
}
