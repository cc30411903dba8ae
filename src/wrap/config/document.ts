import { isDeepStrictEqual } from 'node:util';
import { type Node, type ParseError, parse as parseJson, stripComments, visit } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { PlimsollError } from '../../errors.ts';
import type { Entry, Names } from './entry.ts';
import { masked, type Part } from './mask.ts';
import { type Change, isObject } from './patch.ts';
import { patchJson } from './patch-json.ts';
import { patchToml, withTable } from './patch-toml.ts';
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
  /** Ways of having one thing changed; the first that does nothing else is taken. */
  readonly setOne: (text: string, change: OneChange) => readonly (() => string)[];
  /** All values but lists and objects, and the comments. */
  readonly parts: (text: string) => readonly Part[];
}

/** One thing within a configuration that comes, changes or goes. */
interface OneChange {
  /** All of the configuration, as it is and as it is to be. */
  readonly old: Table;
  readonly wanted: Table;
  readonly path: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

const JSON_WITH_COMMENTS: Language = {
  places: [['mcpServers'], ['projects', '*', 'mcpServers'], ['servers'], ['mcp', 'servers']],
  parse(file, text) {
    const errors: ParseError[] = [];
    const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
    if (errors[0]) throw unreadable(file, `it is not JSON from ${placeAt(text, errors[0].offset)} on`);
    return value;
  },
  patch: patchJson,
  setOne(text, { old, wanted }) {
    const isEmpty = stripComments(text).trim() === '';
    const start = isEmpty && text !== '' && !text.endsWith('\n') ? `${text}\n` : text;
    const change = { path: [], old, value: wanted };
    return [() => (isEmpty ? `${start}${patchJson('{}', [change])}\n` : patchJson(text, [change]))];
  },
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
  setOne(text, { old, wanted, path }) {
    const place = path.slice(0, -1);
    const [before, after] = [old, wanted].map((value) => valueAt(value, place));
    const isNew = valueAt(old, path) === undefined;
    return [
      ...(isNew ? [() => withTable(text, path, valueAt(wanted, path) as Table)] : []),
      () => patchToml(text, [{ path: place, old: before, value: after }]),
      () => patchToml(text, [{ path: [], old, value: wanted }]),
    ];
  },
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
  const language = languageOf(file);
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
      const patched = orUndefined(() => language.patch(content, changes));
      if (patched !== undefined && isDeepStrictEqual(language.parse(file, patched), wanted)) {
        return bom + patched;
      }
      throw unreadable(file, 'it can not be changed without changing more than the servers');
    },
    shown: () => masked(content, language.parts(content), servers),
  };
}

/** The text of a client's configuration, in which one server is looked for. */
export interface Place {
  /** The servers that are there, by their names. */
  readonly servers: Table;
  /** The text with another server of that name, or without it; all else as it was. Throws `CONFIG_UNREADABLE`. */
  with(name: string, entry: Entry | undefined): string;
  /** The text as it may be shown. Of the servers that `isOwn` says nothing is a secret but what is in their environment. */
  shown(isOwn: (name: string) => boolean): string;
}

/**
 * Reads a client's configuration with its servers in one of some places: the first of them that is there, else the last.
 * A text with nothing in it but comments will do. Throws `CONFIG_UNREADABLE`.
 */
export function readPlace(file: string, text: string, places: readonly (readonly string[])[]): Place {
  const language = languageOf(file);
  const bom = text.startsWith(BOM) ? BOM : '';
  const content = text.slice(bom.length);
  const isEmpty = language === JSON_WITH_COMMENTS && stripComments(content).trim() === '';
  const value = isEmpty ? {} : language.parse(file, content);
  if (!isObject(value)) throw unreadable(file, 'it is no object');
  const place = places.find((keys) => areServers(valueAt(value, keys))) ?? (places.at(-1) as string[]);
  for (let length = 1; length <= place.length; length++) {
    const within = valueAt(value, place.slice(0, length));
    if (within !== undefined && !isObject(within))
      throw unreadable(file, `"${place.slice(0, length).join('.')}" in it is no object`);
  }
  const servers = (valueAt(value, place) ?? {}) as Table;
  return {
    servers,
    with(name, entry) {
      const path = [...place, name];
      const wanted = withValue(value, path, entry, language === TOML) as Table;
      for (const way of language.setOne(content, { old: value, wanted, path })) {
        const patched = orUndefined(way);
        const result = patched && orUndefined(() => language.parse(file, patched));
        if (isDeepStrictEqual(result, wanted)) return bom + patched;
      }
      throw unreadable(file, 'it can not be changed without changing more than one server');
    },
    shown(isOwn) {
      const parts = language.parts(content).filter(({ path }) => {
        const [name, key] = path?.slice(place.length) ?? [];
        const isWithin = place.every((word, index) => path?.[index] === word);
        return !(isWithin && isOwn(String(name)) && OPEN_KEYS.includes(String(key)));
      });
      const known = Object.entries(servers).flatMap(([name, entry]) =>
        isObject(entry) ? [{ path: [...place, name], entry }] : [],
      );
      return masked(content, parts, known);
    },
  };
}

/** Keys of servers with nothing to hide in them if it is known what they run. */
const OPEN_KEYS = ['type', 'command', 'args'];

function areServers(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject);
}

/** An object with another value at a path, or none; with `isTidy`, what that leaves empty goes as well. */
function withValue(value: unknown, path: readonly string[], item: unknown, isTidy: boolean): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return item;
  const { [key]: old, ...others } = isObject(value) ? value : {};
  const next = withValue(old, rest, item, isTidy);
  const isGone = next === undefined || (isTidy && item === undefined && isEmptyObject(next));
  if (isGone) return others;
  return isObject(value) && Object.hasOwn(value, key)
    ? { ...value, [key]: next }
    : { ...others, [key]: next };
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function orUndefined<T>(way: () => T): T | undefined {
  try {
    return way();
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

function languageOf(file: string): Language {
  return file.toLowerCase().endsWith('.toml') ? TOML : JSON_WITH_COMMENTS;
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
