import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type Answer, type Fault, send } from './answer.ts';
import { type ApiOptions, type ApiRequest, GitHubApi } from './github-api.ts';
import type { Origin } from './github-facts.ts';
import { gitAnswer } from './github-git.ts';
import { type HostedRepository, Hosting } from './github-hosting.ts';
import { startProxy } from './github-proxy.ts';
import { rawAnswer } from './github-raw.ts';
import type { ApiAnswer } from './github-refusals.ts';
import { listen, stop } from './listen.ts';
import { compressed, conditional, type WholeAnswer } from './representation.ts';

export interface GitHubOptions extends ApiOptions {
  /** Present names of repositories by former ones, each `owner/repo`. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly intercept?: Intercept;
}

/** Looks at every request before it is answered, and may have the answer fail. */
export type Intercept = (request: SeenRequest) => Interception | undefined;

/** Another answer instead, for example `{ kind: 'status', ...secondaryLimit(60) }`, or a fault of the right one. */
export type Interception = ({ readonly kind: 'status' } & ApiAnswer) | Fault;

export interface SeenRequest {
  /** The host that was asked, with its port if that was named. */
  readonly host: string;
  readonly method: string;
  /** As it was sent, with the query. */
  readonly path: string;
  readonly authorization?: string;
  /** Of the answer, also if a fault kept it back; missing until there is one. */
  status?: number;
  /** Whether it counted against the caller's rate limit. */
  counted: boolean;
}

export interface GitHubServer {
  /** `http://127.0.0.1:PORT`: the address of a GitHub whose API is at `/api/v3`. */
  readonly url: string;
  /** What a child process needs to come here when it asks the true hosts by HTTPS. */
  readonly env: Readonly<Record<string, string>>;
  /** All requests so far, in order. */
  readonly requests: readonly SeenRequest[];
  /** What was wrong with answers, and what was asked for that is not modelled. Tests expect none. */
  readonly violations: readonly string[];
  /** Addresses outside GitHub that were asked for. */
  readonly strayConnects: readonly string[];
  intercept: Intercept | undefined;
  close(): Promise<void>;
}

const HOSTS = [
  'github.com',
  'www.github.com',
  'api.github.com',
  'raw.githubusercontent.com',
  'codeload.github.com',
];

const TRUE_ORIGIN: Origin = {
  api: 'https://api.github.com',
  web: 'https://github.com',
  raw: 'https://raw.githubusercontent.com',
};

/**
 * Serves repositories on disk, each named `owner/repo`, as GitHub does: its REST API, raw files, and git. It
 * answers under GitHub's own names through a proxy, and as a GitHub of one's own under `url`.
 */
export async function serveGitHub(
  repositories: Readonly<Record<string, HostedRepository>>,
  options: GitHubOptions = {},
): Promise<GitHubServer> {
  const { tokens = [], renamed } = options;
  const hosting = new Hosting(repositories, renamed);
  const api = new GitHubApi(hosting, options);
  const requests: SeenRequest[] = [];

  const listener: RequestListener = async (message, response) => {
    const seen = record(message);
    requests.push(seen);
    const interception = server.intercept?.(seen);
    const instead = interception?.kind === 'status' ? interception : undefined;
    const fault = interception?.kind === 'status' ? undefined : interception;
    const answer = await answerTo(message, seen, instead).catch((error: Error): Answer => {
      api.violations.push(`${seen.method} ${seen.path}: ${error.message}`);
      return { status: 500, headers: {}, body: 'The server of the tests failed\n' };
    });
    seen.status = answer.status;
    await send(response, answer, fault);
  };

  /** Everything is answered by the host that is asked. */
  async function answerTo(message: IncomingMessage, seen: SeenRequest, instead?: ApiAnswer): Promise<Answer> {
    const { host, path, authorization } = seen;
    const origin = originOf(host);
    const request = apiRequest(message, path, origin);
    if (request && instead) return compressed(message, api.instead(request, instead));
    if (request) {
      const { answer, counted } = await api.answer(request);
      seen.counted = counted;
      return compressed(message, answer);
    }
    if (instead) return plain(instead);
    switch (host) {
      case 'raw.githubusercontent.com': {
        const raw = await rawAnswer(path, authorization, hosting, tokens);
        return compressed(message, conditional(message, raw));
      }
      case 'www.github.com':
        return { status: 301, headers: { Location: `https://github.com${path}` } };
      case 'codeload.github.com':
        throw new Error('not modelled');
      default:
        return gitAnswer(message, hosting, tokens, origin.web);
    }
  }

  const plainServer = createServer(listener);
  const url = `http://127.0.0.1:${await listen(plainServer)}`;
  const proxy = await startProxy(HOSTS, listener);
  const server: GitHubServer = {
    url,
    env: proxy.env,
    requests,
    violations: api.violations,
    strayConnects: proxy.strayConnects,
    intercept: options.intercept,
    close: async () => {
      await Promise.all([stop(plainServer), proxy.close()]);
    },
  };
  return server;
}

function record({ method = '', url = '', headers }: IncomingMessage): SeenRequest {
  const { host = '', authorization } = headers;
  return { host, method, path: url, counted: false, ...(authorization !== undefined && { authorization }) };
}

function originOf(host: string): Origin {
  if (HOSTS.includes(host)) return TRUE_ORIGIN;
  const web = `http://${host}`;
  return { api: `${web}/api/v3`, web, raw: `${web}/raw` };
}

/** The request as the API takes it, if it is one to the API. */
function apiRequest(message: IncomingMessage, path: string, origin: Origin): ApiRequest | undefined {
  const address = `${new URL(origin.web).protocol}//${message.headers.host}${path}`;
  if (!address.startsWith(`${origin.api}/`)) return undefined;
  const [below = '', query] = address.slice(origin.api.length).split('?');
  return { message, path: below, query: new URLSearchParams(query), origin };
}

function plain({ status, headers = {}, body }: ApiAnswer): WholeAnswer {
  const text = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
  return { status, headers, ...(text !== undefined && { body: text }) };
}
