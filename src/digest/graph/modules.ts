import { Suffixes } from './suffixes.ts';

export interface Spelling {
  /**
   * Endings that an import may leave out. Of files that differ in nothing else, that with the first is meant; an ending
   * that ends with another comes after it.
   */
  readonly endings: readonly string[];
  /** The name of the file that stands for its folder. */
  readonly index?: string;
  /** Whether imports may differ from paths in capital letters. */
  readonly anyCase?: boolean;
}

/** Files as imports spell them: without ending, and a folder for the file that stands for it. */
export class Modules {
  readonly #spelling: Spelling;
  readonly #paths: ReadonlySet<string>;
  readonly #files = new Map<string, { path: string; rank: number }>();
  readonly #suffixes: Suffixes;

  constructor(paths: readonly string[], spelling: Spelling) {
    this.#spelling = spelling;
    this.#paths = new Set(paths);
    for (const path of paths) {
      const key = this.keyOf(path);
      const rank = this.#rankOf(path);
      const known = this.#files.get(key);
      if (!known || rank < known.rank) this.#files.set(key, { path, rank });
    }
    this.#suffixes = new Suffixes(this.#files.keys());
  }

  /** The file that a path means, with or without its ending. */
  at(path: string): readonly string[] {
    if (this.#paths.has(path)) return [path];
    const found = this.named(this.#withoutIndex(path));
    return found.length > 0 ? found : this.named(this.keyOf(path));
  }

  /** The file that is spelled so. */
  named(key: string): readonly string[] {
    const found = this.#files.get(key);
    return found ? [found.path] : [];
  }

  /** The files that the end of a path means: those nearest to `from`. */
  endingWith(suffix: string, from: string): readonly string[] {
    const keys = this.#suffixes.find(this.keyOf(suffix), this.#folded(from));
    return keys.flatMap((key) => this.named(key));
  }

  /** A path as imports spell it. */
  keyOf(path: string): string {
    return this.#folded(this.#withoutIndex(this.#withoutEnding(path)));
  }

  /** Which of several files of a key is meant: that with the lowest. */
  #rankOf(path: string): number {
    const { endings } = this.#spelling;
    const ending = endings.findLastIndex((end) => path.endsWith(end));
    const bare = this.#withoutEnding(path);
    const isIndex = this.#withoutIndex(bare) !== bare;
    return (ending < 0 ? endings.length : ending) + (isIndex ? endings.length + 1 : 0);
  }

  #folded(path: string): string {
    return this.#spelling.anyCase ? path.toLowerCase() : path;
  }

  /** Of endings that fit, the last is the longest. */
  #withoutEnding(path: string): string {
    const ending = this.#spelling.endings.findLast((end) => path.endsWith(end));
    return ending === undefined ? path : path.slice(0, -ending.length);
  }

  #withoutIndex(path: string): string {
    const { index } = this.#spelling;
    if (index === undefined || !path.endsWith(index)) return path;
    if (path.length === index.length) return '';
    const slash = path.length - index.length - 1;
    return path[slash] === '/' ? path.slice(0, slash) : path;
  }
}

/** An import of so many files says nothing about any of them. */
const MOST_FILES = 200;

/** Files that are imported together, by the name they are imported by. */
export class Groups {
  readonly #files = new Map<string, string[]>();

  put(name: string, path: string): void {
    const files = this.#files.get(name);
    if (files) files.push(path);
    else this.#files.set(name, [path]);
  }

  at(name: string): readonly string[] {
    const files = this.#files.get(name) ?? [];
    return files.length > MOST_FILES ? [] : files;
  }

  get names(): Iterable<string> {
    return this.#files.keys();
  }
}
