import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';

/** Starts a server on a free port that only this machine reaches, and gives the port. */
export async function listen(server: SocketServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Stops an HTTP server and cuts off whoever is still connected. */
export async function stop(server: Server): Promise<void> {
  const stopped = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await stopped;
}
