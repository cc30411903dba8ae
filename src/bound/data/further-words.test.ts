import { expect, it } from 'vitest';
import { withWords } from './further-words.ts';
import type { Place } from './place.ts';
import { compileSchema } from './schema.ts';

async function placeOf(item: object): Promise<Place> {
  const properties = { items: { type: 'array', items: { type: 'object', ...item } } };
  const { places } = await compileSchema({ type: 'object', properties, additionalProperties: false });
  if (!places) throw new Error('no schema');
  return places.root;
}

const ITEM = { n: 1, m: 2 };

it.each([
  ['in a field of the first object that takes one', ITEM, { ...ITEM, _plimsoll: 'words' }],
  ['after what is said there already', { _plimsoll: 'said', n: 1 }, { _plimsoll: 'said words', n: 1 }],
])('words stand %s', async (_, item, told) => {
  const value = withWords({ items: [item, ITEM] }, { items: [ITEM, ITEM] }, await placeOf({}), 'words');
  expect(value).toEqual({ items: [told, ITEM] });
});

it('words stand in no field that a schema keeps out, or that there was', async () => {
  const value = { items: [ITEM] };
  expect(
    withWords(
      value,
      value,
      await placeOf({ properties: { n: {}, m: {} }, additionalProperties: false }),
      'words',
    ),
  ).toBeUndefined();
  const own = { items: [{ _plimsoll: 7 }] };
  expect(withWords(own, own, await placeOf({}), 'words')).toEqual({
    items: [{ _plimsoll: 7, __plimsoll: 'words' }],
  });
});
