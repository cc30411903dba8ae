/** A server in a client's configuration, as it stands there. */
export type Entry = Readonly<Record<string, unknown>>;

/** How this program is run. */
export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
}

/** What an entry becomes, or why it stays as it is. */
export type Changed = { readonly entry: Entry } | { readonly left: string };

/** Keys with an address, as clients call them; the first that is there holds. */
const ADDRESSES = ['httpUrl', 'url', 'serverUrl'];

/** Keys with what is sent in headers. */
const HEADERS = ['headers', 'http_headers'];

/** What servers at an address may be called in `type`. */
const REMOTE_TYPES = [undefined, 'http', 'sse', 'streamable-http', 'streamableHttp', 'streamable_http'];

/** Keys of what only the client itself can do to be let in. */
const SIGN_INS = [
  'oauth',
  'auth',
  'authProviderType',
  'headersHelper',
  'bearer_token_env_var',
  'env_http_headers',
];

/** The variable with the address, if that may hold a secret: arguments are seen by everybody on a machine. */
const ADDRESS_VARIABLE = 'PLIMSOLL_URL';

/** The variables with the values of headers start so. */
const HEADER_VARIABLE = 'PLIMSOLL_HEADER_';

/** The variable that says what the keys were called that wrapping took out. */
const MARK = 'PLIMSOLL_WRAPPED';

/**
 * The entry with its server wrapped: the same command, run by `plimsoll wrap`; or the same address, asked by it, with
 * the values of headers in the environment. All other keys stay.
 */
export function wrapEntry(name: string, entry: Entry, launcher: Launcher): Changed {
  if (wrappingOf(entry)) return { left: 'it is wrapped already' };
  const { command, args = [] } = entry;
  const start = [...launcher.args, 'wrap', '--name', name];
  if (typeof command === 'string' && isTexts(args)) {
    const wrapped = { command: launcher.command, args: [...start, '--', command, ...args] };
    return { entry: replaced(entry, { command: wrapped, args: {} }) };
  }
  const address = ADDRESSES.find((key) => typeof entry[key] === 'string');
  if (command !== undefined || address === undefined) {
    return { left: 'it has neither a command with a list of arguments nor an address' };
  }
  return wrapAddress(entry, address, start, launcher.command);
}

function wrapAddress(entry: Entry, address: string, start: readonly string[], command: string): Changed {
  const signIn = SIGN_INS.find((key) => Object.hasOwn(entry, key));
  if (signIn) return { left: `only the client itself can do what "${signIn}" says` };
  const { type, env = {} } = entry;
  if (!REMOTE_TYPES.includes(type as string | undefined)) {
    return { left: `servers of type ${JSON.stringify(type)} can't be wrapped` };
  }
  const key = HEADERS.find((key) => Object.hasOwn(entry, key)) ?? 'headers';
  const headers = entry[key] ?? {};
  if (!isTable(headers) || !isTable(env)) return { left: 'its headers or its environment are no texts' };

  const url = entry[address] as string;
  const names = Object.keys(headers);
  const variables = Object.fromEntries(
    names.map((name, index) => [`${HEADER_VARIABLE}${index + 1}`, headers[name]]),
  );
  const asked = hasSecret(url) ? ['--url-env', ADDRESS_VARIABLE] : ['--url', url];
  const sent = names.flatMap((name, index) => ['--header-env', `${name}=${HEADER_VARIABLE}${index + 1}`]);
  const mark = [`address=${address}`, `headers=${key}`, ...(type === undefined ? [] : [`type=${type}`])];
  const wrapped = {
    command,
    args: [...start, ...asked, ...sent],
    env: {
      ...env,
      ...variables,
      ...(hasSecret(url) && { [ADDRESS_VARIABLE]: url }),
      [MARK]: mark.join(','),
    },
  };
  const replacements = {
    [address]: wrapped,
    [key]: {},
    env: {},
    type: type === undefined ? {} : { type: 'stdio' },
  };
  return { entry: replaced(entry, replacements) };
}

/** The entry without its wrapping, whoever wrapped it; what else was changed since stays. */
export function unwrapEntry(entry: Entry): Changed {
  const wrapping = wrappingOf(entry);
  if (!wrapping) return { left: 'it is not wrapped' };
  const end = wrapping.indexOf('--');
  const command = end < 0 ? undefined : wrapping[end + 1];
  if (command !== undefined) {
    return { entry: replaced(entry, { command: { command, args: wrapping.slice(end + 2) }, args: {} }) };
  }
  return unwrapAddress(entry, wrapping);
}

function unwrapAddress(entry: Entry, wrapping: readonly string[]): Changed {
  const env = isTable(entry.env) ? entry.env : {};
  const mark = new Map((env[MARK] ?? '').split(',').map((pair) => pair.split('=', 2) as [string, string]));
  const [variable = ''] = valuesOf(wrapping, '--url-env');
  const url = valuesOf(wrapping, '--url')[0] ?? env[variable];
  if (url === undefined) return { left: 'its wrapping names no server' };

  const named = valuesOf(wrapping, '--header-env').map((pair) => splitAt(pair, '='));
  const headers = Object.fromEntries([
    ...valuesOf(wrapping, '--header').map((header) => splitAt(header, ':')),
    ...named.map(([name, variable]) => [name, env[variable] ?? '']),
  ]);
  const ours = [MARK, variable, ...named.map(([, variable]) => variable)];
  const others = Object.entries(env).filter(([name]) => !ours.includes(name));
  const unwrapped = {
    [mark.get('address') ?? 'url']: url,
    ...(Object.keys(headers).length > 0 && { [mark.get('headers') ?? 'headers']: headers }),
    ...(others.length > 0 && { env: Object.fromEntries(others) }),
  };
  const type = entry.type === undefined ? {} : { type: mark.get('type') ?? 'http' };
  return { entry: replaced(entry, { command: unwrapped, args: {}, env: {}, type }) };
}

/** What the entry tells to `plimsoll wrap`; undefined if it runs something else. */
function wrappingOf({ command, args }: Entry): readonly string[] | undefined {
  if (typeof command !== 'string' || !isTexts(args)) return undefined;
  const words = [command, ...args];
  const at = words.findIndex((word, index) => word === 'wrap' && isPlimsoll(words[index - 1] ?? ''));
  return at < 0 ? undefined : words.slice(at + 1);
}

function isPlimsoll(word: string): boolean {
  return /(?:^|\/)plimsoll(?:@[^/]*)?$|\/dist\/cli\/main\.js$/.test(word);
}

/** The entry with what stands for some of its keys in their places; keys that aren't there count as standing last. */
function replaced(entry: Entry, replacements: Readonly<Record<string, Entry>>): Entry {
  const before = Object.entries(entry).map(([key, value]) => replacements[key] ?? { [key]: value });
  const missing = Object.entries(replacements).filter(([key]) => !Object.hasOwn(entry, key));
  return Object.assign({}, ...before, ...missing.map(([, replacement]) => replacement));
}

function valuesOf(words: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => (word === option ? (words[index + 1] ?? []) : []));
}

function splitAt(text: string, between: string): [string, string] {
  const at = text.indexOf(between);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** Whether an address has a part that may be a secret: a user, or a query. */
function hasSecret(url: string): boolean {
  return /[?@]/.test(url);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Whether a value is an object of texts. */
function isTable(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((item) => typeof item === 'string');
}
