import { withoutCredentials } from '../../../../text/credentials.ts';
import type { RemoteAddress } from './address.ts';
import { badAddress, checkDashes, checkTail } from './check.ts';
import type { Tail } from './tail.ts';

/** An address in its parts. */
interface GitParts {
  /** As the user gave it, for messages. */
  readonly address: string;
  readonly cloneUrl: string;
  /** `https:` and the like. */
  readonly protocol: string;
  /** Decoded. */
  readonly user: string;
  readonly host: string;
  /** The repository's path as it stands in a URL, without slashes at its ends. */
  readonly path: string;
  /** The same, decoded. */
  readonly repository: string;
  readonly tail: Tail | undefined;
}

/** A repository that git itself is to fetch. Throws `BAD_ADDRESS`. */
export function gitAddress(parts: GitParts): RemoteAddress {
  const { address, cloneUrl, protocol, user, path, repository, tail } = parts;
  const name = repository.replace(/\/?\.git$/, '');
  if (name === '') {
    throw badAddress(address, 'names no repository: add its path, as in https://host/owner/repo.');
  }
  checkDashes(address, repository);
  checkTail(address, tail);
  const host = parts.host.toLowerCase();
  const login = protocol === 'ssh:' && user !== '' ? `${encodeURIComponent(user)}@` : '';
  return {
    kind: 'git',
    cloneUrl,
    // A path may be an address in turn, of a mirror.
    url: withoutCredentials(`${protocol}//${login}${host}/${path}`),
    name: withoutCredentials(name),
    host,
    ...(tail && { tail }),
  };
}
