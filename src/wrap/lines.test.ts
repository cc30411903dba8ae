import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { LineWriter } from './lines.ts';

/** A stream that takes a piece at a time, when it is told to. */
function slowStream() {
  const taken: string[] = [];
  let next: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 10,
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      next = done;
    },
  });
  return { stream, taken, take: () => next?.() };
}

async function settles(promise: Promise<unknown>): Promise<boolean> {
  const first = await Promise.race([
    promise.then(() => 'settled'),
    new Promise((resolve) => setImmediate(resolve, 'not')),
  ]);
  return first === 'settled';
}

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test('every frame is a line, whole, in the order in which it was sent', async () => {
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  const lines = new LineWriter(stream);
  const large = Buffer.alloc(100_000, 'x');
  lines.send({ bytes: Buffer.from('one') });
  lines.send({ bytes: pieces('tw', 'o') });
  lines.send({ bytes: large });
  lines.send({ bytes: pieces() });
  await lines.send({ bytes: Buffer.from('last') });
  expect(String(stream.read())).toBe(`one\ntwo\n${large}\n\nlast\n`);
});

test('a small frame and its newline are one write', async () => {
  const { stream, taken } = slowStream();
  new LineWriter(stream).send({ bytes: Buffer.from('{}') });
  expect(taken).toEqual(['{}\n']);
});

test('sending settles when the stream can take more', async () => {
  const { stream, take } = slowStream();
  const lines = new LineWriter(stream);
  expect(await settles(lines.send({ bytes: Buffer.from('small') }))).toBe(true);
  const second = lines.send({ bytes: Buffer.from('more than the stream holds') });
  expect(await settles(second)).toBe(false);
  take();
  take();
  expect(await settles(second)).toBe(true);
});

test('pieces come as the stream takes them', async () => {
  const { stream, taken, take } = slowStream();
  let made = 0;
  async function* many() {
    for (; made < 10; made++) yield Buffer.from('more than it holds');
  }
  const sent = new LineWriter(stream).send({ bytes: many() });
  expect(await settles(sent)).toBe(false);
  expect(made).toBe(0);
  take();
  expect(await settles(sent)).toBe(false);
  expect(made).toBe(1);
  while (!(await settles(sent))) take();
  expect(taken.join('')).toBe(`${'more than it holds'.repeat(10)}\n`);
});

test('many who wait leave no listeners behind', async () => {
  const { stream, take } = slowStream();
  const lines = new LineWriter(stream);
  const sent = Array.from({ length: 100 }, () => lines.send({ bytes: Buffer.from('more than it holds') }));
  const count = stream.listenerCount('drain');
  expect(count).toBe(1);
  for (let taken = 0; taken < 100; taken++) {
    take();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(sent);
  expect(stream.listenerCount('drain')).toBe(0);
});

test('pieces that can not be read do not break the line after them', async () => {
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  const lines = new LineWriter(stream);
  async function* broken() {
    yield Buffer.from('{"a":');
    throw new Error('EIO');
  }
  await lines.send({ bytes: broken() });
  await lines.send({ bytes: Buffer.from('{}') });
  expect(String(stream.read())).toBe('{"a":\n{}\n');
});

test('a stream that breaks or closes takes everything and does nothing', async () => {
  const { stream } = slowStream();
  const lines = new LineWriter(stream);
  const waiting = lines.send({ bytes: Buffer.from('more than the stream holds') });
  stream.destroy(new Error('EPIPE'));
  await waiting;
  await lines.send({ bytes: Buffer.from('x') });
  await lines.send({ bytes: pieces('x') });
  await lines.flushed();
});
