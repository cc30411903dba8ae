import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { PlimsollError } from '../../errors.ts';

/**
 * The proxy that the environment names for an address (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, small letters too);
 * undefined where there is none. A value without a scheme is an HTTP proxy, as curl and git take it. What is wrong
 * with a value isn't told: it may hold a password.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const read = (name: string) => environment[name] || environment[name.toLowerCase()] || undefined;
  const name = url.protocol === 'https:' && read('HTTPS_PROXY') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = read(name);
  if (value === undefined || isExcepted(url, read('NO_PROXY') ?? '')) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy && /^https?:$/.test(proxy.protocol) && isLoginReadable(proxy)) return proxy;
  throw new PlimsollError('HOST_UNREACHABLE', `${name} is not the address of a proxy: correct or unset it.`);
}

function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  return exceptions.split(/[\s,]+/).some((exception) => {
    if (exception === '*') return true;
    const [, host = '', wanted] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
    if (host === '' || (wanted && wanted !== (port || (protocol === 'https:' ? '443' : '80')))) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}

/** What a proxy is told of who asks, if its address says. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  return username === '' ? {} : { 'proxy-authorization': basic(username, password) };
}

/** Whether a user and a password of an address are percent-encoded, as they have to be: no `%` stands for itself. */
export function isLoginReadable({ username, password }: URL): boolean {
  try {
    return basic(username, password) !== '';
  } catch {
    return false;
  }
}

/** A user and a password of an address as the value of an `Authorization` header. */
export function basic(username: string, password: string): string {
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/** Connections with TLS through a proxy. */
export class TunnelAgent extends https.Agent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: https.RequestOptions,
    connected: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const target = `${options.host}:${options.port}`;
    const { protocol, hostname, port } = this.#proxy;
    const request = (protocol === 'https:' ? https : http).request({
      hostname,
      port,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyAuthorization(this.#proxy) },
    });
    const fail = (error: Error) => connected(error, undefined as unknown as Duplex);
    request.once('error', fail);
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) {
        const secure = { ...options, socket } as tls.ConnectionOptions;
        connected(null, tls.connect(secure));
      } else {
        socket.destroy();
        fail(new Error(`the proxy refused (HTTP ${statusCode})`));
      }
    });
    request.end();
    return undefined;
  }
}
