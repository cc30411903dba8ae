import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader } from './sse.ts';

async function eventsIn(
  chunks: Iterable<Buffer>,
): Promise<{ events: [string, string][]; reader: EventReader }> {
  const reader = new EventReader(each(chunks));
  const events: [string, string][] = [];
  for (let event = await reader.next(); event; event = await reader.next()) {
    const pieces: Uint8Array[] = [];
    if (Buffer.isBuffer(event.data)) pieces.push(event.data);
    else for await (const piece of event.data) pieces.push(piece);
    events.push([event.type, Buffer.concat(pieces).toString()]);
  }
  return { events, reader };
}

async function* each(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}

function cutAt(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length));
}

test('reads types, data of several lines, ids and the time to wait', async () => {
  const text = [
    ': hello',
    'event: endpoint\ndata: /messages\n',
    'id: 7\nretry: 250\ndata: {"a":\ndata:1}\n',
    'data\nignored: x\n',
    'id: bad\0id\ndata:  two spaces\n\n',
  ].join('\n');
  const { events, reader } = await eventsIn([Buffer.from(text)]);
  expect(events).toEqual([
    ['endpoint', '/messages'],
    ['message', '{"a":\n1}'],
    ['message', ' two spaces'],
  ]);
  expect([reader.lastId, reader.retry]).toEqual(['7', 250]);
});

test('however the bytes are cut and whatever ends the lines, the events are the same', async () => {
  const event = fc.record({
    id: fc.option(fc.stringMatching(/^[a-z0-9-]{1,5}$/), { nil: undefined }),
    data: fc.array(fc.stringMatching(/^[^\r\n\0 ][^\r\n\0]*$/), { minLength: 1, maxLength: 3 }),
  });
  const cuts = fc.array(fc.nat(500), { maxLength: 20 });
  const ends = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 5 }), ends, cuts, async (sent, end, places) => {
      const text = sent
        .flatMap(({ id, data }) => [
          ...(id === undefined ? [] : [`id: ${id}`]),
          ...data.map((line) => `data: ${line}`),
          '',
        ])
        .map((line) => line + end)
        .join('');
      const { events, reader } = await eventsIn(cutAt(text, places));
      expect(events).toEqual(sent.map(({ data }) => ['message', data.join('\n')]));
      expect(reader.lastId).toBe(sent.findLast(({ id }) => id !== undefined)?.id);
    }),
  );
});

test('an event that broke off is none, and its id does not count', async () => {
  const { events, reader } = await eventsIn([Buffer.from('id: 1\ndata: a\n\nid: 2\n')]);
  expect(events).toEqual([['message', 'a']]);
  expect(reader.lastId).toBe('1');
  await expect(eventsIn([Buffer.from('data: a')])).rejects.toThrow('within an event');
});

test('the data of a large event comes piece by piece, and what is not read is skipped', async () => {
  let read = 0;
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from('data: ');
    for (; read < 100; read += 1) yield Buffer.alloc(1000, 'x');
    yield Buffer.from('\n\ndata: next\n\n');
  }
  const reader = new EventReader(source());
  const first = await reader.next();
  expect(read).toBeLessThan(3);
  expect(Buffer.isBuffer(first?.data)).toBe(false);
  expect((await reader.next())?.data.toString()).toBe('next');
  expect(await reader.next()).toBeUndefined();
});
