import { execFileSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, send } from './answer.ts';
import { gitBackend } from './git-backend.ts';
import { listen, stop } from './listen.ts';

export interface GitHttpOptions {
  /** What basic authentication must give; everybody is served without it. */
  readonly auth?: { readonly user: string; readonly password: string };
  /** Called before all else: `true` if it answers the request itself, also by never answering. */
  readonly hook?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface GitHttpServer {
  /** `http://127.0.0.1:PORT`; a repository's path below the root follows. */
  readonly url: string;
  /** All requests so far, in order. */
  readonly requests: readonly GitHttpRequest[];
  close(): Promise<void>;
}

export interface GitHttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

const UNAUTHORIZED: Answer = {
  status: 401,
  headers: { 'WWW-Authenticate': 'Basic realm="git"' },
  body: 'Authentication is needed\n',
};

/** Serves every repository below a folder by git's smart HTTP. */
export async function serveGit(root: string, options: GitHttpOptions = {}): Promise<GitHttpServer> {
  const requests: GitHttpRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers });
    if (options.hook?.(request, response)) return;
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const place = { root, path: decodeURIComponent(pathname), query: searchParams.toString() };
    await send(response, isWelcome(request, options) ? await gitBackend(request, place) : UNAUTHORIZED);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, requests, close: () => stop(server) };
}

function isWelcome({ headers }: IncomingMessage, { auth }: GitHttpOptions): boolean {
  if (!auth) return true;
  const credentials = Buffer.from(`${auth.user}:${auth.password}`).toString('base64');
  return headers.authorization === `Basic ${credentials}`;
}

/** Says whether a repository on disk serves partial clones, and any object that is asked for by its id. */
export function allowFilter(repository: string, allowed: boolean): void {
  for (const key of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant']) {
    execFileSync('git', ['config', '--file', `${repository}/config`, key, String(allowed)]);
  }
}
