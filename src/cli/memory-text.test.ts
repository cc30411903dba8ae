import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Edit } from '../memory/journal/journal.ts';
import type { Hit } from '../memory/search/search.ts';
import { doneLines, editLine, historyLines, hitLines, logLines } from './memory-text.ts';

const { columns } = process.stdout;
const LONG = `"${'word '.repeat(200)}"`;
const HOSTILE = '\x1b[2J\u202e\u009b';
const PLACES = [
  {
    scope: 'global',
    folder: '/',
    context: '/context.json',
    diary: '/diary.md',
    isGone: false,
    isDiaryGone: false,
    copy: 'none',
  },
] as const;
const WHERE = { scope: 'global', file: '/context.json' } as const;

beforeEach(() => {
  process.stdout.columns = 80;
});

afterEach(() => {
  process.stdout.columns = columns;
});

function hitsOf(...hits: Pick<Hit, 'key' | 'json'>[]) {
  const all = hits.map((hit) => ({ ...WHERE, inKey: [], inValue: [], isHidden: false, ...hit }));
  return { query: 'x', hits: all, from: 0, total: all.length, isExact: true, nearest: [] };
}

function logOf(edit: Edit, why?: string) {
  const change = {
    ...WHERE,
    change: 1,
    at: '2026-12-02T04:40:12.000Z',
    who: 'cli',
    why,
    edits: [edit],
    from: '',
    to: '',
  };
  return { changes: [change], total: 1 };
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

test('on a terminal of 80 columns facts and changes take a line each', () => {
  expect(widest(hitLines(hitsOf({ key: 'people.maria.role', json: LONG }), PLACES))).toBe(80);
  expect(widest(logLines(logOf({ key: 'people.maria', before: LONG, after: '1' }), PLACES))).toBe(80);
  expect(widest(editLine({ key: 'k', before: LONG, after: LONG }))).toBe(80);
  const present = [{ ...WHERE, json: LONG, byHand: true }];
  expect(widest(historyLines({ changes: [], present }, PLACES))).toBe(80);
});

test('elsewhere values are shortened all the same, and keys never', () => {
  process.stdout.columns = undefined as unknown as number;
  const key = 'k'.repeat(500);
  expect(hitLines(hitsOf({ key, json: LONG }), PLACES).split('\n')[0]).toMatch(
    new RegExp(`^${key}: .{120}$`),
  );
});

test('whatever is stored, nothing printed acts on a terminal', () => {
  const edit = { key: HOSTILE, before: `"${HOSTILE}"`, after: `["${HOSTILE}\n"]` };
  const texts = [
    hitLines(hitsOf({ key: HOSTILE, json: edit.after }), PLACES),
    hitLines({ ...hitsOf(), isExact: false, nearest: [HOSTILE] }, PLACES),
    logLines(logOf(edit, HOSTILE), PLACES),
    historyLines(
      { ...logOf(edit, HOSTILE), present: [{ ...WHERE, json: edit.before, byHand: true }] },
      PLACES,
    ),
  ];
  for (const text of texts) expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test('a deleted key that the file had several times is said to be gone each time', () => {
  const done = { ...WHERE, key: '', was: '2', now: undefined, earlier: ['1'], change: 1, isHidden: false };
  expect(doneLines('Deleted', done)).toBe(
    'Deleted "" in the global memory. It was 2. The file had the key 2 times; this was the last. Change 1: plimsoll memory undo 1 takes it back.\n',
  );
});
