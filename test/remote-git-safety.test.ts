import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import {
  failureOf,
  filesBelow,
  newCache,
  runningCommands,
  serve,
  servePartly,
  withoutUserConfig,
} from './remote.ts';
import { folderWith, git, repositoryWith } from './repository.ts';
import { runGit } from './servers/run-git.ts';
import { serveSsh } from './servers/ssh.ts';
import { addCommit, variedRepository } from './varied-repository.ts';

withoutUserConfig();

describe('a login in an address', () => {
  const AUTH = { user: 'ann', password: `pa55-w0rd-${process.pid}` };
  const login = (url: string) => url.replace('//', `//${AUTH.user}:${AUTH.password}@`);
  const secrets = [AUTH.password, Buffer.from(`${AUTH.user}:${AUTH.password}`).toString('base64')];
  const tellsAny = (text: string) => secrets.some((secret) => text.includes(secret));

  test('is in no argument of any process, in no file, and in no document', async () => {
    const { root, path } = variedRepository();
    const commands = new Set<string>();
    const { url } = await servePartly(root, path, {
      auth: AUTH,
      hook: () => {
        for (const command of runningCommands()) commands.add(command);
        return false;
      },
    });
    const cache = newCache();
    const result = await digest(`${login(url)}/varied.git`, { remote: { cache } });
    expect([...commands].some((command) => command.includes('git-remote-http'))).toBe(true);
    expect([...commands].filter(tellsAny)).toEqual([]);
    expect(tellsAny(JSON.stringify(result))).toBe(false);
    const names = filesBelow(cache.folder);
    expect(
      names.filter((name) => tellsAny(name) || tellsAny(readFileSync(join(cache.folder, name), 'latin1'))),
    ).toEqual([]);
  });

  test("is told neither to the user's credential helpers nor to a host that redirects lead to", async () => {
    const { root, path } = variedRepository();
    const home = folderWith({});
    const notes = join(home, 'notes');
    const helper = `!f() { echo asked \\"$1\\" >>'${notes}'; cat >>'${notes}'; }; f`;
    writeFileSync(join(home, 'config'), `[credential]\n\thelper = "${helper}"\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, 'config'));
    const there = await servePartly(root, path, { auth: AUTH });
    await digest(`${login(there.url)}/varied.git`);
    expect(there.requests.some(({ headers }) => headers.authorization)).toBe(true);
    expect(readdirSync(home)).toEqual(['config']);

    const before = there.requests.length;
    const here = await serve(root, {
      hook: ({ url }, response) => {
        response.writeHead(301, { Location: `${there.url.replace('127.0.0.1', 'localhost')}${url}` }).end();
        return true;
      },
    });
    const { code } = await failureOf(digest(`${login(here.url)}/varied.git`));
    expect(code).toBe('UNAUTHORIZED');
    const redirected = there.requests.slice(before);
    expect(redirected.length).toBeGreaterThan(0);
    expect(redirected.filter(({ headers }) => headers.authorization)).toEqual([]);
    expect(tellsAny(readFileSync(notes, 'utf8'))).toBe(false);
  });
});

/** A program that leaves a trace. */
function trap(): { readonly command: string; hasSprung(): boolean } {
  const folder = folderWith({});
  const command = join(folder, 'trap');
  writeFileSync(command, `#!/bin/sh\ntouch '${folder}/sprung'\n`);
  chmodSync(command, 0o755);
  return { command, hasSprung: () => existsSync(join(folder, 'sprung')) };
}

test('what a repository holds for git to follow is only shown, and nothing is written but to the cache', async () => {
  const { command, hasSprung } = trap();
  const root = folderWith({});
  const path = join(root, 'r.git');
  git(root, 'init', '-q', '--bare', '-b', 'main', path);
  const module = `[submodule "m"]\n\tpath = lib/module\n\turl = ext::${command}\n\tupdate = !${command}\n`;
  addCommit(path, 'main', {
    '.gitmodules': module,
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
    '.gitconfig': `[filter "evil"]\n\tsmudge = ${command}\n[core]\n\tfsmonitor = ${command}\n`,
    'hooks/post-checkout': `#!/bin/sh\n${command}\n`,
    '.git-hooks/reference-transaction': `#!/bin/sh\n${command}\n`,
  });
  const { url } = await servePartly(root, path);
  const cache = newCache();
  const folders = { HOME: folderWith({}), TMPDIR: folderWith({}) };
  const config =
    '[fetch]\n\trecurseSubmodules = true\n[submodule]\n\trecurse = true\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n';
  writeFileSync(join(folders.HOME, '.gitconfig'), config);
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(folders.HOME, '.gitconfig'));
  for (const [name, folder] of Object.entries(folders)) vi.stubEnv(name, folder);
  const { text } = await digest(`${url}/r.git`, { remote: { cache } });
  expect(text).toContain(`url = ext::${command}`);
  expect(hasSprung()).toBe(false);
  expect(filesBelow(folders.HOME)).toEqual(['.gitconfig']);
  expect(readdirSync(folders.TMPDIR)).toEqual([]);
});

test('the repository that one happens to be in has no say in how a host is reached', async () => {
  const { command, hasSprung } = trap();
  const { root, path } = variedRepository();
  const here = repositoryWith({ 'a.txt': 'a' });
  const http = await servePartly(root, path);
  const ssh = await serveSsh(root);
  onTestFinished(() => ssh.close());
  const settings = {
    'core.sshCommand': `ssh -oProxyCommand=${command}`,
    'core.gitProxy': command,
    'core.askPass': command,
    'credential.helper': `!${command}`,
    'http.proxy': 'http://127.0.0.1:1',
    'remote.origin.uploadpack': command,
    'remote.origin.proxy': 'http://127.0.0.1:1',
    'url.ext::sh -c .insteadOf': http.url,
    [`url.ext::${command} .insteadOf`]: 'ssh://',
    'protocol.allow': 'always',
  };
  for (const [name, value] of Object.entries(settings)) git(here, 'config', name, value);
  const before = filesBelow(here);
  const cwd = process.cwd();
  process.chdir(here);
  onTestFinished(() => process.chdir(cwd));

  const { source } = await digest(`${http.url}/varied.git`);
  expect(source.commit).toBe(git(path, 'rev-parse', 'main'));
  const protectedOne = await servePartly(root, path, { auth: { user: 'ann', password: 'x' } });
  expect((await failureOf(digest(`${protectedOne.url}/varied.git`))).code).toBe('UNAUTHORIZED');
  // Without its own command, ssh knows neither the host nor a key.
  vi.stubEnv('HOME', folderWith({}));
  vi.stubEnv('GIT_SSH_COMMAND', undefined);
  expect((await failureOf(digest(`${ssh.url}/varied.git`))).code).toBe('UNAUTHORIZED');
  expect(hasSprung()).toBe(false);
  expect(filesBelow(here)).toEqual(before);

  await runGit(['-C', here, 'ls-remote', `${ssh.url}/varied.git`], { HOME: folderWith({}) });
  expect(hasSprung()).toBe(true);
});
