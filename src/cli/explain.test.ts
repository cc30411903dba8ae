import { expect, test } from 'vitest';
import type { Digest, DigestFile } from '../digest/digest.ts';
import { explain } from './explain.ts';

const file = (path: string, score: number, chars: number): DigestFile => ({
  path,
  mode: chars < 1000 ? 'head' : 'full',
  chars,
  size: 12_345,
  bytes: 12_345,
  score,
  reasons: [
    { signal: 'manifest', points: 1000, why: 'a manifest at the root' },
    { signal: 'depth', points: -8.27, why: 'folders: \x1b[31mred' },
  ],
});

const digest: Digest = {
  schemaVersion: 1,
  source: { kind: 'folder', name: 'x', files: 9, bytes: 99_999 },
  budget: { unit: 'chars', limit: 40_000, used: 39_000, tree: 1000, files: 36_000, overhead: 2000 },
  tree: { shown: 9, omitted: 0, complete: true },
  files: [file('Cargo.toml', 1000.04, 12_345), file('src/größe.rs', -7, 20)],
  omitted: { count: 12, size: 1, byReason: { budget: 7, binary: 5 }, sizeByReason: {} },
  warnings: [],
  text: '',
  nearMisses: [file('src/late.rs', -8.5, 0)],
};

test('the report says how the budget was spent, what was chosen and what missed the cut', () => {
  expect(explain(digest, { colour: false })).toBe(`How the budget was spent
  part       chars   share
  tree       1,000    2.5%
  files     36,000   90.0%
  overhead   2,000    5.0%
  unused     1,000    2.5%
  limit     40,000  100.0%

Files in the document, in their order: 2
  rank   score  mode   chars  of size  path
     1  1000.0  full  12,345   12,345  Cargo.toml
      +1000 manifest (a manifest at the root), -8.3 depth (folders: ␛[31mred)
     2    -7.0  head      20   12,345  src/größe.rs
      +1000 manifest (a manifest at the root), -8.3 depth (folders: ␛[31mred)

Files that missed the cut: the best 1 of 7
  score    size  path
   -8.5  12,345  src/late.rs
      +1000 manifest (a manifest at the root), -8.3 depth (folders: ␛[31mred)
`);
});

test('where there are no files, it says so', () => {
  const report = explain(
    { ...digest, files: [], nearMisses: [], omitted: { ...digest.omitted, byReason: {} } },
    { colour: false },
  );
  expect(report).toContain('Files in the document, in their order: 0\n  none\n');
  expect(report).toContain('Files that missed the cut: the best 0 of 0\n  none\n');
});

test('colour changes nothing but colour', () => {
  const coloured = explain(digest, { colour: true });
  const esc = String.fromCharCode(27);
  expect(coloured).toContain(`${esc}[1mHow the budget was spent${esc}[0m`);
  expect(coloured.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '')).toBe(explain(digest, { colour: false }));
});
