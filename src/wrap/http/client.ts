import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlimsollError } from '../../errors.ts';
import { version } from '../../version.ts';
import { basic, isLoginReadable, proxyAuthorization, proxyFor, TunnelAgent } from './proxy.ts';

const MOST_REDIRECTS = 5;

/** How long an unused connection is kept, in milliseconds: less than servers do, so that none ends as it is used. */
const IDLE = 4000;

/** Redirects that keep the method; the first two do so here, as a message can be nothing but POSTed. */
const REDIRECTS = new Set([301, 302, 307, 308]);

export type Body = Buffer | AsyncIterable<Uint8Array>;

/** The start of an answer; its body comes as it is read. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readable;
}

export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Where to, if it isn't the server's address. */
  readonly url?: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly signal: AbortSignal;
}

/** No answer came: no connection, a broken one. The message says what to do. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Asks one server over HTTP, with headers of the user's own, through the proxy that the environment names. */
export class HttpClient {
  readonly url: URL;
  /** The address as it can be told: without a user, a password, a query. */
  readonly name: string;
  readonly #headers: Record<string, string>;
  readonly #proxy: URL | undefined;
  readonly #agent: http.Agent;

  /** Throws a `PlimsollError` for what is no address or no header. */
  constructor(address: string, headers: Readonly<Record<string, string>>) {
    this.url = addressOf(address);
    this.name = `${this.url.origin}${this.url.pathname}`;
    this.#headers = { 'user-agent': `plimsoll/${version}`, ...loginOf(this.url), ...checked(headers) };
    this.#proxy = proxyFor(this.url, process.env);
    this.#agent = this.#makeAgent();
  }

  get isAuthorized(): boolean {
    return this.#headers.authorization !== undefined;
  }

  /** Follows redirects within the server's own origin. Rejects with `NoAnswer`, or as the signal says. */
  async ask(asked: HttpRequest): Promise<Answer> {
    let url = asked.url ?? this.url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#askOnce(url, asked);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
      answer.body.resume();
      url = this.#redirected(url, location, redirects);
      if (asked.body && !Buffer.isBuffer(asked.body)) {
        throw new NoAnswer(`${this.name} sends on to ${url.origin}${url.pathname}: give that address`);
      }
    }
  }

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy();
  }

  #redirected(from: URL, location: string, redirects: number): URL {
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    if (!to || redirects === MOST_REDIRECTS)
      throw new NoAnswer(`${this.name} sends on and on (HTTP redirects)`);
    if (to.origin === this.url.origin) return to;
    throw new NoAnswer(`${this.name} sends on to ${to.origin}: give an address there if you trust it`);
  }

  #askOnce(url: URL, { method, headers, body, signal }: HttpRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(signal.aborted ? signal.reason : this.#noAnswer(cause));
      const length = Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {};
      const request = this.#request(url, method, { ...this.#headers, ...headers, ...length }, signal);
      request.once('error', fail);
      request.once('response', (response) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
      );
      if (body === undefined || Buffer.isBuffer(body)) request.end(body);
      else pipeline(body, request).catch(fail);
    });
  }

  #request(
    url: URL,
    method: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): http.ClientRequest {
    const options = { method, headers, signal, agent: this.#agent };
    if (url.protocol === 'https:') return https.request(url, options);
    if (!this.#proxy) return http.request(url, options);
    const { hostname, port, protocol } = this.#proxy;
    const through = { hostname, port, path: url.href, headers: { host: url.host, ...headers } };
    Object.assign(through.headers, proxyAuthorization(this.#proxy));
    return (protocol === 'https:' ? https : http).request({ ...options, ...through });
  }

  #makeAgent(): http.Agent {
    const options = { keepAlive: true, timeout: IDLE };
    if (this.#proxy && this.url.protocol === 'https:') return new TunnelAgent(this.#proxy, options);
    const { protocol } = this.#proxy ?? this.url;
    return protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  }

  #noAnswer(cause: unknown): NoAnswer {
    const { code, message } = cause as NodeJS.ErrnoException;
    return new NoAnswer(wordsFor(this.url.host, code ?? '', message), { cause });
  }
}

function addressOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && !isLoginReadable(url)) {
    throw new PlimsollError('BAD_USAGE', '--url: a % in the user or the password is to be written as %25.');
  }
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new PlimsollError(
    'BAD_USAGE',
    '--url takes the address of an MCP server, such as https://example.com/mcp.',
  );
}

/** A user and a password in an address go into a header. */
function loginOf(url: URL): Record<string, string> {
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  return username === '' ? {} : { authorization: basic(username, password) };
}

/** What is wrong with a header isn't told: it may hold a token. */
function checked(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      try {
        http.validateHeaderName(name);
        http.validateHeaderValue(name, value);
      } catch {
        throw new PlimsollError(
          'BAD_USAGE',
          `The header ${JSON.stringify(name)} is none that HTTP can carry.`,
        );
      }
      return [name.toLowerCase(), value];
    }),
  );
}

function wordsFor(host: string, code: string, message: string): string {
  if (code === 'ECONNREFUSED')
    return `nothing listens at ${host} (${code}): start the server, or correct --url`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `no host is known as ${host} (${code}): correct --url`;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `the certificate of ${host} isn't trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS`;
  }
  if (/^EPROTO|SSL|TLS/.test(code))
    return `${host} doesn't speak TLS as asked (${code}): correct http or https in --url`;
  return `the connection to ${host} broke (${code || message})`;
}
