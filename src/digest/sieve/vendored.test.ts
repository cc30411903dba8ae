import { describe, expect, it } from 'vitest';
import { isVendored } from './vendored.ts';

describe('isVendored', () => {
  it.each([
    'vendor/github.com/pkg/errors/errors.go',
    'src/vendor/lib.rs',
    'third_party/zlib/zlib.h',
    'src/3rdparty/x.cpp',
    'deps/hiredis/hiredis.c',
    'external/glfw/src/init.c',
    'src/external/raygui.h',
    'web/node_modules/a/index.js',
    'bower_components/a/a.js',
    'static/js/jquery.js',
    'static/js/jquery-3.7.1.js',
    'static/js/bootstrap.bundle.js',
    'static/css/bootstrap.css',
    'static/css/normalize.css',
    'static/vue.global.js',
    'build-aux/config.guess',
    'm4/libtool.m4',
    'gradle/wrapper/gradle-wrapper.properties',
    'eng/dotnet-install.sh',
    'packages/Newtonsoft.Json.13.0.1/lib/x.xml',
    'public/MathJax/x.js',
    'static/font-awesome/css/all.css',
  ])('knows %s', (path) => {
    expect(isVendored(path)).toBe(true);
  });

  it.each([
    '.github/workflows/ci.yml',
    '.gitignore',
    '.vscode/settings.json',
    'Jenkinsfile',
    'types/index.d.ts',
    'docs/templates/page.html',
    'tests/fixtures/a.json',
    'testdata/a.txt',
    'src/cache/lru.ts',
    'src/env/env.ts',
    'dist/index.js',
    'debian/control',
    'configure',
    'deps/deps.go',
    'src/main/java/com/acme/external/Client.java',
    'resources/js/bootstrap.js',
    'src/react.js',
    'src/d3-plugin.js',
    'src/effects.js',
    'src/jquery-adapter.js',
    'packages/core/src/v1.ts',
    'packages/a/test/node-v0.10/input.js',
    'src/vendoring.rs',
    'src/vendor.ts',
    'x.js',
    '',
  ])('does not take %j for another project', (path) => {
    expect(isVendored(path)).toBe(false);
  });

  it('does not depend on what was asked before', () => {
    expect(isVendored('vendor/a.c')).toBe(true);
    expect(isVendored('a.c')).toBe(false);
    expect(isVendored('src/a.c')).toBe(false);
    expect(isVendored('vendor/b.c')).toBe(true);
  });
});
