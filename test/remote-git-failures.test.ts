import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { digest } from '../src/digest/digest.ts';
import type { ErrorCode } from '../src/errors.ts';
import {
  failureOf,
  filesBelow,
  newCache,
  runningCommands,
  servePartly,
  withoutUserConfig,
} from './remote.ts';
import { folderWith, git } from './repository.ts';
import { type Fault, send } from './servers/answer.ts';
import { gitBackend } from './servers/git-backend.ts';
import { serveGitDaemon } from './servers/git-daemon.ts';
import type { GitHttpOptions } from './servers/git-http.ts';
import { makeCertificate } from './servers/github-certificate.ts';
import { listen, stop } from './servers/listen.ts';
import { type SshServer, serveSsh } from './servers/ssh.ts';
import { addCommit } from './varied-repository.ts';

withoutUserConfig();

const AUTH = { user: 'ann', password: 'pa55-w0rd' };

/** A folder with the repository `r.git`. */
function newRepository(): { readonly root: string; readonly path: string } {
  const root = folderWith({});
  const path = join(root, 'r.git');
  git(root, 'init', '-q', '--bare', '-b', 'main', path);
  const noise = Buffer.concat(Array.from({ length: 160 }, (_, at) => hashOf(at)));
  addCommit(path, 'main', { 'README.md': '# Readme\n', noise });
  return { root, path };
}

function hashOf(number: number): Buffer {
  return createHash('sha256').update(`${number}`).digest();
}

/** The address of the repository on a server of its own. */
async function served(options: GitHttpOptions = {}): Promise<string> {
  const { root, path } = newRepository();
  return `${(await servePartly(root, path, options)).url}/r.git`;
}

const answering = (status: number, body = '', type = 'text/plain'): GitHttpOptions => ({
  hook: (_request, response) => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
    return true;
  },
});

const withLogin = (address: string, user: string, password: string) =>
  address.replace('//', `//${user}:${password}@`);

/** What a digest fails with: one line, that has nothing of a password in it; and nothing stays in the cache. */
async function failure(address: string, timeout?: number): Promise<{ code: ErrorCode; message: string }> {
  const cache = newCache();
  const { code, message, name } = await failureOf(digest(address, { remote: { cache, timeout } }));
  expect(name).toBe('PlimsollError');
  expect(message).toMatch(/^[^\n]+[^.][.)]$/);
  expect(message).not.toMatch(/pa55|wr0ng/);
  expect(message).not.toContain(Buffer.from(`${AUTH.user}:`).toString('base64').slice(0, 5));
  expect(filesBelow(cache.folder)).toEqual(['CACHEDIR.TAG']);
  return { code, message };
}

describe('by http', () => {
  test('a host asks for a password that nobody has', async () => {
    const address = await served({ auth: AUTH });
    expect(await failure(address)).toEqual({
      code: 'UNAUTHORIZED',
      message: `${address} is private, or does not exist: the host asks for a user name and password. Check the spelling; for a private one set up a git credential helper.`,
    });
  });

  test('a host refuses a password', async () => {
    const address = await served({ auth: AUTH });
    expect(await failure(withLogin(address, AUTH.user, 'wr0ng'))).toEqual({
      code: 'UNAUTHORIZED',
      message: `The host of ${address} refuses access: check the user name and password, or the token, that it gets, and what they may read.`,
    });
  });

  test('a repository is not there', async () => {
    const address = (await served()).replace('r.git', 'none.git');
    expect(await failure(address)).toEqual({
      code: 'REPOSITORY_NOT_FOUND',
      message: `There is no repository at ${address}, or it is private: check the spelling; for a private one set up a git credential helper.`,
    });
  });

  test.each<[number, ErrorCode, RegExp]>([
    [400, 'GIT_FAILED', /^git can't read \S+: The requested URL returned error: 400\.$/],
    [403, 'UNAUTHORIZED', /refuses access: check /],
    [404, 'REPOSITORY_NOT_FOUND', /check the spelling/],
    [429, 'RATE_LIMITED', /wants fewer requests: try again in a few minutes/],
    [500, 'HOST_FAILED', /failed while it answered: try again later/],
    [503, 'HOST_FAILED', /failed while it answered: try again later/],
  ])('a host answers with status %i', async (status, code, message) => {
    const address = await served(answering(status, 'no\n'));
    const told = await failure(address);
    expect(told.code).toBe(code);
    expect(told.message).toMatch(message);
    expect(told.message).toContain(address);
  });

  test('what answers is no git server', async () => {
    const page = '<!doctype html>\n<html>\n<body>Hello</body>\n</html>\n';
    const address = await served(answering(200, page, 'text/html'));
    const told = await failure(address);
    expect(told.code).toBe('REPOSITORY_NOT_FOUND');
    expect(told.message).toContain(`There is no repository at ${address}`);
  });

  test('a host talks nonsense', async () => {
    const type = 'application/x-git-upload-pack-advertisement';
    const told = await failure(await served(answering(200, 'nonsense', type)));
    expect(told).toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining('protocol error') });
  });

  test('nobody listens', async () => {
    const server = createServer();
    const port = await listen(server);
    await stop(server);
    // Names that other failures are known by say nothing here.
    const address = `http://127.0.0.1:${port}/ssl-proxy/certificate.git`;
    expect(await failure(address)).toEqual({
      code: 'HOST_UNREACHABLE',
      message: `The host of ${address} can't be reached: check its name, its port, the network, and the proxy where there is one.`,
    });
  });

  test('a host is not known', async () => {
    const told = await failure('http://ssl-proxy.invalid/o/r.git');
    expect(told.code).toBe('HOST_UNREACHABLE');
    expect(told.message).toBe(
      "The host of http://ssl-proxy.invalid/o/r.git can't be found: check its name and the network.",
    );
  });

  test('a host speaks no https', async () => {
    const address = (await served()).replace('http:', 'https:');
    const told = await failure(address);
    expect(told.code).toBe('HOST_UNREACHABLE');
    expect(told.message).toMatch(/^There is no secure connection to \S+: check its port/);
  });

  test('a host has a certificate that nobody vouches for', async () => {
    const { key, cert } = makeCertificate(folderWith({}), ['localhost']);
    const server = createSecureServer({ key, cert });
    const port = await listen(server);
    onTestFinished(() => stop(server));
    const address = `https://localhost:${port}/r.git`;
    expect(await failure(address)).toEqual({
      code: 'HOST_UNREACHABLE',
      message: `There is no secure connection to ${address}: its certificate is not trusted here. See git's http.sslCAInfo.`,
    });
  });

  test.each([
    ['refuses', (port: number) => `http://127.0.0.1:${port}`],
    ['is not known', () => 'http://proxy.invalid:1'],
  ])('a proxy %s', async (_, proxyAt) => {
    const server = createServer();
    server.on('connect', (_request, socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    const port = await listen(server);
    onTestFinished(() => stop(server));
    vi.stubEnv('https_proxy', proxyAt(port));
    vi.stubEnv('no_proxy', '');
    const told = await failure('https://host.invalid/o/r.git');
    expect(told.code).toBe('HOST_UNREACHABLE');
    expect(told.message).toBe(
      "https://host.invalid/o/r.git can't be reached through the proxy: check HTTPS_PROXY and git's http.proxy.",
    );
  });

  test('git is not installed', async () => {
    vi.stubEnv('PATH', folderWith({}));
    const told = await failure('https://host.invalid/o/r.git');
    expect(told).toEqual({
      code: 'GIT_FAILED',
      message:
        'git is needed to read https://host.invalid/o/r.git, and is not installed: install it, and see that it is on the PATH.',
    });
  });
});

/** A server whose answers fail from the one to the `nth` upload on. */
async function failing(nth: number, fault: Fault, { root, path } = newRepository()): Promise<string> {
  let posts = 0;
  const { url } = await servePartly(root, path, {
    hook: (request, response) => {
      if (request.method !== 'POST' || ++posts < nth) return false;
      const place = { root, path: new URL(request.url ?? '', 'http://host').pathname, query: '' };
      void gitBackend(request, place).then((answer) => send(response, answer, fault));
      return true;
    },
  });
  return `${url}/r.git`;
}

/** By the number of the request: the refs, then the commit with its trees, then the contents. */
const STAGES = { refs: 1, commit: 3, contents: 4 };

describe.each(Object.entries(STAGES))('a host fails while it gives the %s', (_, nth) => {
  test.each([0, 30, 150])('by ending after %i bytes', async (afterBytes) => {
    const address = await failing(nth, { kind: 'cut', afterBytes });
    expect((await failure(address)).code).toMatch(/^(?:HOST_FAILED|HOST_UNREACHABLE)$/);
  });

  test.each([undefined, 150])('by being silent after %s bytes', async (afterBytes) => {
    const address = await failing(nth, { kind: 'stall', ...(afterBytes && { afterBytes }) });
    expect(await failure(address, 1)).toEqual({
      code: 'HOST_SILENT',
      message: `${address} did not answer for 1 second: try again, or give it longer with --timeout.`,
    });
  });
});

test('a host may be slow, if it is not silent', async () => {
  const { root, path } = newRepository();
  addCommit(path, 'main', { noise: Buffer.concat(Array.from({ length: 10_000 }, (_, at) => hashOf(at))) });
  const address = await failing(1, { kind: 'slow', bytesPerSecond: 80_000 }, { root, path });
  const begin = performance.now();
  const { files } = await digest(address, { remote: { timeout: 2 } });
  expect(performance.now() - begin).toBeGreaterThan(4000);
  expect(files.map(({ path }) => path)).toContain('README.md');
});

test('no program waits on for a host that is silent', async () => {
  const address = await failing(STAGES.contents, { kind: 'stall' });
  const waiting = () => runningCommands().filter((command) => command.includes(address));
  const run = failure(address, 1);
  await expect.poll(waiting).not.toEqual([]);
  expect((await run).code).toBe('HOST_SILENT');
  await expect.poll(waiting).toEqual([]);
});

test('a run that is cancelled while a host is silent ends at once, and leaves nothing', async () => {
  const { root, path } = newRepository();
  const cache = newCache();
  const controller = new AbortController();
  let posts = 0;
  const { url } = await servePartly(root, path, {
    hook: ({ method }) => {
      const isSilent = method === 'POST' && ++posts === STAGES.contents;
      if (isSilent) controller.abort();
      return isSilent;
    },
  });
  const run = digest(`${url}/r.git`, { remote: { cache }, signal: controller.signal });
  expect((await failureOf(run)).code).toBe('ABORTED');
  expect(posts).toBe(STAGES.contents);
  expect(filesBelow(cache.folder)).toEqual(['CACHEDIR.TAG']);
});

describe('by git daemon', () => {
  test('a repository is not there', async () => {
    const daemon = await serveGitDaemon(newRepository().root);
    onTestFinished(() => daemon.close());
    const told = await failure(`${daemon.url}/none.git`);
    expect(told.code).toBe('REPOSITORY_NOT_FOUND');
    expect(told.message).toContain(`There is no repository at ${daemon.url}/none.git`);
  });

  test.each([
    ['unknown', 'git://host.invalid/r.git', /can't be found: check its name/],
    ['not listening', 'git://127.0.0.1:1/r.git', /can't be reached: check its name, its port/],
  ])('a host is %s', async (_, address, message) => {
    const told = await failure(address);
    expect(told.code).toBe('HOST_UNREACHABLE');
    expect(told.message).toMatch(message);
  });

  test('a host hangs up', async () => {
    const address = `git://127.0.0.1:${await hangingUp()}/r.git`;
    expect(await failure(address)).toEqual({
      code: 'GIT_FAILED',
      message: `git can't read ${address}: the host ended the connection.`,
    });
  });
});

/** The port of a server that ends every connection once it has heard something. */
async function hangingUp(): Promise<number> {
  const server = createSocketServer((socket) =>
    socket.once('data', () => socket.end()).on('error', () => {}),
  );
  onTestFinished(() => void server.close());
  return await listen(server);
}

describe('by ssh', () => {
  async function served(root = newRepository().root): Promise<SshServer> {
    const server = await serveSsh(root);
    onTestFinished(() => server.close());
    return server;
  }

  const commandOf = ({ env }: SshServer) => env.GIT_SSH_COMMAND as string;
  const keyOf = (server: SshServer) => /-i '([^']*)'/.exec(commandOf(server))?.[1] as string;
  const hostsOf = (server: SshServer) => /UserKnownHostsFile=([^']*)/.exec(commandOf(server))?.[1] as string;

  test('a repository is not there', async () => {
    const server = await served();
    vi.stubEnv('GIT_SSH_COMMAND', commandOf(server));
    const told = await failure(`${server.url}/none.git`);
    expect(told.code).toBe('REPOSITORY_NOT_FOUND');
    expect(told.message).toContain(`There is no repository at ${server.url}/none.git`);
  });

  test('the host has a key that is not known', async () => {
    const [server, other] = [await served(), await served()];
    vi.stubEnv('GIT_SSH_COMMAND', commandOf(other));
    const address = `${server.url}/r.git`;
    expect(await failure(address)).toEqual({
      code: 'UNAUTHORIZED',
      message: `The key of ${address}'s host is not known: connect to it once with ssh, and accept the key.`,
    });
  });

  test('the host has another key than it had', async () => {
    const [server, other] = [await served(), await served()];
    const hosts = join(folderWith({}), 'hosts');
    const line = readFileSync(hostsOf(other), 'utf8').replace(`${other.port}`, `${server.port}`);
    writeFileSync(hosts, line);
    vi.stubEnv('GIT_SSH_COMMAND', commandOf(server).replace(hostsOf(server), hosts));
    const told = await failure(`${server.url}/r.git`);
    expect(told.code).toBe('UNAUTHORIZED');
    expect(told.message).toContain('is not the one it had, so it may be another host: ask who runs it');
  });

  test('the host takes none of the keys', async () => {
    const [server, other] = [await served(), await served()];
    vi.stubEnv('GIT_SSH_COMMAND', commandOf(server).replace(keyOf(server), keyOf(other)));
    const address = `${server.url}/r.git`;
    expect(await failure(address)).toEqual({
      code: 'UNAUTHORIZED',
      message: `The host of ${address} accepts none of your ssh keys: add one to your account or to ssh-agent.`,
    });
  });

  test.each([
    ['unknown', async () => 'ssh://git@host.invalid/r.git', /can't be found: check its name/],
    [
      'not listening',
      async () => 'ssh://git@127.0.0.1:1/r.git',
      /can't be reached: check its name, its port/,
    ],
    [
      'hanging up',
      async () => `ssh://git@127.0.0.1:${await hangingUp()}/r.git`,
      /can't be reached: check its name/,
    ],
  ])('a host is %s', async (_, addressOf, message) => {
    const told = await failure(await addressOf());
    expect(told.code).toBe('HOST_UNREACHABLE');
    expect(told.message).toMatch(message);
  });

  test('ssh is not installed', async () => {
    const tools = folderWith({});
    for (const tool of ['git', 'sh'])
      symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(tools, tool));
    vi.stubEnv('PATH', tools);
    const told = await failure('ssh://git@host.invalid/r.git');
    expect(told).toEqual({
      code: 'GIT_FAILED',
      message:
        'ssh is needed to read ssh://git@host.invalid/r.git, and is not installed: install it, or use https.',
    });
  });
});
