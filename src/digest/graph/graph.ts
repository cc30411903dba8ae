import type { ImportLanguage } from './language.ts';
import { LANGUAGES } from './languages.ts';

/** Who imports whom in a source. */
export interface ImportGraph {
  /** How many files of the source import a file; each counts by its share where an import could mean several. */
  readonly importersOf: (path: string) => number;
  /** How many files of the source a file imports, likewise. */
  readonly importsOf: (path: string) => number;
  /** Of the files that were marked, those that a file imports, and those that import it. */
  readonly linksOf: (path: string) => Links;
}

/** The files at the other ends of a file's imports, either way. */
export interface Links {
  readonly imports: readonly string[];
  readonly importedBy: readonly string[];
}

const NO_LINKS: Links = { imports: [], importedBy: [] };

/** A file whose imports may be read. */
export interface GraphFile {
  readonly path: string;
  /** As Linguist names it. */
  readonly language: string;
}

/** Whether imports of a language, by Linguist's name, can be read. */
export function hasImports(language: string): boolean {
  return LANGUAGES.has(language);
}

/** What a file imports beyond these is not looked at. */
const MOST_IMPORTS = 1000;
const LONGEST_IMPORT = 300;

/** The files of one family of languages, and what they import. */
interface Family {
  readonly paths: string[];
  readonly imports: Map<string, readonly string[]>;
}

/**
 * Finds out who imports whom, from paths and texts alone. The same files and texts make the same graph, in whichever
 * order they come.
 */
export class GraphBuilder {
  readonly #languageOf = new Map<string, ImportLanguage>();
  readonly #families = new Map<ImportLanguage, Family>();
  readonly #packages: ReadonlyMap<string, string>;
  readonly #specs = new Map<string, string>();

  /**
   * @param files all files of the source that have imports or may be imported
   * @param packages folders of packages by the names that others import them by
   */
  constructor(files: readonly GraphFile[], packages: ReadonlyMap<string, string> = new Map()) {
    this.#packages = packages;
    for (const { path, language } of files) {
      const known = LANGUAGES.get(language);
      if (!known || this.#languageOf.has(path)) continue;
      this.#languageOf.set(path, known);
      const family = this.#families.get(known);
      if (family) family.paths.push(path);
      else this.#families.set(known, { paths: [path], imports: new Map() });
    }
  }

  /** Reads what a file imports, and gives it; files may come in any order, and some not at all. */
  add(path: string, text: string): readonly string[] {
    const language = this.#languageOf.get(path);
    if (!language) return [];
    const specs = new Set<string>();
    for (const spec of language.read(text)) {
      if (spec === '' || spec.length > LONGEST_IMPORT) continue;
      specs.add(this.#kept(spec));
      if (specs.size === MOST_IMPORTS) break;
    }
    const imports = [...specs];
    this.#families.get(language)?.imports.set(path, imports);
    return imports;
  }

  /** Takes in what `add` gave for the same contents before. */
  addRead(path: string, imports: readonly string[]): void {
    const language = this.#languageOf.get(path);
    if (language) this.#families.get(language)?.imports.set(path, imports);
  }

  /**
   * The graph of what was added.
   *
   * @param marked files whose every single link is kept
   */
  finish(marked: ReadonlySet<string> = new Set()): ImportGraph {
    const importers = new Map<string, number>();
    const imports = new Map<string, number>();
    const links = new Map<string, { imports: string[]; importedBy: string[] }>();
    const linksAt = (path: string): { imports: string[]; importedBy: string[] } => {
      let own = links.get(path);
      if (!own) {
        own = { imports: [], importedBy: [] };
        links.set(path, own);
      }
      return own;
    };
    for (const [language, { paths, imports: specsOf }] of this.#families) {
      const resolve = language.resolver({
        paths,
        has: (path) => this.#languageOf.has(path),
        packages: this.#packages,
        imports: specsOf,
      });
      for (const from of paths) {
        const shares = sharesOf(specsOf.get(from) ?? [], from, resolve);
        for (const [path, share] of shares) {
          importers.set(path, (importers.get(path) ?? 0) + share);
          imports.set(from, (imports.get(from) ?? 0) + share);
          if (marked.has(path)) linksAt(from).imports.push(path);
          if (marked.has(from)) linksAt(path).importedBy.push(from);
        }
      }
    }
    return {
      importersOf: (path) => importers.get(path) ?? 0,
      importsOf: (path) => imports.get(path) ?? 0,
      linksOf: (path) => links.get(path) ?? NO_LINKS,
    };
  }

  /** A copy of its own, since a part of a text keeps the whole text in memory. */
  #kept(spec: string): string {
    let kept = this.#specs.get(spec);
    if (kept === undefined) {
      kept = Buffer.from(spec).toString();
      this.#specs.set(kept, kept);
    }
    return kept;
  }
}

/** The files that imports mean; one that several may mean has the largest of its shares. */
function sharesOf(
  specs: readonly string[],
  from: string,
  resolve: (spec: string, from: string) => readonly string[],
): Map<string, number> {
  const shares = new Map<string, number>();
  for (const spec of specs) {
    const files = resolve(spec, from);
    for (const path of files) {
      if (path !== from) shares.set(path, Math.max(shares.get(path) ?? 0, 1 / files.length));
    }
  }
  return shares;
}
