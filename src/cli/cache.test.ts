import { expect, test } from 'vitest';
import { listAsText } from './cache.ts';

const used = new Date('2026-02-03T04:05:59Z');

test('a list has a line for each repository, and the total', () => {
  const list = listAsText(
    [
      { address: 'https://github.com/o/r', kind: 'github', bytes: 999, used },
      { address: 'ssh://git@host/o/r.git', kind: 'git', bytes: 1000, used },
      { address: 'https://host/a', kind: 'git', bytes: 123_456_789, used },
      { address: 'https://host/b', kind: 'git', bytes: 5_000_000_000_000, used },
    ],
    1024 ** 3,
  );
  expect(list).toBe(`      size  last used (UTC)   kind    address
     999 B  2026-02-03 04:05  github  https://github.com/o/r
    1.0 KB  2026-02-03 04:05  git     ssh://git@host/o/r.git
  123.5 MB  2026-02-03 04:05  git     https://host/a
 5000.0 GB  2026-02-03 04:05  git     https://host/b
4 entries, 5000.1 GB of at most 1.1 GB
`);
});

test('an empty list says so', () => {
  expect(listAsText([], 1000)).toBe('The cache is empty.\n');
});
