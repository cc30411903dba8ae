import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixThatMatches } from './pattern-size.ts';

describe('how long a prefix surely matches', () => {
  it.each([
    ['^[0-9]{4}-[0-9]{2}$', 7],
    ['^(?:cat|horse)$', 5],
    ['^[a-f0-9]{40}$', 40],
    ['^#?[a-f]{3,6}$', 7],
    ['^[a-z]+$', 1],
    ['^\\d*$', 0],
    ['^v\\d{2,}$', 3],
    ['^https://', 8],
    ['^https://.*$', 8],
    ['^(?<year>\\d{4}) \\/ \\.$', 8],
    ['^\\p{L}$', 2],
    ['^.?$', 2],
    ['^$', 0],
  ])('%s: %d', (pattern, length) => {
    expect(prefixThatMatches(pattern)).toBe(length);
  });

  it.each([
    '[a-z]',
    'end$',
    '^a+b$',
    '^(ab)+$',
    '^a*[ab]+c$',
    '^a$|b',
    '^(?=a)a',
    '^(a)\\1$',
    '^a\\b$',
    '^(a+|b)$',
    '^[a-z]+x?$',
    '^(a$|b)',
    '^(',
  ])('%s: none that is told', (pattern) => {
    expect(prefixThatMatches(pattern)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is right for texts that match', () => {
    const patterns = ['^[a-c]{2,}$', '^ab?c+', '^(a|bc){1,2}', '^a.*$', '^x{0,3}[^x]*$', '^a{2}b?', '^a+?$'];
    fc.assert(
      fc.property(
        fc.constantFrom(...patterns),
        fc.string({ unit: fc.constantFrom(...'abcx') }),
        (pattern, text) => {
          const regExp = new RegExp(pattern, 'u');
          const length = prefixThatMatches(pattern);
          fc.pre(Number.isFinite(length) && regExp.test(text));
          for (let end = length; end <= text.length; end++)
            expect(regExp.test(text.slice(0, end))).toBe(true);
        },
      ),
    );
  });
});
