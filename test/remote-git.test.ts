import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import { cloneOf, newCache, serve, servePartly, withoutUserConfig } from './remote.ts';
import { folderWith, git } from './repository.ts';
import { serveGitDaemon } from './servers/git-daemon.ts';
import { allowFilter, type GitHttpOptions } from './servers/git-http.ts';
import { serveSsh } from './servers/ssh.ts';
import { addCommit, variedRepository } from './varied-repository.ts';

withoutUserConfig();

const AUTH = { user: 'ann', password: 'p:w@é' };
const LOGIN = `${AUTH.user}:${encodeURIComponent(AUTH.password)}@`;

/** A server as it was before it knew the protocol's second version. */
const OLD: GitHttpOptions = {
  hook: ({ headers }) => {
    delete headers['git-protocol'];
    return false;
  },
};

/** Serves a folder of repositories, and gives the address of one by its name, or of the file at `path`. */
type Host = (root: string, path: string) => Promise<string>;

/** A host with nothing but files: no git of its own. */
const serveFiles: Host = async (root, path) => {
  git(path, 'update-server-info');
  const { url } = await serve(root, {
    hook: (request, response) => {
      const file = join(root, new URL(request.url ?? '', 'http://host').pathname);
      const isFile = existsSync(file) && statSync(file).isFile();
      response.writeHead(isFile ? 200 : 404).end(isFile ? readFileSync(file) : '');
      return true;
    },
  });
  return `${url}/${basename(path)}`;
};

const HOSTS: Record<string, Host> = {
  'http, in parts': async (root, path) => `${(await servePartly(root, path)).url}/${basename(path)}`,
  'http, as a whole': async (root, path) => {
    allowFilter(path, false);
    return `${(await serve(root)).url}/${basename(path)}`;
  },
  'an old server, in parts': async (root, path) =>
    `${(await servePartly(root, path, OLD)).url}/${basename(path)}`,
  'an old server that gives no single objects out': async (root, path) => {
    const { url } = await servePartly(root, path, OLD);
    git(path, 'config', 'uploadpack.allowAnySHA1InWant', 'false');
    return `${url}/${basename(path)}`;
  },
  'a host without git': serveFiles,
  'http with a login in the address': async (root, path) => {
    const { url } = await servePartly(root, path, { auth: AUTH });
    return `${url.replace('//', `//${LOGIN}`)}/${basename(path)}`;
  },
  "http with a login of the user's credential helper": async (root, path) => {
    const { url } = await servePartly(root, path, { auth: AUTH });
    const helper = `!f() { printf 'username=%s\\\\npassword=%s\\\\n' '${AUTH.user}' '${AUTH.password}'; }; f`;
    const home = folderWith({ config: `[credential "${url}"]\n\thelper = "${helper}"\n` });
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, 'config'));
    return `${url}/${basename(path)}`;
  },
  'git daemon': async (root, path) => {
    allowFilter(path, true);
    const daemon = await serveGitDaemon(root);
    onTestFinished(() => daemon.close());
    return `${daemon.url}/${basename(path)}`;
  },
  ssh: async (root, path) => {
    allowFilter(path, true);
    const server = await serveSsh(root);
    onTestFinished(() => server.close());
    vi.stubEnv('GIT_SSH_COMMAND', server.env.GIT_SSH_COMMAND);
    return `${server.url}/${basename(path)}`;
  },
};

/** One in which everything fits but a file of 3 MB, and one in which hardly anything does. */
const BUDGETS = [40_000, 3_000].map((limit) => ({ limit, unit: 'chars' }) as const);

test.each(Object.entries(HOSTS))('%s: the digest is that of a clone, byte for byte', async (_, host) => {
  const { root, path } = variedRepository();
  const address = await host(root, path);
  const clone = cloneOf(path, address);
  const cache = newCache();
  for (const budget of BUDGETS) {
    const there = await digest(address, { budget, remote: { cache } });
    const here = await digest(clone, { budget, ref: 'main' });
    expect(there.text).toBe(here.text);
    expect(there.warnings).toEqual(here.warnings);
    expect(there.omitted).toEqual(here.omitted);
    expect(there.files.map(({ mode }) => mode)).toContain('head');
  }
});

test('everything that a commit can hold is told of', async () => {
  const { root, path } = variedRepository();
  const { url } = await servePartly(root, path);
  const { text } = await digest(`${url}/varied.git`, { budget: { limit: 4_000_000, unit: 'chars' } });
  for (const line of [
    '\n  module (submodule at 0123456789ab)\n',
    '\nlink -> docs/guide.md\n',
    '\noutside -> /etc/passwd\n',
    '\nweights.bin (Git LFS pointer to 1,234,567 bytes)\n',
    '\nnew␊line.txt\n',
    '\ncaf\\xe9.txt\n',
    '\n  日本.txt\n',
    'Written in UTF-16, with é\n',
    'café crème naïve\n',
    '\nas it is stored\n',
    'export const value59999 = ',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).not.toContain('left out by .ignore');
});

test.each(['file: address', 'path'])('a bare repository on this machine is read by its %s', async (form) => {
  const { path } = variedRepository();
  const address = form === 'path' ? path : pathToFileURL(path).href;
  const clone = join(folderWith({}), 'varied');
  git(path, 'clone', '-q', '--no-checkout', path, clone);
  for (const budget of BUDGETS) {
    expect((await digest(address, { budget, remote: {} })).text).toBe(
      (await digest(clone, { budget, ref: 'main' })).text,
    );
  }
});

test('a repository with ids of SHA-256 is read', async () => {
  const root = folderWith({});
  const other = join(root, 'sha256.git');
  git(root, 'init', '-q', '--bare', '-b', 'main', '--object-format=sha256', other);
  addCommit(other, 'main', { 'a.txt': 'alpha\n', 'b/c.txt': 'gamma\n' });
  for (const allowed of [true, false]) {
    allowFilter(other, allowed);
    const address = `${(await serve(root)).url}/sha256.git`;
    const cache = newCache();
    const { text, source } = await digest(address, { remote: { cache } });
    expect(source.commit).toMatch(/^[0-9a-f]{64}$/);
    expect(text).toBe((await digest(cloneOf(other, address), { ref: 'main' })).text);
    expect((await digest(address, { remote: { cache, offline: true } })).text).toBe(text);
  }
});
