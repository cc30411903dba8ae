import { expect, test } from 'vitest';
import type { Listed, Part } from '../spool/types.ts';
import { listAsText } from './spool.ts';

const PART: Part = {
  name: '1',
  at: '',
  kind: 'text',
  path: '/s/1.txt',
  bytes: 999,
  chars: 999,
  lines: 1,
  sha256: '',
};

test('a list has a line for each result, and the total', () => {
  const results: Listed[] = [
    {
      kept: {
        handle: 'abcdefghijklmnop',
        folder: '/s',
        parts: [PART, { ...PART, name: 'structured', kind: 'json' }],
      },
      origin: { kind: 'tool', server: 'files', name: 'read' },
      at: Date.parse('2026-02-03T04:05:59Z'),
      bytes: 123_456_789,
    },
    {
      kept: {
        handle: 'ponmlkjihgfedcba',
        folder: '/s',
        parts: [{ ...PART, kind: 'media', mimeType: 'image/png' }],
      },
      origin: { kind: 'resource', name: 'file:///a\n\x1b[2J' },
      at: Date.parse('2026-02-03T04:05:59Z'),
      bytes: 1000,
    },
  ];
  expect(listAsText(results, 1024 ** 3)).toBe(`handle            kept (UTC)              size  result
abcdefghijklmnop  2026-02-03 04:05    123.5 MB  tool read of files: 1 (text, 999 B), structured (json, 999 B)
ponmlkjihgfedcba  2026-02-03 04:05      1.0 KB  resource file:///a␊␛[2J: 1 (image/png, 999 B)
2 results, 123.5 MB of at most 1.1 GB
`);
});

test('an empty list says so', () => {
  expect(listAsText([], 1000)).toBe('The spool is empty.\n');
});
