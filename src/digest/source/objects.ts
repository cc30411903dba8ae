/** Git's modes of what isn't a file. */
export const FOLDER = '040000';
export const SYMLINK = '120000';
export const SUBMODULE = '160000';

/** What a commit's tree holds at one path. */
export interface TreeItem {
  readonly path: string;
  /** Git's mode: `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule, `040000` for a folder. */
  readonly mode: string;
  readonly id: string;
  /** Bytes; `undefined` where they can't be known, since the contents are missing. */
  readonly size: number | undefined;
}

export interface CommitTree {
  /** All but folders, by paths relative to the folder asked for. */
  readonly items: readonly TreeItem[];
  /** Why a part of it could not be listed, as a sentence; `undefined` where all of it is there. */
  readonly incomplete?: string;
}

/** Where the tree and the contents of one commit come from. Implementations: `git-objects.ts`, `remote/git/git-remote.ts`, `remote/github/objects.ts`. */
export interface Objects {
  /**
   * All that is in a folder, which is named with a slash at its end, or by `''` for the root.
   * Throws a `PlimsollError` where nothing can be listed.
   */
  tree(folder: string): Promise<CommitTree>;
  /** What there is at some paths from the repository's root. */
  find(paths: readonly string[]): Promise<readonly TreeItem[]>;
  /** Brings contents near that are about to be read, many at once. Never rejects: who reads one learns that it is missing. */
  prefetch(ids: readonly string[]): Promise<void>;
  /** The same, but without requests that a host counts; whether all contents are near. */
  survey(ids: readonly string[]): Promise<boolean>;
  /** The first `limit` bytes of a blob. Throws a Node error (`ENOENT`, `EIO`, …) or a `NotFetched`. */
  read(id: string, limit: number): Promise<Buffer>;
  /** All bytes of a blob. Throws as `read` does. */
  stream(id: string): AsyncIterable<Buffer>;
  close(): Promise<void>;
}
