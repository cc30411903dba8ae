import { bufferOf } from './one-line.ts';

/** What is gathered before a body counts as large, in bytes. */
const SMALL = 512 * 1024;

/** A body: whole if it is small, else as it comes. */
export async function bodyOf(source: AsyncIterable<Uint8Array>): Promise<Buffer | AsyncIterable<Buffer>> {
  const chunks = source[Symbol.asyncIterator]();
  const gathered: Buffer[] = [];
  let size = 0;
  while (size <= SMALL) {
    const { done, value } = await chunks.next();
    if (done) return Buffer.concat(gathered);
    gathered.push(bufferOf(value));
    size += value.length;
  }
  return rest(gathered, chunks);
}

/** A body as a whole; undefined if it is larger than allowed, in bytes. */
export async function wholeOf(
  body: Buffer | AsyncIterable<Uint8Array>,
  most: number,
): Promise<Buffer | undefined> {
  if (Buffer.isBuffer(body)) return body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) return undefined;
  }
  return Buffer.concat(chunks);
}

async function* rest(gathered: Buffer[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* gathered.splice(0);
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield bufferOf(next.value);
  } finally {
    await chunks.return?.();
  }
}
