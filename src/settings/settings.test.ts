import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_BUDGET } from '../measure/budget.ts';
import { DIGEST_FORMATS, resolveSettings } from './settings.ts';

const chars = (limit: number) => ({ unit: 'chars', limit }) as const;

const layers = {
  env: { PLIMSOLL_DIGEST_BUDGET: '2', GOPHER_DIGEST_BUDGET: '3' },
  dotenv: { file: '/w/.env', values: { PLIMSOLL_DIGEST_BUDGET: '4', GOPHER_DIGEST_BUDGET: '5' } },
  config: { file: '/w/plimsoll.config.json', value: { digest: { budget: 6 } } },
};

test('without any layer there are the defaults', () => {
  expect(resolveSettings('digest', {}, { env: {} })).toEqual({
    values: { budget: DEFAULT_BUDGET, format: 'markdown', include: [], exclude: [], redact: true },
    warnings: [],
  });
});

test('the strongest layer that names a setting decides', () => {
  const { env, dotenv, config } = layers;
  const { PLIMSOLL_DIGEST_BUDGET: _, ...alias } = env;
  const { PLIMSOLL_DIGEST_BUDGET: __, ...aliasInFile } = dotenv.values;
  const budgets = [
    resolveSettings('digest', { budget: chars(1) }, layers),
    resolveSettings('digest', {}, layers),
    resolveSettings('digest', {}, { env: alias, dotenv, config }),
    resolveSettings('digest', {}, { env: {}, dotenv, config }),
    resolveSettings('digest', {}, { env: {}, dotenv: { ...dotenv, values: aliasInFile }, config }),
    resolveSettings('digest', {}, { env: {}, config }),
  ];
  expect(budgets.map(({ values }) => values.budget)).toEqual([1, 2, 3, 4, 5, 6].map(chars));
  expect(budgets.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test('a configuration file sets every setting', () => {
  const digest = { budget: '10tok', format: 'xml', include: ['src/**'], exclude: ['*.md'], redact: false };
  expect(
    resolveSettings('digest', {}, { env: {}, config: { file: 'f', value: { $schema: 's', digest } } }),
  ).toEqual({
    values: { ...digest, budget: { unit: 'tokens', limit: 10 } },
    warnings: [],
  });
});

test('the environment sets format and redaction', () => {
  const env = { PLIMSOLL_DIGEST_FORMAT: 'json', PLIMSOLL_DIGEST_REDACT: 'false' };
  expect(resolveSettings('digest', {}, { env }).values).toMatchObject({ format: 'json', redact: false });
});

test('an empty variable counts as unset', () => {
  const { config } = layers;
  expect(resolveSettings('digest', {}, { env: { PLIMSOLL_DIGEST_BUDGET: '' }, config })).toMatchObject({
    values: { budget: chars(6) },
    warnings: [],
  });
});

test('an invalid value falls back to the default with one warning', () => {
  const env = { PLIMSOLL_DIGEST_BUDGET: 'abc', PLIMSOLL_DIGEST_REDACT: 'maybe' };
  const { values, warnings } = resolveSettings('digest', {}, { ...layers, env });
  expect(values).toMatchObject({ budget: DEFAULT_BUDGET, redact: true });
  expect(warnings).toEqual([
    'PLIMSOLL_DIGEST_BUDGET in the environment is "abc", which isn\'t a whole number of characters from 1 to ' +
      '500000000, like 40000, or of tokens, like 10000tok; using the default',
    'PLIMSOLL_DIGEST_REDACT in the environment is "maybe", which isn\'t true or false; using the default',
  ]);
});

test('an invalid value that a flag overrides is of no interest', () => {
  const env = { PLIMSOLL_DIGEST_BUDGET: 'abc' };
  expect(resolveSettings('digest', { budget: chars(1) }, { env }).warnings).toEqual([]);
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
  [{ digset: {} }, `f has keys that name no setting: 'digset'; known are $schema, digest`],
  [{ digest: [] }, `'digest' in f must be an object; it is not used`],
  [[], `f must hold a JSON object; it is not used`],
  [null, `f must hold a JSON object; it is not used`],
])('the configuration %j gives one warning', (value, warning) => {
  const resolved = resolveSettings('digest', {}, { env: {}, config: { file: 'f', value } });
  expect(resolved.values).toEqual(resolveSettings('digest', {}, { env: {} }).values);
  expect(resolved.warnings).toEqual([expect.stringContaining(warning)]);
});

test('whatever a configuration file holds, the settings are valid', () => {
  const key = fc.constantFrom('budget', 'format', 'include', 'exclude', 'redact', '__proto__', 'toString');
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ digest: fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())) }),
  );
  fc.assert(
    fc.property(value, (value) => {
      const { values } = resolveSettings('digest', {}, { env: {}, config: { file: 'f', value } });
      expect(Object.keys(values)).toEqual(['budget', 'format', 'include', 'exclude', 'redact']);
      expect(values.budget.limit).toBeGreaterThan(0);
      expect(DIGEST_FORMATS).toContain(values.format);
      expect([...values.include, ...values.exclude].every((glob) => typeof glob === 'string')).toBe(true);
      expect(typeof values.redact).toBe('boolean');
    }),
  );
});
