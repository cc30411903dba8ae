import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLooping } from './loop.ts';

const fact = (subject: string, line: number) =>
  JSON.stringify({ subject, attribute: 'colour', value: 'red', line, quote: 'painted red' });

test.each([
  ['a sentence', 'and so the tide turns, again, as it always has. '.repeat(40)],
  ['white space', `{"facts":[${'\n'.repeat(1500)}`],
  ['a fact, of line after line', Array.from({ length: 30 }, (_, at) => fact('Otter', at)).join(',')],
])('%s again and again', (_, text) => {
  expect(isLooping(text)).toBe(true);
  expect(isLooping(`{"facts":[${text}`)).toBe(true);
  expect(isLooping(text.slice(0, 500))).toBe(false);
});

test('facts of which each is another one go round in no circle', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 20 }), (subjects) => {
      expect(isLooping(subjects.map((subject) => fact(subject, 1)).join(','))).toBe(false);
    }),
  );
});
