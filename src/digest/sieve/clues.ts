import { lookUp } from '../lookup.ts';
import type { Entry, OmitReason } from '../types.ts';
import { KNOWN_FOLDERS, reasonOfFolder } from './names.ts';

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
const BESIDE: ReadonlyMap<string, readonly [folder: string, rule: Rule][]> = new Map([
  ['Cargo.toml', [['target', OUTPUT]]],
  ['pom.xml', [['target', OUTPUT]]],
  ['build.sbt', [['target', OUTPUT]]],
  ['build.gradle', [['build', OUTPUT]]],
  ['build.gradle.kts', [['build', OUTPUT]]],
  ['setup.py', [['build/lib', PYTHON_OUTPUT]]],
  ['pyproject.toml', [['build/lib', PYTHON_OUTPUT]]],
  [
    'mix.exs',
    [
      ['_build', OUTPUT],
      ['deps', VENDORED],
    ],
  ],
  ['rebar.config', [['_build', OUTPUT]]],
  ['dune-project', [['_build', OUTPUT]]],
  ['conf.py', [['_build', OUTPUT]]],
  ['_config.yml', [['_site', OUTPUT]]],
  ['Package.swift', [['.build', OUTPUT]]],
]);

/** The same of .NET projects, whose files are told by their extension. */
const DOTNET_PROJECT = /\.(?:cs|fs|vb)proj$/;
const DOTNET_OUTPUT: readonly [folder: string, rule: Rule][] = ['obj', 'bin/Debug', 'bin/Release'].map(
  (folder) => [folder, OUTPUT],
);

/** A file that shows what the folder is in which it stands, where the folder's path is like this; never the root. */
const INSIDE: ReadonlyMap<string, readonly [folder: RegExp, rule: Rule]> = new Map([
  ['pyvenv.cfg', [/./, VENDORED]],
  ['.cargo-checksum.json', [/./, VENDORED]],
  ['modules.txt', [/(?:^|\/)vendor$/, VENDORED]],
  ['autoload.php', [/(?:^|\/)vendor$/, VENDORED]],
  ['CACHEDIR.TAG', [/./, CACHE]],
  ['clover.xml', [/(?:^|\/)coverage$/, CACHE]],
  ['coverage-final.json', [/(?:^|\/)coverage$/, CACHE]],
  ['lcov.info', [/(?:^|\/)coverage$/, CACHE]],
]);

/** What a package that has a `dist` folder is built from. */
const PACKAGE_FOLDERS = ['lib/', 'source/', 'src/'];
const PACKAGE_FILES = ['index.js', 'index.mjs', 'index.ts', 'main.js', 'main.ts'];

const MARKERS = new Set([...BESIDE.keys(), ...INSIDE.keys(), 'CMakeCache.txt', 'package.json']);

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
  const { has, hasBelow } = lookUp(entries);
  const rules = readRules(entries, has, hasBelow);

  const names = new Set([...rules.keys()].map((folder) => folder.slice(folder.lastIndexOf('/') + 1)));
  const escaped = [...names].map((name) => name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const telling = new RegExp(`(?:^|/)(?:${[KNOWN_FOLDERS, ...escaped].join('|')})/`);
  const ruleOf = (path: string): Rule | undefined => {
    if (!telling.test(path)) return undefined;
    let rule: Rule | undefined;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      const reason = reasonOfFolder(folder);
      rule = (reason && { reason }) ?? rules.get(folder) ?? rule;
      if (rule && !rule.only) break;
    }
    return rule;
  };

  /** The folder asked about last: a listing comes folder by folder. */
  let last = '';
  let rule: Rule | undefined;
  let sources: string[] | undefined;
  return {
    reasonOfPlace: (path) => {
      const slash = path.lastIndexOf('/');
      if (slash < 0) return undefined;
      const folder = path.slice(0, slash);
      if (folder !== last) {
        last = folder;
        rule = ruleOf(path);
        sources = undefined;
      }
      const name = path.slice(slash + 1);
      if (rule && (!rule.only || rule.only.test(name))) return rule.reason;
      const compiled = name.endsWith('s') ? COMPILED_NAME.exec(name) : null;
      if (!compiled) return undefined;
      sources ??= sourcesOf(`${folder}/`).filter(hasBelow);
      const stem = name.slice(0, compiled.index);
      return sources.some((source) => TYPESCRIPT.some((extension) => has(source + stem + extension)))
        ? 'build-output'
        : undefined;
    },
  };
}

/** The rules of folders that the listing gives evidence of, by the folder's path. */
function readRules(
  entries: readonly Entry[],
  has: (path: string) => boolean,
  hasBelow: (prefix: string) => boolean,
) {
  const rules = new Map<string, Rule>();
  const add = (folder: string, rule: Rule) => {
    if (!rules.has(folder)) rules.set(folder, rule);
  };
  for (const { path } of entries) {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const isDotnet = name.endsWith('proj') && DOTNET_PROJECT.test(name);
    if (!isDotnet && !MARKERS.has(name)) continue;
    const base = path.slice(0, slash + 1);
    const folder = path.slice(0, Math.max(0, slash));
    const beside = BESIDE.get(name) ?? (isDotnet ? DOTNET_OUTPUT : []);
    for (const [written, rule] of beside) add(base + written, rule);
    const inside = INSIDE.get(name);
    if (inside?.[0].test(folder)) add(folder, inside[1]);
    if (name === 'package.json') {
      const isBuilt =
        PACKAGE_FOLDERS.some((source) => hasBelow(base + source)) ||
        PACKAGE_FILES.some((source) => has(base + source));
      if (isBuilt) add(`${base}dist`, WEB_OUTPUT);
    }
    if (name === 'CMakeCache.txt' && folder !== '' && !has(`${base}CMakeLists.txt`)) add(folder, OUTPUT);
  }
  return rules;
}

/** Where the TypeScript of what is compiled into a folder would stand. Paths of folders end with a slash. */
function sourcesOf(folder: string): string[] {
  const [, before, format, rest] = COMPILED_FOLDER.exec(folder) ?? [];
  if (before === undefined || rest === undefined) return [];
  const parts = format ? [rest, `${format}/${rest}`] : [rest];
  return parts.flatMap((part) => [
    `${before}src/${part}`,
    ...(part.startsWith('src/') ? [before + part] : []),
  ]);
}
