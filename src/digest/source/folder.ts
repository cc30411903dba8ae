import { type Dirent, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { visibleName } from '../../text/visible.ts';
import type { Entry, EntryKind, Listing, Source, SourceFacts, Warning } from '../types.ts';
import { Disk } from './disk.ts';
import { IgnoreFiles } from './ignore.ts';
import { finishListing, readRuleFile, Troubles, unreadableEntry } from './listing.ts';
import { decodeName } from './names.ts';
import { Pace, throwIfAborted } from './pace.ts';
import { foldersAround, prefixBelow, RULE_FILES, Rules } from './rules.ts';

export interface FolderOptions {
  /** The outermost folder whose ignore files count; absolute, real, `root` itself or around it. */
  readonly top?: string;
  /** What the choice of this kind of source has to tell. */
  readonly warnings?: readonly Warning[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * A folder that git doesn't look after. What its `.gitignore` files exclude, and `.git`, is no part of it.
 * Links are never followed.
 */
export class FolderSource implements Source {
  readonly facts: SourceFacts;
  readonly kept: Source['kept'];
  readonly #root: string;
  readonly #disk: Disk;
  readonly #options: FolderOptions;
  #listing: Promise<Listing> | undefined;

  /** `root` is an absolute path without symbolic links. */
  constructor(root: string, options: FolderOptions = {}) {
    this.facts = { kind: 'folder', name: basename(root) || root };
    this.kept = { kind: 'folder', address: root };
    this.#root = root;
    this.#disk = new Disk(root);
    this.#options = options;
  }

  list(): Promise<Listing> {
    this.#listing ??= this.#list();
    return this.#listing;
  }

  async #list(): Promise<Listing> {
    const { top = this.#root, warnings = [], signal } = this.#options;
    const walk = new Walk(this.#disk, prefixBelow(top, this.#root), top, new Troubles(warnings));
    const pace = new Pace(signal);
    throwIfAborted(signal);
    for (let folder = walk.next(); folder !== undefined; folder = walk.next()) {
      if (pace.isDue(walk.visit(folder))) await pace.turn();
    }
    return finishListing(visibleName(this.#root), walk.entries, walk.rules, walk.troubles);
  }

  contentId(entry: Entry): string | undefined {
    return this.#disk.contentId(entry.path);
  }

  async prefetch(): Promise<void> {}

  async survey(): Promise<boolean> {
    return true;
  }

  async read(entry: Entry, limit: number): Promise<Buffer> {
    return this.#disk.read(entry.path, limit);
  }

  stream(entry: Entry): AsyncIterable<Buffer> {
    return this.#disk.stream(entry.path);
  }

  async history(): Promise<undefined> {}

  async changes(): Promise<undefined> {}

  async close(): Promise<void> {}
}

class Walk {
  readonly entries: Entry[] = [];
  readonly rules: Rules;
  readonly troubles: Troubles;
  readonly #gitignore = new IgnoreFiles();
  readonly #pending: string[] = [''];
  readonly #prefix: string;
  readonly #disk: Disk;
  readonly #top: Disk;

  constructor(disk: Disk, prefix: string, top: string, troubles: Troubles) {
    this.#disk = disk;
    this.#top = new Disk(top);
    this.#prefix = prefix;
    this.rules = new Rules(this.#prefix);
    this.troubles = troubles;
    for (const folder of foldersAround(this.#prefix)) {
      for (const name of RULES_OF_A_FOLDER) this.#heed(folder, name);
    }
  }

  next(): string | undefined {
    return this.#pending.pop();
  }

  /** Takes in what one folder holds and returns how much that is. */
  visit(folder: string): number {
    const base = folder === '' ? '' : `${folder}/`;
    const children = this.#children(folder);
    for (const { name } of children) {
      if (RULES_OF_A_FOLDER.has(name)) this.#heed(this.#prefix + base, name);
    }
    for (const child of children) if (child.name !== '.git') this.#take(base + child.name, child);
    return children.length;
  }

  #take(path: string, child: Dirent): void {
    const isFolder = child.isDirectory();
    if (this.#gitignore.verdict(this.#prefix + path, isFolder) === true) return;
    if (isFolder) {
      this.#pending.push(path);
      return;
    }
    try {
      const entry = this.#disk.look(path);
      if (typeof entry === 'object') this.entries.push(entry);
    } catch (error) {
      this.entries.push(unreadableEntry(path, kindOf(child), error, this.troubles));
    }
  }

  #heed(base: string, name: string): void {
    const content = readRuleFile(this.#top, base + name, this.troubles);
    if (!content) return;
    if (name === '.gitignore') this.#gitignore.add(base.slice(0, -1), content);
    else this.rules.add(base + name, content);
  }

  #children(folder: string): Dirent[] {
    try {
      return readFolder(this.#disk.locate(folder));
    } catch (error) {
      if (!GONE.has((error as NodeJS.ErrnoException).code ?? ''))
        this.troubles.unreadableFolder(folder, error);
      return [];
    }
  }
}

const RULES_OF_A_FOLDER: ReadonlySet<string> = new Set(['.gitignore', ...RULE_FILES]);
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** A folder's contents, with their names as `decodeName` has them. */
function readFolder(path: string | Buffer): Dirent[] {
  const children = readdirSync(path, { withFileTypes: true });
  if (!children.some(({ name }) => name.includes('\ufffd'))) return children;
  const raw = readdirSync(path, {
    withFileTypes: true,
    encoding: 'buffer',
  } as object) as unknown as Dirent<Buffer>[];
  return raw.map((child) => Object.assign(child, { name: decodeName(child.name) }) as unknown as Dirent);
}

function kindOf(child: Dirent): EntryKind {
  if (child.isFile()) return 'file';
  return child.isSymbolicLink() ? 'symlink' : 'special';
}
