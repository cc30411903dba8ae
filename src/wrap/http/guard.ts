import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { PlimsollError } from '../../errors.ts';

/** Why a request isn't served. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

export interface GuardOptions {
  /** What is listened at. */
  readonly host: string;
  readonly token: string | undefined;
  /** Origins of web pages that may use the server, besides those of this machine. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Who may use the server: no web page from elsewhere (`Origin`), no page whose name was made to point here (`Host`),
 * and, if there is a token, nobody without it. Throws a `PlimsollError` if others than this machine can reach the
 * server and there is no token, and for an origin that is none.
 */
export class Guard {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  readonly #token: Buffer | undefined;

  constructor({ host, token, allowedOrigins }: GuardOptions) {
    if (!isLoopback(host) && token === undefined) {
      throw new PlimsollError(
        'BAD_USAGE',
        `With --host ${host} other machines can reach the server: give a token that they have to know, in a file with --token-file, or in the variable that --help names.`,
      );
    }
    this.#origins = new Set(allowedOrigins.map(originOf));
    this.#hosts = new Set([
      ...(isLoopback(host) ? [] : ownNames()),
      nameIn(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host),
      ...[...this.#origins].map((origin) => new URL(origin).hostname),
    ]);
    this.#token = token === undefined ? undefined : digest(token);
  }

  /** Why a request isn't served, if it isn't. What only asks for permission needs no token. */
  check({ headers, method }: IncomingMessage): Refusal | undefined {
    if (!this.#isOwn(nameIn(headers.host ?? ''))) {
      return { status: 403, message: 'Forbidden: the Host header names another host' };
    }
    if (headers.origin !== undefined && !this.allows(headers.origin)) {
      return { status: 403, message: 'Forbidden: the Origin is not allowed (--allow-origin)' };
    }
    if (method === 'OPTIONS' || this.#knowsToken(headers.authorization)) return undefined;
    return { status: 401, message: 'Unauthorized: a bearer token is needed' };
  }

  /** Whether pages of an origin may use the server. */
  allows(origin: string): boolean {
    if (this.#origins.has(origin)) return true;
    return URL.canParse(origin) && this.#isOwn(new URL(origin).hostname);
  }

  #isOwn(name: string): boolean {
    return isLoopback(name) || this.#hosts.has(name);
  }

  #knowsToken(authorization: string | undefined): boolean {
    if (!this.#token) return true;
    const token = /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1];
    return token !== undefined && timingSafeEqual(digest(token), this.#token);
  }
}

/** Whether a name or an address is that of the machine itself and of no other. */
export function isLoopback(name: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(name);
}

function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return [
    hostname().toLowerCase(),
    ...addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  ];
}

/** A host without its port, as addresses write it. */
function nameIn(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function originOf(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin !== 'null') return new URL(origin).origin;
  throw new PlimsollError(
    'BAD_USAGE',
    `--allow-origin takes an origin such as https://example.com, not ${origin}.`,
  );
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
