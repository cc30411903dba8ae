import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { BASE64, HEX, random, UPPER } from './secrets.testing.ts';
import { tokens } from './tokens.ts';

async function redacted(text: string): Promise<string> {
  let result = text;
  for (const { start, end, rule } of (await tokens(text)).toSorted((a, b) => b.start - a.start)) {
    result = `${result.slice(0, start)}[${rule}]${result.slice(end)}`;
  }
  return result;
}

const base64Json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

const SECRETS: readonly [rule: string, before: string, secret: string, after: string][] = [
  ['aws-access-key-id', 'aws_access_key_id = ', `AKIA${random(16, UPPER)}`, '\nregion = eu'],
  ['aws-access-key-id', 'id: "', `ASIA${random(16, UPPER)}`, '"'],
  ['aws-secret-access-key', 'aws_secret_access_key = "', random(40, BASE64), '"\nregion = eu'],
  ['aws-secret-access-key', 'AWS_SECRET_ACCESS_KEY=', random(40, BASE64, 'b'), '\n'],
  ['aws-secret-access-key', '{"SecretAccessKey": "', random(40, BASE64, 'c'), '"}'],
  ['github-token', 'token: ', `ghp_${random(36)}`, ' # example'],
  ['github-token', "t='", `ghs_${random(36)}`, "'"],
  ['github-token', 'GITHUB_TOKEN=', `github_pat_${random(82)}`, '\n'],
  ['npm-token', 'NPM_TOKEN=', `npm_${random(36)}`, '\n'],
  ['npm-token', '//registry.corp.net/:_authToken=', random(36, HEX), '\nalways-auth=true'],
  ['npm-token', 'RUN echo "//r.example/:_authToken=', random(36, HEX, 'd'), '" > .npmrc'],
  [
    'slack-token',
    'SLACK=',
    `xoxb-${random(12, '2345678901')}-${random(13, '2345678901')}-${random(24)}`,
    ';',
  ],
  ['slack-token', '"', `xapp-1-${random(11, UPPER)}-${random(13, '23456789')}-${random(64, HEX)}`, '"'],
  [
    'slack-webhook',
    'url: https://hooks.slack.com/services/',
    `T${random(8, UPPER)}/B${random(10, UPPER)}/${random(24)}`,
    ' # to #general',
  ],
  [
    'slack-webhook',
    'HTTPS://HOOKS.SLACK.COM/SERVICES/',
    `T${random(8, UPPER)}/B${random(10, UPPER)}/${random(24)}`,
    '"',
  ],
  ['sendgrid-key', 'key=', `SG.${random(22)}.${random(43)}`, '\n'],
  ['shopify-token', '"', `shpat_${random(32, HEX)}`, '",'],
  ['shopify-token', "'", `shpss_${random(38)}`, "'"],
  ['openai-key', 'OPENAI_API_KEY=', `sk-${random(20)}T3BlbkFJ${random(20)}`, '\n'],
  ['openai-key', 'OPENAI_API_KEY="', `sk-proj-${random(74)}T3BlbkFJ${random(74)}`, '"'],
  ['anthropic-key', 'x-api-key: ', `sk-ant-api03-${random(93)}AA`, '\n'],
  ['linear-token', 'Authorization: ', `lin_api_${random(40)}`, '\n'],
  [
    '1password-token',
    'OP_SERVICE_ACCOUNT_TOKEN=',
    `ops_${base64Json({ email: `${random(20)}@example.lcl`, secretKey: random(40), muk: { kty: 'oct', k: random(43) } })}`,
    '\n',
  ],
];

describe('tokens', () => {
  it.each(SECRETS)('finds exactly the secret: %s after %j', async (rule, before, secret, after) => {
    expect(await redacted(`${before}${secret}${after}`)).toBe(`${before}[${rule}]${after}`);
    const embedded = `line\nline ${before}${secret}${after} rest\r\nline`;
    expect(await redacted(embedded)).toBe(`line\nline ${before}[${rule}]${after} rest\r\nline`);
  });

  it('finds all of many', async () => {
    const text = SECRETS.map(([, before, secret, after]) => `${before}${secret}${after}\n`).join('');
    const shown = await redacted(text);
    for (const [, , secret] of SECRETS) {
      expect(shown).not.toContain(secret);
    }
    expect(await tokens(text)).toHaveLength(SECRETS.length);
  });

  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    'ASIAI44QH8DHBEXAMPLE',
    'AKIAXXXXXXXXXXXXXXXX',
    'AKIA1234567890ABCDEF',
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'aws_secret_access_key = je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY',
    `aws_secret_access_key = ${'x'.repeat(40)}`,
    'account_id: 123456789012',
    `ghp_${'x'.repeat(36)}`,
    `ghp_${'0123456789'.repeat(4).slice(0, 36)}`,
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    `github_pat_${'A'.repeat(82)}`,
    'npm_your_own_token_goes_here_xxxxxxxxxxxxxxx',
    `//registry.corp.net/:_authToken=\${NPM_TOKEN}`,
    `//registry.corp.net/:_authToken="\${NPM_TOKEN}"`,
    '//registry.corp.net/:_authToken=<token>',
    '//registry.corp.net/:_authToken=your-token-here',
    '//registry.corp.net/:_authToken=%s',
    '//registry.corp.net/:_authToken={{ npm_token }}',
    '//registry.corp.net/:_authToken=" + token',
    '//registry.corp.net/:_authToken=00000000-0000-0000-0000-000000000000',
    '//registry.corp.net/:_authToken=***',
    '//registry.corp.net/:_authToken=[redacted: npm-token]',
    'xoxb-your-token',
    'xoxb-not-a-real-token',
    'xapp-my-app',
    `xoxb-123456789012-1234567890123-${'x'.repeat(24)}`,
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    `sk-${'a1b2c3d4e5f6g7h8i9j0'}T3BlbkFJ${'a1b2c3d4e5f6g7h8i9j0'}`,
    `sk-ant-api03-${'A'.repeat(93)}AA`,
  ])('leaves %s', async (text) => {
    expect(await tokens(`before ${text}\nafter`)).toEqual([]);
  });

  it('finds two npm tokens in one line', async () => {
    const [a, b] = [random(36, HEX, 'a'), random(36, HEX, 'b')];
    expect(
      await redacted(`npm config set //a.net/:_authToken=${a}&&npm set //b.net/:_authToken=${b} -g`),
    ).toBe('npm config set //a.net/:_authToken=[npm-token]&&npm set //b.net/:_authToken=[npm-token] -g');
  });

  it('judges by the value, not by its neighbours', async () => {
    const secret = `ghp_${random(36)}`;
    expect(await redacted(`# an example, not a secret: ${secret} placeholder`)).not.toContain(secret);
  });

  it('cannot be turned off by the text', async () => {
    const secret = `ghp_${random(36)}`;
    expect(await redacted(`// secretlint-disable\n${secret} // secretlint-disable-line`)).not.toContain(
      secret,
    );
  });

  it('knows every rule of the preset', async () => {
    // What MAY_MATCH and the names are written for: look at the rules' patterns before changing this.
    const preset = createRequire(import.meta.url)(
      '@secretlint/secretlint-rule-preset-recommend/package.json',
    );
    expect(preset.version).toBe('11.7.1');
    const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
    expect(rules.map((rule) => rule.meta.id.replace('@secretlint/secretlint-rule-', '')).sort()).toEqual([
      '1password',
      'anthropic',
      'aws',
      'basicauth',
      'database-connection-string',
      'filter-comments',
      'gcp',
      'github',
      'linear',
      'npm',
      'openai',
      'privatekey',
      'sendgrid',
      'shopify',
      'slack',
    ]);
  });
});
