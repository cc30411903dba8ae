import { compileGlob } from './glob.ts';
import { byteString } from './names.ts';
import { Nested, parentOf } from './nested.ts';

interface IgnoreRule {
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
  /** True where the pattern has no slash inside and so is compared with the last part of a path. */
  readonly byName: boolean;
  readonly matches: (text: string) => boolean;
}

interface IgnoreFile {
  /** Bytes of the folder's path and its slash, to be cut off a path before it is compared. */
  readonly baseLength: number;
  /** Strongest, that is last, first. */
  readonly rules: readonly IgnoreRule[];
}

/** The nested ignore files of one name, by the rules of gitignore(5), case-sensitive. */
export class IgnoreFiles {
  readonly #files = new Nested<IgnoreFile>();

  get isEmpty(): boolean {
    return this.#files.isEmpty;
  }

  /** Adds the ignore file of a folder (`''` is the root). */
  add(folder: string, content: Buffer): void {
    const rules = parseIgnoreFile(content).reverse();
    const baseLength = folder === '' ? 0 : byteString(folder).length + 1;
    if (rules.length > 0) this.#files.set(folder, { baseLength, rules });
  }

  /**
   * What the files say about a path itself: true excludes it, false (a `!` pattern) keeps it, and
   * `undefined` is no word. The folders above it, whose exclusion settles all that is below, are the
   * caller's to ask about first.
   */
  verdict(path: string, isFolder: boolean): boolean | undefined {
    const files = this.#files.around(parentOf(path));
    if (files.length === 0) return undefined;
    const text = byteString(path);
    const name = text.slice(text.lastIndexOf('/') + 1);
    for (const { baseLength, rules } of files) {
      const below = baseLength === 0 ? text : text.slice(baseLength);
      for (const rule of rules) {
        if (rule.foldersOnly && !isFolder) continue;
        if (rule.matches(rule.byName ? name : below)) return rule.excludes;
      }
    }
    return undefined;
  }
}

function parseIgnoreFile(content: Buffer): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const line of content.toString('latin1').replace(UTF8_MARK, '').split('\n')) {
    if (line.startsWith('#')) continue;
    const rule = parseIgnoreLine(trimEnd(line.endsWith('\r') ? line.slice(0, -1) : line));
    if (rule) rules.push(rule);
  }
  return rules;
}

const UTF8_MARK = /^\xef\xbb\xbf/;

/** Spaces at the end don't count unless a backslash stands before them. */
function trimEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  if (end === line.length) return line;
  let slashes = 0;
  while (line[end - 1 - slashes] === '\\') slashes += 1;
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end);
}

function parseIgnoreLine(line: string): IgnoreRule | undefined {
  const excludes = !line.startsWith('!');
  let pattern = excludes ? line : line.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const byName = !pattern.includes('/');
  const matches = compileGlob(pattern.startsWith('/') ? pattern.slice(1) : pattern);
  return { excludes, foldersOnly, byName, matches };
}
