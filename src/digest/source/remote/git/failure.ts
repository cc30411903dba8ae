import { type ErrorCode, PlimsollError } from '../../../../errors.ts';
import { withoutCredentials } from '../../../../text/credentials.ts';
import { visibleName } from '../../../../text/visible.ts';
import type { GitExit } from '../../git-command.ts';

interface Failure {
  readonly says: RegExp;
  readonly code: ErrorCode;
  /** What is the matter with the repository at `url`, and what to do. */
  readonly message: (url: string) => string;
}

/** What git and ssh say of failures, and what that means. The first that fits counts. */
const FAILURES: readonly Failure[] = [
  {
    says: /unable to update url base from redirection|redirection is .*not allowed/i,
    code: 'HOST_FAILED',
    message: (url) =>
      `The host of ${url} leads elsewhere in a way git doesn't follow: give the address it leads to.`,
  },
  {
    says: /no space left on device|disk quota exceeded/i,
    code: 'CACHE_UNWRITABLE',
    message: (url) =>
      `The disk is full, so that ${url} can't be fetched: free some room, or set PLIMSOLL_CACHE_DIR to a folder elsewhere.`,
  },
  {
    says: /remote helper for '\w+'|remote-\w+' is not a git command/,
    code: 'GIT_FAILED',
    message: (url) => `This git can't reach ${url}: it was built without support for such addresses.`,
  },
  {
    says: /cannot run \S*ssh\b|\bssh: (?:command )?not found/,
    code: 'GIT_FAILED',
    message: (url) => `ssh is needed to read ${url}, and is not installed: install it, or use https.`,
  },
  {
    says: /not our ref|couldn't find remote ref|no such remote ref|unadvertised object|invalid refspec/i,
    code: 'BAD_REF',
    message: (url) => `${url} does not give out that commit: name a branch or a tag.`,
  },
  {
    says: /host identification has changed/i,
    code: 'UNAUTHORIZED',
    message: (url) =>
      `The key of ${url}'s host is not the one it had, so it may be another host: ask who runs it, and see ~/.ssh/known_hosts.`,
  },
  {
    says: /host key verification failed/i,
    code: 'UNAUTHORIZED',
    message: (url) =>
      `The key of ${url}'s host is not known: connect to it once with ssh, and accept the key.`,
  },
  {
    says: /permission denied \(|too many authentication failures/i,
    code: 'UNAUTHORIZED',
    message: (url) =>
      `The host of ${url} accepts none of your ssh keys: add one to your account or to ssh-agent.`,
  },
  {
    says: /authentication failed|invalid credentials|HTTP Basic: Access denied|returned error: 403|HTTP 403/i,
    code: 'UNAUTHORIZED',
    message: (url) =>
      `The host of ${url} refuses access: check the user name and password, or the token, that it gets, and what they may read.`,
  },

  {
    says: /could not read (?:username|password)|returned error: 401|HTTP 401/i,
    code: 'UNAUTHORIZED',
    message: (url) =>
      `${url} is private, or does not exist: the host asks for a user name and password. Check the spelling; for a private one set up a git credential helper.`,
  },
  {
    says: /returned error: 429|HTTP 429/,
    code: 'RATE_LIMITED',
    message: (url) => `The host of ${url} wants fewer requests: try again in a few minutes.`,
  },
  {
    says: /could not resolve proxy|from proxy|proxy CONNECT|CONNECT tunnel|returned error: 407/i,
    code: 'HOST_UNREACHABLE',
    message: (url) => `${url} can't be reached through the proxy: check HTTPS_PROXY and git's http.proxy.`,
  },
  {
    says: /returned error: 5\d\d|HTTP 5\d\d|early EOF|unexpected disconnect|hung up unexpectedly|invalid index-pack output|curl 18|curl 56|RPC failed/i,
    code: 'HOST_FAILED',
    message: (url) => `The host of ${url} failed while it answered: try again later.`,
  },
  {
    says: /repository .*not found|does not appear to be a git repository|is this a git repository|no such repository|not exported|returned error: 404|could not be found|project you were looking for|does not exist|access denied or repository/i,
    code: 'REPOSITORY_NOT_FOUND',
    message: (url) =>
      `There is no repository at ${url}, or it is private: check the spelling; for a private one set up ${url.startsWith('ssh:') ? 'an ssh key' : 'a git credential helper'}.`,
  },
  {
    says: /could not resolve|name or service not known|temporary failure in name resolution|unable to look up/i,
    code: 'HOST_UNREACHABLE',
    message: (url) => `The host of ${url} can't be found: check its name and the network.`,
  },
  {
    says: /failed to connect|couldn't connect|connection (?:refused|timed out|reset|closed)|unable to connect|network is unreachable|no route to host|empty reply|broken pipe/i,
    code: 'HOST_UNREACHABLE',
    message: (url) =>
      `The host of ${url} can't be reached: check its name, its port, the network, and the proxy where there is one.`,
  },
  {
    says: /certificate/i,
    code: 'HOST_UNREACHABLE',
    message: (url) =>
      `There is no secure connection to ${url}: its certificate is not trusted here. See git's http.sslCAInfo.`,
  },
  {
    says: /ssl|tls/i,
    code: 'HOST_UNREACHABLE',
    message: (url) =>
      `There is no secure connection to ${url}: check its port, and whether the host speaks https there.`,
  },
];

/** What names an address may fit any of the patterns, but says nothing. */
const ADDRESS = /\S*:\/\/\S+|\b(?<=connect to |resolve host: )\S+/gi;

/** What git adds to whatever ssh has said. */
const ADVICE = /^(?:fatal: Could not read from remote|Please make sure you have|and the repository exists)/;

/** Why git could not read a repository on another machine, as an error for the user. */
export function describeGitFailure({ stderr, isMissing }: GitExit, shownUrl: string): PlimsollError {
  const url = visibleName(shownUrl);
  if (isMissing) {
    return new PlimsollError(
      'GIT_FAILED',
      `git is needed to read ${url}, and is not installed: install it, and see that it is on the PATH.`,
    );
  }
  const told = stderr.replace(ADDRESS, '');
  const known = FAILURES.find(({ says }) => says.test(told));
  if (known) return new PlimsollError(known.code, known.message(url));
  return new PlimsollError('GIT_FAILED', `git can't read ${url}: ${reasonIn(stderr)}.`);
}

function reasonIn(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !ADVICE.test(line));
  const line =
    lines.find((text) => text.startsWith('fatal: ')) ?? lines.at(-1) ?? 'the host ended the connection';
  const reason = line.replace(/^fatal: (?:unable to access '[^']*': )?/, '').replace(/\.$/, '');
  return visibleName(withoutCredentials(reason));
}
