import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { makeCertificate } from './github-certificate.ts';
import { listen, stop } from './listen.ts';

export interface Proxy {
  /** What a child process needs to come here when it asks one of the hosts. */
  readonly env: Readonly<Record<string, string>>;
  /** `host:port`, or the whole address without TLS, of everything else that was asked for. */
  readonly strayConnects: readonly string[];
  close(): Promise<void>;
}

/** A proxy that passes itself off as these hosts, at port 443, and refuses the way to any other. */
export async function startProxy(hosts: readonly string[], answer: RequestListener): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-proxy-'));
  const { authority, key, cert } = makeCertificate(folder, hosts);
  const secure = createSecureServer({ key, cert }, answer);
  const strayConnects: string[] = [];
  const tunnels = new Set<Duplex>();
  const proxy = createServer((request, response) => {
    strayConnects.push(request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', ({ url = '' }, tunnel: Duplex, start: Buffer) => {
    tunnels.add(tunnel);
    tunnel.once('close', () => tunnels.delete(tunnel));
    tunnel.on('error', () => {}); // a client that breaks off
    if (!hosts.some((host) => url === `${host}:443`)) {
      strayConnects.push(url);
      tunnel.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    tunnel.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    tunnel.unshift(start);
    secure.emit('connection', tunnel);
  });
  const port = await listen(proxy);
  return {
    env: environment(`http://127.0.0.1:${port}`, authority),
    strayConnects,
    close: async () => {
      for (const tunnel of tunnels) tunnel.destroy();
      await stop(proxy);
      rmSync(folder, { recursive: true });
    },
  };
}

/** In both spellings, because programs differ in which they heed first. */
function environment(proxy: string, authority: string): Record<string, string> {
  return {
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: authority,
    GIT_SSL_CAINFO: authority,
  };
}
