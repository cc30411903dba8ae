import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PlimsollError } from '../../../../errors.ts';
import { describeGitHubFailure, describeNoAnswer, isHopeless } from './failure.ts';

const CONTEXT = { host: 'api.github.com', repository: 'o/r', hasToken: false };
const about = (status: number, headers: Record<string, string> = {}, message = 'Said so') =>
  describeGitHubFailure({ status, message, response: { headers } }, CONTEXT);

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
beforeEach(() => {
  for (const name of PROXIES) vi.stubEnv(name, '');
});
afterEach(() => void vi.unstubAllEnvs());

describe('an answer', () => {
  test.each([
    [401, 'UNAUTHORIZED', /\(Said so\): renew it/],
    [403, 'FORBIDDEN', /refuses to show o\/r \(Said so\)/],
    [404, 'REPOSITORY_NOT_FOUND', /set GITHUB_TOKEN/],
    [409, 'NO_COMMIT', /push one to it/],
    [422, 'BAD_REF', /has no such commit \(Said so\)/],
    [429, 'RATE_LIMITED', /try again in a few minutes/],
    [451, 'BLOCKED', /legal reasons/],
    [418, 'HOST_FAILED', /is none of GitHub's \(418: Said so\)/],
    [503, 'HOST_FAILED', /failed \(503\) though asked several times/],
  ])('of %d is %s', (status, code, says) => {
    const error = about(status);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(says);
  });

  test('that there are no requests left says until when', () => {
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '60',
      'x-ratelimit-reset': '1700000000',
    };
    expect(about(403, headers).message).toBe(
      'The 60 requests an hour that api.github.com allows are used up until 22:13 UTC. With GITHUB_TOKEN set there are 5,000.',
    );
    expect(about(403, { 'x-ratelimit-remaining': '0' }).message).toContain(' used up until later.');
  });

  test('that there were too many at once says how long to wait, if that is known', () => {
    expect(about(403, { 'retry-after': '1' }).message).toContain('try again in 1 second.');
    expect(about(403, {}, 'You have exceeded a secondary rate limit').message).toContain('in a few minutes.');
  });

  test('says what it says in one line, without addresses and anything that acts on a terminal', () => {
    const { message } = about(403, {}, `a\nb\x1b[2J${'c'.repeat(300)} - https://docs.github.com/x`);
    expect(message).toMatch(/^\P{Cc}+$/u);
    expect(message).not.toContain('docs.github.com');
    expect(message.length).toBeLessThan(350);
    expect(about(403, { 'x-github-sso': 'required; url=https://x/\x1b[2J' }).message).toMatch(/^\P{Cc}+$/u);
  });
});

describe('no answer', () => {
  const failed = (code: string, message = 'failed') =>
    new Error('fetch failed', { cause: Object.assign(new Error(message), { code }) });

  test.each([
    ['ENOTFOUND', /^api\.github\.com can't be found: check the network, or set HTTPS_PROXY/],
    ['EAI_AGAIN', /^api\.github\.com can't be found/],
    [
      'ECONNREFUSED',
      /^api\.github\.com can't be reached \(ECONNREFUSED\): check the network, or use --offline/,
    ],
    ['SELF_SIGNED_CERT_IN_CHAIN', /its certificate is not trusted here\. See NODE_EXTRA_CA_CERTS\.$/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /its certificate is not trusted here/],
  ])('for %s', (code, says) => {
    const error = describeNoAnswer(failed(code), 'api.github.com');
    expect(error.code).toBe('HOST_UNREACHABLE');
    expect(error.message).toMatch(says);
    expect(isHopeless(failed(code))).toBe(true);
  });

  test('names the proxy that is set, and not what its address holds', () => {
    vi.stubEnv('https_proxy', 'http://user:hunter2@proxy:8080');
    for (const code of ['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED']) {
      const { message } = describeNoAnswer(failed(code), 'api.github.com');
      expect(message).toContain(' through the proxy that https_proxy names');
      expect(message).not.toContain('hunter2');
    }
    const { message } = describeNoAnswer(new Error('bad http://user:hunter2@proxy:8080'), 'h');
    expect(message).not.toContain('hunter2');
  });

  test('keeps what is known already, and looks into errors of several attempts', () => {
    const silence = new PlimsollError('HOST_SILENT', 'silent');
    expect(describeNoAnswer(new Error('x', { cause: silence }), 'h')).toBe(silence);
    expect(isHopeless(new Error('x', { cause: silence }))).toBe(true);
    const both = new AggregateError([failed('ECONNREFUSED'), failed('ECONNREFUSED')]);
    expect(describeNoAnswer(both, 'h').message).toContain('(ECONNREFUSED)');
    expect(isHopeless(both)).toBe(true);
    expect(isHopeless(failed('ECONNRESET'))).toBe(false);
    expect(isHopeless(undefined)).toBe(false);
  });
});
