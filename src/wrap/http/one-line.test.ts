import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from './one-line.ts';

test('JSON in several lines says the same on one', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('\n', '\r\n', '\r'), (json, end) => {
      const pretty = JSON.stringify(JSON.parse(json), null, 2).replaceAll('\n', end);
      const line = oneLine(Buffer.from(pretty)).toString();
      expect(line).not.toMatch(/[\r\n]/);
      expect(JSON.parse(line)).toEqual(JSON.parse(json));
    }),
  );
});
