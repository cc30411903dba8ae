import fc from 'fast-check';
import { expect, test } from 'vitest';
import { random } from './secrets.testing.ts';
import { redactSecrets, redactSpoken } from './secrets.ts';

const KEY = random(32);

test.each([
  ['password=', 'Tr0ub4dor&3xKq9', ''],
  ['the password is ', 'Kx9!vB2#qLm7', '.'],
  ['wifi password: ', 'sunflower-Boat-42', ''],
  ['Das Passwort ist ', 'Kx9vB2qLm7zz', ','],
  ['API_KEY="', KEY, '"'],
  ['export STRIPE_SECRET_KEY=', KEY, '\nnext'],
  ['"clientSecret": "', KEY, '",'],
  ['client_secret: ', KEY, ''],
  ['Authorization: Bearer ', KEY, ''],
  ['the deploy token is ', KEY, ' by the way'],
  ['my PIN is ', '4711', '.'],
  ['le mot de passe est ', 'Zk3mQ7xVb2', ''],
])('%s%s is replaced, and nothing else', async (before, secret, after) => {
  const { text, found } = await redactSpoken(`So: ${before}${secret}${after}`);
  expect(text).not.toContain(secret);
  expect(text).toBe(`So: ${before}[redacted: ${found[0]?.rule}]${after}`);
});

test.each([
  'the token is expired',
  'password is required',
  'password: string',
  'a token: each has 200 words',
  'the API key is in the vault',
  'Set API_KEY=$API_KEY first',
  'password=changeme',
  'the secret is out',
  'the secret to good tea is patience',
])('%s stays', async (text) => {
  expect(await redactSpoken(text)).toEqual({ text, found: [] });
});

test.each([
  ['stripe-key', `sk_live_${random(24)}`],
  ['gitlab-token', `glpat-${random(20)}`],
  ['huggingface-token', `hf_${random(34)}`],
  ['pypi-token', `pypi-AgEIcHlwaS5vcmc${random(80)}`],
  ['google-api-key', `AIza${random(35)}`],
  ['jwt', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${random(43)}`],
])('a %s is replaced anywhere', async (rule, key) => {
  expect((await redactSecrets(`(${key})`)).text).toBe(`([redacted: ${rule}])`);
});

test('any text is read', async () => {
  const piece = fc.oneof(
    fc.constantFrom('password', ': ', '=', ' is ', 'Bearer ', 'token', KEY, '"'),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const text = pieces.join('');
      const redacted = await redactSpoken(text);
      expect(redacted.found.length === 0).toBe(redacted.text === text);
    }),
  );
});
