import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { isBinary, likelyBinary } from './binary.ts';

describe('likelyBinary', () => {
  it.each([
    'logo.png',
    'a/b/FONT.WOFF2',
    'dist/app.wasm',
    'x.tar.gz',
    'lib.so',
    'db.sqlite3',
    'bun.lockb',
    'demo.mp4',
  ])('takes %s for binary', (path) => {
    expect(likelyBinary(path)).toBe(true);
  });

  it.each([
    'main.ts',
    'logo.svg',
    'graph.dot',
    'board.dts',
    'schema.fbs',
    'pot/messages.pot',
    'id_rsa.key',
    'tests/__snapshots__/a.snap',
    'model.mo',
    'png',
    'a.png/readme',
    '.png.txt',
    'Makefile',
  ])('takes %s for text', (path) => {
    expect(likelyBinary(path)).toBe(false);
  });
});

describe('isBinary', () => {
  it('finds a NUL in the first 8,000 bytes, as git does', () => {
    expect(isBinary(Buffer.from('text\0text'))).toBe(true);
    expect(isBinary(Buffer.concat([Buffer.alloc(7_999, 'a'), Buffer.from([0])]))).toBe(true);
    expect(isBinary(Buffer.concat([Buffer.alloc(8_000, 'a'), Buffer.from([0])]))).toBe(false);
  });

  it.each([
    ['PDF', Buffer.from('%PDF-1.7\n%abcd\n1 0 obj')],
    ['PNG', Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')],
    ['ZIP', Buffer.from('PK\x03\x04 rest', 'latin1')],
    ['gzip', gzipSync('hello')],
    ['a font', Buffer.from('wOF2 rest')],
    ['a static library', Buffer.from('!<arch>\nfoo.o/')],
    [
      'compressed bytes',
      withoutNuls(deflateRawSync(Buffer.from(Array.from({ length: 5_000 }, (_, i) => `${i * i}`).join()))),
    ],
  ])('knows %s without a NUL', (_, bytes) => {
    expect(bytes.includes(0) && !bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))).toBe(false);
    expect(isBinary(bytes)).toBe(true);
  });

  it.each([
    ['ISO-8859-1', 'Ein Text für größere Häuser, à la carte.\n'],
    ['windows-1252', '“Typographic” – text…\n'],
    ['Shift_JIS', '日本語のソースコード、コメント。ソ表能\n'],
    ['EUC-JP', '日本語のソースコード\n'],
    ['EUC-KR', '한국어 소스 코드\n'],
    ['GBK', '中文源代码注释\n'],
    ['GB18030', '中文源代码注释 㐂\n'],
    ['Big5', '中文原始碼註解，功能許蓋\n'],
    ['KOI8-R', 'Русский текст\n'],
    ['UTF-8', 'ünïcode 日本語 🎉\n'],
    ['UTF-16LE', '\ufeff中文 and some text\n'],
    ['UTF-16BE', '\ufeff中文 and some text\n'],
    ['UTF-32LE', '\ufefftext\n'],
    ['UTF-32BE', '\ufefftext\n'],
  ])('takes %s for text', (encoding, text) => {
    expect(isBinary(iconv.encode(text.repeat(300), encoding))).toBe(false);
    expect(isBinary(iconv.encode(text, encoding))).toBe(false);
  });

  it('takes UTF-16 without a mark for text where it is plainly so', () => {
    const text = 'class Foo {\r\n\tint Größe = 1; // 长度\r\n}\r\n';
    expect(isBinary(Buffer.from(text, 'utf16le'))).toBe(false);
    expect(isBinary(Buffer.from(text, 'utf16le').swap16())).toBe(false);
    expect(isBinary(Buffer.from(text.repeat(1_000), 'utf16le'))).toBe(false);
  });

  it('does not take numbers of 16 bits for UTF-16', () => {
    expect(isBinary(Buffer.from(new Uint16Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer))).toBe(true);
    expect(isBinary(Buffer.from(new Uint32Array([65, 66, 67, 68]).buffer))).toBe(true);
    expect(isBinary(Buffer.from('a\0'))).toBe(true);
    expect(
      isBinary(Buffer.concat([Buffer.from('text '.repeat(300), 'utf16le'), Buffer.from([0, 0, 1, 0])])),
    ).toBe(true);
  });

  it('keeps text with escapes, overstrikes, form feeds and separators', () => {
    expect(isBinary(Buffer.from('\x1b[1mbold\x1b[0m\n'.repeat(99)))).toBe(false);
    expect(isBinary(Buffer.from('N\bNA\bAM\bME\bE\f\n'))).toBe(false);
    expect(isBinary(Buffer.from('1\x012\x013\x014\n'))).toBe(false);
    expect(isBinary(Buffer.from('DOS text\r\n\x1a'))).toBe(false);
    expect(isBinary(Buffer.alloc(0))).toBe(false);
  });

  it('takes any printable text for text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
        const printable = text.replace(/\p{Cc}/gu, '');
        fc.pre(!/^(%PDF-|GIF8|!<arch>|OggS|fLaC|wOF|PK|7z|Rar!)/.test(printable));
        expect(isBinary(Buffer.from(printable))).toBe(false);
      }),
    );
  });
});

function withoutNuls(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0));
}
