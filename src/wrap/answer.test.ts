import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callReader } from '../read/tools.ts';
import { restore } from '../spool/restore.testing.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import { type Asked, boundAnswer, type How } from './answer.ts';
import { readFrame } from './frame.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely
type Json = any;

const LIMIT = 3_000;
const WORDS = 'word '.repeat(4_000);
/** Messages that are parsed, and messages that are read as streams. */
const SIZES = [
  ['small', WORDS],
  ['large', WORDS.repeat(40)],
] as const;

let spool: Spool;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-answer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  spool = openSpool({ folder });
});

const toolCall: Asked = { method: 'tools/call', name: 'tool' };
const asked = (method: Asked['method']): Asked => ({ method, name: 'tool' });

/** A message once it is bounded, as text; undefined if it passes. */
async function bounded(
  message: object | string,
  of: Asked,
  how: Partial<How> = {},
  becameTask = (_: string) => {},
): Promise<string | undefined> {
  const json = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  const source = (async function* () {
    for (let from = 0; from < json.length; from += 65_536) yield json.subarray(from, from + 65_536);
  })();
  const frame = await readFrame(source);
  const { limit = { chars: LIMIT } } = how;
  const readers = { tools: { read: 'plimsoll_read', select: 'plimsoll_select' }, paths: false };
  const all = { limit, mode: 'bound', spool, readers, joinBlocks: false, links: true, ...how } as const;
  const surroundings = { findSchema: async () => undefined, becameTask };
  const answer = await boundAnswer(frame, of, all, surroundings).finally(() => frame.release());
  return answer?.toString();
}

async function boundedJson(message: object, of: Asked, how: Partial<How> = {}): Promise<Json> {
  const text = await bounded(message, of, how);
  if (text === undefined) throw new Error('it passed');
  return JSON.parse(text);
}

test('a result that is nested deeper than it can be written anew is bounded, and all of it kept', async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const text = await bounded(`{"id":1,"result":{"content":[],"structuredContent":${deep}}}`, toolCall);
  expect(text?.length).toBeLessThanOrEqual(LIMIT + 100);
  expect(text).toContain('"handle":');
});

test.each(SIZES)('a %s result that is no object is refused, unless all is to pass', async (_, words) => {
  for (const result of [words, [words]]) {
    await expect(bounded({ id: 1, result }, toolCall)).rejects.toThrow('it is no object');
    expect(await bounded({ id: 1, result }, toolCall, { mode: 'inline' })).toBe(undefined);
  }
  expect(await spool.list('all')).toEqual([]);
});

const lengthOf = (value: unknown) => JSON.stringify(value).length;

/** What is kept of the handle that a text names, as it was taken in. */
async function keptOf(text: string): Promise<Json> {
  const [, handle = ''] = /"handle":"(\w+)"/.exec(text) ?? [];
  const found = await spool.find(handle);
  if (!found || 'expired' in found) throw new Error(`nothing is kept of ${text}`);
  return restore(found.kept);
}

describe('errors', () => {
  const error = (message: string, more: object = {}) => ({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32603, message, ...more },
  });

  test.each(SIZES)('a %s message is cut, says so and is kept; all else stays', async (_, words) => {
    const given = error(`first ${words} last`, { data: { why: 'no' }, vendor: [1] });
    const { error: told, ...rest } = await boundedJson(given, toolCall);
    const { message, ...others } = told;
    expect({ ...rest, error: others }).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32603, data: { why: 'no' }, vendor: [1] },
    });
    expect(message).toMatch(/^\[Plimsoll: cut below: .*plimsoll_read.*\]\nfirst [\s\S]* last$/);
    expect(lengthOf(told)).toBeLessThanOrEqual(LIMIT);
    expect((await keptOf(message)).content[0].text).toBe(given.error.message);
  });

  test.each(SIZES)('%s data are cut as data, and the message tells of it', async (_, words) => {
    const data = { why: 'no', log: words, lines: Array.from({ length: 500 }, (_, line) => `line ${line}`) };
    const { error: told } = await boundedJson(error('It failed.', { data }), toolCall);
    expect(told.code).toBe(-32603);
    expect(told.message).toMatch(/^\[Plimsoll: .*\]\nIt failed\.$/s);
    expect(told.data.why).toBe('no');
    expect(told.data.lines[0]).toBe('line 0');
    expect(lengthOf(told)).toBeLessThanOrEqual(LIMIT);
    expect((await keptOf(told.message)).structuredContent).toEqual({ data });
  });

  test('data that are a text are cut as one', async () => {
    const { error: told } = await boundedJson(error('', { data: `first ${WORDS} last` }), toolCall);
    expect(told.data).toMatch(/first word[\s\S]*Plimsoll[\s\S]*word {2}last$/);
    expect(lengthOf(told)).toBeLessThanOrEqual(LIMIT);
  });

  test.each([-32042, -32021, -32022])('the data of %i are for the client, and stay', async (code) => {
    const data = { elicitations: [{ url: `https://example.com/${WORDS}` }] };
    const { error: told } = await boundedJson(error(WORDS, { code, data }), toolCall);
    expect(told).toMatchObject({ code, data });
    expect(told.message.length).toBeLessThan(LIMIT);
  });

  test('what is within the limit passes, in whatever unit, and so does all where all is to pass', async () => {
    expect(await bounded(error('é'.repeat(2_900)), toolCall)).toBeUndefined();
    const limit = { chars: 40_000, bytes: 30_000 };
    expect(await bounded(error(WORDS), toolCall, { limit })).toBeUndefined();
    expect(await bounded(error(WORDS), toolCall, { mode: 'inline' })).toBeUndefined();
  });

  test('an error of a tool of which only a notice passes is read all the same', async () => {
    const { error: told } = await boundedJson(error(WORDS), toolCall, { mode: 'spool' });
    expect(told.message).toContain('word word');
  });

  test('an error without a message says what is missing', async () => {
    const { error: told } = await boundedJson({ id: 1, error: { code: 1, data: [WORDS] } }, toolCall);
    expect(told.message).toMatch(/^\[Plimsoll: [\d,]+ characters left out/);
  });
});

describe('tasks', () => {
  const state = <More extends object>(more: More) => ({
    resultType: 'complete',
    taskId: 't',
    status: 'working',
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
    ttlMs: null,
    ...more,
  });
  const answer = (result: object) => ({ jsonrpc: '2.0', id: 7, result });

  test.each(SIZES)('a %s status message is cut in all that tells of a task', async (_, statusMessage) => {
    const told = state({ statusMessage });
    const { statusMessage: __, ...others } = told;
    for (const method of ['tasks/get', 'tasks/cancel'] as const) {
      const { result } = await boundedJson(answer(told), asked(method));
      expect(result).toEqual({ ...others, statusMessage: expect.stringMatching(/^\[Plimsoll: cut below/) });
      expect(lengthOf(result)).toBeLessThanOrEqual(LIMIT);
    }
    for (const method of ['notifications/tasks', 'notifications/tasks/status'] as const) {
      const { params } = await boundedJson({ jsonrpc: '2.0', method, params: told }, asked(method));
      expect(params).toEqual({ ...others, statusMessage: expect.stringMatching(/^\[Plimsoll: cut below/) });
      expect(lengthOf(params)).toBeLessThanOrEqual(LIMIT);
    }
  });

  test.each(SIZES)('the %s error of a task that failed is cut', async (_, words) => {
    const error = { code: -32000, message: `first ${words} last`, data: { log: words } };
    const { result } = await boundedJson(answer(state({ status: 'failed', error })), asked('tasks/get'));
    expect(result).toMatchObject(state({ status: 'failed', error: { code: -32000 } }));
    expect(result.error.message).toMatch(/^\[Plimsoll: [\s\S]* last$/);
    expect(result.error.data.log).toContain('word word');
    expect(lengthOf(result)).toBeLessThanOrEqual(LIMIT);
  });

  test.each(SIZES)('of a %s result and a status message either gets its share', async (_, words) => {
    const result = { content: [{ type: 'text', text: `first ${words}` }] };
    const told = state({ status: 'completed', statusMessage: `done ${words}`, result });
    const limit = { chars: 12_000 };
    const { result: cut } = await boundedJson(answer(told), asked('tasks/get'), { limit });
    expect(cut.statusMessage).toContain('done word');
    expect(cut.statusMessage.length).toBeLessThan(limit.chars / 4);
    expect(cut.result.content[0].text).toContain('first word');
    expect(cut.result._meta['dev.plimsoll/bound'].left.chars).toBeGreaterThan(0);
    expect(lengthOf(cut)).toBeLessThanOrEqual(limit.chars);
    expect(await keptOf(JSON.stringify(cut.result._meta))).toEqual(result);
  });

  test('what a client acts on stays, however long it is', async () => {
    const inputRequests = { q: { method: 'elicitation/create', params: { message: WORDS } } };
    const told = state({ status: 'input_required', statusMessage: WORDS, inputRequests });
    const { result } = await boundedJson(answer(told), asked('tasks/get'));
    expect(result).toMatchObject(state({ status: 'input_required', inputRequests }));
    expect(result.statusMessage).toMatch(/^\[Plimsoll: /);
    expect(result.statusMessage.length).toBeLessThan(500);
  });

  test('each task of a list keeps its own', async () => {
    const tasks = [1, 2, 3].map((taskId) => ({
      taskId,
      status: 'working',
      statusMessage: `${taskId} ${WORDS}`,
    }));
    const { result } = await boundedJson(answer({ tasks, nextCursor: 'x' }), asked('tasks/list'));
    expect(result).toMatchObject({ tasks: [1, 2, 3].map((taskId) => ({ taskId })), nextCursor: 'x' });
    for (const { taskId, statusMessage } of result.tasks) expect(statusMessage).toContain(`${taskId} word`);
    expect(lengthOf(result)).toBeLessThanOrEqual(LIMIT);
  });

  test('where there are too many for the limit, one says so, and the others say nothing', async () => {
    const tasks = Array.from({ length: 100 }, (_, id) => ({ taskId: `${id}`, statusMessage: WORDS }));
    const limit = { chars: 10_000 };
    const { result } = await boundedJson(answer({ tasks }), asked('tasks/list'), { limit });
    expect(result.tasks.map(({ taskId }: Json) => taskId)).toEqual(tasks.map(({ taskId }) => taskId));
    const said = result.tasks.filter(({ statusMessage }: Json) => statusMessage.includes('blocks left out'));
    expect(said).toHaveLength(1);
    expect(lengthOf(result)).toBeLessThanOrEqual(limit.chars);
  });

  test('a task that can say nothing itself says what was left out', async () => {
    const { result } = await boundedJson(answer(state({ vendor: [WORDS] })), asked('tasks/get'));
    expect(result.statusMessage).toMatch(/^\[Plimsoll: [\d,]+ characters left out/);
    expect(lengthOf(result)).toBeLessThanOrEqual(LIMIT);
  });

  test.each([
    ['that is short', state({ statusMessage: 'x' })],
    ['of a result type that nobody knows', state({ resultType: 'vendor/x', statusMessage: WORDS })],
  ])('one %s passes', async (_, told) => {
    expect(await bounded(answer(told), asked('tasks/get'))).toBeUndefined();
  });

  test.each([
    ['of 2025-11-25', (task: object) => ({ task }), ({ task }: Json) => task],
    ['of the extension', (task: object) => ({ ...task, resultType: 'task' }), (task: Json) => task],
  ])('a task %s that was made is told of, and its texts are cut', async (_, make, taskOf) => {
    const immediate = 'io.modelcontextprotocol/model-immediate-response';
    for (const [, words] of SIZES) {
      const made: string[] = [];
      const given = {
        ...make({ taskId: 't', status: 'working', statusMessage: words }),
        _meta: { [immediate]: words },
      };
      const text = await bounded(answer(given), toolCall, {}, (task) => made.push(task));
      const { result } = JSON.parse(text ?? '{}');
      expect(made).toEqual(['t']);
      expect(taskOf(result)).toMatchObject({ taskId: 't', status: 'working' });
      expect(taskOf(result).statusMessage).toMatch(/^\[Plimsoll: /);
      expect(result._meta[immediate]).toContain('word word');
      expect(result).not.toHaveProperty('content');
      expect(lengthOf(result)).toBeLessThanOrEqual(LIMIT);
    }
  });

  test.each(SIZES)('a %s result with content is one, whatever it says of a task', async (_, words) => {
    const task = { taskId: 't', status: 'working' };
    const becameTask = vi.fn();
    const text = await bounded(
      answer({ content: [{ type: 'text', text: words }], task }),
      toolCall,
      {},
      becameTask,
    );
    const { result } = JSON.parse(text ?? '{}');
    expect(result).toMatchObject({ task, content: [{ text: expect.stringMatching(/^\[Plimsoll: cut/) }] });
    expect(lengthOf(result)).toBeLessThanOrEqual(LIMIT);
    expect(becameTask).not.toHaveBeenCalled();
  });
});

test('of two results in one large message nobody knows which counts: that is an error', async () => {
  const [, [, words]] = SIZES;
  await expect(bounded(`{"id":1,"result":{"a":"${words}"},"result":{}}`, toolCall)).rejects.toThrow('result');
});

test.each([
  ['characters', WORDS, { chars: 2_000 }],
  ['characters, many of which are escaped', '"\\\n'.repeat(5_000), { chars: 2_000 }],
  ['lines', 'a line\n'.repeat(3_000), { chars: 100_000, lines: 200 }],
])(
  'a page that another proxy cuts again says which count is within its limit, in %s',
  async (_, words, limit) => {
    const kept = await boundedJson({ id: 1, result: { content: [{ type: 'text', text: words }] } }, toolCall);
    const { handle } = kept.result._meta['dev.plimsoll/bound'];
    const read = (count?: number) =>
      callReader(spool, 'plimsoll_read', { handle, part: '1', ...(count && { count }) }, { chars: 5_000 });
    let count: number | undefined;
    for (let tries = 0; tries < 3; tries++) {
      const cut = await bounded({ id: 1, result: await read(count) }, toolCall, { limit });
      if (cut === undefined) break;
      const [text] = /\[Plimsoll: .*?smaller one, with \\"count\\":\d+/.exec(cut) ?? [''];
      const next = Number(/\d+$/.exec(text)?.[0]);
      expect(next).toBeLessThan(count ?? 5_000);
      count = next;
    }
    const { content } = await read(count);
    expect(await bounded({ id: 1, result: { content } }, toolCall, { limit })).toBeUndefined();
    expect(content[0]?.text.length).toBeGreaterThan(600);
  },
);
