import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SERVER_ENVIRONMENT } from './git-environment.ts';

/** What stands in a tree. */
export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly id: string;
  /** In bytes, blobs only. */
  readonly size?: number;
  readonly path: string;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  /** ISO 8601, in UTC. */
  readonly date: string;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export interface Ref {
  readonly name: string;
  readonly id: string;
  /** The object's type: a commit, or a tag of its own. */
  readonly type: string;
}

export const FULL_ID = /^[0-9a-f]{40}$/;
const SHORT_ID = /^[0-9a-f]{4,40}$/;
/** What git reads as more than a name. */
const EXPRESSION = /[~^:?*[\\ ]|\.\.|@\{/;
const LARGEST_OUTPUT = 512 * 1024 * 1024;

/** What git said of full ids, by repository and question: it never says anything else. */
const said = new Map<string, Promise<Buffer>>();

/** Reads a bare repository on disk. What it has once told of an id is not asked of git again. */
export class BareRepository {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether there is no ref at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.#git('for-each-ref', '--count=1')).length === 0;
  }

  async defaultBranch(): Promise<string> {
    return (await this.#git('symbolic-ref', '--short', 'HEAD')).toString().trim();
  }

  /** The id of the commit that a branch, a tag, a ref or an id, maybe shortened, stands for. */
  async commitId(name: string): Promise<string | undefined> {
    if (EXPRESSION.test(name)) return undefined;
    const refs = [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`];
    const names = FULL_ID.test(name) || name === 'HEAD' || name.startsWith('refs/') ? [name] : refs;
    if (SHORT_ID.test(name)) names.push(name);
    for (const each of names) {
      const id = await this.#tryGit(each, 'rev-parse', '--verify', '--quiet', `${each}^{commit}`);
      if (id) return id.toString().trim();
    }
    return undefined;
  }

  async typeOf(id: string): Promise<string | undefined> {
    return (await this.#tryGit(id, 'cat-file', '-t', id))?.toString().trim();
  }

  async sizeOf(id: string): Promise<number> {
    return Number(await this.#gitOf(id, 'cat-file', '-s', id));
  }

  blob(id: string): Promise<Buffer> {
    return this.#gitOf(id, 'cat-file', 'blob', id);
  }

  /** The entries of a tree or a commit's tree; those of folders stand before what is in them. */
  async list(id: string, { recursive }: { readonly recursive: boolean }): Promise<TreeEntry[]> {
    return entriesOf(await this.#gitOf(id, 'ls-tree', ...(recursive ? ['-r', '-t'] : []), '-l', '-z', id));
  }

  /** What stands at a path, without a slash at its end, in a tree or a commit's tree. */
  async entryAt(id: string, path: string): Promise<TreeEntry | undefined> {
    return entriesOf(await this.#gitOf(id, 'ls-tree', '-l', '-z', id, '--', path))[0];
  }

  /** The id of a folder's tree in a tree or a commit's tree; the id itself for the root, whose path is empty. */
  async folderAt(id: string, path: string): Promise<string | undefined> {
    if (path === '') return id;
    const entry = await this.entryAt(id, path);
    return entry?.type === 'tree' ? entry.id : undefined;
  }

  async commit(id: string): Promise<Commit> {
    const format = ['%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00');
    const output = (await this.#gitOf(id, 'show', '-s', `--format=${format}`, id)).toString();
    const [tree, parents, ...rest] = output.split('\0') as [string, string, ...string[]];
    const [author, committer, message] = [person(rest), person(rest.slice(3)), rest[6] as string];
    return {
      id,
      tree,
      parents: parents.split(' ').filter(Boolean),
      author,
      committer,
      message: message.trimEnd(),
    };
  }

  async refs(): Promise<Ref[]> {
    const output = await this.#git('for-each-ref', '--format=%(refname) %(objectname) %(objecttype)');
    return output
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string, string])
      .map(([name, id, type]) => ({ name, id, type }));
  }

  async #git(...args: string[]): Promise<Buffer> {
    const { stdout } = await promisify(execFile)('git', ['--git-dir', this.#path, ...args], {
      env: { ...SERVER_ENVIRONMENT, GIT_LITERAL_PATHSPECS: '1' },
      encoding: 'buffer',
      maxBuffer: LARGEST_OUTPUT,
    });
    return stdout;
  }

  /** What git says of a name; of a full id, what it once said. */
  #gitOf(name: string, ...args: string[]): Promise<Buffer> {
    if (!FULL_ID.test(name)) return this.#git(...args);
    const question = [this.#path, ...args].join('\0');
    const answer = said.get(question) ?? this.#git(...args);
    said.set(question, answer);
    answer.catch(() => said.delete(question));
    return answer;
  }

  /** Nothing if git says that it can't. */
  async #tryGit(...question: [name: string, ...args: string[]]): Promise<Buffer | undefined> {
    try {
      return await this.#gitOf(...question);
    } catch (error) {
      if (typeof (error as { code?: unknown }).code === 'number') return undefined;
      throw error;
    }
  }
}

const ENTRY = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s;

function entriesOf(output: Buffer): TreeEntry[] {
  return output
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((line) => ENTRY.exec(line) as unknown as [string, string, TreeEntry['type'], string, string, string])
    .map(([, mode, type, id, size, path]) => ({
      mode,
      type,
      id,
      path,
      ...(size !== '-' && { size: Number(size) }),
    }));
}

function person([name, email, date]: readonly string[]): Person {
  return {
    name: name as string,
    email: email as string,
    date: new Date(date as string).toISOString().replace('.000Z', 'Z'),
  };
}
