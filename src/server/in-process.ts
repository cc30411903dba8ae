import { buffer } from 'node:stream/consumers';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { frameOf } from '../wrap/frame.ts';
import { parsed } from '../wrap/http/messages.ts';
import { Queue } from '../wrap/http/queue.ts';
import type { Frame, Outgoing, Peer } from '../wrap/types.ts';

/** The largest message that is taken from a client, in bytes: it is parsed as a whole. */
const LARGEST = 32 * 1024 * 1024;

const INVALID_REQUEST = -32600;
const NO_REQUEST = 'This is no request of MCP.';

/** A server in this process, as the relay sees one, and the transport that the server is connected to. */
export interface InProcess {
  readonly peer: Peer;
  readonly transport: Transport;
}

/**
 * Joins a server in this process to a relay. Messages are JSON on their way, so that nothing is shared; those of a batch
 * (2025-03-26) come one by one. `onTaken` is told what the client sent, after the server.
 */
export function inProcess(onTaken: (message: JSONRPCMessage) => void): InProcess {
  const frames = new Queue<Frame>();
  let settle = (_reason: string) => {};
  const gone = new Promise<string>((resolve) => {
    settle = resolve;
  });
  let isOpen = true;

  const transport: Transport = {
    async start() {},
    async send(message: JSONRPCMessage) {
      await frames.put(frameOf(Buffer.from(JSON.stringify(message))));
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      frames.close();
      settle('has been closed');
      transport.onclose?.();
    },
  };

  async function take(given: unknown): Promise<void> {
    const message = messageIn(given);
    if (!message) return refuse(given, NO_REQUEST);
    transport.onmessage?.(message);
    onTaken(message);
  }

  async function refuse(given: unknown, problem: string): Promise<void> {
    const id = idOf(given);
    if (id === undefined) return;
    await transport.send({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: problem } });
  }

  const peer: Peer = {
    frames,
    gone,
    async send({ bytes, message }: Outgoing) {
      if (!isOpen) return;
      const json = Buffer.isBuffer(bytes) ? bytes : await upTo(LARGEST, bytes);
      if (!json) return refuse(message, `A request has at most ${LARGEST} bytes.`);
      const given = parsed(json);
      if (given === undefined) return refuse(message, NO_REQUEST);
      for (const one of Array.isArray(given) ? given : [given]) await take(one);
    },
    close: () => transport.close(),
  };
  return { peer, transport };
}

/** All bytes, if there are no more than `most`. The rest is read and dropped. */
async function upTo(most: number, bytes: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  let size = 0;
  async function* counted() {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size <= most) yield chunk;
    }
  }
  const all = await buffer(counted());
  return size <= most ? all : undefined;
}

/** A call's arguments that are `null` are left out, as some clients say so that there are none. */
function messageIn(given: unknown): JSONRPCMessage | undefined {
  try {
    const message = parseJSONRPCMessage(given);
    if ('params' in message && message.params?.arguments === null) delete message.params.arguments;
    return message;
  } catch {
    return undefined;
  }
}

/** The id of what looks like a request. */
function idOf(message: unknown): string | number | undefined {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
