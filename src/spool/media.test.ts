import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../digest/source/fixture.ts';
import { type Decoded, decodeFile, extensionOf } from './media.ts';

async function decode(base64: string): Promise<Decoded & { readonly content: Buffer }> {
  const folder = tempFolder();
  writeFileSync(join(folder, 'text'), base64);
  const decoded = await decodeFile(join(folder, 'text'), join(folder, 'bytes'));
  return { ...decoded, content: readFileSync(join(folder, 'bytes')) };
}

test('base64 is decoded to its bytes, whatever its length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      expect(await decode(Buffer.from(bytes).toString('base64'))).toEqual({
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        isExact: true,
        content: Buffer.from(bytes),
      });
    }),
    { numRuns: 30 },
  );
});

test('much of it is, also with line ends wherever', async () => {
  const bytes = randomBytes(300_001);
  const base64 = bytes.toString('base64');
  const wrapped = base64.replace(/.{76}/g, '$&\r\n');
  for (const [text, isExact] of [
    [base64, true],
    [wrapped, false],
  ] as const) {
    const decoded = await decode(text);
    expect([decoded.isExact, decoded.content.equals(bytes)]).toEqual([isExact, true]);
  }
});

test.each(['QQ', 'QR==', 'QQ==\n', 'Q_-=', 'QQ==QQ==', '!'])(
  '%j is not what its bytes are as base64',
  async (base64) => {
    expect(await decode(base64)).toMatchObject({ isExact: false });
  },
);

test.each([
  ['media', 'image/png', 'png'],
  ['media', 'IMAGE/JPEG; quality=1', 'jpg'],
  ['media', 'application/x-unheard-of', 'bin'],
  ['media', '__proto__', 'bin'],
  ['media', '../../etc', 'bin'],
  ['media', undefined, 'bin'],
  ['text', 'text/csv', 'csv'],
  ['text', 'image/png', 'txt'],
  ['text', undefined, 'txt'],
  ['json', 'text/csv', 'json'],
] as const)('a file of %s as %s ends in .%s', (kind, mimeType, extension) => {
  expect(extensionOf(kind, mimeType)).toBe(extension);
});
