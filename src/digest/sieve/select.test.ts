import { describe, expect, it } from 'vitest';
import { select } from './select.ts';

describe('select', () => {
  it.each([
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src', 'src/a.ts', true],
    ['src', 'packages/x/src/a.ts', true],
    ['src/', 'src/a.ts', true],
    ['./src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/deep/a.ts', true],
    ['src/**', 'src/deep/a.ts', true],
    ['packages/*', 'packages/a/src/b.ts', true],
    ['{a,b}.md', 'docs/b.md', true],
    ['.github', '.github/workflows/ci.yml', true],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/[id]', 'app/[id]/page.tsx', true],
    ['/a.ts', 'a.ts', true],
    ['/a.ts', 'src/a.ts', false],
    ['./*.ts', 'src/a.ts', false],
    ['README.MD', 'README.md', false],
    ['!x', 'y', false],
  ])('%s on %s: %s', (pattern, path, wanted) => {
    expect(select([pattern], []).wanted(path)).toBe(wanted);
    expect(select([], [pattern]).wanted(path)).toBe(!wanted);
  });

  it('takes a file that any pattern includes and none excludes', () => {
    const { wanted } = select(['*.ts', 'docs'], ['*.test.ts']);
    expect(['a.ts', 'docs/x.md', 'a.test.ts', 'b.md'].map(wanted)).toEqual([true, true, false, false]);
  });

  it('knows what was asked for literally', () => {
    const { named } = select(['package-lock.json', '*.lock', 'dist/', 'a/b.min.js'], []);
    const paths = [
      'package-lock.json',
      'web/package-lock.json',
      'yarn.lock',
      'dist/a.js',
      'a/b.min.js',
      'b.min.js',
    ];
    expect(paths.map(named)).toEqual([true, true, false, false, true, false]);
  });

  it.each(['', '/', '[', 'a[b', '{a,b', '(a|b', 'a)'])('refuses %j in one line', (pattern) => {
    expect(() => select([pattern], [])).toThrow(
      expect.objectContaining({ code: 'BAD_GLOB', message: expect.not.stringContaining('\n') }),
    );
    expect(() => select([], [pattern])).toThrow(expect.objectContaining({ code: 'BAD_GLOB' }));
  });
});
