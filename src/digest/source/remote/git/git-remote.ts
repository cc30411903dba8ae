import type { CacheEntry } from '../../../../cache/cache.ts';
import { PlimsollError } from '../../../../errors.ts';
import { visibleName } from '../../../../text/visible.ts';
import type { HostFacts, Source, SourceFacts, Warning } from '../../../types.ts';
import { CommitSource } from '../../commit.ts';
import { failure } from '../../disk.ts';
import { GitObjects } from '../../git-objects.ts';
import { type CommitTree, type Objects, SUBMODULE, type TreeItem } from '../../objects.ts';
import { throwIfAborted } from '../../pace.ts';
import { parseRemote, type RemoteAddress } from '../address/address.ts';
import { fileNameOf, keep, recall } from '../kept.ts';
import { locate, type Place } from '../locate.ts';
import { below, describeWanted, pinned, resolve, type Target, type Wanted } from '../refs.ts';
import type { Way } from '../remote.ts';
import { GitHost, type Login } from './host.ts';
import { GitStore } from './store.ts';

/** What is known of the host from elsewhere. */
export interface GitRemoteExtras {
  /** Never shown. */
  readonly login?: Login | undefined;
  readonly notes?: readonly Warning[];
}

/**
 * A commit of a repository on any host that speaks git. Throws a `PlimsollError`: `BAD_REF`, `NO_COMMIT`,
 * `SOURCE_NOT_FOUND`, `REPOSITORY_NOT_FOUND`, `UNAUTHORIZED`, `RATE_LIMITED`, `HOST_FAILED`, `HOST_SILENT`,
 * `HOST_UNREACHABLE`, `GIT_FAILED`, `NOT_IN_CACHE`, `CACHE_UNWRITABLE`, `ABORTED`.
 */
export async function openGitRemote(
  address: RemoteAddress,
  way: Way,
  extras: GitRemoteExtras = {},
): Promise<Source> {
  const { objects, target, name } = await openGitObjects(address, way, extras.login);
  try {
    const place = await locate(objects, target.path, target.ref, address);
    const moved = target.movedTo === undefined ? undefined : parseRemote(target.movedTo);
    const facts = factsOf({ ...address, ...moved }, target, place);
    const notes = [...way.notes, ...renamed(address, moved), ...(extras.notes ?? [])];
    const kept = { kind: 'git', address: withoutLogin(address.cloneUrl).cloneUrl } as const;
    return new CommitSource({ facts, kept, name, ...place, objects, notes });
  } catch (error) {
    await objects.close();
    throw error;
  }
}

/** Says that a repository has another name now. */
export function renamed(asked: Named, now: Named | undefined): Warning[] {
  if (!now || asked.name.toLowerCase() === now.name.toLowerCase()) return [];
  const message = `${visibleName(asked.name)} is now ${visibleName(now.name)}: the host led there.`;
  return [{ code: 'RENAMED', message }];
}

interface Named {
  readonly name: string;
}

interface OpenedObjects {
  readonly objects: Objects;
  readonly target: Target;
  /** The commit and its repository, for messages. */
  readonly name: string;
}

/** Fetches a commit by git, unless the cache has it. Throws as `openGitRemote` does. */
async function openGitObjects(
  address: RemoteAddress,
  way: Way,
  login: Login | undefined,
): Promise<OpenedObjects> {
  const { cache, wanted, path, offline, signal } = way;
  const { cloneUrl } = withoutLogin(address.cloneUrl);
  const host = gitHostOf(address, way, login);
  const entry = await cache.open('git', cloneUrl);
  const store = new GitStore(cache, entry);
  way.onProgress?.({ stage: 'fetching', done: 0 });
  const known = pinned(wanted);
  const isKept = known !== undefined && (await store.has(known.commit, path));
  const named = await (offline || isKept ? recallTarget(entry, wanted) : ask(host, wanted, address));
  if (!named) throw notInCache(address);
  const found = below(named, path);
  if (offline && !(await store.has(found.commit, found.path))) throw notInCache(address);
  const fetch = (): Promise<string> => store.fetch(host, found.fullRef ?? found.commit, found);
  const commit = (await store.has(found.commit, found.path)) ? found.commit : await fetch();
  const target = { ...found, commit };
  if (!offline) await keepTarget(entry, wanted, { ...target, path: named.path });

  const name = `${visibleName(address.url)} at ${commit}`;
  const open = (): GitObjects => new GitObjects({ root: store.folder, commit, name, signal });
  const mend = async (): Promise<void> => {
    throwIfAborted(signal);
    if (offline) throw notInCache(address);
    await store.drop();
    if ((await fetch()) === commit) return;
    const what = `${visibleName(target.ref)} of ${visibleName(address.url)} has moved while it was read`;
    throw new PlimsollError('HOST_FAILED', `${what}: run it again.`);
  };
  return { objects: new MendedObjects(open, mend), target, name };
}

/** What is told of a commit on another machine. */
export function factsOf(
  address: RemoteAddress,
  { ref, commit }: Target,
  { prefix }: Place,
  host?: HostFacts,
): SourceFacts {
  return {
    kind: address.kind,
    name: address.name,
    url: address.url,
    ref,
    commit,
    ...(prefix !== '' && { subfolder: prefix.slice(0, -1) }),
    ...(host && { host }),
  };
}

/** The git of the host that an address names. A login in the address is told apart: arguments are for all to see. */
export function gitHostOf(
  address: RemoteAddress,
  { timeout, signal, onProgress }: Way,
  login?: Login,
): GitHost {
  const own = withoutLogin(address.cloneUrl);
  return new GitHost({
    cloneUrl: own.cloneUrl,
    shownUrl: address.url,
    login: login ?? own.login,
    timeout,
    signal,
    onReceived: ({ objects, total, bytes }) =>
      onProgress?.({ stage: 'fetching', done: objects, total, bytes }),
  });
}

function withoutLogin(cloneUrl: string): { cloneUrl: string; login?: Login } {
  if (!/^https?:/i.test(cloneUrl)) return { cloneUrl };
  const url = new URL(cloneUrl);
  const { username, password } = url;
  if (username === '' && password === '') return { cloneUrl };
  url.username = '';
  url.password = '';
  const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { cloneUrl: url.href, login };
}

/** Keeps what a name stood for, for when the host can't be asked; of the first branch, by its own name too. */
export async function keepTarget(entry: CacheEntry, wanted: Wanted, target: Target): Promise<void> {
  await keep(entry, target, 'refs', fileNameOf(wanted));
  if (wanted.kind === 'head') await keepTarget(entry, { kind: 'ref', ref: target.ref }, target);
}

/** What a name stood for when it was last asked for; `undefined` where it never was. A full id stands for itself. */
export async function recallTarget(entry: CacheEntry, wanted: Wanted): Promise<Target | undefined> {
  const kept = (await recall(entry, 'refs', fileNameOf(wanted))) as Target | undefined;
  return kept ?? resolve(wanted, { commits: new Map() });
}

async function ask(host: GitHost, wanted: Wanted, address: RemoteAddress): Promise<Target> {
  const refs = await host.refs('all');
  const target = resolve(wanted, refs);
  if (target) return { ...target, ...(refs.movedTo !== undefined && { movedTo: refs.movedTo }) };
  const url = visibleName(address.url);
  if (refs.commits.size === 0)
    throw new PlimsollError('NO_COMMIT', `${url} has no commit yet: push one to it, or check the address.`);
  throw badRef(wanted, url);
}

/** `url` is shown as it is. */
export function badRef(wanted: Wanted, url: string): PlimsollError {
  const what = `${url} has not got ${visibleName(describeWanted(wanted))}`;
  return new PlimsollError(
    'BAD_REF',
    `${what}: name a branch, a tag or a commit's full id (\`git ls-remote ${url}\` lists them).`,
  );
}

export function notInCache(address: RemoteAddress): PlimsollError {
  const what = `What is wanted of ${visibleName(address.url)} is not in the cache`;
  return new PlimsollError('NOT_IN_CACHE', `${what}: run it once without --offline.`);
}

/** Objects in the cache. Where some turn out to be damaged, all of them are fetched anew, once. */
class MendedObjects implements Objects {
  readonly #open: () => GitObjects;
  readonly #mend: () => Promise<void>;
  #objects: GitObjects;
  #mended: Promise<void> | undefined;

  constructor(open: () => GitObjects, mend: () => Promise<void>) {
    this.#open = open;
    this.#mend = mend;
    this.#objects = open();
  }

  tree(folder: string): Promise<CommitTree> {
    return this.#attempt(async (objects) => {
      const tree = await objects.tree(folder);
      const isWhole =
        tree.incomplete === undefined &&
        tree.items.every(({ mode, size }) => size !== undefined || mode === SUBMODULE);
      if (!isWhole && !this.#mended) throw failure('ENOENT', 'objects are missing', folder);
      return tree;
    });
  }

  find(paths: readonly string[]): Promise<readonly TreeItem[]> {
    return this.#attempt((objects) => objects.find(paths));
  }

  async prefetch(): Promise<void> {}

  async survey(): Promise<boolean> {
    return true;
  }

  read(id: string, limit: number): Promise<Buffer> {
    return this.#attempt((objects) => objects.read(id, limit));
  }

  async *stream(id: string): AsyncGenerator<Buffer> {
    // Whoever streams a blob has read its head: it is whole.
    yield* this.#objects.stream(id);
  }

  async close(): Promise<void> {
    await this.#objects.close();
  }

  async #attempt<T>(work: (objects: GitObjects) => Promise<T>): Promise<T> {
    if (!this.#mended) {
      try {
        return await work(this.#objects);
      } catch (error) {
        // What was asked for beside what is damaged fails as well, since the objects are closed.
        if (!this.#mended && !isDamage(error)) throw error;
        this.#mended ??= this.#renew();
      }
    }
    await this.#mended;
    return work(this.#objects);
  }

  async #renew(): Promise<void> {
    await this.#objects.close();
    await this.#mend();
    this.#objects = this.#open();
  }
}

/** Whether an error tells that objects are missing or can't be read. */
function isDamage(error: unknown): boolean {
  return DAMAGE.has((error as { code?: string }).code ?? '');
}

const DAMAGE: ReadonlySet<string> = new Set(['ENOENT', 'EIO', 'GIT_FAILED']);
