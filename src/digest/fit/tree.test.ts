import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTree, restLine, type TreeEntry } from './tree.ts';

const entry = (path: string, score = 0, note?: string): TreeEntry => ({ path, score, note });

describe('fitTree', () => {
  it('shows everything where it fits, folders before files, chains of folders on one line', () => {
    const tree = fitTree(
      [entry('README.md'), entry('src/a.ts'), entry('src/b.ts'), entry('x/y/z/deep.ts')],
      200,
    );
    expect(tree.text).toBe(['src/', '  a.ts', '  b.ts', 'x/y/z/', '  deep.ts', 'README.md'].join('\n'));
    expect(tree).toMatchObject({ shown: 4, omitted: 0 });
  });

  it('carries notes', () => {
    expect(fitTree([entry('link', 0, '-> target')], 100).text).toBe('link -> target');
  });

  it('closes the least important folders first and counts what is in them', () => {
    const entries = [
      ...Array.from({ length: 5 }, (_, i) => entry(`core/file${i}.ts`, 100)),
      ...Array.from({ length: 5 }, (_, i) => entry(`tests/file${i}.ts`, -700)),
    ];
    const tree = fitTree(entries, 110);
    expect(tree.text.split('\n')).toEqual([
      'core/',
      ...Array.from({ length: 5 }, (_, i) => `  file${i}.ts`),
      'tests/ (5 files)',
      '(5 entries are not listed)',
    ]);
    expect(tree).toMatchObject({ shown: 5, omitted: 5 });
  });

  it('keeps the top level when one folder is large', () => {
    const entries = [
      ...Array.from({ length: 500 }, (_, i) => entry(`big/file${i}.ts`, 100)),
      entry('small/a.ts', 1),
      entry('README.md', 900),
    ];
    const lines = fitTree(entries, 200).text.split('\n');
    expect(lines).toEqual([
      'big/ (500 files)',
      'small/',
      '  a.ts',
      'README.md',
      '(500 entries are not listed)',
    ]);
  });

  it('shows the most important of a root that does not fit', () => {
    const entries = Array.from({ length: 1000 }, (_, i) => entry(`file${i}.txt`, i));
    const tree = fitTree(entries, 100);
    expect(tree.text).toContain('file999.txt');
    expect(tree.text).not.toContain('file1.txt\n');
    expect(tree.shown + tree.omitted).toBe(1000);
  });

  it('never exceeds its room, counts every entry, and does not depend on the order of entries', () => {
    const segment = fc.constantFrom(
      'a',
      'b',
      'src',
      'tests',
      'déjà vu',
      '👩‍👩‍👧',
      'x'.repeat(40),
      'new\nline',
    );
    const paths = fc.uniqueArray(
      fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join('/')}.f`),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        paths,
        fc.nat(900),
        fc.array(fc.integer({ min: -900, max: 900 })),
        (names, room, scores) => {
          const entries = names.map((path, i) => entry(path, scores[i] ?? 0));
          const max = room + restLine(entries.length).length;
          const tree = fitTree(entries, max);
          expect(tree.text.length).toBeLessThanOrEqual(max);
          expect(tree.shown + tree.omitted).toBe(entries.length);
          if (tree.omitted > 0) expect(tree.text).toContain(restLine(tree.omitted));
          expect(fitTree([...entries].reverse(), max)).toEqual(tree);
        },
      ),
    );
  });
});
