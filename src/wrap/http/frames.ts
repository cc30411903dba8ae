import { frameOf } from '../frame.ts';
import type { Frame } from '../types.ts';
import { bodyOf } from './body.ts';
import { oneLine, oneLineOf } from './one-line.ts';

/** Reads one message of any size. */
export type ReadFrame = (source: AsyncIterable<Uint8Array>) => Promise<Frame>;

/** The message that bytes are, on one line. Those that are no small message are read with `read`. */
export async function frameFrom(source: Buffer | AsyncIterable<Uint8Array>, read: ReadFrame): Promise<Frame> {
  const body = Buffer.isBuffer(source) ? source : await bodyOf(source);
  return Buffer.isBuffer(body) ? frameOf(oneLine(body)) : await read(oneLineOf(body));
}
