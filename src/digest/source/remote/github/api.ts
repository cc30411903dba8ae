import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type { CacheEntry } from '../../../../cache/cache.ts';
import { PlimsollError } from '../../../../errors.ts';
import { version } from '../../../../version.ts';
import { throwIfAborted } from '../../pace.ts';
import { type Fetch, NoAnswer } from '../http.ts';
import { fileNameOf, keep, recall } from '../kept.ts';
import { isFullId } from '../refs.ts';
import { describeGitHubFailure, isHopeless, type RequestContext, type RequestFailure } from './failure.ts';

export interface GitHubApiOptions {
  readonly api: string;
  readonly owner: string;
  readonly repo: string;
  readonly token?: string | undefined;
  readonly fetch: Fetch;
  /** Where answers are kept, to be asked for anew only if they have changed. */
  readonly entry: CacheEntry;
  readonly signal?: AbortSignal | undefined;
  /** Told how many requests the host allows before its next reset. */
  readonly onLimit?: (remaining: number) => void;
}

/** A request that the host finds to come too fast is sent again after so many seconds at the most. */
const LONGEST_WAIT = 10;

/** Marks failures that no second try would mend; the first plugin's hooks are the innermost. */
function hopeless({ hook }: Octokit): void {
  hook.error('request', (error, { request }) => {
    if (isHopeless(error.cause) || request.signal?.aborted) Object.assign(error, { status: 0 });
    throw error;
  });
}

const PlimsollOctokit = Octokit.plugin(hopeless, retry, throttling);

/**
 * GitHub's REST API for one repository. Answers are kept with their ETags, so that an unchanged one costs no
 * request of the hourly limit where there is a token. All methods throw a `PlimsollError` for a failure.
 */
export class GitHubApi {
  readonly #octokit: Octokit;
  readonly #options: GitHubApiOptions;
  readonly #stopped: Promise<never>;
  #repository: { readonly owner: string; readonly repo: string };

  constructor(options: GitHubApiOptions) {
    const { owner, repo } = options;
    this.#options = options;
    this.#repository = { owner, repo };
    this.#octokit = makeOctokit(options);
    this.#stopped = stopOf(options.signal);
  }

  get address(): string {
    return this.#options.api;
  }

  get hasToken(): boolean {
    return this.#options.token !== undefined;
  }

  /** From now on, requests are about the repository under its present name. */
  rename(owner: string, repo: string): void {
    this.#repository = { owner, repo };
  }

  /** What `pick` takes of a JSON answer from below `/repos/{owner}/{repo}`; nothing else of it is kept. */
  async get<T, U>(path: string, parameters: Parameters, pick: (data: T) => U): Promise<U> {
    return (await this.#ask(path, parameters, {}, (data) => {
      try {
        return pick(data as T);
      } catch {
        throw this.#failure(NO_SENSE);
      }
    })) as U;
  }

  /** The full id of the commit that a name stands for. Throws `BAD_REF` where there is none. */
  async commit(ref: string): Promise<string> {
    const headers = { accept: 'application/vnd.github.sha' };
    return (await this.#ask('/commits/{ref}', { ref }, headers, (data) => {
      if (typeof data !== 'string' || !isFullId(data)) throw this.#failure(NO_SENSE);
      return data;
    })) as string;
  }

  /** An answer that was given before, without asking whether it still holds. */
  async recall<T>(path: string, parameters: Parameters = {}): Promise<T | undefined> {
    return (await this.#known(path, parameters))?.data as T | undefined;
  }

  /** A blob's bytes, as they come. */
  async blob(id: string): Promise<AsyncIterable<Uint8Array>> {
    const accept = 'application/vnd.github.raw+json';
    const answer = await this.#request('/git/blobs/{file_sha}', { file_sha: id }, { accept });
    return answer.data as AsyncIterable<Uint8Array>;
  }

  async #ask(
    path: string,
    parameters: Parameters,
    headers: Headers,
    pick: (data: unknown) => unknown,
  ): Promise<unknown> {
    const known = await this.#known(path, parameters);
    const condition = known?.etag !== undefined && { 'if-none-match': known.etag };
    const answer = await this.#request(path, parameters, { ...headers, ...condition });
    if (known && answer.status === 304) return known.data;
    // An answer of another kind than was asked for is left unread.
    if (answer.data instanceof ReadableStream) await answer.data.cancel();
    const data = pick(answer.data);
    const kept = { etag: answer.headers.etag, data };
    await keep(this.#options.entry, kept, 'api', fileNameOf([path, parameters]));
    return data;
  }

  async #request(path: string, parameters: Parameters, headers: Headers): Promise<ApiAnswer> {
    const url = `/repos/{owner}/{repo}${path}`;
    try {
      const asked = this.#octokit.request({
        method: 'GET',
        url,
        ...this.#repository,
        ...parameters,
        headers,
        ...STREAMED,
      });
      return (await Promise.race([asked, this.#stopped])) as ApiAnswer;
    } catch (error) {
      if ((error as RequestFailure).status === 304) return { status: 304, headers: {}, data: undefined };
      throw this.#failure(error);
    }
  }

  async #known(path: string, parameters: Parameters): Promise<Answer | undefined> {
    return (await recall(this.#options.entry, 'api', fileNameOf([path, parameters]))) as Answer | undefined;
  }

  /** What a failed request means for the user. */
  #failure(error: unknown): PlimsollError {
    const { api, token, signal } = this.#options;
    throwIfAborted(signal);
    const { owner, repo } = this.#repository;
    return failureOf(error, {
      host: new URL(api).host,
      repository: `${owner}/${repo}`,
      hasToken: token !== undefined,
    });
  }
}

/** Whether what was asked for is not there: a commit, or the repository where that has not been found yet. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof PlimsollError && (error.code === 'BAD_REF' || error.code === 'REPOSITORY_NOT_FOUND')
  );
}

/** What a failed request of `makeOctokit`'s means for the user. Throws what is no failed request. */
export function failureOf(error: unknown, context: RequestContext): PlimsollError {
  const { status, message, cause, response } = error as RequestFailure;
  if (typeof status !== 'number') throw error;
  return describeGitHubFailure(
    { status: cause instanceof NoAnswer ? 0 : status, message, cause, response },
    context,
  );
}

/** An octokit that tries again what may succeed the next time, and waits only where the wait is short. */
export function makeOctokit({
  api,
  token,
  fetch,
  onLimit,
  signal,
}: Omit<GitHubApiOptions, 'owner' | 'repo' | 'entry'>): Octokit {
  const octokit = new PlimsollOctokit({
    baseUrl: api,
    userAgent: `plimsoll/${version}`,
    ...(token !== undefined && { auth: token }),
    log: SILENT,
    request: { fetch: readingJson(fetch), ...(signal && { signal }) },
    throttle: {
      id: `${api} ${token ?? ''}`,
      onRateLimit: () => false,
      onSecondaryRateLimit: (wait, _options, _octokit, tries) => wait <= LONGEST_WAIT && tries === 0,
    },
    retry: { doNotRetry: [304, 400, 401, 403, 404, 409, 410, 422, 429, 451] },
  });
  octokit.hook.after('request', ({ headers }) => {
    const left = headers['x-ratelimit-remaining'];
    if (left !== undefined) onLimit?.(Number(left));
  });
  return octokit;
}

/** Has octokit hand on what `fetch` gives as a body. */
export const STREAMED = { request: { parseSuccessResponseBody: false } } as const;

/** JSON answers are no longer: GitHub cuts trees off at 7 MB and 100,000 entries, whose addresses come on top. */
const LONGEST_JSON = 128 * 1024 * 1024;

/**
 * Octokit takes JSON that breaks off for an empty text, and copies a long one several times: so it is read and parsed
 * before it gets there, and stands in the place of the body. Blobs stay streams.
 */
function readingJson(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body || !/^application\/(?:json|vnd\.github\.sha)\b/.test(type))
      return response;
    const text = await readText(
      response.body as unknown as AsyncIterable<Uint8Array>,
      new URL(response.url).host,
    );
    const body = { value: type.startsWith('application/json') ? parseJson(text) : text };
    return Object.defineProperties(new Response(null, { headers: [...response.headers] }), {
      url: { value: response.url },
      body,
    });
  };
}

async function readText(body: AsyncIterable<Uint8Array>, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_JSON) {
      throw new NoAnswer('too long', {
        cause: new PlimsollError('HOST_FAILED', `${host} gave an answer without end: try again later.`),
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rejects when the run is stopped: what may take long, a second try for example, is not waited for then. */
function stopOf(signal: AbortSignal | undefined): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(Object.assign(new Error('stopped'), { status: 0 })));
  });
  stopped.catch(() => {});
  return stopped;
}

const ignore = (): void => {};
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

type Headers = Readonly<Record<string, string>>;
type Parameters = Readonly<Record<string, string | number>>;

/** An answer that is none to what was asked. */
const NO_SENSE = Object.assign(new Error('not what was asked for'), { status: 200 });

interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

interface Answer {
  readonly etag?: string;
  readonly data: unknown;
}
