import { isFullId, resolve, type Target, type Wanted } from '../refs.ts';
import { type GitHubApi, isMissing } from './api.ts';

/** What GitHub's API answers for refs that begin alike ("List matching references"). */
type MatchingRefs = readonly {
  readonly ref: string;
  readonly object: { readonly type: string; readonly sha: string };
}[];

function pickRefs(answer: MatchingRefs): MatchingRefs {
  const refs = answer.map(({ ref, object: { type, sha } }) => ({ ref, object: { type, sha } }));
  if (!refs.every(({ object }) => isFullId(object.sha))) throw new TypeError('not refs');
  return refs;
}

/**
 * Asks GitHub's API which commit is meant, for where git can't be asked, and for what is no branch or tag: an
 * abbreviated id. `isNoRef` where it is known to be none. `undefined` where there is no such commit.
 */
export async function findCommit(
  api: GitHubApi,
  wanted: Wanted,
  defaultBranch: string,
  isNoRef: boolean,
): Promise<Target | undefined> {
  switch (wanted.kind) {
    case 'head':
      return commitAt(api, defaultBranch, `refs/heads/${defaultBranch}`);
    case 'ref':
      return commitAt(api, wanted.ref);
    case 'commit':
      return commitAt(api, wanted.commit);
    case 'tag':
      return commitAt(api, wanted.tag, `refs/tags/${wanted.tag}`);
    case 'pull':
      return commitAt(api, `pull/${wanted.number}/head`, `refs/pull/${wanted.number}/head`);
    default:
      return findRefPath(api, wanted, isNoRef);
  }
}

/** A ref, or a ref and a path: where the ref ends, only a list of those that begin alike can tell. */
async function findRefPath(
  api: GitHubApi,
  wanted: Extract<Wanted, { path: string }>,
  isNoRef: boolean,
): Promise<Target | undefined> {
  const [first = '', ...rest] = wanted.path.split('/');
  if (rest.length > 0 && !isNoRef && first !== 'HEAD') {
    for (const space of ['heads', 'tags']) {
      const matching = await api.get('/git/matching-refs/{ref}', { ref: `${space}/${first}` }, pickRefs);
      const commits = new Map(matching.map(({ ref, object }) => [ref, object.sha]));
      const target = resolve(wanted, { commits });
      if (!target?.fullRef) continue;
      const isCommit = matching.some(({ ref, object }) => ref === target.fullRef && object.type === 'commit');
      const found = isCommit ? target : await commitAt(api, target.ref, target.fullRef);
      return found && { ...found, path: target.path };
    }
  }
  const space = wanted.ref && (wanted.ref === 'branch' ? 'heads/' : 'tags/');
  const target = await commitAt(api, first, space && `refs/${space}${first}`);
  return target && { ...target, path: rest.join('/') };
}

async function commitAt(api: GitHubApi, ref: string, fullRef?: string): Promise<Target | undefined> {
  try {
    const commit = await api.commit(fullRef?.replace(/^refs\//, '') ?? ref);
    return { ref, commit, path: '', ...(fullRef !== undefined && { fullRef }) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
