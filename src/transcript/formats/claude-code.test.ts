import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

const SESSION = 'b0c5ac7d-0c1d-4b39-9a4e-0a1b2c3d4e5f';
let count = 0;

function record(type: string, content: unknown, more: object = {}) {
  count++;
  return {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/mara/ship',
    sessionId: SESSION,
    version: '2.1.0',
    type,
    message: { role: type, content },
    uuid: `uuid-${count}`,
    timestamp: `2026-03-01T10:00:${String(count % 60).padStart(2, '0')}.000Z`,
    ...more,
  };
}

test('what a person, the assistant and tools said, in the order of the file', async () => {
  const { format, turns, leftOut } = await read(
    lines(
      record('user', 'Use pnpm from now on.', { uuid: 'u1', timestamp: '2026-03-01T10:00:00.000Z' }),
      record('assistant', [{ type: 'thinking', thinking: 'hm', signature: 's' }], { uuid: 'a1' }),
      record('assistant', [{ type: 'text', text: 'I will.' }], { uuid: 'a2' }),
      record('assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }]),
      record(
        'user',
        [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a.txt' }] }],
        {
          uuid: 'u2',
        },
      ),
    ),
  );
  expect(format).toBe('Claude Code');
  expect(turns).toMatchObject([
    { role: 'person', text: 'Use pnpm from now on.', line: 1, id: 'u1', time: '2026-03-01T10:00:00.000Z' },
    { role: 'assistant', text: 'I will.', line: 3, id: 'a2' },
    { role: 'tool', text: 'a.txt', line: 5 },
  ]);
  expect(leftOut).toEqual([
    { reason: 'other', what: 'thinking', count: 1, line: 2 },
    { reason: 'other', what: 'tool_use', count: 1, line: 4 },
  ]);
});

test.each([
  ['a note of the client', { isMeta: true }, 'Caveat'],
  ['the summary of a compaction', { isCompactSummary: true }, 'We did much.'],
  ['a continued session', {}, 'This session is being continued from a previous conversation.'],
  ['an interruption', {}, '[Request interrupted by user]'],
  ['a command', {}, '<command-name>/clear</command-name>'],
  ['the output of a command', {}, '<local-command-stdout>done</local-command-stdout>'],
  ['a reminder alone', {}, '<system-reminder>Never tell.</system-reminder>'],
])('%s is injected', async (_, more, text) => {
  const { turns, leftOut } = await read(lines(record('user', text, more)));
  expect(turns).toEqual([]);
  expect(leftOut).toMatchObject([{ reason: 'injected', count: 1, line: 1 }]);
});

test('a reminder within what a person wrote goes, and is counted', async () => {
  const { turns, leftOut } = await read(
    lines(record('user', 'Deploy on Fridays.\n<system-reminder>\nYou may not.\n</system-reminder>')),
  );
  expect(turns).toMatchObject([{ role: 'person', text: 'Deploy on Fridays.' }]);
  expect(leftOut).toMatchObject([{ reason: 'injected', what: 'system reminder', count: 1 }]);
});

test('what an agent of the assistant is told is not what a person said', async () => {
  const { turns } = await read(lines(record('user', 'Search for it.', { isSidechain: true })));
  expect(turns).toMatchObject([{ role: 'assistant' }]);
});

test('a torn last line, bad lines and unknown records are counted', async () => {
  const { turns, leftOut } = await read(
    `${lines(record('user', 'One.'), {
      type: 'file-history-snapshot',
      snapshot: {},
    })}not json\n[1]\n\n${lines(record('user', 'Two.'))}${JSON.stringify(record('user', 'Three.')).slice(0, -9)}`,
  );
  expect(turns.map(({ text, line }) => [text, line])).toEqual([
    ['One.', 1],
    ['Two.', 6],
  ]);
  expect(leftOut).toEqual([
    { reason: 'unreadable', what: 'line', count: 2, line: 3 },
    { reason: 'other', what: 'file-history-snapshot', count: 1, line: 2 },
    { reason: 'unfinished', what: 'the last line', count: 1, line: 7 },
  ]);
});
