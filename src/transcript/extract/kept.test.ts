import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptAnswers } from './kept.ts';

const ASK = { system: 's', user: 'u', schema: {}, mostTokens: 100 };
const ANSWER = { text: '{"facts":[]}', tokensIn: 7, tokensOut: undefined };
let place: string;
let folder: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  folder = join(place, 'transcripts', 'kept');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

test('an answer is had again for the same model and question only', () => {
  new KeptAnswers(folder).put('a', ASK, ANSWER);
  const kept = new KeptAnswers(folder);
  expect(kept.get('a', ASK)).toEqual(ANSWER);
  expect(kept.get('b', ASK)).toBeUndefined();
  for (const other of [{ system: 'x' }, { user: 'x' }, { schema: { type: 'x' } }, { mostTokens: 1 }]) {
    expect(kept.get('a', { ...ASK, ...other })).toBeUndefined();
  }
});

test('that an answer was stopped is kept with it', () => {
  const kept = new KeptAnswers(folder);
  kept.put('a', ASK, { ...ANSWER, isStopped: true });
  expect(kept.get('a', ASK)).toEqual({ ...ANSWER, isStopped: true });
});

test.skipIf(process.platform === 'win32')('answers are for the user alone', () => {
  new KeptAnswers(folder).put('a', ASK, ANSWER);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test.each(['', '{"text":', '[]', '{"text":7}'])('what is no answer is none: %j', (content) => {
  const kept = new KeptAnswers(folder);
  kept.put('a', ASK, ANSWER);
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), content);
  expect(kept.get('a', ASK)).toBeUndefined();
});

test('clearing removes what was used, and what is old', () => {
  const old = new Date('2020-01-01');
  new KeptAnswers(folder).put('old', ASK, ANSWER);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), old, old);
  new KeptAnswers(folder).put('other', ASK, ANSWER);
  new KeptAnswers(folder).put('read', ASK, ANSWER);
  const kept = new KeptAnswers(folder);
  kept.put('written', ASK, ANSWER);
  kept.get('read', ASK);
  kept.clear();
  expect(readdirSync(folder)).toHaveLength(1);
  expect(kept.get('other', ASK)).toEqual(ANSWER);
});

test('a folder that cannot be made is no fault', () => {
  writeFileSync(join(place, 'transcripts'), '');
  const kept = new KeptAnswers(folder);
  kept.put('a', ASK, ANSWER);
  expect(kept.get('a', ASK)).toBeUndefined();
  kept.clear();
});
