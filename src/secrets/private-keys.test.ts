import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privateKeys } from './private-keys.ts';
import { BASE64, random } from './secrets.testing.ts';

function redacted(text: string): string {
  let result = text;
  for (const { start, end } of privateKeys(text).toReversed()) {
    result = `${result.slice(0, start)}[KEY]${result.slice(end)}`;
  }
  return result;
}

const pem = { type: 'pkcs8', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const ed = generateKeyPairSync('ed25519').privateKey;
const line = (label: string, edge: 'BEGIN' | 'END') => `-----${edge} ${label}-----`;
const armoured = (label: string, body: string) => `${line(label, 'BEGIN')}\n${body}\n${line(label, 'END')}\n`;
const base64 = (length: number) => random(length, BASE64).replace(/.{64}/g, '$&\n');

const KEYS: readonly [name: string, text: string][] = [
  ['RSA in PKCS #8', rsa.export(pem) as string],
  ['RSA in PKCS #1', rsa.export({ type: 'pkcs1', format: 'pem' }) as string],
  ['EC in PKCS #8', ec.export(pem) as string],
  ['EC in SEC 1', ec.export({ type: 'sec1', format: 'pem' }) as string],
  ['Ed25519', ed.export(pem) as string],
  ['encrypted', rsa.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }) as string],
  [
    'encrypted, with headers',
    rsa.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }) as string,
  ],
  ['OpenSSH', armoured('OPENSSH PRIVATE KEY', `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\n${base64(300)}==`)],
  ['PGP', armoured('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\n\nlQOYBF${base64(900)}\n=aB3d`)],
];

/** Whether a line of a key's body tells something of it: headers don't, nor what every key of OpenSSH starts with. */
function isSecret(text: string): boolean {
  return text.length >= 16 && !/[: ]/.test(text) && !text.startsWith('b3BlbnNzaC1rZXktdjE');
}

describe('privateKeys', () => {
  it.each(KEYS)('replaces the body: %s', (_, key) => {
    const [begin] = key.split('\n');
    const end = key.trimEnd().split('\n').at(-1);
    expect(redacted(`a\n${key}b\n`)).toBe(`a\n${begin}\n[KEY]\n${end}\nb\n`);
    expect(redacted(key.replaceAll('\n', '\r\n'))).toBe(`${begin}\r\n[KEY]\r\n${end}\r\n`);
  });

  it.each(KEYS)('finds it in JSON, YAML, comments and string literals: %s', (_, key) => {
    const lines = key.trimEnd().split('\n');
    const [begin] = lines;
    const end = lines.at(-1);
    expect(redacted(JSON.stringify({ k: key, z: 1 }))).toBe(`{"k":"${begin}\\n[KEY]\\n${end}\\n","z":1}`);
    expect(redacted(lines.map((l) => `    ${l}`).join('\n'))).toBe(`    ${begin}\n    [KEY]\n    ${end}`);
    expect(redacted(lines.map((l) => `# ${l}`).join('\n'))).toBe(`# ${begin}\n# [KEY]\n# ${end}`);
    expect(redacted(lines.map((l) => `  "${l}\\n"`).join(' +\n'))).toBe(
      `  "${begin}\\n" +\n  "[KEY]\\n" +\n  "${end}\\n"`,
    );
  });

  it('leaks no line of a key that is cut, wherever', () => {
    for (const [, key] of KEYS) {
      const text = `x ${key}`;
      fc.assert(
        fc.property(fc.nat(text.length), (length) => {
          const shown = redacted(text.slice(0, length));
          const body = key.split('\n').slice(1, -2);
          expect(body.some((secret) => isSecret(secret) && shown.includes(secret))).toBe(false);
        }),
        { numRuns: 30 },
      );
    }
  });

  it('stops where a key without its end stops', () => {
    const key = rsa.export(pem) as string;
    const begin = key.split('\n')[0];
    const open = key.slice(0, key.indexOf('-----END'));
    expect(redacted(`${open}\nint main(void) {}\n`)).toBe(`${begin}\n[KEY]\n\nint main(void) {}\n`);
    expect(redacted(`${open}${key}`)).toBe(
      `${begin}\n[KEY]\n${begin}\n[KEY]\n${line('PRIVATE KEY', 'END')}\n`,
    );
  });

  it.each([
    ['elided', armoured('PRIVATE KEY', '...')],
    ['elided after a start', armoured('RSA PRIVATE KEY', 'MIIEpAIBAAKCAQEA04up8hoqzS1\n...')],
    ['a hint', armoured('PRIVATE KEY', '<your private key goes here>')],
    ['words', armoured('PRIVATE KEY', 'YOUR_PRIVATE_KEY')],
    ['crosses', armoured('PRIVATE KEY', 'x'.repeat(200))],
    ['nothing', armoured('PRIVATE KEY', '')],
    ['redacted', armoured('PRIVATE KEY', '[redacted: private-key]')],
    ['a public key', armoured('PUBLIC KEY', base64(300))],
    ['a certificate', armoured('CERTIFICATE', base64(900))],
    [
      'code that looks for keys',
      `if (text.startsWith('${line('PRIVATE KEY', 'BEGIN')}') && text.endsWith('${line('PRIVATE KEY', 'END')}')) {\n  return parseThePrivateKeyFromText(text);\n}\n`,
    ],
    [
      'constants far apart',
      `const BEGIN = '${line('RSA PRIVATE KEY', 'BEGIN')}';\n${'someFunctionWithLongName(anotherLongIdentifierName, 12);\n'.repeat(20)}const END = '${line('RSA PRIVATE KEY', 'END')}';\n`,
    ],
    ['a mark before code', `'${line('PRIVATE KEY', 'BEGIN')}'\nAVeryLongIdentifierThatStandsAlone\n`],
  ])('leaves what is none: %s', (_, text) => {
    expect(privateKeys(text)).toEqual([]);
  });
});
