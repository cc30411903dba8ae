import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_BUDGET } from '../measure/budget.ts';
import { addressOf } from '../transcript/model/address.ts';
import { CACHE_FOLDER } from './cache-folder.ts';
import { dataFolder } from './data-folder.ts';
import { DIGEST_FORMATS, type DigestSettings, type Layers, resolveSettings } from './settings.ts';

const chars = (limit: number) => ({ unit: 'chars', limit }) as const;

/** The digest's settings alone. */
function resolveDigest(flags: Partial<DigestSettings>, layers: Omit<Layers, 'folder'>) {
  const { values, warnings } = resolveSettings(['digest'], { digest: flags }, { folder: '/w', ...layers });
  return { values: values.digest, warnings };
}

const layers = {
  env: { PLIMSOLL_DIGEST_BUDGET: '2', GOPHER_DIGEST_BUDGET: '3' },
  dotenv: { file: '/w/.env', values: { PLIMSOLL_DIGEST_BUDGET: '4', GOPHER_DIGEST_BUDGET: '5' } },
  config: { file: '/w/plimsoll.config.json', value: { digest: { budget: 6 } } },
};

test('without any layer there are the defaults', () => {
  expect(resolveDigest({}, { env: {} })).toEqual({
    values: {
      budget: DEFAULT_BUDGET,
      format: 'markdown',
      include: [],
      exclude: [],
      redact: true,
      timeout: 30,
      offline: false,
      history: false,
      graph: true,
    },
    warnings: [],
  });
});

test('the strongest layer that names a setting decides', () => {
  const { env, dotenv, config } = layers;
  const { PLIMSOLL_DIGEST_BUDGET: _, ...alias } = env;
  const { PLIMSOLL_DIGEST_BUDGET: __, ...aliasInFile } = dotenv.values;
  const budgets = [
    resolveDigest({ budget: chars(1) }, layers),
    resolveDigest({}, layers),
    resolveDigest({}, { env: alias, dotenv, config }),
    resolveDigest({}, { env: {}, dotenv, config }),
    resolveDigest({}, { env: {}, dotenv: { ...dotenv, values: aliasInFile }, config }),
    resolveDigest({}, { env: {}, config }),
  ];
  expect(budgets.map(({ values }) => values.budget)).toEqual([1, 2, 3, 4, 5, 6].map(chars));
  expect(budgets.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test('a configuration file sets every setting', () => {
  const digest = {
    budget: '10tok',
    format: 'xml',
    include: ['src/**'],
    exclude: ['*.md'],
    redact: false,
    timeout: 0.5,
    offline: true,
    history: true,
    graph: false,
  };
  expect(resolveDigest({}, { env: {}, config: { file: 'f', value: { $schema: 's', digest } } })).toEqual({
    values: { ...digest, budget: { unit: 'tokens', limit: 10 } },
    warnings: [],
  });
});

test('the environment sets what is no list', () => {
  const env = {
    PLIMSOLL_DIGEST_FORMAT: 'json',
    PLIMSOLL_DIGEST_REDACT: 'false',
    PLIMSOLL_TIMEOUT: '2.5',
    PLIMSOLL_OFFLINE: 'true',
    PLIMSOLL_DIGEST_HISTORY: 'true',
    PLIMSOLL_DIGEST_GRAPH: 'false',
  };
  expect(resolveDigest({}, { env })).toMatchObject({
    values: { format: 'json', redact: false, timeout: 2.5, offline: true, history: true, graph: false },
    warnings: [],
  });
});

test('an empty variable counts as unset', () => {
  const { config } = layers;
  expect(resolveDigest({}, { env: { PLIMSOLL_DIGEST_BUDGET: '' }, config })).toMatchObject({
    values: { budget: chars(6) },
    warnings: [],
  });
});

test('an invalid value gives way to the strongest that is valid, with one warning', () => {
  const env = { PLIMSOLL_DIGEST_BUDGET: 'abc', GOPHER_DIGEST_BUDGET: 'xyz' };
  const { values, warnings } = resolveDigest({}, { ...layers, env });
  expect(values.budget).toEqual(chars(4));
  expect(warnings).toEqual([
    'PLIMSOLL_DIGEST_BUDGET in the environment is "abc" and GOPHER_DIGEST_BUDGET in the environment is "xyz", ' +
      "which isn't a whole number of characters from 1 to 500000000, like 40000, or of tokens, like 10000tok; " +
      'using PLIMSOLL_DIGEST_BUDGET in /w/.env: "4"',
  ]);
});

test('a secret that is used instead is not shown', () => {
  const env = { PLIMSOLL_GITHUB_TOKEN: 'a b', GITHUB_TOKEN: 's3cr3t' };
  const { values, warnings } = resolveSettings(['github'], {}, { folder: '/w', env });
  expect(values.github.token).toBe('s3cr3t');
  expect(warnings).toEqual([
    "PLIMSOLL_GITHUB_TOKEN in the environment isn't printable ASCII without spaces; using GITHUB_TOKEN in the environment",
  ]);
});

test('an invalid value falls back to the default with one warning', () => {
  const env = { PLIMSOLL_DIGEST_BUDGET: 'abc', PLIMSOLL_DIGEST_REDACT: 'maybe' };
  const { values, warnings } = resolveDigest({}, { env });
  expect(values).toMatchObject({ budget: DEFAULT_BUDGET, redact: true });
  expect(warnings).toEqual([
    'PLIMSOLL_DIGEST_BUDGET in the environment is "abc", which isn\'t a whole number of characters from 1 to ' +
      '500000000, like 40000, or of tokens, like 10000tok; using the default',
    'PLIMSOLL_DIGEST_REDACT in the environment is "maybe", which isn\'t true or false; using the default',
  ]);
});

test('an invalid value that a flag overrides is of no interest', () => {
  const env = { PLIMSOLL_DIGEST_BUDGET: 'abc' };
  expect(resolveDigest({ budget: chars(1) }, { env }).warnings).toEqual([]);
});

test.each([
  [{ digest: { budget: 0 } }, `'digest.budget' in f is 0, which isn't`],
  [{ digest: { budget: [1] } }, `'digest.budget' in f is a list, which isn't`],
  [{ digest: { format: 'html' } }, `'digest.format' in f is "html", which isn't markdown, xml, json; using`],
  [{ digest: { include: 'src' } }, `'digest.include' in f is "src", which isn't a list of globs; using`],
  [{ digest: { exclude: [''] } }, `'digest.exclude' in f is a list, which isn't a list of globs`],
  [
    { digest: { redact: null } },
    `'digest.redact' in f is null, which isn't true or false; using the default`,
  ],
  [
    { digest: { budgte: 1, x: 2 } },
    `f has keys that name no setting: 'digest.budgte', 'digest.x'; known are budget`,
  ],
  [{ digest: { timeout: 0 } }, `'digest.timeout' in f is 0, which isn't a number of seconds above 0`],
  [{ digest: { timeout: 3601 } }, `'digest.timeout' in f is 3601, which isn't`],
  [{ digest: { timeout: '1e3' } }, `'digest.timeout' in f is "1e3", which isn't`],
  [{ digest: { offline: 1 } }, `'digest.offline' in f is 1, which isn't true or false`],
  [{ digset: {} }, `f has keys that name no setting: 'digset'; known are $schema, digest, github, cache`],
  [{ digest: [] }, `'digest' in f must be an object; it is not used`],
  [[], `f must hold a JSON object; it is not used`],
  [null, `f must hold a JSON object; it is not used`],
])('the configuration %j gives one warning', (value, warning) => {
  const resolved = resolveDigest({}, { env: {}, config: { file: 'f', value } });
  expect(resolved.values).toEqual(resolveDigest({}, { env: {} }).values);
  expect(resolved.warnings).toEqual([expect.stringContaining(warning)]);
});

test('whatever a configuration file holds, the settings are valid', () => {
  const key = fc.constantFrom(
    'budget',
    'format',
    'include',
    'exclude',
    'redact',
    'timeout',
    'offline',
    '__proto__',
    'toString',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ digest: fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())) }),
  );
  fc.assert(
    fc.property(value, (value) => {
      const { values } = resolveDigest({}, { env: {}, config: { file: 'f', value } });
      expect(Object.keys(values)).toEqual(Object.keys(resolveDigest({}, { env: {} }).values));
      expect(values.budget.limit).toBeGreaterThan(0);
      expect(DIGEST_FORMATS).toContain(values.format);
      expect([...values.include, ...values.exclude].every((glob) => typeof glob === 'string')).toBe(true);
      expect(typeof values.redact).toBe('boolean');
      expect(values.timeout).toBeGreaterThan(0);
    }),
  );
});

describe('the settings of several jobs', () => {
  const resolve = (env: Layers['env'], value?: unknown) =>
    resolveSettings(
      ['digest', 'github', 'cache'],
      { digest: { format: 'xml' }, cache: { enabled: false } },
      { env, folder: '/w', ...(value !== undefined && { config: { file: '/c/f', value } }) },
    );

  test('come together, with the flags of each', () => {
    expect(resolve({})).toMatchObject({
      values: {
        digest: { format: 'xml' },
        github: { api: 'https://api.github.com', token: undefined, gh: false },
        cache: { folder: CACHE_FOLDER, limit: 1_000_000_000, enabled: false },
      },
      warnings: [],
    });
  });

  test('give each warning once', () => {
    expect(resolve({ PLIMSOLL_TIMEOUT: 'x' }, { digset: 1, cache: { size: 1 } }).warnings).toEqual([
      expect.stringContaining("'digset'"),
      expect.stringContaining('PLIMSOLL_TIMEOUT'),
      expect.stringContaining("'cache.size'"),
    ]);
  });

  test('of other jobs are of no interest', () => {
    const layers = { env: { PLIMSOLL_TIMEOUT: 'x' }, folder: '/w' };
    expect(Object.keys(resolveSettings(['cache'], {}, layers).values)).toEqual(['cache']);
    expect(resolveSettings(['cache'], {}, layers).warnings).toEqual([]);
  });
});

describe('the settings of GitHub', () => {
  const resolve = (env: Layers['env'], github = {}) => {
    const config = { file: 'f', value: { github } };
    const { values, warnings } = resolveSettings(['github'], {}, { env, folder: '/w', config });
    return { ...values.github, warnings };
  };

  test.each([
    ['https://ghe.example/api/v3/', 'https://ghe.example/api/v3'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['HTTPS://API.GitHub.com//', 'https://api.github.com'],
  ])('the API may be at %s', (api, normal) => {
    expect(resolve({ PLIMSOLL_GITHUB_API: api, GITHUB_API_URL: 'http://other' }).api).toBe(normal);
    expect(resolve({ GITHUB_API_URL: api }).api).toBe(normal);
  });

  test.each([
    'ftp://ghe.example',
    'ghe.example/api/v3',
    'https://user:hunter2@ghe.example',
    'https://hunter2@ghe.example',
    'https://ghe.example/?token=hunter2',
    'https://ghe.example/#hunter2',
  ])('the API may not be at %j, which is not shown', (api) => {
    const { api: used, warnings } = resolve({ PLIMSOLL_GITHUB_API: api });
    expect(used).toBe('https://api.github.com');
    expect(warnings).toEqual([
      "PLIMSOLL_GITHUB_API in the environment isn't an http or https address without credentials, query and fragment; using the default",
    ]);
  });

  test('no file decides where a token is sent, or whether one is asked for', () => {
    const { api, gh, warnings } = resolve({}, { api: 'https://evil.example/api/v3', gh: true });
    expect({ api, gh }).toEqual({ api: 'https://api.github.com', gh: false });
    expect(warnings).toEqual([
      "'github.api' in f is not used: set PLIMSOLL_GITHUB_API in the environment instead",
      "'github.gh' in f is not used: set PLIMSOLL_GITHUB_GH in the environment instead",
    ]);
    const dotenv = { file: '/d/.env', values: { GITHUB_API_URL: 'https://evil.example' } };
    const resolved = resolveSettings(['github'], {}, { env: {}, folder: '/w', dotenv });
    expect(resolved.values.github.api).toBe('https://api.github.com');
    expect(resolved.warnings).toHaveLength(1);
  });

  test('the token comes from the first variable that names one', () => {
    const env = { PLIMSOLL_GITHUB_TOKEN: 'a', GITHUB_TOKEN: 'b', GH_TOKEN: 'c' };
    expect(resolve(env).token).toBe('a');
    expect(resolve({ ...env, PLIMSOLL_GITHUB_TOKEN: '' }).token).toBe('b');
    expect(resolve({ GH_TOKEN: 'c' })).toMatchObject({ token: 'c', warnings: [] });
  });

  test.each(['hunter2\n', ' \thunter2 ', 'hunter2\r\n'])(
    'spaces around the token %j are dropped',
    (token) => {
      expect(resolve({ GITHUB_TOKEN: token })).toMatchObject({ token: 'hunter2', warnings: [] });
    },
  );

  test.each([' ', 'hunter 2', 'hunter2\nX-Header: 1', 'hünter2', 2, ['hunter2'], { hunter2: 1 }])(
    'the token %j is not used and not shown',
    (token) => {
      const { token: used, warnings } = resolve({}, { token });
      expect(used).toBeUndefined();
      expect(warnings).toEqual([
        "'github.token' in f isn't printable ASCII without spaces; using the default",
      ]);
    },
  );

  test('the gh command is asked only where that is said', () => {
    expect(resolve({}).gh).toBe(false);
    expect(resolve({ PLIMSOLL_GITHUB_GH: 'true' }).gh).toBe(true);
  });
});

describe('the settings of the cache', () => {
  const resolve = (env: Layers['env'], cache = {}) => {
    const config = { file: '/c/f', value: { cache } };
    const { values, warnings } = resolveSettings(['cache'], {}, { env, folder: '/w', config });
    return { ...values.cache, warnings };
  };

  test.each([
    ['/tmp/x/../y', '/tmp/y'],
    ['x', '/w/x'],
    ['~', homedir()],
    ['~/x y', join(homedir(), 'x y')],
    ['~other/x', '/w/~other/x'],
  ])('its folder may be %s', (folder, absolute) => {
    expect(resolve({ PLIMSOLL_CACHE_DIR: folder })).toMatchObject({ folder: absolute, warnings: [] });
  });

  test('its folder may not be named by a file, or with a NUL', () => {
    expect(resolve({ PLIMSOLL_CACHE_DIR: 'a\0b' })).toMatchObject({
      folder: CACHE_FOLDER,
      warnings: [expect.stringContaining("isn't a path; using the default")],
    });
    expect(resolve({}, { folder: 'x' })).toMatchObject({
      folder: CACHE_FOLDER,
      warnings: ["'cache.folder' in /c/f is not used: set PLIMSOLL_CACHE_DIR in the environment instead"],
    });
  });

  test('its limit and its use can be set', () => {
    expect(resolve({ PLIMSOLL_CACHE_SIZE: '2GiB', PLIMSOLL_CACHE: 'false' })).toMatchObject({
      limit: 2 * 1024 ** 3,
      enabled: false,
      warnings: [],
    });
    expect(resolve({}, { limit: 5000 }).limit).toBe(5000);
    expect(resolve({}, { limit: '5 parsecs' }).warnings).toEqual([
      `'cache.limit' in /c/f is "5 parsecs", which isn't a size like 500MB, 2GB, 512MiB or 1000000 (bytes); using the default`,
    ]);
  });
});

describe('the settings of the spool', () => {
  const resolve = (env: Layers['env'], spool = {}) => {
    const config = { file: '/c/f', value: { spool } };
    const { values, warnings } = resolveSettings(['data', 'spool'], {}, { env, folder: '/w', config });
    return { data: values.data.folder, ...values.spool, warnings };
  };

  test('have defaults', () => {
    expect(resolve({})).toEqual({
      data: dataFolder(),
      folder: join(dataFolder(), 'spool'),
      maxAge: 7 * 24 * 3_600_000,
      maxBytes: 1024 ** 3,
      warnings: [],
    });
  });

  test('come from the environment', () => {
    const env = { PLIMSOLL_SPOOL_DIR: 'x', PLIMSOLL_SPOOL_MAX_AGE: '12h', PLIMSOLL_SPOOL_LIMIT: '2GB' };
    expect(resolve(env)).toMatchObject({
      folder: '/w/x',
      maxAge: 12 * 3_600_000,
      maxBytes: 2e9,
      warnings: [],
    });
  });

  test('put it below the folder for data, unless it has its own', () => {
    expect(resolve({ GOPHER_DATA_DIR: '/d' })).toMatchObject({ data: '/d', folder: '/d/spool' });
    expect(resolve({ GOPHER_DATA_DIR: '/d', PLIMSOLL_DATA_DIR: '/e' }).folder).toBe('/e/spool');
    expect(resolve({ PLIMSOLL_DATA_DIR: '/e', PLIMSOLL_SPOOL_DIR: '/f' }).folder).toBe('/f');
    expect(resolve({ PLIMSOLL_DATA_DIR: ' ', GOPHER_DATA_DIR: '/d' }).folder).toBe('/d/spool');
  });

  test('are no matter of files', () => {
    const { warnings, ...values } = resolve({}, { folder: 'x', maxAge: 1, maxBytes: 1 });
    expect({ ...values, warnings: [] }).toEqual(resolve({}));
    expect(warnings).toEqual([
      "'spool.folder' in /c/f is not used: set PLIMSOLL_SPOOL_DIR in the environment instead",
      "'spool.maxAge' in /c/f is not used: set PLIMSOLL_SPOOL_MAX_AGE in the environment instead",
      "'spool.maxBytes' in /c/f is not used: set PLIMSOLL_SPOOL_LIMIT in the environment instead",
    ]);
  });

  test('that are not allowed fall back with one warning each', () => {
    const { warnings, ...values } = resolve({ PLIMSOLL_SPOOL_MAX_AGE: 'never', PLIMSOLL_SPOOL_LIMIT: '-1' });
    expect({ ...values, warnings: [] }).toEqual(resolve({}));
    expect(warnings).toEqual([
      'PLIMSOLL_SPOOL_MAX_AGE in the environment is "never", which isn\'t a number of days above 0 and up to 3653, like 7, or a time like 12h or 30m; using the default',
      'PLIMSOLL_SPOOL_LIMIT in the environment is "-1", which isn\'t a size like 500MB, 2GB, 512MiB or 1000000 (bytes); using the default',
    ]);
  });
});

describe('the settings of transcripts', () => {
  const resolve = (env: Layers['env'], transcript = {}) => {
    const config = { file: '/c/f', value: { transcript } };
    const { values, warnings } = resolveSettings(['transcript'], {}, { env, folder: '/w', config });
    return { ...values.transcript, warnings };
  };

  test('have defaults', () => {
    expect(resolve({})).toEqual({
      extract: 'model',
      server: 'http://127.0.0.1:11434',
      api: 'ollama',
      model: 'qwen3:4b-instruct-2507-q4_K_M',
      window: undefined,
      idle: 600,
      allowRemote: false,
      folders: [],
      warnings: [],
    });
  });

  test('come from the environment', () => {
    const env = {
      PLIMSOLL_TRANSCRIPT_EXTRACT: 'rules',
      PLIMSOLL_MODEL_SERVER: 'https://models.example.com/v1',
      PLIMSOLL_MODEL_API: 'openai',
      PLIMSOLL_MODEL: ' tide 7b ',
      PLIMSOLL_MODEL_WINDOW: '32768',
      PLIMSOLL_MODEL_IDLE: '90',
      PLIMSOLL_MODEL_ALLOW_REMOTE: 'true',
      PLIMSOLL_TRANSCRIPT_FOLDERS: ['/a', '', 'b', '~/c'].join(delimiter),
    };
    expect(resolve(env)).toEqual({
      extract: 'rules',
      server: 'https://models.example.com/v1',
      api: 'openai',
      model: 'tide 7b',
      window: 32768,
      idle: 90,
      allowRemote: true,
      folders: ['/a', '/w/b', join(homedir(), 'c')],
      warnings: [],
    });
  });

  test('know older names, the own ones first', () => {
    const old = {
      GOPHER_OLLAMA_URL: 'http://127.0.0.1:1',
      OLLAMA_HOST: '127.0.0.1:2',
      GOPHER_OLLAMA_MODEL: 'a',
    };
    expect(resolve(old)).toMatchObject({ server: 'http://127.0.0.1:1', model: 'a' });
    expect(resolve({ ...old, PLIMSOLL_MODEL_SERVER: 'http://[::1]:3', PLIMSOLL_MODEL: 'b' })).toMatchObject({
      server: 'http://[::1]:3',
      model: 'b',
    });
    expect(resolve({ OLLAMA_HOST: '0.0.0.0' })).toMatchObject({ server: '0.0.0.0', warnings: [] });
  });

  test.each([
    ['http://127.0.0.1:11434/api/generate', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/api/generate/', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/api/chat', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/api', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/api/', 'http://127.0.0.1:11434'],
    ['127.0.0.1:11434/api/generate', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:8080/api/generated', 'http://127.0.0.1:8080/api/generated'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8123', 'http://127.0.0.1:8123'],
    [':8123', 'http://127.0.0.1:8123'],
    [' localhost ', 'http://localhost:11434'],
  ])('the server %j is at %s', (written, name) => {
    const { server: address, warnings } = resolve({ GOPHER_OLLAMA_URL: written });
    expect(addressOf({ address, kind: 'ollama', allowRemote: false }).name).toBe(name);
    expect(warnings).toEqual([]);
  });

  test('of which a repository’s files decide nothing that opens or sends a transcript', () => {
    const inFile = {
      extract: 'rules',
      server: 'http://127.0.0.1:9',
      api: 'openai',
      model: 'somebody-elses',
      window: 8192,
      idle: 5,
      allowRemote: true,
      folders: ['/'],
    };
    const { warnings, ...values } = resolve({}, inFile);
    const { warnings: _, ...defaults } = resolve({});
    expect(values).toEqual({ ...defaults, extract: 'rules', window: 8192, idle: 5 });
    expect(warnings).toEqual([
      "'transcript.server' in /c/f is not used: set PLIMSOLL_MODEL_SERVER in the environment instead",
      "'transcript.api' in /c/f is not used: set PLIMSOLL_MODEL_API in the environment instead",
      "'transcript.model' in /c/f is not used: set PLIMSOLL_MODEL in the environment instead",
      "'transcript.allowRemote' in /c/f is not used: set PLIMSOLL_MODEL_ALLOW_REMOTE in the environment instead",
      "'transcript.folders' in /c/f is not used: set PLIMSOLL_TRANSCRIPT_FOLDERS in the environment instead",
    ]);
  });

  test('nor does a .env', () => {
    const values = { OLLAMA_HOST: 'http://127.0.0.1:9', PLIMSOLL_TRANSCRIPT_FOLDERS: '/' };
    const dotenv = { file: '/r/.env', values };
    const resolved = resolveSettings(['transcript'], {}, { env: {}, folder: '/w', dotenv });
    expect(resolved.values.transcript).toMatchObject({ server: 'http://127.0.0.1:11434', folders: [] });
    expect(resolved.warnings).toHaveLength(2);
    const env = { ...values };
    expect(resolveSettings(['transcript'], {}, { env, folder: '/w', dotenv }).warnings).toEqual([]);
  });

  test('that are not allowed fall back, and a password is not told', () => {
    const { warnings, ...values } = resolve({
      PLIMSOLL_TRANSCRIPT_EXTRACT: 'magic',
      PLIMSOLL_MODEL_SERVER: 'ftp://mara:pass-5150@127.0.0.1',
      PLIMSOLL_MODEL_API: 'carrier pigeon',
      PLIMSOLL_MODEL: 'a\nb',
      PLIMSOLL_MODEL_WINDOW: '12.5',
      PLIMSOLL_MODEL_IDLE: '0',
    });
    const { warnings: _, ...defaults } = resolve({});
    expect(values).toEqual(defaults);
    expect(warnings).toEqual([
      'PLIMSOLL_TRANSCRIPT_EXTRACT in the environment is "magic", which isn\'t model, rules; using the default',
      "PLIMSOLL_MODEL_SERVER in the environment isn't the address of a server, such as http://127.0.0.1:11434; using the default",
      'PLIMSOLL_MODEL_API in the environment is "carrier pigeon", which isn\'t ollama, openai; using the default',
      'PLIMSOLL_MODEL in the environment is "a\\nb", which isn\'t the name of a model, in one line; using the default',
      'PLIMSOLL_MODEL_WINDOW in the environment is "12.5", which isn\'t a whole number of tokens from 1000 to 10000000; using what the server grants',
      'PLIMSOLL_MODEL_IDLE in the environment is "0", which isn\'t a number of seconds above 0 and up to 3600; using the default',
    ]);
  });
});
