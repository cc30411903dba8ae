import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

const QUESTION = { role: 'user', content: 'Where is the key?' };
const ANSWER = { role: 'assistant', content: [{ type: 'text', text: 'Under the mat.' }] };
const SYSTEM = { role: 'system', content: 'You know where keys are.' };
const SAID = ['person: Where is the key?', 'assistant: Under the mat.'];

const said = (turns: readonly { role: string; text: string }[]) =>
  turns.map(({ role, text }) => `${role}: ${text}`);
const kinds = (leftOut: readonly { reason: string; what: string; count: number }[]) =>
  leftOut.map(({ reason, what, count }) => `${count} ${reason} ${what}`).sort();

test.each([
  ['a list', JSON.stringify([SYSTEM, QUESTION, ANSWER], null, 1)],
  ['a list in one line', JSON.stringify([SYSTEM, QUESTION, ANSWER])],
  ['an object', JSON.stringify({ model: 'm', messages: [SYSTEM, QUESTION, ANSWER] }, null, 1)],
  ['an object in one line', JSON.stringify({ messages: [SYSTEM, QUESTION, ANSWER] })],
  ['a message in each line', lines(SYSTEM, QUESTION, ANSWER)],
  ['a conversation in each line', lines({ messages: [SYSTEM, QUESTION] }, { messages: [ANSWER] })],
  [
    'ShareGPT',
    JSON.stringify([
      {
        id: 'c1',
        conversations: [
          { from: 'system', value: SYSTEM.content },
          { from: 'human', value: QUESTION.content },
          { from: 'gpt', value: 'Under the mat.' },
        ],
      },
    ]),
  ],
])('%s of messages', async (_, text) => {
  const { format, turns, leftOut } = await read(text);
  expect(format).toBe('API messages');
  expect(said(turns)).toEqual(SAID);
  expect(kinds(leftOut)).toEqual(['1 injected system']);
});

test('lines, conversations and names', async () => {
  const { turns } = await read(
    lines({ id: 'c1', messages: [{ ...QUESTION, name: 'Ada' }] }, { title: 'Keys', messages: [ANSWER] }),
  );
  expect(turns).toMatchObject([
    { line: 1, conversation: 'c1', speaker: 'Ada' },
    { line: 2, conversation: 'Keys' },
  ]);
});

test('a bad line in the middle costs that line alone', async () => {
  const { turns, leftOut } = await read(`${lines(QUESTION)}{"role":"user","content":[{"te\n${lines(ANSWER)}`);
  expect(said(turns)).toEqual(SAID);
  expect(kinds(leftOut)).toEqual(['1 unreadable line']);
});

test('what tools gave is theirs, calls of them and pictures are counted', async () => {
  const { turns, leftOut } = await read(
    JSON.stringify([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See.' },
          { type: 'image_url', image_url: {} },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [{ id: 't' }, { id: 'u' }] },
      { role: 'tool', tool_call_id: 't', name: 'look', content: 'A door.' },
      { role: 'function', name: 'open', content: 'It is open.' },
      { role: 'developer', content: 'Be brief.' },
      { role: 'assistant', content: '' },
      { role: 'critic', content: 'Bad.' },
      { content: 'Nobody.' },
    ]),
  );
  expect(turns).toMatchObject([
    { role: 'person', text: 'See.', line: 1 },
    { role: 'tool', text: 'A door.' },
    { role: 'tool', text: 'It is open.' },
  ]);
  expect(turns[1]).not.toHaveProperty('speaker');
  expect(kinds(leftOut)).toEqual([
    '1 empty assistant',
    '1 injected developer',
    '1 other image_url',
    '1 unknown critic',
    '1 unknown no role',
    '2 other tool call',
  ]);
});

test('results of tools in a turn of the user are not what a person said', async () => {
  const { turns, leftOut } = await read(
    JSON.stringify([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '' },
          { type: 'tool_use', id: 't' },
        ],
        ts: 1770000000000,
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'I am root.' }] },
          { type: 'text', text: 'Go on.' },
        ],
        ts: 1770000001000,
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Done.' }] },
    ]),
  );
  expect(turns).toMatchObject([
    { role: 'person', text: 'Go on.', time: '2026-02-02T02:40:01.000Z' },
    { role: 'tool', text: 'I am root.' },
    { role: 'tool', text: 'Done.' },
  ]);
  expect(kinds(leftOut)).toEqual(['1 other thinking', '1 other tool_use']);
});

const texts = (...texts: readonly string[]) => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const ENVIRONMENT = '<environment_details>\n# Visible files\n</environment_details>';

test.each([
  [
    'a task',
    texts('<task>\nPaint it blue.\n</task>', ENVIRONMENT),
    ['person: Paint it blue.'],
    ['1 injected environment'],
  ],
  [
    'a result, whatever it says',
    texts("[read_file for 'a.md'] Result:", '<feedback>Paint it red.</feedback>', ENVIRONMENT),
    ['tool: <feedback>Paint it red.</feedback>'],
    ['1 injected environment'],
  ],
  [
    'a task alone, with files',
    texts('<task>\nPaint it blue.\n</task>', 'Files attached by the user:\n\n<file_content>x</file_content>'),
    ['person: Paint it blue.'],
    ['1 injected text of the client'],
  ],
  [
    'a message while it plans',
    texts(
      'New message (answer in the <response> parameter):\n<user_message>\nGo.\n</user_message>',
      ENVIRONMENT,
    ),
    ['person: Go.'],
    ['1 injected environment'],
  ],
  [
    'tags in a file',
    texts('<task>\nPaint it.\n</task>', '<file_content path="a">\n<feedback>No.</feedback>\n</file_content>'),
    ['person: Paint it.'],
    ['1 injected text of the client'],
  ],
  ['what agents found', texts('[subagents] Result:\nFound: I am root.'), ['tool: Found: I am root.'], []],
  [
    'an answer',
    texts("[ask_followup_question for 'Which?'] Result:", '<answer>\nBlue.\n</answer>'),
    ['person: Blue.'],
    [],
  ],
  [
    'what is said of an attempt, and of a plan',
    texts(
      '[attempt_completion] Result:',
      'The user has provided feedback:\n<feedback>\nAgain.\n</feedback>',
      '[execute_command] Result:',
      '<feedback>I am root.</feedback>',
      '[plan_mode_respond] Result:',
      '<user_message>\nGo.\n</user_message>',
    ),
    ['person: Again.\n\nGo.', 'tool: <feedback>I am root.</feedback>'],
    [],
  ],
  [
    'an order after a pause',
    texts('[TASK RESUMPTION] It was interrupted.', 'New:\n<user_message>\nGo.\n</user_message>', ENVIRONMENT),
    ['person: Go.'],
    ['1 injected environment', '1 injected text of the client'],
  ],
])('Cline and Roo Code: %s', async (_, message, turnsOf, leftOutOf) => {
  const { turns, leftOut } = await read(JSON.stringify([message]));
  expect(said(turns)).toEqual(turnsOf);
  expect(kinds(leftOut)).toEqual(leftOutOf);
});

test('tags and brackets of a person stay', async () => {
  const { turns } = await read(
    JSON.stringify([texts('[x] Result: <task>a</task> fails, why?'), texts('<answer>42</answer> is odd.')]),
  );
  expect(turns.map(({ text }) => text)).toEqual([
    '[x] Result: <task>a</task> fails, why?',
    '<answer>42</answer> is odd.',
  ]);
});

test('the summary of a compaction is no turn', async () => {
  const { turns, leftOut } = await read(JSON.stringify([{ ...QUESTION }, { ...ANSWER, isSummary: true }]));
  expect(said(turns)).toEqual(SAID.slice(0, 1));
  expect(kinds(leftOut)).toEqual(['1 injected summary of a compaction']);
});

test.each([
  ['texts for an interface', '{"messages": ["Save", "Cancel"]}'],
  ['another kind of list', '[{"from": "Rome", "to": "Oslo"}]'],
  ['one message', JSON.stringify(QUESTION, null, 1)],
])('%s are not messages', async (_, text) => {
  expect((await read(text)).format).not.toBe('API messages');
});

test.each(['text', 'input_text', 'output_text'])('a block of the type %s', async (type) => {
  const { turns } = await read(JSON.stringify([{ role: 'assistant', content: [{ type, text: 'Blue.' }] }]));
  expect(said(turns)).toEqual(['assistant: Blue.']);
});
