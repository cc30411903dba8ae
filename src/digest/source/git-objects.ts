import { PlimsollError } from '../../errors.ts';
import { visibleName } from '../../text/visible.ts';
import { Blobs } from './blobs.ts';
import { type GitExit, recordsOf, runGit, startGit } from './git-command.ts';
import type { CommitTree, Objects, TreeItem } from './objects.ts';
import { Pace } from './pace.ts';

export interface GitObjectsOptions {
  /** Where git runs: the folder asked for, or a bare repository. */
  readonly root: string;
  /** The full id. */
  readonly commit: string;
  /** The commit and its repository, for messages. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
}

const LINE_END = 10;

/** The objects of a repository on this machine. */
export class GitObjects implements Objects {
  readonly #options: GitObjectsOptions;
  readonly #blobs: Blobs;

  constructor(options: GitObjectsOptions) {
    this.#options = options;
    this.#blobs = new Blobs(options.root);
  }

  async tree(folder: string): Promise<CommitTree> {
    const { name } = this.#options;
    let { items, exit } = await this.#walk(folder, true);
    if (exit.code !== 0) {
      ({ items, exit } = await this.#walk(folder, false));
      items = await this.#withSizes(items);
    }
    if (exit.code === 0) return { items };
    const cause = visibleName(exit.stderr.trim());
    if (items.length === 0) throw new PlimsollError('GIT_FAILED', `git can't read ${name}: ${cause}.`);
    return { items, incomplete: `git could not list all of the commit: ${cause}.` };
  }

  async find(paths: readonly string[]): Promise<readonly TreeItem[]> {
    const { root, commit, name, signal } = this.#options;
    const args = ['ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths];
    const { stdout, stderr, code } = await runGit(root, args, { signal });
    if (code !== 0 && stdout === '') {
      throw new PlimsollError('GIT_FAILED', `git can't read ${name}: ${visibleName(stderr.trim())}.`);
    }
    return stdout.split('\0').flatMap((record) => parseItem(record) ?? []);
  }

  async prefetch(): Promise<void> {}

  async survey(): Promise<boolean> {
    return true;
  }

  /** Throws `ENOENT` also where the repository, a partial clone for example, lacks the contents. */
  read(id: string, limit: number): Promise<Buffer> {
    return this.#blobs.read(id, limit);
  }

  stream(id: string): AsyncIterable<Buffer> {
    return this.#blobs.stream(id);
  }

  async close(): Promise<void> {
    this.#blobs.close();
  }

  /** Git gives up on sizes where it would have to fetch an object to know its own. */
  async #walk(folder: string, withSizes: boolean): Promise<{ items: TreeItem[]; exit: GitExit }> {
    const { root, commit, signal } = this.#options;
    const tree = folder === '' ? commit : `${commit}:${folder.slice(0, -1)}`;
    const form = ['-r', '-z', '--full-tree', ...(withSizes ? ['-l'] : [])];
    const run = startGit(root, ['ls-tree', ...form, tree], { signal });
    const items: TreeItem[] = [];
    const pace = new Pace(signal);
    for await (const records of recordsOf(run.stdout)) {
      for (const record of records) {
        const item = parseItem(record);
        if (item) items.push(item);
      }
      if (pace.isDue(records.length)) await pace.turn();
    }
    const exit = await run.exit;
    await pace.turn();
    return { items, exit };
  }

  /** Takes sizes from a list of all objects that the repository has: slow, but it asks for none it lacks. */
  async #withSizes(items: readonly TreeItem[]): Promise<TreeItem[]> {
    const { root, signal } = this.#options;
    const sizes = new Map<string, number | undefined>(items.map(({ id }) => [id, undefined]));
    const list = [
      'cat-file',
      '--batch-all-objects',
      '--unordered',
      '--batch-check=%(objectname) %(objectsize)',
    ];
    const run = startGit(root, list, { signal });
    for await (const lines of recordsOf(run.stdout, LINE_END)) {
      for (const line of lines) {
        const [id, size] = line.split(' ');
        if (id && sizes.has(id)) sizes.set(id, Number(size));
      }
    }
    return items.map((item) => ({ ...item, size: sizes.get(item.id) }));
  }
}

/** `<mode> <type> <id>[ <size>]\t<path>`; a submodule's size is `-`. */
function parseItem(record: string): TreeItem | undefined {
  const tab = record.indexOf('\t');
  if (tab < 0) return undefined;
  const [mode, , id, ...size] = record.slice(0, tab).split(' ');
  const bytes = size.length > 0 ? Number(size.at(-1)) : Number.NaN;
  return {
    path: record.slice(tab + 1),
    mode: mode as string,
    id: id as string,
    size: Number.isNaN(bytes) ? undefined : bytes,
  };
}
