import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LineWriter } from './lines.ts';
import type { Frame, Outgoing, Peer } from './types.ts';

/** How frames are read out of bytes. */
export type ReadFrames = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Frame>;

/**
 * How long a server that should end is waited for before SIGTERM, and again before SIGKILL, in milliseconds. Both
 * together are less than the clients' own patience with us, so that no server outlives a client.
 */
const PATIENCE = 1500;

/** How long an ended server's output is waited for while nothing comes: others may hold it open. In milliseconds. */
const SILENCE = 500;

/** The most of a server's stderr that waits for its reader, in bytes. */
const MOST_WAITING = 1024 * 1024;

/** A server that is a process of ours. */
export interface ServerProcess extends Peer {
  /** Passes a signal on. If the server doesn't end of it in time, or at a second signal, it is killed. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts an MCP server that speaks over its standard streams. What it writes to stderr comes out of ours; what nobody
 * reads there is dropped and counted, and the server is never held up by it.
 */
export function startServer(command: string, args: readonly string[], read: ReadFrames): ServerProcess {
  return new Child(spawn(command, args, { stdio: 'pipe' }), read);
}

class Child implements ServerProcess {
  readonly frames: AsyncIterable<Frame>;
  readonly gone: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<string>;
  readonly #input: LineWriter;
  #isSignalled = false;

  constructor(child: ChildProcessWithoutNullStreams, read: ReadFrames) {
    this.#child = child;
    this.#input = new LineWriter(child.stdin);
    this.#exit = exitOf(child);
    const logged = passOn(child.stderr);
    const output = new Output(child.stdout, this.#exit);
    this.frames = read(output.chunks());
    this.gone = reasonOf(this.#exit, output.ended, logged);
  }

  send(out: Outgoing): Promise<void> {
    return this.#input.send(out);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(this.#isSignalled ? 'SIGKILL' : name);
    if (this.#isSignalled) return;
    this.#isSignalled = true;
    setTimeout(() => this.#child.kill('SIGKILL'), 2 * PATIENCE).unref();
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    const terminate = setTimeout(() => this.#child.kill('SIGTERM'), PATIENCE);
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 2 * PATIENCE);
    await this.#exit;
    clearTimeout(terminate);
    clearTimeout(kill);
  }
}

/** Settles with why a process is no more. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${startFailure(error)}`));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exited with code ${code}` : `was killed by ${signal}`),
    );
  });
}

function startFailure(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'there is no such command (ENOENT)';
  if (error.code === 'EACCES') return 'it may not be run (EACCES)';
  return error.message;
}

/** Gone is a server whose process has ended and whose output has been read; or whose output has ended for good. */
async function reasonOf(exit: Promise<string>, outputEnded: Promise<void>, logged: Promise<void>) {
  await outputEnded;
  const reason = await Promise.race([exit, pause('closed its output')]);
  await Promise.race([logged, pause('')]);
  return reason;
}

function pause(value: string): Promise<string> {
  return delay(SILENCE, value, { ref: false });
}

/** What a server writes. */
class Output {
  /** Settles when there is no more. */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  #end: () => void = () => {};
  #isRead = false;
  #silence: NodeJS.Timeout | undefined;

  constructor(stream: Readable, exit: Promise<string>) {
    this.#stream = stream;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    exit.then(() => this.#watch());
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of this.#stream) {
        this.#isRead = true;
        yield chunk;
        this.#isRead = false;
        this.#silence?.refresh();
      }
    } catch {
      // A stream that breaks has ended.
    } finally {
      clearInterval(this.#silence);
      this.#silence = undefined;
      this.#end();
    }
  }

  /** Ends the output once nothing comes any more, although others may hold it open. */
  #watch(): void {
    if (this.#stream.destroyed) return;
    this.#silence = setInterval(() => {
      if (!this.#isRead) this.#stream.destroy();
    }, SILENCE);
  }
}

/** Passes a server's stderr on to ours and never waits for it. Settles when there is no more. */
function passOn(stderr: Readable): Promise<void> {
  let dropped = 0;
  stderr.on('data', (chunk: Buffer) => {
    if (process.stderr.writableLength + chunk.length > MOST_WAITING) {
      dropped += chunk.length;
      return;
    }
    if (dropped > 0)
      process.stderr.write(`\nplimsoll: ${dropped} bytes of the server's stderr were dropped\n`);
    dropped = 0;
    process.stderr.write(chunk);
  });
  return new Promise((resolve) => {
    stderr.once('close', resolve);
    stderr.once('error', () => resolve());
  });
}

/** The client at our own standard streams. It is gone when stdin ends. */
export function ownStdio(read: ReadFrames): Peer {
  const { stdin, stdout } = process;
  const output = new LineWriter(stdout);
  let end = (_reason: string) => {};
  const gone = new Promise<string>((resolve) => {
    end = resolve;
  });
  stdout.once('error', () => {
    end('closed our output');
    stdin.destroy();
  });

  async function* input(): AsyncIterable<Uint8Array> {
    try {
      yield* stdin;
    } catch {
      // Input that breaks, or that is closed here, has ended.
    } finally {
      end('closed our input');
    }
  }

  return {
    frames: read(input()),
    gone,
    send: (out) => output.send(out),
    async close() {
      await output.flushed();
      stdin.destroy();
    },
  };
}
