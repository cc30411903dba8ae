import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

let second = 0;

function record(type: string, payload: object) {
  second++;
  return { timestamp: `2026-03-01T10:00:${String(second % 60).padStart(2, '0')}.000Z`, type, payload };
}

const item = (payload: object) => record('response_item', payload);
const user = (...texts: readonly string[]) =>
  item({ type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) });
const assistant = (text: string, more: object = {}) =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], ...more });

test('what a person, the assistant and tools said, each once', async () => {
  const { format, turns, leftOut } = await read(
    lines(
      record('session_meta', { id: 's', cwd: '/home/ines/kiln', originator: 'codex_cli_rs', source: 'cli' }),
      record('turn_context', { cwd: '/home/ines/kiln' }),
      { ...user('Fire the kiln at 980 °C.'), timestamp: '2026-03-01T11:00:00.000Z' },
      record('event_msg', { type: 'user_message', message: 'Fire the kiln at 980 °C.' }),
      item({ type: 'reasoning', summary: [], encrypted_content: 'gAAA' }),
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
      item({ type: 'function_call_output', call_id: 'c1', output: 'kiln.toml' }),
      assistant('Set to 980 °C.', { id: 'msg_1', phase: 'final_answer' }),
      record('event_msg', { type: 'agent_message', message: 'Set to 980 °C.' }),
      record('event_msg', { type: 'token_count', info: null }),
      record('compacted', { message: 'The kiln was set.', replacement_history: [] }),
    ),
  );
  expect(format).toBe('Codex');
  expect(turns).toMatchObject([
    { role: 'person', text: 'Fire the kiln at 980 °C.', line: 3, time: '2026-03-01T11:00:00.000Z' },
    { role: 'tool', text: 'kiln.toml', line: 7, id: 'c1' },
    { role: 'assistant', text: 'Set to 980 °C.', line: 8, id: 'msg_1' },
  ]);
  expect(leftOut.map(({ reason, what, line }) => `${line} ${reason}: ${what}`)).toEqual([
    '1 other: session_meta',
    '2 other: turn_context',
    '4 copy: user_message',
    '5 other: reasoning',
    '6 other: function_call',
    '9 copy: agent_message',
    '10 other: token_count',
    '11 other: compacted',
  ]);
});

test.each([
  '# AGENTS.md instructions for /home/ines/kiln\n\n<INSTRUCTIONS>\nAlways glaze.\n</INSTRUCTIONS>',
  '<environment_context>\n<cwd>/home/ines/kiln</cwd>\n</environment_context>',
  '<INSTRUCTIONS>\nAlways glaze.\n</INSTRUCTIONS>',
  '<user_instructions>\nAlways glaze.\n</user_instructions>',
  '<recommended_plugins>\nGlaze.\n</recommended_plugins>',
  '<skill>\n<name>glazing</name>\n</skill>',
  '<user_shell_command>\nls\n</user_shell_command>',
  '<subagent_notification>\n{}\n</subagent_notification>',
  'Another language model started to solve this problem and produced a summary of its thinking.',
  '<turn_aborted>\nThe turn was interrupted.\n</turn_aborted>',
])('a user never said %j', async (text) => {
  const { turns, leftOut } = await read(lines(user(text)));
  expect(turns).toEqual([]);
  expect(leftOut).toEqual([{ reason: 'injected', what: 'text of the client', count: 1, line: 1 }]);
});

test('of a message, what the client put beside a text goes, and the text stays', async () => {
  const { turns, leftOut } = await read(
    lines(user('# AGENTS.md instructions for /\n\n<INSTRUCTIONS>x</INSTRUCTIONS>', 'Buy cones.')),
  );
  expect(turns).toMatchObject([{ role: 'person', text: 'Buy cones.' }]);
  expect(leftOut).toMatchObject([{ reason: 'injected' }]);
});

test.each(['developer', 'system'])('instructions of the %s are injected', async (role) => {
  const { turns, leftOut } = await read(
    lines(item({ type: 'message', role, content: [{ type: 'input_text', text: 'Be brief.' }] })),
  );
  expect(turns).toEqual([]);
  expect(leftOut).toMatchObject([{ reason: 'injected', what: role }]);
});

test.each([
  '# Context from my IDE setup:\n\n## Open tabs:\n- .env: .env\n\n',
  '\n# Files mentioned by the user:\n\n## kiln.toml: /kiln.toml\n\n',
  '',
])('of a request from an editor, what the user wrote below %j', async (context) => {
  const { turns, leftOut } = await read(lines(user(`${context}## My request for Codex:\nUse cone 06.\n`)));
  expect(turns).toMatchObject([{ text: 'Use cone 06.' }]);
  expect(leftOut).toMatchObject([{ reason: 'injected', what: 'context of the editor' }]);
});

test('what a user answers to a question of the assistant is the person’s', async () => {
  const answer = (...answers: readonly string[]) => ({ answers });
  const output = JSON.stringify({ answers: { clay: answer('Stoneware'), glaze: answer('', 'Celadon') } });
  const { turns } = await read(
    lines(
      item({ type: 'function_call', name: 'request_user_input', arguments: '{}', call_id: 'q' }),
      item({ type: 'function_call_output', call_id: 'q', output }),
      item({ type: 'function_call_output', call_id: 'other', output }),
    ),
  );
  expect(turns).toMatchObject([
    { role: 'person', text: 'Stoneware\n\nCeladon', line: 2 },
    { role: 'tool', line: 3 },
  ]);
});

test.each([
  ['a text', 'cone 06'],
  ['JSON with the text in it', JSON.stringify({ output: 'cone 06\n', metadata: { exit_code: 0 } })],
  ['blocks', [{ type: 'input_text', text: 'cone 06' }]],
  ['an object', { content: 'cone 06', success: true }],
])('the output of a tool as %s', async (_, output) => {
  const { turns } = await read(lines(item({ type: 'custom_tool_call_output', call_id: 'c', output })));
  expect(turns).toMatchObject([{ role: 'tool', text: 'cone 06' }]);
});

test('what an agent of the assistant is told is not what a person said', async () => {
  const { turns } = await read(
    lines(record('session_meta', { id: 's', source: { subagent: 'review' } }), user('Review the kiln.')),
  );
  expect(turns).toMatchObject([{ role: 'assistant', text: 'Review the kiln.' }]);
});

test('images are counted, and so are empty messages, unknown records, bad and torn lines', async () => {
  const { turns, leftOut } = await read(
    `${lines(
      item({
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: '<image name=[Image #1]>' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_text', text: '</image>' },
          { type: 'input_text', text: 'Is this cracked?' },
        ],
      }),
      assistant('  '),
      item({ type: 'function_call_output', call_id: 'c' }),
      record('world_state', {}),
      { type: 'response_item' },
    )}nonsense\n${JSON.stringify(user('Torn')).slice(0, -5)}`,
  );
  expect(turns).toMatchObject([{ text: 'Is this cracked?' }]);
  expect(leftOut.map(({ reason, what, count, line }) => `${line} ${reason}: ${what} ${count}`)).toEqual([
    '1 other: name of an image 2',
    '1 other: input_image 1',
    '2 empty: assistant 1',
    '3 empty: function_call_output 1',
    '4 other: world_state 1',
    '5 other: response_item 1',
    '6 unreadable: line 1',
    '7 unfinished: the last line 1',
  ]);
});

test('keys that every object has from its prototype are no content', async () => {
  const { turns, leftOut } = await read(
    lines(user('Hi.'), item({ type: 'message', role: 'constructor', content: [] }), item({})),
  );
  expect(turns).toHaveLength(1);
  expect(leftOut).toMatchObject([{ reason: 'unknown', what: 'constructor' }, { reason: 'other' }]);
});

test('an old session: items that stand alone, all at the time when it began', async () => {
  const said = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text }],
  });
  const { format, turns, leftOut } = await read(
    lines(
      { id: 's', timestamp: '2025-08-01T10:00:00.000Z', instructions: null, git: {} },
      { record_type: 'state' },
      said('user', '<environment_context>\n</environment_context>'),
      said('user', 'Go on.'),
      { type: 'reasoning', summary: [] },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"kiln.toml"}' },
      said('assistant', 'Done.'),
      said('user', 'Go on.'),
    ),
  );
  expect(format).toBe('Codex');
  const time = '2025-08-01T10:00:00.000Z';
  expect(turns).toEqual([
    { role: 'person', text: 'Go on.', line: 4, id: 's 4', time },
    { role: 'tool', text: 'kiln.toml', line: 7, id: 's 7', time },
    { role: 'assistant', text: 'Done.', line: 8, id: 's 8', time },
    { role: 'person', text: 'Go on.', line: 9, id: 's 9', time },
  ]);
  expect(leftOut.map(({ reason, what, count }) => `${reason} ${what} ${count}`)).toEqual([
    'other no type 2',
    'injected text of the client 1',
    'other reasoning 1',
    'other function_call 1',
  ]);
});

test('a message that does not say that it is one', async () => {
  const { turns } = await read(lines(item({ role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] })));
  expect(turns).toMatchObject([{ role: 'person', text: 'Hi.' }]);
});

test('what a thread of an agent is told is not what a person said', async () => {
  const { turns } = await read(
    lines(record('session_meta', { id: 's', thread_source: 'subagent' }), user('Find it.')),
  );
  expect(turns).toMatchObject([{ role: 'assistant' }]);
});
