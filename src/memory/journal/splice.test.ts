import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spliceBetween, spliced } from './splice.ts';

test('a splice leads from one text to the other, and holds whole characters', () => {
  const character = fc.constantFrom('a', 'b', 'é', 'è', '漢', '漣', '😀', '😁', '\n', 'x'.repeat(5000));
  const text = fc.array(character, { maxLength: 6 }).map((characters) => Buffer.from(characters.join('')));
  fc.assert(
    fc.property(text, text, text, text, (before, one, other, after) => {
      const [from, to] = [Buffer.concat([before, one, after]), Buffer.concat([before, other, after])];
      const splice = spliceBetween(from, to);
      expect(spliced(from, splice).equals(to)).toBe(true);
      expect(splice.text).not.toContain('\ufffd');
      expect(splice.length).toBeLessThanOrEqual(one.length);
    }),
    { numRuns: 500 },
  );
});

test('a splice is no more than what differs', () => {
  expect(spliceBetween(Buffer.from('{"a":1,"b":2}'), Buffer.from('{"a":1,"x":0,"b":2}'))).toEqual({
    at: 8,
    length: 0,
    text: 'x":0,"',
  });
});
