import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteString, decodeName, encodeName, isRawName } from './names.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const trickyBytes = fc
  .array(
    fc.constantFrom(
      0x41,
      0x80,
      0xbf,
      0xc2,
      0xa9,
      0xe0,
      0xa0,
      0xed,
      0x9f,
      0xb2,
      0xef,
      0xbf,
      0xbd,
      0xf0,
      0x90,
      0x9f,
      0xf4,
      0x8f,
    ),
  )
  .map((array) => Buffer.from(array));

test('every name comes back byte for byte', () => {
  fc.assert(fc.property(fc.oneof(bytes, trickyBytes), (name) => encodeName(decodeName(name)).equals(name)));
});

test('UTF-8 names are read as what they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(decodeName(Buffer.from(name))).toBe(name);
      expect(isRawName(name)).toBe(false);
    }),
  );
});

test.each([
  ['caf\xe9', 'caf\udce9'],
  ['\xed\xb2\x80', '\udced\udcb2\udc80'],
  ['\xf0\x9f\x98\x80\x80', '😀\udc80'],
  ['\xef\xbf\xbd\xff', '\ufffd\udcff'],
  ['\xc0\xaf', '\udcc0\udcaf'],
  ['\xe2\x82', '\udce2\udc82'],
  ['\xef\xbb\xbfa', '\ufeffa'],
])('bytes %j that are not UTF-8 stand as lone surrogates', (raw, name) => {
  expect(decodeName(Buffer.from(raw, 'latin1'))).toBe(name);
});

test('a name is raw where it has bytes that are not UTF-8', () => {
  expect(isRawName('a\udce9')).toBe(true);
  expect(isRawName('a😀')).toBe(false);
});

test('a byte string has one character a byte', () => {
  expect(byteString('é\udcff')).toBe('\xc3\xa9\xff');
  expect(byteString('plain')).toBe('plain');
});
