import { expect, test } from 'vitest';
import { bounded, valuesOfEvents, valuesOfLines } from './stream.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

const VALUES = [{ text: 'Grüße' }, { text: '🚢\n', done: true }];

test.each([1, 2, 3, 7, 1000])('JSON Lines in pieces of %i bytes', async (size) => {
  const text = `${JSON.stringify(VALUES[0])}\r\n\n${JSON.stringify(VALUES[1])}`;
  expect(await all(valuesOfLines(inPieces(text, size)))).toEqual(VALUES);
});

test.each([1, 2, 3, 7, 1000])('events in pieces of %i bytes', async (size) => {
  const [first, second] = VALUES.map((value) => JSON.stringify(value));
  const text = `: waiting\n\ndata: ${first}\n\nevent: message\ndata:${second}\n\ndata: [DONE]\n\ndata: {"late":1}\n\n`;
  expect(await all(valuesOfEvents(inPieces(text, size)))).toEqual(VALUES);
});

test('the last event may have no end', async () => {
  expect(await all(valuesOfEvents(inPieces('data: {"a":1}\n\ndata: [DONE]', 5)))).toEqual([{ a: 1 }]);
});

test('what is no JSON is undefined', async () => {
  expect(await all(valuesOfLines(inPieces('{"a":1}\n<html>\n{"a":', 4)))).toEqual([
    { a: 1 },
    undefined,
    undefined,
  ]);
  expect(await all(valuesOfEvents(inPieces('data: <html>\n\n', 4)))).toEqual([undefined]);
});

test('an answer without end is ended', async () => {
  let given = 0;
  async function* endless() {
    for (;;) {
      given++;
      yield Buffer.alloc(64 * 1024, ' ');
    }
  }
  await expect(all(bounded(endless(), 100))).rejects.toMatchObject({ code: 'MODEL_ANSWER_CUT' });
  expect(given * 64).toBeLessThan(2048);
});

test('an event without end is ended', async () => {
  async function* endless() {
    for (;;) yield Buffer.from(`data: ${'x'.repeat(64 * 1024)}`);
  }
  await expect(all(valuesOfEvents(bounded(endless(), 100)))).rejects.toMatchObject({
    code: 'MODEL_ANSWER_CUT',
  });
});

test('a stream is let go of after its last event', async () => {
  let isClosed = false;
  async function* open() {
    try {
      for (;;) yield Buffer.from('data: [DONE]\n\n');
    } finally {
      isClosed = true;
    }
  }
  expect(await all(valuesOfEvents(open()))).toEqual([]);
  expect(isClosed).toBe(true);
});
