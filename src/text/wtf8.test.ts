import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText, wholeLength } from './wtf8.ts';

test('a well-formed text is its UTF-8; a lone surrogate takes three bytes', () => {
  expect(encodeText('aé漢😀').toString()).toBe('aé漢😀');
  expect([...encodeText('\ud83da\ude00\ud83d')]).toEqual([
    ...[0xed, 0xa0, 0xbd, 0x61, 0xed, 0xb8, 0x80, 0xed, 0xa0, 0xbd],
  ]);
  const unit = fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00');
  const property = fc.property(fc.string({ unit }), (text) => {
    const expected = [...text].map((point) => {
      const code = point.codePointAt(0) as number;
      const isLone = code >= 0xd800 && code <= 0xdfff;
      return isLone
        ? Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
        : Buffer.from(point);
    });
    expect(encodeText(text)).toEqual(Buffer.concat(expected));
  });
  fc.assert(property);
});

test('bytes up to a character that is not finished are whole', () => {
  const property = fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
    const bytes = encodeText(text);
    const cut = at % (bytes.length + 1);
    const whole = wholeLength(bytes.subarray(0, cut));
    expect(bytes.toString('utf8', 0, whole) + bytes.toString('utf8', whole)).toBe(bytes.toString());
    expect(cut - whole).toBeLessThanOrEqual(3);
  });
  fc.assert(property);
  expect(wholeLength(Buffer.from('a😀').subarray(0, 4))).toBe(1);
  expect(wholeLength(Buffer.from('aé'))).toBe(3);
});
