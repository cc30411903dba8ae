import { describe, expect, test } from 'vitest';
import { below, describeWanted, pinned, type Refs, resolve, type Wanted } from './refs.ts';

const id = (digit: string) => digit.repeat(40);

const REFS: Refs = {
  head: { commit: id('1'), branch: 'main' },
  commits: new Map([
    ['refs/heads/main', id('1')],
    ['refs/heads/feature', id('2')],
    ['refs/heads/feature/x', id('3')],
    ['refs/heads/both', id('4')],
    ['refs/tags/both', id('5')],
    ['refs/tags/v1', `abcd${'0'.repeat(36)}`],
    ['refs/tags/v2', `abce${'0'.repeat(36)}`],
    ['refs/tags/v2-again', `abce${'0'.repeat(36)}`],
    ['refs/tags/cafe', id('6')],
    ['refs/pull/7/head', id('7')],
    ['refs/notes/commits', id('8')],
  ]),
};

/** What is found, in short. */
function find(wanted: Wanted, refs = REFS): string | undefined {
  const target = resolve(wanted, refs);
  return target && [target.ref, target.fullRef ?? '-', target.commit.slice(0, 4), target.path].join(' ');
}

test.each([
  ['the branch that it is', REFS, 'main refs/heads/main 1111 '],
  ['HEAD, where it is on no branch', { ...REFS, head: { commit: id('9') } }, 'HEAD - 9999 '],
  ['nothing, where its branch has no commit', { commits: REFS.commits }, undefined],
])('what comes first is %s', (_, refs, found) => {
  expect(find({ kind: 'head' }, refs)).toBe(found);
});

test.each([
  ['main', 'main refs/heads/main 1111 '],
  ['feature/x', 'feature/x refs/heads/feature/x 3333 '],
  ['both', 'both refs/tags/both 5555 '],
  ['heads/both', 'heads/both refs/heads/both 4444 '],
  ['refs/heads/both', 'refs/heads/both refs/heads/both 4444 '],
  ['refs/pull/7/head', 'refs/pull/7/head refs/pull/7/head 7777 '],
  ['notes/commits', 'notes/commits refs/notes/commits 8888 '],
  ['HEAD', 'HEAD - 1111 '],
  ['head', undefined],
  ['cafe', 'cafe refs/tags/cafe 6666 '],
  [id('a'), `${id('a')} - aaaa `],
  [id('A'), `${id('A')} - aaaa `],
  ['f'.repeat(64), `${'f'.repeat(64)} - ffff `],
  ['abcd', 'abcd - abcd '],
  ['ABCD0', 'ABCD0 - abcd '],
  ['abce', 'abce - abce '],
  ['abc', undefined],
  ['abc0', undefined],
  ['abcdx', undefined],
  ['none', undefined],
  ['', undefined],
  ['main/', undefined],
])('the ref %j', (ref, found) => {
  expect(find({ kind: 'ref', ref })).toBe(found);
});

test('a shortened id that fits two commits is none', () => {
  const commits = new Map([...REFS.commits, ['refs/heads/other', `abcd1${'0'.repeat(35)}`]]);
  expect(find({ kind: 'ref', ref: 'abcd' }, { commits })).toBeUndefined();
  expect(find({ kind: 'ref', ref: 'abcd1' }, { commits })).toBe('abcd1 - abcd ');
});

describe('what a page shows', () => {
  test.each<[Wanted, string | undefined]>([
    [{ kind: 'tree', path: 'main' }, 'main refs/heads/main 1111 '],
    [{ kind: 'tree', path: 'main/src/a' }, 'main refs/heads/main 1111 src/a'],
    [{ kind: 'tree', path: 'feature/x' }, 'feature/x refs/heads/feature/x 3333 '],
    [{ kind: 'tree', path: 'feature/x/sub' }, 'feature/x refs/heads/feature/x 3333 sub'],
    [{ kind: 'tree', path: 'feature/xx/sub' }, 'feature refs/heads/feature 2222 xx/sub'],
    [{ kind: 'blob', path: 'both/a.ts' }, 'both refs/heads/both 4444 a.ts'],
    [{ kind: 'blob', path: 'both/a.ts', ref: 'tag' }, 'both refs/tags/both 5555 a.ts'],
    [{ kind: 'blob', path: 'v1/a.ts', ref: 'branch' }, undefined],
    [{ kind: 'tree', path: 'HEAD/a' }, 'HEAD - 1111 a'],
    [{ kind: 'tree', path: 'HEAD/a', ref: 'branch' }, undefined],
    [{ kind: 'tree', path: `${id('a')}/a/b` }, `${id('a')} - aaaa a/b`],
    [{ kind: 'tree', path: 'abcd/a' }, 'abcd - abcd a'],
    [{ kind: 'tree', path: 'none/main' }, undefined],
    [{ kind: 'tag', tag: 'both' }, 'both refs/tags/both 5555 '],
    [{ kind: 'tag', tag: 'main' }, undefined],
    [{ kind: 'commit', commit: 'abcd' }, 'abcd - abcd '],
    [{ kind: 'commit', commit: 'main' }, undefined],
    [{ kind: 'pull', number: 7 }, 'pull/7/head refs/pull/7/head 7777 '],
    [{ kind: 'pull', number: 8 }, undefined],
  ])('%j', (wanted, found) => {
    expect(find(wanted)).toBe(found);
  });
});

test('what is wanted can be said in words', () => {
  const all: Wanted[] = [
    { kind: 'head' },
    { kind: 'ref', ref: 'v1' },
    { kind: 'tag', tag: 'v1' },
    { kind: 'commit', commit: 'abcd' },
    { kind: 'pull', number: 7 },
    { kind: 'tree', path: 'main/src' },
  ];
  expect(all.map(describeWanted)).toEqual([
    'a first branch',
    'v1',
    'the tag v1',
    'the commit abcd',
    'pull request 7',
    'a branch or tag in main/src',
  ]);
});

test('a full id needs no refs, and nothing else is pinned', () => {
  expect(pinned({ kind: 'ref', ref: id('A') })).toEqual({ ref: id('A'), commit: id('a'), path: '' });
  expect(pinned({ kind: 'commit', commit: id('a') })?.commit).toBe(id('a'));
  for (const wanted of [
    { kind: 'head' },
    { kind: 'ref', ref: 'abcd' },
    { kind: 'ref', ref: 'main' },
    { kind: 'tree', path: id('a') },
  ] as const) {
    expect(pinned(wanted)).toBeUndefined();
  }
});

test('a path below a target goes on from its own', () => {
  const target = { ref: 'main', commit: id('1'), path: 'a' };
  expect(below(target, 'b/c').path).toBe('a/b/c');
  expect(below(target, '').path).toBe('a');
  expect(below({ ...target, path: '' }, 'b').path).toBe('b');
});
