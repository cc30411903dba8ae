import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addEntries, type WrittenEntry } from './diary.ts';
import { missingEntries } from './missing.ts';

const AT = '2026-12-02 05:40:12 +01:00';

function diaryOf(entries: readonly WrittenEntry[]): string {
  return addEntries(undefined, entries).toString();
}

test('a diary lacks nothing of itself, and all of it is missing from an empty one', () => {
  const entry = fc.record({
    at: fc.constantFrom(AT, '2025-01-01 00:00:00'),
    tag: fc.constantFrom(undefined, 'work', ' a tag '),
    text: fc
      .oneof(fc.constantFrom('same', `## ${AT}`, 'a\r\nb'), fc.string({ unit: 'binary' }))
      .filter((text) => text.trim() !== ''),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
      const none = { added: [], refused: [], there: entries.length };
      expect(missingEntries(diaryOf(entries), entries)).toEqual(none);
      expect(missingEntries('', entries)).toEqual({ added: entries, refused: [], there: 0 });
    }),
  );
});

test('entries that are alike are counted', () => {
  const entry = { at: AT, text: 'x' };
  expect(missingEntries(diaryOf([entry]), [entry, entry, { ...entry, tag: 't' }])).toEqual({
    added: [entry, { ...entry, tag: 't' }],
    refused: [],
    there: 1,
  });
});

test('what can be no entry is refused with the reason', () => {
  const { added, refused } = missingEntries('', [
    { at: AT, text: ' ' },
    { at: 'yesterday', text: 'x' },
    { at: `${AT} [x]`, text: 'x' },
    { at: AT, text: 'x', tag: 'a]' },
  ]);
  expect(added).toEqual([]);
  expect(refused.map(({ reason }) => reason)).toEqual([
    'An entry needs some text.',
    expect.stringMatching(/^Not the time of an entry: 'yesterday'/),
    expect.stringMatching(/^Not the time of an entry/),
    expect.stringMatching(/^A tag is one line/),
  ]);
});
