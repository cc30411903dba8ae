import { PlimsollError } from '../../../../errors.ts';
import { badAddress } from './check.ts';
import { GITHUB, githubOrigin } from './github.ts';
import { parseScp, readScp } from './scp.ts';
import type { Tail } from './tail.ts';
import { parseFileUrl, parseUrl } from './url.ts';

/** A folder here, or a bare repository. */
export interface LocalAddress {
  readonly kind: 'path';
  readonly path: string;
}

/** A repository on a host. */
export interface RemoteAddress {
  /** `github` where the host is one, unless it is to be reached by ssh. */
  readonly kind: 'github' | 'git';
  /** What git takes. For `git` with the credentials that the address has, so never to be shown. */
  readonly cloneUrl: string;
  /** For documents and messages: without credentials (ssh's user name is none), query and tail. */
  readonly url: string;
  /** `owner/repo`, or longer where the host has groups in groups; decoded, without `.git`. */
  readonly name: string;
  /** In lower case, with its port where that isn't the scheme's own. */
  readonly host: string;
  /** Only for `github`. */
  readonly owner?: string;
  /** Only for `github`. */
  readonly repo?: string;
  /** Only for `github`: the token that stands in the address, printable ASCII. Never to be shown. */
  readonly token?: string;
  /** What the address says beside the repository. */
  readonly tail?: Tail;
}

export interface AddressOptions {
  /**
   * The web origins of GitHub servers besides github.com (`https://ghe.example:8443`). `owner/repo` is on the
   * first of them, or on github.com where there is none.
   */
  readonly githubOrigins: readonly string[];
  /** True where there is a file or folder of this name here. */
  readonly exists: (path: string) => boolean;
}

/**
 * What a user names as a source: a folder, `owner/repo`, or the address of a repository, or of a page of it, on
 * GitHub, GitLab, Gitea, Bitbucket or any host that speaks git. What exists here is a path, unless it begins with
 * a scheme. Nothing else is looked up.
 *
 * Throws a `PlimsollError`, `BAD_ADDRESS`, that shows the address without its credentials.
 */
export function parseAddress(text: string, options: AddressOptions): LocalAddress | RemoteAddress {
  const { githubOrigins, exists } = options;
  if (text === '') throw new PlimsollError('BAD_ADDRESS', `The address is empty: name ${FORMS}.`);
  if (text.length > LIMIT) {
    throw badAddress(text, `is longer than the ${LIMIT} characters an address may have: check it.`);
  }
  const path: LocalAddress = { kind: 'path', path: text };
  if (PATH_START.test(text)) return path;
  if (FILE_SCHEME.test(text)) return parseFileUrl(text);
  if (SCHEME.test(text)) return parseUrl(text, githubOrigins);
  if (NEVER_REMOTE.test(text) || exists(text)) return path;
  if (SHORT.test(text)) return parseUrl(`${githubOrigins[0] ?? GITHUB}/${text}`, githubOrigins);
  const [first = ''] = text.split('/', 1);
  if (WEB_PATH.test(text) || (first !== text && githubOrigin(first, githubOrigins))) {
    return parseUrl(`https://${text}`, githubOrigins);
  }
  const scp = readScp(text);
  if (scp && (scp.user !== '' || /[.[]/.test(scp.host))) return parseScp(text, scp);
  if (first.includes(':')) {
    const shown = text.slice(text.lastIndexOf('@') + 1);
    throw badAddress(shown, `is neither a path here nor an address: name ${FORMS}.`);
  }
  return path;
}

/**
 * Name and address of a remote as a local repository has it, the same as of the remote itself; `undefined` where
 * it is not on a host (a path, a `file:` URL) or not an address.
 */
export function parseRemote(text: string): Pick<RemoteAddress, 'name' | 'url'> | undefined {
  try {
    const scp = SCHEME.test(text) ? undefined : readScp(text);
    const { name, url } = scp ? parseScp(text, scp) : parseUrl(text, []);
    return { name, url };
  } catch (error) {
    if (error instanceof PlimsollError) return undefined;
    throw error;
  }
}

const FORMS = 'a folder, owner/repo, https://host/owner/repo, ssh://user@host/path or user@host:path';
const LIMIT = 4096;

const PATH_START = /^(?:[./~]|[a-z]:[\\/])/i;
const FILE_SCHEME = /^file:\//i;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const NEVER_REMOTE = /[\\\0]/;
/** By GitHub's rules for names of users (managed ones have a `_`) and repositories. */
const SHORT = /^(?=[^/]{1,39}\/)[a-z\d](?:\w|-(?=\w))*\/(?!\.\.?$)[\w.-]{1,100}$/i;
/** `host.tld/a/b` */
const WEB_PATH = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}\/+[^/]+\/+[^/]/i;
