import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import envPaths from 'env-paths';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('env-paths');
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function cacheFolder(): Promise<string> {
  return (await import('./cache-folder.ts')).CACHE_FOLDER;
}

test('the cache is where the system keeps caches', async () => {
  vi.stubEnv('XDG_CACHE_HOME', undefined);
  expect(await cacheFolder()).toBe(envPaths('plimsoll', { suffix: '' }).cache);
});

test('where there is no home, it is among the temporary files', async () => {
  vi.doMock('env-paths', () => {
    throw new Error('ERR_SYSTEM_ERROR: uv_os_homedir returned ENOENT');
  });
  expect(dirname(await cacheFolder())).toBe(tmpdir());
});

test('so it is where the folder for caches is not absolute', async () => {
  vi.doMock('env-paths', () => ({ default: () => ({ cache: 'relative/plimsoll' }) }));
  expect(dirname(await cacheFolder())).toBe(tmpdir());
});
