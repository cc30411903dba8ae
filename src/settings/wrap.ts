import { LEAST_LIMIT, LEAST_LINES, type Limit, parseLimit } from '../measure/limit.ts';

/** What becomes of a result: it is cut if it is over the limit, passes whole, or passes as a notice only. */
export const MODES = ['bound', 'inline', 'spool'] as const;
export type Mode = (typeof MODES)[number];

/** What holds for the results of a tool; what isn't given is decided elsewhere. */
export interface ToolRule {
  readonly limit?: Limit;
  readonly mode?: Mode;
}

/** What holds for the results of a server. */
export interface ServerRule extends ToolRule {
  /** By the tools' names. */
  readonly tools: ReadonlyMap<string, ToolRule>;
}

/** Takes what is wrong with a value, or with what stands at `path` in it. */
export type Warn = (problem: string, path?: string) => void;

export const SERVERS_FORM = 'an object with an object for each server';

const TOOL_KEYS = ['limit', 'mode'];
const SERVER_KEYS = [...TOOL_KEYS, 'tools'];

/** Reads a limit, with spaces around it as they may be; one that is too small becomes the least, with a warning. */
export function readLimit(value: unknown, _folder: string, warn: Warn): Limit | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const raised = raisedToLeast(text);
  try {
    const limit = parseLimit(raised);
    if (raised !== text) warn(`is less than the least limit; using ${raised}`);
    return limit;
  } catch {
    return undefined;
  }
}

/**
 * Reads the rules for servers, by name: `{ NAME: { limit, mode, tools: { TOOL: { limit, mode } } } }`. What isn't
 * allowed in it is left out, with a warning each.
 */
export function readServers(
  value: unknown,
  _folder: string,
  warn: Warn,
): ReadonlyMap<string, ServerRule> | undefined {
  if (!isObject(value)) return undefined;
  return new Map(
    objectsIn(value, '', warn).map(({ name, path, object }) => {
      warnUnknown(object, SERVER_KEYS, path, warn);
      return [name, { ...ruleIn(object, path, warn), tools: toolsIn(object.tools, `${path}.tools`, warn) }];
    }),
  );
}

function toolsIn(value: unknown, path: string, warn: Warn): ReadonlyMap<string, ToolRule> {
  if (value === undefined) return new Map();
  if (!isObject(value)) {
    warn('must be an object; it is not used', path);
    return new Map();
  }
  return new Map(
    objectsIn(value, `${path}.`, warn).map(({ name, path, object }) => {
      warnUnknown(object, TOOL_KEYS, path, warn);
      return [name, ruleIn(object, path, warn)];
    }),
  );
}

function ruleIn(rule: Record<string, unknown>, path: string, warn: Warn): ToolRule {
  const limit = fieldOf(rule, 'limit', path, warn, (value, warn) => readLimit(value, '', warn));
  const mode = fieldOf(rule, 'mode', path, warn, (value) => MODES.find((mode) => mode === value));
  return { ...(limit && { limit }), ...(mode && { mode }) };
}

function fieldOf<T>(
  rule: Record<string, unknown>,
  key: string,
  path: string,
  warn: Warn,
  read: (value: unknown, warn: Warn) => T | undefined,
): T | undefined {
  if (!Object.hasOwn(rule, key)) return undefined;
  const at = `${path}.${key}`;
  const value = read(rule[key], (problem) => warn(problem, at));
  if (value === undefined) warn(`isn't a ${key}; it is not used`, at);
  return value;
}

function objectsIn(value: Record<string, unknown>, prefix: string, warn: Warn) {
  return Object.entries(value).flatMap(([name, object]) => {
    const path = `${prefix}${name}`;
    if (isObject(object)) return [{ name, path, object }];
    warn('must be an object; it is not used', path);
    return [];
  });
}

function warnUnknown(found: object, known: readonly string[], path: string, warn: Warn): void {
  const unknown = Object.keys(found).filter((key) => !known.includes(key));
  for (const key of unknown) warn(`names no setting; known are ${known.join(', ')}`, `${path}.${key}`);
}

/** The limit's text with what is above zero and less than the least replaced by the least. */
function raisedToLeast(text: string): string {
  return text.replace(/(?<=^|,)[1-9]\d*(?=(tok|bytes|lines)?(?:,|$))/g, (digits, unit?: string) => {
    const least = unit === 'lines' ? LEAST_LINES : LEAST_LIMIT;
    return Number(digits) < least ? String(least) : digits;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
