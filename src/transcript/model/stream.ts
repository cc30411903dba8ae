import { PlimsollError } from '../../errors.ts';
import { EventReader } from '../../wrap/http/sse.ts';
import { parsed } from '../read/lines.ts';
import { failure } from './failure.ts';

const LINE_END = 0x0a;

/** What ends the events of an answer in the protocol of OpenAI. */
const LAST = '[DONE]';

/** How long an answer's stream may be, in bytes: for any, and for each token of it, which has a line of its own. */
const MOST_BYTES = 1024 * 1024;
const MOST_BYTES_OF_A_TOKEN = 4096;

/** The bytes of an answer as they come. Throws `MODEL_ANSWER_CUT` for one that doesn't end where it should. */
export async function* bounded(bytes: AsyncIterable<Buffer>, mostTokens: number): AsyncGenerator<Buffer> {
  let left = MOST_BYTES + mostTokens * MOST_BYTES_OF_A_TOKEN;
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) {
      throw failure(
        'MODEL_ANSWER_CUT',
        `The answer did not end after its limit of ${mostTokens} tokens: ask again, or take another model.`,
      );
    }
    yield chunk;
  }
}

/** The values of JSON Lines; `undefined` for a line that is none, as the last one of a stream that was cut. */
export async function* valuesOfLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  let pieces: Buffer[] = [];
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      yield* parsedIn(Buffer.concat([...pieces, chunk.subarray(from, end)]));
      pieces = [];
      from = end + 1;
    }
    pieces.push(chunk.subarray(from));
  }
  yield* parsedIn(Buffer.concat(pieces));
}

/** The values of an event stream up to the event that is its last; `undefined` for one that is no JSON. */
export async function* valuesOfEvents(bytes: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  const reader = new EventReader(bytes);
  try {
    for (let event = await reader.next(); event; event = await reader.next()) {
      const data = await whole(event.data);
      if (data.toString().trim() === LAST) return;
      yield* parsedIn(data);
    }
  } finally {
    await reader.close();
  }
}

/** An event's data; of one that has no end, as some servers leave the last one, what is there. */
async function whole(data: Buffer | AsyncIterable<Buffer>): Promise<Buffer> {
  if (Buffer.isBuffer(data)) return data;
  const pieces: Buffer[] = [];
  try {
    for await (const piece of data) pieces.push(piece);
  } catch (error) {
    if (error instanceof PlimsollError) throw error;
  }
  return Buffer.concat(pieces);
}

function* parsedIn(bytes: Buffer): Generator<unknown> {
  const text = bytes.toString();
  if (text.trim() !== '') yield parsed(text);
}
