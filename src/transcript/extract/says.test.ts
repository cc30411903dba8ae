import fc from 'fast-check';
import { expect, test } from 'vitest';
import { says } from './says.ts';

const TIME = '2026-10-05T08:00:00.000Z';

test.each([
  ['The Otter is painted red.', 'red'],
  ['Please keep answers short.', 'short answers'],
  ['The budget is 48,000 euros.', '48000 euros'],
  ['Wir veröffentlichen die Karte monatlich.', 'Karte MONATLICH veröffentlichen'],
  ['会議は毎週木曜日の十時からです。', '毎週木曜日 十時'],
  ['The release is on 3 November 2026.', '2026-11-03'],
  ['My dentist appointment is tomorrow at nine.', '2026-10-06'],
  ['The gauge was mended today.', '2026-10-05'],
  ['C’est réparé depuis aujourd’hui.', '2026-10-05'],
  ['It is ✓.', '✓'],
  ['Use port 8080.', '8080'],
  ['The room holds thirty people.', '30'],
  ['It takes twenty-five minutes.', '25 minutes'],
  ['Wir treffen uns um fünf Uhr.', '5 Uhr'],
])('%j says %j', (text, value) => {
  expect(says({ text, time: TIME }, value)).toBe(true);
});

test.each([
  ['Der Pegel in Husum ist ausgefallen.', 'Rust'],
  ['We are moving to Ghent.', 'Belgium'],
  ['Use port 8080.', '80'],
  ['It takes twenty-five minutes.', '5 minutes'],
  ['It takes twenty-five minutes.', '20'],
  ['One more thing: it often fails.', '1'],
  ['It often fails.', '10'],
  ['Use port 8080.', 'port 9090'],
  ['We use tabs.', 'true'],
  ['Are you at home?', 'a house by the sea'],
  ['The launch is soon.', '2031-05-09'],
  ['To rebuild the charts, run `make charts`.', '2026-10-05'],
  ['It is done.', '✓'],
])('%j does not say %j', (text, value) => {
  expect(says({ text, time: TIME }, value)).toBe(false);
});

test('a day cannot be worked out from a turn without a time', () => {
  expect(says({ text: 'It is tomorrow.' }, '2026-10-06')).toBe(false);
});

test('a turn says each stretch of whole words of itself', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (words, from, to) => {
      const start = from % words.length;
      const value = words.slice(start, start + 1 + (to % words.length)).join(' ');
      expect(says({ text: words.join(' ') }, value)).toBe(true);
    }),
  );
});
