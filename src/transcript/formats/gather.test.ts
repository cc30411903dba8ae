import { expect, test } from 'vitest';
import { Tally } from '../read/tally.ts';
import { Gatherer } from './gather.ts';

test('a turn that is too long is passed over and counted', () => {
  const tally = new Tally();
  const turns = new Gatherer(tally);
  const half = 'x'.repeat(33 * 1024 * 1024);
  turns.begin({ role: 'person', line: 1 });
  turns.add({ line: 1, text: half });
  turns.add({ line: 2, text: half });
  turns.add({ line: 3, text: 'More.' });
  expect(turns.begin({ role: 'assistant', line: 4 })).toEqual([]);
  turns.add({ line: 4, text: 'Next.' });
  expect(turns.end()).toEqual([{ role: 'assistant', line: 4, text: 'Next.' }]);
  expect(tally.all()).toEqual([{ reason: 'too long', what: 'person', count: 1, line: 1 }]);
});

test('a break that ends a turn is none of its text, and one within is', () => {
  const turns = new Gatherer(new Tally());
  turns.begin({ role: 'person', line: 1 });
  for (const text of ['', 'One.', '---', 'Two.', '', '---', '']) turns.add({ line: 1, text });
  expect(turns.end()).toMatchObject([{ text: 'One.\n---\nTwo.' }]);
  expect(turns.end()).toEqual([]);
});
