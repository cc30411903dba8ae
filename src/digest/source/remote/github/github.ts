import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ErrorCode, PlimsollError } from '../../../../errors.ts';
import { visibleName } from '../../../../text/visible.ts';
import type { HostFacts, Source, Warning } from '../../../types.ts';
import { CommitSource } from '../../commit.ts';
import type { RemoteAddress } from '../address/address.ts';
import {
  badRef,
  factsOf,
  gitHostOf,
  keepTarget,
  notInCache,
  openGitRemote,
  recallTarget,
  renamed,
} from '../git/git-remote.ts';
import type { Login } from '../git/host.ts';
import { makeFetch } from '../http.ts';
import { fileNameOf, keep, recall } from '../kept.ts';
import { locate } from '../locate.ts';
import { below, pinned, type Refs, resolve, type Target } from '../refs.ts';
import type { Way } from '../remote.ts';
import { GitHubApi, isMissing } from './api.ts';
import { BlobStore } from './blob-store.ts';
import { byGit, onlyMany, singly } from './fetchers.ts';
import { apiOf, GITHUB_API } from './hosts.ts';
import { GitHubObjects } from './objects.ts';
import { rawContents } from './raw.ts';
import { findCommit } from './refs.ts';
import { readTree } from './tree.ts';

/** What a digest tells of a repository, from what GitHub's API answers ("Get a repository"). */
interface RepositoryAnswer {
  readonly full_name: string;
  readonly private: boolean;
  readonly default_branch: string;
  readonly description: string | null;
  readonly stargazers_count: number;
  readonly language: string | null;
  readonly license: { readonly spdx_id: string | null };
  readonly topics: readonly string[];
  readonly archived: boolean;
  readonly fork: boolean;
}

/**
 * Without what is nobody's business, such as the token for cloning that an answer may hold. What is not of the kind it
 * should be is left out; without a name and a first branch it is no repository.
 */
function pickRepository(answer: Readonly<Record<keyof RepositoryAnswer, unknown>>): RepositoryAnswer {
  const { full_name: name, default_branch: branch, license, topics } = answer;
  if (typeof name !== 'string' || !/^[^/]+\/[^/]+$/.test(name) || typeof branch !== 'string') {
    throw new TypeError('not a repository');
  }
  const stars = answer.stargazers_count;
  return {
    full_name: name,
    private: answer.private === true,
    default_branch: branch,
    description: textOf(answer.description),
    stargazers_count: typeof stars === 'number' ? stars : 0,
    language: textOf(answer.language),
    license: { spdx_id: textOf((license as { spdx_id?: unknown } | null)?.spdx_id) },
    topics: Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [],
    archived: answer.archived === true,
    fork: answer.fork === true,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * A commit of a repository on GitHub, by its API: one request for what it is, one for its tree, and contents only for
 * files that are shown, from where they don't count against the hourly limit. Which commit a branch or tag
 * stands for is asked by git, which doesn't count either. Where the limit is used up, all of it goes by git.
 *
 * Throws a `PlimsollError`: those of `openGitRemote`, and `FORBIDDEN`, `BLOCKED`.
 */
export async function openGitHub(asked: RemoteAddress, way: Way): Promise<Source> {
  const { token, notes } = await tokenFor(asked, way);
  way = { ...way, notes: [...way.notes, ...notes] };
  const login = token === undefined ? undefined : { user: 'x-access-token', password: token };
  try {
    return await openByApi(asked, way, token, login);
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    const warning = FALLS_BACK[error.code]?.(error);
    if (!warning || (error.code === 'REPOSITORY_NOT_FOUND' && token !== undefined)) throw error;
    try {
      return await openGitRemote(asked, way, { login, notes: [warning] });
    } catch (failure) {
      const isOwn = failure instanceof PlimsollError && OWN_FAILURES.has(failure.code);
      throw isOwn ? failure : error;
    }
  }
}

/** What git may still read where the API gives nothing, and what is said of it. */
const FALLS_BACK: Readonly<Partial<Record<ErrorCode, (error: PlimsollError) => Warning>>> = {
  RATE_LIMITED: limited,
  REPOSITORY_NOT_FOUND: () => ({
    code: 'READ_BY_GIT',
    message:
      "GitHub's API shows nothing of this repository without a token, but git may read it: it was read by git.",
  }),
  NOT_IN_CACHE: () => ({ code: 'READ_BY_GIT', message: 'It was read from what git fetched before.' }),
};

/** Failures of git that say more than why the API was given up. */
const OWN_FAILURES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ABORTED',
  'BAD_REF',
  'SOURCE_NOT_FOUND',
  'SOURCE_NOT_A_FOLDER',
  'NO_COMMIT',
  'CACHE_UNWRITABLE',
]);

function limited({ message }: PlimsollError): Warning {
  return { code: 'READ_BY_GIT', message: `${message} The repository was read by git instead.` };
}

async function openByApi(
  asked: RemoteAddress,
  way: Way,
  token: string | undefined,
  login: Login | undefined,
): Promise<Source> {
  const { cache, wanted, path, offline, timeout, signal, onProgress } = way;
  const entry = await cache.open('github', asked.url);
  const fetch = makeFetch(timeout, signal);
  let requestsLeft: number | undefined;
  const api = new GitHubApi({
    api: apiOf(asked.host, way.github.api),
    owner: asked.owner as string,
    repo: asked.repo as string,
    token,
    fetch,
    entry,
    signal,
    onLimit: (remaining) => {
      requestsLeft = remaining;
    },
  });
  onProgress?.({ stage: 'fetching', done: 0 });

  // Where a repository has moved to before, it is asked for there: each redirection counts.
  const before = await api.recall<RepositoryAnswer>('');
  if (before) rename(before);
  const isPinned = before !== undefined && pinned(wanted) !== undefined;
  const { repository, target: named } = offline || isPinned ? await remembered() : await ask();
  const target = below(named, path);
  const address = followed(asked, repository);
  rename(repository);
  const tree = await readTree(api, target.commit, target.path, offline);
  if (!tree) throw offline ? notInCache(asked) : badRef(wanted, visibleName(asked.url));

  const notes = [...way.notes, ...renamed(asked, address)];
  const store = new BlobStore(cache, entry);
  const rawToken = repository.private ? token : undefined;
  const raw = rawContents({ fetch, name: address.name, commit: target.commit, token: rawToken, signal });
  const git = byGit(gitHostOf(address, way, login), cache, store);
  const uncounted = [...(api.address === GITHUB_API ? [onlyMany(git), singly(store, raw)] : []), git];
  const ways = [...uncounted, singly(store, ({ id }) => api.blob(id))];
  const objects = new GitHubObjects({
    tree,
    store,
    fetchers: offline ? [] : ways,
    uncounted: uncounted.length,
    onFetched: (fetched) =>
      onProgress?.({ stage: 'fetching', ...fetched, ...(requestsLeft !== undefined && { requestsLeft }) }),
  });
  const place = await locate(objects, target.path, target.ref, address);
  const name = `${visibleName(address.url)} at ${target.commit}`;
  const facts = factsOf(address, target, place, hostFacts(repository));
  return new CommitSource({
    facts,
    kept: { kind: 'github', address: asked.url },
    name,
    ...place,
    objects,
    notes,
  });

  function rename({ full_name: name }: Pick<RepositoryAnswer, 'full_name'>): void {
    const [owner, repo] = name.split('/') as [string, string];
    api.rename(owner, repo);
  }

  /** Where it had moved to it may be no more, and be back where it was. */
  async function askRepository(): Promise<RepositoryAnswer> {
    try {
      return await api.get('', {}, pickRepository);
    } catch (error) {
      if (!before || before.full_name === asked.name || !isMissing(error)) throw error;
      rename({ full_name: asked.name });
      return await api.get('', {}, pickRepository);
    }
  }

  async function remembered(): Promise<Answers> {
    const target = await recallTarget(entry, wanted);
    if (!before || !target) throw notInCache(asked);
    return { repository: before, target };
  }

  async function ask(): Promise<Answers> {
    const enough = new AbortController();
    const signals = signal ? [signal, enough.signal] : [enough.signal];
    const host = gitHostOf(asked, { ...way, signal: AbortSignal.any(signals) }, login);
    // Without git, or without an answer from it, the API is asked for the commit.
    const refs = host.refs(wanted.kind === 'pull' ? 'all' : 'branches-and-tags').catch(() => undefined);
    try {
      const repository = token === undefined ? await anonymously(refs) : await askRepository();
      const known = withHead(await refs, repository);
      const target =
        (known && (resolve(wanted, known) ?? (await foundById()))) ??
        (await findCommit(api, wanted, repository.default_branch, known !== undefined));
      if (!target) throw badRef(wanted, visibleName(asked.url));
      await keepTarget(entry, wanted, target);
      return { repository, target };
    } finally {
      enough.abort();
    }
  }

  /** The commit that a shortened id was found to stand for: what is neither a branch nor a tag never changes. */
  async function foundById(): Promise<Target | undefined> {
    const before = await recallTarget(entry, wanted);
    return before?.commit.startsWith(before.ref.toLowerCase()) ? before : undefined;
  }

  /**
   * What the API says of the repository, or said within the last hour if its first branch is where it was then: an
   * anonymous request counts even if nothing has changed.
   */
  async function anonymously(asking: Promise<Refs | undefined>): Promise<RepositoryAnswer> {
    const seen = (await recall(entry, SEEN)) as { head: string; at: number } | undefined;
    const known = before && withHead(await asking, before)?.head?.commit;
    if (before && known !== undefined && known === seen?.head && Date.now() - seen.at < HOUR) return before;
    const answer = await askRepository();
    const head = withHead(await asking, answer)?.head?.commit;
    if (head !== undefined) await keep(entry, { head, at: Date.now() }, SEEN);
    return answer;
  }
}

interface Answers {
  readonly repository: RepositoryAnswer;
  readonly target: Target;
}

const SEEN = fileNameOf('seen');
const HOUR = 60 * 60 * 1000;

/** Git tells of the first branch what it is called only among all refs, but the API does. */
function withHead(refs: Refs | undefined, { default_branch: branch }: RepositoryAnswer): Refs | undefined {
  const commit = refs?.commits.get(`refs/heads/${branch}`);
  return refs && commit !== undefined ? { ...refs, head: { commit, branch } } : refs;
}

/** The address under the repository's present name. */
function followed(asked: RemoteAddress, { full_name: name }: RepositoryAnswer): RemoteAddress {
  const [owner, repo] = name.split('/') as [string, string];
  const url = `${new URL(asked.url).origin}/${name}`;
  return { ...asked, name, owner, repo, url, cloneUrl: `${url}.git` };
}

function hostFacts(answer: RepositoryAnswer): HostFacts {
  const { description, stargazers_count: stars, language, license, topics, archived, fork } = answer;
  const spdx = license.spdx_id;
  return {
    ...(description && { description }),
    stars,
    ...(language && { language }),
    ...(spdx && spdx !== 'NOASSERTION' && { license: spdx }),
    defaultBranch: answer.default_branch,
    ...(topics.length > 0 && { topics }),
    ...(archived && { archived }),
    ...(fork && { fork }),
  };
}

interface Token {
  readonly token: string | undefined;
  readonly notes: readonly Warning[];
}

/** The token in the address, or the user's, where the host is the one it is for. */
async function tokenFor({ token, host }: RemoteAddress, { github, offline }: Way): Promise<Token> {
  const isTheirs = apiOf(host, github.api) === github.api;
  const known = token ?? (isTheirs ? github.token : undefined);
  if (offline) return { token: undefined, notes: [] };
  return known === undefined && isTheirs && github.gh ? askGh(host) : { token: known, notes: [] };
}

/** `gh auth token`: the token with which the user is logged in there. */
export async function askGh(host: string): Promise<Token> {
  try {
    const { stdout } = await promisify(execFile)('gh', ['auth', 'token', '--hostname', host], {
      timeout: 10_000,
    });
    if (stdout.trim() !== '') return { token: stdout.trim(), notes: [] };
  } catch {
    // It is not there, or nobody is logged in: either way there is no token.
  }
  const message = `gh gave no token for ${host}, so that none is used: install it, or log in with gh auth login.`;
  return { token: undefined, notes: [{ code: 'NO_GH_TOKEN', message }] };
}
