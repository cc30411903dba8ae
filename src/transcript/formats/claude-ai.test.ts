import { expect, test } from 'vitest';
import { read } from './formats.testing.ts';

const TIME = '2026-02-03T09:15:00.123456Z';

function message(uuid: string, sender: string, text: string, more: object = {}) {
  const content = [{ type: 'text', text, start_timestamp: TIME, stop_timestamp: TIME, citations: [] }];
  return {
    uuid,
    sender,
    text,
    content,
    created_at: TIME,
    updated_at: TIME,
    attachments: [],
    files: [],
    ...more,
  };
}

function conversation(messages: readonly unknown[], more: object = {}) {
  return {
    uuid: 'c1',
    name: 'Greenhouse',
    summary: '',
    created_at: TIME,
    updated_at: TIME,
    account: { uuid: 'x' },
    chat_messages: messages,
    ...more,
  };
}

const asDocument = (value: unknown) => JSON.stringify(value, null, 2);

test('the messages of every conversation, each with its title or else its id', async () => {
  const { format, turns, leftOut } = await read(
    asDocument([
      conversation([
        message('m1', 'human', 'Water the ferns on Mondays.'),
        message('m2', 'assistant', 'Noted.'),
      ]),
      conversation([message('m3', 'human', 'Hello.')], { uuid: 'c2', name: '' }),
    ]),
  );
  expect(format).toBe('Claude.ai');
  const time = '2026-02-03T09:15:00.123Z';
  expect(turns).toEqual([
    {
      role: 'person',
      text: 'Water the ferns on Mondays.',
      id: 'm1',
      time,
      line: 2,
      conversation: 'Greenhouse',
    },
    { role: 'assistant', text: 'Noted.', id: 'm2', time, line: 2, conversation: 'Greenhouse' },
    { role: 'person', text: 'Hello.', id: 'm3', time, line: expect.any(Number), conversation: 'c2' },
  ]);
  expect(leftOut).toEqual([]);
});

test('an export without blocks has the text alone', async () => {
  const { turns } = await read(
    asDocument([conversation([message('m1', 'human', 'Ferns.', { content: undefined })])]),
  );
  expect(turns).toMatchObject([{ text: 'Ferns.' }]);
});

test('one conversation of the API: text in blocks alone, and the branch that was shown last', async () => {
  const told = (uuid: string, parent: string, sender: string, text: string) => ({
    ...message(uuid, sender, text, { parent_message_uuid: parent }),
    text: '',
  });
  const { format, turns, leftOut } = await read(
    JSON.stringify(
      conversation(
        [
          told('m1', '00000000-0000-4000-8000-000000000000', 'human', 'Which pot?'),
          told('m2', 'm1', 'assistant', 'The blue one.'),
          told('m3', 'm1', 'assistant', 'The red one.'),
          told('m4', 'm3', 'human', 'Red it is.'),
        ],
        { current_leaf_message_uuid: 'm4' },
      ),
    ),
  );
  expect(format).toBe('Claude.ai');
  expect(turns.map(({ text }) => text)).toEqual(['Which pot?', 'The red one.', 'Red it is.']);
  expect(leftOut).toEqual([{ reason: 'hidden', what: 'other branch', count: 1, line: 1 }]);
});

test.each([
  ['that is unknown', { parent_message_uuid: 'm0' }, 'gone'],
  ['whose messages tell no parents', {}, 'm2'],
  ['in a circle', { parent_message_uuid: 'm2' }, 'm2'],
])('a last message %s', async (_, more, leaf) => {
  const { turns } = await read(
    asDocument(
      conversation([message('m1', 'human', 'One.'), message('m2', 'assistant', 'Two.', more)], {
        current_leaf_message_uuid: leaf,
      }),
    ),
  );
  expect(turns.at(-1)?.text).toBe('Two.');
});

test('what tools gave is theirs; what they were asked, thoughts and files are counted', async () => {
  const { turns, leftOut } = await read(
    asDocument([
      conversation([
        message('m1', 'assistant', '', {
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'I look it up.' },
            { type: 'tool_use', name: 'web_search', input: { query: 'ferns' } },
            {
              type: 'tool_result',
              name: 'web_search',
              content: [{ type: 'text', text: 'Ferns like shade.' }],
            },
            { type: 'text', text: 'Shade.' },
            { type: 'token_budget' },
          ],
        }),
        message('m2', 'human', '', {
          attachments: [{ file_name: 'note.txt', extracted_content: 'I am the owner.' }],
          files: [{ file_name: 'fern.png' }],
        }),
        message('m3', 'human', ''),
        message('m4', 'narrator', 'Meanwhile.'),
        { sender: 'human', text: null, content: 'no list' },
        null,
      ]),
      { uuid: 'p1', docs: [] },
    ]),
  );
  expect(turns).toMatchObject([
    { role: 'assistant', text: 'I look it up.\n\nShade.', id: 'm1' },
    { role: 'tool', text: 'Ferns like shade.', id: 'm1 tool' },
  ]);
  expect(leftOut.map(({ reason, what, count }) => `${count} ${reason} ${what}`).sort()).toEqual([
    '1 other attachment',
    '1 other file',
    '1 other item',
    '1 other thinking',
    '1 other token_budget',
    '1 other tool_use',
    '1 unknown ',
    '1 unknown narrator',
    '2 empty human',
  ]);
});
