import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** What a server answers. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | Readable;
}

/** How an answer fails on its way. Bytes are those of the body as it is sent. */
export type Fault =
  /** Nothing more comes, and the connection stays open. Without `afterBytes` not even the head is sent. */
  | { readonly kind: 'stall'; readonly afterBytes?: number }
  /** The connection is cut. Only visible to the client if the body is longer. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number };

const PIECES_A_SECOND = 20;

/** Sends an answer, as a fault has it. A client that leaves before the end is no error. */
export async function send(response: ServerResponse, answer: Answer, fault?: Fault): Promise<void> {
  const body = streamOf(answer.body);
  response.once('close', () => body.destroy());
  if (fault?.kind === 'stall' && fault.afterBytes === undefined) return;
  response.writeHead(answer.status, answer.headers);
  response.flushHeaders();
  try {
    await sendBody(response, body, fault);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}

async function sendBody(response: ServerResponse, body: Readable, fault?: Fault): Promise<void> {
  let left = fault && 'afterBytes' in fault ? (fault.afterBytes ?? 0) : Number.POSITIVE_INFINITY;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (left === 0) break;
    const wanted = chunk.subarray(0, left);
    left -= wanted.length;
    if (fault?.kind === 'slow') await writeSlowly(response, wanted, fault.bytesPerSecond);
    else await write(response, wanted);
  }
  if (fault?.kind === 'cut') response.destroy();
  else if (fault?.kind !== 'stall') response.end();
}

async function writeSlowly(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): Promise<void> {
  const length = Math.ceil(bytesPerSecond / PIECES_A_SECOND);
  for (let at = 0; at < bytes.length && !response.destroyed; at += length) {
    await write(response, bytes.subarray(at, at + length));
    await pause((length / bytesPerSecond) * 1000);
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}

function streamOf(body: Answer['body']): Readable {
  if (body instanceof Readable) return body;
  return Readable.from(body === undefined || body.length === 0 ? [] : [Buffer.from(body as Buffer)]);
}
