import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Finding } from '../src/doctor/doctor.ts';
import { serve, TOKEN } from './servers/github-fixture.ts';
import { environment, MAIN, run, temporaryFolder } from './wrapped.ts';

const OWN = /^(?:GITHUB|GH|XDG|OLLAMA|CODEX|CLAUDE)_|_proxy$/i;

/** Runs `plimsoll doctor` in a home of its own, with nothing of the network but what `env` names. */
async function doctor(home: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const rest = Object.entries(environment(join(home, 'data'))).filter(([name]) => !OWN.test(name));
  const own = {
    HOME: home,
    PLIMSOLL_GITHUB_API: 'http://127.0.0.1:1',
    PLIMSOLL_MODEL_SERVER: 'http://127.0.0.1:1',
    ...env,
  };
  const command = [process.execPath, MAIN, 'doctor', ...args];
  const { child, stderr } = run(command, { env: { ...Object.fromEntries(rest), ...own }, cwd: home });
  child.stdin.end();
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, stdout, stderr: stderr() };
}

test('a machine without network, model and clients is no failure, and nothing is changed on it', async () => {
  const home = temporaryFolder();
  const { code, stdout, stderr } = await doctor(home);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ok {4}Node {9}\d/);
  expect(stdout).toMatch(/\nwarn {2}GitHub .*127\.0\.0\.1:1 can't be reached.*\n {19}Check the network/);
  expect(stdout).toMatch(/\nwarn {2}model .*No server answers/);
  expect(readdirSync(home)).toEqual([]);
});

test('GitHub is asked for its quota, and neither the token nor a password is told', async () => {
  const server = await serve({});
  const env = {
    PLIMSOLL_GITHUB_API: `${server.url}/api/v3`,
    GITHUB_TOKEN: TOKEN,
    PLIMSOLL_MODEL_SERVER: 'http://user:pa55word@127.0.0.1:1',
  };
  const { stdout, stderr } = await doctor(temporaryFolder(), ['--json'], env);
  const findings: Finding[] = JSON.parse(stdout);
  const github = findings.find(({ about }) => about === 'GitHub');
  expect(github).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('of 5,000 requests an hour left'),
  });
  expect(stdout + stderr).not.toContain(TOKEN);
  expect(stdout + stderr).not.toContain('pa55word');
  expect(server.requests.map(({ path }) => path)).toEqual(['/api/v3/rate_limit']);
});

test('what is needed and amiss makes it fail, and it is said how to mend it', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 'data/context.json'), '{"a": ');
  const { code, stdout } = await doctor(home);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /\nfail {2}memory .*context\.json is damaged at .*\n +See plimsoll memory repair\.\n/,
  );
});

test('settings that can not be used are told', async () => {
  const home = temporaryFolder();
  const { stdout } = await doctor(home, [], { PLIMSOLL_CACHE_SIZE: 'much' });
  expect(stdout).toMatch(/\nwarn {2}settings .*PLIMSOLL_CACHE_SIZE/);
});
