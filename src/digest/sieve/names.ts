import { generatedPatterns } from '../language/linguist.gen.ts';
import type { OmitReason } from '../types.ts';

type Named = Exclude<OmitReason, 'symlink' | 'repository' | 'special' | 'empty'>;

const GENERATED = generatedPatterns();

/** Splits a list written as text, one name after another. */
function list(text: string): string[] {
  return text.trim().split(/\s+/);
}

function table(...groups: [Named, string[]][]): ReadonlyMap<string, Named> {
  return new Map(groups.flatMap(([reason, names]) => names.map((name): [string, Named] => [name, reason])));
}

/** Whole names of files. */
const NAMES = table(
  ['lock', GENERATED.lock.names],
  ['generated', GENERATED.generated.names],
  [
    'lock',
    list(`
      .package-lock.json Berksfile.lock Brewfile.lock.json Cartfile.resolved Chart.lock Gemfile.lock
      Gopkg.lock Package.resolved Podfile.lock Puppetfile.lock aqua-checksums.json buf.lock
      buildscript-gradle.lockfile bun.lock bun.lockb cabal.project.freeze conan.lock conda-lock.yml
      cpanfile.snapshot devbox.lock dub.selections.json esy.lock gems.locked glide.lock go.sum
      go.work.sum gradle.lockfile maven_install.json mise.lock mix.lock packages.lock.json packrat.lock
      paket.lock project.lock.json pubspec.lock pylock.toml rebar.lock renv.lock requirements.lock
      shard.lock shrinkwrap.yaml spago.lock stack.yaml.lock symfony.lock yarn.lock
    `),
  ],
  // A build tool's wrapper scripts, lexers and parsers by their tools' default names, an Xcode project's inside.
  ['generated', list('gradlew gradlew.bat mvnw mvnw.cmd lex.yy.c y.tab.c y.tab.h project.pbxproj')],
  [
    'build-output',
    list(`
      .ninja_deps .ninja_log .rustc_info.json CMakeCache.txt CTestTestfile.cmake DartConfiguration.tcl
      cmake_install.cmake compile_commands.json install_manifest.txt project.assets.json
    `),
  ],
  [
    'cache',
    list(`
      .coverage .dmypy.json .eslintcache .jekyll-metadata .php-cs-fixer.cache .php_cs.cache .phpunit.result.cache
      .stylelintcache CACHEDIR.TAG clover.xml coverage-final.json lcov.info
    `),
  ],
  [
    'editor',
    list(
      `.DS_Store .classpath .directory .factorypath .netrwhist .project Thumbs.db desktop.ini ehthumbs.db`,
    ),
  ],
);

/** Extensions after a name's last dot. */
const EXTENSIONS = table(
  ['generated', list('snap ambr xcworkspacedata xcuserstate')],
  ['build-output', list('Plo Po aux blg fdb_latexmk fls tlog')],
  ['cache', list('gcda gcno gcov profraw profdata pyc pyo tsbuildinfo')],
  ['editor', list('iml ipr iws kate-swp sublime-workspace suo swn swo swp')],
);

/** Ends of names that a generator gives: of Protocol Buffers, gRPC, Dart's builders, .NET, `*.generated.*` and the like. */
const GENERATED_NAME = new RegExp(
  [
    GENERATED.generated.name,
    String.raw`\.pb(?:\.\w+)?\.(?:c|cc|cpp|dart|go|h|js|py|rs|swift|ts)$`,
    String.raw`\.pb(?:enum|grpc|json|objc|rpc|server)\.(?:dart|h|m)$`,
    String.raw`_pb2(?:_grpc)?\.pyi?$`,
    String.raw`_(?:grpc_(?:web_)?|services_)?pb\.(?:d\.ts|js|rb|ts)$`,
    String.raw`\.(?:chopper|freezed|gr|mocks)\.dart$`,
    String.raw`.\.g(?:\.i)?\.(?:cs|dart|vb)$`,
    String.raw`.\.gen\.(?:cs|dart|go|java|jsx?|kt|py|rs|swift|tsx?)$`,
    String.raw`.\.generated\.\w+$`,
    String.raw`^zz_generated\.`,
  ].join('|'),
  'i',
);

const LOCK_NAME = new RegExp(String.raw`${GENERATED.lock.name}|^pylock\.[^.]+\.toml$`);
const GENERATED_PATH = new RegExp(GENERATED.generated.path);
const MINIFIED_NAME = /[-.]min\.(?:cjs|css|js|mjs)$|\.min\.(?:html|svg)$/;
const SOURCE_MAP_NAME = /\.(?:[cm]?jsx?|[cm]?tsx?|bundle|css|jsbundle|wasm)\.map$/;
const EDITOR_NAME = /~$|^\._|^#.*#$|^\.#|\.(?:cs|fs|js|njs|vb|vcx)proj\.user$|^Icon\r$/;
const CACHE_NAME = /^\.coverage\./;

/** Names such as `parser.go`, which none of the expressions above matches. */
const PLAIN_NAME = /^[A-Za-z\d]+(?:\.[A-Za-z\d]+)?$/;

/** Why a file isn't worth showing by its name, in whatever folder it stands. */
export function reasonOfName(path: string, name: string): OmitReason | undefined {
  const dot = name.lastIndexOf('.');
  const known = NAMES.get(name) ?? (dot > 0 ? EXTENSIONS.get(name.slice(dot + 1)) : undefined);
  if (known || PLAIN_NAME.test(name)) return known;
  if (EDITOR_NAME.test(name)) return 'editor';
  if (MINIFIED_NAME.test(name)) return 'minified';
  if (SOURCE_MAP_NAME.test(name)) return 'source-map';
  if (LOCK_NAME.test(name)) return 'lock';
  if (GENERATED_NAME.test(name) || GENERATED_PATH.test(path)) return 'generated';
  return CACHE_NAME.test(name) ? 'cache' : undefined;
}

/** Names of folders that hold nothing worth showing, wherever they stand. */
const FOLDERS = table(
  ['generated', GENERATED.generated.folders],
  ['vendored', GENERATED.vendored.folders],
  ['cache', GENERATED.cache.folders],
  ['editor', GENERATED.editor.folders],
  [
    'vendored',
    list(`.bower_components .eggs .nox .pixi .pnpm-store .tox .venv __pypackages__ bower_components dist-packages
      jspm_packages site-packages`),
  ],
  [
    'build-output',
    list(`.aws-sam .docusaurus .dart_tool .next .nuxt .output .serverless .stack-work .svelte-kit .vercel CMakeFiles
      DerivedData _next bazel-bin bazel-out bazel-testlogs cdk.out dist-newstyle elm-stuff nimcache storybook-static
      zig-out`),
  ],
  [
    'cache',
    list(`.angular .bloop .bzr .cache .ccls-cache .direnv .expo .git .godot .gradle .hg .hypothesis
      .ipynb_checkpoints .jekyll-cache .kotlin .metals .mypy_cache .nyc_output .parcel-cache .pyre .pytest_cache
      .pytype .ruff_cache .sass-cache .svn .swc .terraform .turbo .vagrant .vite .wrangler .zig-cache __pycache__
      lcov-report zig-cache`),
  ],
  [
    'editor',
    list(`.Spotlight-V100 .Trashes .fseventsd .history .ropeproject .settings .spyproject .vs .vscode-test __MACOSX
      nbproject xcuserdata`),
  ],
);

/** Of the last two folders of a path, with a slash at the end. */
const VENDORED_FOLDER = new RegExp(
  `(?:${GENERATED.vendored.folder}|^vendor/bundle/|^\\.yarn/(?:cache|plugins|releases|sdks|unplugged)/)$`,
);
const BUILD_FOLDER = /\.(?:dSYM|dist-info|egg-info)\/$|(?:^|\/)cmake-build-[^/]+\/$/;

/** An expression for the names of all folders that `reasonOfFolder` may have a reason for, or their parents'. */
export const KNOWN_FOLDERS = [
  ...[...FOLDERS.keys()].map((name) => name.replaceAll('.', '\\.')),
  String.raw`Carthage|Pods|\.yarn|vendor|cmake-build-[^/]+|[^/]+\.(?:dSYM|dist-info|egg-info)`,
].join('|');

/**
 * Why nothing in a folder is worth showing, by the folder's own name and its parent's. `.vscode/` isn't one of these:
 * its settings and tasks are written by hand and shared.
 *
 * @param folder its path, without a slash at the end
 */
export function reasonOfFolder(folder: string): OmitReason | undefined {
  const slash = folder.lastIndexOf('/');
  const known = FOLDERS.get(folder.slice(slash + 1));
  if (known) return known;
  const lastTwo = `${folder.slice(slash > 0 ? folder.lastIndexOf('/', slash - 1) + 1 : 0)}/`;
  if (VENDORED_FOLDER.test(lastTwo)) return 'vendored';
  return BUILD_FOLDER.test(lastTwo) ? 'build-output' : undefined;
}
