import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { random } from './secrets.testing.ts';
import { redactSecrets } from './secrets.ts';

const TOKEN = `ghp_${random(36)}`;
const PASSWORD = random(14, undefined, 'password');
const KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

afterEach(() => {
  vi.doUnmock('@secretlint/secretlint-rule-preset-recommend');
  vi.resetModules();
});

describe('redactSecrets', () => {
  it('replaces span by span and says where', async () => {
    const text = [
      '# settings',
      `token = ${TOKEN}`,
      '',
      KEY.trimEnd(),
      `a = https://bot:${PASSWORD}@git.corp.net, b = postgres://app:${PASSWORD}@db.corp.net`,
      `again = ${TOKEN}`,
    ].join('\r\n');
    const redacted = await redactSecrets(text);
    for (const { rule, at } of redacted.found)
      expect(redacted.text.startsWith(`[redacted: ${rule}]`, at)).toBe(true);
    expect(redacted).toMatchObject({
      text: [
        '# settings',
        'token = [redacted: github-token]',
        '',
        `${KEY.split('\n')[0]}\n[redacted: private-key]\n${KEY.split('\n')[2]}`,
        'a = https://bot:[redacted: basic-auth]@git.corp.net, b = postgres://app:[redacted: connection-string]@db.corp.net',
        'again = [redacted: github-token]',
      ].join('\r\n'),
      found: [
        { rule: 'github-token', line: 2 },
        { rule: 'private-key', line: 5 },
        { rule: 'basic-auth', line: 7 },
        { rule: 'connection-string', line: 7 },
        { rule: 'github-token', line: 8 },
      ],
    });
  });

  it('replaces once what several rules find', async () => {
    expect(await redactSecrets(`https://x:${TOKEN}@github.com`)).toMatchObject({
      text: 'https://x:[redacted: github-token]@github.com',
      found: [{ rule: 'github-token', line: 1 }],
    });
    const overlap = await redactSecrets(`https://x:ab${'-'}${TOKEN}@github.com`);
    expect(overlap.text).toBe('https://x:[redacted: basic-auth]@github.com');
    expect(overlap.found).toHaveLength(1);
  });

  it('finds a token in an example address', async () => {
    expect((await redactSecrets(`https://user:${TOKEN}@example.com`)).text).not.toContain(TOKEN);
  });

  it('counts lines behind a byte order mark and a key of many lines', async () => {
    const text = `\ufeff${KEY}\n${TOKEN}`;
    expect((await redactSecrets(text)).found).toMatchObject([
      { rule: 'private-key', line: 2 },
      { rule: 'github-token', line: 5 },
    ]);
  });

  it('changes nothing twice, and nothing without a secret', async () => {
    const piece = fc.constantFrom(
      TOKEN,
      KEY,
      `https://u:${PASSWORD}@corp.net`,
      ` //r.corp.net/:_authToken=${PASSWORD}\n`,
      'https://user:password@example.com',
      '\n',
      ' text ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (parts) => {
        const once = await redactSecrets(parts.join(' '));
        expect(once.text).not.toContain(PASSWORD);
        expect(await redactSecrets(once.text)).toEqual({ text: once.text, found: [] });
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        expect(await redactSecrets(text)).toEqual({ text, found: [] });
      }),
    );
  });

  it('fails loudly if a rule does, without the text in its message', async () => {
    vi.resetModules();
    vi.doMock('@secretlint/secretlint-rule-preset-recommend', () => ({
      rules: [
        {
          meta: { id: 'broken' },
          create: () => ({
            file() {
              throw new RangeError('broken');
            },
          }),
        },
      ],
    }));
    const { redactSecrets: redact, RedactionError } = await import('./secrets.ts');
    const failure = redact(`token = ${TOKEN}`);
    await expect(failure).rejects.toThrow(RedactionError);
    await expect(failure).rejects.not.toThrow(TOKEN);
  });
});
