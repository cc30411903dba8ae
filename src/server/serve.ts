import { Console } from 'node:console';
import type { Upstream } from '../wrap/wrap.ts';
import { Services, type ServicesOptions } from './services.ts';

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
      const { peer, transport } = inProcess();
      serveStdio((context) => makeServer(services, context), {
        transport,
        onerror: ({ message }) => options.log(message),
      });
      return peer;
    },
  };
}

/** Only the protocol goes to stdout: what others print goes to stderr. */
export function keepStdoutClean(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}
