import { expect, test } from 'vitest';
import { masked, secretsIn } from './mask.ts';

const SECRETS = secretsIn([
  {
    command: 'npx',
    args: [
      '-y',
      'srv',
      '--api-key=k3y',
      '--token',
      't0k',
      '--header',
      'Authorization: Bearer b34',
      '--port',
      '80',
    ],
    env: { DEBUG: '1', PASS: 'p"w' },
  },
  { url: 'https://x/mcp?key=q', headers: { A: 'h34d' } },
  { command: 'plimsoll', args: ['--header-env', 'Authorization=PLIMSOLL_HEADER_1', '--url', 'http://x/mcp'] },
  { url: 'http://y/mcp', http_headers: { B: 'l1t' } },
]);

test.each([
  ['      "DEBUG": "1",', '      "DEBUG": "***",'],
  ['"PASS": "p\\"w"', '"PASS": "***"'],
  [' "url": "https://x/mcp?key=q"', ' "url": "***"'],
  ["B = 'l1t'", "B = '***'"],
  ['+["--api-key=k3y", "--token", "t0k"]', '+["--api-key=***", "--token", "***"]'],
  ['"--header", "Authorization: Bearer b34"', '"--header", "Authorization: ***"'],
  ['"userApiKey": "x", "other": "y"', '"userApiKey": "***", "other": "y"'],
  ["aws_secret_access_key = 'x'", "aws_secret_access_key = '***'"],
])('%s is shown as %s', (line, shown) => {
  expect(masked(line, SECRETS)).toBe(shown);
});

test.each([
  ' "args": ["-y", "srv", "--port", "80"]',
  '"--header-env", "Authorization=PLIMSOLL_HEADER_1"',
  '"--url", "http://x/mcp"',
  '"command": "npx"',
])('%s is shown as it is', (line) => {
  expect(masked(line, SECRETS)).toBe(line);
});
