import { describe, expect, it } from 'vitest';
import { reasonOfFolder, reasonOfName } from './names.ts';

const reason = (path: string) => reasonOfName(path, path.slice(path.lastIndexOf('/') + 1));

const named: Record<string, readonly [of: string, nearMisses: string]> = {
  lock: [
    `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock a/b/Cargo.lock
     poetry.lock pdm.lock uv.lock pixi.lock Pipfile.lock pylock.toml pylock.dev.toml Gemfile.lock gems.locked composer.lock
     symfony.lock go.sum go.work.sum Gopkg.lock glide.lock flake.lock Podfile.lock Cartfile.resolved Package.resolved
     packages.lock.json paket.lock gradle.lockfile mix.lock rebar.lock pubspec.lock MODULE.bazel.lock .terraform.lock.hcl
     esy.lock dev.esy.lock stack.yaml.lock cabal.project.freeze shard.lock Chart.lock buf.lock renv.lock conda-lock.yml`,
    `package.json src/lock.rs mypoetry.lock poetry.lock.md uv.lock.rs docs/package-lock.json.md Cargo.toml go.mod go.work
     Pipfile Gemfile mutex.lock packages.json pnpm-workspace.yaml crates/uv-lock/Cargo.toml gosum.go yarn.lock.ts`,
  ],
  generated: [
    `api/v1/a.pb.go a.pb.gw.go a_grpc.pb.go a.pb.validate.go a.pb.cc a.pb.h a.pb.swift a_pb2.py a_pb2_grpc.py a_pb2.pyi
     a_pb.js a_pb.d.ts a_grpc_pb.js a_grpc_web_pb.js a_services_pb.rb a.pbenum.dart a.g.dart a.freezed.dart a.mocks.dart
     Form1.Designer.cs Form1.designer.vb Login.feature.cs App.g.cs App.g.i.cs schema.generated.ts api.generated.md
     routeTree.gen.ts models.gen.go zz_generated.deepcopy.go .pnp.cjs .pnp.loader.mjs Cargo.toml.orig ppport.h lex.yy.c
     y.tab.c gradlew gradlew.bat mvnw App.xcodeproj/project.pbxproj __snapshots__/a.test.ts.snap snapshots/a.snap
     __snapshots__/test_a.ambr kernel/a.zep.c Excel_TLB.pas
     .sqlx/query-0b5b5bd4ab5a1b0a2ea7c1f1e4b1d3d0c0a1b2c3d4e5f60718293a4b5c6d7e8f.json`,
    `gen.go codegen.ts main_gen.go generate.ts generated.go is_generated.py designer.cs a.feature pb.go pb2.py my_pb.py
     a.proto Form1.cs gradle.properties snapshot.ts snap.py a.g4 a.gen.md .sqlx/query.json zephir.c generatedTypes.ts`,
  ],
  minified: [
    'a.min.js lib/jquery-3.7.1.min.js a.min.css a-min.js a.min.mjs logo.min.svg',
    'admin.js min.js mini.css a.minify.js a-minimal.css terminal.min.ts',
  ],
  'source-map': [
    'a.js.map a.css.map a.mjs.map a.d.ts.map a.min.js.map add.wasm.map a.tsx.map',
    'world.map src/map.js linker.map js.map.md site.map.ts',
  ],
  'build-output': [
    'build/CMakeCache.txt cmake_install.cmake .ninja_log obj/project.assets.json .deps/a.Po paper.fdb_latexmk compile_commands.json',
    'CMakeLists.txt build.ninja.in locale/de.po Makefile.am paper.tex paper.toc paper.bbl',
  ],
  cache: [
    '.eslintcache tsconfig.tsbuildinfo pkg/mod.pyc .coverage .coverage.host.1.2 lcov.info a.gcda .phpunit.result.cache CACHEDIR.TAG',
    '.coveragerc coverage.py .eslintrc cache.ts .eslintignore lcov.ts codecov.yml',
  ],
  editor: [
    '.DS_Store Thumbs.db .main.c.swp a.txt~ app.iml App.csproj.user #a.el# .#a.el ._photo.jpg desktop.ini a.sublime-workspace',
    '.editorconfig .vscode/settings.json app.code-workspace user.ts csproj.user.md swap.c .gitignore ~/a.txt',
  ],
};

describe('reasonOfName', () => {
  for (const [expected, [of, nearMisses]] of Object.entries(named)) {
    it.each(of.trim().split(/\s+/))(`${expected}: %s`, (path) => {
      expect(reason(path)).toBe(expected);
    });
    it.each(nearMisses.trim().split(/\s+/))(`not ${expected}: %s`, (path) => {
      expect(reason(path)).toBeUndefined();
    });
  }

  it.each(['constructor', 'toString', 'important.log', 'snap', 'a.constructor', ''])(
    'has nothing on %j',
    (path) => {
      expect(reason(path)).toBeUndefined();
    },
  );
});

const folders: Record<string, readonly [of: string, nearMisses: string]> = {
  vendored: [
    `node_modules packages/a/node_modules bower_components .venv .tox lib/python3.12/site-packages ios/Pods Godeps
     vendor/github.com go/vendor/golang.org vendor/gopkg.in vendor/bundle .yarn/releases .yarn/plugins Carthage/Build`,
    `src/modules my_node_modules venv env vendor src/vendor vendor/mycode .yarn .yarn/patches .yarn/versions Podspecs
     bundle build vendored.com/x`,
  ],
  'build-output': [
    '.next .nuxt web/.svelte-kit a.egg-info a-1.0.dist-info App.dSYM build/CMakeFiles cmake-build-debug DerivedData elm-stuff cdk.out zig-out',
    'build bin out target dist obj _build lib release Debug next nuxt cmake cmake/build egg-info',
  ],
  cache: [
    'a/__pycache__ .pytest_cache .mypy_cache .ruff_cache .turbo .cache .gradle .parcel-cache .nyc_output htmlcov .terraform .git .svn',
    'cache src/cache coverage pycache gradle terraform .github .gitlab',
  ],
  editor: [
    '.idea .vs __MACOSX App.xcodeproj/xcuserdata nbproject',
    '.vscode .devcontainer .zed idea editor .vscode/snippets',
  ],
  generated: ['src/__generated__', 'src/generated __tests__ __mocks__'],
};

describe('reasonOfFolder', () => {
  for (const [expected, [of, nearMisses]] of Object.entries(folders)) {
    it.each(of.trim().split(/\s+/))(`${expected}: %s`, (path) => {
      expect(reasonOfFolder(path)).toBe(expected);
    });
    it.each(nearMisses.trim().split(/\s+/))(`not ${expected}: %s`, (path) => {
      expect(reasonOfFolder(path)).toBeUndefined();
    });
  }
});
