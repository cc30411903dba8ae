import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlPasswords } from './passwords.ts';
import { isPlaceholderPassword } from './placeholder.ts';
import { random } from './secrets.testing.ts';

function redacted(text: string): string {
  let result = text;
  for (const { start, end, rule } of urlPasswords(text).toReversed()) {
    result = `${result.slice(0, start)}[${rule}]${result.slice(end)}`;
  }
  return result;
}

const PASSWORD = random(14);

describe('urlPasswords', () => {
  it.each([
    [`https://deploy:${PASSWORD}@git.corp.net/x`, 'https://deploy:[basic-auth]@git.corp.net/x'],
    [`see <ftp://bob:${PASSWORD}@files.corp.net>.`, 'see <ftp://bob:[basic-auth]@files.corp.net>.'],
    [`git+https://bot:${PASSWORD}@git.corp.net/a@v1`, 'git+https://bot:[basic-auth]@git.corp.net/a@v1'],
    [
      `url: "postgres://admin:${PASSWORD}@db.internal.corp:5432/app?ssl=1"`,
      'url: "postgres://admin:[connection-string]@db.internal.corp:5432/app?ssl=1"',
    ],
    [
      `mongodb+srv://u:${PASSWORD}@h1.corp.net,h2.corp.net/db`,
      'mongodb+srv://u:[connection-string]@h1.corp.net,h2.corp.net/db',
    ],
    [`jdbc:mysql://root:${PASSWORD}@10.0.0.5/x`, 'jdbc:mysql://root:[connection-string]@10.0.0.5/x'],
    [`redis://:${PASSWORD}@cache:6379`, 'redis://:[connection-string]@cache:6379'],
    [`amqp://guest:${PASSWORD}@localhost`, 'amqp://guest:[connection-string]@localhost'],
    [`"mongodb://u:${PASSWORD}@" + host`, '"mongodb://u:[connection-string]@" + host'],
    [`https://u:p@${PASSWORD}@git.corp.net`, 'https://u:[basic-auth]@git.corp.net'],
    [`https://u:it's${PASSWORD}@git.corp.net`, 'https://u:[basic-auth]@git.corp.net'],
    [`https://u:2024#${PASSWORD}@git.corp.net`, 'https://u:[basic-auth]@git.corp.net'],
    [`https://u:%21${PASSWORD}%2F@git.corp.net # example`, 'https://u:[basic-auth]@git.corp.net # example'],
    [
      `https://${random(40)}:x-oauth-basic@github.com/a/b`,
      'https://[github-token]:x-oauth-basic@github.com/a/b',
    ],
    ['postgres://admin:dragon@db.corp.net/app', 'postgres://admin:[connection-string]@db.corp.net/app'],
    ['postgres://admin:s3cr3tPassw0rd@db.corp.net', 'postgres://admin:[connection-string]@db.corp.net'],
    ['postgres://admin:Pa$Word9x@db.corp.net/app', 'postgres://admin:[connection-string]@db.corp.net/app'],
  ])('in %s', (text, shown) => {
    expect(redacted(text)).toBe(shown);
  });

  it('in addresses that follow each other without a space', () => {
    const list = [
      'mysql://a:b@h/x',
      `mysql://root:${PASSWORD}@prod.corp.net/y`,
      `mysql://c:${PASSWORD}@h.corp.net`,
    ];
    for (const separator of ['","', ',', ';', '|', '><']) {
      expect(redacted(list.join(separator))).not.toContain(PASSWORD);
    }
  });

  it.each([
    'https://user:password@host.corp.net',
    'https://user:pass@proxy.corp.net',
    'https://username:password@registry.corp.net',
    'https://ferris:f3rr1s@example.com',
    `https://ferris:${random(16)}@git.example.org`,
    `postgres://u:${random(16)}@db.test/x and ftp://u:${random(16)}@files.invalid`,
    'https://index-user:index-secret@index.corp.net',
    'https://<user>:<password>@corp.net',
    `https://x-access-token:\${GH_TOKEN}@github.com and https://$USER:$PASSWORD@corp.net`,
    'https://u:{{ password }}@corp.net https://u:{password}@corp.net https://u:#{password}@corp.net',
    'https://u:%s@corp.net https://u:%PASSWORD%@corp.net https://u:%(password)s@corp.net',
    'https://u:****@corp.net https://u:xxxxxxxx@corp.net https://u:...@corp.net https://u:12345678@corp.net',
    'https://u:[redacted: basic-auth]@corp.net',
    'https://u:changeme@corp.net https://u:your-token-here@corp.net https://git:TOKEN@corp.net',
    'postgres://postgres:postgres@db:5432/app amqp://guest:guest@mq.corp.net',
    'postgres://app:dragon@localhost/app http://bob:tiger@127.0.0.1:8000 redis://:fluffy@redis:6379',
    '"postgres://" + user + ":" + password + "@" + host',
    "'mysql://'+user+':'+password+'@'+host",
    String.raw`/https?:\/\/([^:]+):([^@]+)@(.*)/ and ://([^:]+):([^@]+)@`,
    'http://localhost:8080/?to=bob@corp.net http://corp.net:8080?to=bob@corp.net',
    '[a](http://corp.net:80),[b](mailto:bob@corp.net) {"a":"http://corp.net:80","b":"bob@corp.net"}',
    'docker://alpine:3.19.1@sha256:0123 ssh://git@github.com:22/a/b git@github.com:a/b.git',
    'https://corp.net/a:b@c',
  ])('leaves %s', (text) => {
    expect(urlPasswords(text)).toEqual([]);
  });

  it('finds whatever the scanner it stands for would find', async () => {
    const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
    const oracle = (text: string) => {
      let found = 0;
      const context = {
        sharedOptions: {},
        createTranslator: () => (messageId: string) => ({ messageId, message: '' }),
        report: () => found++,
        ignore: () => undefined,
      };
      for (const rule of rules) {
        if (/basicauth|database/.test(rule.meta.id)) {
          rule
            .create(context as never, {})
            .file?.({ content: text, filePath: 'a.txt', ext: '.txt' } as never);
        }
      }
      return found > 0;
    };
    const scheme = fc.constantFrom(
      'http',
      'https',
      'ftp',
      'mongodb',
      'mongodb+srv',
      'mysql',
      'postgres',
      'postgresql',
    );
    const extra = fc.stringMatching(/^[\w.~!$&*+,;=%#^-]{0,6}$/);
    fc.assert(
      fc.property(scheme, extra, fc.integer(), (name, more, seed) => {
        const secret = `${random(8, undefined, String(seed))}${more}`;
        fc.pre(!isPlaceholderPassword(secret, 'admin', 'db.corp.net'));
        const text = `x = "${name}://admin:${secret}@db.corp.net/app" # y`;
        expect(oracle(text) && redacted(text).includes(secret)).toBe(false);
      }),
    );
  });

  it('replaces only what stands before an @', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1:/@. "\'\n#?[](){}<>$%') }), (text) => {
        for (const { start, end } of urlPasswords(`https://u:${text}`)) {
          expect(`https://u:${text}`[end]).toBe('@');
          expect(start).toBeLessThan(end);
        }
      }),
    );
  });
});
