import { encodeName } from '../../names.ts';
import type { TreeItem } from '../../objects.ts';
import { throwIfAborted } from '../../pace.ts';
import type { Fetch } from '../http.ts';
import { failureOf, makeOctokit, STREAMED } from './api.ts';
import type { RequestFailure } from './failure.ts';

const RAW = 'https://raw.githubusercontent.com';

export interface RawOptions {
  readonly fetch: Fetch;
  /** `owner/repo`. */
  readonly name: string;
  readonly commit: string;
  /** For a private repository. */
  readonly token: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens contents where GitHub serves raw files: no request there counts against the API's hourly limit. A host that
 * doesn't answer at all, fails however often it is asked, or wants fewer requests, is not asked again.
 */
export function rawContents({
  fetch,
  name,
  commit,
  token,
  signal,
}: RawOptions): (item: TreeItem) => Promise<AsyncIterable<Uint8Array>> {
  const octokit = makeOctokit({ api: RAW, token, fetch, signal });
  const context = { host: new URL(RAW).host, repository: name, hasToken: token !== undefined };
  let gone: Error | undefined;
  return async ({ path }) => {
    if (gone) throw gone;
    try {
      const url = `/${name}/${commit}/${path.split('/').map(encodePart).join('/')}`;
      return (await octokit.request({ method: 'GET', url, ...STREAMED })).data as AsyncIterable<Uint8Array>;
    } catch (error) {
      throwIfAborted(signal);
      const failure = failureOf(error, context);
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
