import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';
import { MOST_TEXT } from './gemini.ts';

const META = { sessionId: 's', projectHash: 'h', startTime: '2026-03-01T10:00:00.000Z', kind: 'main' };
const AT = '2026-03-01T10:00:01.000Z';

const user = (id: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: AT,
  type: 'user',
  content,
  ...more,
});
const model = (id: string, content: unknown, more: object = {}) => ({
  ...user(id, content, more),
  type: 'gemini',
});

async function saidIn(...changes: readonly object[]): Promise<string[]> {
  const { turns } = await read(lines(META, ...changes));
  return turns.map(({ text }) => text);
}

const CONVERSATION = [
  user('u', [{ text: 'The hull is blue.' }]),
  model('g', 'Blue it is.', {
    thoughts: [{ subject: 'Colour', description: 'Blue.' }],
    toolCalls: [
      {
        id: 't',
        name: 'ls',
        args: {},
        status: 'success',
        result: [{ functionResponse: { id: 't', name: 'ls', response: { output: 'hull.png' } } }],
      },
    ],
    tokens: {},
  }),
  { id: 'i', timestamp: AT, type: 'info', content: 'Signed in.' },
];
const SAID = [
  { role: 'person', text: 'The hull is blue.', id: 'u', time: AT },
  { role: 'assistant', text: 'Blue it is.', id: 'g' },
  { role: 'tool', text: 'hull.png', id: 'g tool' },
];

test('JSON Lines', async () => {
  const { format, turns, leftOut } = await read(lines(META, ...CONVERSATION));
  expect(format).toBe('Gemini CLI');
  expect(turns).toMatchObject(SAID);
  expect(turns.map(({ line }) => line)).toEqual([2, 3, 3]);
  expect(leftOut.map(({ reason, what, line }) => `${line} ${reason}: ${what}`)).toEqual([
    '1 other: metadata',
    '3 other: tool call',
    '3 other: thought',
    '4 other: info',
  ]);
});

test.each([
  ['over many lines', 2],
  ['in one line', undefined],
])('one object, %s', async (_, indent) => {
  const { format, turns } = await read(JSON.stringify({ ...META, messages: CONVERSATION }, null, indent));
  expect(format).toBe('Gemini CLI');
  expect(turns).toMatchObject(SAID);
});

test('a message that comes again takes the place of the one before', async () => {
  const { turns } = await read(
    lines(META, user('u', 'Hi.'), model('g', ''), user('v', 'And?'), model('g', 'Done.')),
  );
  expect(turns.map(({ text, line }) => [text, line])).toEqual([
    ['Hi.', 2],
    ['Done.', 5],
    ['And?', 4],
  ]);
});

test('`$set` of messages takes the place of all', async () => {
  const { turns, leftOut } = await read(
    lines(
      META,
      user('u', 'One.'),
      user('v', 'Two.'),
      { $set: { lastUpdated: AT } },
      { $set: { messages: [user('v', 'Two, masked.'), user('w', 'Three.')] } },
      user('x', 'Four.'),
    ),
  );
  expect(turns.map(({ text, line }) => [text, line])).toEqual([
    ['Two, masked.', 5],
    ['Three.', 5],
    ['Four.', 6],
  ]);
  expect(leftOut).toContainEqual({
    reason: 'hidden',
    what: 'message that was taken out',
    count: 1,
    line: 2,
  });
});

test('`$rewindTo` removes a message and all after it', async () => {
  const three = [user('u', 'One.'), user('v', 'Two.'), user('w', 'Three.')];
  expect(await saidIn(...three, { $rewindTo: 'v' }, user('x', 'Four.'))).toEqual(['One.', 'Four.']);
  expect(await saidIn(...three, { $rewindTo: 'u' })).toEqual([]);
  expect(await saidIn(...three, { $rewindTo: 'unknown' }, user('x', 'Four.'))).toEqual(['Four.']);
  const { leftOut } = await read(lines(META, ...three, { $rewindTo: 'v' }));
  expect(leftOut).toContainEqual({
    reason: 'hidden',
    what: 'message that was taken back',
    count: 2,
    line: 3,
  });
});

test('what is far back is given out, so that memory is bounded', async () => {
  const long = 'x'.repeat(MOST_TEXT);
  const { turns } = await read(
    lines(META, user('u', long), user('v', 'Two.'), { $rewindTo: 'u' }, user('w', 'Three.')),
    { chunk: 1024 * 1024 },
  );
  expect(turns.map(({ id }) => id)).toEqual(['u', 'w']);
});

test('ids may be any text', async () => {
  const ids = ['__proto__', 'constructor', 'toString'];
  expect(await saidIn(...ids.map((id) => user(id, id)), { $rewindTo: 'toString' })).toEqual([
    '__proto__',
    'constructor',
  ]);
  const hostile = '{"$set":{"__proto__":{"id":"x","messages":[{"id":"y","type":"user","content":"No."}]}}}';
  const { turns } = await read(`${lines(META, user('u', 'Yes.'))}${hostile}\n`);
  expect(turns.map(({ text }) => text)).toEqual(['Yes.']);
  expect(Object.hasOwn(Object.prototype, 'messages')).toBe(false);
});

test.each([
  [
    'what the client shows of it',
    user('u', [{ text: 'Read @a.md' }, { text: '\nContent' }], { displayContent: 'Read @a.md' }),
  ],
  [
    'without the content of files',
    user(
      'u',
      'Read @a.md\n--- Content from referenced files ---\nContent from @a.md:\nNo.\n--- End of content ---',
    ),
  ],
  [
    'without the context of the session',
    user('u', [{ text: '<session_context>\nToday…\n</session_context>' }, { text: 'Read @a.md' }]),
  ],
])('of a message, what the user typed: %s', async (_, message) => {
  const { turns, leftOut } = await read(lines(META, message));
  expect(turns).toMatchObject([{ role: 'person', text: 'Read @a.md' }]);
  expect(leftOut).toContainEqual({ reason: 'injected', what: 'text of the client', count: 1, line: 2 });
});

test.each([
  '<state_snapshot>\nWe did much.\n</state_snapshot>',
  '<session_context>x</session_context>',
  '<hook_context>x</hook_context>',
  'This is the Gemini CLI. We are setting up the context for our chat.\nToday…',
])('a user never said %j', async (text) => {
  const { turns, leftOut } = await read(lines(META, user('u', [{ text }])));
  expect(turns).toEqual([]);
  expect(leftOut).toContainEqual({ reason: 'injected', what: 'text of the client', count: 1, line: 2 });
});

test('what tools gave in a user’s message is the tool’s, and thoughts are nobody’s', async () => {
  const { turns, leftOut } = await read(
    lines(
      META,
      user('u', [{ functionResponse: { name: 'ls', response: { output: 'a.txt' } } }]),
      model('g', [{ text: 'Hm.', thought: true }, { functionCall: { name: 'ls' } }, { text: 'One file.' }]),
    ),
  );
  expect(turns).toMatchObject([
    { role: 'tool', text: 'a.txt' },
    { role: 'assistant', text: 'One file.' },
  ]);
  expect(leftOut.map(({ what }) => what)).toEqual(['metadata', 'thought', 'functionCall']);
});

test('what an agent of the assistant is told is not what a person said', async () => {
  const { turns } = await read(lines({ ...META, kind: 'subagent' }, user('u', 'Count the sails.')));
  expect(turns).toMatchObject([{ role: 'assistant' }]);
});

test('what is empty, unknown, unreadable or torn is counted', async () => {
  const { turns, leftOut } = await read(
    `${lines(
      META,
      user('u', 'Hi.'),
      user('v', ''),
      { id: 'p', type: 'prophecy' },
      { $set: { messages: [user('u', 'Hi.'), user('v', ''), { id: 'p', type: 'prophecy' }, 7] } },
    )}?\n{"id":"w`,
  );
  expect(turns).toMatchObject([{ text: 'Hi.', line: 5 }]);
  expect(leftOut.map(({ reason, what, line }) => `${line} ${reason}: ${what}`)).toEqual([
    '1 other: metadata',
    '5 unreadable: message',
    '5 empty: user',
    '5 unknown: prophecy',
    '6 unreadable: line',
    '7 unfinished: the last line',
  ]);
});

test('what nobody said is counted by its kind', async () => {
  const calls = {
    toolCalls: [{ id: 't', name: 'ls', args: {} }],
    thoughts: [{ subject: 'Hm' }, { subject: 'Ah' }],
  };
  const { turns, leftOut } = await read(
    lines(
      META,
      { ...model('g', ''), ...calls },
      ...['info', 'error', 'warning', 'gossip'].map((type, index) => ({
        id: `${index}`,
        type,
        content: 'Late.',
      })),
      user('u', ''),
    ),
  );
  expect(turns).toEqual([]);
  expect(leftOut.map(({ reason, what, count }) => `${reason} ${what} ${count}`)).toEqual([
    'other thought 2',
    'other metadata 1',
    'other tool call 1',
    'other info 1',
    'other error 1',
    'other warning 1',
    'unknown gossip 1',
    'empty user 1',
  ]);
});
