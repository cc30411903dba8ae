import { basename, dirname } from 'node:path';
import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import type { Changes, Source, SourceFacts, Warning } from '../types.ts';
import { readChanges } from './changes.ts';
import { CommitSource } from './commit.ts';
import { Disk } from './disk.ts';
import { type GitExit, listGit, runGit, startGit } from './git-command.ts';
import { GitObjects } from './git-objects.ts';
import { type RunningHistory, startHistory } from './history.ts';
import { Troubles } from './listing.ts';
import { throwIfAborted } from './pace.ts';
import { parseRemote } from './remote/address/address.ts';
import { topOf } from './rules.ts';
import { Survey } from './survey.ts';
import { WorkTreeSource } from './work-tree.ts';

/** Git is not there, or won't read the repository. What is in the folder may still be read without it. */
export class GitRefusal extends Error {
  /** Why, in a few words, and what to do about it, as a sentence. */
  readonly why: string;
  readonly remedy: string;

  constructor(why: string, remedy: string) {
    super(`${why}. ${remedy}`);
    this.why = why;
    this.remedy = remedy;
  }
}

export interface Place {
  /** The folder asked for, absolute and without symbolic links. */
  readonly root: string;
  /** The folder around it, or itself, in which a repository was found. */
  readonly top: string;
  /** The folder as the user named it, for messages. */
  readonly shown: string;
}

interface Repository {
  readonly isBare: boolean;
  readonly isInsideGitFolder: boolean;
  readonly isInsideWorkTree: boolean;
  readonly prefix: string;
  /** Both `undefined` where there is no commit yet. */
  readonly commit: string | undefined;
  readonly branch: string | undefined;
}

const INSPECT = [
  'rev-parse',
  '--is-bare-repository',
  '--is-inside-git-dir',
  '--is-inside-work-tree',
  '--show-prefix',
  'HEAD',
  '--symbolic-full-name',
  'HEAD',
];

export interface GitSourceOptions {
  /** Whether to read how files fared in the latest commits. */
  readonly history?: boolean | undefined;
  /** Any name of the commit since which changes are to be told. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A work tree as it stands, the newest commit of a bare repository, or `undefined` where git ignores the folder
 * asked for, so that it has nothing to say about it. Throws `GitRefusal`, `NO_COMMIT`, `BAD_REF`, and `BARE_REPOSITORY`
 * for what is inside a `.git` folder.
 */
export async function openWorkTree(place: Place, options: GitSourceOptions): Promise<Source | undefined> {
  const { root, top, shown } = place;
  const { signal } = options;
  const isSubfolder = root !== top;
  const disk = new Disk(root);
  const survey = new Survey(disk, new Troubles([]));
  const listed = survey.takeTracked(startGit(root, ['ls-files', '-z', '--stage'], { signal }));
  const readHistory = (inSubfolder: boolean): RunningHistory | undefined =>
    options.history ? startHistory(root, 'HEAD', inSubfolder, signal) : undefined;
  let history = readHistory(isSubfolder);
  const walk = new AbortController();
  const others = listGit(root, ['ls-files', '-z', '--others', '--exclude-standard'], {
    signal: signal ? AbortSignal.any([signal, walk.signal]) : walk.signal,
  });
  const stop = (): void => {
    history?.stop();
    walk.abort();
    others.catch(() => {});
  };
  try {
    const [tracked, repository, url, ignored] = await Promise.all([
      listed,
      inspect(place, signal),
      remoteUrl(root, signal),
      isSubfolder
        ? runGit(root, ['--no-literal-pathspecs', 'check-ignore', '-q', '.'], { signal })
        : undefined,
    ]);
    throwIfAborted(signal);
    if (repository.isBare && !isSubfolder) {
      stop();
      return await openCommit(place, repository.branch ?? 'HEAD', options);
    }
    if (repository.isBare || repository.isInsideGitFolder) throw insideGitFolder(shown);
    if (!repository.isInsideWorkTree) throw ELSEWHERE;
    if (tracked.code !== 0) throw refusal(tracked, top);
    if (ignored?.code === 0 && survey.entries.length === 0) {
      stop();
      return undefined;
    }
    const { prefix, commit, branch } = repository;
    // Git passes over a `.git` that is none, and may have found its repository further up.
    if ((prefix !== '') !== isSubfolder) {
      history?.stop();
      history = readHistory(prefix !== '');
    }
    const changes = await changesSince(place, repository, undefined, options);
    const facts = {
      ...factsOf(place, repository, url),
      ...(branch && { ref: branch }),
      ...(commit && { commit }),
    };
    const warnings = commit ? [] : [NO_COMMIT_YET];
    return new WorkTreeSource({
      root,
      prefix,
      facts: { ...facts, workTree: true },
      warnings,
      disk,
      survey,
      others,
      history,
      changes,
      signal,
    });
  } catch (error) {
    stop();
    throw error;
  }
}

/** A commit by any name git knows. Throws `GitRefusal`, `BAD_REF`, `NO_COMMIT`, `SOURCE_NOT_FOUND`. */
export async function openCommit(place: Place, ref: string, options: GitSourceOptions): Promise<Source> {
  const { root } = place;
  const { signal } = options;
  const [repository, url, commit] = await Promise.all([
    inspect(place, signal),
    remoteUrl(root, signal),
    commitNamed(place, ref, signal),
  ]);
  throwIfAborted(signal);
  if (commit === undefined) throw await unresolved(place, repository, { option: '--ref', ref }, signal);
  const changes = await changesSince(place, repository, commit, options);
  const { prefix } = repository;
  if (prefix !== '') await checkFolder(place, `${commit}:${prefix.slice(0, -1)}`, ref, signal);
  const facts = { ...factsOf(place, repository, url), ref, commit };
  const name = `${visibleName(root)} at ${commit}`;
  return new CommitSource({
    facts,
    kept: { kind: 'folder', address: root },
    name,
    prefix,
    objects: new GitObjects({ root, commit, name, signal }),
    changes,
    ...(options.history && { history: startHistory(root, commit, prefix !== '', signal) }),
  });
}

/** The id of the commit that a name means, if it means one. Throws `BAD_REF` for what can't be a name. */
async function commitNamed(
  place: Place,
  ref: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (ref === '' || ref.startsWith('-') || ref.includes('\0')) throw badRef(place, ref);
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { stdout, code } = await runGit(place.root, args, { signal });
  const commit = stdout.trim();
  return code === 0 && OBJECT_ID.test(commit) ? commit : undefined;
}

/** What finds out the changes that are asked for: up to a commit, or up to the work tree. */
async function changesSince(
  place: Place,
  repository: Repository,
  to: string | undefined,
  { since, signal }: GitSourceOptions,
): Promise<(() => Promise<Changes>) | undefined> {
  if (since === undefined) return undefined;
  const commit = await commitNamed(place, since, signal);
  throwIfAborted(signal);
  if (commit === undefined)
    throw await unresolved(place, repository, { option: '--since', ref: since }, signal);
  return () => readChanges({ root: place.root, ref: since, commit, to, signal });
}

const OBJECT_ID = /^[0-9a-f]{40,64}$/;

async function inspect({ root, top }: Place, signal: AbortSignal | undefined): Promise<Repository> {
  const exit = await runGit(root, INSPECT, { signal });
  const [isBare, isInsideGitFolder, isInsideWorkTree, ...rest] = exit.stdout.split('\n');
  if (rest.length < 2) throw refusal(exit, top);
  rest.pop();
  const hasCommit = exit.code === 0;
  const symbol = hasCommit ? rest.pop() : undefined;
  const commit = rest.pop();
  return {
    isBare: isBare === 'true',
    isInsideGitFolder: isInsideGitFolder === 'true',
    isInsideWorkTree: isInsideWorkTree === 'true',
    prefix: rest.join('\n'),
    commit: hasCommit ? commit : undefined,
    branch: symbol?.startsWith(BRANCHES) ? symbol.slice(BRANCHES.length) : undefined,
  };
}

const BRANCHES = 'refs/heads/';

/** The address of the remote `origin`, as the repository has it. */
async function remoteUrl(root: string, signal: AbortSignal | undefined): Promise<string> {
  const { stdout } = await runGit(root, ['config', '-z', '--get-all', 'remote.origin.url'], { signal });
  return stdout.split('\0')[0] as string;
}

function factsOf({ root }: Place, { prefix, isBare }: Repository, url: string): SourceFacts {
  const remote = parseRemote(url);
  const top = topOf(root, prefix);
  const folder = basename(isBare || basename(top) !== '.git' ? top : dirname(top)) || top;
  return {
    kind: 'git',
    name: remote?.name ?? (isBare ? folder.replace(/(?<=.)\.git$/, '') : folder),
    ...(remote && { url: remote.url }),
    ...(prefix !== '' && { subfolder: prefix.slice(0, -1) }),
  };
}

/** Throws unless the commit has the folder asked for. */
async function checkFolder(
  place: Place,
  name: string,
  ref: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { stdout, code } = await runGit(place.root, ['cat-file', '-t', name], { signal });
  throwIfAborted(signal);
  const type = stdout.trim();
  if (type === 'tree') return;
  const [folder, at] = [visibleName(place.shown), visibleName(ref)];
  if (code === 0) throw new PlimsollError('SOURCE_NOT_A_FOLDER', `${folder} is not a folder at ${at}.`);
  throw new PlimsollError('SOURCE_NOT_FOUND', `${folder} does not exist at ${at}: name a folder that does.`);
}

async function unresolved(
  place: Place,
  repository: Repository,
  { option, ref }: { option: '--ref' | '--since'; ref: string },
  signal: AbortSignal | undefined,
): Promise<PlimsollError> {
  if (repository.commit === undefined) {
    const refs = await runGit(place.root, ['for-each-ref', '--count=1'], { signal });
    if (refs.stdout === '') {
      const advice = repository.isBare
        ? 'push one to it'
        : `leave out ${option} to digest its files as they stand`;
      return new PlimsollError('NO_COMMIT', `${visibleName(place.shown)} has no commit yet: ${advice}.`);
    }
  }
  return badRef(place, ref);
}

function badRef({ shown }: Place, ref: string): PlimsollError {
  const what = `\`${visibleName(ref)}\` names no commit in ${visibleName(shown)}`;
  return new PlimsollError(
    'BAD_REF',
    `${what}: give a branch, a tag or a commit id (\`git branch -a\`, \`git tag\`).`,
  );
}

function insideGitFolder(shown: string): PlimsollError {
  const what = `${visibleName(shown)} is what git keeps of a repository, not its files`;
  return new PlimsollError('BARE_REPOSITORY', `${what}: name the folder around it, or a commit with --ref.`);
}

const NO_COMMIT_YET: Warning = {
  code: 'NO_COMMIT',
  message: 'The repository has no commit yet: files are shown as they stand, and there is no history.',
};

const ELSEWHERE = new GitRefusal(
  "the repository's configuration puts its work tree in another place",
  'See `git config core.worktree`.',
);

/** Says why git failed on a repository. */
function refusal({ stderr, isMissing }: GitExit, top: string): GitRefusal {
  if (isMissing)
    return new GitRefusal('git is not installed', 'Install git, and see that it is on the PATH.');
  if (stderr.includes('dubious ownership')) {
    const remedy = `If you trust it, run \`git config --global --add safe.directory ${visibleName(top)}\`.`;
    return new GitRefusal('git does not trust the repository, which belongs to another user', remedy);
  }
  const line = stderr.split('\n').find((text) => text.startsWith('fatal: ')) ?? 'fatal: git did not say why';
  const why = `git can't read the repository (${visibleName(line.slice('fatal: '.length))})`;
  return new GitRefusal(why, `Run \`git status\` in ${visibleName(top)} to see what is wrong.`);
}
