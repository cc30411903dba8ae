import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** The built command. */
export const MAIN = resolve('dist/cli/main.js');
const BRIDGE = resolve('test/servers/mcp-bridge.mjs');

// biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely
export type Json = any;

/** A message as it came. */
export interface Received {
  readonly raw: string;
  readonly message: Json;
}

/** A folder that lasts as long as the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-wrap-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment without settings of the one who runs the tests; all data goes into `folder`. */
export function environment(folder: string): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(PLIMSOLL|GOPHER|GPTME)_/.test(name));
  return { ...(Object.fromEntries(own) as Record<string, string>), PLIMSOLL_DATA_DIR: folder };
}

/** One end of newline-delimited JSON-RPC, with nothing that hides what is on the wire. */
export class Line {
  readonly #out: Writable;
  readonly #waiting: Received[] = [];
  #wakes: (() => void)[] = [];
  #ended = false;

  constructor(input: Readable, out: Writable) {
    this.#out = out;
    this.#out.on('error', () => {});
    let pieces: Buffer[] = [];
    input.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        pieces.push(chunk.subarray(start, end));
        this.#take(Buffer.concat(pieces).toString());
        pieces = [];
        start = end + 1;
      }
      if (start < chunk.length) pieces.push(chunk.subarray(start));
    });
    input.on('close', () => {
      this.#ended = true;
      this.#wakeAll();
    });
  }

  #take(raw: string): void {
    this.#waiting.push({ raw, message: JSON.parse(raw) });
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /** Sends a message, or a line as it is, and gives the line. */
  send(message: object | string): string {
    const line = typeof message === 'string' ? message : JSON.stringify(message);
    this.#out.write(`${line}\n`);
    return line;
  }

  /** The next message that has not been taken yet, or the next such one; rejects when there can be no more. */
  async next(matches: (message: Json) => boolean = () => true): Promise<Received> {
    for (;;) {
      const index = this.#waiting.findIndex(({ message }) => matches(message));
      if (index >= 0) return this.#waiting.splice(index, 1)[0] as Received;
      if (this.#ended) throw new Error('The other side is gone');
      await new Promise<void>((wake) => this.#wakes.push(wake));
    }
  }

  /** The answer to a request. */
  answer(id: unknown): Promise<Received> {
    return this.next((message) => message.id === id && message.method === undefined);
  }

  end(): void {
    this.#out.end();
  }
}

/**
 * A child whose standard error is gathered, and which ends with the test: at SIGTERM, so that it ends what it has started
 * first, which may write into the test's folder to its last moment.
 */
export interface Running {
  readonly child: ChildProcess;
  stderr(): string;
}

export function run(
  command: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return { child, stderr: () => Buffer.concat(errors).toString() };
}

export interface Wrapping {
  /** Options of `plimsoll wrap`. */
  readonly options?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** The command that wraps another. */
export function wrapCommand(options: readonly string[], command: readonly string[]): string[] {
  return [process.execPath, MAIN, 'wrap', ...options, '--', ...command];
}

/** `plimsoll wrap` between a client and a server that the test both plays. */
export interface Wrapped extends Running {
  readonly client: Line;
  readonly server: Line;
  /** Cuts the server off. */
  readonly socket: Socket;
  /** The data folder. */
  readonly folder: string;
  /** Shakes hands as a client of before 2026-07-28; gives what each side has got. */
  open(handshake?: Handshake): Promise<{ request: Received; answer: Received }>;
  /** Calls a tool, which answers with `result`; gives what the client gets. */
  call(result: unknown, params?: Json): Promise<Received>;
  /** Sends any request and answers it with `result`; gives what the client gets. */
  ask(method: string, params: Json, result: unknown): Promise<Received>;
}

export interface Handshake {
  readonly protocolVersion?: string;
  readonly clientInfo?: Json;
  readonly clientCapabilities?: Json;
  readonly capabilities?: Json;
  readonly instructions?: string;
  /** Answered to `tools/list`, if given. */
  readonly tools?: readonly Json[];
}

export async function wrapped({ options = [], env = {}, cwd }: Wrapping = {}): Promise<Wrapped> {
  const folder = temporaryFolder();
  const path = join(folder, 'socket');
  const listener = createServer();
  listener.listen(path);
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const running = run(wrapCommand(options, [process.execPath, BRIDGE, path]), {
    env: { ...environment(folder), ...env },
    ...(cwd !== undefined && { cwd }),
  });
  const [socket] = (await once(listener, 'connection')) as [Socket];
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const client = new Line(running.child.stdout as Readable, running.child.stdin as Writable);
  const server = new Line(socket, socket);
  let id = 0;

  const ask = async (method: string, params: Json, result: unknown) => {
    id += 1;
    const key = `ask-${id}`;
    client.send({ jsonrpc: '2.0', id: key, method, params });
    await server.next((message) => message.id === key);
    server.send({ jsonrpc: '2.0', id: key, result });
    return client.answer(key);
  };
  const open = async (handshake: Handshake = {}) => {
    const params = {
      protocolVersion: handshake.protocolVersion ?? '2025-11-25',
      capabilities: handshake.clientCapabilities ?? {},
      clientInfo: handshake.clientInfo ?? { name: 'someone', version: '1' },
    };
    client.send({ jsonrpc: '2.0', id: 'open', method: 'initialize', params });
    const request = await server.next((message) => message.method === 'initialize');
    const { protocolVersion } = params;
    const capabilities = handshake.capabilities ?? { tools: {} };
    const serverInfo = { name: 'played', version: '1' };
    const { instructions } = handshake;
    server.send({
      jsonrpc: '2.0',
      id: 'open',
      result: { protocolVersion, capabilities, serverInfo, ...(instructions && { instructions }) },
    });
    const answer = await client.answer('open');
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await server.next((message) => message.method === 'notifications/initialized');
    if (handshake.tools) await ask('tools/list', {}, { tools: handshake.tools });
    return { request, answer };
  };
  const call = (result: unknown, params: Json = { name: 'tool', arguments: {} }) =>
    ask('tools/call', params, result);
  return { ...running, client, server, socket, folder, open, call, ask };
}
