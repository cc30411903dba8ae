import { expect, test } from 'vitest';
import { withDay } from './relative-day.ts';

const TIME = '2026-10-05T22:30:00.000Z';

test.each([
  ['tomorrow', '2026-10-06'],
  ['Tomorrow at nine', '2026-10-06 at nine'],
  ['by the end of this month', 'by 2026-10-31'],
  ['the day after tomorrow', '2026-10-07'],
  ['due by tonight', 'due by 2026-10-05'],
  ['yesterday evening', '2026-10-04 evening'],
  ['morgen um 9 Uhr', '2026-10-06 um 9 Uhr'],
  ['demain à midi', '2026-10-06 à midi'],
])('%j becomes %j', (value, expected) => {
  expect(withDay(value, TIME)).toBe(expected);
});

test.each(['USA Today', 'Today Show', 'tomorrowland', 'morgen-team', 'next Friday', '2026-10-06', ''])(
  '%j stays',
  (value) => {
    expect(withDay(value, TIME)).toBe(value);
  },
);

test('without a time a value stays', () => {
  expect(withDay('tomorrow', undefined)).toBe('tomorrow');
});
