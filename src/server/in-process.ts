import { buffer } from 'node:stream/consumers';
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { frameOf } from '../wrap/frame.ts';
import { Queue } from '../wrap/http/queue.ts';
import type { Frame, Outgoing, Peer } from '../wrap/types.ts';

/** The largest message that is taken from a client, in bytes: it is parsed as a whole. */
const LARGEST = 32 * 1024 * 1024;

const INVALID_REQUEST = -32600;

/** A server in this process, as the relay sees one, and the transport that the server is connected to. */
export interface InProcess {
  readonly peer: Peer;
  readonly transport: Transport;
}

/**
 * Joins a server in this process to a relay. Messages are JSON on their way, so that nothing is shared. `onTaken` is told
 * what the client sent, after the server.
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

  const peer: Peer = {
    frames,
    gone,
    async send({ bytes, message }: Outgoing) {
      if (!isOpen) return;
      const json = Buffer.isBuffer(bytes) ? bytes : await upTo(LARGEST, bytes);
      const taken = json && messageIn(json);
      if (taken) {
        transport.onmessage?.(taken);
        onTaken(taken);
        return;
      }
      const id = idOf(message);
      if (id === undefined) return;
      const problem = json ? 'This is no request of MCP.' : `A request has at most ${LARGEST} bytes.`;
      await transport.send({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: problem } });
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

function messageIn(json: Buffer): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(json.toString());
  } catch {
    return undefined;
  }
}

/** The id of what looks like a request. */
function idOf(message: unknown): string | number | undefined {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
