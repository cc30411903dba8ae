import { expect, test } from 'vitest';
import { joinBlocks } from './join.ts';

const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

test('texts are joined in order, what is no text is named and stays, and one block is left alone', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations: { priority: 1 } };
  const link = { type: 'resource_link', uri: 'a:b', name: 'b' };
  const resource = { type: 'resource', resource: { uri: 'a:c', text: 'three' } };
  expect(joinBlocks([text('one'), image, text('two'), link, resource])).toEqual([
    text('one\n\n[image: image/png]\n\ntwo\n\n[b · a:b]\n\n[a:c]\nthree'),
    image,
    link,
  ]);
  const alone = [text('one', { annotations: { priority: 1 } })];
  expect(joinBlocks(alone)).toBe(alone);
});

test.each([
  [
    'for all whom they are for, if each says it',
    [{ audience: ['user'] }, { audience: ['assistant', 'user'] }],
    {
      audience: ['user', 'assistant'],
    },
  ],
  ['for anyone, if one is', [{ audience: ['user'] }, {}], undefined],
  ['as important as the most important', [{ priority: 0.2 }, {}, { priority: 0.9 }], { priority: 0.9 }],
  ['of a time that all have', [{ lastModified: 'a', x: 1 }, { lastModified: 'a' }], { lastModified: 'a' }],
  ['of no time if they differ', [{ lastModified: 'a' }, { lastModified: 'b' }], undefined],
])('joined texts are %s', (_, all, annotations) => {
  const [joined] = joinBlocks(all.map((each) => text('x', { annotations: each })));
  expect(joined).toEqual({ ...text(all.map(() => 'x').join('\n\n')), ...(annotations && { annotations }) });
});

test('of the other fields and of _meta, of texts and of resources, stays what does not clash', () => {
  const blocks = [
    text('one', { vendor: 1, _meta: { a: { b: 1 }, same: [1] } }),
    text('two', { vendor: 2, other: true, _meta: { a: { b: 2 }, same: [1] } }),
    { type: 'resource', resource: { uri: 'a:c', text: 'three' }, _meta: { mine: 3 } },
  ];
  expect(joinBlocks(blocks)).toEqual([
    { ...text('one\n\ntwo\n\n[a:c]\nthree'), other: true, _meta: { same: [1], mine: 3 } },
  ]);
});
