import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { PlimsollError } from '../../errors.ts';
import type { Entry } from './entry.ts';
import { patchJson } from './patch-json.ts';

/** A server in a configuration. */
export interface Server {
  readonly name: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly entry: Entry;
}

/** The text of a client's configuration. */
export interface Document {
  readonly servers: readonly Server[];
  /** The text with other entries, all else as it was. Throws `CONFIG_UNREADABLE` if that can't be done. */
  with(servers: readonly Server[]): string;
}

const BOM = '\uFEFF';

/** A language that configurations are written in. */
interface Language {
  /** Where clients keep servers; `*` stands for every key. */
  readonly places: readonly (readonly string[])[];
  /** Throws `CONFIG_UNREADABLE`. */
  readonly parse: (file: string, text: string) => unknown;
  /** The text in which other entries stand; `value` is all that it is to say. */
  readonly patch: (text: string, servers: readonly Server[], value: unknown) => string;
}

const JSON_WITH_COMMENTS: Language = {
  places: [['mcpServers'], ['projects', '*', 'mcpServers'], ['servers'], ['mcp', 'servers']],
  parse(file, text) {
    const json = text.slice(bomOf(text).length);
    const errors: ParseError[] = [];
    const value: unknown = parseJson(json, errors, { allowTrailingComma: true });
    if (errors[0]) throw unreadable(file, `it is not JSON from ${placeAt(json, errors[0].offset)} on`);
    return value;
  },
  patch(text, servers) {
    const bom = bomOf(text);
    const changes = servers.map(({ path, entry }) => ({ path, value: entry }));
    return bom + patchJson(text.slice(bom.length), changes);
  },
};

const TOML: Language = {
  places: [['mcp_servers']],
  parse(file, text) {
    try {
      return parseToml(text);
    } catch (error) {
      throw unreadable(file, `it is not TOML: ${(error as Error).message.split('\n')[0]}`);
    }
  },
  patch: (text, _, value) => patchToml(text, value),
};

/**
 * Reads a client's configuration: TOML if the file's name says so, else JSON with comments. Throws
 * `CONFIG_UNREADABLE` if it is neither, or has no place for servers.
 */
export function readDocument(file: string, text: string): Document {
  const { places, parse, patch } = file.toLowerCase().endsWith('.toml') ? TOML : JSON_WITH_COMMENTS;
  return {
    servers: serversIn(file, parse(file, text), places),
    with(servers) {
      const value = parse(file, text);
      for (const { path, name, entry } of servers) {
        const place = valueAt(value, path.slice(0, -1));
        if (isObject(place)) place[name] = entry;
      }
      const patched = patch(text, servers, value);
      if (isDeepStrictEqual(structuredClone(parse(file, patched)), structuredClone(value))) return patched;
      throw unreadable(file, 'it can not be changed without changing more than the servers');
    },
  };
}

function serversIn(file: string, value: unknown, places: readonly (readonly string[])[]): Server[] {
  const found = places.flatMap((place) => pathsTo(value, place));
  if (found.length === 0) {
    const known = places.map((place) => place.join('.')).join(', ');
    throw unreadable(file, `it has no place for MCP servers; known are ${known}`);
  }
  return found.flatMap((path) =>
    Object.entries(valueAt(value, path) as object).flatMap(([name, entry]) =>
      isObject(entry) ? [{ name, path: [...path, name], entry }] : [],
    ),
  );
}

/** The paths of objects that a pattern fits. */
function pathsTo(value: unknown, [key, ...rest]: readonly string[]): string[][] {
  if (!isObject(value)) return [];
  if (key === undefined) return [[]];
  const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  return keys.flatMap((key) => pathsTo(value[key], rest).map((path) => [key, ...path]));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), value);
}

function bomOf(text: string): string {
  return text.startsWith(BOM) ? BOM : '';
}

function placeAt(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

export function unreadable(file: string, reason: string): PlimsollError {
  return new PlimsollError('CONFIG_UNREADABLE', `Cannot use '${file}': ${reason}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
