import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { Patterns } from './pattern.ts';

const patterns = new Patterns(RE2JS);

describe('a pattern', () => {
  it('matches as ECMA-262 says', () => {
    const sources = [
      '^\\s+$',
      '\\S',
      '^.$',
      '[\\s\\d]',
      '^[^\\s]$',
      '\\bcat\\b',
      '\\u00e9',
      '\\w',
      '^[.]$',
      '^\\.$',
    ];
    const char = fc.constantFrom('a', '1', ' ', '\v', '\u00a0', '\u2028', '\n', '\r', '.', 'cat', 'é', '😀');
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.array(char, { maxLength: 3 }), (source, chars) => {
        const text = chars.join('');
        expect(patterns.compile(source).matches(text)).toBe(new RegExp(source, 'u').test(text));
      }),
    );
  });

  it('takes no time that grows faster than the text', () => {
    const started = performance.now();
    expect(patterns.compile('^(a+)+$').matches(`${'a'.repeat(50_000)}b`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each(['(?=a)a', '(a)\\1', '(?<!b)a', '^.{0,2000}$', '[\\S\\n]'])('%s is left unmatched', (source) => {
    expect(patterns.compile(source).matches('a')).toBeUndefined();
  });

  it('refuses what is no pattern', () => {
    expect(() => patterns.compile('(')).toThrow(SyntaxError);
    expect(() => patterns.compile('\\Q')).toThrow(SyntaxError);
  });
});
