import type { Tail } from './address/tail.ts';

/** What is wanted of a repository; `head` is what it shows first, `ref` any name that a user gave. */
export type Wanted =
  | { readonly kind: 'head' }
  | { readonly kind: 'ref'; readonly ref: string }
  | Exclude<Tail, { kind: 'page' }>;

/** A repository's branches and tags with their commits, as a host tells them. */
export interface Refs {
  /** The commit that stands first, and the name of its branch where that is known. */
  readonly head?: { readonly commit: string; readonly branch?: string };
  /** By full names such as `refs/heads/main`. */
  readonly commits: ReadonlyMap<string, string>;
  /** The address that the host led to, where that isn't the one asked. */
  readonly movedTo?: string;
}

/** A commit to be shown, and what the address names in it. */
export interface Target {
  /** As a person names it, such as `main`, `v1.0` or a commit's id. */
  readonly ref: string;
  /** Its full name, where it is a branch or a tag. */
  readonly fullRef?: string;
  /** The full id. */
  readonly commit: string;
  /** A folder or file, by its path from the root; empty for all of it. */
  readonly path: string;
  /** The address that the host led to, where that isn't the one asked. */
  readonly movedTo?: string;
}

/** The target with a path below it. */
export function below<T extends Target>(target: T, path: string): T {
  return { ...target, path: [target.path, path].filter((part) => part !== '').join('/') };
}

/** What a full id names, of which no host has to be asked; `undefined` for whatever else is wanted. */
export function pinned(wanted: Wanted): Target | undefined {
  const id = wanted.kind === 'ref' ? wanted.ref : wanted.kind === 'commit' ? wanted.commit : '';
  return isFullId(id) ? byId(id, { commits: new Map() }) : undefined;
}

/** Whether a text is a whole id of an object, as hosts write it. */
export function isFullId(text: string): boolean {
  return FULL_ID.test(text);
}

const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const SHORT_ID = /^[0-9a-f]{4,64}$/i;
const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';

/**
 * Finds what is wanted among a repository's refs; `undefined` where it is not there. Of several refs that an address
 * may mean the longest counts, since `feature/x` and the folder `x` on `feature` look the same.
 */
export function resolve(wanted: Wanted, refs: Refs): Target | undefined {
  switch (wanted.kind) {
    case 'head':
      return (
        refs.head && {
          ref: refs.head.branch ?? 'HEAD',
          ...fullHead(refs.head),
          commit: refs.head.commit,
          path: '',
        }
      );
    case 'ref':
      return named(wanted.ref, GIT_ORDER, refs) ?? headNamed(wanted.ref, refs) ?? byId(wanted.ref, refs);
    case 'tag':
      return named(wanted.tag, [TAGS], refs);
    case 'commit':
      return byId(wanted.commit, refs);
    case 'pull':
      return named(`pull/${wanted.number}/head`, ['refs/'], refs);
    default:
      return longest(wanted, refs);
  }
}

/** The order in which git looks for a short name (gitrevisions(7)), tags before branches. */
const GIT_ORDER = ['', 'refs/', TAGS, HEADS];

function fullHead({ branch }: { readonly branch?: string }): Pick<Target, 'fullRef'> {
  return branch === undefined ? {} : { fullRef: HEADS + branch };
}

function headNamed(ref: string, refs: Refs): Target | undefined {
  return ref === 'HEAD' && refs.head ? { ref, commit: refs.head.commit, path: '' } : undefined;
}

function named(ref: string, spaces: readonly string[], { commits }: Refs): Target | undefined {
  for (const space of spaces) {
    const commit = commits.get(space + ref);
    if (commit !== undefined) return { ref, fullRef: space + ref, commit, path: '' };
  }
  return undefined;
}

/** A full id needs no ref that points to it; a shortened one must be that of a branch or a tag. */
function byId(id: string, { commits }: Refs): Target | undefined {
  if (FULL_ID.test(id)) return { ref: id, commit: id.toLowerCase(), path: '' };
  if (!SHORT_ID.test(id)) return undefined;
  const found = new Set([...commits.values()].filter((commit) => commit.startsWith(id.toLowerCase())));
  const [commit] = found;
  return commit !== undefined && found.size === 1 ? { ref: id, commit, path: '' } : undefined;
}

/** Branches before tags, as the hosts' own pages have it. */
function longest(
  { path, ref: space }: Extract<Tail, { kind: 'tree' | 'blob' }>,
  refs: Refs,
): Target | undefined {
  const spaces = space === 'branch' ? [HEADS] : space === 'tag' ? [TAGS] : [HEADS, TAGS];
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const found = named(path.slice(0, end), spaces, refs);
    if (found) return { ...found, path: path.slice(end + 1) };
  }
  const [first = '', ...rest] = path.split('/');
  const target = space === undefined ? (headNamed(first, refs) ?? byId(first, refs)) : undefined;
  return target && { ...target, path: rest.join('/') };
}

/** What is wanted, in words for messages. */
export function describeWanted(wanted: Wanted): string {
  switch (wanted.kind) {
    case 'head':
      return 'a first branch';
    case 'ref':
      return wanted.ref;
    case 'tag':
      return `the tag ${wanted.tag}`;
    case 'commit':
      return `the commit ${wanted.commit}`;
    case 'pull':
      return `pull request ${wanted.number}`;
    default:
      return `a branch or tag in ${wanted.path}`;
  }
}
