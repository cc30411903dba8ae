import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commit, repository, tempFolder } from '../../fixture.ts';
import { describeGitFailure } from './failure.ts';

const URL = 'https://host.example/o/r.git';

function describeFailure(stderr: string): { code: string; message: string } {
  const { code, message } = describeGitFailure({ code: 128, stderr, isMissing: false }, URL);
  return { code, message };
}

/** What git says on stderr when it is run so. */
async function complaintOf(args: readonly string[], cwd = tempFolder()): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  return text(spawn('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] }).stderr);
}

/** A server that answers all requests with a status. */
async function statusServer(status: number): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/o/r`;
}

describe('what git says here', () => {
  test.each([
    [401, 'UNAUTHORIZED'],
    [403, 'UNAUTHORIZED'],
    [404, 'REPOSITORY_NOT_FOUND'],
    [429, 'RATE_LIMITED'],
    [500, 'HOST_FAILED'],
    [504, 'HOST_FAILED'],
    [418, 'GIT_FAILED'],
  ])('of status %i', async (status, code) => {
    const complaint = await complaintOf(['ls-remote', await statusServer(status)]);
    expect(describeFailure(complaint).code).toBe(code);
  });

  test.each([
    ['a folder that is no repository', ['ls-remote', '.'], 'REPOSITORY_NOT_FOUND'],
    ['a protocol that it has no program for', ['ls-remote', 'gopher://host/x'], 'GIT_FAILED'],
    ['an unknown host', ['ls-remote', 'http://host.invalid/x'], 'HOST_UNREACHABLE'],
    ['a port that nobody listens on', ['ls-remote', 'http://127.0.0.1:1/x'], 'HOST_UNREACHABLE'],
    ['a wrong option', ['ls-remote', '--none'], 'GIT_FAILED'],
  ])('of %s', async (_, args, code) => {
    expect(describeFailure(await complaintOf(args)).code).toBe(code);
  });

  test('of refs and commits that are not there', async () => {
    const root = repository({ a: '' });
    commit(root);
    for (const ref of ['none', 'f'.repeat(40)]) {
      const complaint = await complaintOf(
        ['-c', 'protocol.file.allow=always', 'fetch', `file://${root}`, ref],
        root,
      );
      expect(describeFailure(complaint).code).toBe('BAD_REF');
    }
  });
});

/** Which hosts, programs or versions of git they come from; tests with real servers have more of them. */
test.each([
  [
    'GitHub',
    "remote: Repository not found.\nfatal: repository 'https://github.com/o/r/' not found\n",
    'REPOSITORY_NOT_FOUND',
  ],
  [
    'GitHub, by ssh',
    'ERROR: Repository not found.\nfatal: Could not read from remote repository.\n',
    'REPOSITORY_NOT_FOUND',
  ],
  [
    'GitLab',
    "remote: The project you were looking for could not be found or you don't have permission to view it.\nfatal: repository 'https://gitlab.com/o/r/' not found\n",
    'REPOSITORY_NOT_FOUND',
  ],
  [
    'GitLab, a wrong token',
    "remote: HTTP Basic: Access denied. The provided password or token is incorrect\nfatal: Authentication failed for 'https://gitlab.com/o/r/'\n",
    'UNAUTHORIZED',
  ],
  [
    'GitHub, an ssh key',
    'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n',
    'UNAUTHORIZED',
  ],
  [
    'git daemon',
    'fatal: remote error: access denied or repository not exported: /r.git\n',
    'REPOSITORY_NOT_FOUND',
  ],
  [
    'OpenSSH, a new key',
    'No ED25519 host key is known for host.example and you have requested strict checking.\nHost key verification failed.\n',
    'UNAUTHORIZED',
  ],
  [
    'curl with OpenSSL',
    `fatal: unable to access '${URL}/': SSL certificate problem: self-signed certificate\n`,
    'HOST_UNREACHABLE',
  ],
  [
    'curl with GnuTLS',
    `fatal: unable to access '${URL}/': server certificate verification failed. CAfile: none CRLfile: none\n`,
    'HOST_UNREACHABLE',
  ],
  [
    'curl on macOS',
    `fatal: unable to access '${URL}/': LibreSSL SSL_connect: SSL_ERROR_SYSCALL in connection to host.example:443\n`,
    'HOST_UNREACHABLE',
  ],
  [
    'curl, a proxy',
    `fatal: unable to access '${URL}/': Received HTTP code 407 from proxy after CONNECT\n`,
    'HOST_UNREACHABLE',
  ],
  [
    'a cut connection',
    'error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF\n',
    'HOST_FAILED',
  ],
  ['git 2.11', 'error: Server does not allow request for unadvertised object ffffffff\n', 'BAD_REF'],
])('%s', (_, stderr, code) => {
  expect(describeFailure(stderr).code).toBe(code);
});

test('what to do about a certificate is said of certificates alone', () => {
  const of = (why: string) => describeFailure(`fatal: unable to access '${URL}/': ${why}\n`).message;
  expect(of('SSL certificate problem: self-signed certificate')).toContain('not trusted here');
  expect(of('OpenSSL/3.0.2: error:0A00010B:SSL routines::wrong version number')).toContain(
    'speaks https there',
  );
  expect(of('gnutls_handshake() failed: An unexpected TLS packet was received.')).toContain(
    'speaks https there',
  );
});

test.each(['ssl.example', 'certificate-proxy.example'])(
  'the name of the host %s says nothing of the failure',
  (host) => {
    const url = `https://${host}/tls/proxy.git`;
    for (const why of [
      `Failed to connect to ${host} port 443 after 3 ms: Connection refused`,
      `Could not resolve host: ${host}`,
    ]) {
      const stderr = `fatal: unable to access '${url}/': ${why}\n`;
      const { message } = describeGitFailure({ code: 128, stderr, isMissing: false }, url);
      expect(message).toMatch(/ can't be (?:reached|found): /);
    }
  },
);

test("what is not known is said in git's own words, in one line, without what may not be shown", () => {
  const message = (stderr: string) => describeFailure(stderr).message;
  expect(message('warning: x\nfatal: the sky fell.\nhint: y\n')).toBe(`git can't read ${URL}: the sky fell.`);
  expect(message('Something\r\nelse\n')).toBe(`git can't read ${URL}: else.`);
  expect(message('')).toBe(`git can't read ${URL}: the host ended the connection.`);
  expect(
    message(
      'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n',
    ),
  ).toBe(`git can't read ${URL}: the host ended the connection.`);
  expect(message('fatal: bad \x1b[2J https://ann:secret@host.example/o/r?token=secret\n')).toBe(
    `git can't read ${URL}: bad ␛[2J https://host.example/o/r.`,
  );
});

test('a message shows no control characters of the address', () => {
  const { message } = describeGitFailure({ code: 128, stderr: '', isMissing: true }, 'https://host/\x1b\n');
  expect(message).toContain('https://host/␛␊');
});
