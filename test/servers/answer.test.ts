import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Fault, send } from './answer.ts';
import { listen, stop } from './listen.ts';

const BODY = Buffer.alloc(1000, 'body ');

async function serve(fault?: Fault): Promise<string> {
  const server = createServer((_request, response) => {
    send(response, { status: 200, headers: { 'Content-Length': String(BODY.length) }, body: BODY }, fault);
  });
  const port = await listen(server);
  onTestFinished(() => stop(server));
  return `http://127.0.0.1:${port}`;
}

/** Reads until the body ends or fails. */
async function read(response: Response, look = (_length: number) => {}) {
  let length = 0;
  try {
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      length += chunk.length;
      look(length);
    }
    return { length, end: 'whole' };
  } catch {
    return { length, end: 'cut' };
  }
}

test('without a fault an answer comes whole', async () => {
  expect(await read(await fetch(await serve()))).toEqual({ length: 1000, end: 'whole' });
});

test('an answer is cut off after some bytes', async () => {
  expect(await read(await fetch(await serve({ kind: 'cut', afterBytes: 300 })))).toEqual({
    length: 300,
    end: 'cut',
  });
});

test('a slow answer takes its time, and comes whole', async () => {
  const url = await serve({ kind: 'slow', bytesPerSecond: 2000 });
  const start = performance.now();
  expect(await read(await fetch(url))).toEqual({ length: 1000, end: 'whole' });
  expect(performance.now() - start).toBeGreaterThan(400);
});

test('an answer stalls on its way', async () => {
  const client = new AbortController();
  const response = await fetch(await serve({ kind: 'stall', afterBytes: 300 }), { signal: client.signal });
  const loseFaith = (length: number) => {
    if (length === 300) setTimeout(() => client.abort(), 200);
  };
  expect(await read(response, loseFaith)).toEqual({ length: 300, end: 'cut' });
});

test('a server may never answer at all', async () => {
  const url = await serve({ kind: 'stall' });
  await expect(fetch(url, { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout');
});
