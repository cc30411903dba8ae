import { relative, sep } from 'node:path';
import type { Attributes, Entry } from '../types.ts';
import { AttributeFiles } from './attributes.ts';
import { IgnoreFiles } from './ignore.ts';
import { parentOf } from './nested.ts';

/** The files, in any folder, that say how the files below are to be treated. */
export const RULE_FILES = ['.ignore', '.plimsollignore', '.gitattributes'] as const;

/** A file with more bytes is not read for rules. */
export const RULES_LIMIT = 4 * 1024 * 1024;

/**
 * What the `.ignore`, `.plimsollignore` and `.gitattributes` files of a source say.
 *
 * `.plimsollignore` files have the last word over `.ignore` files, and among files of one name the deeper
 * one. Both have git's syntax, and nothing below a folder they exclude can be kept. A `!` in them takes back
 * what these two kinds of file exclude, never what a `.gitignore` does.
 */
export class Rules {
  readonly #plimsoll = new IgnoreFiles();
  readonly #ignore = new IgnoreFiles();
  readonly #attributes = new AttributeFiles();
  readonly #prefix: string;
  readonly #folders = new Map<string, boolean>();

  /** `prefix` is the source's place below the folder that `add` counts from, with a slash at its end. */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  /** Takes in a rule file by its path from the outermost folder whose rules count. */
  add(path: string, content: Buffer): void {
    const folder = parentOf(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name === '.plimsollignore') this.#plimsoll.add(folder, content);
    else if (name === '.ignore') this.#ignore.add(folder, content);
    else if (name === '.gitattributes') this.#attributes.add(folder, content);
  }

  /** The entries, those that ignore files exclude marked so. All files must have been added. */
  apply(entries: readonly Entry[]): readonly Entry[] {
    if (this.#plimsoll.isEmpty && this.#ignore.isEmpty) return entries;
    return entries.map((entry) => {
      if (entry.omit || !this.#excludes(entry)) return entry;
      return { ...entry, omit: 'ignored' };
    });
  }

  /** The attributes of a path of the source. */
  readonly attributesOf = (path: string): Attributes => this.#attributes.of(this.#prefix + path);

  #excludes(entry: Entry): boolean {
    if (this.#excludesFolder(parentOf(entry.path))) return true;
    return this.#verdict(entry.path, entry.kind === 'repository') === true;
  }

  #excludesFolder(folder: string): boolean {
    if (folder === '') return false;
    let excluded = this.#folders.get(folder);
    if (excluded === undefined) {
      excluded = this.#excludesFolder(parentOf(folder)) || this.#verdict(folder, true) === true;
      this.#folders.set(folder, excluded);
    }
    return excluded;
  }

  #verdict(path: string, isFolder: boolean): boolean | undefined {
    const full = this.#prefix + path;
    return this.#plimsoll.verdict(full, isFolder) ?? this.#ignore.verdict(full, isFolder);
  }
}

/** True for the path of a file that `Rules` takes in. */
export function isRuleFile(path: string): boolean {
  if (!path.endsWith('ignore') && !path.endsWith('.gitattributes')) return false;
  return (RULE_FILES as readonly string[]).includes(path.slice(path.lastIndexOf('/') + 1));
}

/** The folders around one, outermost first, each with a slash at its end: `a/b/` is in `''` and `a/`. */
export function foldersAround(prefix: string): string[] {
  const folders: string[] = [];
  for (let end = 0; end >= 0 && end < prefix.length; end = prefix.indexOf('/', end) + 1) {
    folders.push(prefix.slice(0, end));
  }
  return folders;
}

/** Where `root` is below `top`, with a slash at its end; empty where they are the same. Both are absolute. */
export function prefixBelow(top: string, root: string): string {
  const below = relative(top, root);
  return below === '' ? '' : `${below.replaceAll(sep, '/')}/`;
}

/** The folder that `root` is below by `prefix`: what `prefixBelow` undoes. */
export function topOf(root: string, prefix: string): string {
  return prefix === '' ? root : root.slice(0, -prefix.length) || sep;
}
