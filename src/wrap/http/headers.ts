import { RawNumber } from '../../json/held.ts';
import type { JsonObject } from './messages.ts';
import { fieldOf, objectOf, protocolVersionOf } from './messages.ts';

/** The field of a request's params that `Mcp-Name` repeats (2026-07-28, Streamable HTTP, "Standard Request Headers"). */
const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** The prefix of headers that repeat a tool's arguments. */
const PARAM_PREFIX = 'mcp-param-';

/** A value that can't stand in a header as it is stands there between these, in base64. */
const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a header can say as it is: no space at its ends, nothing but visible ASCII, spaces and tabs within. */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** A header's name (RFC 9110, section 5.1). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** A value as a header says it. */
export function encodeHeader(value: string): string {
  if (PLAIN.test(value) && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** What a header says; undefined if its base64 is none. */
export function decodeHeader(header: string): string | undefined {
  const value = header.replace(/^[ \t]+|[ \t]+$/g, '');
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
}

/** What `Mcp-Name` repeats of a request, if anything. */
function nameOf(message: JsonObject): string | undefined {
  const field = NAMED_BY.get(String(message.method));
  const name = field === undefined ? undefined : fieldOf(message.params, field);
  return typeof name === 'string' ? name : undefined;
}

/** The headers that repeat what a message of 2026-07-28 or later says; none for an older one. */
export function standardHeaders(message: JsonObject): Record<string, string> {
  const version = protocolVersionOf(message);
  if (version === undefined) return {};
  const name = nameOf(message);
  return {
    'mcp-protocol-version': version,
    'mcp-method': encodeHeader(String(message.method)),
    ...(name !== undefined && { 'mcp-name': encodeHeader(name) }),
  };
}

/** How a request's headers contradict it, in one line; undefined if they don't. `header` looks one up by its name. */
export function standardMismatch(message: JsonObject, header: Header): string | undefined {
  const version = header('mcp-protocol-version');
  const claimed = protocolVersionOf(message);
  if (version === undefined) return 'the header MCP-Protocol-Version is missing';
  if (version !== claimed) return `MCP-Protocol-Version is ${version}, the message says ${claimed}`;
  const method = header('mcp-method');
  if (method === undefined) return 'the header Mcp-Method is missing';
  if (decodeHeader(method) !== message.method) return "Mcp-Method isn't the message's method";
  const name = nameOf(message);
  if (name === undefined) return undefined;
  const named = header('mcp-name');
  if (named === undefined) return 'the header Mcp-Name is missing';
  return decodeHeader(named) === name ? undefined : "Mcp-Name isn't what the message names";
}

export type Header = (name: string) => string | undefined;

/** A tool's argument that a header repeats: its keys from the arguments downwards, the header's name. */
interface Mirrored {
  readonly path: readonly string[];
  readonly header: string;
}

/** Which of the tools' arguments headers repeat (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). */
export class ToolHeaders {
  readonly #tools = new Map<string, readonly Mirrored[]>();

  /** Learns from the result of a `tools/list`. */
  learn(result: unknown): void {
    const tools = fieldOf(result, 'tools');
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      const name = fieldOf(tool, 'name');
      if (typeof name === 'string') this.#tools.set(name, mirroredIn(fieldOf(tool, 'inputSchema')));
    }
  }

  /** Whether all is known that a message's headers need: whether the tool that it calls, if it calls one, was listed. */
  knows(message: unknown): boolean {
    if (fieldOf(message, 'method') !== 'tools/call') return true;
    return this.#tools.has(String(fieldOf(fieldOf(message, 'params'), 'name')));
  }

  /** The headers for a message; none if it calls no tool. */
  of(message: JsonObject): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const { path, header } of this.#mirrored(message)) {
      const value = writtenOf(valueAt(message, path));
      if (value !== undefined) headers[header] = encodeHeader(value);
    }
    return headers;
  }

  /** How a call's headers contradict its arguments, in one line; undefined if they don't. */
  mismatch(message: JsonObject, header: Header): string | undefined {
    for (const mirrored of this.#mirrored(message)) {
      const value = valueAt(message, mirrored.path);
      const written = writtenOf(value);
      if (written === undefined) continue;
      const given = header(mirrored.header);
      if (given === undefined) return `the header ${mirrored.header} is missing`;
      const said = decodeHeader(given);
      if (said === written) continue;
      const isSame =
        typeof value === 'number' && said !== undefined && DECIMAL.test(said) && Number(said) === value;
      if (!isSame) return `${mirrored.header} isn't what the argument says`;
    }
    return undefined;
  }

  #mirrored(message: JsonObject): readonly Mirrored[] {
    if (message.method !== 'tools/call') return [];
    return this.#tools.get(String(fieldOf(message.params, 'name'))) ?? [];
  }
}

/** What a schema says of headers, in `properties` of `properties` alone; nothing if it says something wrong. */
function mirroredIn(schema: unknown): readonly Mirrored[] {
  const found: Mirrored[] = [];
  const left: [unknown, readonly string[]][] = [[schema, []]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, path] = next;
    for (const [key, property] of Object.entries(objectOf(fieldOf(node, 'properties')) ?? {})) {
      const name = fieldOf(property, 'x-mcp-header');
      if (name !== undefined && !(typeof name === 'string' && TOKEN.test(name))) return [];
      if (name !== undefined)
        found.push({ path: [...path, key], header: `${PARAM_PREFIX}${name}`.toLowerCase() });
      left.push([property, [...path, key]]);
    }
  }
  return new Set(found.map(({ header }) => header)).size === found.length ? found : [];
}

function valueAt(message: JsonObject, path: readonly string[]): unknown {
  const value = path.reduce(fieldOf, fieldOf(message.params, 'arguments'));
  return value instanceof RawNumber ? Number(value.raw) : value;
}

/** A value as a header writes it, if it is of a kind that one can write. */
function writtenOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? String(value)
    : undefined;
}
