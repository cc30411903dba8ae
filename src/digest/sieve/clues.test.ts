import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../types.ts';
import { readClues } from './clues.ts';

function entriesOf(paths: readonly string[]): Entry[] {
  return [...new Set(paths)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => ({ path, kind: 'file', size: 1 }));
}

/** The paths left out, by reason. */
function omitted(text: string): Record<string, string[]> {
  const paths = text.trim().split(/\s+/);
  const clues = readClues(entriesOf(paths));
  const byReason: Record<string, string[]> = {};
  for (const path of paths) {
    const reason = clues.reasonOfPlace(path);
    if (reason) byReason[reason] = [...(byReason[reason] ?? []), path];
  }
  return byReason;
}

describe('readClues', () => {
  it('takes `target` for output beside the manifest of a tool that writes it', () => {
    expect(
      omitted(
        'Cargo.toml src/main.rs target/debug/main.d target/.rustc_info.json crates/a/Cargo.toml crates/a/target/x',
      ),
    ).toEqual({ 'build-output': ['target/debug/main.d', 'target/.rustc_info.json', 'crates/a/target/x'] });
    expect(omitted('pom.xml target/classes/a.xml')).toEqual({ 'build-output': ['target/classes/a.xml'] });
    expect(omitted('Cargo.toml compiler/src/target/x86.rs src/target.rs target.md')).toEqual({});
    expect(omitted('Makefile target/arm/boot.c')).toEqual({});
  });

  it("takes Gradle's, .NET's, Elixir's, Sphinx's and Swift's folders for output where the tool is seen", () => {
    expect(omitted('build.gradle.kts app/build.gradle app/build/reports/a.html build/libs/a.txt')).toEqual({
      'build-output': ['app/build/reports/a.html', 'build/libs/a.txt'],
    });
    expect(
      omitted('src/App/App.csproj src/App/obj/a.json src/App/bin/Debug/net8.0/a.json src/App/bin/tool.sh'),
    ).toEqual({
      'build-output': ['src/App/obj/a.json', 'src/App/bin/Debug/net8.0/a.json'],
    });
    expect(omitted('mix.exs _build/dev/a.ex deps/jason/mix.exs lib/deps/a.ex')).toEqual({
      'build-output': ['_build/dev/a.ex'],
      vendored: ['deps/jason/mix.exs'],
    });
    expect(omitted('docs/conf.py docs/_build/html/index.html')).toEqual({
      'build-output': ['docs/_build/html/index.html'],
    });
    expect(omitted('Package.swift .build/debug.yaml')).toEqual({ 'build-output': ['.build/debug.yaml'] });
  });

  it('keeps `build`, `bin`, `out`, `obj`, `deps` and `_build` where no tool is seen to write them', () => {
    expect(
      omitted(`package.json build/webpack.config.js bin/cli.js out/notes.md cmd/build/build.go deps/deps.go obj/mesh.obj
        _build/site.py packages/build/src/index.ts build/android/gyp/util.py`),
    ).toEqual({});
  });

  it("takes a package's `dist` for output where it has source elsewhere, in the kinds of files that are built", () => {
    expect(
      omitted(
        'package.json src/index.ts dist/index.js dist/index.d.ts dist/style.css dist/linux/app.desktop dist/index.html',
      ),
    ).toEqual({ 'build-output': ['dist/index.js', 'dist/index.d.ts', 'dist/style.css'] });
    expect(omitted('action/package.json action/index.js action/dist/index.js')).toEqual({
      'build-output': ['action/dist/index.js'],
    });
    expect(omitted('package.json index.html dist/plugin.js dist/plugin.css')).toEqual({});
    expect(omitted('setup.py src/a.py dist/make.js scripts/dist/upload.js')).toEqual({});
  });

  it('takes JavaScript for output where its TypeScript stands below `src`', () => {
    expect(omitted('src/a/b.ts src/c.tsx lib/a/b.js lib/a/b.d.ts out/c.js lib/hand.js')).toEqual({
      'build-output': ['lib/a/b.js', 'lib/a/b.d.ts', 'out/c.js'],
    });
    expect(omitted('p/src/b.ts p/src/esm/e.ts p/dist/esm/b.mjs p/lib/esm/e.js p/build/src/b.js')).toEqual({
      'build-output': ['p/dist/esm/b.mjs', 'p/lib/esm/e.js', 'p/build/src/b.js'],
    });
    expect(omitted('src/index.js lib/index.js src/cli.ts bin/cli.js q/src/b.ts lib/b.js src/b.js')).toEqual(
      {},
    );
  });

  it("takes setuptools' copies for output", () => {
    expect(omitted('pyproject.toml a/x.py build/lib/a/x.py build/lib/tool.ts')).toEqual({
      'build-output': ['build/lib/a/x.py'],
    });
    expect(omitted('package.json build/lib/electron.py')).toEqual({});
  });

  it('knows installed dependencies by what stands in them', () => {
    expect(
      omitted(`venv/pyvenv.cfg venv/bin/activate my/env/pyvenv.cfg my/env/lib/a.py env/config.py
        vendor/modules.txt vendor/a/b.go php/vendor/autoload.php php/vendor/a/b.php lib/autoload.php lib/b.php
        third/serde/.cargo-checksum.json third/serde/src/lib.rs third/README.md docs/modules.txt docs/a.md`),
    ).toEqual({
      vendored: [
        'venv/pyvenv.cfg',
        'venv/bin/activate',
        'my/env/pyvenv.cfg',
        'my/env/lib/a.py',
        'vendor/modules.txt',
        'vendor/a/b.go',
        'php/vendor/autoload.php',
        'php/vendor/a/b.php',
        'third/serde/.cargo-checksum.json',
        'third/serde/src/lib.rs',
      ],
    });
    expect(omitted('pyvenv.cfg bin/activate')).toEqual({});
  });

  it('knows reports and caches by what stands in them', () => {
    expect(omitted('coverage/lcov.info coverage/src/a.ts.html coverage.md')).toEqual({
      cache: ['coverage/lcov.info', 'coverage/src/a.ts.html'],
    });
    expect(omitted('coverage/control.py coverage/html.py tests/data/lcov.info tests/data/a.py')).toEqual({});
    expect(omitted('a/store/CACHEDIR.TAG a/store/x/y a/b CACHEDIR.TAG')).toEqual({
      cache: ['a/store/CACHEDIR.TAG', 'a/store/x/y'],
    });
  });

  it('knows a CMake build tree, but not a source tree that is built in place', () => {
    expect(omitted('CMakeLists.txt o/CMakeCache.txt o/Makefile o/x/y.cmake')).toEqual({
      'build-output': ['o/CMakeCache.txt', 'o/Makefile', 'o/x/y.cmake'],
    });
    expect(omitted('a/CMakeLists.txt a/CMakeCache.txt a/main.c CMakeCache.txt main.c')).toEqual({});
  });

  it('finds what stands below named folders, however deep', () => {
    expect(
      omitted('a/node_modules/b/c/d.js a/.next/static/x/y.js x.egg-info/PKG-INFO a/node_modules'),
    ).toEqual({
      vendored: ['a/node_modules/b/c/d.js'],
      'build-output': ['a/.next/static/x/y.js', 'x.egg-info/PKG-INFO'],
    });
  });

  it('answers the same in any order, for any names', () => {
    const part = fc.constantFrom(
      'a',
      'src',
      'dist',
      'lib',
      'target',
      'node_modules',
      'vendor',
      'x(y',
      'é\n',
      '.next',
      '[',
    );
    const name = fc.constantFrom(
      'Cargo.toml',
      'package.json',
      'index.ts',
      'index.js',
      'pyvenv.cfg',
      'modules.txt',
      'a.csproj',
      '$&',
    );
    const path = fc
      .tuple(fc.array(part, { maxLength: 5 }), name)
      .map(([parts, last]) => [...parts, last].join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 40 }), fc.array(path), (paths, asked) => {
        const entries = entriesOf(paths);
        const all = [...entries.map((entry) => entry.path), ...asked];
        const once = all.map((one) => readClues(entries).reasonOfPlace(one));
        const clues = readClues(entries);
        const backwards = all
          .toReversed()
          .map((one) => clues.reasonOfPlace(one))
          .toReversed();
        expect(backwards).toEqual(once);
      }),
    );
  });
});
