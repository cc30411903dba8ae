import { encodeName } from '../names.ts';
import { failureOf, makeOctokit } from './github-api.ts';
import type { RequestFailure } from './github-failure.ts';
import type { BlobFetcher } from './github-objects.ts';
import type { Fetch } from './http.ts';

const RAW = 'https://raw.githubusercontent.com';

export interface RawOptions {
  readonly fetch: Fetch;
  /** `owner/repo`. */
  readonly name: string;
  readonly commit: string;
  /** For a private repository. */
  readonly token: string | undefined;
}

/**
 * Fetches contents from where GitHub serves raw files: no request there counts against the API's hourly limit. A host
 * that doesn't answer at all, fails however often it is asked, or wants fewer requests, is not asked again.
 */
export function rawFetcher({ fetch, name, commit, token }: RawOptions): BlobFetcher {
  const octokit = makeOctokit({ api: RAW, token, fetch });
  let gone: Error | undefined;
  return async ({ path }) => {
    if (gone) throw gone;
    const url = `/${name}/${commit}/${path.split('/').map(encodePart).join('/')}`;
    try {
      const { data } = await octokit.request({
        method: 'GET',
        url,
        request: { parseSuccessResponseBody: false },
      });
      return data as AsyncIterable<Uint8Array>;
    } catch (error) {
      const failure = failureOf(error, {
        host: new URL(RAW).host,
        repository: name,
        hasToken: token !== undefined,
      });
      const { status } = error as RequestFailure;
      if (status === 0 || status >= 500 || failure.code === 'RATE_LIMITED') gone = failure;
      throw failure;
    }
  };
}

function encodePart(part: string): string {
  return [...encodeName(part)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[\w.~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
