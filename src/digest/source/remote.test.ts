import { expect, test } from 'vitest';
import { parseRemote } from './remote.ts';

test.each([
  ['https://github.com/owner/repo.git', 'owner/repo', 'https://github.com/owner/repo.git'],
  ['https://github.com/owner/next.js', 'owner/next.js', 'https://github.com/owner/next.js'],
  ['https://ada:secret@github.com/owner/repo', 'owner/repo', 'https://github.com/owner/repo'],
  ['https://secret@github.com/owner/repo/', 'owner/repo', 'https://github.com/owner/repo/'],
  ['https://ada:se@cret@example.com/o/r?token=secret#secret', 'o/r', 'https://example.com/o/r'],
  [
    'ssh://git@example.com:2222/group/sub/repo.git',
    'group/sub/repo',
    'ssh://example.com:2222/group/sub/repo.git',
  ],
  ['git@github.com:owner/repo.git', 'owner/repo', 'ssh://github.com/owner/repo.git'],
  ['github.com:/owner/repo.git', 'owner/repo', 'ssh://github.com/owner/repo.git'],
])('%s is on a host', (address, name, url) => {
  expect(parseRemote(address)).toEqual({ name, url });
});

test.each([
  '/srv/git/repo.git',
  '../repo',
  'file:///srv/git/repo.git',
  'C:\\code\\repo',
  'C:/code/repo',
  'ada:secret@example.com:owner/repo',
  'https://',
  'https://example.com/',
  'ext::sh -c true',
  '',
])('%j is not', (address) => {
  expect(parseRemote(address)).toBeUndefined();
});
