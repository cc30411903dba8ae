import { BUDGET_FORM, type Budget, DEFAULT_BUDGET, parseBudget } from '../measure/budget.ts';

export const DIGEST_FORMATS = ['markdown', 'xml', 'json'] as const;
export type DigestFormat = (typeof DIGEST_FORMATS)[number];

export interface DigestSettings {
  readonly budget: Budget;
  readonly format: DigestFormat;
  /** Globs; empty means everything. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly redact: boolean;
}

/** All settings, by job. A configuration file has this shape. */
export interface Settings {
  readonly digest: DigestSettings;
}

/** What the table says of one setting. Its key in the table is its key in a configuration file. */
interface Setting<T> {
  /** Names in the environment and in `.env`, strongest first. */
  readonly env: readonly string[];
  readonly fallback: T;
  /** What is allowed, in words. */
  readonly allowed: string;
  /** Reads a string of the environment or a value of a configuration file; `undefined` if it isn't allowed. */
  readonly parse: (value: unknown) => T | undefined;
}

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
    redact: {
      env: ['PLIMSOLL_DIGEST_REDACT'],
      fallback: true,
      allowed: 'true or false',
      parse: readBoolean,
    },
  },
};

/** Where settings come from besides flags, as it was read; strongest first. */
export interface Layers {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A `.env` file. */
  readonly dotenv?: { readonly file: string; readonly values: Readonly<Record<string, string | undefined>> };
  /** A configuration file. */
  readonly config?: { readonly file: string; readonly value: unknown };
}

export interface Resolved<Job extends keyof Settings> {
  readonly values: Settings[Job];
  /** One line each. */
  readonly warnings: readonly string[];
}

/**
 * The settings of one job: each from the strongest layer that names it, flags before all others. A value
 * that isn't allowed falls back to the default with one warning, as do keys of the configuration file that
 * name no setting. An empty variable counts as unset.
 */
export function resolveSettings<Job extends keyof Settings>(
  job: Job,
  flags: Partial<Settings[Job]>,
  layers: Layers,
): Resolved<Job> {
  const warnings: string[] = [];
  const section = configSection(job, layers, warnings);
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS[job])) {
    if (Object.hasOwn(flags, key)) {
      values[key] = flags[key as keyof Settings[Job]];
      continue;
    }
    const found = fromVariables(setting, layers) ?? fromConfig(`${job}.${key}`, section?.[key], layers);
    const value = found && setting.parse(found.value);
    if (found && value === undefined) {
      warnings.push(
        `${found.name} is ${shown(found.value)}, which isn't ${setting.allowed}; using the default`,
      );
    }
    values[key] = value ?? setting.fallback;
  }
  return { values: values as unknown as Settings[Job], warnings };
}

interface Found {
  /** The setting and its source, as a person knows them. */
  readonly name: string;
  readonly value: unknown;
}

function fromVariables(setting: Setting<unknown>, { env, dotenv }: Layers): Found | undefined {
  for (const [source, values] of [
    ['the environment', env],
    [dotenv?.file, dotenv?.values],
  ] as const) {
    for (const name of setting.env) {
      const value = values?.[name];
      if (value) return { name: `${name} in ${source}`, value };
    }
  }
  return undefined;
}

function fromConfig(path: string, value: unknown, { config }: Layers): Found | undefined {
  return value === undefined ? undefined : { name: `'${path}' in ${config?.file}`, value };
}

/** The job's part of the configuration file. */
function configSection(
  job: keyof Settings,
  { config }: Layers,
  warnings: string[],
): Record<string, unknown> | undefined {
  if (!config) return undefined;
  const { file, value: root } = config;
  if (!isObject(root)) {
    warnings.push(`${file} must hold a JSON object; it is not used`);
    return undefined;
  }
  warnUnknown(file, root, ['$schema', ...Object.keys(SETTINGS)], '', warnings);
  const section = Object.hasOwn(root, job) ? root[job] : undefined;
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

function readBudget(value: unknown): Budget | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return parseBudget(String(value));
  } catch {
    return undefined;
  }
}

function readGlobs(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((glob): glob is string => typeof glob === 'string' && glob !== '') ? value : undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
