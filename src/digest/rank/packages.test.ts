import { expect, it } from 'vitest';
import { voicesAmong } from '../fit/voices.ts';
import { languageOf } from '../language/language.ts';
import { candidateMaker } from './candidate.ts';
import { packagesAmong } from './packages.ts';

function voicesOf(...paths: string[]): string[] {
  const toCandidate = candidateMaker();
  const files = paths.map((path) => {
    const traits = { language: languageOf(path), vendored: false, binaryName: false, named: false };
    return toCandidate({ path, kind: 'file', size: 100 }, traits);
  });
  const packagesOf = packagesAmong(files);
  const offers = files.map((file) => ({ file, value: 1, speaksFor: packagesOf(file) }));
  return [...voicesAmong(offers)].map(({ file }) => file.entry.path);
}

it('the best source file speaks for every member of a workspace', () => {
  expect(
    voicesOf(
      'Cargo.toml',
      'crates/a/Cargo.toml',
      'crates/a/src/lib.rs',
      'crates/a/src/more.rs',
      'crates/b/Cargo.toml',
      'crates/b/README.md',
      'crates/b/src/deep/x.rs',
    ),
  ).toEqual(['crates/a/src/lib.rs', 'crates/b/src/deep/x.rs']);
});

it('and for every folder at the top', () => {
  expect(
    voicesOf(
      'go.mod',
      'main.go',
      'tsdb/db.go',
      'tsdb/wal/wal.go',
      'web/api.go',
      'internal/a/a.go',
      'internal/b/b.go',
    ),
  ).toEqual(['main.go', 'tsdb/db.go', 'web/api.go', 'internal/a/a.go', 'internal/b/b.go']);
});

it('a file may speak for its folder and for a package at once', () => {
  expect(voicesOf('web/package.json', 'web/index.ts', 'web/other.ts')).toEqual(['web/index.ts']);
});

it('tests, examples, documents and manifests speak for nothing', () => {
  expect(voicesOf('tests/a.py', 'examples/b.py', 'docs/c.md', 'setup.py', 'pkg/d_test.go')).toEqual([]);
});
