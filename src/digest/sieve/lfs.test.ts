import { describe, expect, it } from 'vitest';
import { isLfsPointer } from './lfs.ts';

const oid = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`;
const read = (text: string) => isLfsPointer(Buffer.from(text));

describe('isLfsPointer', () => {
  it('gives the size of what a pointer stands for', () => {
    expect(read(pointer)).toBe(12345);
    expect(read(pointer.replaceAll('\n', '\r\n'))).toBe(12345);
    expect(read(pointer.replace('git-lfs', 'hawser'))).toBe(12345);
    expect(read(pointer.replace('oid', `ext-0-foo sha256:${oid}\next-1-bar sha256:${oid}\noid`))).toBe(12345);
    expect(read(pointer.replace('12345', '0'))).toBe(0);
  });

  it.each([
    ['nothing', ''],
    ['another version', pointer.replace('v1', 'v2')],
    ['no size', pointer.replace(/size.*\n/, '')],
    ['a short hash', pointer.replace('4d7a', '')],
    ['a size that is no number', pointer.replace('12345', 'big')],
    ['a document that shows one', `A pointer:\n${pointer}`],
    ['more lines behind', `${pointer}And so on.\n`],
    ['too long a file', pointer.replace('oid', `ext-0-${'x'.repeat(1024)}\noid`)],
  ])('is not fooled by %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});
