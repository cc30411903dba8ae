import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cache, CacheEntry } from '../../../../cache/cache.ts';
import { PlimsollError } from '../../../../errors.ts';
import { recordsOf, runGit, startGit } from '../../git-command.ts';
import { isRuleFile } from '../../rules.ts';
import type { Target } from '../refs.ts';
import type { GitHost } from './host.ts';

const REPOSITORY = 'repository.git';
const COMMITS = 'commits';

/**
 * The commits fetched of one repository, with all that is in them: a bare repository without refs, and a mark for
 * each commit. What is fetched is complete before it gets in, by renaming, and stays as it is.
 */
export class GitStore {
  readonly #cache: Cache;
  readonly #entry: CacheEntry;

  constructor(cache: Cache, entry: CacheEntry) {
    this.#cache = cache;
    this.#entry = entry;
  }

  /** The bare repository, where there is one. */
  get folder(): string {
    return this.#entry.path(REPOSITORY);
  }

  /** Whether all of a commit is here, or at least all below a path of it. */
  async has(commit: string, path: string): Promise<boolean> {
    if (!isFolder(this.folder)) return false;
    for (const around of pathsAround(path)) {
      if ((await this.#entry.read(COMMITS, markOf(commit, around))) !== undefined) return true;
    }
    return false;
  }

  /** Forgets all commits, for what is damaged. */
  async drop(): Promise<void> {
    await this.#entry.remove(COMMITS);
    await this.#entry.remove(REPOSITORY);
  }

  /**
   * Fetches a commit by its full ref or id: the trees first, then in one batch the contents that aren't here yet. Of what
   * is below the path wanted that is all, since only contents tell their sizes; of the rest, rules for what is below it.
   * Gives the commit's id. Throws a `PlimsollError` where the host fails, or the cache can't be written.
   */
  async fetch(host: GitHost, what: string, { commit, path }: Target): Promise<string> {
    const scratch = await this.#repository(commit);
    const fetched = await host.fetchCommit(scratch, what);
    const missing = await missingBlobs(scratch, fetched, path);
    if (missing.length > 0 && !(await host.fetchBlobs(scratch, missing))) {
      const whole = await this.#repository(commit);
      await host.fetchWhole(whole, what);
      await this.#take(whole);
    }
    await this.#take(scratch).catch(async () => {
      // What is there is not what was put there: it is dropped, and all of this commit is fetched anew.
      await this.drop();
      const whole = await this.#repository(commit);
      await host.fetchWhole(whole, what);
      await this.#take(whole);
    });
    await this.#entry.write('', COMMITS, markOf(fetched, path));
    return fetched;
  }

  /** A new bare repository that borrows what was fetched before. Its ids are as long as `commit`. */
  async #repository(commit: string): Promise<string> {
    const folder = join(await this.#cache.scratch(), REPOSITORY);
    await makeRepository(folder, commit);
    if (isFolder(this.folder)) {
      await mkdir(join(folder, 'objects/info'), { recursive: true });
      await writeFile(join(folder, 'objects/info/alternates'), `${join(this.folder, 'objects')}\n`);
    }
    return folder;
  }

  /** Takes in the packs of another repository. A pack counts once its index is there, so that comes last. */
  async #take(from: string): Promise<void> {
    if (!isFolder(this.folder)) await this.#make(from);
    const [source, target] = [join(from, 'objects/pack'), join(this.folder, 'objects/pack')];
    const names = (await readdir(source)).filter((name) => PACK_FILE.test(name));
    names.sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
    for (const name of names) await rename(join(source, name), join(target, name));
  }

  /** Makes the bare repository, of the same kind as another. Another process may have been faster. */
  async #make(like: string): Promise<void> {
    const { stdout } = await runGit(like, ['rev-parse', 'FETCH_HEAD']);
    const folder = join(await this.#cache.scratch(), REPOSITORY);
    await makeRepository(folder, stdout.trim());
    await this.#entry.use();
    if (existsSync(this.folder) && !isFolder(this.folder)) await this.#entry.remove(REPOSITORY);
    try {
      await rename(folder, this.folder);
    } catch (error) {
      if (!existsSync(this.folder)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const PACK_FILE = /^pack-[0-9a-f]+\.(?:pack|rev|idx)$/;

/** Makes a bare repository in a new folder, for objects with ids as long as `id`. Throws `GIT_FAILED`. */
export async function makeRepository(folder: string, id: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const format = id.length === 64 ? ['--object-format=sha256'] : [];
  const { code, stderr, isMissing } = await runGit(folder, [
    ...['init', '--quiet', '--bare', '--shared=0600', '--template=', ...format, '.'],
  ]);
  if (code === 0) return;
  const why = isMissing ? 'git is not installed' : stderr.trim();
  throw new PlimsollError('GIT_FAILED', `git can't make a repository in the cache: ${why}.`);
}

/** The root, the folders on the way to a path, and the path. */
function pathsAround(path: string): string[] {
  const names = path === '' ? [] : path.split('/');
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

/** The name of the file that tells what is here of a commit. */
function markOf(commit: string, path: string): string {
  return path === '' ? commit : `${commit}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

/** The contents that a commit has at or below a path, or as rules for it, and a repository, or one it borrows from, lacks. */
async function missingBlobs(repository: string, commit: string, path: string): Promise<string[]> {
  const missing = new Set<string>();
  const tree = startGit(repository, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  let folder = path === '' ? '' : `${path}/`;
  const blobs: { name: string; id: string }[] = [];
  for await (const records of recordsOf(tree.stdout)) {
    for (const record of records) {
      const [, id, name] = BLOB.exec(record) ?? [];
      if (id === undefined || name === undefined) continue;
      if (name === path) folder = name.slice(0, name.lastIndexOf('/') + 1);
      blobs.push({ name, id });
    }
  }
  for (const { name, id } of blobs) {
    const isAround = isRuleFile(name) && folder.startsWith(name.slice(0, name.lastIndexOf('/') + 1));
    if (name.startsWith(folder) || isAround) missing.add(id);
  }
  // Asking for one by one would make git fetch each.
  const present = startGit(repository, [
    ...['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'],
  ]);
  for await (const ids of recordsOf(present.stdout, LINE_END)) for (const id of ids) missing.delete(id);
  return [...missing];
}

const BLOB = /^\d+ blob ([0-9a-f]+)\t(.*)$/s;
const LINE_END = 10;
