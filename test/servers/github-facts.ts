import type { components } from '@octokit/openapi-types';
import type { Hosted, Hosting, RepositoryFacts } from './github-hosting.ts';

type User = components['schemas']['simple-user'];
/** The same facts, as they stand within those of another repository. */
type Repository = components['schemas']['repository'];

/** Where the addresses in an answer begin, without a slash at the end. */
export interface Origin {
  readonly api: string;
  readonly web: string;
  readonly raw: string;
}

/** What `GET /repos/{owner}/{repo}` says of a repository; a fork also says what it is a fork of. */
export async function repositoryFacts(
  hosted: Hosted,
  hosting: Hosting,
  origin: Origin,
): Promise<RepositoryFacts> {
  const parent = hosted.parent === undefined ? undefined : hosting.named(hosted.parent);
  const own = await ownFacts(hosted, origin);
  if (!parent) return own;
  const parentFacts = (await ownFacts(parent, origin)) as Repository;
  return { ...own, fork: true, parent: parentFacts, source: parentFacts };
}

async function ownFacts(hosted: Hosted, origin: Origin): Promise<RepositoryFacts> {
  const [login, name] = hosted.name.split('/') as [string, string];
  const isPrivate = hosted.facts?.private ?? false;
  return {
    id: hosted.id,
    node_id: nodeId('Repository', hosted.id),
    name,
    full_name: hosted.name,
    private: isPrivate,
    visibility: isPrivate ? 'private' : 'public',
    owner: userFacts(login, origin),
    description: null,
    fork: false,
    archived: false,
    disabled: false,
    topics: [],
    license: null,
    language: null,
    homepage: null,
    default_branch: await hosted.repository.defaultBranch(),
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2024-01-01T00:00:00Z',
    pushed_at: '2024-01-01T00:00:00Z',
    size: 0,
    ...counts,
    ...features,
    ...addresses(hosted.name, origin),
    ...hosted.facts,
  };
}

const counts = {
  forks: 0,
  forks_count: 0,
  network_count: 0,
  open_issues: 0,
  open_issues_count: 0,
  stargazers_count: 0,
  subscribers_count: 0,
  watchers: 0,
  watchers_count: 0,
};

const features = {
  allow_forking: true,
  has_discussions: false,
  has_downloads: true,
  has_issues: true,
  has_pages: false,
  has_projects: true,
  has_wiki: true,
  is_template: false,
  mirror_url: null,
};

function addresses(name: string, { api, web }: Origin) {
  const url = `${api}/repos/${name}`;
  const page = `${web}/${name}`;
  const host = new URL(web).host;
  return {
    url,
    html_url: page,
    clone_url: `${page}.git`,
    git_url: `git://${host}/${name}.git`,
    ssh_url: `git@${host}:${name}.git`,
    svn_url: page,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  };
}

function userFacts(login: string, { api, web }: Origin): User {
  const url = `${api}/users/${login}`;
  return {
    login,
    id: 1,
    node_id: nodeId('User', 1),
    avatar_url: `${web}/avatars/1`,
    gravatar_id: '',
    url,
    html_url: `${web}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: 'User',
    site_admin: false,
  };
}

/** An id as GitHub's other API has it: to be passed on, not to be read. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString('base64');
}
