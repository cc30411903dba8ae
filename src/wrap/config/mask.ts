import type { Entry } from './entry.ts';
import { withEdits } from './patch.ts';

/** A text, a number or the like, or a comment in a configuration. */
export interface Part {
  readonly from: number;
  readonly to: number;
  /** The keys that lead to it, places in lists as numbers; undefined for a comment. */
  readonly path: readonly (string | number)[] | undefined;
}

/** A server in a configuration. */
interface Place {
  readonly path: readonly string[];
  readonly entry: Entry;
}

const MASK = '***';

/** Keys of servers whose values may all be secrets, numbers too. */
const TABLES = ['env', 'headers', 'http_headers'];

/** Words that tell that something beside them, or with them in it, is a secret. */
const SECRET_WORDS =
  /key|token|secret|passw|pwd|auth|credential|cookie|bearer|signature|session|(?<![a-z])(?:pass|pat|pin|sig)(?![a-z])/i;

/** Options whose values are often secrets or hold some. */
const SECRET_OPTIONS = /^(?:-[aehpuH]|--(?:env|header|user|username|dsn|url|uri|connection.*))$/;

/** What is said of an option by its name alone. */
const OPTION = /^(?:-[a-z\d]|--[a-z][a-z-]{0,30})$/i;

/** The same with its value in one. */
const OPTION_WITH_VALUE = /^(--[a-z][a-z-]{0,30}=)/i;

/** What looks like a password that a machine made: letters and digits in a row, and no path or name of a package. */
const MADE =
  /^(?:sk|pk|rk)-|^(?:gh[a-z]|github_pat|glpat|xox[a-z])[_-]|^(?=.*\d)(?=.*[a-z])[\w+=~.-]{16,}$|^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=~-]{24,}$/;

/** What the proxy is told of headers: their names, and variables of ours. */
const OWN_HEADER = /^[\w-]+=PLIMSOLL_HEADER_\d+$/;

/**
 * A configuration as it may be shown: of its texts only the commands of servers, and those of their arguments that are
 * neither secrets nor near to what may be one. Comments, and texts that have nothing to do with servers, may hold
 * anything. Keys stay.
 */
export function masked(text: string, parts: readonly Part[], servers: readonly Place[]): string {
  const edits = parts.flatMap(({ from, to, path }) => {
    const own = text.slice(from, to);
    const shown = path === undefined ? maskedComment(own) : shownOf(path, own, servers);
    return shown === own ? [] : [{ from, to, text: shown }];
  });
  return withEdits(text, edits);
}

function maskedComment(comment: string): string {
  if (comment.startsWith('/*')) return `/* ${MASK} */`;
  return `${comment.startsWith('#') ? '#' : '//'} ${MASK}`;
}

/** What is shown of a text: itself, or a mask, with the name of an option if it has one. */
function shownOf(path: readonly (string | number)[], own: string, servers: readonly Place[]): string {
  const server = servers.find(({ path: start }) => start.every((key, index) => path[index] === key));
  const [key, index, ...others] = path.slice(server?.path.length);
  const isText = /^["'{]/.test(own);
  if (!isText && !(server && TABLES.includes(String(key)))) return own;
  if (!server || others.length > 0) return `"${MASK}"`;
  const { [String(key)]: value, args } = server.entry;
  if (index === undefined && key === 'type') return own;
  if (index === undefined && key === 'command') return isSuspect(String(value)) ? `"${MASK}"` : own;
  if (key !== 'args' || typeof index !== 'number' || !Array.isArray(args)) return `"${MASK}"`;
  const argument = String(args[index]);
  if (argument === server.path.at(-1)) return own;
  return shownArgument(own, argument, index === 0 ? '' : String(args[index - 1]));
}

function shownArgument(own: string, argument: string, previous: string): string {
  if (previous === '--header-env' && OWN_HEADER.test(argument)) return own;
  const isNamed = OPTION.test(argument);
  if (!isNamed && isValueOfSecret(previous)) return `"${MASK}"`;
  if (isNamed || !isSuspect(argument)) return own;
  const [name = ''] = OPTION_WITH_VALUE.exec(argument) ?? [];
  return `"${name}${MASK}"`;
}

function isValueOfSecret(option: string): boolean {
  return SECRET_OPTIONS.test(option) || (OPTION.test(option) && SECRET_WORDS.test(option));
}

/** Whether a text is or holds a secret, or may. */
function isSuspect(text: string): boolean {
  return (
    SECRET_WORDS.test(text) ||
    /:\/\/|[=;]/.test(text) ||
    /^(?![a-z]:[\\/])[^\\/]*:./i.test(text) ||
    MADE.test(text)
  );
}
