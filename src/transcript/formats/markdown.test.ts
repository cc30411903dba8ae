import { describe, expect, test } from 'vitest';
import { read } from './formats.testing.ts';

async function said(text: string | Buffer) {
  const { turns } = await read(text);
  return turns.map((turn) => [turn.role, turn.text]);
}

test.each([
  ['headings', '## User\n\nUse larch.\n\n## Assistant\n\nI will.\n'],
  ['headings with more in them', '### 🛶 **Human** (10:32)\nUse larch.\n### Claude — 10:33:\nI will.\n'],
  ['headings of what is copied from a page', '##### You said:\nUse larch.\n##### ChatGPT said:\nI will.\n'],
  ['bold names', '**User:** Use larch.\n\n**Assistant:** I will.\n'],
  ['bold names before a colon', '**Me**: Use larch.\n\n**AI**: I will.\n'],
  ['bold names in a line of their own', '**User**\n\nUse larch.\n\n---\n\n__Copilot__\n\nI will.\n'],
  ['names', 'Human: Use larch.\nAssistant: I will.\n'],
  ['names in a line of their own', 'user:\nUse larch.\n\nassistant:\nI will.'],
  ['names and CRLF', 'Me: Use larch.\r\n\r\nChatGPT: I will.\r\n'],
])('who speaks: %s', async (_, text) => {
  const { format, turns, leftOut } = await read(text);
  expect(format).toBe('text');
  expect(turns).toMatchObject([
    { role: 'person', text: 'Use larch.', line: 1 },
    { role: 'assistant', text: 'I will.' },
  ]);
  expect(turns[0]?.speaker).toBeUndefined();
  expect(leftOut).toEqual([]);
});

test.each([
  ['User: We sail at nine.\n\nAnd back at ten.\n', [['person', 'We sail at nine.\n\nAnd back at ten.']]],
  [
    '**Me:** We sail.\n\n**Me:** At nine.\n',
    [
      ['person', 'We sail.'],
      ['person', 'At nine.'],
    ],
  ],
  ['Assistant: We decided to sail.\n', [['assistant', 'We decided to sail.']]],
])('one who speaks alone: %j', async (text, turns) => {
  expect(await said(text)).toEqual(turns);
});

test.each([
  ['Me: Hi.\nYou: Hello.\nMe: Bye.\n', ['person', 'assistant', 'person']],
  ['**You:** Hello.\n\n**Me:** Hi.\n', ['assistant', 'person']],
  ['You: Hi.\nChatGPT: Hello.\nYou: Bye.\n', ['person', 'assistant', 'person']],
  ['Me: Hi.\nAI: Hello.\nYou: Bye.\n', ['person', 'assistant', 'person']],
])('who is you: %j', async (text, roles) => {
  expect((await said(text)).map(([role]) => role)).toEqual(roles);
});

test('only one way to tell who speaks counts in a file', async () => {
  const answer = 'User: is a label.\n\n**User:** too.\n\n## Users\n\nMany.';
  expect(await said(`## User\n\nWhat is it?\n\n## Assistant\n\n${answer}\n`)).toEqual([
    ['person', 'What is it?'],
    ['assistant', answer],
  ]);
});

test.each([
  ['code', '```\n## User\n\nNo turn.\n```'],
  ['code within code', '```markdown\n```ts\nx\n```\n## User\n```\nDone.'],
  ['longer fences', '````\n```\n## User\n````'],
  ['a fence with a language within one without', '```\n```ts\n## User\n```\n```'],
  ['tildes', '~~~\n```\n## User\n~~~'],
  ['code in a list', '1. ```\n   ## User\n   ```'],
])('what stands in code begins no turn: %s', async (_, code) => {
  expect(await said(`## Assistant\n\n${code}\n\n## User\n\nThanks.\n`)).toEqual([
    ['assistant', code],
    ['person', 'Thanks.'],
  ]);
});

test('tools are tools, prompts of the system and what stands before the first turn are counted', async () => {
  const { turns, leftOut } = await read(
    '# Export\n\nSystem: Obey.\nAlways.\n\nUser: Hi.\n\nTool: 3 files\n\nAssistant: Hello.\n\nAssistant:\n',
  );
  expect(turns).toMatchObject([
    { role: 'person', text: 'Hi.', line: 6 },
    { role: 'tool', text: '3 files', line: 8 },
    { role: 'assistant', text: 'Hello.', line: 10 },
  ]);
  expect(leftOut).toEqual([
    { reason: 'other', what: 'text outside of turns', count: 1, line: 1 },
    { reason: 'injected', what: 'system', count: 1, line: 3 },
    { reason: 'empty', what: 'assistant', count: 1, line: 12 },
  ]);
});

test('people in turn, line by line', async () => {
  const { turns } = await read(
    'Mara Lind: It leaks.\nJonas: Where?\nMara Lind: At the keel,\nport: side.\nClaude: I see.\n',
  );
  expect(turns).toMatchObject([
    { role: 'person', speaker: 'Mara Lind', text: 'It leaks.', line: 1 },
    { role: 'person', speaker: 'Jonas', text: 'Where?', line: 2 },
    { role: 'person', speaker: 'Mara Lind', text: 'At the keel,\nport: side.', line: 3 },
    { role: 'assistant', text: 'I see.', line: 5 },
  ]);
});

test('people in turn, paragraph by paragraph: a colon within one begins no turn', async () => {
  const { turns } = await read(
    '**Mara:** It leaks.\nfirst here,\nthen there,\n**Note:** badly.\nvery\nbadly.\n\n**Jonas:** Where?\n\n**Mara:** At the keel.\n\nAnd aft.\n',
  );
  expect(turns.map(({ speaker, text }) => [speaker, text])).toEqual([
    ['Mara', 'It leaks.\nfirst here,\nthen there,\n**Note:** badly.\nvery\nbadly.'],
    ['Jonas', 'Where?'],
    ['Mara', 'At the keel.\n\nAnd aft.'],
  ]);
});

test.each([
  ['prose', 'It leaks.\n\nAt the keel,\nport side.\n', ['It leaks.', 'At the keel,\nport side.']],
  [
    'a list of properties',
    'Name: Petrel\nLength: 9 m\nMast: larch\n',
    ['Name: Petrel\nLength: 9 m\nMast: larch'],
  ],
  [
    'a list of properties of a user',
    'User: mara\nHost: petrel\nPort: 22\n',
    ['User: mara\nHost: petrel\nPort: 22'],
  ],
  ['a user alone', '## User\n\nOf the boat.\n', ['## User', 'Of the boat.']],
  [
    'speakers in code',
    '```\nUser: a\nAssistant: b\n```\n\nUser: one who sails.\n',
    ['```\nUser: a\nAssistant: b\n```', 'User: one who sails.'],
  ],
  [
    'names that are too long',
    `${'X'.repeat(50)}: a\n\n${'X'.repeat(50)}: b\n`,
    [`${'X'.repeat(50)}: a`, `${'X'.repeat(50)}: b`],
  ],
  ['code with empty lines', 'So:\n```\na\n\nb\n```\n', ['So:\n```\na\n\nb\n```']],
  ['text that begins as JSON does', '[Petrel] leaks {badly}.\n', ['[Petrel] leaks {badly}.']],
  ['text in an older encoding', Buffer.from('The f\xf8rde is deep.', 'latin1'), ['The f\ufffdrde is deep.']],
])('what nobody knows who wrote is a person’s, paragraph by paragraph: %s', async (_, text, paragraphs) => {
  expect(await said(text)).toEqual(paragraphs.map((paragraph) => ['person', paragraph]));
});

test('an empty file is no text', async () => {
  expect(await read(' \n')).toMatchObject({ format: undefined });
});

test.each([
  ['an object', '{"a": 1}'],
  ['a list of objects', '[\n  {"a": 1'],
  ['a list', '[1, 2]'],
  ['a value', '"text"'],
  ['JSON Lines', '{"a":1}\n{"b":2}\n'],
  ['bytes', Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
  ['what is mostly no text', Buffer.from([0xff, 0xfe, 0xfd, 0x41])],
])('%s is no text', async (_, text) => {
  expect((await read(text)).format).toBeUndefined();
});

describe('times before names', () => {
  const TIME = new Date('2026-12-01T09:02').toISOString();

  test.each([
    ['[2026-12-01 09:02] ', TIME],
    ['[2026-12-01 9:02] ', TIME],
    ['2026-12-01T09:02:00 ', TIME],
    ['2026-12-01, 09:02 - ', TIME],
    ['[01.12.26, 09:02:33] ', undefined],
    ['\u200e12/1/26, 9:02\u202fPM - ', undefined],
    ['09:02 ', undefined],
    ['2026-12-01 09:02 pm ', undefined],
  ])('%j', async (stamp, time) => {
    const { turns } = await read(
      `${stamp}Ada: Who is it?\n${stamp}Ben: It is me.\nReally.\n${stamp}Ada: Ah.\n`,
    );
    expect(turns).toMatchObject([
      { role: 'person', speaker: 'Ada', text: 'Who is it?', line: 1 },
      { speaker: 'Ben', text: 'It is me.\nReally.', line: 2 },
      { speaker: 'Ada', text: 'Ah.', line: 4 },
    ]);
    expect(turns.map((turn) => turn.time)).toEqual([time, time, time]);
  });

  test('and before a word for a role', async () => {
    const { turns } = await read('[09:02] User: Use larch.\n[09:03] Assistant: I will.\n');
    expect(turns).toMatchObject([
      { role: 'person', text: 'Use larch.' },
      { role: 'assistant', text: 'I will.' },
    ]);
  });

  test.each([
    [
      'in a line of its own',
      'Ada Lind  0:03\nWho is it?\n\nBen  0:07\nIt is me.\n\nAda Lind  1:00:09\nAh.\n',
    ],
    [
      'in bold',
      '**Ada Lind (10:05):** Who is it?\n\n**Ben [10:06]**: It is me.\n\n**Ada Lind 10:07 am**\nAh.\n',
    ],
  ])('or behind it, %s', async (_, text) => {
    expect((await read(text)).turns).toMatchObject([
      { role: 'person', speaker: 'Ada Lind', text: 'Who is it?' },
      { speaker: 'Ben', text: 'It is me.' },
      { speaker: 'Ada Lind', text: 'Ah.' },
    ]);
  });

  test('a text in which a time ends a line has no speakers', async () => {
    const text = 'Breakfast 8:00\nLunch 12:30\nDinner 19:00\n';
    expect((await read(text)).turns).toMatchObject([{ text: text.trim() }]);
  });

  test('the lines of a log have no speakers', async () => {
    const log = '2026-12-01 09:02:33 INFO: up\n2026-12-01 09:02:34 INFO: ready\n';
    expect((await read(log)).turns.filter(({ speaker }) => speaker !== undefined)).toEqual([]);
  });
});
