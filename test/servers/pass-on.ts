import { type HttpServer, type ServeOptions, serveHttp } from '../../src/wrap/http/downstream.ts';
import { connectServer } from '../../src/wrap/http/upstream.ts';
import { paramsOf } from '../../src/wrap/params.ts';
import type { Frame, Outgoing, Peer } from '../../src/wrap/types.ts';

/** Carries all that comes on either side to the other one, as it came. */
export async function passOn(client: Peer, server: Peer): Promise<void> {
  const up = carry(client, server);
  const down = carry(server, client);
  await Promise.race([up, down]);
  await Promise.all([client.close(), server.close()]);
}

async function carry(from: Peer, to: Peer): Promise<void> {
  for await (const frame of from.frames) {
    await to.send(await outgoing(frame));
    await frame.release();
  }
}

async function outgoing(frame: Frame): Promise<Outgoing> {
  const { id, method, about } = frame;
  const answers = frame.answers && (id ?? undefined);
  const isLargeRequest = frame.message === undefined && method !== undefined;
  const message = isLargeRequest ? { id, method, params: await paramsOf(frame) } : frame.message;
  return { bytes: frame.bytes(), message, answers, about };
}

/** An HTTP server that passes everything on to another one. */
export interface ProxyServer extends HttpServer {
  /** What was said for people to read. */
  readonly log: readonly string[];
  /** What each of its clients is passed on to. */
  readonly sessions: readonly { readonly id: string; readonly stateless: boolean }[];
}

export async function startProxy(
  url: string,
  options: Omit<ServeOptions, 'onSession' | 'port'>,
  headers: Record<string, string> = {},
): Promise<ProxyServer> {
  const log: string[] = [];
  const sessions: { id: string; stateless: boolean }[] = [];
  const server = await serveHttp({
    ...options,
    port: 0,
    onSession(client, session) {
      sessions.push(session);
      const { read } = options;
      void passOn(client, connectServer(url, { headers, read, log: (line) => log.push(line) }));
    },
  });
  return { ...server, log, sessions };
}
