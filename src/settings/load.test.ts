import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSettings } from './load.ts';

let root: string;
let inner: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-settings-'));
  inner = join(root, 'a', 'b');
  mkdirSync(inner, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true }));

const load = (folder = inner) => loadSettings(['digest', 'cache'], {}, folder, {});

test('files are found upwards, each for itself, the nearest first', () => {
  writeFileSync(join(root, '.env'), 'PLIMSOLL_DIGEST_BUDGET=100\nPLIMSOLL_DIGEST_REDACT=false\n');
  writeFileSync(join(root, 'plimsoll.config.json'), '{ "digest": { "budget": 1, "format": "xml" } }');
  writeFileSync(join(root, 'a', '.env'), '\uFEFF# ours\nexport PLIMSOLL_DIGEST_BUDGET="200" # more\n');
  expect(load()).toMatchObject({
    values: { digest: { budget: { unit: 'chars', limit: 200 }, format: 'xml', redact: true } },
    warnings: [],
  });
});

test('a configuration file may begin with a byte order mark', () => {
  writeFileSync(join(root, 'plimsoll.config.json'), '\uFEFF{ "digest": { "format": "json" } }');
  expect(load()).toMatchObject({ values: { digest: { format: 'json' } }, warnings: [] });
});

test('nothing of .env enters the environment', () => {
  writeFileSync(join(inner, '.env'), 'PLIMSOLL_DIGEST_FORMAT=xml\nOTHER_NAME=1\n');
  load();
  expect(process.env).not.toHaveProperty('PLIMSOLL_DIGEST_FORMAT');
  expect(process.env).not.toHaveProperty('OTHER_NAME');
});

test('a folder named .env is passed over', () => {
  mkdirSync(join(inner, '.env'));
  writeFileSync(join(root, '.env'), 'PLIMSOLL_DIGEST_FORMAT=xml');
  expect(load()).toMatchObject({ values: { digest: { format: 'xml' } }, warnings: [] });
});

test('broken JSON gives one warning with the place, and the defaults', () => {
  const file = join(root, 'plimsoll.config.json');
  writeFileSync(file, '{\n  "digest": { "format": xml }\n}\n');
  expect(load().warnings).toEqual([`${file} is not used: it is not JSON from line 2, column 25 on`]);
  expect(load().values.digest.format).toBe('markdown');
});

test('a file that cannot be used gives one warning', () => {
  writeFileSync(join(root, '.env'), Buffer.alloc(1024 * 1024 + 1, 'a'));
  symlinkSync('plimsoll.config.json', join(root, 'plimsoll.config.json'));
  expect(load().warnings).toEqual([
    `${join(root, '.env')} is not used: it is larger than 1 MiB`,
    expect.stringMatching(/plimsoll\.config\.json is not used: ELOOP/),
  ]);
});

test('a folder that does not exist gives the settings of those above it', () => {
  writeFileSync(join(root, '.env'), 'PLIMSOLL_DIGEST_FORMAT=xml');
  expect(load(join(inner, 'gone', 'too'))).toMatchObject({
    values: { digest: { format: 'xml' } },
    warnings: [],
  });
});

test('a relative path starts at the current folder', () => {
  const env = { PLIMSOLL_CACHE_DIR: './by-environment' };
  expect(loadSettings(['cache'], {}, inner, env).values.cache.folder).toBe(join(inner, 'by-environment'));
});
