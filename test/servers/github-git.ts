import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import { gitBackend } from './git-backend.ts';
import { callerOf } from './github-caller.ts';
import { type Hosting, refused } from './github-hosting.ts';

const SERVICE = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/(?:info\/refs|git-upload-pack))$/;

/** GitHub serves all that a partial clone may ask for. */
const SETTINGS = { 'uploadpack.allowFilter': 'true', 'uploadpack.allowAnySHA1InWant': 'true' };

/**
 * Answers as github.com does when git asks it to read a repository. One that isn't there, or is private, is
 * only told of to those who have a token; `web` is what addresses here begin with.
 */
export async function gitAnswer(
  request: IncomingMessage,
  hosting: Hosting,
  tokens: readonly string[],
  web: string,
): Promise<Answer> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const [, name = '', service = ''] = SERVICE.exec(decodeURIComponent(path)) ?? [];
  const caller = callerOf(request.headers.authorization, tokens);
  if (service === '') throw new Error('not modelled');
  if (caller.kind === 'unknown') return text(401, 'Invalid username or token.', AUTHENTICATE);
  const moved = hosting.formerly(name);
  if (moved) return text(301, '', { Location: `${web}/${moved.name}.git${service}?${query}` });
  const hosted = hosting.named(name);
  const refusal = hosted ? refused(hosted, caller)?.status : 404;
  if (refusal === 404 && caller.kind === 'anonymous') return text(401, 'Repository not found.', AUTHENTICATE);
  if (!hosted || refusal === 404) return text(404, 'Repository not found.');
  if (refusal !== undefined) return text(403, 'Access to this repository is denied.');
  return gitBackend(request, { root: hosted.path, path: service, query, settings: SETTINGS });
}

const AUTHENTICATE = { 'WWW-Authenticate': 'Basic realm="GitHub"' };

function text(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'Content-Type': 'text/plain', ...headers }, body: `${message}\n` };
}
