import { isDeepStrictEqual } from 'node:util';
import { type Node, type ParseError, parse as parseJson, visit } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { PlimsollError } from '../../errors.ts';
import type { Entry, Names } from './entry.ts';
import { masked, type Part } from './mask.ts';
import { type Change, isObject } from './patch.ts';
import { patchJson } from './patch-json.ts';
import { patchToml } from './patch-toml.ts';
import { scanToml } from './toml.ts';

/** A server in a configuration. */
export interface Server {
  readonly name: string;
  /** The keys that lead to it. */
  readonly path: readonly string[];
  readonly entry: Entry;
}

/** What a server is to become. */
export interface ChangedServer extends Server {
  readonly names: Names;
}

/** The text of a client's configuration. */
export interface Document {
  readonly servers: readonly Server[];
  /** The text with other entries, all else as it was. Throws `CONFIG_UNREADABLE` if that can't be done. */
  with(servers: readonly ChangedServer[]): string;
  /** The text as it may be shown: without what is or may be a secret. */
  shown(): string;
}

const BOM = '\uFEFF';

interface TomlError extends Error {
  readonly line?: number;
  readonly column?: number;
}

/** A language that configurations are written in. */
interface Language {
  /** Where clients keep servers; `*` stands for every key. */
  readonly places: readonly (readonly string[])[];
  /** Throws `CONFIG_UNREADABLE`. */
  readonly parse: (file: string, text: string) => unknown;
  readonly patch: (text: string, changes: readonly Change[]) => string;
  /** All values but lists and objects, and the comments. */
  readonly parts: (text: string) => readonly Part[];
}

const JSON_WITH_COMMENTS: Language = {
  places: [['mcpServers'], ['projects', '*', 'mcpServers'], ['servers'], ['mcp', 'servers']],
  parse(file, text) {
    const errors: ParseError[] = [];
    const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
    if (errors[0]) throw unreadable(file, `it is not JSON from ${placeAt(text, errors[0].offset)} on`);
    return value;
  },
  patch: patchJson,
  parts(text) {
    const parts: Part[] = [];
    visit(text, {
      onLiteralValue: (_, from, length, _line, _column, path) =>
        parts.push({ from, to: from + length, path: path() }),
      onComment: (from, length) => parts.push({ from, to: from + length, path: undefined }),
    });
    return parts;
  },
};

const TOML: Language = {
  places: [['mcp_servers']],
  parse(file, text) {
    try {
      return structuredClone(parseToml(text, { integersAsBigInt: 'asNeeded' }));
    } catch (error) {
      const { message, line, column } = error as TomlError;
      const where = line === undefined ? message.split('\n')[0] : `from line ${line}, column ${column} on`;
      throw unreadable(file, `it is not TOML ${where}`);
    }
  },
  patch: patchToml,
  parts(text) {
    const { statements, comments } = scanToml(text);
    return [
      ...statements.flatMap(({ path, value }) => (value ? scalarsIn(value, path) : [])),
      ...comments.map((comment) => ({ ...comment, path: undefined })),
    ];
  },
};

/**
 * Reads a client's configuration: TOML if the file's name says so, else JSON with comments. Throws
 * `CONFIG_UNREADABLE` if it is neither, or has no place for servers.
 */
export function readDocument(file: string, text: string): Document {
  const language = file.toLowerCase().endsWith('.toml') ? TOML : JSON_WITH_COMMENTS;
  const bom = text.startsWith(BOM) ? BOM : '';
  const content = text.slice(bom.length);
  const value = language.parse(file, content);
  const servers = serversIn(file, value, language.places);
  return {
    servers,
    with(changed) {
      const wanted = structuredClone(value);
      const changes = changed.map(({ path, name, entry, names }) => {
        const place = valueAt(wanted, path.slice(0, -1));
        if (isObject(place)) Object.assign(place, { [name]: entry });
        return { path, old: valueAt(value, path), value: entry, names };
      });
      const patched = patchedOrNot(language, content, changes);
      if (patched !== undefined && isDeepStrictEqual(language.parse(file, patched), wanted)) {
        return bom + patched;
      }
      throw unreadable(file, 'it can not be changed without changing more than the servers');
    },
    shown: () => masked(content, language.parts(content), servers),
  };
}

function patchedOrNot({ patch }: Language, text: string, changes: readonly Change[]): string | undefined {
  try {
    return patch(text, changes);
  } catch {
    return undefined;
  }
}

/** What a value holds but lists and objects, each in its place. */
function scalarsIn(node: Node, path: readonly (string | number)[]): Part[] {
  const { type, offset: from, length, children } = node;
  if (!children) return [{ from, to: from + length, path }];
  if (type === 'array') return children.flatMap((child, index) => scalarsIn(child, [...path, index]));
  return children.flatMap(({ children: [key, value] = [] }) =>
    key && value ? scalarsIn(value, [...path, key.value]) : [],
  );
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

function placeAt(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

export function unreadable(file: string, reason: string): PlimsollError {
  return new PlimsollError('CONFIG_UNREADABLE', `Cannot use '${file}': ${reason}.`);
}
