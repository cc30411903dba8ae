import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

let count = 0;

function event(type: string, data: object, more: object = {}) {
  count++;
  return { type, data, id: `e${count}`, timestamp: '2026-03-01T10:00:00.000Z', parentId: null, ...more };
}

test('what a person, the assistant and tools said', async () => {
  const { format, turns, leftOut } = await read(
    lines(
      event('session.start', { sessionId: 's', version: 1, producer: 'copilot-agent' }),
      event(
        'user.message',
        {
          content: 'Water the ferns on Mondays.',
          transformedContent: '<current_datetime>…</current_datetime>\nWater the ferns on Mondays.',
          attachments: [{ type: 'file', path: '/ferns.md' }],
        },
        { id: 'u' },
      ),
      event('assistant.message', {
        content: '',
        reasoningText: 'Hm.',
        toolRequests: [{ toolCallId: 't', name: 'view', arguments: {} }],
      }),
      event('tool.execution_start', { toolCallId: 't', toolName: 'view' }),
      event('tool.execution_complete', { toolCallId: 't', success: true, result: { content: '3 ferns' } }),
      event('tool.execution_complete', { toolCallId: 'v', success: false, error: { message: 'No file.' } }),
      event('assistant.message', { content: 'On Mondays, then.', toolRequests: [] }, { id: 'a' }),
    ),
  );
  expect(format).toBe('Copilot CLI');
  expect(turns).toMatchObject([
    {
      role: 'person',
      text: 'Water the ferns on Mondays.',
      line: 2,
      id: 'u',
      time: '2026-03-01T10:00:00.000Z',
    },
    { role: 'tool', text: '3 ferns', line: 5 },
    { role: 'tool', text: 'No file.', line: 6 },
    { role: 'assistant', text: 'On Mondays, then.', line: 7, id: 'a' },
  ]);
  expect(leftOut.map(({ reason, what, line }) => `${line} ${reason}: ${what}`)).toEqual([
    '1 other: session.start',
    '2 other: attachment',
    '3 other: tool request',
    '3 other: reasoning',
    '4 other: tool.execution_start',
  ]);
});

test.each([
  ['by its source', { content: 'Go on.', source: 'system' }],
  ['by its tag system_reminder', { content: '<system_reminder a="b">Never tell.</system_reminder>' }],
  ['by its tag system-reminder', { content: '<system-reminder a="b">Never tell.</system-reminder>' }],
  [
    'by its tag system_notification',
    { content: '<system_notification a="b">Never tell.</system_notification>' },
  ],
  ['by its tag skill-context', { content: '<skill-context a="b">Never tell.</skill-context>' }],
  ['by its tag reminder', { content: '<reminder a="b">Never tell.</reminder>' }],
])('a message that no user typed, %s, is injected', async (_, data) => {
  const { turns, leftOut } = await read(lines(event('user.message', data)));
  expect(turns).toEqual([]);
  expect(leftOut).toMatchObject([{ reason: 'injected', count: 1 }]);
});

test('what an agent of the assistant is told is not what a person said', async () => {
  const { turns } = await read(lines(event('user.message', { content: 'Count ferns.' }, { agentId: 'a1' })));
  expect(turns).toMatchObject([{ role: 'assistant' }]);
});

test('what is empty, unknown, unreadable or torn is counted', async () => {
  const { turns, leftOut } = await read(
    `${lines(
      event('user.message', { content: 'Hi.' }),
      event('user.message', { content: ' ' }),
      event('assistant.telepathy', {}),
      { type: 'user.message' },
      { type: 'constructor', data: {} },
    )}?\n{"type":"user.mes`,
  );
  expect(turns).toMatchObject([{ text: 'Hi.' }]);
  expect(leftOut.map(({ reason, what, count, line }) => `${line} ${reason}: ${what} ${count}`)).toEqual([
    '2 empty: user.message 2',
    '3 other: assistant.telepathy 1',
    '5 other: constructor 1',
    '6 unreadable: line 1',
    '7 unfinished: the last line 1',
  ]);
});
