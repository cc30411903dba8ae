import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { takeToken } from './wrap-token.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-wrap-token-'));
const file = join(folder, 'token');

const inFile = (content: string) => {
  writeFileSync(file, content);
  return takeToken(file, 'PLIMSOLL_WRAP_TOKEN');
};
const inEnvironment = (content: string) => {
  vi.stubEnv('PLIMSOLL_WRAP_TOKEN', content);
  return takeToken(undefined, 'PLIMSOLL_WRAP_TOKEN');
};

afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  { where: `--token-file: '${file}'`, take: inFile },
  { where: 'PLIMSOLL_WRAP_TOKEN', take: inEnvironment },
])('$where', ({ where, take }) => {
  test('may have white space around the token', () => {
    expect(take(' to-k3n!\r\n')).toBe('to-k3n!');
  });

  test.each(['', ' \n', 'two words', 'two\nlines', 'tok\u0007en', 'schlüssel'])(
    'is not taken without one: %j',
    (content) => {
      expect(() => take(content)).toThrow(
        `${where} must hold a token and nothing else: printable ASCII without spaces.`,
      );
    },
  );
});

test('a file comes before the environment, from which the token is gone', () => {
  vi.stubEnv('PLIMSOLL_WRAP_TOKEN', 'other');
  expect(inFile('token')).toBe('token');
  expect(process.env).not.toHaveProperty('PLIMSOLL_WRAP_TOKEN');
  expect(takeToken(undefined, 'PLIMSOLL_WRAP_TOKEN')).toBeUndefined();
});

test('a file that is not there', () => {
  expect(() => takeToken(join(folder, 'none'), 'PLIMSOLL_WRAP_TOKEN')).toThrow(
    `--token-file: '${join(folder, 'none')}' can't be read.`,
  );
});
