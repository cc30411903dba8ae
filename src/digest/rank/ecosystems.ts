const SCRIPT = ['JavaScript', 'TypeScript', 'TSX', 'Vue', 'Svelte', 'Astro'];
const JVM = ['Java', 'Kotlin', 'Scala', 'Groovy', 'Clojure'];
const NATIVE = ['C', 'C++', 'Objective-C', 'Cuda', 'Fortran', 'Assembly'];

/** The languages whose projects a manifest describes. */
const ECOSYSTEMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['package.json', SCRIPT],
  ['deno.json', SCRIPT],
  ['deno.jsonc', SCRIPT],
  ['jsr.json', SCRIPT],
  ['cargo.toml', ['Rust']],
  ['pyproject.toml', ['Python', 'Cython']],
  ['setup.py', ['Python', 'Cython']],
  ['setup.cfg', ['Python', 'Cython']],
  ['requirements.txt', []],
  ['pipfile', ['Python', 'Cython']],
  ['go.mod', ['Go']],
  ['pom.xml', JVM],
  ['build.gradle', JVM],
  ['build.gradle.kts', JVM],
  ['settings.gradle', JVM],
  ['settings.gradle.kts', JVM],
  ['build.sbt', JVM],
  ['project.clj', JVM],
  ['deps.edn', JVM],
  ['composer.json', ['PHP']],
  ['gemfile', ['Ruby']],
  ['mix.exs', ['Elixir']],
  ['rebar.config', ['Erlang']],
  ['package.swift', ['Swift']],
  ['pubspec.yaml', ['Dart']],
  ['cmakelists.txt', NATIVE],
  ['meson.build', NATIVE],
  ['configure.ac', NATIVE],
  ['makefile.am', NATIVE],
  ['dune-project', ['OCaml']],
  ['build.zig', ['Zig']],
  ['shard.yml', ['Crystal']],
  ['cpanfile', ['Perl']],
  ['makefile.pl', ['Perl']],
  ['stack.yaml', ['Haskell']],
  ['elm.json', ['Elm']],
  ['gleam.toml', ['Gleam']],
  ['flake.nix', ['Nix']],
  ['chart.yaml', ['Go Template', 'Smarty']],
  ['androidmanifest.xml', JVM],
]);

const ECOSYSTEM_BY_ENDING: ReadonlyMap<string, readonly string[]> = new Map([
  ['.gemspec', ['Ruby']],
  ['.csproj', ['C#']],
  ['.fsproj', ['F#']],
  ['.vbproj', ['Visual Basic .NET']],
  ['.cabal', ['Haskell']],
  ['.opam', ['OCaml']],
  ['.nimble', ['Nim']],
  ['.rockspec', ['Lua']],
  ['.podspec', ['Swift', 'Objective-C']],
]);

/** Names that mean something else in lower case. */
const CASED: ReadonlyMap<string, readonly string[]> = new Map([
  ['DESCRIPTION', ['R']],
  ['Project.toml', ['Julia']],
]);

/** Whether a file's name is that of a manifest, and of which languages. */
export function ecosystemOf(fileName: string, lowerCased: string): readonly string[] | undefined {
  const known = ECOSYSTEMS.get(lowerCased) ?? CASED.get(fileName);
  if (known) return known;
  const dot = lowerCased.lastIndexOf('.');
  return dot < 0 ? undefined : ECOSYSTEM_BY_ENDING.get(lowerCased.slice(dot));
}
