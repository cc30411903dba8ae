import { join } from 'node:path';
import envPaths from 'env-paths';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('env-paths');
  vi.doUnmock('node:os');
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function load() {
  return await import('./data-folder.ts');
}

/** With a home that the environment names, and one of the list of users. */
async function folderFor(home: () => string, listed: () => string): Promise<string> {
  vi.doMock('node:os', () => ({ homedir: home, userInfo: () => ({ homedir: listed() }) }));
  vi.doMock('env-paths', () => ({ default: () => ({ data: 'relative/plimsoll' }) }));
  return (await load()).dataFolder();
}

const none = (): never => {
  throw new Error('ERR_SYSTEM_ERROR: uv_os_homedir returned ENOENT');
};
const inHome = process.platform === 'darwin' ? 'Library/Application Support' : '.local/share';

test('data is where the system keeps it', async () => {
  vi.stubEnv('XDG_DATA_HOME', undefined);
  const { dataFolder, usualSpool } = await load();
  expect(dataFolder()).toBe(envPaths('plimsoll', { suffix: '' }).data);
  expect(usualSpool()).toBe(join(dataFolder(), 'spool'));
});

test.each([
  ['a folder for data that is not absolute is ignored', () => '/home/me', () => '/list/me', '/home/me'],
  ['without a home in the environment, the list of users has it', () => '', () => '/list/me', '/list/me'],
  ['so it has where the home is not absolute', () => 'me', () => '/list/me', '/list/me'],
  ['so it has where there is no home', none, () => '/list/me', '/list/me'],
])('%s', async (_, home, listed, found) => {
  expect(await folderFor(home, listed)).toBe(join(found, inHome, 'plimsoll'));
});

test.each([
  ['unknown to the system', none],
  ['without a home', () => ''],
])('a user who is %s must name a folder', async (_, listed) => {
  await expect(folderFor(none, listed)).rejects.toThrow(
    expect.objectContaining({ code: 'BAD_USAGE', message: expect.stringContaining('set PLIMSOLL_DATA_DIR') }),
  );
  expect((await load()).usualSpool()).toBeUndefined();
});
