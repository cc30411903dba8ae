import type { CacheKind } from '../cache/cache.ts';

/** What stands at a path of a source. `repository` is a nested repository or a submodule. */
export type EntryKind = 'file' | 'symlink' | 'repository' | 'special';

/** One thing a source lists. Folders are not listed; they follow from the paths. */
export interface Entry {
  /**
   * Relative to the digest's root, parts joined by `/`. Bytes of a name that are not UTF-8 stand as
   * U+DC80 to U+DCFF (the byte plus 0xDC00), so that every name is kept and no two fall together.
   */
  readonly path: string;
  readonly kind: EntryKind;
  /** Bytes, known without reading the contents; 0 for anything but files and symlinks. */
  readonly size: number;
  /** Where a symlink points (as written), or the commit of a submodule. */
  readonly target?: string;
  /** Why the source itself can't offer or doesn't want this entry. */
  readonly omit?: OmitReason;
}

/** Why a file is not in the digest, not even in part. Each has its line in the ledger. */
export type OmitReason =
  | 'budget'
  | 'excluded'
  | 'ignored'
  | 'binary'
  | 'lock'
  | 'generated'
  | 'vendored'
  | 'minified'
  | 'source-map'
  | 'build-output'
  | 'cache'
  | 'editor'
  | 'empty'
  | 'lfs-pointer'
  | 'symlink'
  | 'repository'
  | 'special'
  | 'unreadable'
  | 'vanished'
  | 'unfetched';

/** Attributes of a path that `.gitattributes` files set and a digest heeds. */
export interface Attributes {
  readonly generated?: boolean;
  readonly vendored?: boolean;
  readonly documentation?: boolean;
  readonly lfs?: boolean;
  readonly language?: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What a host tells of a repository beside its files. */
export interface HostFacts {
  readonly description?: string;
  readonly stars?: number;
  readonly language?: string;
  /** The SPDX identifier where the host knows it. */
  readonly license?: string;
  readonly defaultBranch?: string;
  readonly topics?: readonly string[];
  readonly archived?: boolean;
  readonly fork?: boolean;
}

export interface SourceFacts {
  readonly kind: 'folder' | 'git' | 'github';
  /** `owner/repo` where a remote names it, else the folder's name. */
  readonly name: string;
  /** The remote's address, without credentials. */
  readonly url?: string;
  /** The branch or the ref asked for. */
  readonly ref?: string;
  /** The full commit id. */
  readonly commit?: string;
  /** True where files are shown as they stand in the work tree, not as the commit has them. */
  readonly workTree?: boolean;
  /** The folder inside the repository that was asked for, where it isn't the root. */
  readonly subfolder?: string;
  readonly host?: HostFacts;
}

export interface Listing {
  /** Sorted by path, by code unit. */
  readonly entries: readonly Entry[];
  /** False where a part of the source could not be listed. */
  readonly complete: boolean;
  readonly warnings: readonly Warning[];
  /** The attributes of a path; an empty object where none is set. */
  readonly attributesOf: (path: string) => Attributes;
}

/** How a file fared in the repository's latest commits. */
export interface FileHistory {
  /** Commits that changed it, each counted half as much for every 90 days of age before the newest commit. */
  readonly recentChanges: number;
  readonly commits: number;
}

export interface History {
  /** Commits looked at. */
  readonly commits: number;
  readonly files: ReadonlyMap<string, FileHistory>;
}

/** How a file differs from what it was at an earlier commit. */
export interface Change {
  readonly kind: 'added' | 'modified' | 'deleted';
  /**
   * Of a modified text the lines that are new, from 1, each run by its first and last; where lines were only taken out,
   * the two around the place. Nothing where they aren't known.
   */
  readonly lines?: readonly (readonly [first: number, last: number])[];
}

/** What changed since a commit. */
export interface Changes {
  /** The commit as the user named it, and its full id. */
  readonly ref: string;
  readonly commit: string;
  readonly files: ReadonlyMap<string, Change>;
  readonly warnings: readonly Warning[];
}

/** Where files come from. Implementations: `source/folder.ts`, `source/work-tree.ts`, `source/commit.ts`. */
export interface Source {
  readonly facts: SourceFacts;
  /** What a cache keeps it under. */
  readonly kept: { readonly kind: CacheKind; readonly address: string };
  /** The path of a file that the address names: it stands first, whatever kind it is of. */
  readonly askedFor?: string | undefined;
  /** What there is to say of the way to it. More may turn up while files are read. */
  readonly notes?: readonly Warning[];
  list(): Promise<Listing>;
  /**
   * What names a file's contents, known without reading them: whatever has the same id has the same contents. `undefined`
   * where nothing does.
   */
  contentId(entry: Entry): string | undefined;
  /** Brings files near that are about to be read, where they are far away. Never rejects. */
  prefetch(entries: readonly Entry[]): Promise<void>;
  /**
   * The same for a great many files that would be good to have, as far as nobody counts the requests it takes.
   * Tells whether all of them are near. Never rejects.
   */
  survey(entries: readonly Entry[]): Promise<boolean>;
  /**
   * The first `limit` bytes of a file.
   * Throws a Node error (`ENOENT`, `EACCES`, …) if it can't be read any more, `NotFetched` if it can't be had.
   */
  read(entry: Entry, limit: number): Promise<Buffer>;
  /** All bytes of a file, for those too large to hold. */
  stream(entry: Entry): AsyncIterable<Buffer>;
  /** `undefined` where there is none. */
  history(): Promise<History | undefined>;
  /** `undefined` where it wasn't asked for. Throws `GIT_FAILED`. */
  changes(): Promise<Changes | undefined>;
  close(): Promise<void>;
}

/** How far a digest is. */
export interface Progress {
  readonly stage: 'fetching' | 'listing' | 'ranking' | 'reading';
  /** Files listed, ranked or read so far; of what is fetched, files or git's objects. */
  readonly done: number;
  readonly total?: number;
  /** Bytes fetched so far. */
  readonly bytes?: number;
  /** Requests that GitHub's API allows before its next reset. */
  readonly requestsLeft?: number;
}
