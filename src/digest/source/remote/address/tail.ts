/** What a web address says beside the repository. All of it is decoded, without slashes at its ends. */
export type Tail =
  | RefPath<'tree'>
  | RefPath<'blob'>
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'pull'; readonly number: number }
  /** A page that shows none of the repository's files: `issues/5`, `wiki`, `compare/main...next`. */
  | { readonly kind: 'page'; readonly page: string };

/**
 * A ref, or a ref and what is below it: for `tree` a folder (Gitea and Bitbucket also name files so), for
 * `blob` a file. Refs may hold slashes, so only the host can tell where it ends.
 */
interface RefPath<Kind> {
  readonly kind: Kind;
  readonly path: string;
  /** What the ref is, where the address says so. */
  readonly ref?: 'branch' | 'tag';
}

/** The repository's part of a web address, as the number of its parts, and what the others say. */
export interface Split {
  readonly length: number;
  readonly tail: Tail | undefined;
}

/**
 * Splits the path of a web address by the forms of the hosts there are besides GitHub. `parts` are decoded.
 * GitLab has groups in groups, so where no form is known the whole path is the repository.
 */
export function splitPath(host: string, parts: readonly string[]): Split {
  const gitlab = parts.indexOf('-');
  if (gitlab >= 2) return { length: gitlab, tail: pageTail(parts.slice(gitlab + 1)) };
  if (parts.at(-1)?.endsWith('.git')) return { length: parts.length, tail: undefined };
  const rest = namesIn(parts.slice(2));
  const tail = host === 'bitbucket.org' ? bitbucketTail(rest) : (giteaTail(rest) ?? unknownTail(rest));
  return tail ? { length: 2, tail } : { length: parts.length, tail: undefined };
}

/** What follows the repository in an address of GitHub, and `/-/` in one of GitLab. */
export function pageTail(parts: readonly string[]): Tail | undefined {
  const [page, ...rest] = namesIn(parts);
  if (page === undefined) return undefined;
  const [first] = rest;
  if (first !== undefined) {
    if (page === 'tree' || page === 'commits') return refPath('tree', rest);
    if (FILE_PAGES.has(page)) return refPath('blob', rest);
    if (page === 'commit') return { kind: 'commit', commit: first };
    if (page === 'tags') return { kind: 'tag', tag: rest.join('/') };
    if (page === 'releases' && first === 'tag' && rest.length > 1) {
      return { kind: 'tag', tag: rest.slice(1).join('/') };
    }
    if (page === 'pull' && NUMBER.test(first)) return { kind: 'pull', number: Number(first) };
  }
  return { kind: 'page', page: [page, ...rest].join('/') };
}

const FILE_PAGES: ReadonlySet<string> = new Set(['blob', 'raw', 'blame', 'edit']);
const NUMBER = /^[1-9]\d{0,14}$/;

function bitbucketTail(names: readonly string[]): Tail | undefined {
  const [page, first] = names;
  if (page === 'src' && first !== undefined) return refPath('tree', names.slice(1));
  return page === 'commits' && first !== undefined ? { kind: 'commit', commit: first } : pageTail(names);
}

function giteaTail([page, ref, ...below]: readonly string[]): Tail | undefined {
  if (page !== 'src' || below.length === 0) return undefined;
  if (ref === 'branch' || ref === 'tag') return { kind: 'tree', path: below.join('/'), ref };
  return ref === 'commit' ? { kind: 'tree', path: below.join('/') } : undefined;
}

/** Of a host that nobody told of: only what can hardly be a group in a group. */
function unknownTail(names: readonly string[]): Tail | undefined {
  const tail = pageTail(names);
  const isSure = /^(?:tree|blob|commit|releases)$/.test(names[0] ?? '') && tail?.kind !== 'page';
  return isSure ? tail : undefined;
}

/** GitHub also writes refs in full: `refs/heads/main/src`. */
function refPath<Kind extends 'tree' | 'blob'>(kind: Kind, names: readonly string[]): RefPath<Kind> {
  const [refs, space, ...rest] = names;
  if (refs !== 'refs' || (space !== 'heads' && space !== 'tags') || rest.length === 0) {
    return { kind, path: names.join('/') };
  }
  return { kind, path: rest.join('/'), ref: space === 'heads' ? 'branch' : 'tag' };
}

/** An encoded slash counts as any other. */
function namesIn(parts: readonly string[]): string[] {
  return parts
    .join('/')
    .split('/')
    .filter((name) => name !== '');
}
