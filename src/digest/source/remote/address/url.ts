import { fileURLToPath } from 'node:url';
import type { LocalAddress, RemoteAddress } from './address.ts';
import { badAddress, checkCharacters, checkHost, checkPath, decode } from './check.ts';
import { gitAddress } from './git.ts';
import { githubAddress, githubOrigin } from './github.ts';
import { splitPath } from './tail.ts';

/** The folder that a `file:` URL names. Throws `BAD_ADDRESS`. */
export function parseFileUrl(address: string): LocalAddress {
  const url = readUrl(address, address);
  if (url.host !== '') throw badAddress(address, 'names another computer: give the path of a folder here.');
  try {
    return { kind: 'path', path: fileURLToPath(url) };
  } catch {
    throw badAddress(address, 'has a % that stands for no character of a path: write it as %25.');
  }
}

/** The repository that an address with any other scheme names. Throws `BAD_ADDRESS`. */
export function parseUrl(address: string, githubOrigins: readonly string[]): RemoteAddress {
  const plain = address.replace(NPM_PREFIX, '');
  if (!KNOWN_SCHEME.test(plain)) {
    throw badAddress(address, 'has a scheme that is not known: use https, http, ssh, git or file.');
  }
  const url = readUrl(address, plain);
  const { protocol, host, pathname } = url;
  const user = decode(url.username, address);
  const password = decode(url.password, address);
  checkHost(address, host, user);
  const path = pathname.replace(OUTER_SLASHES, '');
  const parts = path.split('/').map((part) => decode(part, address));
  checkPath(address, parts.join('/'));

  // ssh is used as named: the user's keys may be what gives access. GitHub no longer answers to git://.
  const origin = protocol === 'ssh:' ? undefined : githubOrigin(host, githubOrigins);
  if (origin !== undefined && !WIKI.test(parts[1] ?? '')) {
    return githubAddress({ address, origin, host, parts, user, password });
  }
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (password !== '' && !isWeb) {
    throw badAddress(address, 'has a password, which only https takes: leave it out.');
  }
  const { length, tail } = isWeb ? splitPath(host, parts) : { length: parts.length, tail: undefined };
  url.pathname = path.split('/').slice(0, length).join('/');
  url.search = '';
  url.hash = '';
  return gitAddress({
    address,
    cloneUrl: url.href,
    protocol,
    user,
    host,
    path: url.pathname.slice(1),
    repository: parts.slice(0, length).join('/'),
    tail,
  });
}

/** npm writes git's addresses with it. */
const NPM_PREFIX = /^git\+(?=(?:https?|ssh):)/i;
const KNOWN_SCHEME = /^(?:https?|ssh|git):/i;
const OUTER_SLASHES = /^\/+|\/+$/g;
/** A wiki is a repository of its own, which GitHub's API does not know. */
const WIKI = /\.wiki(?:\.git)?$/;

function readUrl(address: string, plain: string): URL {
  checkCharacters(address);
  if (URL.canParse(plain)) return new URL(plain);
  throw badAddress(
    address,
    'is not a well-formed address: write it as https://host/path or ssh://user@host/path.',
  );
}
