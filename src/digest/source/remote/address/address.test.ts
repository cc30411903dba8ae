import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlimsollError } from '../../../../errors.ts';
import { tempFolder, write } from '../../fixture.ts';
import { type LocalAddress, parseAddress, parseRemote, type RemoteAddress } from './address.ts';
import type { Tail } from './tail.ts';

const ENTERPRISE = 'https://ghe.example:8443';

function parse(text: string, here: readonly string[] = [], githubOrigins: readonly string[] = []) {
  return parseAddress(text, { githubOrigins, exists: (path) => here.includes(path) });
}

/** A remote address in short, without what says the same again. */
function parseAsRemote(text: string, githubOrigins: readonly string[] = []): RemoteAddress {
  const address = parse(text, [], githubOrigins);
  if (address.kind === 'path') throw new Error(`${text} was taken for a path`);
  return address;
}

function messageOf(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof PlimsollError && error.code === 'BAD_ADDRESS') return error.message;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

const HTTPIE: RemoteAddress = {
  kind: 'github',
  cloneUrl: 'https://github.com/httpie/cli.git',
  url: 'https://github.com/httpie/cli',
  name: 'httpie/cli',
  host: 'github.com',
  owner: 'httpie',
  repo: 'cli',
};

test.each([
  'httpie/cli',
  'httpie/cli.git',
  'github.com/httpie/cli',
  'GitHub.com/httpie/cli.git',
  'www.github.com/httpie/cli/',
  'https://github.com/httpie/cli',
  'HTTPS://GitHub.COM/httpie/cli',
  'http://github.com:80/httpie/cli',
  'https://www.github.com//httpie//cli.git///',
  'https://github.com/httpie/cli?tab=readme-ov-file#installation',
  'https://github.com/h%74tpie/cli',
  'https://ada@github.com/httpie/cli',
  'git://github.com/httpie/cli.git',
  'git+https://github.com/httpie/cli.git#semver:^1',
  'https://api.github.com/repos/httpie/cli',
])('%s is the repository on GitHub', (text) => {
  expect(parse(text)).toEqual(HTTPIE);
});

test.each([
  'o/.github',
  'vercel/next.js',
  'o/_-',
  'a-b-c/d',
  'octo_corp/r',
  'A1/..x',
  `${'o'.repeat(39)}/${'r'.repeat(100)}`,
])('%s is short for one', (text) => {
  expect(parse(text)).toMatchObject({ kind: 'github', name: text, url: `https://github.com/${text}` });
});

test.each([
  ['https://ada:s%40cret@github.com/o/r', 's@cret'],
  ['https://x-access-token:secret@github.com/o/r', 'secret'],
  ['https://secret:x-oauth-basic@github.com/o/r', 'secret'],
  ['https://ghp_abc123@github.com/o/r', 'ghp_abc123'],
  ['https://github_pat_11AB_cd:@github.com/o/r', 'github_pat_11AB_cd'],
  [`https://${'0a'.repeat(20)}@github.com/o/r`, '0a'.repeat(20)],
  ['https://ada:@github.com/o/r', undefined],
  ['https://github.com/o/r', undefined],
])('%s has the token %s, and nothing else has it', (text, token) => {
  const { token: found, ...rest } = parseAsRemote(text);
  expect(found).toBe(token);
  expect(rest).toEqual({ ...rest, cloneUrl: 'https://github.com/o/r.git', url: 'https://github.com/o/r' });
});

test.each<[string, Tail]>([
  ['tree/main', { kind: 'tree', path: 'main' }],
  ['tree/main/src//lib/', { kind: 'tree', path: 'main/src/lib' }],
  ['tree/feature%2Fx/src', { kind: 'tree', path: 'feature/x/src' }],
  ['tree/main%2F', { kind: 'tree', path: 'main' }],
  ['tree/%2F', { kind: 'page', page: 'tree' }],
  ['tree/refs/heads', { kind: 'tree', path: 'refs/heads' }],
  ['tree/refs/heads/feature/x', { kind: 'tree', path: 'feature/x', ref: 'branch' }],
  ['tree/main/-x', { kind: 'tree', path: 'main/-x' }],
  ['commits/main/src', { kind: 'tree', path: 'main/src' }],
  ['commits', { kind: 'page', page: 'commits' }],
  ['tree/', { kind: 'page', page: 'tree' }],
  ['blob/main/a%20b/gr%C3%B6%C3%9Fe%23.md#L3-L9', { kind: 'blob', path: 'main/a b/größe#.md' }],
  ['blob/main/日本.md?plain=1', { kind: 'blob', path: 'main/日本.md' }],
  ['blob/main/100%25.md', { kind: 'blob', path: 'main/100%.md' }],
  ['blob/main/x.git', { kind: 'blob', path: 'main/x.git' }],
  ['raw/refs/tags/v1/x', { kind: 'blob', path: 'v1/x', ref: 'tag' }],
  ['blame/main/x', { kind: 'blob', path: 'main/x' }],
  ['edit/main/x', { kind: 'blob', path: 'main/x' }],
  ['commit/ABC123def', { kind: 'commit', commit: 'ABC123def' }],
  ['commit/abc123/checks', { kind: 'commit', commit: 'abc123' }],
  ['releases/tag/v1.0', { kind: 'tag', tag: 'v1.0' }],
  ['releases/tag/pkg%40x/v1', { kind: 'tag', tag: 'pkg@x/v1' }],
  ['releases/tag', { kind: 'page', page: 'releases/tag' }],
  ['releases', { kind: 'page', page: 'releases' }],
  ['pull/42', { kind: 'pull', number: 42 }],
  ['pull/42/files#diff-0', { kind: 'pull', number: 42 }],
  ['pull/new/main', { kind: 'page', page: 'pull/new/main' }],
  ['pull/0x1', { kind: 'page', page: 'pull/0x1' }],
  ['issues/5', { kind: 'page', page: 'issues/5' }],
  ['compare/v1...main', { kind: 'page', page: 'compare/v1...main' }],
  ['archive/refs/heads/main.zip', { kind: 'page', page: 'archive/refs/heads/main.zip' }],
  ['wiki', { kind: 'page', page: 'wiki' }],
])('on GitHub, %s says where to look', (rest, tail) => {
  expect(parse(`https://github.com/httpie/cli/${rest}`)).toEqual({ ...HTTPIE, tail });
  expect(parse(`https://www.github.com/httpie/cli.git/${rest}`)).toEqual({ ...HTTPIE, tail });
});

test.each<[string, Tail]>([
  ['https://raw.githubusercontent.com/httpie/cli/main/a/b.md', { kind: 'blob', path: 'main/a/b.md' }],
  [
    'https://raw.githubusercontent.com/httpie/cli/refs/heads/x/b.md?token=secret',
    { kind: 'blob', path: 'x/b.md', ref: 'branch' },
  ],
  ['raw.githubusercontent.com/httpie/cli/main/b.md', { kind: 'blob', path: 'main/b.md' }],
  ['https://api.github.com/repos/httpie/cli/pulls/3', { kind: 'page', page: 'pulls/3' }],
  ['https://codeload.github.com/httpie/cli/zip/main', { kind: 'page', page: 'zip/main' }],
])('%s is on GitHub too', (text, tail) => {
  expect(parse(text)).toEqual({ ...HTTPIE, tail });
});

test('a GitHub server of one’s own has its repositories, and the short names', () => {
  const server = {
    kind: 'github',
    cloneUrl: 'https://ghe.example:8443/o/r.git',
    url: 'https://ghe.example:8443/o/r',
    name: 'o/r',
    host: 'ghe.example:8443',
    owner: 'o',
    repo: 'r',
  };
  for (const text of ['o/r', 'GHE.example:8443//o//r', 'http://ghe.example:8443/o/r.git']) {
    expect(parse(text, [], [ENTERPRISE])).toEqual(server);
  }
  const tail = { kind: 'tree', path: 'main/src' };
  expect(parse('https://ghe.example:8443/o/r/tree/main/src', [], [ENTERPRISE])).toEqual({ ...server, tail });
  expect(parse('github.com/httpie/cli', [], [ENTERPRISE])).toEqual(HTTPIE);
  expect(parse('https://ghe.example/o/r', [], [ENTERPRISE])).toMatchObject({ kind: 'git' });
  expect(parse('http://127.0.0.1:99/o/r', [], ['http://127.0.0.1:99'])).toMatchObject({
    kind: 'github',
    cloneUrl: 'http://127.0.0.1:99/o/r.git',
  });
});

test.each([
  // address, what git takes (where it is another), what is shown, name, host
  ['git@github.com:o/r.git', '', 'ssh://git@github.com/o/r.git', 'o/r', 'github.com'],
  ['git@GitHub.com:o/r/', 'git@GitHub.com:o/r', 'ssh://git@github.com/o/r', 'o/r', 'github.com'],
  ['ssh://git@github.com/o/r', '', 'ssh://git@github.com/o/r', 'o/r', 'github.com'],
  [
    'git+ssh://git@github.com/o/r.git',
    'ssh://git@github.com/o/r.git',
    'ssh://git@github.com/o/r.git',
    'o/r',
    'github.com',
  ],
  ['ssh://host:2222/g/s/r.git', '', 'ssh://host:2222/g/s/r.git', 'g/s/r', 'host:2222'],
  ['ssh://ada@host/~/r', '', 'ssh://ada@host/~/r', '~/r', 'host'],
  ['ada@[::1]:o/r', '', 'ssh://ada@[::1]/o/r', 'o/r', '[::1]'],
  ['[::1]:o/r', '', 'ssh://[::1]/o/r', 'o/r', '[::1]'],
  ['ada@box:r', '', 'ssh://ada@box/r', 'r', 'box'],
  ['host.example:/srv/r.git', '', 'ssh://host.example/srv/r.git', 'srv/r', 'host.example'],
  ['host.example:team/.git', '', 'ssh://host.example/team/.git', 'team', 'host.example'],
  ['git@host:50%/a?b#c', '', 'ssh://git@host/50%25/a%3Fb%23c', '50%/a?b#c', 'host'],
  ['git@host:größe/r', '', 'ssh://git@host/gr%C3%B6%C3%9Fe/r', 'größe/r', 'host'],
  ['git://host/o/r.git', '', 'git://host/o/r.git', 'o/r', 'host'],
  ['https://host.example/o/r.git', '', 'https://host.example/o/r.git', 'o/r', 'host.example'],
  [
    'https://Host.example:443/o/r/',
    'https://host.example/o/r',
    'https://host.example/o/r',
    'o/r',
    'host.example',
  ],
  ['http://localhost:3000/r', '', 'http://localhost:3000/r', 'r', 'localhost:3000'],
  [
    'https://ada:s%40cret@host/o/r?t=secret#x',
    'https://ada:s%40cret@host/o/r',
    'https://host/o/r',
    'o/r',
    'host',
  ],
  ['https://ada:s@cret@host/o/r', 'https://ada:s%40cret@host/o/r', 'https://host/o/r', 'o/r', 'host'],
  ['https://secret@host/o/r', '', 'https://host/o/r', 'o/r', 'host'],
  ['gitlab.com/g/s/t/r', 'https://gitlab.com/g/s/t/r', 'https://gitlab.com/g/s/t/r', 'g/s/t/r', 'gitlab.com'],
  ['https://gitlab.com/g/s/r.git', '', 'https://gitlab.com/g/s/r.git', 'g/s/r', 'gitlab.com'],
  ['https://host/a/b/tree/main/x.git', '', 'https://host/a/b/tree/main/x.git', 'a/b/tree/main/x', 'host'],
  [
    'https://dev.azure.com/o/My%20P/_git/r',
    '',
    'https://dev.azure.com/o/My%20P/_git/r',
    'o/My P/_git/r',
    'dev.azure.com',
  ],
  ['https://gist.github.com/ada/0a1b', '', 'https://gist.github.com/ada/0a1b', 'ada/0a1b', 'gist.github.com'],
  ['https://github.com/o/r.wiki.git', '', 'https://github.com/o/r.wiki.git', 'o/r.wiki', 'github.com'],
  [
    'https://mirror.example/https://ada:secret@host/o/r',
    '',
    'https://mirror.example/https://host/o/r',
    'https://host/o/r',
    'mirror.example',
  ],
])('git fetches %s', (text, cloneUrl, url, name, host) => {
  expect(parse(text)).toEqual({ kind: 'git', cloneUrl: cloneUrl || text, url, name, host });
});

test.each<[string, string, Tail]>([
  ['https://gitlab.com/g/s/r', '/-/tree/main/src', { kind: 'tree', path: 'main/src' }],
  ['https://gitlab.com/g/r', '/-/blob/main/a.git', { kind: 'blob', path: 'main/a.git' }],
  ['https://gitlab.com/g/r', '/-/commit/abc', { kind: 'commit', commit: 'abc' }],
  ['https://gitlab.com/g/r', '/-/tags/a/v1', { kind: 'tag', tag: 'a/v1' }],
  ['https://gitlab.com/g/r', '/-/merge_requests/3/diffs', { kind: 'page', page: 'merge_requests/3/diffs' }],
  ['https://codeberg.org/o/r', '/src/branch/a/b/', { kind: 'tree', path: 'a/b', ref: 'branch' }],
  ['https://codeberg.org/o/r', '/src/tag/v1', { kind: 'tree', path: 'v1', ref: 'tag' }],
  ['https://codeberg.org/o/r', '/src/commit/abc/src', { kind: 'tree', path: 'abc/src' }],
  ['https://codeberg.org/o/r', '/src/branch/%2Fmain', { kind: 'tree', path: 'main', ref: 'branch' }],
  ['https://codeberg.org/o/r', '/commit/abc', { kind: 'commit', commit: 'abc' }],
  ['https://bitbucket.org/o/r', '/src/main/lib/', { kind: 'tree', path: 'main/lib' }],
  ['https://bitbucket.org/o/r', '/commits/abc', { kind: 'commit', commit: 'abc' }],
  ['https://bitbucket.org/o/r', '/pull-requests/3', { kind: 'page', page: 'pull-requests/3' }],
  ['https://unknown.example/o/r', '/tree/main', { kind: 'tree', path: 'main' }],
  ['https://unknown.example/o/r', '/blob/main/a%2Fb', { kind: 'blob', path: 'main/a/b' }],
  ['https://unknown.example/o/r', '/releases/tag/v1', { kind: 'tag', tag: 'v1' }],
])('at %s, %s says where to look', (repository, rest, tail) => {
  const { url, cloneUrl, name, tail: found } = parseAsRemote(`${repository}${rest}?x=y#z`);
  expect(found).toEqual(tail);
  expect([url, cloneUrl]).toEqual([repository, repository]);
  expect(`/${name}`).toBe(new URL(repository).pathname);
});

test.each([
  'https://host/g/tree',
  'https://host/g/r/src/branch',
  'https://host/g/r/commits/x',
  'https://host/g/r/tree',
  'https://host/g/s/t/r',
  'https://host/g/r/releases/x',
])('all of %s may be a group in a group', (text) => {
  expect(parse(text)).toMatchObject({ kind: 'git', url: text });
});

test.each([
  '.',
  './owner/repo',
  '../repo.git',
  '/srv/git/repo.git',
  '~/code/repo',
  'C:\\code\\repo',
  'c:/code/repo',
  'owner\\repo',
  'owner/re\0po',
  'git@host:a\\b',
  'README.md',
  'a/b/c',
  'a b/c',
  'owner/..',
  'owner/.',
  '-owner/repo',
  'own--er/repo',
  'owner-/repo',
  `${'o'.repeat(40)}/r`,
  `o/${'r'.repeat(101)}`,
  'next.js/packages',
  'v1.2/a/b',
  'dir/a:b',
])('%j is a path', (text) => {
  expect(parse(text)).toEqual({ kind: 'path', path: text });
});

test.each(['owner/repo', 'github.com/o/r', 'gitlab.com/g/r', 'git@host:o/r', 'a:b', 'x y:z'])(
  '%s is a path where there is such a path',
  (text) => {
    expect(parse(text, [text])).toEqual({ kind: 'path', path: text });
    expect(parse('https://github.com/httpie/cli', ['https://github.com/httpie/cli'])).toEqual(HTTPIE);
  },
);

test.each([
  ['file:///srv/a%20b/%C3%A9', '/srv/a b/é'],
  ['file://localhost/srv/r.git', '/srv/r.git'],
  ['FILE:/srv/r', '/srv/r'],
])('%s is a path here', (text, path) => {
  expect(parse(text)).toEqual<LocalAddress>({ kind: 'path', path });
});

test.each([
  ['', /^The address is empty: name a folder, owner\/repo, /],
  [`https://host/${'x'.repeat(4096)}`, /^https:\/\/host\/x{187}… is longer than the 4096 characters /],
  ['ftp://ada:secret@host/o/r', /^ftp:\/\/host\/o\/r has a scheme that is not known: use https, http, ssh, /],
  ['git+ftp://host/o/r', /^git\+ftp:.* scheme/],
  ['ext::sh -c true', /^ext::sh -c true is neither a path here nor an address: name /],
  ['javascript:alert(1)', /^javascript:alert\(1\) is neither/],
  ['github:o/r', /^github:o\/r is neither/],
  ['box:r', /^box:r is neither/],
  ['ada: secret@host:o/r', /^host:o\/r is neither/],
  ['ada@work:secret@host:o/r', /^host:o\/r is neither/],
  [' https://github.com/o/r', /is neither/],
  ['https://', /^https:\/\/ is not a well-formed address: write it as https:\/\/host\/path or /],
  ['https://ada:se/cret@host/o', /^https:\/\/host\/o is not a well-formed address/],
  ['ssh://git@github.com:o/r.git', /^ssh:\/\/git@github.com:o\/r.git is not a well-formed/],
  ['https://github.com/', /^https:\/\/github.com\/ names no repository: add its owner and name/],
  ['https://github.com/astral-sh', /astral-sh names no repository/],
  ['github.com/astral-sh?token=secret', /^https:\/\/github.com\/astral-sh names no repository/],
  ['https://api.github.com/users/ada', /names no repository/],
  ['https://github.com/o/.git', /that GitHub could have: check its owner and name\.$/],
  ['https://github.com/o/..git', /that GitHub could have: check its owner and name\.$/],
  ['https://github.com/o/...git', /that GitHub could have: check its owner and name\.$/],
  ['https://github.com/o%20x/r', /that GitHub could have/],
  ['https://host.example/', /^https:\/\/host.example\/ names no repository: add its path/],
  ['ssh://host/.git', /names no repository/],
  ['git@host:', /names no repository/],
  ['https://-host.example/o/r', /has no host, or none that can be: check its spelling/],
  ['ssh://-oProxyCommand=true/o/r', /has no host, or none that can be: check its spelling/],
  ['ssh://%2DoProxyCommand=true/o/r', /has no host, or none that can be: check its spelling/],
  ['ssh:///o/r', /has no host/],
  ['-o@host:o/r', /has a user name that begins with a dash: check it\.$/],
  ['ssh://%2Do@host/o/r', /user name that begins with a dash/],
  ['git@host:-o/r', /has a name that begins with a dash/],
  ['https://host.example/o/%2Dr', /has a name that begins with a dash/],
  ['https://github.com/o/-r', /has a name that begins with a dash/],
  ['https://github.com/o/r/tree/--upload-pack=x', /has a name that begins with a dash/],
  ['https://github.com/o/r/commit/-x', /has a name that begins with a dash/],
  ['https://gitlab.com/g/-/tree/main', /has a name that begins with a dash/],
  ['https://gitlab.com/g/r/-/tags/-x', /has a name that begins with a dash/],
  ['https://github.com/o/r/tree/main%2F..%2F..%2Fuser', /has `.` or `..` in its path/],
  ['git@host:../r', /has `.` or `..` in its path/],
  [
    'https://github.com/o/r/blob/main/50%.md',
    /has a % that is not part of an encoded character: write it as %25/,
  ],
  ['https://host/o/r%ff', /write it as %25/],
  ['https://ada:100%@host/o/r', /^https:\/\/host\/o\/r has a % /],
  ['https://host/o/r%0Ax', /holds an encoded control character/],
  ['https://ada:%00@github.com/o/r', /^https:\/\/github.com\/o\/r holds an encoded control/],
  ['https://ada:s%20t@github.com/o/r', /^https:\/\/github.com\/o\/r has a password that is no token/],
  ['https://ada:s t@github.com/o/r', /^https:\/\/github.com\/o\/r holds white space, a backslash or /],
  ['https://github.com/o/r\nx', /^https:\/\/github.com\/o\/r␊x holds white space/],
  ['https://github.com\\o\\r', /holds white space, a backslash/],
  ['git@host:o/\ud800', /holds white space, a backslash or a control character/],
  ['git@host:a b', /a space in a name is written as %20/],
  ['ssh://ada:secret@host/o/r', /^ssh:\/\/ada@host\/o\/r has a password, which only https takes/],
  ['file://other/srv/r', /^file:\/\/other\/srv\/r names another computer/],
  ['file:///srv/a%2Fb', /stands for no character of a path/],
  ['file:///srv/a%zz', /stands for no character of a path/],
])('%j is refused', (text, message) => {
  expect(messageOf(text)).toMatch(message);
  expect(messageOf(text)).not.toContain('secret');
});

test.each([
  ['https://github.com/owner/repo.git', 'owner/repo', 'https://github.com/owner/repo'],
  ['https://ada:secret@github.com/owner/next.js/', 'owner/next.js', 'https://github.com/owner/next.js'],
  ['https://ada:se@cret@example.com/o/r.git?token=secret#secret', 'o/r', 'https://example.com/o/r.git'],
  ['ssh://git@example.com:2222/g/s/r.git', 'g/s/r', 'ssh://git@example.com:2222/g/s/r.git'],
  ['git@github.com:owner/repo.git', 'owner/repo', 'ssh://git@github.com/owner/repo.git'],
  ['github.com:/owner/repo.git', 'owner/repo', 'ssh://github.com/owner/repo.git'],
  ['box:owner/repo', 'owner/repo', 'ssh://box/owner/repo'],
])('the remote %s has name and address', (text, name, url) => {
  expect(parseRemote(text)).toEqual({ name, url });
});

test.each([
  '/srv/git/repo.git',
  '../repo',
  'owner/repo',
  'github.com/owner/repo',
  'file:///srv/git/repo.git',
  'C:\\code\\repo',
  'C:/code/repo',
  'ada:secret@example.com:owner/repo',
  'https://',
  'https://example.com/',
  'ext::sh -c true',
  '',
])('the remote %j is on no host', (text) => {
  expect(parseRemote(text)).toBeUndefined();
});

test.each([
  ['git@host:o/r.git', ['git@host', "git-upload-pack 'o/r.git'"]],
  ['host.example:/srv/r/', ['host.example', "git-upload-pack '/srv/r'"]],
  ['ada@[::1]:~/r', ['ada@::1', "git-upload-pack '~/r'"]],
  ['git+ssh://ada@host:2222/a%20b/r/', ['-p', '2222', 'ada@host', "git-upload-pack '/a b/r'"]],
])('git itself takes %s as meant', (text, reached) => {
  const folder = tempFolder();
  write(folder, {
    'ssh.sh': `#!/bin/sh\nfor each; do printf '%s\\n' "$each"; done >"${folder}/reached"\nexit 1\n`,
  });
  chmodSync(join(folder, 'ssh.sh'), 0o700);
  const env = { ...process.env, GIT_SSH: join(folder, 'ssh.sh'), GIT_SSH_VARIANT: 'ssh' };
  spawnSync('git', ['-c', 'protocol.version=0', 'ls-remote', parseAsRemote(text).cloneUrl], { env });
  expect(readFileSync(join(folder, 'reached'), 'utf8').trimEnd().split('\n')).toEqual(reached);
});

const piece = fc.oneof(
  fc.constantFrom(
    'https://',
    'ssh://',
    'git+',
    'file://',
    'github.com',
    'host.example',
    '[::1]',
    'o',
    'r.git',
  ),
  fc.constantFrom('/', '//', ':', '@', '-', '/-/', '..', '%2F', '%2e', '%', '%00', '?', '#', '\\', ' ', '\0'),
  fc.constantFrom('/tree/', '/blob/', '/commit/', '/pull/1', '/releases/tag/', '/src/branch/', 'refs/heads/'),
  fc.string({ unit: 'binary' }),
);
const addressLike = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const anyText = fc.oneof(addressLike, fc.string({ unit: 'binary' }));

test('any text is a path, a repository or refused', () => {
  const property = fc.property(anyText, fc.boolean(), (text, exists) => {
    try {
      parseAddress(text, { githubOrigins: [ENTERPRISE], exists: () => exists });
    } catch (error) {
      expect(error).toMatchObject({ name: 'PlimsollError', code: 'BAD_ADDRESS' });
      expect((error as Error).message).not.toMatch(/\n/);
    }
    parseRemote(text);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('a local clone says the same of a repository as the repository itself', () => {
  const part = fc.stringMatching(/^[\w.%é ?#@:+~-]{1,5}$/).map(encodeURIComponent);
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const start = fc.constantFrom(
    'https://github.com/',
    'https://ada:secret@host/',
    'ssh://git@host:22/',
    'git@host:',
  );
  const property = fc.property(start, path, fc.constantFrom('', '.git', '/'), (before, middle, after) => {
    let address: RemoteAddress;
    try {
      address = parseAsRemote(before + middle + after);
    } catch {
      return;
    }
    const { name, url } = address;
    expect(parseRemote(address.cloneUrl)).toEqual({ name, url });
    expect(parseRemote(url)).toEqual({ name, url });
  });
  fc.assert(property, { numRuns: 1000 });
});

test('credentials are shown nowhere, whatever is in them and whatever else is wrong', () => {
  const MARK = 'sEcReT';
  const around = fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.replaceAll('/', '%2F'));
  const password = fc.tuple(around, around).map((ends) => ends.join(MARK));
  const written = fc.oneof(
    password,
    password.map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const start = fc.constantFrom('https://', 'http://', 'ssh://', 'git://', 'git+https://', 'ftp://', '');
  const end = fc.constantFrom(
    'github.com/o/r',
    'host/o/r',
    'host:o/r',
    'github.com/',
    'host/%',
    '-h/x',
    '',
    'h/%00/x y',
  );
  const property = fc.property(start, around, written, end, (scheme, user, secret, rest) => {
    let shown: string;
    try {
      const address = parse(`${scheme}${user}:${secret}@${rest}`);
      if (address.kind === 'path') return;
      const { url, name, host, tail } = address;
      shown = JSON.stringify([url, name, host, tail]);
    } catch (error) {
      shown = (error as Error).message;
    }
    expect(shown).not.toContain(MARK);
  });
  fc.assert(property, { numRuns: 2000 });
});
