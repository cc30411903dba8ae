import { spawnSync } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { newOwner, stateOf } from './owner.ts';

const NAMESPACE = '/proc/self/ns/pid';

test('an owner is of the namespace that its number counts in, where the system has such', () => {
  const { host } = newOwner();
  expect(host).toBe(existsSync(NAMESPACE) ? `${hostname()} ${readlinkSync(NAMESPACE)}` : hostname());
});

test('of a process in another container nobody knows whether it has ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(stateOf({ ...newOwner(), pid })).toBe('gone');
  expect(stateOf({ ...newOwner(), pid, host: `${hostname()} pid:[1]` })).toBe('unknown');
});
