import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lines } from '../formats/formats.testing.ts';
import type { Turn } from '../turn.ts';
import { once, readTranscript } from './read.ts';
import { Tally } from './tally.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-read-'));
  path = join(folder, 'transcript');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const user = (uuid: string, content: string) => ({
  type: 'user',
  sessionId: 's',
  uuid,
  message: { content },
});

test('a transcript: its format, its turns, what was left out', async () => {
  writeFileSync(path, lines(user('u1', 'Sow the peas.'), { type: 'progress' }, user('u2', 'In March.')));
  const reading = await readTranscript(path);
  expect(reading).toMatchObject({ path, format: 'Claude Code' });
  expect(reading.leftOut()).toEqual([]);
  expect((await all(reading.turns())).map(({ text }) => text)).toEqual(['Sow the peas.', 'In March.']);
  expect(reading.leftOut()).toEqual([{ reason: 'other', what: 'progress', count: 1, line: 2 }]);
});

test('copies, as a compaction writes them, count once', async () => {
  const history = [user('u1', 'Sow the peas.'), user('u2', 'In March.')];
  writeFileSync(path, lines(...history, ...history, user('u3', 'Sow the peas.')));
  const reading = await readTranscript(path);
  expect((await all(reading.turns())).map(({ line }) => line)).toEqual([1, 2, 5]);
  expect(reading.leftOut()).toEqual([{ reason: 'copy', what: 'person', count: 2, line: 3 }]);
});

test.each([
  ['bytes', Buffer.from([0, 1, 2, 3, 255])],
  ['JSON of something else', '{"name": "plimsoll", "version": "1.0.0"}'],
])('%s is no transcript', async (_, bytes) => {
  writeFileSync(path, bytes);
  await expect(readTranscript(path)).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNREADABLE',
    message: `'${path}' is no transcript in a format that is known.`,
  });
});

test('what plainly holds no conversation is refused, with what it is and what to do', async () => {
  writeFileSync(path, '<!doctype html>\n<p>We decided to sow peas.</p>\n');
  await expect(readTranscript(path)).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNREADABLE',
    message: `'${path}' is an HTML page, no conversation: put what was said in it into a text, with "Name:" before what each says.`,
  });
});

test('a file without anything is empty', async () => {
  writeFileSync(path, '');
  await expect(readTranscript(path)).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNREADABLE',
    message: `'${path}' is empty.`,
  });
});

test('what can’t be opened is unreadable', async () => {
  await expect(readTranscript(join(folder, 'missing'))).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNREADABLE',
  });
});

async function* given(...turns: readonly Partial<Turn>[]): AsyncGenerator<Turn> {
  let line = 0;
  for (const turn of turns) yield { role: 'person', text: 'Yes.', line: ++line, ...turn };
}

const TIME = '2026-03-01T10:00:00.000Z';

test.each<[string, Partial<Turn>, Partial<Turn>, boolean]>([
  ['of one id', { id: 'a', time: TIME }, { id: 'a', text: 'Changed.' }, true],
  ['of two ids', { id: 'a', time: TIME }, { id: 'b', time: TIME }, false],
  ['of one time', { time: TIME }, { time: TIME }, true],
  ['of one time, with other words', { time: TIME }, { time: TIME, text: 'No.' }, false],
  ['of one time, of another speaker', { time: TIME, speaker: 'Ida' }, { time: TIME, speaker: 'Noor' }, false],
  ['of one time, in another role', { time: TIME }, { time: TIME, role: 'assistant' }, false],
  ['of two times', { time: TIME }, { time: '2026-03-01T10:00:01.000Z' }, false],
  ['without id and time', {}, {}, false],
])('whether the second is a copy: turns %s', async (_, one, other, isCopy) => {
  const tally = new Tally();
  const turns = await all(once(given(one, other), tally));
  expect(turns.map(({ line }) => line)).toEqual(isCopy ? [1] : [1, 2]);
  expect(tally.all()).toHaveLength(isCopy ? 1 : 0);
});
