import type { Id, Outgoing } from '../types.ts';

export type JsonObject = { readonly [key: string]: unknown };

const META = 'io.modelcontextprotocol/';

/** JSON-RPC's and MCP's codes of errors that are ours to give. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  methodNotFound: -32601,
  failed: -32000,
  noSession: -32001,
  /** 2026-07-28: headers and body contradict each other, a needed capability wasn't declared, no such version. */
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** The value as an object, if it is one. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** An own field of an object; undefined of anything else. */
export function fieldOf(value: unknown, key: string): unknown {
  const object = objectOf(value);
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A field of a message's `params._meta` that the protocol itself defines. */
export function metaOf(message: unknown, key: string): unknown {
  return fieldOf(fieldOf(fieldOf(message, 'params'), '_meta'), META + key);
}

/** The version that a message of 2026-07-28 or later says it is of; undefined for older ones, which don't. */
export function protocolVersionOf(message: unknown): string | undefined {
  const version = metaOf(message, 'protocolVersion');
  return typeof version === 'string' ? version : undefined;
}

/** Whether a version is 2026-07-28 or later, in which every request stands alone. */
export function isStateless(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2026-07-28';
}

/** A value as a message's id, if it can be one. */
export function idOf(value: unknown): Id | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** The messages of a batch; the one message of anything else. */
export function messagesOf(message: unknown): readonly JsonObject[] {
  const all = Array.isArray(message) ? message : [message];
  return all.map(objectOf).filter((one) => one !== undefined);
}

/** The ids of the requests in a message or batch. */
export function requestIds(message: unknown): Id[] {
  return messagesOf(message)
    .filter(({ method }) => typeof method === 'string')
    .map(({ id }) => idOf(id))
    .filter((id) => id !== undefined);
}

/** The ids that a message or batch answers. */
export function answeredIds(message: unknown): Id[] {
  return messagesOf(message)
    .filter(({ method }) => method === undefined)
    .map(({ id }) => idOf(id))
    .filter((id) => id !== undefined);
}

/** An error as an answer. */
export function errorAnswer(id: Id | null, code: number, message: string, data?: unknown): Buffer {
  const error = data === undefined ? { code, message } : { code, message, data };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}

/** The message of what is sent, if it is JSON and not a stream. */
export function messageOf(out: Outgoing): unknown {
  if (out.message !== undefined) return out.message;
  return Buffer.isBuffer(out.bytes) ? parsed(out.bytes) : undefined;
}

/** Bytes as JSON; undefined if they are none. */
export function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
