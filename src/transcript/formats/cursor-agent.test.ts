import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

const AGENT = `user:
<attached_files>
secret.txt
</attached_files>
<user_query>
Use larch.
assistant:
is a word too.
</user_query>

assistant:
[Thinking]
  The user wants larch.

[Tool call] Shell
  command: ls
[Tool result] Shell
  mast.txt
I found the mast.

It is pine.

user:
<user_query>Replace it.</user_query>
`;

test('an agent: only the query is what the user said, and steps are left out', async () => {
  const { format, turns, leftOut } = await read(AGENT);
  expect(format).toBe('Cursor agent');
  expect(turns).toEqual([
    { role: 'person', text: 'Use larch.\nassistant:\nis a word too.', line: 1 },
    { role: 'assistant', text: 'I found the mast.\n\nIt is pine.', line: 11 },
    { role: 'person', text: 'Replace it.', line: 23 },
  ]);
  expect(leftOut).toEqual([
    { reason: 'injected', what: 'text of the client', count: 3, line: 2 },
    { reason: 'other', what: 'Thinking', count: 1, line: 12 },
    { reason: 'other', what: 'Tool call', count: 1, line: 15 },
    { reason: 'other', what: 'Tool result', count: 1, line: 17 },
  ]);
});

test('a step ends with its turn', async () => {
  const { turns } = await read(
    'user:\n<user_query>Go.</user_query>\nassistant:\n[Thinking]\n  Hm.\nassistant:\n  Done.\n',
  );
  expect(turns).toMatchObject([{ text: 'Go.' }, { text: 'Done.' }]);
});

test('an agent that only used tools said nothing', async () => {
  const { turns, leftOut } = await read(
    'user:\n<user_query>\nGo.\n</user_query>\nassistant:\n[Tool call] Read\n  path: a\n',
  );
  expect(turns).toMatchObject([{ role: 'person', text: 'Go.' }]);
  expect(leftOut).toContainEqual({ reason: 'empty', what: 'assistant', count: 1, line: 5 });
});

const TIME = '<timestamp>Friday, May 8, 2026, 6:05 AM (UTC+5:30)</timestamp>';
const said = (role: string, ...texts: string[]) => ({
  role,
  message: { content: texts.map((text) => ({ type: 'text', text })) },
});
const asked = (text: string) => said('user', `${TIME}\n<user_query>\n${text}\n</user_query>`);

test('a log: queries, answers and results, with the time of the query', async () => {
  const { format, turns, leftOut } = await read(
    lines(
      said('user', '<user_query>\nUse larch.\n</user_query>'),
      asked('Look for the mast.'),
      {
        role: 'assistant',
        message: {
          content: [
            { type: 'text', text: 'I look.\n\n[REDACTED]' },
            { type: 'tool_use', name: 'ApplyPatch', input: '*** Begin Patch' },
          ],
        },
      },
      said('assistant', '[REDACTED]'),
      { role: 'user', message: { content: [{ type: 'tool_result', content: [{ text: 'mast.txt' }] }] } },
      { role: 'assistant', message: { content: 'It is pine.' } },
      { type: 'turn_ended', status: 'success' },
      { role: 'narrator', message: { content: 'Wind.' } },
      { role: 'assistant', message: { content: [] } },
    ),
  );
  expect(format).toBe('Cursor agent');
  const time = '2026-05-08T00:35:00.000Z';
  expect(turns).toEqual([
    { role: 'person', text: 'Use larch.', line: 1, time: undefined },
    { role: 'person', text: 'Look for the mast.', line: 2, time },
    { role: 'assistant', text: 'I look.', line: 3, time },
    { role: 'tool', text: 'mast.txt', line: 5, time },
    { role: 'assistant', text: 'It is pine.', line: 6, time },
  ]);
  expect(leftOut).toEqual([
    { reason: 'other', what: 'thinking', count: 2, line: 3 },
    { reason: 'other', what: 'tool_use', count: 1, line: 3 },
    { reason: 'other', what: 'turn_ended', count: 1, line: 7 },
    { reason: 'unknown', what: 'narrator', count: 1, line: 8 },
    { reason: 'empty', what: 'assistant', count: 1, line: 9 },
  ]);
});

test('thinking before words goes', async () => {
  const { turns } = await read(lines(asked('Go.'), said('assistant', '[REDACTED]\n\nDone.')));
  expect(turns[1]?.text).toBe('Done.');
});

test('"[REDACTED]" among words stays', async () => {
  const { turns } = await read(
    lines(asked('Go.'), said('assistant', 'The key is [REDACTED].\n[REDACTED] too.')),
  );
  expect(turns[1]?.text).toBe('The key is [REDACTED].\n[REDACTED] too.');
});

test.each([
  ['with a zone before Greenwich', 'Thursday, Aug 6, 2026, 1:48 PM (UTC-5)', '2026-08-06T18:48:00.000Z'],
  ['in Greenwich', 'Thursday, Aug 6, 2026, 12:01 AM (UTC)', '2026-08-06T00:01:00.000Z'],
  ['without a zone', 'Thursday, Aug 6, 2026, 1:48 PM', new Date(2026, 7, 6, 13, 48).toISOString()],
  ['that is none', 'some day', undefined],
])('a time %s', async (_, written, time) => {
  const { turns } = await read(
    lines(said('user', `<timestamp>${written}</timestamp>\n<user_query>\nGo.\n</user_query>`)),
  );
  expect(turns).toEqual([{ role: 'person', text: 'Go.', line: 1, time }]);
});

test.each([
  [
    'around a query',
    `[Image]\n<image_files>\n1. a.png\n</image_files>\n${TIME}\n<user_query>\nGo.\n</user_query>`,
    ['Go.'],
  ],
  ['below a query', '<user_query>\nGo.\n</user_query>\n<system_reminder>Never.</system_reminder>', ['Go.']],
  ['alone', '<attached_files>\nsecret.txt\n</attached_files>', []],
  [
    'after an agent',
    `${TIME}\n\n<user_query>The above subagent result is already visible to the user. Stop.</user_query>`,
    [],
  ],
  [
    'after an agent that said much',
    '<user_query>The beginning of the above subagent result is already visible.</user_query>',
    [],
  ],
  ['after a task', '<user_query>Briefly inform the user about the task result and stop.</user_query>', []],
])('text of the client %s is injected', async (_, text, expected) => {
  const { turns, leftOut } = await read(lines(asked('First.'), said('user', text)));
  expect(turns.slice(1).map(({ text }) => text)).toEqual(expected);
  expect(leftOut).toEqual([{ reason: 'injected', what: 'text of the client', count: 1, line: 2 }]);
});

test.each([
  [
    'a query within a query',
    '<user_query>\nIt says </user_query> <user_query> here.\n</user_query>',
    'It says </user_query> <user_query> here.',
  ],
  [
    'a query that begins with a tag',
    '<user_query><module> is not found</user_query>',
    '<module> is not found',
  ],
  ['a query that does not end', '<user_query>\nGo on', 'Go on'],
  ['words without tags', 'Go on.', 'Go on.'],
])('%s is what the user said', async (_, text, expected) => {
  const { turns, leftOut } = await read(lines(said('user', text)));
  expect(turns.map(({ text }) => text)).toEqual([expected]);
  expect(leftOut).toEqual([]);
});

test('what an agent of the agent is told is not what a person said', async () => {
  const text = lines(said('user', 'Find it.'), said('assistant', 'Found.'));
  const path = '/home/mara/.cursor/projects/ship/agent-transcripts/a/subagents/b.jsonl';
  expect((await read(text, { path })).turns).toMatchObject([{ role: 'assistant' }, { role: 'assistant' }]);
});
