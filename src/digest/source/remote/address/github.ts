import type { RemoteAddress } from './address.ts';
import { badAddress, checkDashes, checkTail } from './check.ts';
import { pageTail } from './tail.ts';

type Parts = readonly string[];

/** The web origin of GitHub itself. */
export const GITHUB = 'https://github.com';

/** GitHub's own hosts, and how github.com would write their paths. */
const HOSTS: ReadonlyMap<string, (parts: Parts) => Parts> = new Map([
  ['github.com', (parts: Parts) => parts],
  ['www.github.com', (parts: Parts) => parts],
  ['codeload.github.com', (parts: Parts) => parts],
  ['api.github.com', ([first, ...rest]: Parts) => (first === 'repos' ? rest : [])],
  ['raw.githubusercontent.com', ([owner = '', repo = '', ...rest]: Parts) => [owner, repo, 'raw', ...rest]],
]);

/** The web origin of the GitHub that a host is part of, by GitHub's own hosts and further servers' `origins`. */
export function githubOrigin(host: string, origins: readonly string[]): string | undefined {
  const name = host.toLowerCase();
  return HOSTS.has(name) ? GITHUB : origins.find((origin) => new URL(origin).host === name);
}

/** An address in its parts, decoded. */
interface GithubParts {
  /** As the user gave it, for messages. */
  readonly address: string;
  /** The web origin of its GitHub. */
  readonly origin: string;
  readonly host: string;
  /** The parts of its path. */
  readonly parts: Parts;
  readonly user: string;
  readonly password: string;
}

/** What no repository can be called: a URL takes the first two for folders. */
const NO_REPO: ReadonlySet<string> = new Set(['.', '..', '.git']);

/** A repository on GitHub. Throws `BAD_ADDRESS`. */
export function githubAddress({ address, origin, host, parts, user, password }: GithubParts): RemoteAddress {
  const named = parts.filter((part) => part !== '');
  const [owner = '', repoAsWritten = '', ...rest] = HOSTS.get(host.toLowerCase())?.(named) ?? named;
  const repo = repoAsWritten.replace(/(?<=.)\.git$/, '');
  if (repo === '') {
    throw badAddress(
      address,
      'names no repository: add its owner and name, as in https://github.com/owner/repo.',
    );
  }
  checkDashes(address, `${owner}/${repo}`);
  if (!OWNER.test(owner) || !REPO.test(repo) || NO_REPO.has(repo)) {
    throw badAddress(address, 'names no repository that GitHub could have: check its owner and name.');
  }
  const tail = pageTail(rest);
  checkTail(address, tail);
  const token = tokenOf(user, password);
  if (token !== undefined && !PRINTABLE.test(token)) {
    throw badAddress(address, 'has a password that is no token of GitHub: leave it out or check it.');
  }
  const url = `${origin}/${owner}/${repo}`;
  return {
    kind: 'github',
    cloneUrl: `${url}.git`,
    url,
    name: `${owner}/${repo}`,
    host: new URL(origin).host,
    owner,
    repo,
    ...(token !== undefined && { token }),
    ...(tail && { tail }),
  };
}

/** GitHub's rules for new names are stricter; some old names would break those. */
const OWNER = /^\w[\w-]{0,99}$/;
const REPO = /^[\w.-]{1,100}$/;

/** The password, or the user name where that looks like a token or the password says that it is one. */
function tokenOf(user: string, password: string): string | undefined {
  if (password !== '' && password !== 'x-oauth-basic') return password;
  return password !== '' || TOKEN.test(user) ? user : undefined;
}

const TOKEN = /^(?:gh[a-z]_|github_pat_)\w+$|^[\da-f]{40}$/;
const PRINTABLE = /^[\x21-\x7e]+$/;
