import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';

/** An answer whose body is all there. */
export interface WholeAnswer extends Answer {
  readonly body?: Buffer | string;
}

/** Gives a good answer its ETag; it becomes a 304 if that is what the client has already. */
export function conditional({ headers }: IncomingMessage, answer: WholeAnswer): WholeAnswer {
  if (answer.status !== 200 || answer.body === undefined) return answer;
  const tag = `W/"${createHash('sha256').update(answer.body).digest('hex')}"`;
  const known = headers['if-none-match']?.split(/, */).some((each) => opaque(each) === opaque(tag));
  if (!known) return { ...answer, headers: { ...answer.headers, ETag: tag } };
  const { 'Content-Type': _, ...kept } = answer.headers;
  return { status: 304, headers: { ...kept, ETag: tag } };
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** Compresses a body if the client takes that, as all of GitHub's servers do. */
export function compressed({ headers }: IncomingMessage, answer: WholeAnswer): WholeAnswer {
  if (answer.body === undefined || !/\bgzip\b/.test(String(headers['accept-encoding']))) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
    body: gzipSync(answer.body),
  };
}
