import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

const AT = Date.parse('2026-03-01T10:00:00.000Z');

const request = (requestId: string, text: string, response: readonly unknown[] = []) => ({
  requestId,
  timestamp: AT,
  message: { text, parts: [{ kind: 'text', text }] },
  variableData: { variables: [] },
  response,
  result: { metadata: { renderedUserMessage: 'never a turn' } },
});

const session = (...requests: readonly unknown[]) => ({
  version: 3,
  creationDate: AT,
  customTitle: 'Bees',
  sessionId: 's',
  requests,
});

const begin = (...requests: readonly unknown[]) => ({ kind: 0, v: session(...requests) });

async function readLog(...changes: readonly object[]) {
  const { turns, leftOut } = await read(lines(...changes));
  return {
    said: turns.map(({ role, text, line }) => `${line} ${role}: ${text}`),
    leftOut: leftOut.map(({ reason, what, count, line }) => `${line} ${reason}: ${what} ${count}`),
  };
}

const RESPONSE = [
  { kind: 'mcpServersStarting', didStartServerIds: [] },
  { kind: 'thinking', value: 'Hm.' },
  { value: 'The hive is in ' },
  { kind: 'inlineReference', inlineReference: { path: '/garden/hive.md', scheme: 'file' } },
  { value: '.', supportThemeIcons: false },
  {
    kind: 'toolInvocationSerialized',
    toolId: 'copilot_readFile',
    resultDetails: {
      input: '{}',
      output: [
        { type: 'embed', isText: true, value: '2 hives' },
        { type: 'embed', isText: false, value: 'AAAA' },
      ],
    },
  },
  { kind: 'toolInvocationSerialized', toolId: 'copilot_think' },
  { kind: 'markdownContent', content: { value: 'There are two.' } },
];

test.each([
  ['over many lines', 2],
  ['in one line', undefined],
])('an object, %s', async (_, indent) => {
  const text = JSON.stringify(session(request('r', 'How many hives?', RESPONSE)), null, indent);
  const { format, turns, leftOut } = await read(text);
  expect(format).toBe('Copilot Chat');
  const time = '2026-03-01T10:00:00.000Z';
  expect(turns).toEqual([
    { role: 'person', text: 'How many hives?', line: 1, id: 'r', time },
    {
      role: 'assistant',
      text: 'The hive is in hive.md.\n\nThere are two.',
      line: 1,
      id: 'r assistant',
      time,
    },
    { role: 'tool', text: '2 hives', line: 1, id: 'r tool', time },
  ]);
  expect(leftOut.map(({ reason, what }) => `${reason}: ${what}`)).toEqual([
    'other: mcpServersStarting',
    'other: thinking',
    'other: toolInvocationSerialized',
  ]);
});

test('a log of changes', async () => {
  const { said, leftOut } = await readLog(
    begin(),
    { kind: 1, k: ['customTitle'], v: 'Hives' },
    { kind: 2, k: ['requests'], v: [request('r', 'How many hives?')] },
    { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'On' }] },
    { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Two' }, { value: ' hives' }], i: 0 },
    { kind: 2, k: ['requests', 0, 'response'], v: [{ value: '.' }] },
    { kind: 1, k: ['requests', 0, 'result'], v: { metadata: {} } },
    { kind: 2, k: ['requests'], v: [request('s', 'Where?', [{ value: 'There.' }])] },
    { kind: 1, k: ['requests', 1, 'message', 'text'], v: 'Where are they?' },
    { kind: 3, k: ['requests', 1, 'response'] },
  );
  expect(said).toEqual(['3 person: How many hives?', '5 assistant: Two hives.', '8 person: Where are they?']);
  expect(leftOut).toEqual(['2 other: change of customTitle 1', '7 other: change of result 1']);
});

test('what a user took back, or asked in other words, is hidden', async () => {
  const { said, leftOut } = await readLog(
    begin(request('r', 'One.'), request('s', 'Two.'), request('t', 'Three.')),
    { kind: 2, k: ['requests'], v: [request('u', 'Two, but better.')], i: 1 },
  );
  expect(said).toEqual(['1 person: One.', '2 person: Two, but better.']);
  expect(leftOut).toEqual(['1 hidden: request that was taken back 2']);
});

test('a later snapshot takes the place of all', async () => {
  const { said } = await readLog(begin(request('r', 'One.')), begin(request('r', 'One.')), {
    kind: 2,
    k: ['requests'],
    v: [request('s', 'Two.')],
  });
  expect(said).toEqual(['2 person: One.', '3 person: Two.']);
});

test.each([
  [['__proto__', 'polluted']],
  [['requests', 0, '__proto__', 'polluted']],
  [['requests', 0, 'message', '__proto__', 'polluted']],
  [['requests', 0, 'message', '__proto__']],
  [['requests', 0, 'message', 'constructor']],
  [['requests', 0, 'message', 'prototype']],
  [['requests', 0, 'message', 'constructor', 'prototype', 'polluted']],
  [['requests', '__proto__', 'polluted']],
  [['requests', 0, 'response', 'length']],
  [['requests', 9]],
  [['requests', -1]],
  [['requests', 0.5]],
  [['requests', 0, 'message', 'text', 'length']],
  [['requests', 0, 'message', 'toString', 'polluted']],
  [[]],
  ['requests'],
  [null],
])('a change at %j is passed over', async (k) => {
  const { said, leftOut } = await readLog(begin(request('r', 'One.')), { kind: 1, k, v: 'No.' });
  expect(said).toEqual(['1 person: One.']);
  expect(leftOut).toEqual([expect.stringMatching(/^2 (?:unreadable: change|other: change of \w+) 1$/)]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect((Object as unknown as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.prototype.toString).not.toHaveProperty('polluted');
});

test('changes that can’t be made, are unknown, unreadable or torn are counted', async () => {
  const { turns, leftOut } = await read(
    `${lines(
      begin(request('r', 'One.')),
      { kind: 2, k: ['requests', 0, 'message'], v: [{ value: 'No.' }] },
      { kind: 2, k: ['requests', 4, 'response'], v: [{ value: 'No.' }] },
      { kind: 9, k: ['requests'] },
      { k: ['requests'], v: [] },
      { kind: 0 },
    )}?\n${JSON.stringify({ kind: 1, k: ['requests'] }).slice(0, -3)}`,
  );
  expect(turns).toMatchObject([{ text: 'One.' }]);
  expect(leftOut.map(({ reason, what, count, line }) => `${line} ${reason}: ${what} ${count}`)).toEqual([
    '2 unreadable: change 4',
    '4 unknown: change 9 1',
    '7 unreadable: line 1',
    '8 unfinished: the last line 1',
  ]);
});

test('requests of the client are injected, and what is no request is unreadable', async () => {
  const { said, leftOut } = await readLog(
    begin({ ...request('r', 'The terminal is done.'), isSystemInitiated: true }, 7, request('s', '')),
  );
  expect(said).toEqual([]);
  expect(leftOut).toEqual(['1 injected: request 1', '1 unreadable: request 1', '1 empty: message 1']);
});

test('a session that is no object is none', async () => {
  const { turns, leftOut } = await read(`{"version": 3, "sessionId": "s", "requests": [{"requestId": "r", `);
  expect(turns).toEqual([]);
  expect(leftOut).toEqual([{ reason: 'unfinished', what: 'the last item', count: 1, line: 1 }]);
});

test.each([
  [{ name: 'Hive' }, { kind: 'inlineReference', inlineReference: { name: 'Hive', location: {} } }],
  [
    { uri: 'hive.md' },
    { kind: 'inlineReference', inlineReference: { uri: { path: '/garden/hive.md' }, range: {} } },
  ],
])('a reference by %j', async (to, part) => {
  const { turns } = await read(JSON.stringify(session(request('r', 'Where?', [{ value: 'In ' }, part]))));
  expect(turns[1]?.text).toBe(`In ${Object.values(to)[0]}`);
});

test.each([
  ['a text', 'How many hives?'],
  ['parts alone', { parts: [{ kind: 'text', text: 'How many hives?' }] }],
])('a message that is %s', async (_, message) => {
  const { turns } = await read(JSON.stringify(session({ ...request('r', ''), message })));
  expect(turns).toMatchObject([{ role: 'person', text: 'How many hives?' }]);
});
