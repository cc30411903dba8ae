import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, wholeLength } from '../text/wtf8.ts';
import { FactsGatherer, type TextFacts } from './facts.ts';

/** Texts with line ends, all sizes of characters, and lone surrogates. */
const anyText = fc
  .array(fc.constantFrom('a', 'bc ', '\n', '\r\n', 'é', '汉', '😀', '\ud83d', '\ude00', '\u0301', '\0'))
  .map((pieces) => pieces.join(''));

function factsOf(bytes: Uint8Array, size = bytes.length): TextFacts {
  const facts = new FactsGatherer();
  for (let at = 0; at < bytes.length; at += size) facts.write(bytes.subarray(at, at + size));
  return facts.finish();
}

describe('the facts of a text', () => {
  test('are right wherever its bytes are split', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const bytes = encodeText(text);
        const lines = text.split('\n');
        expect(factsOf(bytes, size)).toEqual({
          bytes: bytes.length,
          chars: text.length,
          lines: lines.length - (lines.at(-1) === '' ? 1 : 0),
          longestLine: Math.max(...lines.map(({ length }) => length)),
          ascii: /^[\0-\x7f]*$/.test(text),
          wtf8: !text.isWellFormed(),
          checkpoints: [],
          sha256: createHash('sha256').update(bytes).digest('hex'),
        });
      }),
    );
  });

  test('count what is not even WTF-8 as it is decoded', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 7 }), (bytes, size) => {
        const { chars, wtf8 } = factsOf(bytes, size);
        expect(chars).toBe(decodeText(bytes).length);
        expect(wtf8).toBe(!Buffer.from(decodeText(bytes)).equals(bytes));
      }),
    );
  });

  test('have a checkpoint for every MiB, between two characters', () => {
    const text = 'é汉😀\n'.repeat(400_000);
    const bytes = Buffer.from(text);
    const { checkpoints } = factsOf(bytes, 100_003);
    expect(checkpoints).toHaveLength(Math.floor(bytes.length / 1024 ** 2));
    for (const [index, [char, byte, line]] of checkpoints.entries()) {
      expect(Math.abs(byte - (index + 1) * 1024 ** 2)).toBeLessThan(100_003);
      const before = bytes.subarray(0, byte).toString();
      expect(before.length).toBe(char);
      expect(text.startsWith(before)).toBe(true);
      expect(before.split('\n').length).toBe(line);
    }
  });
});

describe('WTF-8', () => {
  test('is decoded to what it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(decodeText(encodeText(text))).toBe(text);
      }),
    );
  });

  test('is split only between characters', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, to) => {
        const bytes = encodeText(text);
        const part = bytes.subarray(0, to % (bytes.length + 1));
        const whole = wholeLength(part);
        expect(part.length - whole).toBeLessThan(4);
        expect(text.startsWith(decodeText(part.subarray(0, whole)))).toBe(true);
      }),
    );
  });
});
