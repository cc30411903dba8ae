import { join } from 'node:path';
import { BUDGET_FORM, type Budget, DEFAULT_BUDGET } from '../measure/budget.ts';
import { LIMIT_FORM, type Limit } from '../measure/limit.ts';
import { AGE_FORM, readAge } from './age.ts';
import { CACHE_FOLDER } from './cache-folder.ts';
import { dataFolder } from './data-folder.ts';
import { readSize, SIZE_FORM } from './size.ts';
import {
  readBoolean,
  readBudget,
  readGlobs,
  readName,
  readPath,
  readPaths,
  readSeconds,
  readServer,
  readToken,
  readTokens,
  readWebAddress,
  SECONDS_FORM,
  TOKENS_FORM,
} from './values.ts';
import { readLimit, readServers, SERVERS_FORM, type ServerRule, type Warn } from './wrap.ts';

export const DIGEST_FORMATS = ['markdown', 'xml', 'json'] as const;
export type DigestFormat = (typeof DIGEST_FORMATS)[number];

export interface DigestSettings {
  readonly budget: Budget;
  readonly format: DigestFormat;
  /** Globs; empty means everything. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly redact: boolean;
  /** How long a host may stay silent, in seconds. */
  readonly timeout: number;
  /** Whether only what is in the cache may be used of remote repositories. */
  readonly offline: boolean;
  /** Whether files that git changed often and lately gain. */
  readonly history: boolean;
  readonly graph: boolean;
}

export interface GitHubSettings {
  /** Where the API is, without a slash at the end. */
  readonly api: string;
  /** A secret. */
  readonly token: string | undefined;
  /** Whether the `gh` command may be asked for a token. */
  readonly gh: boolean;
}

export interface CacheSettings {
  /** Absolute. */
  readonly folder: string;
  /** In bytes. */
  readonly limit: number;
  readonly enabled: boolean;
}

export interface DataSettings {
  /** For what is kept that can't be fetched again. Absolute. */
  readonly folder: string;
}

export interface SpoolSettings {
  /** Absolute. */
  readonly folder: string;
  /** In milliseconds. */
  readonly maxAge: number;
  readonly maxBytes: number;
}

export interface WrapSettings {
  /** For all servers; if it isn't set, the client's cap decides. */
  readonly limit: Limit | undefined;
  /** Whether a result's text blocks become one; if it isn't set, the client decides. */
  readonly joinBlocks: boolean | undefined;
  /** By the servers' names. */
  readonly servers: ReadonlyMap<string, ServerRule>;
}

/** How facts are found in a transcript. */
export const EXTRACTIONS = ['model', 'rules'] as const;
export type ExtractBy = (typeof EXTRACTIONS)[number];

/** What a model's server understands. */
export const MODEL_APIS = ['ollama', 'openai'] as const;
export type ModelApi = (typeof MODEL_APIS)[number];

export interface TranscriptSettings {
  readonly extract: ExtractBy;
  /** As `openModel` takes it: `http://` and the port may be missing. It may hold a password. */
  readonly server: string;
  readonly api: ModelApi;
  readonly model: string;
  /** In tokens; if it isn't set, the server decides. */
  readonly window: number | undefined;
  /** How long the model's server may stay silent, in seconds. */
  readonly idle: number;
  /** Whether transcripts may leave this machine. */
  readonly allowRemote: boolean;
  /** Besides the current one and those of known clients. Absolute. */
  readonly folders: readonly string[];
}

/** All settings, by job. A configuration file has this shape. */
export interface Settings {
  readonly digest: DigestSettings;
  readonly github: GitHubSettings;
  readonly cache: CacheSettings;
  readonly data: DataSettings;
  readonly spool: SpoolSettings;
  readonly wrap: WrapSettings;
  readonly transcript: TranscriptSettings;
}

export type Job = keyof Settings;

/** What the table says of one setting. Its key in the table is its key in a configuration file. */
interface Setting<T> {
  /** Names in the environment and in `.env`, strongest first. */
  readonly env: readonly string[];
  /** What holds where nothing is set, or what isn't allowed: the same always, or by other settings. */
  readonly fallback: T | ((layers: Layers) => T);
  /** What then holds, in words, if nothing is decided here. */
  readonly otherwise?: string;
  /** What is allowed, in words. */
  readonly allowed: string;
  /** Whether a value may be a secret or hold one, and is never shown. */
  readonly isSecret?: true;
  /**
   * Whether files may not set it: they are found from the current folder upwards, which may be somebody else's
   * repository, and must decide neither where a token or a transcript is sent, nor what stands for another repository,
   * nor what is kept and deleted, nor what may be read.
   */
  readonly isOnlyFromEnvironment?: true;
  /**
   * Reads a string of the environment or a value of a configuration file; `undefined` if it isn't allowed.
   * Relative paths start at `folder`; `warn` takes what is wrong with a value that is used all the same.
   */
  readonly parse: (value: unknown, folder: string, warn: Warn) => T | undefined;
}

/** What holds if the settings leave something to the client. */
const BY_CLIENT = 'what is known of the client';

const YES_OR_NO = { allowed: 'true or false', parse: readBoolean } as const;

/** Every setting there is. */
export const SETTINGS: {
  readonly [Job in keyof Settings]: { readonly [Key in keyof Settings[Job]]: Setting<Settings[Job][Key]> };
} = {
  digest: {
    budget: {
      env: ['PLIMSOLL_DIGEST_BUDGET', 'GOPHER_DIGEST_BUDGET'],
      fallback: DEFAULT_BUDGET,
      allowed: BUDGET_FORM,
      parse: readBudget,
    },
    format: {
      env: ['PLIMSOLL_DIGEST_FORMAT'],
      fallback: 'markdown',
      allowed: DIGEST_FORMATS.join(', '),
      parse: (value) => DIGEST_FORMATS.find((format) => format === value),
    },
    include: { env: [], fallback: [], allowed: 'a list of globs', parse: readGlobs },
    exclude: { env: [], fallback: [], allowed: 'a list of globs', parse: readGlobs },
    redact: { env: ['PLIMSOLL_DIGEST_REDACT'], fallback: true, ...YES_OR_NO },
    timeout: { env: ['PLIMSOLL_TIMEOUT'], fallback: 30, allowed: SECONDS_FORM, parse: readSeconds },
    offline: { env: ['PLIMSOLL_OFFLINE'], fallback: false, ...YES_OR_NO },
    history: { env: ['PLIMSOLL_DIGEST_HISTORY'], fallback: false, ...YES_OR_NO },
    graph: { env: ['PLIMSOLL_DIGEST_GRAPH'], fallback: true, ...YES_OR_NO },
  },
  github: {
    api: {
      env: ['PLIMSOLL_GITHUB_API', 'GITHUB_API_URL'],
      fallback: 'https://api.github.com',
      allowed: 'an http or https address without credentials, query and fragment',
      isSecret: true,
      isOnlyFromEnvironment: true,
      parse: readWebAddress,
    },
    token: {
      env: ['PLIMSOLL_GITHUB_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'],
      fallback: undefined,
      allowed: 'printable ASCII without spaces',
      isSecret: true,
      parse: readToken,
    },
    gh: { env: ['PLIMSOLL_GITHUB_GH'], fallback: false, isOnlyFromEnvironment: true, ...YES_OR_NO },
  },
  cache: {
    folder: {
      env: ['PLIMSOLL_CACHE_DIR'],
      fallback: CACHE_FOLDER,
      allowed: 'a path',
      isOnlyFromEnvironment: true,
      parse: readPath,
    },
    limit: { env: ['PLIMSOLL_CACHE_SIZE'], fallback: 1000 ** 3, allowed: SIZE_FORM, parse: readSize },
    enabled: { env: ['PLIMSOLL_CACHE'], fallback: true, ...YES_OR_NO },
  },
  data: {
    folder: {
      env: ['PLIMSOLL_DATA_DIR', 'GOPHER_DATA_DIR'],
      fallback: dataFolder,
      allowed: 'a path',
      isOnlyFromEnvironment: true,
      parse: readPath,
    },
  },
  spool: {
    folder: {
      env: ['PLIMSOLL_SPOOL_DIR'],
      fallback: (layers) => join(resolveSettings(['data'], {}, layers).values.data.folder, 'spool'),
      allowed: 'a path',
      isOnlyFromEnvironment: true,
      parse: readPath,
    },
    maxAge: {
      env: ['PLIMSOLL_SPOOL_MAX_AGE'],
      fallback: 7 * 24 * 60 * 60 * 1000,
      allowed: AGE_FORM,
      isOnlyFromEnvironment: true,
      parse: readAge,
    },
    maxBytes: {
      env: ['PLIMSOLL_SPOOL_LIMIT'],
      fallback: 1024 ** 3,
      allowed: SIZE_FORM,
      isOnlyFromEnvironment: true,
      parse: readSize,
    },
  },
  wrap: {
    limit: {
      env: ['PLIMSOLL_MAX_RESULT_CHARS', 'GPTME_MCP_MAX_OUTPUT_CHARS'],
      fallback: undefined,
      otherwise: BY_CLIENT,
      allowed: LIMIT_FORM,
      parse: readLimit,
    },
    joinBlocks: {
      env: ['PLIMSOLL_JOIN_BLOCKS'],
      fallback: undefined,
      otherwise: BY_CLIENT,
      ...YES_OR_NO,
    },
    servers: { env: [], fallback: new Map(), allowed: SERVERS_FORM, parse: readServers },
  },
  transcript: {
    extract: {
      env: ['PLIMSOLL_TRANSCRIPT_EXTRACT'],
      fallback: 'model',
      allowed: EXTRACTIONS.join(', '),
      parse: (value) => EXTRACTIONS.find((by) => by === value),
    },
    server: {
      env: ['PLIMSOLL_MODEL_SERVER', 'GOPHER_OLLAMA_URL', 'OLLAMA_HOST'],
      fallback: 'http://127.0.0.1:11434',
      allowed: 'the address of a server, such as http://127.0.0.1:11434',
      isSecret: true,
      isOnlyFromEnvironment: true,
      parse: readServer,
    },
    api: {
      env: ['PLIMSOLL_MODEL_API'],
      fallback: 'ollama',
      allowed: MODEL_APIS.join(', '),
      isOnlyFromEnvironment: true,
      parse: (value) => MODEL_APIS.find((api) => api === value),
    },
    // Some models of a server run elsewhere.
    model: {
      env: ['PLIMSOLL_MODEL', 'GOPHER_OLLAMA_MODEL'],
      fallback: 'qwen3:4b-instruct-2507-q4_K_M',
      allowed: 'the name of a model, in one line',
      isOnlyFromEnvironment: true,
      parse: readName,
    },
    window: {
      env: ['PLIMSOLL_MODEL_WINDOW'],
      fallback: undefined,
      otherwise: 'what the server grants',
      allowed: TOKENS_FORM,
      parse: readTokens,
    },
    idle: { env: ['PLIMSOLL_MODEL_IDLE'], fallback: 600, allowed: SECONDS_FORM, parse: readSeconds },
    allowRemote: {
      env: ['PLIMSOLL_MODEL_ALLOW_REMOTE'],
      fallback: false,
      isOnlyFromEnvironment: true,
      ...YES_OR_NO,
    },
    folders: {
      env: ['PLIMSOLL_TRANSCRIPT_FOLDERS'],
      fallback: [],
      allowed: 'a list of paths, as in PATH',
      isOnlyFromEnvironment: true,
      parse: readPaths,
    },
  },
};

/** Where settings come from besides flags, as it was read; strongest first. */
export interface Layers {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths in `env` start; absolute, as are the files below. */
  readonly folder: string;
  /** A `.env` file. */
  readonly dotenv?: { readonly file: string; readonly values: Readonly<Record<string, string | undefined>> };
  /** A configuration file. */
  readonly config?: { readonly file: string; readonly value: unknown };
}

/** What the command line says. */
export type Flags<Asked extends Job = Job> = { readonly [Name in Asked]?: Partial<Settings[Name]> };

export interface Resolved<Asked extends Job> {
  readonly values: Pick<Settings, Asked>;
  /** One line each. */
  readonly warnings: readonly string[];
}

/**
 * The settings of some jobs: each from the strongest layer that names it with a value that is allowed, flags before all
 * others; else the default. Values that aren't allowed are told in one warning for each setting, as are keys of the
 * configuration file that name none. A variable that is empty or blank counts as unset.
 */
export function resolveSettings<Asked extends Job>(
  jobs: readonly Asked[],
  flags: Flags<Asked>,
  layers: Layers,
): Resolved<Asked> {
  const warnings: string[] = [];
  const config = layers.config && checkConfig(layers.config, warnings);
  const values: Partial<Record<Job, unknown>> = {};
  for (const job of jobs) {
    const section = config && sectionOf(config, job, warnings);
    values[job] = resolveJob(job, flags[job] ?? {}, section ?? {}, layers, warnings);
  }
  return { values: values as Pick<Settings, Asked>, warnings };
}

function resolveJob(
  job: Job,
  flags: Readonly<Record<string, unknown>>,
  section: Readonly<Record<string, unknown>>,
  layers: Layers,
  warnings: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS[job])) {
    if (Object.hasOwn(flags, key)) {
      values[key] = flags[key];
      continue;
    }
    const inFiles = fromFiles(setting, `${job}.${key}`, section[key], layers);
    const inEnvironment = fromVariables(setting, 'the environment', layers.env);
    if (inFiles[0] && setting.isOnlyFromEnvironment && inEnvironment.length === 0) {
      warnings.push(`${nameOf(inFiles[0])} is not used: set ${setting.env[0]} in the environment instead`);
    }
    const found = setting.isOnlyFromEnvironment ? inEnvironment : [...inEnvironment, ...inFiles];
    values[key] = firstAllowed(setting, found, layers, warnings) ?? fallbackOf(setting, layers);
  }
  return values;
}

/** The first value that is allowed of those that were found, strongest first. */
function firstAllowed(
  setting: Setting<unknown>,
  found: readonly Found[],
  { folder }: Layers,
  warnings: string[],
): unknown {
  const passed: Found[] = [];
  for (const one of found) {
    const warn: Warn = (problem, at) => warnings.push(`${nameOf(one, at)} ${problem}`);
    const value = setting.parse(one.value, folder, warn);
    if (value !== undefined) {
      if (passed.length > 0) warnings.push(warningOf(setting, passed, one));
      return value;
    }
    passed.push(one);
  }
  if (passed.length > 0) warnings.push(warningOf(setting, passed, undefined));
  return undefined;
}

/** That some values aren't allowed, and what holds instead. */
function warningOf(setting: Setting<unknown>, passed: readonly Found[], used: Found | undefined): string {
  const { isSecret, allowed, otherwise = 'the default' } = setting;
  const what = passed.map((one) => (isSecret ? nameOf(one) : `${nameOf(one)} is ${shown(one.value)}`));
  const value = used && !isSecret ? `: ${shown(used.value)}` : '';
  const instead = used ? nameOf(used) + value : otherwise;
  return `${what.join(' and ')}${isSecret ? '' : ', which'} isn't ${allowed}; using ${instead}`;
}

function fallbackOf({ fallback }: Setting<unknown>, layers: Layers): unknown {
  return typeof fallback === 'function' ? fallback(layers) : fallback;
}

/** A setting, and its source as a person knows it. */
interface Found {
  /** Of a variable. */
  readonly variable?: string;
  /** In a configuration file. */
  readonly path?: string;
  readonly source: string;
  readonly value: unknown;
}

/** What a setting is called in messages, or what stands at a path in it. */
function nameOf({ variable, path, source }: Found, at?: string): string {
  return `${variable ?? `'${path}${at === undefined ? '' : `.${at}`}'`} in ${source}`;
}

function fromFiles(
  setting: Setting<unknown>,
  path: string,
  value: unknown,
  { dotenv, config }: Layers,
): readonly Found[] {
  return [
    ...(dotenv ? fromVariables(setting, dotenv.file, dotenv.values) : []),
    ...(value === undefined || !config ? [] : [{ path, source: config.file, value }]),
  ];
}

function fromVariables(setting: Setting<unknown>, source: string, values: Layers['env']): readonly Found[] {
  return setting.env.flatMap((variable) => {
    const value = values[variable];
    return value?.trim() ? [{ variable, source, value }] : [];
  });
}

interface Config {
  readonly file: string;
  readonly value: Record<string, unknown>;
}

function checkConfig(
  { file, value }: { file: string; value: unknown },
  warnings: string[],
): Config | undefined {
  if (!isObject(value)) {
    warnings.push(`${file} must hold a JSON object; it is not used`);
    return undefined;
  }
  warnUnknown(file, value, ['$schema', ...Object.keys(SETTINGS)], '', warnings);
  return { file, value };
}

/** The job's part of the configuration file. */
function sectionOf(
  { file, value }: Config,
  job: Job,
  warnings: string[],
): Record<string, unknown> | undefined {
  const section = Object.hasOwn(value, job) ? value[job] : undefined;
  if (section === undefined) return undefined;
  if (!isObject(section)) {
    warnings.push(`'${job}' in ${file} must be an object; it is not used`);
    return undefined;
  }
  warnUnknown(file, section, Object.keys(SETTINGS[job]), `${job}.`, warnings);
  return section;
}

function warnUnknown(file: string, found: object, known: string[], prefix: string, warnings: string[]): void {
  const unknown = Object.keys(found).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const names = unknown.map((key) => `'${prefix}${key}'`).join(', ');
  warnings.push(`${file} has keys that name no setting: ${names}; known are ${known.join(', ')}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
