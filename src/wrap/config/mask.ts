import type { Entry } from './entry.ts';

const MASK = '***';

/** Keys and options that name a secret. */
const NAMES = 'key|token|secret|passw|authorization|credential|cookie';

/** A key with a text, as JSON and TOML have it. */
const SECRET_MEMBER = new RegExp(
  `([\\w-]*(?:${NAMES})[\\w-]*["']?\\s*[:=]\\s*)(["'])(?:\\\\.|(?!\\2).)*\\2`,
  'gi',
);

/** An option with its value in one, or a header. */
const SECRET_OPTION = new RegExp(`^([^=:]*(?:${NAMES})[^=:]*[=:]\\s*).+$`, 'is');

/** An option whose value comes next. */
const SECRET_NEXT = new RegExp(`^-[^=:]*(?:${NAMES})[^=:]*$`, 'i');

/** An address with a user or a query. */
const SECRET_ADDRESS = /^[a-z]+:\/\/.*[?@]/i;

/** Keys whose values may all be secrets. */
const TABLES = ['env', 'headers', 'http_headers'];

/** What entries hold that is not to be shown: environments, headers, addresses and arguments that look like secrets. */
export function secretsIn(entries: readonly Entry[]): ReadonlySet<unknown> {
  return new Set(
    entries.flatMap((entry) => [
      ...TABLES.flatMap((key) => Object.values(entry[key] ?? {})).filter(
        (value) => typeof value === 'string',
      ),
      ...Object.values(entry).filter((value) => typeof value === 'string' && SECRET_ADDRESS.test(value)),
      ...(Array.isArray(entry.args) ? entry.args.filter(isSecretArgument) : []),
    ]),
  );
}

/** Whether an argument is a secret's value, or holds one. */
function isSecretArgument(argument: unknown, index: number, args: readonly unknown[]): boolean {
  if (typeof argument !== 'string') return false;
  const previous = args[index - 1];
  if (previous === '--header-env') return false;
  if (SECRET_ADDRESS.test(argument)) return true;
  return SECRET_OPTION.test(argument) || (typeof previous === 'string' && SECRET_NEXT.test(previous));
}

/** A line of JSON or TOML without secrets. */
export function masked(line: string, secrets: ReadonlySet<unknown>): string {
  const literals = line.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, (literal) =>
    secrets.has(textOf(literal)) ? maskedLiteral(literal) : literal,
  );
  return literals.replace(SECRET_MEMBER, (_, start: string, quote: string) => start + quote + MASK + quote);
}

/** The literal with the name of an option or a header left, where it has one. */
function maskedLiteral(literal: string): string {
  const quote = literal.charAt(0);
  const [, name = ''] = SECRET_OPTION.exec(literal.slice(1, -1)) ?? [];
  return quote + name + MASK + quote;
}

function textOf(literal: string): string {
  try {
    return literal.startsWith('"') ? JSON.parse(literal) : literal.slice(1, -1);
  } catch {
    return literal.slice(1, -1);
  }
}
