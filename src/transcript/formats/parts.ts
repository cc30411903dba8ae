import { isObject } from '../read/lines.ts';
import type { JsonObject } from './format.ts';

/** A text in an object that may hold anything; `undefined` if there is none under the key. */
export function textAt(object: unknown, key: string): string | undefined {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function objectAt(object: unknown, key: string): JsonObject | undefined {
  const value = valueAt(object, key);
  return isObject(value) ? value : undefined;
}

export function listAt(object: unknown, key: string): readonly unknown[] | undefined {
  const value = valueAt(object, key);
  return Array.isArray(value) ? value : undefined;
}

/** Only what an object has of its own counts: a transcript may have any key. */
export function valueAt(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * A time as turns have it, of a text in ISO 8601, or of a number of seconds or milliseconds since 1970; `undefined` for what
 * is none. A text without a zone is taken for local time.
 */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const isSeconds = typeof value === 'number' && Math.abs(value) < MOST_SECONDS;
  const time = new Date(isSeconds ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Larger numbers are milliseconds: as seconds they would be after the year 5000. */
const MOST_SECONDS = 1e11;

/** Texts as one, with an empty line between them; white space at the ends goes. */
export function joined(texts: readonly (string | undefined)[]): string {
  return texts
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '')
    .join('\n\n')
    .toWellFormed();
}

/** What a content says that is a text itself, or a list of texts and of blocks that have one. */
export function textIn(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  return joined(parts.map((part) => (typeof part === 'string' ? part : textAt(part, 'text'))));
}

/** The ids from a node of a tree up to its root; a circle ends where it closes. */
export function branchOf(leaf: string, parentOf: (id: string) => string | undefined): Set<string> {
  const branch = new Set<string>();
  let id: string | undefined = leaf;
  while (id !== undefined && !branch.has(id)) {
    branch.add(id);
    id = parentOf(id);
  }
  return branch;
}

/** A text without the elements of some names, `<name>…</name>`, and what is in them. */
export function withoutElements(text: string, names: readonly string[]): string {
  return names.reduce((rest, name) => {
    const kept: string[] = [];
    let from = 0;
    for (;;) {
      const open = rest.indexOf(`<${name}>`, from);
      const close = open < 0 ? -1 : rest.indexOf(`</${name}>`, open);
      if (close < 0) return kept.join('') + rest.slice(from);
      kept.push(rest.slice(from, open));
      from = close + `</${name}>`.length;
    }
  }, text);
}
