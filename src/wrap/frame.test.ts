import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { chunksOf } from '../json/json.testing.ts';
import { type FrameOptions, frameOf, readFrame, readFrames } from './frame.ts';
import type { Head } from './head.ts';
import { bytesOf } from './places.ts';
import type { Frame } from './types.ts';

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

async function wholeOf(frame: Frame): Promise<string> {
  return (await bytesOf(frame)).toString();
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
        seen.push(await wholeOf(frame));
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

test.each([
  ['small', '{"id":7,"result":{}}'],
  ['large', `{"id":7,"result":"${long('é')}"}`],
  ['in a batch', `[{"id":7,"result":"${long()}"}]`],
])('a byte order mark before a message is no part of it: %s', async (_, text) => {
  const frames = await framesOf(`\uFEFF${text}\n\uFEFF${text}`, [1, 2, 5]);
  for (const frame of frames) {
    expect(frame).toMatchObject({ isJson: true, size: Buffer.byteLength(text) });
    expect(await wholeOf(frame)).toBe(text);
  }
  expect(frames).toHaveLength(2);
  expect(await wholeOf(frameOf(Buffer.from(`\uFEFF${text}`)))).toBe(text);
});

test('a message needs no line of its own', async () => {
  const text = `{\n"id": 1,\r\n"result":\n"${long()}"\n}\n`;
  const frame = await readFrame(source(text, [10, 700_000]));
  expect(frame).toMatchObject({ id: 1, answers: 'result', isJson: true, size: text.length });
  expect(await wholeOf(frame)).toBe(text);
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

test('any bytes of a frame can be read, of small ones and of large ones', async () => {
  for (const text of ['{"id":1,"result":"é"}', `{"id":1,"result":"${long('é')}"}`]) {
    const frame = await oneFrame(text);
    const bytes = Buffer.from(text);
    for (const [from, to] of [
      [0, 1],
      [7, bytes.length],
      [bytes.length - 5, bytes.length],
      [3, 3],
    ] as const) {
      expect((await bytesOf(frame, from, to)).equals(bytes.subarray(from, to))).toBe(true);
    }
  }
});

test('where no file can be made, the bytes are held in memory', async () => {
  const text = `{"id":1,"result":{"content":[{"text":"${long('é')}"}]}}`;
  const frame = await oneFrame(text, { folder: join(tempFolder(), 'missing') });
  expect(frame).toMatchObject({ id: 1, answers: 'result', message: undefined });
  expect(await wholeOf(frame)).toBe(text);
  expect((await bytesOf(frame, 100, 200)).length).toBe(100);
});

test('nothing is left in the folder, and a frame that was let go is gone', async () => {
  const folder = tempFolder();
  const frame = await oneFrame(`{"id":1,"result":{"content":[{"text":"${long()}"}]}}`, { folder });
  expect(readdirSync(folder)).toEqual([]);
  await frame.release();
  await frame.release();
  await expect(wholeOf(frame)).rejects.toThrow('a message was let go before it was read');
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
  expect(frame).toMatchObject({ isJson: true, torn: false, size: text.length });
  expect((frame.message as { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
  expect(await wholeOf(frame)).toBe(text);
});
