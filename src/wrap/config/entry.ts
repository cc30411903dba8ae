import { isPlimsoll, wordsOf } from './words.ts';

/** A server in a client's configuration, as it stands there. */
export type Entry = Readonly<Record<string, unknown>>;

/** How this program is run. */
export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
  /** What every wrapped server is given besides: options of `plimsoll wrap`. */
  readonly flags?: readonly string[];
}

/** What keys were called before, by what they are called now, where that differs here or within. */
export type Names = ReadonlyMap<string, { readonly was: string; readonly within?: Names }>;

/** What an entry becomes, or why it stays as it is. */
export type Changed = { readonly entry: Entry; readonly names: Names } | { readonly left: string };

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

/** The variable with the address, which may hold a secret: arguments are seen by everybody on a machine. */
const ADDRESS_VARIABLE = 'PLIMSOLL_URL';

/** The variables with the values of headers start so. */
const HEADER_VARIABLE = 'PLIMSOLL_HEADER_';

/** The variable that says what wrapping took out and put in, as far as that can't be seen: `NAME` or `NAME=VALUE`, by commas. */
const MARK = 'PLIMSOLL_WRAPPED';

/**
 * The entry with its server wrapped: the same command, run by `plimsoll wrap`; or the same address, asked by it, with
 * the address and the values of headers in the environment. All other keys stay.
 */
export function wrapEntry(name: string, entry: Entry, launcher: Launcher): Changed {
  if (wrappingOf(entry, launcher)) return { left: 'it is wrapped already' };
  const { command, args } = entry;
  const start = [...launcher.args, 'wrap', '--name', name, ...(launcher.flags ?? [])];
  if (typeof command === 'string' && (args === undefined || isTexts(args))) {
    return wrapCommand(entry, launcher.command, [...start, '--', command, ...(args ?? [])]);
  }
  const address = ADDRESSES.find((key) => typeof entry[key] === 'string');
  if (command !== undefined || address === undefined) {
    return { left: 'it has neither a command with a list of arguments nor an address' };
  }
  return wrapAddress(entry, address, start, launcher.command);
}

/** That an entry had no arguments is the one thing that can't be seen afterwards. */
function wrapCommand(entry: Entry, command: string, args: readonly string[]): Changed {
  const { env } = entry;
  if (entry.args !== undefined) return { entry: { ...entry, command, args }, names: new Map() };
  const added = replaced(entry, { command: { command, args } });
  if (!isTable(env ?? {})) return { entry: added, names: new Map() };
  const mark = env === undefined ? 'args=none' : 'args=none,env';
  return { entry: { ...added, env: { ...(env as object | undefined), [MARK]: mark } }, names: new Map() };
}

function wrapAddress(entry: Entry, address: string, start: readonly string[], command: string): Changed {
  const signIn = SIGN_INS.find((key) => Object.hasOwn(entry, key));
  if (signIn) return { left: `only the client itself can do what "${signIn}" says` };
  const { type, env } = entry;
  if (!REMOTE_TYPES.includes(type as string | undefined)) {
    return { left: `servers of type ${JSON.stringify(type)} can't be wrapped` };
  }
  const url = entry[address] as string;
  if (/^(?!https?:)[a-z][a-z\d+.-]*:/i.test(url)) return { left: 'its address is no http or https address' };
  const key = HEADERS.find((key) => Object.hasOwn(entry, key));
  const headers = (key === undefined ? undefined : entry[key]) ?? {};
  if (!isTable(headers) || !isTable(env ?? {}))
    return { left: 'its headers or its environment are no texts' };

  const variables = new Map(
    Object.keys(headers).map((name, index) => [`${HEADER_VARIABLE}${index + 1}`, name]),
  );
  const sent = [...variables].flatMap(([variable, name]) => ['--header-env', `${name}=${variable}`]);
  const mark = [
    `address=${address}`,
    ...(key === undefined ? [] : [`headers=${key}`]),
    ...(type === undefined ? [] : [`type=${type}`]),
    ...(env === undefined ? [] : ['env']),
  ];
  const whole = {
    ...(env as object | undefined),
    ...Object.fromEntries([...variables].map(([variable, name]) => [variable, headers[name]])),
    [ADDRESS_VARIABLE]: url,
    [MARK]: mark.join(),
  };
  const wrapped = { command, args: [...start, '--url-env', ADDRESS_VARIABLE, ...sent] };
  const isInPlace = key !== undefined && env === undefined;
  const isNew = key === undefined && env === undefined;
  const replacements = {
    [address]: { ...wrapped, ...(isNew && { env: whole }) },
    ...(key !== undefined && { [key]: isInPlace ? { env: whole } : {} }),
    env: { env: whole },
    type: { type: 'stdio' },
  };
  const within = new Map([...variables].map(([variable, was]) => [variable, { was }]));
  const names: Names = new Map([
    ['command', { was: address }],
    ...(isInPlace ? [['env', { was: key, within }] as const] : []),
  ]);
  return { entry: replaced(entry, replacements), names };
}

/** The entry without its wrapping, whoever wrapped it; what else was changed since stays. */
export function unwrapEntry(entry: Entry, launcher: Launcher): Changed {
  const wrapping = wrappingOf(entry, launcher);
  if (!wrapping) return { left: 'it is not wrapped' };
  const env = isTable(entry.env) ? entry.env : {};
  const mark = new Map((env[MARK] ?? '').split(',').map((word) => splitAt(word, '=')));
  const { options, operands } = wordsOf(wrapping);
  const [command, ...args] = operands;
  if (command === undefined) return unwrapAddress(entry, { env, mark, options });
  const hadNone = mark.has('args') && args.length === 0;
  const others = without(env, [MARK]);
  const hasNoneLeft = MARK in env && !mark.has('env') && Object.keys(others).length === 0;
  const replacements = {
    command: { command },
    args: hadNone ? {} : { args },
    ...(MARK in env && { env: hasNoneLeft ? {} : { env: others } }),
  };
  return { entry: replaced(entry, replacements), names: new Map() };
}

interface Wrapped {
  readonly env: Readonly<Record<string, string>>;
  readonly mark: ReadonlyMap<string, string>;
  readonly options: ReadonlyMap<string, readonly string[]>;
}

function unwrapAddress(entry: Entry, { env, mark, options }: Wrapped): Changed {
  const [variable] = options.get('--url-env') ?? [];
  const url = options.get('--url')?.[0] ?? (variable === undefined ? undefined : env[variable]);
  if (url === undefined) return { left: 'its wrapping names no server' };
  const named = (options.get('--header-env') ?? []).map((pair) => splitAt(pair, '='));
  const [, elsewhere] = named.find(([, variable]) => env[variable] === undefined) ?? [];
  if (elsewhere !== undefined) return { left: `what its header from ${elsewhere} holds is not in it` };

  const headers = Object.fromEntries([
    ...(options.get('--header') ?? []).map((header) => splitAt(header, ':')),
    ...named.map(([name, variable]) => [name, env[variable]]),
  ]);
  const others = without(env, [MARK, variable, ...named.map(([, variable]) => variable)]);
  const hasEnv = mark.has('env') || Object.keys(others).length > 0;
  const key = mark.get('headers') ?? 'headers';
  const hasHeaders = mark.has('headers') || Object.keys(headers).length > 0;
  const address = mark.get('address') ?? 'url';
  const isInPlace = hasHeaders && !mark.has('env');
  const replacements = {
    command: { [address]: url, ...(hasHeaders && !isInPlace && { [key]: headers }) },
    args: {},
    env: { ...(isInPlace && { [key]: headers }), ...(hasEnv && { env: others }) },
    type: { type: mark.get('type') ?? 'http' },
  };
  const within = new Map(named.map(([name, was]) => [name, { was }]));
  const names: Names = new Map([
    [address, { was: 'command' }],
    ...(isInPlace ? [[key, { was: 'env', within }] as const] : []),
  ]);
  return { entry: replaced(entry, replacements), names };
}

/** What the entry tells to `plimsoll wrap`; undefined if it runs something else. */
function wrappingOf({ command, args, env }: Entry, launcher: Launcher): readonly string[] | undefined {
  if (typeof command !== 'string' || !isTexts(args)) return undefined;
  const isMarked = isTable(env) && Object.hasOwn(env, MARK);
  const own = launcher.args.at(-1);
  const words = [command, ...args];
  const at = words.findIndex((word, index) => {
    const program = words[index - 1];
    if (word !== 'wrap' || program === undefined) return false;
    return isMarked || program === own || isPlimsoll(program);
  });
  return at < 0 ? undefined : words.slice(at + 1);
}

/** The entry with what stands for some of its keys in their places. */
function replaced(entry: Entry, replacements: Readonly<Record<string, Entry>>): Entry {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([key, value]) => {
      const replacement = Object.hasOwn(replacements, key) ? replacements[key] : undefined;
      return replacement ? Object.entries(replacement) : [[key, value]];
    }),
  );
}

function without(table: Readonly<Record<string, string>>, names: readonly (string | undefined)[]) {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}

function splitAt(text: string, between: string): [string, string] {
  const at = text.indexOf(between);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Whether a value is an object of texts. */
function isTable(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((item) => typeof item === 'string');
}
