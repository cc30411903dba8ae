import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { TakenIn } from '../bound/intake.ts';
import { type Held, LongText } from '../json/held.ts';
import { chunksOf } from '../json/json.testing.ts';
import { JsonError } from '../json/walk.ts';
import { restore } from '../spool/restore.ts';
import { openSpool } from '../spool/spool.ts';
import { type FrameOptions, frameOf, readFrame, readFrames, type Taking } from './frame.ts';
import type { Head } from './head.ts';
import type { Frame } from './types.ts';

const LIMITS = { textChars: 3_000 };
const LARGE = 600 * 1024;

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-frame-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function* source(bytes: Uint8Array | string, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  yield* chunksOf(Buffer.from(bytes), cuts);
}

async function framesOf(
  bytes: Uint8Array | string,
  cuts: readonly number[] = [],
  options: FrameOptions = {},
) {
  const frames: Frame[] = [];
  for await (const frame of readFrames(source(bytes, cuts), options)) frames.push(frame);
  onTestFinished(async () => {
    for (const frame of frames) await frame.release();
  });
  return frames;
}

async function oneFrame(bytes: Uint8Array | string, options: FrameOptions = {}): Promise<Frame> {
  const frames = await framesOf(bytes, [], options);
  expect(frames.length).toBe(1);
  return frames[0] as Frame;
}

async function bytesOf(frame: Frame): Promise<string> {
  const bytes = frame.bytes();
  if (Buffer.isBuffer(bytes)) return bytes.toString();
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const long = (char = 'x') => char.repeat(LARGE);

test.each([
  ['{"id":9007199254740993}', '9007199254740993'],
  ['{"x":{"id":1e400},"id":-12345678901234567890 }', '-12345678901234567890'],
  ['{"id":9007199254740993,"id":7}', undefined],
  ['{"id":"9007199254740993"}', undefined],
  ['{"id":9007199254740991}', undefined],
])('how an id is written that JavaScript can not hold: %s', async (json, text) => {
  expect((await oneFrame(json)).idText).toBe(text);
  const large = `{"pad":"${long()}",${json.slice(1)}`;
  expect((await oneFrame(large)).idText).toBe(text);
});

test('a large notification of a task may have a result to take in, of which is asked by its params', async () => {
  const { options } = spoolTaking(['params', 'result']);
  const asked: unknown[] = [];
  const begin: FrameOptions['begin'] = async (head, params) => {
    asked.push([head.method, await params()]);
    return options.begin(head);
  };
  const text = JSON.stringify({
    method: 'notifications/tasks',
    params: { taskId: 't', result: { text: long() } },
  });
  const frame = await oneFrame(text, { begin });
  expect((await frame.takeIn?.())?.held).toMatchObject({ text: expect.any(LongText) });
  expect(asked).toEqual([['notifications/tasks', { taskId: 't', result: { text: expect.any(LongText) } }]]);
  expect((await frame.withTaken('{}')).toString()).toBe(
    '{"method":"notifications/tasks","params":{"taskId":"t","result":{}}}',
  );
});

test.each<[unknown, Head]>([
  [
    { jsonrpc: '2.0', id: 1, method: 'tools/call' },
    { id: 1, method: 'tools/call', answers: undefined },
  ],
  [
    { jsonrpc: '2.0', method: 'notifications/x' },
    { id: undefined, method: 'notifications/x', answers: undefined },
  ],
  [
    { result: {}, id: 'a' },
    { id: 'a', method: undefined, answers: 'result' },
  ],
  [
    { result: [1], id: 'a', error: null },
    { id: 'a', method: undefined, answers: 'result' },
  ],
  [
    { id: null, error: { code: 1 } },
    { id: null, method: undefined, answers: 'error' },
  ],
  [
    { id: { a: 1 }, method: 3, result: 'x' },
    { id: undefined, method: undefined, answers: 'result' },
  ],
  [[{ id: 1, method: 'ping' }], { id: undefined, method: undefined, answers: undefined }],
  [{ other: { id: 1, result: 2, method: 'x' } }, { id: undefined, method: undefined, answers: undefined }],
])('what %j says at its top is known, small or large', async (message, head) => {
  const small = await oneFrame(JSON.stringify(message));
  expect(small).toMatchObject({ ...head, message, isJson: true, torn: false });
  const blank = ' '.repeat(LARGE);
  const large = await oneFrame(JSON.stringify(message).replace(/[\]}]$/, `${blank}$&`));
  const held = Array.isArray(message) ? message : undefined;
  expect(large).toMatchObject({ ...head, isJson: true, torn: false, message: held });
});

test('the top of a large message is known wherever its long part stands, and what is too long is no id', async () => {
  const parts = ['"id":7', '"method":"a\\u0062c"', `"params":{"id":8,"t":"${long()}"}`, '"jsonrpc":"2.0"'];
  for (let shift = 0; shift < parts.length; shift++) {
    parts.push(parts.shift() as string);
    expect(await oneFrame(`{${parts.join()}}`)).toMatchObject({ id: 7, method: 'abc', isJson: true });
  }
  expect(await oneFrame(`{"method":"m","id":"${long()}"}`)).toMatchObject({ id: undefined, method: 'm' });
});

test('however lines are split into chunks, frames are the lines, and their bytes are as they came', async () => {
  const line = fc.oneof(
    fc.json().map((each) => each.replaceAll('\n', ' ')),
    fc.constantFrom('', ' ', 'no JSON', '{"a":', `{"result":"${long('é')}","id":1}`, `["${long()}`),
  );
  const end = fc.constantFrom('\n', '\r\n');
  const property = fc.asyncProperty(
    fc.array(fc.tuple(line, end), { maxLength: 6 }),
    fc.array(fc.nat()),
    async (lines, cuts) => {
      const frames: Frame[] = [];
      const seen: string[] = [];
      for await (const frame of readFrames(source(lines.map((each) => each.join('')).join(''), cuts))) {
        frames.push(frame);
        seen.push(await bytesOf(frame));
        await frame.release();
      }
      const expected = lines.map(([each]) => each).filter((each) => each.trim() !== '');
      expect(seen).toEqual(expected);
      expect(frames.map(({ size }) => size)).toEqual(expected.map((each) => Buffer.byteLength(each)));
      expect(frames.map(({ isJson }) => isJson)).toEqual(expected.map(parses));
      expect(frames.map(({ torn }) => torn)).toEqual(expected.map(() => false));
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('what stands after the last line end is a frame if it is JSON, and torn if not', async () => {
  for (const [rest, isJson] of [
    ['{"id":2}', true],
    ['{"id":2', false],
    [`{"id":"${long()}"}`, true],
    [`{"id":"${long()}`, false],
  ] as const) {
    const frames = await framesOf(`{"id":1}\n${rest}`, [3, 10]);
    expect(frames[0]).toMatchObject({ id: 1, torn: false });
    expect(frames[1]).toMatchObject({ size: rest.length, isJson, torn: !isJson });
    expect(frames.length).toBe(2);
  }
});

test('a message needs no line of its own', async () => {
  const text = `{\n"id": 1,\r\n"result":\n"${long()}"\n}\n`;
  const frame = await readFrame(source(text, [10, 700_000]));
  expect(frame).toMatchObject({ id: 1, answers: 'result', isJson: true, size: text.length });
  expect(await bytesOf(frame)).toBe(text);
  await frame.release();
  expect(await readFrame(source('{\n"id": 1}'))).toMatchObject({ id: 1, message: { id: 1 } });
  expect(await readFrame(source('{'))).toMatchObject({ isJson: false, torn: false, message: undefined });
});

test('a message in memory is parsed whatever its size', () => {
  const bytes = Buffer.from(`{"result":"${long()}","id":1}`);
  const frame = frameOf(bytes);
  expect(frame).toMatchObject({ id: 1, answers: 'result', message: { result: long() } });
  expect(frame.bytes()).toBe(bytes);
});

function spoolTaking(path?: readonly string[]) {
  const folder = tempFolder();
  const heads: Head[] = [];
  const begin = async (head: Head): Promise<Taking> => {
    heads.push(head);
    return { draft: await openSpool({ folder }).begin({ kind: 'tool' }), limits: LIMITS, path };
  };
  return { folder, heads, options: { begin, folder } };
}

test('the result of a large frame is taken in, and all of it kept', async () => {
  const result = { content: [{ type: 'text', text: long('é') }], structuredContent: { list: [1, 2] } };
  const { heads, options } = spoolTaking();
  const json = JSON.stringify(result);
  const frame = await oneFrame(`{"result": ${json} ,"extra":[1.0],"jsonrpc":"2.0","id":5}\r\n`, options);
  expect(heads).toEqual([{ id: 5, method: undefined, answers: 'result' }]);
  const takenIn = await frame.takeIn?.();
  expect(takenIn).toMatchObject({ chars: json.length, bytes: Buffer.byteLength(json) });
  const { content } = (takenIn as TakenIn).held as unknown as { content: { text: Held }[] };
  expect(content[0]?.text).toBeInstanceOf(LongText);
  expect(content[0]?.text).toMatchObject({ chars: LARGE, part: '1' });
  expect(await bytesOf(frame)).toBe(`{"result": ${json} ,"extra":[1.0],"jsonrpc":"2.0","id":5}`);
  expect((await frame.withTaken('{"short":1}')).toString()).toBe(
    '{"result": {"short":1} ,"extra":[1.0],"jsonrpc":"2.0","id":5}',
  );
  const kept = await takenIn?.draft?.publish();
  if (!kept || 'reason' in kept) throw new Error('it was not kept');
  await frame.release();
  expect(await restore(kept)).toEqual(result);
});

test('a result within a result can be taken in', async () => {
  const { options } = spoolTaking(['result', 'result']);
  const frame = await oneFrame(
    `{"id":1,"result":{"status":"completed","n":[{"result":1}],"result":{"content":[{"text":"${long()}"}]},"ttl":null}}`,
    options,
  );
  expect((await frame.takeIn?.())?.held).toMatchObject({ content: [{ text: { chars: LARGE } }] });
  expect((await frame.withTaken('{}')).toString()).toBe(
    '{"id":1,"result":{"status":"completed","n":[{"result":1}],"result":{},"ttl":null}}',
  );
});

test.each([
  ['an error', `{"id":1,"error":{"data":"${long()}"}}`],
  ['a request', `{"id":1,"method":"x","params":{"result":"${long()}"}}`],
  ['what is no JSON', `{"id":1,"result":{"a":"${long()}"},}`],
])('%s is not taken in', async (_, text) => {
  const { heads, options } = spoolTaking();
  const frame = await oneFrame(text, options);
  expect(frame.takeIn).toBe(undefined);
  expect(heads).toEqual([]);
  expect((await frame.withTaken('{}')).toString()).toBe(text);
});

test('a result that is not where it should be is not taken in', async () => {
  const { options } = spoolTaking(['result', 'result']);
  const frame = await oneFrame(`{"id":1,"result":{"status":"working","x":"${long()}"}}`, options);
  expect(frame).toMatchObject({ isJson: true, answers: 'result' });
  expect(await frame.takeIn?.()).toBe(undefined);
});

test('of two results nobody knows which counts: none is taken in', async () => {
  const { options } = spoolTaking();
  const frame = await oneFrame(`{"id":1,"result":{"a":"${long()}"},"result":{"b":1}}`, options);
  await expect(frame.takeIn?.()).rejects.toThrow(JsonError);
});

test('where no file can be made, the bytes are held in memory', async () => {
  const { options } = spoolTaking();
  const text = `{"id":1,"result":{"content":[{"text":"${long('é')}"}]}}`;
  const frame = await oneFrame(text, { ...options, folder: join(tempFolder(), 'missing') });
  expect((await frame.takeIn?.())?.held).toMatchObject({ content: [{ text: { chars: LARGE } }] });
  expect(await bytesOf(frame)).toBe(text);
  expect((await frame.withTaken('{}')).toString()).toBe('{"id":1,"result":{}}');
});

test('nothing is left in the folder, and a draft that was not published is gone', async () => {
  const { folder, options } = spoolTaking();
  const frame = await oneFrame(`{"id":1,"result":{"content":[{"text":"${long()}"}]}}`, options);
  expect(readdirSync(folder).filter((name) => name.startsWith('plimsoll-'))).toEqual([]);
  const takenIn = await frame.takeIn?.();
  await frame.release();
  await frame.release();
  expect(await takenIn?.draft?.publish()).toMatchObject({ reason: 'it was given up' });
  await expect(bytesOf(frame)).rejects.toThrow('a message was let go before it was read');
});

test('frames are read no faster than they are taken', async () => {
  let read = 0;
  async function* lines() {
    for (; read < 100; read++) yield Buffer.from('{"id":1}\n');
  }
  for await (const frame of readFrames(lines())) {
    expect(frame.id).toBe(1);
    if (read >= 3) break;
  }
  expect(read).toBe(3);
});

test('a large batch is held, so that its messages can be looked at', async () => {
  const text = `[{"id":1,"result":"${long()}"},{"id":2,"method":"x"}]`;
  const frame = await oneFrame(text);
  expect(frame).toMatchObject({ isJson: true, torn: false, size: text.length, takeIn: undefined });
  expect((frame.message as { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
  expect(await bytesOf(frame)).toBe(text);
});
