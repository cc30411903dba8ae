import type { Upstream } from '../wrap/wrap.ts';
import { Services, type ServicesOptions } from './services.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What the proxy has in front of it instead of a process: our own server, one for every connection. */
export function ownServer(options: ServicesOptions): Upstream {
  const services = new Services(options);
  return {
    async open() {
      const [{ inProcess }, { makeServer }, { serveStdio }] = await Promise.all([
        import('./in-process.ts'),
        import('./server.ts'),
        import('@modelcontextprotocol/server/stdio'),
      ]);
      let subscriptions: Subscriptions | undefined;
      // Since 2026-07-28 subscriptions are streams, which the SDK keeps: the server itself isn't told of them.
      const { peer, transport } = inProcess((message) => void subscriptions?.heed(message));
      const make = () => {
        const own = makeServer(services);
        subscriptions = own.subscriptions;
        return own.server;
      };
      serveStdio(make, {
        transport,
        onerror: ({ message }) => options.log(message),
      });
      return peer;
    },
  };
}
