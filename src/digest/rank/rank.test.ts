import { describe, expect, it } from 'vitest';
import type { ImportGraph } from '../graph/graph.ts';
import { languageOf } from '../language/language.ts';
import { likelyBinary } from '../sieve/binary.ts';
import { isVendored } from '../sieve/vendored.ts';
import type { History } from '../types.ts';
import { type Candidate, candidateMaker } from './candidate.ts';
import { describeProject, type Project } from './project.ts';
import { rank } from './rank.ts';

const NO_PROJECT: Project = { names: new Set(), description: undefined, pointers: new Map() };

function ranked(files: Record<string, number>, project: Project = NO_PROJECT, history?: History): string[] {
  return rankingOf(files, project, history).offers.map(({ file }) => file.entry.path);
}

function rankingOf(
  files: Record<string, number>,
  project = NO_PROJECT,
  history?: History,
  graph?: ImportGraph,
) {
  const toCandidate = candidateMaker();
  const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const candidates = sorted.map(([path, size]) =>
    toCandidate(
      { path, size, kind: 'file' },
      {
        language: languageOf(path),
        vendored: isVendored(path),
        binaryName: likelyBinary(path),
        named: false,
      },
    ),
  );
  return rank(candidates, project, { history, graph, exists: (path) => path in files });
}

function signalsOf(path: string): string[] {
  const ranking = rankingOf({ [path]: 10 });
  const [offer] = ranking.offers;
  return ranking.reasonsOf(offer?.file as Candidate).map(({ signal }) => signal);
}

describe('rank', () => {
  it('leads with the manifest and the README of the root', () => {
    const order = ranked({
      'src/lib.rs': 9000,
      'crates/a/Cargo.toml': 300,
      'crates/a/README.md': 300,
      'Cargo.toml': 5000,
      'README.md': 5000,
      'docs/guide.md': 3000,
    });
    expect(order.slice(0, 2)).toEqual(['Cargo.toml', 'README.md']);
  });

  it('puts the manifest of the primary language before others', () => {
    const order = ranked({
      'src/main.rs': 9000,
      'package.json': 400,
      'Cargo.toml': 400,
      'scripts/x.js': 100,
    });
    expect(order.indexOf('Cargo.toml')).toBeLessThan(order.indexOf('package.json'));
  });

  it('takes position before name: a deep README or entry point counts less than a shallow one', () => {
    const order = ranked({ 'a/b/c/README.md': 10, 'a/README.md': 10, 'x/y/z/main.go': 10, 'main.go': 10 });
    expect(order.indexOf('a/README.md')).toBeLessThan(order.indexOf('a/b/c/README.md'));
    expect(order.indexOf('main.go')).toBeLessThan(order.indexOf('x/y/z/main.go'));
  });

  it('puts source before examples, examples before tests, tests before vendored copies, translations last', () => {
    const order = ranked({
      'src/parse.py': 900,
      'examples/parse.py': 900,
      'tests/test_parse.py': 900,
      'third_party/parse/parse.py': 900,
      'README.md': 900,
      'README.fr.md': 900,
    });
    expect(order).toEqual([
      'README.md',
      'src/parse.py',
      'examples/parse.py',
      'tests/test_parse.py',
      'third_party/parse/parse.py',
      'README.fr.md',
    ]);
  });

  it.each([
    'test/fixtures/package.json',
    'crates/uv-test/src/lib.rs',
    'src/__tests__/a.ts',
    'pkg/server_test.go',
    'app/src/androidTest/java/FooTest.java',
    'spec/models/user_spec.rb',
    'src/a.spec.ts',
    'tests.py',
    'src/FooTests.cs',
    'testdata/input.json',
  ])('sees a test in %s', (path) => {
    expect(signalsOf(path)).toContain('test');
  });

  it.each([
    'src/latest.ts',
    'src/contest/rules.ts',
    'packages/vitest/src/index.ts',
    'src/protest.py',
    'src/specialize.rs',
    'lib/inspect.js',
  ])('sees no test in %s', (path) => {
    expect(signalsOf(path)).not.toContain('test');
  });

  it.each([
    ['src/App.vue', 0],
    ['main.tex', 200],
    ['SPEC.md', 0],
    ['openapi.spec.yaml', -400],
    ['packages/test-runner/src/index.ts', 100],
    ['src/my_pkg/testing.py', 0],
    ['.github/workflows/release.yml', -200],
    ['docs/security.md', 0],
    ['requirements.txt', 400],
    ['src/main/java/com/acme/Application.java', 50],
  ])('gives %s more than %i points', (path, points) => {
    expect(rankingOf({ [path]: 10 }).scores[0]).toBeGreaterThan(points);
  });

  it('takes a package or a setting that is named like a language for itself', () => {
    const files = {
      'package.json': 9,
      'README.md': 9,
      'packages/id/package.json': 9,
      'packages/id/README.md': 9,
    };
    const { scores } = rankingOf({ ...files, 'tsconfig.json': 9, 'tsconfig.es.json': 9 });
    for (const score of scores) expect(score).toBeGreaterThan(-1000);
  });

  it('does not let one huge file decide the language', () => {
    const files = { 'src/parser.c': 9_000_000, 'a.js': 70_000, 'b.js': 70_000 };
    expect(rankingOf(files).languages[0]?.name).toBe('JavaScript');
  });

  it('lifts what is written for contributors and agents', () => {
    const order = ranked({
      'AGENTS.md': 100,
      'CONTRIBUTING.md': 100,
      'docs/architecture.md': 100,
      'docs/faq.md': 100,
      'a.py': 5,
    });
    expect(order.at(-1)).toBe('docs/faq.md');
  });

  it('lifts what the manifest and the README point at', () => {
    const files = { 'package.json': 10, 'README.md': 10, 'lib/x.js': 50, 'lib/y.js': 50, 'lib/z.js': 50 };
    const paths = new Set(Object.keys(files));
    const project = describeProject(
      new Map([
        ['package.json', '{"main": "lib/z.js"}'],
        ['README.md', '[y](lib/y.js)'],
      ]),
      (path) => paths.has(path),
    );
    expect(ranked(files, project)).toEqual(['package.json', 'README.md', 'lib/z.js', 'lib/y.js', 'lib/x.js']);
  });

  it('lifts what changed often and lately', () => {
    const history: History = {
      commits: 10,
      files: new Map([
        ['b.go', { commits: 9, recentChanges: 8.5 }],
        ['c.go', { commits: 2, recentChanges: 0.5 }],
      ]),
    };
    expect(ranked({ 'a.go': 1, 'b.go': 1, 'c.go': 1 }, NO_PROJECT, history)).toEqual([
      'b.go',
      'c.go',
      'a.go',
    ]);
  });

  it("lifts the folder that bears the project's name", () => {
    const project = { ...NO_PROJECT, names: new Set(['thing']) };
    expect(ranked({ 'alpha/a.py': 9, 'thing/a.py': 9 }, project)[0]).toBe('thing/a.py');
  });

  it('names the reasons, which add up to the score', () => {
    const ranking = rankingOf({
      'Cargo.toml': 10,
      'src/main.rs': 10,
      'tests/a.rs': 10,
      'docs/zh/x.md': 5,
      'docs/x.md': 5,
    });
    const sums = ranking.offers.map(({ file }) => {
      const reasons = ranking.reasonsOf(file);
      for (const { why } of reasons) expect(why).not.toBe('');
      return reasons.reduce((sum, { points }) => sum + points, 0);
    });
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
    expect(sums.toSorted()).toEqual(ranking.scores.toSorted());
    expect(ranking.offers.every(({ value }) => value > 0)).toBe(true);
  });

  it('prefers what many files import, and what imports many', () => {
    const counts: Record<string, readonly [number, number]> = {
      'a.py': [0, 0],
      'b.py': [9, 0],
      'c.py': [0, 9],
    };
    const graph = {
      linksOf: () => ({ imports: [], importedBy: [] }),
      importersOf: (path: string) => counts[path]?.[0] ?? 0,
      importsOf: (path: string) => counts[path]?.[1] ?? 0,
    };
    const { offers, reasonsOf } = rankingOf(
      { 'a.py': 10, 'b.py': 10, 'c.py': 10 },
      NO_PROJECT,
      undefined,
      graph,
    );
    expect(offers.at(-1)?.file.entry.path).toBe('a.py');
    const why = offers.flatMap(({ file }) => reasonsOf(file).map(({ why }) => why));
    expect(why).toEqual(expect.arrayContaining(['imported by 9 files', 'imports 9 files']));
  });

  it('gives a manifest and a README the first places, but no more room than their worth', () => {
    const { offers } = rankingOf({ 'Cargo.toml': 9000, 'README.md': 9000, 'src/lib.rs': 9000 });
    const worthOf = (path: string): number => offers.find(({ file }) => file.entry.path === path)?.value ?? 0;
    expect(offers.map(({ file }) => file.entry.path)).toEqual(['Cargo.toml', 'README.md', 'src/lib.rs']);
    expect(worthOf('Cargo.toml')).toBeLessThan(worthOf('src/lib.rs'));
  });

  it('orders equal scores by depth, then by code unit', () => {
    expect(ranked({ 'ä.go': 1, 'z.go': 1, 'a.go': 1, 'Z.go': 1 })).toEqual(['Z.go', 'a.go', 'z.go', 'ä.go']);
  });

  it("tells the languages of the project's own code by bytes", () => {
    const { languages } = rankingOf({
      'a.rs': 750,
      'b.py': 250,
      'tests/c.py': 9000,
      'd.json': 9000,
      'vendor/e.c': 9000,
    });
    expect(languages).toEqual([
      { name: 'Rust', share: 0.75 },
      { name: 'Python', share: 0.25 },
    ]);
  });
});
