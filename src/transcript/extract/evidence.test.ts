import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Turn } from '../turn.ts';
import { Quotes } from './evidence.ts';

const turns: Turn[] = [
  {
    role: 'person',
    text: 'The “staging”  server\nlistens on port 5433, as we said.',
    line: 1,
    id: 'u1',
    speaker: 'Mara',
  },
  { role: 'assistant', text: 'I will use port 5433 then. Café is open. I am glad.', line: 10 },
  {
    role: 'person',
    text: 'We decided to never deploy on a Friday after lunch, please.',
    line: 20,
    time: '2026-03-01T10:00:00.000Z',
  },
  { role: 'person', text: 'We decided to never deploy on a Friday after lunch, please.', line: 30 },
];

function find(quote: string | undefined, line?: number, value = 'x') {
  return new Quotes(turns).find({ subject: 'a', attribute: 'b', value, line, quote });
}

test('a quote is found exactly, with where it stands', () => {
  expect(find('listens on port 5433', 1)).toEqual({
    line: 1,
    id: 'u1',
    time: undefined,
    role: 'person',
    speaker: 'Mara',
    quote: 'listens on port 5433',
    isVerified: true,
  });
});

test.each([
  [
    'white space, quotes and case',
    'the "Staging" server listens on port',
    'The “staging”  server\nlistens on port',
  ],
  ['accents in two code units, and emphasis', '**Cafe\u0301** IS open. I am', 'Café is open. I am'],
  [
    'a word left out',
    'We decided to never deploy on Friday after lunch',
    'We decided to never deploy on a Friday after lunch',
  ],
])('the quote is as the turn has it: %s', (_, quote, expected) => {
  expect(find(quote, 20)).toMatchObject({ quote: expected, isVerified: true });
});

test('the nearest turn counts', () => {
  expect(find('We decided to never deploy', 31)).toMatchObject({ line: 30 });
  expect(find('We decided to never deploy', 21)).toMatchObject({ line: 20 });
});

test('a wrong line is mended', () => {
  expect(find('I will use port 5433', 25)).toMatchObject({ line: 10, isVerified: true });
});

test.each([
  ['said by nobody', 'Mara likes strawberries a lot'],
  ['with another number', 'The staging server listens on port 5434, as we said'],
  ['without its negation', 'We decided to deploy on a Friday after lunch, please'],
  ['of a few letters, in another turn', 'port'],
  ['of signs alone', '...'],
])('a quote %s is not verified', (_, quote) => {
  expect(find(quote, 20)).toMatchObject({ line: 20, quote, isVerified: false });
});

test('without a quote the value is looked for in the turn of the line alone', () => {
  expect(find(undefined, 12, 'port 5433')).toMatchObject({ line: 10, quote: 'port 5433', isVerified: true });
  expect(find(undefined, 20, 'port 5433')).toMatchObject({ line: 20, isVerified: false });
  expect(find(undefined, undefined, 'port 5433')).toMatchObject({ isVerified: false });
});

test('no turns, no evidence', () => {
  expect(new Quotes([]).find({ subject: 'a', attribute: 'b', value: 'c' })).toBeUndefined();
});

test('a verified quote stands in the turn, whatever is said and asked for', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('a', 'not', '5', ' ', '“', 'É', 'e\u0301', '\ufdfa', '\n'), { maxLength: 60 })
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 3 }), (said, quote, line) => {
      const turn: Turn = { role: 'person', text: said, line: 1 };
      const evidence = new Quotes([turn]).find({ subject: '', attribute: '', value: quote, line, quote });
      if (evidence?.isVerified) expect(said.toWellFormed()).toContain(evidence.quote);
    }),
  );
});
