import type { components } from '@octokit/openapi-types';
import { type BareRepository, FULL_ID, type TreeEntry } from './bare-repository.ts';
import { blob, contents } from './github-contents.ts';
import { nodeId, type Origin, repositoryFacts } from './github-facts.ts';
import type { Hosted, Hosting } from './github-hosting.ts';
import { type ApiAnswer, emptyRepository, noCommit, notFound } from './github-refusals.ts';

type Schemas = components['schemas'];

/** A request about one repository. */
export interface Asked {
  readonly hosted: Hosted;
  readonly hosting: Hosting;
  readonly origin: Origin;
  /** The repository's own address in the API. */
  readonly url: string;
  /** What the path says after the route's name, decoded. */
  readonly argument: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly treeLimit: number;
  readonly blobLimit: number;
}

interface Route {
  /** The path in GitHub's description. */
  readonly path: string;
  /** What a request's path is after `/repos/{owner}/{repo}`; the group is the argument. */
  readonly pattern: RegExp;
  readonly answer: (asked: Asked) => Promise<ApiAnswer>;
  /** The answer if the repository has no commit; the route answers as always without it. */
  readonly whenEmpty?: () => ApiAnswer;
}

/** All that is modelled of what the API says of a repository. */
const ROUTES: readonly Route[] = [
  {
    path: '/repos/{owner}/{repo}',
    pattern: /^$/,
    answer: async ({ hosted, hosting, origin }) => ({
      status: 200,
      body: await repositoryFacts(hosted, hosting, origin),
    }),
  },
  {
    path: '/repos/{owner}/{repo}/git/trees/{tree_sha}',
    pattern: /^\/git\/trees\/(.+)$/,
    answer: tree,
    whenEmpty: emptyRepository,
  },
  {
    path: '/repos/{owner}/{repo}/git/blobs/{file_sha}',
    pattern: /^\/git\/blobs\/([^/]+)$/,
    answer: blob,
    whenEmpty: emptyRepository,
  },
  {
    path: '/repos/{owner}/{repo}/git/matching-refs/{ref}',
    pattern: /^\/git\/matching-refs\/(.*)$/,
    answer: matchingRefs,
    whenEmpty: emptyRepository,
  },
  {
    path: '/repos/{owner}/{repo}/commits/{ref}',
    pattern: /^\/commits\/(.+)$/,
    answer: commit,
    whenEmpty: emptyRepository,
  },
  {
    path: '/repos/{owner}/{repo}/contents/{path}',
    pattern: /^\/contents\/?(.*)$/,
    answer: contents,
    whenEmpty: () => notFound('This repository is empty.'),
  },
];

/** The route for what a path says after `/repos/{owner}/{repo}`. */
export function routeOf(rest: string): Route | undefined {
  return ROUTES.find(({ pattern }) => pattern.test(rest));
}

/** The tree of a commit, or a tree itself; `ref:path` names a tree within. */
async function tree({ hosted, argument, query, url, treeLimit }: Asked): Promise<ApiAnswer> {
  const [name = '', path = ''] = argument.split(/:(.*)/s);
  const id = await treeId(hosted, name, path);
  if (!id) return notFound();
  const entries = await hosted.repository.list(id, { recursive: query.has('recursive') });
  const body: Schemas['git-tree'] = {
    sha: id,
    url: `${url}/git/trees/${id}`,
    tree: entries.slice(0, treeLimit).map((entry) => treeItem(entry, url)),
    truncated: entries.length > treeLimit,
  };
  return { status: 200, body };
}

/** What GitHub calls the tree's id: the commit's, if a commit was named. */
async function treeId({ repository }: Hosted, name: string, path: string): Promise<string | undefined> {
  const id = (await repository.commitId(name)) ?? ((await isTree(repository, name)) ? name : undefined);
  return id === undefined ? undefined : repository.folderAt(id, path);
}

async function isTree(repository: BareRepository, id: string): Promise<boolean> {
  return FULL_ID.test(id) && (await repository.typeOf(id)) === 'tree';
}

/** A submodule has no address, because it is in another repository. */
function treeItem(
  { path, mode, type, id, size }: TreeEntry,
  url: string,
): Schemas['git-tree']['tree'][number] {
  return {
    path,
    mode,
    type,
    sha: id,
    ...(size !== undefined && { size }),
    ...(type !== 'commit' && { url: `${url}/git/${type}s/${id}` }),
  };
}

async function matchingRefs({ hosted, argument, url }: Asked): Promise<ApiAnswer> {
  const refs = await hosted.repository.refs();
  const body: Schemas['git-ref'][] = refs
    .filter(({ name }) => name.startsWith(`refs/${argument}`))
    .map(({ name, id, type }) => ({
      ref: name,
      node_id: nodeId('Ref', name),
      url: `${url}/git/${name}`,
      object: { type, sha: id, url: `${url}/git/${type}s/${id}` },
    }));
  return { status: 200, body };
}

const ID_ALONE = /^application\/vnd\.github\.(v3\.)?sha$/;

async function commit({ hosted, argument, accept, url, origin }: Asked): Promise<ApiAnswer> {
  const id = await hosted.repository.commitId(argument);
  if (!id) return noCommit(argument);
  if (ID_ALONE.test(accept)) {
    return {
      status: 200,
      headers: { 'Content-Type': 'application/vnd.github.sha; charset=utf-8' },
      body: id,
    };
  }
  const { tree: root, parents, author, committer, message } = await hosted.repository.commit(id);
  const address = (other: string) => ({
    sha: other,
    url: `${url}/commits/${other}`,
    html_url: `${origin.web}/${hosted.name}/commit/${other}`,
  });
  const body: Schemas['commit'] = {
    ...address(id),
    node_id: nodeId('Commit', id),
    comments_url: `${url}/commits/${id}/comments`,
    commit: {
      url: `${url}/git/commits/${id}`,
      author: { ...author },
      committer: { ...committer },
      message,
      comment_count: 0,
      tree: { sha: root, url: `${url}/git/trees/${root}` },
      verification: {
        verified: false,
        reason: 'unsigned',
        payload: null,
        signature: null,
        verified_at: null,
      },
    },
    author: null,
    committer: null,
    parents: parents.map(address),
  };
  return { status: 200, body };
}
