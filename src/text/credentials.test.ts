import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutCredentials } from './credentials.ts';

test.each([
  ['https://ada:secret@host/o/r', 'https://host/o/r'],
  ['https://secret@host/o/r', 'https://host/o/r'],
  ['https://ada:s@cr:t@host:8443/o/r', 'https://host:8443/o/r'],
  ['https://ada:se#cr?t "x"@host/o/r', 'https://host/o/r'],
  ['https://ada:se/cr/t@host/o/r', 'https://host/o/r'],
  ['ftp://ada:secret@host', 'ftp://host'],
  ['ssh://git@host:22/o/r', 'ssh://git@host:22/o/r'],
  ['SSH://ada:secret@host/o/r', 'SSH://ada@host/o/r'],
  ['git+ssh://ada:@host/o/r', 'git+ssh://ada@host/o/r'],
  ['ssh://:secret@host/o/r', 'ssh://host/o/r'],
  ['ssh://ada:se/cret@host/o/r', 'ssh://host/o/r'],
  ['ada:secret@host:o/r', 'host:o/r'],
  ['ada@work:secret@host/o/r', 'host/o/r'],
  ['https://mirror/https://ada:secret@host/o/r', 'https://mirror/https://host/o/r'],
  ['https://host/o/r?access_token=secret#secret', 'https://host/o/r'],
  ['ext::https://ada:secret@host/o', 'ext::https://host/o'],
])('%s is shown as %s', (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown);
});

test.each([
  'https://host/o/r@v1/x@y',
  'https://host:8443/o/r@v1',
  'https://[::1]:3000/o/r@v1',
  'git@host:o/r.git',
  'fatal: git@host:o/r.git: no such repository, write to ada@host',
  './a:b/c@d',
  'a@b',
  '',
])('%j has none', (text) => {
  expect(withoutCredentials(text)).toBe(text);
});

test('a line of git shows none either', () => {
  expect(
    withoutCredentials("fatal: unable to access 'https://a:b@host/o?t=b/': refused by 'http://c@proxy:80'"),
  ).toBe("fatal: unable to access 'https://host/o': refused by 'http://proxy:80'");
});

test.each(['://a:', '://', 'ssh:', 'a:', '@', '?#'])(
  'a long text of %s takes no time to speak of',
  (piece) => {
    const text = `x ${piece.repeat(200_000)}`;
    expect(withoutCredentials(text).length).toBeLessThanOrEqual(text.length);
  },
);

const anything = fc.string({ unit: 'binary' });
const noSlash = anything.map((text) => text.replaceAll('/', '%2F'));

test('no user or password is ever shown, whatever is in it', () => {
  const scheme = fc.constantFrom('https', 'http', 'git', 'ftp', 'git+https', 'x.y+z');
  fc.assert(
    fc.property(scheme, noSlash, noSlash, (name, user, password) => {
      expect(withoutCredentials(`${name}://${user}:${password}@host:80/o/r`)).toBe(`${name}://host:80/o/r`);
      expect(withoutCredentials(`${name}://${user}@host/o/r`)).toBe(`${name}://host/o/r`);
    }),
  );
});

test('of ssh the user is shown, and no password', () => {
  fc.assert(
    fc.property(noSlash, noSlash, (user, password) => {
      const name = user.split(':')[0];
      const shown = name ? `ssh://${name}@host/o/r` : 'ssh://host/o/r';
      expect(withoutCredentials(`ssh://${user}:${password}@host/o/r`)).toBe(shown);
    }),
  );
});
