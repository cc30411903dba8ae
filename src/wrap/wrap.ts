import { constants } from 'node:os';
import type { Bridge, Served } from './bridge.ts';
import type { ServeOptions } from './http/downstream.ts';
import type { Ending } from './relay.ts';
import { ownStdio, type ServerProcess, startServer } from './stdio.ts';
import type { Frame, Peer } from './types.ts';

/** A server of others: a command, or an address. */
export type ForeignServer =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The server that is wrapped: of others, or in this process, where each client gets one of its own. */
export type Upstream = ForeignServer | { readonly open: () => Promise<Peer> };

export interface Wrapping {
  readonly upstream: Upstream;
  /** Makes what stands between a client and a server. */
  readonly openBridge: (served: Served) => Promise<Bridge>;
  /** Takes a line for people. */
  readonly log: (line: string) => void;
}

/** How it ended, and with what exit code if it was by a signal. */
export interface End extends Ending {
  readonly exitCode: number | undefined;
}

/** How long our stderr keeps us that nobody reads, in milliseconds. */
const LAST_WORDS = 1000;

/** How long after a signal a client may take what is left for it: longer than a server is waited for, in milliseconds. */
const GRACE = 4000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Wraps a server for the client at our standard streams, until either is gone. Signals are passed on to the server.
 * Throws a `PlimsollError` for an address or a header that is none.
 */
export async function wrapOverStdio(wrapping: Wrapping): Promise<End> {
  const opening = wrapping.openBridge('user');
  const server = await connect(wrapping);
  const client = ownStdio(readLines);
  const signals = new Signals((name) => {
    end(server, name);
    server.gone.then(() => client.close());
    setTimeout(() => {
      if (process.stdout.writableLength > 0) process.exit(signals.exitCode);
    }, GRACE).unref();
  });
  const ending = await (await opening).relay(client, server);
  signals.ignore();
  leaveSoon();
  return { ...ending, exitCode: signals.exitCode };
}

/**
 * Offers a server over HTTP, with a session and a server of its own for every client that begins one, until a signal
 * comes; gives the exit code for that. Throws a `PlimsollError` for what can't be served.
 */
export async function wrapOverHttp(
  wrapping: Wrapping,
  options: Omit<ServeOptions, 'read' | 'onSession'>,
): Promise<number> {
  const { serveHttp } = await import('./http/downstream.ts');
  const { readFrame } = await import('./frame.ts');
  const servers = new Set<Peer>();
  const relays = new Set<Promise<void>>();
  const signalled = new Promise<number>((resolve) => {
    const signals = new Signals((name) => {
      for (const server of servers) end(server, name);
      resolve(signals.exitCode ?? 0);
    });
  });

  async function serve(client: Peer, served: Served): Promise<void> {
    const opening = wrapping.openBridge(served);
    const server = await connect(wrapping);
    servers.add(server);
    const { by, reason } = await (await opening).relay(client, server);
    servers.delete(server);
    if (by === 'server') wrapping.log(`the server ${reason}`);
  }

  const http = await serveHttp({
    ...options,
    read: (source) => readFrame(source),
    onSession(client, { stateless }) {
      const relay: Promise<void> = serve(client, stateless ? 'anyone' : 'session')
        .catch(async ({ message }: Error) => {
          wrapping.log(message);
          await client.close();
        })
        .finally(() => relays.delete(relay));
      relays.add(relay);
    },
  });
  wrapping.log(`serving MCP at ${http.address}`);
  const exitCode = await signalled;
  await http.close();
  await Promise.all(relays);
  leaveSoon();
  return exitCode;
}

async function connect({ upstream, log }: Wrapping): Promise<Peer> {
  if ('command' in upstream) return startServer(upstream.command, upstream.args, readLines);
  if ('open' in upstream) return upstream.open();
  const { connectServer } = await import('./http/upstream.ts');
  const { readFrame } = await import('./frame.ts');
  return connectServer(upstream.url, { headers: upstream.headers, read: (source) => readFrame(source), log });
}

/** Reads messages, one a line. A process is started before what that takes is loaded: both take their time. */
async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const { readFrames } = await import('./frame.ts');
  yield* readFrames(source);
}

/** Ends the process, whose work is done, though nobody reads what stands in its stderr. */
function leaveSoon(): void {
  setTimeout(() => process.exit(), LAST_WORDS).unref();
}

function end(server: Peer | ServerProcess, name: NodeJS.Signals): void {
  if ('signal' in server) server.signal(name);
  else void server.close();
}

/** Hears signals that would end the process. */
class Signals {
  /** 128 and the number of the first one that came. */
  exitCode: number | undefined;
  readonly #hear: (name: NodeJS.Signals) => void;

  constructor(act: (name: NodeJS.Signals) => void) {
    this.#hear = (name) => {
      this.exitCode ??= 128 + constants.signals[name];
      act(name);
    };
    for (const name of SIGNALS) process.on(name, this.#hear);
  }

  ignore(): void {
    for (const name of SIGNALS) process.off(name, this.#hear);
  }
}
