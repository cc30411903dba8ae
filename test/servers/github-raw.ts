import { callerOf } from './github-caller.ts';
import { type Hosting, refused } from './github-hosting.ts';
import type { WholeAnswer } from './representation.ts';

const HEADERS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=300' };
const NOT_FOUND: WholeAnswer = { status: 404, headers: HEADERS, body: '404: Not Found' };

/** Answers as raw.githubusercontent.com does: `/{owner}/{repo}/{ref}/{path}` is a file's bytes. A query means nothing. */
export async function rawAnswer(
  path: string,
  authorization: string | undefined,
  hosting: Hosting,
  tokens: readonly string[],
): Promise<WholeAnswer> {
  const [owner, name, ...rest] = path.replace(/\?.*/s, '').slice(1).split('/').map(decodeURIComponent);
  const hosted = hosting.named(`${owner}/${name}`);
  if (!hosted || refused(hosted, callerOf(authorization, tokens))) return NOT_FOUND;
  for (let length = 1; length < rest.length; length += 1) {
    const commit = await hosted.repository.commitId(rest.slice(0, length).join('/'));
    const entry = commit && (await hosted.repository.entryAt(commit, rest.slice(length).join('/')));
    if (entry && entry.type === 'blob') {
      return { status: 200, headers: HEADERS, body: await hosted.repository.blob(entry.id) };
    }
  }
  return NOT_FOUND;
}
