import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import envPaths from 'env-paths';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('env-paths');
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function dataFolder(): Promise<string> {
  return (await import('./data-folder.ts')).DATA_FOLDER;
}

test('data is where the system keeps it', async () => {
  vi.stubEnv('XDG_DATA_HOME', undefined);
  expect(await dataFolder()).toBe(envPaths('plimsoll', { suffix: '' }).data);
});

test('where there is no home, it is among the temporary files', async () => {
  vi.doMock('env-paths', () => {
    throw new Error('ERR_SYSTEM_ERROR: uv_os_homedir returned ENOENT');
  });
  expect(dirname(await dataFolder())).toBe(tmpdir());
});

test('so it is where the folder for data is not absolute', async () => {
  vi.doMock('env-paths', () => ({ default: () => ({ data: 'relative/plimsoll' }) }));
  expect(dirname(await dataFolder())).toBe(tmpdir());
});
