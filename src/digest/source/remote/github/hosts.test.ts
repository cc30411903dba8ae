import { expect, test } from 'vitest';
import { apiOf, GITHUB_API, originOf } from './hosts.ts';

test.each([
  [GITHUB_API, undefined],
  ['https://ghe.example/api/v3', 'https://ghe.example'],
  ['http://127.0.0.1:8080/api/v3', 'http://127.0.0.1:8080'],
  ['https://example.com/github/api/v3', 'https://example.com/github'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
  ['https://other.example:8443', 'https://other.example:8443'],
])('the API at %s is of %s', (api, origin) => {
  expect(originOf(api)).toBe(origin);
});

test.each([
  ['github.com', GITHUB_API, GITHUB_API],
  ['github.com', 'http://127.0.0.1:8080/github', 'http://127.0.0.1:8080/github'],
  ['ghe.example', 'https://ghe.example/api/v3', 'https://ghe.example/api/v3'],
  ['octo.ghe.com', 'https://api.octo.ghe.com', 'https://api.octo.ghe.com'],
  ['github.com', 'https://ghe.example/api/v3', GITHUB_API],
])('%s is asked, where %s is set, at %s', (host, configured, api) => {
  expect(apiOf(host, configured)).toBe(api);
});
