import { group } from '../../../../text/words.ts';
import { FOLDER, type TreeItem } from '../../objects.ts';
import { isFullId } from '../refs.ts';
import { type GitHubApi, isMissing } from './api.ts';

/** What GitHub's API says of a tree ("Get a tree"). `size` is only there for blobs. */
interface TreeAnswer {
  readonly truncated: boolean;
  readonly tree: readonly {
    readonly path?: string | undefined;
    readonly mode?: string | undefined;
    readonly sha?: string | undefined;
    readonly size?: number | undefined;
  }[];
}

export interface GitHubTree {
  /** By paths from the root, folders among them. */
  readonly items: readonly TreeItem[];
  /** Why some are missing, as a sentence. */
  readonly incomplete?: string;
}

/** A tree that GitHub cuts off is walked folder by folder, with so many requests at the most: of 60 an hour, or 5,000. */
const MOST_REQUESTS = 40;
const MOST_WITH_TOKEN = 200;

/**
 * All that a commit holds, in one request where GitHub doesn't cut the answer off (at 100,000 entries or 7 MB). Where
 * it does, folders are asked for one by one, and where a path is wanted, only what is on the way to it and below (for
 * a file: below its folder).
 * What the bound on requests leaves out is told. Answers never change and are kept; `offline` nothing is asked.
 *
 * `undefined` where there is no such commit, or `offline` where it is not known. Throws a `PlimsollError` as the API does.
 */
export async function readTree(
  api: GitHubApi,
  commit: string,
  path: string,
  offline: boolean,
): Promise<GitHubTree | undefined> {
  const ask: Ask = async (id, recursive) => {
    const parameters = { tree_sha: id, ...(recursive && { recursive: 1 }) };
    const known = await api.recall<TreeAnswer>(PATH, parameters);
    return known ?? (offline ? undefined : await api.get(PATH, parameters, pickTree));
  };
  const whole = await existing(ask(commit, true));
  if (!whole) return undefined;
  if (!whole.truncated) return { items: itemsOf(whole, '') };
  return new Walk(
    ask,
    api.hasToken ? MOST_WITH_TOKEN : MOST_REQUESTS,
    path === '' ? '' : `${path}/`,
    itemsOf(whole, ''),
  ).run(commit);
}

const PATH = '/git/trees/{tree_sha}';

/** Without the addresses, which are most of an answer. Ids become names of files, so they must be ids. */
function pickTree({ truncated, tree }: TreeAnswer): TreeAnswer {
  const items = tree.map(({ path, mode, sha, size }) => ({ path, mode, sha, size }));
  if (!items.every(({ sha }) => sha !== undefined && isFullId(sha))) throw new TypeError('not a tree');
  return { truncated, tree: items };
}

type Ask = (id: string, recursive: boolean) => Promise<TreeAnswer | undefined>;

/** The repository has been found before: what isn't there is the commit. */
async function existing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface Folder {
  readonly path: string;
  readonly id: string;
}

class Walk {
  readonly #ask: Ask;
  readonly #most: number;
  #within: string;
  readonly #found = new Map<string, TreeItem>();
  #requests = 0;
  #isCut = false;

  /** `seen` is what the answer that was cut off did have. */
  constructor(ask: Ask, most: number, within: string, seen: readonly TreeItem[]) {
    this.#ask = ask;
    this.#most = most;
    this.#within = within;
    this.#add(seen);
  }

  /** Level by level, so that what the bound leaves out is deep down. */
  async run(commit: string): Promise<GitHubTree> {
    let level: readonly Folder[] = [{ path: '', id: commit }];
    while (level.length > 0) level = await this.#descend(level);
    const items = [...this.#found.values()];
    if (!this.#isCut) return { items };
    const seen = group(items.filter(({ mode }) => mode !== FOLDER).length);
    const what = `GitHub cuts off the list of a repository as large as this: ${seen} entries were seen`;
    const how = `after ${group(this.#requests)} requests for parts of it`;
    return { items, incomplete: `${what}, ${how}. Name a subfolder to see all of that.` };
  }

  /** Lists some folders, and gives those below them that are still to be listed. */
  async #descend(folders: readonly Folder[]): Promise<Folder[]> {
    const next: Folder[] = [];
    for (const { path, id } of folders) {
      const prefix = path === '' ? '' : `${path}/`;
      // The root is known to be cut off; around what is wanted, only the way to it is of interest.
      const isWanted = path !== '' && prefix.startsWith(this.#within);
      const whole = isWanted ? await this.#list(id, prefix, true) : undefined;
      if (whole && !whole.truncated) continue;
      const children = await this.#list(id, prefix, false);
      this.#isCut ||= children?.truncated ?? false;
      const items = children?.items ?? [];
      // Around a file that is wanted, all of its folder is.
      if (items.some(({ path, mode }) => mode !== FOLDER && `${path}/` === this.#within))
        this.#within = prefix;
      for (const { path, mode, id } of items) {
        if (mode === FOLDER && this.#leadsOn(`${path}/`)) next.push({ path, id });
      }
    }
    return next;
  }

  #leadsOn(folder: string): boolean {
    return folder.startsWith(this.#within) || this.#within.startsWith(folder);
  }

  async #list(
    id: string,
    prefix: string,
    recursive: boolean,
  ): Promise<{ items: TreeItem[]; truncated: boolean } | undefined> {
    const answer = this.#requests < this.#most ? await this.#ask(id, recursive) : undefined;
    this.#requests += answer ? 1 : 0;
    this.#isCut ||= !answer;
    if (!answer) return undefined;
    const items = itemsOf(answer, prefix);
    this.#add(items);
    return { items, truncated: answer.truncated };
  }

  #add(items: readonly TreeItem[]): void {
    for (const item of items) this.#found.set(item.path, item);
  }
}

function itemsOf({ tree }: TreeAnswer, prefix: string): TreeItem[] {
  return tree.flatMap(({ path, mode, sha, size }) =>
    path === undefined || mode === undefined || sha === undefined
      ? []
      : [{ path: prefix + path, mode, id: sha, size }],
  );
}
