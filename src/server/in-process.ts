import { buffer } from 'node:stream/consumers';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { frameOf } from '../wrap/frame.ts';
import { parsed } from '../wrap/http/messages.ts';
import { Queue } from '../wrap/http/queue.ts';
import type { Frame, Outgoing, Peer } from '../wrap/types.ts';

/** The largest message that is taken from a client, in bytes: it is parsed as a whole. */
const LARGEST = 32 * 1024 * 1024;

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
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
      await frames.put(frameOf(Buffer.from(JSON.stringify(inOneLine(message)))));
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

/**
 * A call's arguments that are `null` are left out, as some clients say so that there are none. Others that are no object come
 * to the tool as one with them in it, which the tool refuses in words for a model.
 */
function messageIn(given: unknown): JSONRPCMessage | undefined {
  try {
    const message = parseJSONRPCMessage(given);
    if (!('method' in message) || message.params === undefined) return message;
    const { arguments: args } = message.params;
    if (args === null) delete message.params.arguments;
    else if (message.method === 'tools/call' && args !== undefined && !isObject(args)) {
      message.params.arguments = { arguments: args };
    }
    return message;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

/** What the SDK says of params that aren't as they must be is JSON on many lines, and most often no fault of the client's. */
function inOneLine(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const issues = issuesIn(message.error.message);
  if (!issues) return message;
  const said = issues.map(({ path = [], message }) => `${path.join('.')}: ${message}`).join('; ');
  return { ...message, error: { ...message.error, code: INVALID_PARAMS, message: said } };
}

function issuesIn(text: string): readonly { path?: readonly PropertyKey[]; message?: string }[] | undefined {
  const start = text.indexOf('[\n');
  if (start < 0) return undefined;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
}

/** The id of what looks like a request. */
function idOf(message: unknown): string | number | undefined {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
