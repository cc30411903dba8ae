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
  ['description', ['R']],
  ['project.toml', ['Julia']],
  ['shard.yml', ['Crystal']],
  ['cpanfile', ['Perl']],
  ['makefile.pl', ['Perl']],
  ['stack.yaml', ['Haskell']],
  ['elm.json', ['Elm']],
  ['gleam.toml', ['Gleam']],
  ['flake.nix', ['Nix']],
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

/** Whether a lower-cased file name is that of a manifest, and of which languages. */
export function ecosystemOf(name: string): readonly string[] | undefined {
  const known = ECOSYSTEMS.get(name);
  if (known) return known;
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : ECOSYSTEM_BY_ENDING.get(name.slice(dot));
}
