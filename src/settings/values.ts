import { homedir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { type Budget, parseBudget } from '../measure/budget.ts';

/** The longest time a setting may name, in seconds. */
const LONGEST = 3600;

/** The widest window a setting may name, in tokens, and the narrowest. */
const WIDEST = 10_000_000;
const NARROWEST = 1000;

export const TOKENS_FORM = `a whole number of tokens from ${NARROWEST} to ${WIDEST}`;

export const SECONDS_FORM = `a number of seconds above 0 and up to ${LONGEST}`;

// Each reads a string of the environment or a value of a configuration file: `undefined` if it isn't allowed.

export function readBudget(value: unknown): Budget | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return parseBudget(String(value));
  } catch {
    return undefined;
  }
}

export function readGlobs(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((glob): glob is string => typeof glob === 'string' && glob !== '') ? value : undefined;
}

export function readBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

export function readSeconds(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value);
  const seconds = isWritten ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST ? seconds : undefined;
}

/** An http or https address without credentials, query and fragment; slashes at its end are dropped. */
export function readWebAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(value);
  if (!/^https?:$/.test(protocol) || username || password || search || hash) return undefined;
  return origin + pathname.replace(/\/+$/, '');
}

/** What can stand in a header: printable ASCII without spaces; those around it, and line ends, are dropped. */
export function readToken(value: unknown): string | undefined {
  const token = typeof value === 'string' ? value.trim() : '';
  return /^[!-~]+$/.test(token) ? token : undefined;
}

/** A path, absolute then: a relative one starts at `folder`, and `~` is the user's home. */
export function readPath(value: unknown, folder: string): string | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) return undefined;
  return resolve(
    folder,
    value.replace(/^~(?=\/|$)/, () => homedir()),
  );
}

/** Paths, absolute then, that stand in one text as the platform's search paths do. */
export function readPaths(value: unknown, folder: string): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined;
  const paths = value.split(delimiter).filter((path) => path.trim() !== '');
  const read = paths.map((path) => readPath(path.trim(), folder));
  return read.every((path) => path !== undefined) ? read : undefined;
}

export function readTokens(value: unknown): number | undefined {
  const tokens = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  const isAllowed = Number.isInteger(tokens) && Number(tokens) >= NARROWEST && Number(tokens) <= WIDEST;
  return isAllowed ? Number(tokens) : undefined;
}

/** A name in one line; white space around it is dropped. */
export function readName(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : '';
  return name === '' || /\p{Cc}/u.test(name) ? undefined : name;
}

/**
 * The address of a model's server. As in `OLLAMA_HOST`, `http://`, the port and, before a port, the host may be left out.
 * Of an address that a request would go to, what names the request is dropped.
 */
export function readServer(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const address = value
    .trim()
    .replace(/^(?=:\d)/, '127.0.0.1')
    .replace(/\/api(?:\/(?:generate|chat))?\/*$/, '');
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  return /^https?:/i.test(url) && URL.canParse(url) ? address : undefined;
}
