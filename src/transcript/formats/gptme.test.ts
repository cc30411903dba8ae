import { expect, test } from 'vitest';
import { lines, read } from './formats.testing.ts';

const AT = '2026-03-01T10:00:00.123456';

const message = (role: string, content: unknown, more: object = {}) => ({
  role,
  content,
  timestamp: AT,
  ...more,
});

test('what a person, the assistant and tools said; prompts are injected', async () => {
  const { format, turns, leftOut } = await read(
    lines(
      message('system', 'You are gptme.', { pinned: true, hide: true }),
      message('system', 'The project is a bakery.'),
      message('user', 'Proof the dough for 9 hours.', { files: ['dough.md'] }),
      message('assistant', '<think>\nLong.\n</think>\nNoted.\n```shell\nls\n```'),
      message('system', 'Ran command: `ls`\n\ndough.md', { call_id: 'c' }),
      message('system', 'You have used 12 % of your budget.', { hide: true }),
    ),
  );
  expect(format).toBe('gptme');
  expect(turns).toMatchObject([
    { role: 'person', text: 'Proof the dough for 9 hours.', line: 3 },
    { role: 'assistant', text: 'Noted.\n```shell\nls\n```', line: 4 },
    { role: 'tool', text: 'Ran command: `ls`\n\ndough.md', line: 5 },
  ]);
  expect(leftOut).toEqual([
    { reason: 'injected', what: 'system', count: 3, line: 1 },
    { reason: 'other', what: 'file', count: 1, line: 3 },
    { reason: 'other', what: 'thinking', count: 1, line: 4 },
  ]);
});

test.each([
  ['local', AT, new Date(2026, 2, 1, 10, 0, 0, 123).toISOString()],
  ['with a zone', '2026-03-01T10:00:00.5+02:00', '2026-03-01T08:00:00.500Z'],
])('times are %s', async (_, timestamp, time) => {
  const { turns } = await read(lines(message('user', 'Hi.', { timestamp })));
  expect(turns).toMatchObject([{ time }]);
});

test('what is hidden, empty, unknown, unreadable or torn is counted', async () => {
  const { turns, leftOut } = await read(
    `${lines(
      message('user', 'Salt: 2 %.'),
      message('assistant', 'Secretly.', { hide: true }),
      message('assistant', ''),
      message('critic', 'No.'),
      { content: 'Whose?' },
      message('user', [{ type: 'text', text: 'Rye: 30 %.' }]),
    )}{"role"\n{"role": "user", "con`,
  );
  expect(turns).toMatchObject([{ text: 'Salt: 2 %.' }, { text: 'Rye: 30 %.', line: 6 }]);
  expect(leftOut.map(({ reason, what, line }) => `${line} ${reason}: ${what}`)).toEqual([
    '2 hidden: assistant',
    '3 empty: assistant',
    '4 unknown: critic',
    '5 unknown: no role',
    '7 unreadable: line',
    '8 unfinished: the last line',
  ]);
});

test.each(['think', 'thinking'])('what is in <%s> is no answer', async (tag) => {
  const { turns } = await read(
    lines(message('user', 'Hi.'), message('assistant', `<${tag}>Salt?</${tag}>\nHello.`)),
  );
  expect(turns[1]).toMatchObject({ role: 'assistant', text: 'Hello.' });
});
