import type { IncomingMessage } from 'node:http';
import type { components } from '@octokit/openapi-types';
import { type Caller, callerOf } from './github-caller.ts';
import type { Origin } from './github-facts.ts';
import { type Hosted, type Hosting, refused } from './github-hosting.ts';
import { type LimitState, type Limits, RateLimits } from './github-limits.ts';
import { type ApiAnswer, badCredentials, limitExceeded, movedTo, notFound } from './github-refusals.ts';
import { type Asked, routeOf } from './github-routes.ts';
import { schemaViolation } from './github-schema.ts';
import { conditional, type WholeAnswer } from './representation.ts';

export interface ApiOptions {
  /** Tokens that are valid; none unless said otherwise. */
  readonly tokens?: readonly string[];
  readonly limits?: Limits;
  /** The most entries of a tree in one answer; 100,000 unless said otherwise. */
  readonly treeLimit?: number;
  /** The largest file that is given, in bytes; 100 MB unless said otherwise. */
  readonly blobLimit?: number;
}

/** A request to the API. */
export interface ApiRequest {
  readonly message: IncomingMessage;
  /** What comes after the API's own address, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly origin: Origin;
}

const NO_AGENT: ApiAnswer = {
  status: 403,
  headers: { 'Content-Type': 'text/html' },
  body: 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n',
};

/** GitHub's REST API, as much of it as `github-routes.ts` has. */
export class GitHubApi {
  /** What was wrong with answers, by GitHub's description, and what was asked for that is not modelled. */
  readonly violations: string[] = [];
  readonly #hosting: Hosting;
  readonly #options: ApiOptions;
  readonly #limits: RateLimits;

  constructor(hosting: Hosting, options: ApiOptions) {
    this.#hosting = hosting;
    this.#options = options;
    this.#limits = new RateLimits(options.limits);
  }

  /** Answers a request, and says whether it counted against the caller's rate limit. */
  async answer(request: ApiRequest): Promise<{ answer: WholeAnswer; counted: boolean }> {
    const caller = this.#caller(request.message);
    const state = this.#limits.of(caller);
    const isFree = request.path === '/rate_limit';
    if (isFree || state.remaining === 0) {
      const content = isFree ? overview(state) : limitExceeded(caller);
      return { answer: this.instead(request, content), counted: false };
    }
    const content = await this.#content(request, caller);
    const answer = conditional(request.message, this.#checked(request, content));
    const counted = answer.status !== 304 || caller.kind !== 'user';
    if (counted) this.#limits.count(caller);
    return { answer: this.#dressed(answer, caller), counted };
  }

  /** A given answer in the place of the right one; it doesn't count. */
  instead(request: ApiRequest, content: ApiAnswer): WholeAnswer {
    return this.#dressed(this.#checked(request, content), this.#caller(request.message));
  }

  #caller({ headers }: IncomingMessage): Caller {
    return callerOf(headers.authorization, this.#options.tokens ?? []);
  }

  /** What is asked for. */
  async #content(request: ApiRequest, caller: Caller): Promise<ApiAnswer> {
    const { message, path, origin, query } = request;
    if (!message.headers['user-agent']) return NO_AGENT;
    if (caller.kind === 'unknown') return badCredentials();
    const { name, id, rest } = parsePath(path);
    const moved = this.#hosting.formerly(name);
    const hosted = moved ?? (id === undefined ? this.#hosting.named(name) : this.#hosting.withId(id));
    const route = routeOf(rest);
    if (!route || message.method !== 'GET') this.violations.push(`${message.method} ${path}: not modelled`);
    if (!route || !hosted) return notFound();
    const refusal = refused(hosted, caller);
    if (refusal) return refusal;
    if (moved) {
      const search = query.size === 0 ? '' : `?${query}`;
      return movedTo(`${origin.api}/repositories/${moved.id}${rest}${search}`);
    }
    if (route.whenEmpty && (await hosted.repository.isEmpty())) return route.whenEmpty();
    const argument = decodeURIComponent(route.pattern.exec(rest)?.[1] ?? '');
    return route.answer(this.#asked(request, hosted, argument));
  }

  #asked({ message, origin, query }: ApiRequest, hosted: Hosted, argument: string): Asked {
    const { treeLimit = 100_000, blobLimit = 100 * 1024 * 1024 } = this.#options;
    const url = `${origin.api}/repos/${hosted.name}`;
    const accept = message.headers.accept ?? '';
    return { hosted, hosting: this.#hosting, origin, url, argument, query, accept, treeLimit, blobLimit };
  }

  /** An answer as it is sent. JSON must be as GitHub's description has it. */
  #checked({ path }: ApiRequest, { status, headers = {}, body }: ApiAnswer): WholeAnswer {
    if (body === undefined) return { status, headers };
    if (typeof body === 'string' || Buffer.isBuffer(body)) return { status, headers, body };
    const text = JSON.stringify(body);
    const described = routeOf(parsePath(path).rest)?.path ?? path;
    const violation = schemaViolation(described, status, JSON.parse(text));
    if (violation) this.violations.push(violation);
    return { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body: text };
  }

  /** With the headers that all answers have. */
  #dressed(answer: WholeAnswer, caller: Caller): WholeAnswer {
    const cache = `${caller.kind === 'user' ? 'private' : 'public'}, max-age=60, s-maxage=60`;
    const common = { 'Cache-Control': cache, ...limitHeaders(this.#limits.of(caller)) };
    return { ...answer, headers: { ...common, ...answer.headers } };
  }
}

const REPOSITORY = /^\/(?:repos\/([^/]+\/[^/]+)|repositories\/(\d+))(.*)$/;

/** A repository by its name or id, and what is asked about it. */
function parsePath(path: string): { name: string; id: number | undefined; rest: string } {
  const [, name = '', id, rest = path] = REPOSITORY.exec(path) ?? [];
  return { name, id: id === undefined ? undefined : Number(id), rest };
}

function limitHeaders({ limit, remaining, used, reset }: LimitState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Used': String(used),
    'X-RateLimit-Reset': String(reset),
    'X-RateLimit-Resource': 'core',
  };
}

/** `GET /rate_limit`; searches have a limit of their own. */
function overview(core: LimitState): ApiAnswer {
  const search = { ...core, limit: 10, used: 0, remaining: 10 };
  const body: components['schemas']['rate-limit-overview'] = { rate: core, resources: { core, search } };
  return { status: 200, body };
}
