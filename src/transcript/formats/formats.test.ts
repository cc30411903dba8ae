import { expect, test } from 'vitest';
import { lines } from './formats.testing.ts';
import { FORMATS, sampleOf } from './formats.ts';

/** Files of each format, by the format's name. */
const SAMPLES: Readonly<Record<string, string | readonly string[]>> = {
  'Claude Code': lines({
    type: 'user',
    uuid: 'u',
    sessionId: 's',
    message: { role: 'user', content: 'Hi.' },
  }),
  Codex: [
    lines({
      timestamp: '2026-03-01T10:00:00.000Z',
      type: 'session_meta',
      payload: { id: 's', cwd: '/ship' },
    }),
    lines({ timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item', payload: { type: 'message' } }),
    lines(
      { id: 's', timestamp: '2025-08-01T10:00:00.000Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] },
    ),
  ],
  'Gemini CLI': [
    lines({ sessionId: 's', projectHash: 'h', startTime: '2026-03-01T10:00:00.000Z' }, { $set: {} }),
    JSON.stringify({ sessionId: 's', projectHash: 'h', messages: [{ id: 'm', type: 'user' }] }, null, 2),
    JSON.stringify({
      sessionId: 's',
      projectHash: 'h',
      messages: [{ id: 'm', role: 'user', content: 'Hi.' }],
    }),
  ],
  'Copilot Chat': [
    JSON.stringify(
      { version: 3, responderUsername: 'GitHub Copilot', requests: [{ requestId: 'r' }] },
      null,
      2,
    ),
    JSON.stringify({ version: 3, sessionId: 's', creationDate: 1770000000000, requests: [] }),
    lines({ kind: 0, v: { version: 3, creationDate: 1770000000000, sessionId: 's', requests: [] } }),
  ],
  'Copilot CLI': [
    lines({
      type: 'session.start',
      data: { sessionId: 's' },
      id: 'e',
      timestamp: '2026-03-01T10:00:00.000Z',
    }),
    lines({ type: 'user.message', data: { content: 'Hi.' }, id: 'e', parentId: null }),
  ],
  gptme: [
    lines({ role: 'system', content: 'You are gptme.', timestamp: '2026-03-01T10:00:00.123456' }),
    lines({ role: 'user', content: 'Hi.', timestamp: '2026-03-01T10:00:00.123456+00:00', files: [] }),
  ],
  'Claude.ai': [
    JSON.stringify([{ uuid: 'c', name: '', summary: '', chat_messages: [{ sender: 'human', text: 'Hi.' }] }]),
    JSON.stringify({ uuid: 'c', name: '', current_leaf_message_uuid: 'm', chat_messages: [] }, null, 2),
  ],
  ChatGPT: JSON.stringify([
    {
      title: 'Boat',
      create_time: 1770000000.1,
      mapping: { a: { id: 'a', message: { author: { role: 'user' }, content: { parts: ['Hi.'] } } } },
      current_node: 'a',
    },
  ]),
  Slack: JSON.stringify([{ type: 'message', user: 'U1', text: 'Hi.', ts: '1770000000.000100' }], null, 4),
  'API messages': [
    JSON.stringify([{ role: 'user', content: 'Hi.' }]),
    JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }] }),
    JSON.stringify([{ role: 'user', content: [{ type: 'text', text: 'Hi.' }], ts: 1770000000000 }]),
    JSON.stringify([{ id: 'c', conversations: [{ from: 'human', value: 'Hi.' }] }]),
    lines({ role: 'user', content: 'Hi.' }),
    lines({ messages: [{ role: 'system', content: 'x' }] }),
  ],
  'Cursor export': '# Boat\n_Exported on 3/1/2026 from Cursor (2.4.1)_\n\n---\n\n**User**\n\nHi.\n',
  'Cursor agent': [
    'user:\n<user_query>\nHi.\n</user_query>\n\nassistant:\nHello.\n',
    lines({ role: 'user', message: { content: [{ type: 'text', text: 'Hi.' }] } }, { type: 'turn_ended' }),
  ],
  aider: '\n# aider chat started at 2026-03-01 10:00:00\n\n#### Hi.\n\nHello.\n',
  captions: [
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Mara>Hi.\n',
    '1\n00:00:01,000 --> 00:00:02,000\nMara: Hi.\n',
  ],
  text: ['## User\n\nHi.\n', 'Mara: Hi.\n'],
};

test.each(Object.entries(SAMPLES).flatMap(([name, samples]) => [samples].flat().map((text) => [name, text])))(
  'a file of %s is of no other format: %j',
  (name, text) => {
    const sample = sampleOf(Buffer.from(text as string));
    const names = FORMATS.filter((format) => format.recognises(sample)).map((format) => format.name);
    // Any text is a text.
    expect(names.filter((other) => other !== 'text' || other === names[0])).toEqual([name]);
  },
);

test('every format has a sample', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(FORMATS.map(({ name }) => name).sort());
});

test.each([
  ['a first record of 400 KB', (record: string) => record.replace('%', 'x'.repeat(400_000))],
  [
    '100 records of another kind before',
    (record: string) => `${'{"type":"file-history-snapshot"}\n'.repeat(100)}${record}`,
  ],
])('a format is told with %s', async (_, write) => {
  const record = JSON.stringify({
    type: 'user',
    uuid: 'u1',
    sessionId: 's1',
    message: { role: 'user', content: 'Hello %' },
  });
  const sample = sampleOf(Buffer.from(write(record)));
  expect(FORMATS.find((format) => format.recognises(sample))?.name).toBe('Claude Code');
});
