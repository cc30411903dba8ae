import type { RemoteAddress } from './address.ts';
import { checkCharacters, checkHost, checkPath } from './check.ts';
import { gitAddress } from './git.ts';

/** An address as scp has it, `user@host:path`. */
export interface Scp {
  readonly user: string;
  readonly host: string;
  readonly path: string;
}

/**
 * The parts of `user@host:path` by git's rules (git-clone(1)), or `undefined` where it is none. One letter before
 * the colon is a drive; an `@` in what follows up to a slash would make that a password.
 */
export function readScp(text: string): Scp | undefined {
  const [, user = '', host, path] = SCP.exec(text) ?? [];
  return host === undefined || path === undefined ? undefined : { user, host, path };
}

const SCP = /^(?:([^/@:]+)@)?(\[[\da-f:.]+\]|[^/@:[\]]{2,}):(?!\/*[^/]*@)\/*(.*?)\/*$/is;

/** The repository that such an address names; it is shown as its `ssh://` form. Throws `BAD_ADDRESS`. */
export function parseScp(address: string, { user, host, path }: Scp): RemoteAddress {
  checkCharacters(address);
  checkHost(address, host, user);
  checkPath(address, path);
  return gitAddress({
    address,
    cloneUrl: address.replace(/\/+$/, ''),
    protocol: 'ssh:',
    user,
    host,
    path: encodeURI(path).replace(/[?#]/g, encodeURIComponent),
    repository: path,
    tail: undefined,
  });
}
