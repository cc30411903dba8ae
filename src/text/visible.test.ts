import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleJson, visibleName } from './visible.ts';

const units = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.integer({ min: 0, max: 0xa0 }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom(
      '\r\n',
      '\r',
      '\u202e',
      '\u2066',
      '\ufe0f',
      '\u{e0041}',
      '\u{e0100}',
      '🏴',
      '\ud83d',
      '\udc80',
    ),
  ),
);
const anyText = units.map((parts) => parts.join(''));

describe('visible', () => {
  it.each([
    ['an ANSI escape', '\x1b[31mred\x1b[0m', '␛[31mred␛[0m'],
    ['NUL, BEL, backspace', 'a\0b\x07c\bd', 'a␀b␇c␈d'],
    ['DEL', 'a\x7f', 'a␡'],
    ['a CR that rewrites its line', 'good\rbad', 'good␍bad'],
    ['a C1 control', 'a\u0085b\u009bc', 'a<U+0085>b<U+009B>c'],
    ['a bidirectional override', '\u202egnp.exe\u202c', '<U+202E>gnp.exe<U+202C>'],
    ['isolates and marks', '\u2066a\u2069\u200e\u200f\u061c', '<U+2066>a<U+2069><U+200E><U+200F><U+061C>'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a<U+2028>b<U+2029>'],
    ['deprecated format characters', 'a\u206ab\ufff9c', 'a<U+206A>b<U+FFF9>c'],
    ['tag characters', 'hi\u{e0001}\u{e0041}', 'hi<U+E0001><U+E0041>'],
    ['lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['variation selectors in a row', 'a\ufe01\ufe02\u{e0101}', 'a\ufe01<U+FE02><U+E0101>'],
    ['tags after a flag that end no flag', '🏴\u{e0067}\u{e0062}', '🏴<U+E0067><U+E0062>'],
  ])('shows %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    ['tabs, newlines, CRLF', 'a\tb\nc\r\nd\r\n'],
    ['emoji', '👩‍👩‍👧 ❤️ 👍🏽 🇩🇪 1️⃣'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['scripts', 'نامه‌ای हिन्दी ไทย\u200bไทย עברית 葛\u{e0100}'],
    ['soft hyphens and the replacement character', 'Do\u00adnau \ufffd'],
  ])('leaves %s', (_, text) => {
    expect(visible(text)).toBe(text);
  });

  it('lets nothing deceptive through, changes nothing twice and nothing else', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(/(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]|\r(?!\n)/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(visible(shown)).toBe(shown);
      }),
    );
    const harmless = fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Zl}\p{Zp}]/u.test(text));
    fc.assert(fc.property(harmless, (text) => visible(text) === text));
  });
});

describe('visibleName', () => {
  it('keeps a name on one line', () => {
    expect(visibleName('a\nb\tc\rd\r\ne')).toBe('a␊b␉c␍d␍␊e');
    expect(visibleName('src/\u202efdp.exe')).toBe('src/<U+202E>fdp.exe');
  });

  it('shows the bytes of names that are not UTF-8', () => {
    expect(visibleName('caf\udce9/\udcff\udc80x')).toBe('caf\\xe9/\\xff\\x80x');
    expect(visibleName('🎉\udc80\ud83d')).toBe('🎉\\x80\ufffd');
  });

  it('leaves a usual name', () => {
    expect(visibleName('src/größe/日本 (1).ts')).toBe('src/größe/日本 (1).ts');
  });

  it('is one safe line, however odd the name', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const shown = visibleName(name);
        expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(visibleName(shown)).toBe(shown);
      }),
    );
  });
});

it('JSON stands for the same value when it is made visible, and shows everything', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = JSON.stringify(value, null, 2).toWellFormed();
      expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json));
      expect(visible(visibleJson(json))).toBe(visibleJson(json));
    }),
  );
  expect(visibleJson('{\r"a":\r\n"\u202e\u{e0041}é"}')).toBe('{\n"a":\r\n"\\u202e\\udb40\\udc41é"}');
});
