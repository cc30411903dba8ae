import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExistingKey, parseKey, writeKey } from './keys.ts';

test.each([
  ['name', ['name']],
  ['people.maria.role', ['people', 'maria', 'role']],
  ['versions.v1\\.2', ['versions', 'v1.2']],
  ['a\\\\.b', ['a\\', 'b']],
  ['C:\\Users', ['C:\\Users']],
  ['a\\', ['a\\']],
  ['a b.漢字.😀', ['a b', '漢字', '😀']],
  ['nul.toString.hasOwnProperty', ['nul', 'toString', 'hasOwnProperty']],
])('%j is the path %j', (text, segments) => {
  expect(parseKey(text)).toEqual(segments);
});

test.each([
  ['', 'a key must not be empty'],
  ['  ', 'a key must not be empty'],
  ['a..b', 'no segment between two dots may be empty'],
  ['.a', 'no segment between two dots may be empty'],
  ['a.', 'no segment between two dots may be empty'],
  ['a\nb', 'characters that nobody can see'],
  ['a.\u001b[31m', 'characters that nobody can see'],
  ['a.\u202egnp', 'characters that nobody can see'],
  ['a.\ud800', 'characters that nobody can see'],
  ['\u3164', 'characters that nobody can see'],
  ['a.\u200b', 'characters that nobody can see'],
  ['__proto__\u200b', 'characters that nobody can see'],
  ['__proto__', '"__proto__" is a name'],
  ['a.prototype.b', '"prototype" is a name'],
  ['a.constructor', '"constructor" is a name'],
  ['a'.repeat(257), 'a segment may have 256'],
  [`${'abc.'.repeat(32)}d`, 'a key may have 32'],
  ['a'.repeat(1025), 'it has 1025 characters, and a key may have 1024'],
])('%j is refused: %s', (text, reason) => {
  expect(() => parseKey(text)).toThrow(expect.objectContaining({ code: 'BAD_KEY' }));
  expect(() => parseKey(text)).toThrow(reason);
});

test.each([
  ['a\u200bb', '"a<U+200B>b"'],
  ['__proto__\u200d', '"__proto__<U+200D>"'],
  ['a.\u3164', '"a.<U+3164>"'],
  ['\u2800', '"<U+2800>"'],
  ['\u{1f469}\u200d\u{1f4bb}\u00ad', '"\u{1f469}\u200d\u{1f4bb}<U+00AD>"'],
  ['a\u202eb', '"a<U+202E>b"'],
])('of a key that is refused, %j, what nobody can see is shown', (text, shown) => {
  expect(() => parseKey(text)).toThrow(`${shown} can't be a key`);
});

test('a refusal is one short line, whatever the key is', () => {
  const refusal = (text: string) => {
    try {
      parseKey(text);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal('x'.repeat(5_000_000)).length).toBeLessThan(200);
  expect(refusal('\u001b[2J\n\u202e')).toMatch(/^[\x20-\uffff]*$/);
  expect(refusal('\u001b[2J\n\u202e')).not.toContain('\u202e');
});

test('the longest keys there may be are taken', () => {
  const segments = Array.from({ length: 32 }, (_, at) => `segment number ${at}`);
  expect(parseKey(writeKey(segments))).toEqual(segments);
  expect(parseKey('a'.repeat(256))).toEqual(['a'.repeat(256)]);
});

test('a key is as long as its names with the dots between them, however it is written', () => {
  const dotted = Array(500).fill('a').join('.');
  expect(parseExistingKey(writeKey([dotted]))).toEqual([dotted]);
  const segments = Array<string>(4).fill('\\a'.repeat(127));
  expect(parseKey(segments.join('.'))).toHaveLength(4);
  expect(parseKey(writeKey(segments))).toEqual(segments);
  expect(() => parseKey(`${writeKey(segments)}.aaaaaa`)).toThrow('it has 1026 characters');
});

test('keys that a file may hold all the same can be named', () => {
  expect(parseExistingKey('a..__proto__')).toEqual(['a', '', '__proto__']);
  expect(() => parseExistingKey('.'.repeat(1025))).toThrow('a key may have 1024');
});

test('a key that is written leads to the same path', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', '.', '\\', ' ', 'é', '😀') });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      expect(parseExistingKey(writeKey(segments))).toEqual(segments);
    }),
  );
});
