import type { Entry, OmitReason } from '../types.ts';
import { reasonOfFolder } from './names.ts';

/** What the listing as a whole says about where a file stands. */
export interface Clues {
  /** Why a file isn't worth showing because of the folders above it. */
  readonly reasonOfPlace: (path: string) => OmitReason | undefined;
}

/** Why files below a folder aren't worth showing: all of them, or only those with such names. */
interface Rule {
  readonly reason: OmitReason;
  readonly only?: RegExp;
}

const OUTPUT: Rule = { reason: 'build-output' };
const PYTHON_OUTPUT: Rule = { reason: 'build-output', only: /\.pyi?$/ };
const WEB_OUTPUT: Rule = { reason: 'build-output', only: /\.(?:[cm]?js|css|d\.[cm]?ts|wasm)$/ };
const VENDORED: Rule = { reason: 'vendored' };
const CACHE: Rule = { reason: 'cache' };

/** What a build tool writes beside the file that shows it is used there. */
// biome-ignore format: a table
const BESIDE: ReadonlyMap<string, readonly [folder: string, rule: Rule][]> = new Map([
  ['Cargo.toml', [['target', OUTPUT]]],
  ['pom.xml', [['target', OUTPUT]]],
  ['build.sbt', [['target', OUTPUT]]],
  ['build.gradle', [['build', OUTPUT]]],
  ['build.gradle.kts', [['build', OUTPUT]]],
  ['setup.py', [['build/lib', PYTHON_OUTPUT]]],
  ['pyproject.toml', [['build/lib', PYTHON_OUTPUT]]],
  ['mix.exs', [['_build', OUTPUT], ['deps', VENDORED]]],
  ['rebar.config', [['_build', OUTPUT]]],
  ['dune-project', [['_build', OUTPUT]]],
  ['conf.py', [['_build', OUTPUT]]],
  ['_config.yml', [['_site', OUTPUT]]],
  ['Package.swift', [['.build', OUTPUT]]],
]);

/** The same of .NET projects, whose files are told by their extension. */
const DOTNET_PROJECT = /\.(?:cs|fs|vb)proj$/;
const DOTNET_OUTPUT = ['obj', 'bin/Debug', 'bin/Release'];

/** A file that shows what the folder is in which it stands, where the folder has this name. */
const INSIDE: ReadonlyMap<string, readonly [folder: RegExp, rule: Rule]> = new Map([
  ['pyvenv.cfg', [/./, VENDORED]],
  ['.cargo-checksum.json', [/./, VENDORED]],
  ['modules.txt', [/^vendor$/, VENDORED]],
  ['autoload.php', [/^vendor$/, VENDORED]],
  ['CACHEDIR.TAG', [/./, CACHE]],
  ['clover.xml', [/^coverage$/, CACHE]],
  ['coverage-final.json', [/^coverage$/, CACHE]],
  ['lcov.info', [/^coverage$/, CACHE]],
]);

/** What a package that has a `dist` folder is built from. */
const PACKAGE_SOURCES = [
  'lib/',
  'source/',
  'src/',
  'index.js',
  'index.mjs',
  'index.ts',
  'main.js',
  'main.ts',
];

/** A folder of compiled JavaScript, where the same path below `src` is TypeScript. */
const COMPILED_FOLDER = /^(|.*?\/)(?:build|dist|lib|out)\/(?:(cjs|commonjs|es|esm|module|types)\/)?(.*)$/;
const COMPILED_NAME = /\.(?:[cm]?js|d\.[cm]?ts)$/;
const TYPESCRIPT = ['.ts', '.tsx', '.mts', '.cts'];

/**
 * Reads a listing for what tells build output and installed dependencies from source.
 *
 * `build`, `bin`, `out`, `target`, `dist`, `deps`, `vendor` and `coverage` are names that projects give to source
 * as well, in tracked files more often than not. None of them says anything alone: the tool that writes the folder
 * must be seen beside it (`target` beside `Cargo.toml`) or in it (`pyvenv.cfg`); a package's `dist` holds output
 * only where the package has source elsewhere, and then only in the kinds of files that a bundler writes; and
 * JavaScript is output where its TypeScript stands at the same path below `src`.
 *
 * @param entries sorted by path, by code unit
 */
export function readClues(entries: readonly Entry[]): Clues {
  const { has, hasBelow } = search(entries);
  const evidence = new Map<string, Rule>();
  const add = (folder: string, rule: Rule) => {
    if (!evidence.has(folder)) evidence.set(folder, rule);
  };
  for (const { path } of entries) {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const base = path.slice(0, slash + 1);
    for (const [folder, rule] of BESIDE.get(name) ?? []) add(base + folder, rule);
    const inside = INSIDE.get(name);
    if (inside && slash > 0 && inside[0].test(path.slice(path.lastIndexOf('/', slash - 1) + 1, slash)))
      add(path.slice(0, slash), inside[1]);
    if (
      name === 'package.json' &&
      PACKAGE_SOURCES.some((source) => (source.endsWith('/') ? hasBelow : has)(base + source))
    )
      add(`${base}dist`, WEB_OUTPUT);
    if (name === 'CMakeCache.txt' && slash > 0 && !has(`${base}CMakeLists.txt`))
      add(path.slice(0, slash), OUTPUT);
    if (DOTNET_PROJECT.test(name)) for (const folder of DOTNET_OUTPUT) add(base + folder, OUTPUT);
  }

  const rules = new Map<string, Rule | undefined>();
  const ruleOf = (folder: string): Rule | undefined => {
    if (rules.has(folder)) return rules.get(folder);
    let rule: Rule | undefined;
    for (let slash = folder.indexOf('/'); ; slash = folder.indexOf('/', slash + 1)) {
      const upper = slash < 0 ? folder : folder.slice(0, slash);
      const reason = reasonOfFolder(upper);
      rule = (reason && { reason }) ?? evidence.get(upper) ?? rule;
      if ((rule && !rule.only) || slash < 0) break;
    }
    rules.set(folder, rule);
    return rule;
  };

  const sources = new Map<string, string[]>();
  /** Folders where the TypeScript of what is compiled into a folder would stand. */
  const sourcesOf = (folder: string): string[] => {
    let found = sources.get(folder);
    if (!found) {
      const [, before, format, rest] = COMPILED_FOLDER.exec(`${folder}/`) ?? [];
      const parts = rest === undefined ? [] : [rest, ...(format ? [`${format}/${rest}`] : [])];
      found = parts
        .flatMap((part) => [`${before}src/${part}`, ...(part.startsWith('src/') ? [before + part] : [])])
        .filter(hasBelow);
      sources.set(folder, found);
    }
    return found;
  };

  return {
    reasonOfPlace: (path) => {
      const slash = path.lastIndexOf('/');
      if (slash < 0) return undefined;
      const folder = path.slice(0, slash);
      const name = path.slice(slash + 1);
      const rule = ruleOf(folder);
      if (rule && (!rule.only || rule.only.test(name))) return rule.reason;
      const compiled = COMPILED_NAME.exec(name);
      if (!compiled) return undefined;
      const stem = name.slice(0, compiled.index);
      const isCompiled = sourcesOf(folder).some((source) =>
        TYPESCRIPT.some((extension) => has(source + stem + extension)),
      );
      return isCompiled ? 'build-output' : undefined;
    },
  };
}

/** Look-ups in sorted entries: a path, and anything that begins with a prefix. */
function search(entries: readonly Entry[]) {
  const firstFrom = (text: string): string => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle] as Entry).path < text) low = middle + 1;
      else high = middle;
    }
    return entries[low]?.path ?? '';
  };
  return {
    has: (path: string) => firstFrom(path) === path,
    hasBelow: (prefix: string) => firstFrom(prefix).startsWith(prefix),
  };
}
