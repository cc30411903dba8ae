import { expect, test } from 'vitest';
import { schemaViolation } from './github-schema.ts';

const REFS = '/repos/{owner}/{repo}/git/matching-refs/{ref}';
const REF = {
  ref: 'refs/heads/main',
  node_id: 'x',
  url: 'https://api.github.com/repos/o/r/git/refs/heads/main',
  object: { type: 'commit', sha: 'a'.repeat(40), url: 'https://api.github.com/x' },
};

test('a good answer is no violation', () => {
  expect(schemaViolation(REFS, 200, [REF])).toBeUndefined();
});

test('what is missing, of another type or malformed is named', () => {
  const { url: _, ...without } = REF;
  expect(schemaViolation(REFS, 200, [without])).toBe(
    `GET ${REFS} 200: body/0 must have required property 'url'`,
  );
  expect(schemaViolation(REFS, 200, [{ ...REF, ref: null }])).toContain('body/0/ref must be string');
  expect(schemaViolation(REFS, 200, [{ ...REF, url: 'no url' }])).toContain('must match format "uri"');
});

test('null is allowed where the description says nullable, and only there', () => {
  const blob = {
    sha: 'x',
    url: 'https://x.example/',
    node_id: 'x',
    size: null,
    content: '',
    encoding: 'none',
  };
  const path = '/repos/{owner}/{repo}/git/blobs/{file_sha}';
  expect(schemaViolation(path, 200, blob)).toBeUndefined();
  expect(schemaViolation(path, 200, { ...blob, content: null })).toContain('body/content must be string');
});

test('errors have a form of their own, also where the description has no such status', () => {
  expect(schemaViolation(REFS, 429, { message: 'Wait' })).toBeUndefined();
  expect(schemaViolation(REFS, 429, { message: 1 })).toContain('body/message must be string');
  expect(schemaViolation('/none', 404, [])).toContain('body must be object');
});

test('a good answer that the description does not have is a violation', () => {
  expect(schemaViolation('/none', 200, {})).toBe('GET /none 200: the description has no such answer');
});
