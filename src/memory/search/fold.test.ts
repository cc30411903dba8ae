import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fold, wordsOf } from './fold.ts';

it.each([
  ['Déjà Vu', 'deja vu'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['İstanbul', 'istanbul'],
  ['ﬁn', 'fin'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['ｆｕｌｌ', 'full'],
  ['Łódź', 'lodz'],
  ['SØREN', 'soren'],
  ['Nguyễn Đức', 'nguyen duc'],
  ['Þórður Æsir', 'thordur aesir'],
  ['œuvre', 'oeuvre'],
  ['Diyarbakır', 'diyarbakir'],
  ['Ħaż-Żebbuġ', 'haz-zebbug'],
  ['ǽ ǿ', 'ae o'],
  ['ƙwarai ɗan', 'kwarai dan'],
])('folds %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

it('finds a word whichever way its accents are written', () => {
  expect(fold('cafe\u0301')).toBe(fold('caf\u00e9'));
});

it('changes nothing that is folded', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});

it.each([
  ['port: 8080, host db.example.org', ['port', '8080', 'host', 'db', 'example', 'org']],
  ['  ', []],
  ['日本語、テスト', ['日本語', 'テスト']],
])('takes %j apart', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
