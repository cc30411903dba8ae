import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readTranscript } from '../read/read.ts';
import { read } from './formats.testing.ts';

let second = 0;

function message(user: string, text: string, more: object = {}) {
  second++;
  return { type: 'message', user, text, ts: `17700000${String(second).padStart(2, '0')}.000200`, ...more };
}

const day = (...messages: readonly unknown[]) => JSON.stringify(messages, null, 4);

test('people and bots by name, in the order of the day, replies in threads among them', async () => {
  const profile = (display_name: string) => ({
    user_profile: { display_name, real_name: 'Tomás Vega', name: 'tv' },
  });
  const { format, turns, leftOut } = await read(
    day(
      message('U1', 'Lunch at noon?', { ...profile('tomás'), ts: '1770000000.000100', reply_count: 1 }),
      message('U2', 'We launch on Friday.', profile('')),
      message('U1', 'Yes, noon.', { thread_ts: '1770000000.000100', parent_user_id: 'U1' }),
      message('U3', 'Build is green.', { bot_id: 'B1', bot_profile: { name: 'Builder' } }),
      { type: 'message', subtype: 'bot_message', bot_id: 'B2', text: 'Rain.', ts: '1770000090.1' },
      message('USLACKBOT', 'Reminder: stretch.'),
    ),
  );
  expect(format).toBe('Slack');
  expect(turns[0]).toEqual({
    role: 'person',
    speaker: 'tomás',
    text: 'Lunch at noon?',
    line: 2,
    id: '1770000000.000100',
    time: '2026-02-02T02:40:00.000Z',
  });
  expect(turns.map(({ role, speaker, text }) => `${role} ${speaker}: ${text}`)).toEqual([
    'person tomás: Lunch at noon?',
    'person Tomás Vega: We launch on Friday.',
    'person U1: Yes, noon.',
    'assistant Builder: Build is green.',
    'assistant B2: Rain.',
    'assistant USLACKBOT: Reminder: stretch.',
  ]);
  expect(leftOut).toEqual([]);
});

test.each([
  ['<!here> see <#C1|general> and <#C2>', '@here see #general and #C2'],
  ['<!subteam^S1|@design> on <!date^1770000000^{date}|2 February>', '@design on 2 February'],
  ['<https://example.org/a?b=1&amp;c=2|the plan>', 'the plan (https://example.org/a?b=1&c=2)'],
  [
    '<http://example.org|example.org> <mailto:ana@example.org|ana@example.org>',
    'http://example.org ana@example.org',
  ],
  ['<@U9|ana> and <@U8>', '@ana and @U8'],
  ['a &lt;b&gt; &amp;lt; c', 'a <b> &lt; c'],
  ['1 < 2', '1 < 2'],
])('%s is read as %s', async (text, plain) => {
  const { turns } = await read(day(message('U1', text)));
  expect(turns).toMatchObject([{ text: plain }]);
});

test('what happened in the channel, what is hidden and files are counted', async () => {
  const { turns, leftOut } = await read(
    day(
      message('U1', '<@U1> has joined the channel', { subtype: 'channel_join' }),
      message('U2', '<@U2> has joined the channel', { subtype: 'channel_join' }),
      message('U1', 'gone', { subtype: 'tombstone', hidden: true }),
      message('U1', '', { files: [{ name: 'a.png' }, { name: 'b.png' }] }),
      message('U1', 'The sketch.', { subtype: 'file_share', files: [{ name: 'c.png' }] }),
      message('U1', 'looks up', { subtype: 'me_message' }),
      message('U1', 'For all.', { subtype: 'thread_broadcast' }),
      message('U1', '', { attachments: [{ text: 'A card.' }] }),
      message('U1', ''),
      { type: 'reminder', ts: '1770000000.1', text: 'x' },
      'text',
    ),
  );
  expect(turns.map(({ text }) => text)).toEqual(['The sketch.', 'looks up', 'For all.']);
  expect(leftOut.map(({ reason, what, count }) => `${count} ${reason} ${what}`).sort()).toEqual([
    '1 empty message',
    '1 hidden tombstone',
    '1 other attachments',
    '1 other reminder',
    '1 unreadable item',
    '2 other channel_join',
    '3 other files',
  ]);
});

let folder: string | undefined;
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true });
  folder = undefined;
});

async function speakersIn(files: Record<string, string>): Promise<string[]> {
  folder = mkdtempSync(join(tmpdir(), 'slack-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const speakers: string[] = [];
  const reading = await readTranscript(join(folder, 'general', '2026-02-02.json'));
  for await (const { speaker, text } of reading.turns()) speakers.push(`${speaker}: ${text}`);
  return speakers;
}

const DAY = { 'general/2026-02-02.json': day(message('U1', 'Ask <@U2>.'), message('U2', 'Me?')) };
const USERS = JSON.stringify([
  { id: 'U1', name: 'ines', profile: { display_name: '', real_name: 'Inês Prado' } },
  { id: 'U2', name: 'oke', real_name: 'Oke Hansen' },
  { id: 'U3' },
]);

test.each([
  ['next to the channels', 'users.json'],
  ['beside the day', 'general/users.json'],
])('names come from the list of users %s', async (_, path) => {
  expect(await speakersIn({ ...DAY, [path]: USERS })).toEqual([
    'Inês Prado: Ask @Oke Hansen.',
    'Oke Hansen: Me?',
  ]);
});

test.each([
  ['no list of users', {}],
  ['a broken one', { 'users.json': '[{"id":"U1","profile":{' }],
  ['a folder in its place', { 'users.json/x': '' }],
])('with %s people keep their ids', async (_, files) => {
  expect(await speakersIn({ ...DAY, ...files })).toEqual(['U1: Ask @U2.', 'U2: Me?']);
});
