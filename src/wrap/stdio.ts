import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { PlimsollError } from '../errors.ts';
import { LineWriter } from './lines.ts';
import { HAS_GROUPS, ProcessGroup } from './process-group.ts';
import type { Frame, Outgoing, Peer } from './types.ts';

/** How frames are read out of bytes. */
export type ReadFrames = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Frame>;

/**
 * How long a server that should end is waited for before SIGTERM, and again before SIGKILL, in milliseconds. Both
 * together are less than the clients' own patience with us, so that no server outlives a client.
 */
const PATIENCE = 1500;

/**
 * How long an ended server's output is waited for, in milliseconds, besides the time that it takes to be dealt with.
 * What the server wrote is there at once; others may hold the output open.
 */
const LAST_WORDS = 500;

/** How often it is seen whether output is waited for, in milliseconds. */
const LOOK = 50;

/** The most of a server's stderr that waits for its reader, in bytes. */
const MOST_WAITING = 1024 * 1024;

/** A server that is a process of ours. Closing it ends it, and all that it has started. */
export interface ServerProcess extends Peer {
  /**
   * Passes a signal on, to what the server has started too. If they don't end of it in time, or at a second signal,
   * they are killed.
   */
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts an MCP server that speaks over its standard streams. What it writes to stderr comes out of ours; what nobody
 * reads there is dropped and counted, and the server is never held up by it. On POSIX systems it leads a session of its
 * own, so that what it starts can be ended with it, and a terminal's signals come to it from us alone. Throws
 * `BAD_USAGE` for what can be no command.
 */
export function startServer(command: string, args: readonly string[], read: ReadFrames): ServerProcess {
  return new Child(start(command, args), read);
}

function start(command: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  try {
    return spawn(command, args, { stdio: 'pipe', detached: HAS_GROUPS });
  } catch (cause) {
    const { message } = cause as Error;
    throw new PlimsollError('BAD_USAGE', `The command '${command}' can't be run: ${message}.`, { cause });
  }
}

class Child implements ServerProcess {
  readonly frames: AsyncIterable<Frame>;
  readonly gone: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #group: ProcessGroup;
  readonly #input: LineWriter;
  /** Settles when the server and all that it has started have ended. */
  readonly #ended: Promise<void>;
  #isSignalled = false;

  constructor(child: ChildProcessWithoutNullStreams, read: ReadFrames) {
    this.#child = child;
    this.#group = new ProcessGroup(child);
    this.#input = new LineWriter(child.stdin);
    const exit = exitOf(child);
    const logged = passOn(child.stderr);
    const output = new Output(child.stdout, exit);
    this.frames = read(output.chunks());
    this.gone = reasonOf(exit, output.ended, logged);
    this.#ended = Promise.all([exit, output.ended]).then(() => this.#endOthers());
  }

  send(out: Outgoing): Promise<void> {
    return this.#input.send(out);
  }

  signal(name: NodeJS.Signals): void {
    this.#group.signal(this.#isSignalled ? 'SIGKILL' : name);
    if (this.#isSignalled) return;
    this.#isSignalled = true;
    setTimeout(() => this.#group.signal('SIGKILL'), 2 * PATIENCE).unref();
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    const terminate = setTimeout(() => this.#group.signal('SIGTERM'), PATIENCE);
    const kill = setTimeout(() => this.#group.signal('SIGKILL'), 2 * PATIENCE);
    await this.#ended;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  /** Ends what outlives the server, and lets go of the streams: a process that has left the group may hold them. */
  async #endOthers(): Promise<void> {
    this.#group.signal('SIGTERM');
    if (!(await this.#group.isGoneWithin(PATIENCE))) this.#group.signal('SIGKILL');
    await this.gone;
    const { stdin, stdout, stderr } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
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
  return delay(LAST_WORDS, value, { ref: false });
}

/** What a server writes. */
class Output {
  /** Settles when there is no more. */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  #end: () => void = () => {};
  /** Whether what came is being dealt with; if not, more is waited for. */
  #isRead = false;
  #watching: NodeJS.Timeout | undefined;

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
      }
    } catch {
      // A stream that breaks has ended.
    } finally {
      clearInterval(this.#watching);
      this.#end();
    }
  }

  /** Ends the output once it has been waited for long enough, whoever still holds it open or writes there. */
  #watch(): void {
    if (this.#stream.destroyed) return;
    let waits = 0;
    this.#watching = setInterval(() => {
      if (!this.#isRead && ++waits === LAST_WORDS / LOOK) this.#stream.destroy();
    }, LOOK);
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
