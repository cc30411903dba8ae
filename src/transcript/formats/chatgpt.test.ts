import { expect, test } from 'vitest';
import { read } from './formats.testing.ts';

type Node = { id: string; parent: string | null; children: string[]; message: object | null };

function node(id: string, parent: string | null, role: string, text: string, more: object = {}): Node {
  const message = {
    id,
    author: { role, metadata: {} },
    create_time: 1770000000.25,
    content: { content_type: 'text', parts: [text] },
    status: 'finished_successfully',
    weight: 1,
    recipient: 'all',
    metadata: {},
    ...more,
  };
  return { id, parent, children: [], message };
}

const ROOT: Node = { id: 'root', parent: null, children: ['1'], message: null };

function conversation(nodes: readonly Node[], more: object = {}) {
  return {
    title: 'Boat',
    create_time: 1770000000.1,
    update_time: 1770000009.1,
    mapping: Object.fromEntries([ROOT, ...nodes].map((node) => [node.id, node])),
    current_node: nodes.at(-1)?.id,
    conversation_id: 'c1',
    ...more,
  };
}

const kinds = (leftOut: readonly { reason: string; what: string; count: number }[]) =>
  leftOut.map(({ reason, what, count }) => `${count} ${reason} ${what}`).sort();

test('the branch that was shown last, from its start, whatever the order of the nodes', async () => {
  const { format, turns, leftOut } = await read(
    JSON.stringify([
      conversation(
        [
          node('4', '3b', 'user', 'Then teak.'),
          node('1', 'root', 'user', 'Which wood?'),
          node('2', '1', 'assistant', 'For what?'),
          node('3a', '2', 'user', 'A mast.'),
          node('3b', '2', 'user', 'A deck.'),
        ],
        { current_node: '4' },
      ),
    ]),
  );
  expect(format).toBe('ChatGPT');
  expect(turns[0]).toEqual({
    role: 'person',
    text: 'Which wood?',
    line: 1,
    id: '1',
    time: '2026-02-02T02:40:00.250Z',
    conversation: 'Boat',
  });
  expect(turns.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'person: Which wood?',
    'assistant: For what?',
    'person: A deck.',
    'person: Then teak.',
  ]);
  expect(leftOut).toEqual([{ reason: 'hidden', what: 'other branch', count: 1, line: 1 }]);
});

test('several conversations, with their ids where there is no title', async () => {
  const { turns } = await read(
    JSON.stringify([
      conversation([node('1', 'root', 'user', 'One.')], { title: null }),
      conversation([node('2', 'root', 'user', 'Two.')], {
        title: null,
        conversation_id: undefined,
        id: 'c2',
      }),
    ]),
  );
  expect(turns.map(({ conversation, text }) => [conversation, text])).toEqual([
    ['c1', 'One.'],
    ['c2', 'Two.'],
  ]);
});

test.each([[undefined], [null], ['gone'], ['toString']])(
  'a current node of %s: the one that was added last is taken for it',
  async (current) => {
    const { turns } = await read(
      JSON.stringify([
        conversation([node('a', 'root', 'user', 'One.'), node('b', 'a', 'assistant', 'Two.')], {
          current_node: current,
        }),
      ]),
    );
    expect(turns.map(({ text }) => text)).toEqual(['One.', 'Two.']);
  },
);

test('parents that are gone or go in a circle end a branch', async () => {
  const { turns } = await read(
    JSON.stringify([
      conversation([node('a', 'gone', 'user', 'One.')]),
      conversation([node('b', 'c', 'user', 'Two.'), node('c', 'b', 'user', 'Three.')]),
      conversation([], { mapping: {} }),
    ]),
  );
  expect(turns.map(({ text }) => text)).toEqual(['One.', 'Two.', 'Three.']);
});

test('metadata may be absent', async () => {
  const { turns } = await read(
    JSON.stringify([
      conversation([node('1', 'root', 'user', 'One.', { metadata: undefined, recipient: undefined })]),
    ]),
  );
  expect(turns).toMatchObject([{ text: 'One.' }]);
});

test('only what a person and the assistant say to each other', async () => {
  const hidden = { metadata: { is_visually_hidden_from_conversation: true } };
  const content = (content_type: string, more: object) => ({ content: { content_type, ...more } });
  const { turns, leftOut } = await read(
    JSON.stringify([
      conversation([
        node('1', 'root', 'system', 'Be kind.'),
        node('2', '1', 'user', 'Hidden.', hidden),
        node(
          '3',
          '2',
          'user',
          '',
          content('user_editable_context', { user_profile: 'A sailor', user_instructions: '' }),
        ),
        node('4', '3', 'user', 'How far is it?'),
        node('5', '4', 'assistant', '', content('thoughts', { thoughts: [] })),
        node('6', '5', 'assistant', 'search("sea")', { recipient: 'browser' }),
        node('7', '6', 'tool', 'Remember that it is far.'),
        node('8', '7', 'assistant', '', content('code', { text: 'print(1)' })),
        node('9', '8', 'assistant', ' '),
        node('10', '9', 'assistant', 'Far.'),
        { id: '11', parent: '10', children: [], message: {} },
      ]),
      { id: 'no conversation' },
      7,
    ]),
  );
  expect(turns.map(({ text }) => text)).toEqual(['How far is it?', 'Far.']);
  expect(kinds(leftOut)).toEqual([
    '1 empty assistant',
    '1 hidden user',
    '1 other ',
    '1 other code',
    '1 other item',
    '1 other system',
    '1 other thoughts',
    '1 other to browser',
    '1 other tool',
    '1 other user_editable_context',
    '1 unreadable item',
  ]);
});

test('what was said aloud counts as said; pictures are counted', async () => {
  const parts = [
    'Look:',
    { content_type: 'image_asset_pointer', asset_pointer: 'file-service://1' },
    { content_type: 'audio_transcription', text: 'This sail.', direction: 'in' },
  ];
  const picture = { content_type: 'multimodal_text', parts: parts.slice(1, 2) };
  const { turns, leftOut } = await read(
    JSON.stringify([
      conversation([
        node('1', 'root', 'user', '', { content: { content_type: 'multimodal_text', parts } }),
        node('2', '1', 'user', '', { content: picture }),
      ]),
    ]),
  );
  expect(turns.map(({ text }) => text)).toEqual(['Look:\n\nThis sail.']);
  expect(kinds(leftOut)).toEqual(['2 other image_asset_pointer']);
});
